// A third-party component that suites load: what it is, and the note that it takes of its calls.
#ifndef SUITE_COMPONENT_H
#define SUITE_COMPONENT_H

#include <AudioToolbox/AudioToolbox.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

// CoreFoundation's own headers are the toolchain's and want blocks.
extern CFStringRef CFStringCreateWithCString(const void *allocator, const char *text, UInt32 encoding);
extern const void *CFDictionaryGetValue(const void *dictionary, const void *key);
extern Boolean CFNumberGetValue(const void *number, long type, void *value);
extern CFArrayRef CFArrayCreate(const void *allocator, const void **values, long count, const void *callbacks);
extern const void *CFRetain(const void *object);

// Nothing but the factory is for others.
#pragma GCC visibility push(hidden)

enum { most_channels = 8, most_buses = 2, most_events = 256, parameter_count = 8, preset_count = 3 };

typedef struct Parameter {
  const char *name;
  AudioUnitScope scope;
  AudioUnitElement element;
  Float32 low, high, initial;
  UInt32 flags;
  // Its value in each preset.
  Float32 presets[preset_count];
} Parameter;
extern const Parameter parameters[parameter_count];

typedef struct Instance {
  AudioComponentPlugInInterface table;
  AudioUnit instance;
  int number, kind;
  UInt32 inputs, most_frames, bypass, renders, is_initialized;
  SInt32 preset;
  // Inputs, then the output.
  AudioStreamBasicDescription formats[most_buses + 1];
  AURenderCallbackStruct sources[most_buses];
  AudioUnitConnection connections[most_buses];
  Float32 values[parameter_count];
  AudioUnitParameterEvent events[most_events];
  UInt32 event_count;
  // One that renders offline: frames of its input, and whether it is told that it does.
  UInt64 input_frames;
  UInt32 is_offline;
  Float32 *memory[most_buses + 1][most_channels];
} Instance;

// The kinds: by the subtype of its description.
enum { any_channels, twice_as_many, to_one, a_source, offline, kind_count };

static inline UInt32 four(const char *text) {
  return (UInt32)(unsigned char)text[0] << 24 | (UInt32)(unsigned char)text[1] << 16 | (UInt32)(unsigned char)text[2] << 8 | (UInt32)(unsigned char)text[3];
}

// A number of SUITE_COMPONENT, a list of NAME=VALUE with blanks between.
extern double option(const char *name, double otherwise);
// A line of the file SUITE_COMPONENT_LOG, with the instance's number in front.
extern void note(const Instance *component, const char *format, ...) __attribute__((format(printf, 2, 3)));

extern OSStatus property_info(void *self, AudioUnitPropertyID id, AudioUnitScope scope, AudioUnitElement element, UInt32 *size, Boolean *writable);
extern OSStatus get_property(void *self, AudioUnitPropertyID id, AudioUnitScope scope, AudioUnitElement element, void *data, UInt32 *size);
extern OSStatus set_property(void *self, AudioUnitPropertyID id, AudioUnitScope scope, AudioUnitElement element, const void *data, UInt32 size);
extern int parameter_at(AudioUnitParameterID id, AudioUnitScope scope, AudioUnitElement element);
extern OSStatus render(void *self, AudioUnitRenderActionFlags *flags, const AudioTimeStamp *time, UInt32 bus, UInt32 frames, AudioBufferList *data);

#pragma GCC visibility pop

#endif
