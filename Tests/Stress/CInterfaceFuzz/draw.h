// The source of random arguments. Included by fuzz.c alone.
#include <AudioToolbox/AudioToolbox.h>
#include <CoreAudio/CoreAudio.h>
#include <CoreServices/CoreServices.h>
#include <math.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "InterfaceFuzz.h"

#pragma clang diagnostic ignored "-Wdeprecated-declarations"

// Each drawn buffer has so many bytes, and calls get no larger size.
enum { CHUNK_BYTES = 256 << 10, CHUNKS = 24, BUFFERS = 64, PLACES = 24, MOST_DEPTH = 3, MOST_THREADS = 256 };

typedef struct {
  uint64_t state;
  const FuzzObjects *objects;
  // Chunks for each depth of calls inside callbacks, and sound.
  char *memory;
  char *sound;
  int chunk;
  int depth;
  uint64_t disposals;
  _Atomic(const char *) present;
  // The counter of the present function's successes.
  _Atomic(uint64_t) *successes;
} Fuzz;

static void note(Fuzz *fuzz, OSStatus status) {
  if (status == noErr) atomic_fetch_add(fuzz->successes, 1);
}

// MARK: Numbers

// SplitMix64, as AudioCore has it: this program is C and calls nothing but the interface.
static uint64_t draw64(Fuzz *fuzz) {
  uint64_t word = fuzz->state += 0x9E3779B97F4A7C15ull;
  word = (word ^ (word >> 30)) * 0xBF58476D1CE4E5B9ull;
  word = (word ^ (word >> 27)) * 0x94D049BB133111EBull;
  return word ^ (word >> 31);
}

static uint32_t roll(Fuzz *fuzz, uint32_t count) { return (uint32_t)(draw64(fuzz) % count); }
static int one_in(Fuzz *fuzz, uint32_t count) { return roll(fuzz, count) == 0; }

#define ONE_OF(fuzz, list) ((list)[roll((fuzz), sizeof(list) / sizeof((list)[0]))])

static UInt32 draw_number(Fuzz *fuzz) {
  static const UInt32 edges[] = {0, 1, 2, 3, 255, 4096, 65535, 65536, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF, 0xFFFFFFFE};
  switch (roll(fuzz, 8)) {
    case 0: return ONE_OF(fuzz, edges);
    case 1: return (UInt32)draw64(fuzz);
    default: return roll(fuzz, 9);
  }
}

static UInt32 draw_scope(Fuzz *fuzz) { return one_in(fuzz, 12) ? draw_number(fuzz) : roll(fuzz, 3); }
static UInt32 draw_element(Fuzz *fuzz) { return one_in(fuzz, 10) ? draw_number(fuzz) : roll(fuzz, 3); }
static SInt32 draw_node(Fuzz *fuzz) { return one_in(fuzz, 10) ? (SInt32)draw_number(fuzz) : 1 + (SInt32)roll(fuzz, 8); }
static UInt32 draw_size(Fuzz *fuzz) {
  static const UInt32 sizes[] = {0, 1, 4, 8, 12, 16, 20, 24, 32, 36, 40, 64, 256, 4096, CHUNK_BYTES};
  return one_in(fuzz, 4) ? roll(fuzz, CHUNK_BYTES + 1) : ONE_OF(fuzz, sizes);
}
static UInt32 draw_count(Fuzz *fuzz) { return roll(fuzz, 40); }
static UInt32 draw_frames(Fuzz *fuzz) {
  static const UInt32 frames[] = {0, 1, 7, 64, 256, 512, 1024, 1156, 4096, 5000};
  return one_in(fuzz, 16) ? draw_number(fuzz) : ONE_OF(fuzz, frames);
}
static SInt64 draw_position(Fuzz *fuzz) {
  static const SInt64 edges[] = {0, -1, 1, INT64_MAX, INT64_MIN, 1ll << 32, 1ll << 53};
  return one_in(fuzz, 8) ? ONE_OF(fuzz, edges) : roll(fuzz, 100000);
}
static double draw_value(Fuzz *fuzz) {
  static const double values[] = {0, 1, -1, 0.5, 20, 440, 1000, 22050, 1e9, -1e9, 1e-30};
  if (one_in(fuzz, 24)) return one_in(fuzz, 2) ? NAN : INFINITY;
  return ONE_OF(fuzz, values);
}
// The system, its devices, or something else.
static _Atomic(UInt32) device_id;
static UInt32 draw_object_id(Fuzz *fuzz) {
  switch (roll(fuzz, 6)) {
    case 0: return draw_number(fuzz);
    case 1: return kAudioObjectSystemObject;
    default: return atomic_load(&device_id);
  }
}
static SInt8 draw_permissions(Fuzz *fuzz) {
  return one_in(fuzz, 12) ? (SInt8)draw_number(fuzz) : (SInt8)(1 + roll(fuzz, 3));
}
static UInt32 draw_parameter_id(Fuzz *fuzz) {
  static const UInt32 ids[] = {0, 1, 2, 3, 14, 1000, 1001, 2000, 2001, 3000, 3001, 4000, 4001, 5000, 5001};
  return one_in(fuzz, 10) ? draw_number(fuzz) : ONE_OF(fuzz, ids);
}
static UInt32 draw_file_type(Fuzz *fuzz) {
  static const UInt32 types[] = {
      kAudioFileWAVEType, kAudioFileAIFFType, kAudioFileAIFCType, kAudioFileCAFType, kAudioFileNextType,
      kAudioFileFLACType, kAudioFileMP3Type,  kAudioFileM4AType,  kAudioFileSoundDesigner2Type};
  return one_in(fuzz, 10) ? draw_number(fuzz) : ONE_OF(fuzz, types);
}

// MARK: Memory

// A buffer of CHUNK_BYTES, good until CHUNKS others were drawn at this depth.
static char *chunk(Fuzz *fuzz) {
  fuzz->chunk = (fuzz->chunk + 1) % CHUNKS;
  return fuzz->memory + (size_t)(fuzz->depth * CHUNKS + fuzz->chunk) * CHUNK_BYTES;
}

static void *draw_memory(Fuzz *fuzz) {
  if (one_in(fuzz, 24)) return NULL;
  char *memory = chunk(fuzz);
  switch (roll(fuzz, 4)) {
    case 0: break;
    case 1:
      for (int index = 0; index < 64; ++index) ((UInt32 *)memory)[index] = draw_number(fuzz);
      break;
    default: memset(memory, 0, 512);
  }
  return memory;
}

static void *draw_io_size(Fuzz *fuzz) {
  if (one_in(fuzz, 24)) return NULL;
  UInt32 *size = (UInt32 *)chunk(fuzz);
  *size = draw_size(fuzz);
  return size;
}

// A count of packets or frames that any buffer has room for.
static void *draw_packets(Fuzz *fuzz) {
  if (one_in(fuzz, 24)) return NULL;
  UInt32 *count = (UInt32 *)chunk(fuzz);
  *count = roll(fuzz, 5);
  return count;
}

static void *draw_context(Fuzz *fuzz) {
  switch (roll(fuzz, 3)) {
    case 0: return NULL;
    case 1: return (void *)(uintptr_t)roll(fuzz, 5);
    default: return chunk(fuzz);
  }
}

// MARK: Handles

// The objects that calls have made, by kind, shared by all threads. A handle that is disposed of stays in its place:
// stale ones are wanted too.
enum Kind {
  UNIT,
  COMPONENT,
  GRAPH,
  CONVERTER,
  FILE_,
  EXTENDED,
  PARAMETER_LISTENER,
  EVENT_LISTENER,
  QUEUE,
  QUEUE_BUFFER,
  TIMELINE,
  TAP,
  STREAM,
  OBJECT,
  KINDS
};
static _Atomic(uintptr_t) pool[KINDS][PLACES];

static void end(enum Kind kind, uintptr_t handle, const FuzzObjects *objects) {
  if (handle == 0) return;
  switch (kind) {
    case UNIT: AudioComponentInstanceDispose((AudioUnit)handle); break;
    case GRAPH: DisposeAUGraph((AUGraph)handle); break;
    case CONVERTER: AudioConverterDispose((AudioConverterRef)handle); break;
    case FILE_: AudioFileClose((AudioFileID)handle); break;
    case EXTENDED: ExtAudioFileDispose((ExtAudioFileRef)handle); break;
    case PARAMETER_LISTENER:
    case EVENT_LISTENER: AUListenerDispose((AUParameterListenerRef)handle); break;
    case QUEUE: AudioQueueDispose((AudioQueueRef)handle, true); break;
    case STREAM: AudioFileStreamClose((AudioFileStreamID)handle); break;
    case TAP: AudioQueueProcessingTapDispose((AudioQueueProcessingTapRef)handle); break;
    case OBJECT: objects->release((const void *)handle); break;
    default: break;
  }
}

static void keep(Fuzz *fuzz, enum Kind kind, uintptr_t handle) {
  if (handle == 0) return;
  uintptr_t former = atomic_exchange(&pool[kind][roll(fuzz, PLACES)], handle);
  end(kind, former, fuzz->objects);
}

static uintptr_t draw_handle(Fuzz *fuzz, enum Kind kind) {
  switch (roll(fuzz, 40)) {
    case 0: return 0;
    case 1: return (uintptr_t)draw64(fuzz);
    case 2: return (uintptr_t)chunk(fuzz);
    case 3: return atomic_load(&pool[roll(fuzz, OBJECT)][roll(fuzz, PLACES)]);
    default: return atomic_load(&pool[kind][roll(fuzz, PLACES)]);
  }
}

#define HANDLE(name, type, kind)                                                                              \
  static inline type draw_##name(Fuzz *fuzz) { return (type)draw_handle(fuzz, kind); }                        \
  static inline type *draw_out_##name(Fuzz *fuzz) { return one_in(fuzz, 24) ? NULL : memset(chunk(fuzz), 0, 8); } \
  static inline void keep_##name(Fuzz *fuzz, type *out) {                                                     \
    if (out != NULL) keep(fuzz, kind, (uintptr_t)*out);                                                       \
  }
HANDLE(unit, AudioUnit, UNIT)
HANDLE(component, AudioComponent, COMPONENT)
HANDLE(graph, AUGraph, GRAPH)
HANDLE(converter, AudioConverterRef, CONVERTER)
HANDLE(file, AudioFileID, FILE_)
HANDLE(extendedFile, ExtAudioFileRef, EXTENDED)
HANDLE(parameterListener, AUParameterListenerRef, PARAMETER_LISTENER)
HANDLE(eventListener, AUEventListenerRef, EVENT_LISTENER)
HANDLE(queue, AudioQueueRef, QUEUE)
HANDLE(queueBuffer, AudioQueueBufferRef, QUEUE_BUFFER)
HANDLE(timeline, AudioQueueTimelineRef, TIMELINE)
HANDLE(tap, AudioQueueProcessingTapRef, TAP)
HANDLE(stream, AudioFileStreamID, STREAM)

// MARK: Objects of CoreFoundation

static const void *draw_url(Fuzz *fuzz) {
  return one_in(fuzz, 16) ? NULL : fuzz->objects->urls[roll(fuzz, (uint32_t)fuzz->objects->urlCount)];
}
static const void *draw_string(Fuzz *fuzz) {
  return one_in(fuzz, 4) ? NULL : fuzz->objects->strings[roll(fuzz, (uint32_t)fuzz->objects->stringCount)];
}
static void *draw_runloop(Fuzz *fuzz) { return one_in(fuzz, 2) ? NULL : fuzz->objects->runLoop; }
static void *draw_nothing(Fuzz *fuzz) {
  (void)fuzz;
  return NULL;
}
// A reference to one of the files, or bytes that are none.
static FSRef *draw_file_reference(Fuzz *fuzz) {
  FSRef *reference = draw_memory(fuzz);
  const void *url = draw_url(fuzz);
  if (reference != NULL && url != NULL && !one_in(fuzz, 4)) CFURLGetFSRef((CFURLRef)url, reference);
  return reference;
}
static const void *draw_dictionary(Fuzz *fuzz) {
  (void)fuzz;
  return NULL;
}
static void *draw_out_object(Fuzz *fuzz) { return one_in(fuzz, 24) ? NULL : memset(chunk(fuzz), 0, 8); }
// An object that came out is the caller's, who does not want it.
static void keep_object(Fuzz *fuzz, void *out) {
  const void *object = out == NULL ? NULL : *(const void **)out;
  if (object != NULL) fuzz->objects->release(object);
}

// MARK: Structures

// Packets of a codec.
static AudioStreamBasicDescription a_packet_format(Fuzz *fuzz, AudioStreamBasicDescription format) {
  static const struct {
    UInt32 id, bytes_of_channel, frames;
  } codecs[] = {{'.mp3', 0, 1152}, {'flac', 0, 4096}, {'alac', 0, 4096}, {'ima4', 34, 64}, {0x6D730002, 128, 244},
                {0x6D730011, 128, 249}, {'aac ', 0, 1024}, {'opus', 0, 960}, {'iLBC', 50, 240}};
  size_t kind = roll(fuzz, sizeof codecs / sizeof *codecs);
  format.mFormatID = codecs[kind].id;
  format.mFormatFlags = one_in(fuzz, 2) ? 0 : roll(fuzz, 5);
  format.mBytesPerPacket = codecs[kind].bytes_of_channel * format.mChannelsPerFrame;
  format.mFramesPerPacket = codecs[kind].frames;
  format.mBytesPerFrame = format.mBitsPerChannel = 0;
  if (one_in(fuzz, 24)) ((UInt32 *)&format)[2 + roll(fuzz, 7)] = draw_number(fuzz);
  return format;
}

static AudioStreamBasicDescription a_format(Fuzz *fuzz) {
  static const Float64 rates[] = {8000, 11025, 22050, 44100, 44100, 48000, 48000, 96000, 192000};
  static const UInt32 channels[] = {1, 1, 2, 2, 2, 3, 6, 8, 64};
  AudioStreamBasicDescription format = {0};
  format.mSampleRate = one_in(fuzz, 24) ? draw_value(fuzz) : ONE_OF(fuzz, rates);
  format.mFormatID = one_in(fuzz, 16) ? kAudioFormatULaw : kAudioFormatLinearPCM;
  format.mChannelsPerFrame = one_in(fuzz, 32) ? draw_number(fuzz) : ONE_OF(fuzz, channels);
  if (one_in(fuzz, 20)) return a_packet_format(fuzz, format);
  format.mFramesPerPacket = 1;
  UInt32 bytes = 4;
  switch (roll(fuzz, 5)) {
    case 0:
      bytes = 2;
      format.mFormatFlags = kAudioFormatFlagIsSignedInteger | kAudioFormatFlagIsPacked;
      break;
    case 1:
      bytes = 3;
      format.mFormatFlags = kAudioFormatFlagIsSignedInteger | kAudioFormatFlagIsPacked;
      break;
    case 2:
      bytes = 8;
      format.mFormatFlags = kAudioFormatFlagIsFloat | kAudioFormatFlagIsPacked;
      break;
    default: format.mFormatFlags = kAudioFormatFlagIsFloat | kAudioFormatFlagIsPacked;
  }
  if (format.mFormatID == kAudioFormatULaw) {
    bytes = 1;
    format.mFormatFlags = 0;
  }
  if (one_in(fuzz, 2)) format.mFormatFlags |= kAudioFormatFlagIsNonInterleaved;
  if (one_in(fuzz, 8)) format.mFormatFlags |= kAudioFormatFlagIsBigEndian;
  format.mBitsPerChannel = bytes * 8;
  int isPlanar = format.mFormatFlags & kAudioFormatFlagIsNonInterleaved;
  format.mBytesPerFrame = bytes * (isPlanar ? 1 : format.mChannelsPerFrame);
  format.mBytesPerPacket = format.mBytesPerFrame;
  if (one_in(fuzz, 24)) ((UInt32 *)&format)[2 + roll(fuzz, 7)] = draw_number(fuzz);
  return format;
}

static void *draw_format(Fuzz *fuzz) {
  if (one_in(fuzz, 24)) return NULL;
  AudioStreamBasicDescription *format = (AudioStreamBasicDescription *)chunk(fuzz);
  *format = a_format(fuzz);
  return format;
}

static AudioTimeStamp a_time(Fuzz *fuzz) {
  static _Atomic(uint64_t) clock;
  AudioTimeStamp time = {0};
  time.mSampleTime = one_in(fuzz, 12) ? draw_value(fuzz) : (double)(512 * atomic_fetch_add(&clock, 1));
  time.mHostTime = draw64(fuzz);
  time.mFlags = one_in(fuzz, 6) ? draw_number(fuzz) : kAudioTimeStampSampleTimeValid;
  return time;
}

static void *draw_time(Fuzz *fuzz) {
  if (one_in(fuzz, 24)) return NULL;
  AudioTimeStamp *time = (AudioTimeStamp *)chunk(fuzz);
  *time = a_time(fuzz);
  return time;
}

// Buffers of a format, as large as can be; now and then they are not quite that.
static AudioBufferList *buffers_of(Fuzz *fuzz, const AudioStreamBasicDescription *format) {
  AudioBufferList *list = (AudioBufferList *)chunk(fuzz);
  int isPlanar = (format->mFormatFlags & kAudioFormatFlagIsNonInterleaved) && format->mFormatID == kAudioFormatLinearPCM;
  UInt32 count = isPlanar ? format->mChannelsPerFrame : 1;
  list->mNumberBuffers = count < BUFFERS ? count : BUFFERS;
  int lends = one_in(fuzz, 6);
  for (UInt32 index = 0; index < list->mNumberBuffers; ++index) {
    UInt32 bytes = format->mBytesPerFrame > 0 ? CHUNK_BYTES / format->mBytesPerFrame * format->mBytesPerFrame : CHUNK_BYTES;
    list->mBuffers[index].mNumberChannels = isPlanar ? 1 : format->mChannelsPerFrame;
    list->mBuffers[index].mDataByteSize = one_in(fuzz, 24) ? draw_size(fuzz) : bytes;
    list->mBuffers[index].mData = lends ? NULL : fuzz->sound + (size_t)index * CHUNK_BYTES;
  }
  return list;
}

static AudioBufferList *draw_buffers(Fuzz *fuzz) {
  static const UInt32 counts[] = {1, 1, 2, 2, 2, 2, 3, 6, 8};
  if (one_in(fuzz, 32)) return NULL;
  AudioBufferList *list = (AudioBufferList *)chunk(fuzz);
  list->mNumberBuffers = one_in(fuzz, 24) ? roll(fuzz, BUFFERS) : ONE_OF(fuzz, counts);
  int lends = one_in(fuzz, 5);
  for (UInt32 index = 0; index < list->mNumberBuffers; ++index) {
    list->mBuffers[index].mNumberChannels = list->mNumberBuffers == 1 ? 2 : 1;
    list->mBuffers[index].mDataByteSize = one_in(fuzz, 6) ? draw_size(fuzz) : CHUNK_BYTES;
    // Two lists may be the same memory: nothing forbids it.
    list->mBuffers[index].mData = lends || one_in(fuzz, 48) ? NULL : fuzz->sound + (size_t)index * CHUNK_BYTES;
  }
  return list;
}

static AudioComponentDescription a_description(Fuzz *fuzz) {
  static const UInt32 types[][2] = {
      {kAudioUnitType_Output, kAudioUnitSubType_GenericOutput}, {kAudioUnitType_Output, kAudioUnitSubType_GenericOutput},
      {kAudioUnitType_Mixer, kAudioUnitSubType_MultiChannelMixer}, {kAudioUnitType_Effect, kAudioUnitSubType_NBandEQ},
      {kAudioUnitType_Effect, kAudioUnitSubType_LowPassFilter}, {kAudioUnitType_Effect, kAudioUnitSubType_AUiPodEQ},
      {kAudioUnitType_FormatConverter, kAudioUnitSubType_AUConverter},
      {kAudioUnitType_Generator, kAudioUnitSubType_AudioFilePlayer}, {kAudioUnitType_Output, kAudioUnitSubType_HALOutput},
      {kAudioUnitType_Output, kAudioUnitSubType_RemoteIO}, {kAudioUnitType_Output, kAudioUnitSubType_DefaultOutput}};
  const UInt32 *type = types[roll(fuzz, sizeof(types) / sizeof(types[0]))];
  AudioComponentDescription description = {type[0], type[1], kAudioUnitManufacturer_Apple, 0, 0};
  // The component of component.h.
  if (one_in(fuzz, 12)) description = (AudioComponentDescription){kAudioUnitType_Effect, 'pass', 'Fuzz', 0, 0};
  if (one_in(fuzz, 16)) ((UInt32 *)&description)[roll(fuzz, 5)] = draw_number(fuzz);
  return description;
}

static void *draw_description(Fuzz *fuzz) {
  if (one_in(fuzz, 24)) return NULL;
  AudioComponentDescription *description = (AudioComponentDescription *)chunk(fuzz);
  *description = a_description(fuzz);
  return description;
}

static void *draw_layout(Fuzz *fuzz) {
  static const UInt32 tags[] = {
      kAudioChannelLayoutTag_Mono, kAudioChannelLayoutTag_Stereo, kAudioChannelLayoutTag_MPEG_5_1_A,
      kAudioChannelLayoutTag_UseChannelDescriptions, kAudioChannelLayoutTag_UseChannelBitmap};
  if (one_in(fuzz, 4)) return NULL;
  AudioChannelLayout *layout = memset(chunk(fuzz), 0, 4096);
  layout->mChannelLayoutTag = one_in(fuzz, 8) ? draw_number(fuzz) : ONE_OF(fuzz, tags);
  layout->mChannelBitmap = one_in(fuzz, 4) ? draw_number(fuzz) : 3;
  layout->mNumberChannelDescriptions = roll(fuzz, 9);
  for (UInt32 index = 0; index < layout->mNumberChannelDescriptions; ++index) {
    layout->mChannelDescriptions[index].mChannelLabel = draw_number(fuzz);
  }
  return layout;
}

static AudioUnitParameter a_parameter(Fuzz *fuzz) {
  AudioUnitParameter parameter = {draw_unit(fuzz), draw_parameter_id(fuzz), draw_scope(fuzz), draw_element(fuzz)};
  return parameter;
}

static void *draw_parameter(Fuzz *fuzz) {
  if (one_in(fuzz, 24)) return NULL;
  AudioUnitParameter *parameter = (AudioUnitParameter *)chunk(fuzz);
  *parameter = a_parameter(fuzz);
  return parameter;
}

static UInt32 draw_property_id(Fuzz *fuzz);

static void *draw_event(Fuzz *fuzz) {
  if (one_in(fuzz, 24)) return NULL;
  AudioUnitEvent *event = memset(chunk(fuzz), 0, sizeof(AudioUnitEvent));
  event->mEventType = one_in(fuzz, 16) ? draw_number(fuzz) : roll(fuzz, 4);
  event->mArgument.mParameter = a_parameter(fuzz);
  if (event->mEventType == kAudioUnitEvent_PropertyChange) event->mArgument.mProperty.mPropertyID = draw_property_id(fuzz);
  return event;
}

static void *draw_events(Fuzz *fuzz) {
  if (one_in(fuzz, 24)) return NULL;
  AudioUnitParameterEvent *events = (AudioUnitParameterEvent *)chunk(fuzz);
  for (int index = 0; index < 40; ++index) {
    AudioUnitParameterEvent *event = events + index;
    memset(event, 0, sizeof *event);
    event->scope = draw_scope(fuzz);
    event->element = draw_element(fuzz);
    event->parameter = draw_parameter_id(fuzz);
    event->eventType = one_in(fuzz, 32) ? draw_number(fuzz) : 1 + roll(fuzz, 2);
    if (event->eventType == kParameterEvent_Ramped) {
      event->eventValues.ramp.startBufferOffset = (SInt32)draw_frames(fuzz) - 100;
      event->eventValues.ramp.durationInFrames = draw_frames(fuzz);
      event->eventValues.ramp.startValue = (Float32)draw_value(fuzz);
      event->eventValues.ramp.endValue = (Float32)draw_value(fuzz);
    } else {
      event->eventValues.immediate.bufferOffset = draw_frames(fuzz);
      event->eventValues.immediate.value = (Float32)draw_value(fuzz);
    }
  }
  return events;
}

static void *draw_address(Fuzz *fuzz) {
  static const UInt32 selectors[] = {
      kAudioHardwarePropertyDevices, kAudioHardwarePropertyDefaultOutputDevice, kAudioDevicePropertyNominalSampleRate,
      kAudioDevicePropertyBufferFrameSize, kAudioDevicePropertyStreamConfiguration, kAudioDevicePropertyStreams,
      kAudioObjectPropertyName, kAudioDevicePropertyDeviceUID, kAudioDevicePropertyDeviceIsAlive,
      kAudioDevicePropertyStreamFormat, kAudioDevicePropertyAvailableNominalSampleRates};
  static const UInt32 scopes[] = {
      kAudioObjectPropertyScopeGlobal, kAudioObjectPropertyScopeInput, kAudioObjectPropertyScopeOutput};
  if (one_in(fuzz, 24)) return NULL;
  AudioObjectPropertyAddress *address = (AudioObjectPropertyAddress *)chunk(fuzz);
  address->mSelector = one_in(fuzz, 8) ? draw_number(fuzz) : ONE_OF(fuzz, selectors);
  address->mScope = one_in(fuzz, 8) ? draw_number(fuzz) : ONE_OF(fuzz, scopes);
  address->mElement = draw_element(fuzz);
  return address;
}
