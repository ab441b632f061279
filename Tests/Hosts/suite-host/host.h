// Helpers that the parts of the host share. A host prints its results; a suite compares them with the expected text.
#ifndef SUITE_HOST_H
#define SUITE_HOST_H

#include <AudioToolbox/AudioToolbox.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// CoreFoundation's own headers are the toolchain's and want blocks.
extern CFURLRef CFURLCreateFromFileSystemRepresentation(const void *allocator, const unsigned char *path, long bytes, bool is_folder);
extern void CFRelease(const void *object);
extern long CFArrayGetCount(const void *array);
extern CFStringRef CFStringCreateWithCString(const void *allocator, const char *text, UInt32 encoding);
extern Boolean CFStringGetCString(CFStringRef text, char *room, long bytes, UInt32 encoding);
enum { utf8 = 0x08000100 };
static inline CFStringRef text_of(const char *text) { return CFStringCreateWithCString(NULL, text, utf8); }

// FNV-1a, 64 bits, of the bytes so far.
typedef unsigned long long Digest;
static inline Digest digest(Digest state, const void *bytes, size_t count) {
  const unsigned char *byte = bytes;
  if (state == 0) state = 14695981039346656037ull;
  for (size_t index = 0; index < count; ++index) state = (state ^ byte[index]) * 1099511628211ull;
  return state;
}

// A status as it is written: 0, a number, or its four characters.
static inline const char *status_text(OSStatus status) {
  static char texts[8][16];
  static int next;
  char *text = texts[next++ % 8];
  int printable = 1;
  for (int shift = 24; shift >= 0; shift -= 8) {
    int letter = (status >> shift) & 0xFF;
    printable = printable && letter >= 0x20 && letter < 0x7F;
  }
  if (printable) {
    snprintf(text, 16, "'%c%c%c%c'", status >> 24 & 0xFF, status >> 16 & 0xFF, status >> 8 & 0xFF, status & 0xFF);
  } else {
    snprintf(text, 16, "%d", (int)status);
  }
  return text;
}

static inline void need(OSStatus status, const char *what) {
  if (status == noErr) return;
  printf("%s: %s\n", what, status_text(status));
  fflush(stdout);
  exit(1);
}

static inline UInt32 four(const char *text) {
  return (UInt32)(unsigned char)text[0] << 24 | (UInt32)(unsigned char)text[1] << 16 |
         (UInt32)(unsigned char)text[2] << 8 | (UInt32)(unsigned char)text[3];
}

// Plain samples as they are described: `flags` as of AudioStreamBasicDescription.
static inline AudioStreamBasicDescription pcm(Float64 rate, UInt32 channels, UInt32 bits, UInt32 bytes, UInt32 flags) {
  AudioStreamBasicDescription format = {0};
  format.mSampleRate = rate;
  format.mFormatID = kAudioFormatLinearPCM;
  format.mFormatFlags = flags;
  format.mFramesPerPacket = 1;
  format.mChannelsPerFrame = channels;
  format.mBitsPerChannel = bits;
  format.mBytesPerFrame = flags & kAudioFormatFlagIsNonInterleaved ? bytes : bytes * channels;
  format.mBytesPerPacket = format.mBytesPerFrame;
  return format;
}

static inline AudioStreamBasicDescription planar(Float64 rate, UInt32 channels) {
  return pcm(rate, channels, 32, 4, kAudioFormatFlagIsFloat | kAudioFormatFlagIsPacked | kAudioFormatFlagIsNonInterleaved);
}

static inline void say_format(const AudioStreamBasicDescription *format) {
  printf("%g %s %x %u/%u/%u %uch %ubit", format->mSampleRate, status_text((OSStatus)format->mFormatID),
         (unsigned)format->mFormatFlags, (unsigned)format->mBytesPerPacket, (unsigned)format->mFramesPerPacket,
         (unsigned)format->mBytesPerFrame, (unsigned)format->mChannelsPerFrame, (unsigned)format->mBitsPerChannel);
}

static inline AudioUnit unit_of(const char *type, const char *subtype) {
  AudioComponentDescription wanted = {four(type), four(subtype), kAudioUnitManufacturer_Apple, 0, 0};
  AudioUnit unit = NULL;
  AudioComponent component = AudioComponentFindNext(NULL, &wanted);
  need(component ? noErr : -1, subtype);
  need(AudioComponentInstanceNew(component, &unit), "new");
  return unit;
}

static inline OSStatus set_uint(AudioUnit unit, UInt32 property, UInt32 scope, UInt32 element, UInt32 value) {
  return AudioUnitSetProperty(unit, property, scope, element, &value, sizeof value);
}

static inline OSStatus set_format(AudioUnit unit, UInt32 scope, UInt32 element, AudioStreamBasicDescription format) {
  return AudioUnitSetProperty(unit, kAudioUnitProperty_StreamFormat, scope, element, &format, sizeof format);
}

// The same number for the same place, anywhere.
static inline UInt32 noise(UInt32 place) {
  UInt32 word = place * 2654435761u + 0x9E3779B9u;
  word ^= word >> 16, word *= 0x85EBCA6Bu, word ^= word >> 13, word *= 0xC2B2AE35u;
  return word ^ word >> 16;
}

// Room for planar floats, and the list that describes it.
enum { most_channels = 8, most_frames = 8192 };
typedef struct Planes {
  AudioBufferList *list;
  Float32 samples[most_channels][most_frames];
} Planes;
extern Planes *planes_of(UInt32 channels, UInt32 frames);

static inline CFURLRef url_of(const char *path) {
  return CFURLCreateFromFileSystemRepresentation(NULL, (const unsigned char *)path, (long)strlen(path), false);
}

// A file in the folder for what is temporary.
extern const char *temporary(const char *name);

// The simulated hardware: slices of 500 frames at 48 kHz for a tenth of a second, not in real time, into a temporary
// file.
static inline void run_device_into(const char *name) {
  setenv("AUBENCH_DEVICE_CLOCK", "free", 1);
  setenv("AUBENCH_DEVICE_SECONDS", "0.1", 1);
  setenv("AUBENCH_DEVICE_RATE", "48000", 1);
  setenv("AUBENCH_DEVICE_FRAMES", "500", 1);
  setenv("AUBENCH_DEVICE_WAV", temporary(name), 1);
}
extern Digest file_digest(const char *path, long *bytes);

// CAShow's text about an object, without the addresses of callbacks.
extern void show(void *object);

extern void census(void);
extern void formats(void);
extern void clock_jumps(void);
extern void property_numbers(void);
extern void player(void);
extern void play_device(void);
extern void files(void);
extern void packets(void);
extern void layouts(void);
extern void rendering(void);
extern void scheduling(void);
extern void mixing(void);
extern void hardware(void);
extern void threads(void);
extern void pace(void);
extern void effects(void);
extern void converting(void);
extern void all_encodings(void);
extern void client_layouts(void);
extern void speakers(void);
extern void voices(void);
extern void graphs(void);
extern void reading(void);
extern void session(void);
extern void services(void);
extern void registered(void);
extern void chunks(void);
extern void feeds(void);
extern void mix_matrix(void);
extern void offline(void);
extern void sound_slices(void);
extern void networks(void);
extern void all_properties(void);
extern void scripts(void);
extern void all_objects(void);
extern void schedules(void);
extern void drawn_listeners(void);
extern void format_facts(void);
extern void writing(void);
extern void routes(void);
extern void tails(void);
extern void file_markers(void);
extern void limits(void);
extern void file_regions(void);
extern void wirings(void);
extern void states(void);
extern void restarts(void);
extern void devices(void);
extern void bundled(void);
extern void drawn_meters(void);
extern void as_fresh(void);
extern void wrong_asking(void);
extern void removals(void);
extern void channel_orders(void);
extern void pushed_frames(void);
extern void on_queues(void);
extern void print_transcript(void);
extern void all_words(void);
extern void mirrored_hardware(void);
extern void prime_methods(void);
extern void graph_nodes(void);
extern void coded_packets(void);
extern void file_rings(void);
extern void type_catalogue(void);
extern void tag_texts(void);
extern void make_one_unit(void);

#endif
