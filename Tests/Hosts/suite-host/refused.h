// Calls that are refused, and the status of each. One scenario of several parts: what is answered otherwise is printed.
#ifndef SUITE_HOST_REFUSED_H
#define SUITE_HOST_REFUSED_H

#include <CoreServices/CoreServices.h>

#include "host.h"
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

typedef struct Judged {
  int calls, wrong;
} Judged;
extern Judged judged;
extern void judge(const char *call, OSStatus found, OSStatus expected);
extern void say_judged(const char *subject);

// A call, written out in the report, and its status.
#define ANSWERS(expected, ...) judge(#__VA_ARGS__, (__VA_ARGS__), (OSStatus)(expected))
#define HOLDS(...) judge(#__VA_ARGS__, (__VA_ARGS__) ? 1 : 0, 1)

// Null where the compiler does not see it: the headers say that these pointers are never null.
extern void *volatile nothing;
// 'op??'
enum { unsupported = kAudioFileOperationNotSupportedError };

// One object of each kind.
extern AudioUnit unit;
extern AUGraph graph;
extern AUParameterListenerRef listener, events;
extern AudioComponent component;

// Handles that are neither of two: null, one of each other kind, one of each that was disposed of, numbers that were never handed out.
enum { most_handles = 16 };
typedef struct Handles {
  void *list[most_handles];
  int count;
} Handles;
extern Handles handles_but(const void *one, const void *another);

extern OSStatus give_silence(void *user, AudioUnitRenderActionFlags *flags, const AudioTimeStamp *time, UInt32 bus, UInt32 frames, AudioBufferList *data);
extern void hear_parameter(void *user, void *object, const AudioUnitParameter *parameter, Float32 value);
extern void hear_event(void *user, void *object, const AudioUnitEvent *event, UInt64 time, Float32 value);
static inline AudioTimeStamp at_frame(Float64 frame) { return (AudioTimeStamp){.mSampleTime = frame, .mFlags = kAudioTimeStampSampleTimeValid}; }

// Files of 100 frames of stereo at 48 kHz in 16 bits: "plain.wav", "plain.aif", and "coded.flac" of a coder.
enum { floats = kAudioFormatFlagIsFloat | kAudioFormatFlagIsPacked, integers = kAudioFormatFlagIsSignedInteger | kAudioFormatFlagIsPacked };
static inline AudioStreamBasicDescription stereo16(void) { return pcm(48000, 2, 16, 2, integers); }
static inline CFURLRef new_url(const char *name) { return url_of(temporary(name)); }
extern void make_files(void);
extern AudioFileID open_file(const char *name, SInt8 permissions);
extern ExtAudioFileRef open_extended(const char *name);

// Procedures of converters whose input has ended.
extern OSStatus fetch(AudioConverterRef converter, UInt32 *packets, AudioBufferList *data, AudioStreamPacketDescription **descriptions, void *user);
extern OSStatus fetch_bytes(AudioConverterRef converter, UInt32 *bytes, void **data, void *user);

extern void wrong_units(void);
extern void wrong_graphs(void);
extern void wrong_components(void);
extern void wrong_listeners(void);
extern void wrong_hardware(void);
extern void wrong_session(void);
extern void wrong_file_handles(void);
extern void wrong_openings(void);
extern void wrong_files(void);
extern void wrong_extended(void);
extern void wrong_converters(void);
extern void wrong_format_questions(void);
extern void wrong_references(void);

#endif
