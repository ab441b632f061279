#include <malloc.h>
#include <pthread.h>
#include <sys/mman.h>

#include "draw.h"

// MARK: Threads

// One for each thread that calls or is called, for as long as it lives.
static Fuzz fuzzes[MOST_THREADS];
static _Atomic(int) is_taken[MOST_THREADS];
static __thread Fuzz *present_fuzz;
static pthread_key_t ending;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static const FuzzObjects *_Atomic shared_objects;

static void set_up(Fuzz *fuzz, uint64_t seed) {
  fuzz->state = seed;
  fuzz->objects = atomic_load(&shared_objects);
  if (fuzz->memory == NULL) {
    // Not from the heap, whose growth is looked at.
    size_t chunks = (MOST_DEPTH + 2) * CHUNKS;
    fuzz->memory = mmap(
        NULL, (chunks + BUFFERS) * CHUNK_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (fuzz->memory == MAP_FAILED) abort();
    fuzz->sound = fuzz->memory + chunks * CHUNK_BYTES;
  }
  fuzz->depth = 0;
}

static void leave(void *fuzz) {
  atomic_store(&((Fuzz *)fuzz)->present, (const char *)NULL);
  atomic_store(&is_taken[(Fuzz *)fuzz - fuzzes], 0);
}

static void make_ending(void) { pthread_key_create(&ending, leave); }

// The state of the calling thread, which may be one of the library's own.
static Fuzz *mine(void) {
  if (present_fuzz != NULL) return present_fuzz;
  static _Atomic(uint64_t) arrivals;
  pthread_once(&once, make_ending);
  for (int number = 0; number < MOST_THREADS; ++number) {
    if (atomic_exchange(&is_taken[number], 1)) continue;
    set_up(&fuzzes[number], atomic_fetch_add(&arrivals, 1) * 7919 + 1);
    pthread_setspecific(ending, &fuzzes[number]);
    return present_fuzz = &fuzzes[number];
  }
  fprintf(stderr, "interface-fuzz: more than %d threads\n", MOST_THREADS);
  abort();
}

static void call_any(Fuzz *fuzz);

// The act of a callback beside its work: now and then it calls the interface itself.
static void meddle(Fuzz *fuzz) {
  if (fuzz->depth < MOST_DEPTH && one_in(fuzz, 12)) call_any(fuzz);
}

// MARK: Callbacks

static OSStatus render(void *context, AudioUnitRenderActionFlags *flags, const AudioTimeStamp *time, UInt32 bus,
                       UInt32 frames, AudioBufferList *data) {
  (void)context, (void)time, (void)bus, (void)frames;
  Fuzz *fuzz = mine();
  meddle(fuzz);
  if (flags != NULL && one_in(fuzz, 16)) *flags |= kAudioUnitRenderAction_OutputIsSilence;
  if (data != NULL && one_in(fuzz, 4)) {
    for (UInt32 index = 0; index < data->mNumberBuffers && index < BUFFERS; ++index) {
      AudioBuffer *buffer = &data->mBuffers[index];
      if (buffer->mDataByteSize > CHUNK_BYTES) continue;
      if (one_in(fuzz, 8)) buffer->mData = fuzz->sound + (size_t)index * CHUNK_BYTES;
      if (buffer->mData != NULL) memset(buffer->mData, 0, buffer->mDataByteSize);
    }
  }
  return one_in(fuzz, 64) ? (OSStatus)draw_number(fuzz) : noErr;
}

// A second one, so that registrations differ.
static OSStatus render_too(void *context, AudioUnitRenderActionFlags *flags, const AudioTimeStamp *time, UInt32 bus,
                           UInt32 frames, AudioBufferList *data) {
  return render(context, flags, time, bus, frames, data);
}

static AURenderCallback draw_AURenderCallback(Fuzz *fuzz) {
  return one_in(fuzz, 16) ? NULL : one_in(fuzz, 2) ? render : render_too;
}

static void *draw_callback(Fuzz *fuzz) {
  if (one_in(fuzz, 24)) return NULL;
  AURenderCallbackStruct *callback = (AURenderCallbackStruct *)chunk(fuzz);
  callback->inputProc = draw_AURenderCallback(fuzz);
  callback->inputProcRefCon = draw_context(fuzz);
  return callback;
}

static void unit_property(void *context, AudioUnit unit, AudioUnitPropertyID id, AudioUnitScope scope,
                          AudioUnitElement element) {
  (void)context, (void)unit, (void)id, (void)scope, (void)element;
  meddle(mine());
}
static AudioUnitPropertyListenerProc draw_AudioUnitPropertyListenerProc(Fuzz *fuzz) {
  return one_in(fuzz, 16) ? NULL : unit_property;
}

static void parameter_changed(void *context, void *object, const AudioUnitParameter *parameter, Float32 value) {
  (void)context, (void)object, (void)parameter, (void)value;
  meddle(mine());
}
static void sound_ended(SystemSoundID sound, void *context) {
  (void)sound, (void)context;
  meddle(mine());
}
static AudioServicesSystemSoundCompletionProc draw_AudioServicesSystemSoundCompletionProc(Fuzz *fuzz) {
  return one_in(fuzz, 16) ? NULL : sound_ended;
}

static AUParameterListenerProc draw_AUParameterListenerProc(Fuzz *fuzz) {
  return one_in(fuzz, 16) ? NULL : parameter_changed;
}

static void event_came(void *context, void *object, const AudioUnitEvent *event, UInt64 time, Float32 value) {
  (void)context, (void)object, (void)event, (void)time, (void)value;
  meddle(mine());
}
static AUEventListenerProc draw_AUEventListenerProc(Fuzz *fuzz) { return one_in(fuzz, 16) ? NULL : event_came; }

// Input that is never written to, whoever reads it and however long.
static const char delivered[CHUNK_BYTES];

static OSStatus give_packets(AudioConverterRef converter, UInt32 *packets, AudioBufferList *data,
                             AudioStreamPacketDescription **descriptions, void *context) {
  (void)converter, (void)descriptions, (void)context;
  Fuzz *fuzz = mine();
  meddle(fuzz);
  switch (roll(fuzz, 8)) {
    case 0: *packets = 0; return noErr;
    case 1: return (OSStatus)draw_number(fuzz);
    case 2: *packets = roll(fuzz, *packets + 1); return noErr;
    case 3:
      for (UInt32 index = 0; index < data->mNumberBuffers; ++index) {
        data->mBuffers[index].mData = (void *)delivered;
        data->mBuffers[index].mDataByteSize = CHUNK_BYTES;
      }
      *packets = roll(fuzz, 64);
      return noErr;
    case 4: *packets = draw_number(fuzz); return noErr;
    default: return noErr;
  }
}
static AudioConverterComplexInputDataProc draw_AudioConverterComplexInputDataProc(Fuzz *fuzz) {
  return one_in(fuzz, 24) ? NULL : give_packets;
}

static OSStatus give_bytes(AudioConverterRef converter, UInt32 *bytes, void **data, void *context) {
  (void)converter, (void)context;
  Fuzz *fuzz = mine();
  meddle(fuzz);
  *data = (void *)delivered;
  *bytes = roll(fuzz, CHUNK_BYTES);
  return one_in(fuzz, 16) ? (OSStatus)draw_number(fuzz) : noErr;
}
static AudioConverterInputDataProc draw_AudioConverterInputDataProc(Fuzz *fuzz) {
  return one_in(fuzz, 24) ? NULL : give_bytes;
}

// A file in memory, of the thread that asks: on another thread it has other bytes.
static __thread char file_bytes[1 << 16];
static __thread SInt64 file_length;

static OSStatus file_read(void *context, SInt64 position, UInt32 count, void *buffer, UInt32 *actual) {
  (void)context;
  Fuzz *fuzz = mine();
  meddle(fuzz);
  *actual = 0;
  if (position < 0 || position >= file_length) return noErr;
  SInt64 room = file_length - position;
  *actual = (UInt32)(count < room ? count : room);
  memcpy(buffer, file_bytes + position, *actual);
  if (one_in(fuzz, 64) && *actual > 0) *actual = roll(fuzz, *actual);
  return one_in(fuzz, 256) ? (OSStatus)draw_number(fuzz) : noErr;
}
static OSStatus file_write(void *context, SInt64 position, UInt32 count, const void *buffer, UInt32 *actual) {
  (void)context;
  Fuzz *fuzz = mine();
  meddle(fuzz);
  *actual = 0;
  if (position < 0 || position + count > (SInt64)sizeof file_bytes) return (OSStatus)-34;
  memcpy(file_bytes + position, buffer, count);
  if (file_length < position + count) file_length = position + count;
  *actual = count;
  return one_in(fuzz, 256) ? (OSStatus)draw_number(fuzz) : noErr;
}
static SInt64 file_size(void *context) {
  (void)context;
  Fuzz *fuzz = mine();
  meddle(fuzz);
  return one_in(fuzz, 64) ? draw_position(fuzz) : file_length;
}
static OSStatus file_resize(void *context, SInt64 size) {
  (void)context;
  meddle(mine());
  if (size < 0 || size > (SInt64)sizeof file_bytes) return (OSStatus)-34;
  file_length = size;
  return noErr;
}
static AudioFile_ReadProc draw_AudioFile_ReadProc(Fuzz *fuzz) { return one_in(fuzz, 24) ? NULL : file_read; }
static AudioFile_WriteProc draw_AudioFile_WriteProc(Fuzz *fuzz) { return one_in(fuzz, 8) ? NULL : file_write; }
static AudioFile_GetSizeProc draw_AudioFile_GetSizeProc(Fuzz *fuzz) { return one_in(fuzz, 24) ? NULL : file_size; }
static AudioFile_SetSizeProc draw_AudioFile_SetSizeProc(Fuzz *fuzz) { return one_in(fuzz, 8) ? NULL : file_resize; }

static OSStatus device_io(AudioObjectID device, const AudioTimeStamp *now, const AudioBufferList *input,
                          const AudioTimeStamp *inputTime, AudioBufferList *output, const AudioTimeStamp *outputTime,
                          void *context) {
  (void)device, (void)now, (void)input, (void)inputTime, (void)output, (void)outputTime, (void)context;
  meddle(mine());
  return noErr;
}
static AudioDeviceIOProc draw_AudioDeviceIOProc(Fuzz *fuzz) { return one_in(fuzz, 16) ? NULL : device_io; }
static AudioDeviceIOProcID draw_AudioDeviceIOProcID(Fuzz *fuzz) { return one_in(fuzz, 4) ? NULL : device_io; }

static OSStatus object_property(AudioObjectID object, UInt32 count, const AudioObjectPropertyAddress *addresses,
                                void *context) {
  (void)object, (void)count, (void)addresses, (void)context;
  meddle(mine());
  return noErr;
}
static AudioObjectPropertyListenerProc draw_AudioObjectPropertyListenerProc(Fuzz *fuzz) {
  return one_in(fuzz, 16) ? NULL : object_property;
}
static OSStatus hardware_property(AudioHardwarePropertyID id, void *context) {
  (void)id, (void)context;
  meddle(mine());
  return noErr;
}
static AudioHardwarePropertyListenerProc draw_AudioHardwarePropertyListenerProc(Fuzz *fuzz) {
  return one_in(fuzz, 16) ? NULL : hardware_property;
}
static OSStatus device_property(AudioDeviceID device, UInt32 channel, Boolean isInput, AudioDevicePropertyID id,
                                void *context) {
  (void)device, (void)channel, (void)isInput, (void)id, (void)context;
  meddle(mine());
  return noErr;
}
static AudioDevicePropertyListenerProc draw_AudioDevicePropertyListenerProc(Fuzz *fuzz) {
  return one_in(fuzz, 16) ? NULL : device_property;
}
static void session_property(void *context, AudioSessionPropertyID id, UInt32 size, const void *data) {
  (void)context, (void)id, (void)size, (void)data;
  meddle(mine());
}
static AudioSessionPropertyListener draw_AudioSessionPropertyListener(Fuzz *fuzz) {
  return one_in(fuzz, 16) ? NULL : session_property;
}
static void interrupted(void *context, UInt32 state) {
  (void)context, (void)state;
  meddle(mine());
}
static AudioSessionInterruptionListener draw_AudioSessionInterruptionListener(Fuzz *fuzz) {
  return one_in(fuzz, 4) ? NULL : interrupted;
}

static void region_done(void *context, ScheduledAudioFileRegion *region, OSStatus result) {
  (void)context, (void)region, (void)result;
  meddle(mine());
}

#include "component.h"
#include "property_values.h"
#include "unit_calls.h"
#include "file_calls.h"
#include "service_calls.h"
#include "component_calls.h"
#include "queue_calls.h"
#include "stream_calls.h"
#include "programs.h"
#include "every_call.h"

// MARK: Running

enum { CALLS = sizeof(calls) / sizeof(calls[0]) };
static _Atomic(uint64_t) tallies[CALLS];
static _Atomic(uint64_t) successes[CALLS];

// The functions that programs call most, a few of 169: they need many calls for a useful state.
static const char *const frequent[] = {
    "AudioUnitSetProperty", "AudioUnitGetProperty", "AudioUnitInitialize", "AudioUnitRender", "AUGraphConnectNodeInput",
    "AudioConverterFillComplexBuffer", "ExtAudioFileRead", "ExtAudioFileWrite", "ExtAudioFileSetProperty",
    "AUGraphInitialize", "AUGraphUpdate", "AudioComponentInstanceNew", "AUGraphOpen", "AUGraphAddNode",
    "AudioQueueStart", "AudioQueueEnqueueBuffer", "AudioQueueOfflineRender", "AudioFileStreamParseBytes"};
static size_t frequent_calls[sizeof(frequent) / sizeof(frequent[0])];

static void call_any(Fuzz *fuzz) {
  size_t index = one_in(fuzz, 3) ? ONE_OF(fuzz, frequent_calls) : roll(fuzz, CALLS);
  const char *outer = atomic_load(&fuzz->present);
  atomic_store(&fuzz->present, calls[index].name);
  atomic_fetch_add(&tallies[index], 1);
  _Atomic(uint64_t) *outer_successes = fuzz->successes;
  fuzz->successes = &successes[index];
  fuzz->depth++;
  calls[index].call(fuzz);
  fuzz->depth--;
  fuzz->successes = outer_successes;
  atomic_store(&fuzz->present, outer);
}

static void prepare(void) {
  register_passing();
  for (size_t row = 0; row < sizeof(frequent) / sizeof(frequent[0]); ++row) {
    for (size_t index = 0; index < CALLS; ++index) {
      if (strcmp(calls[index].name, frequent[row]) == 0) frequent_calls[row] = index;
    }
  }
}

void fuzz_run(uint64_t seed, uint64_t count, const FuzzObjects *objects) {
  static pthread_once_t prepared = PTHREAD_ONCE_INIT;
  atomic_store(&shared_objects, objects);
  pthread_once(&prepared, prepare);
  AudioObjectPropertyAddress address = {
      kAudioHardwarePropertyDefaultOutputDevice, kAudioObjectPropertyScopeGlobal, kAudioObjectPropertyElementMain};
  UInt32 device = 0, size = sizeof device;
  AudioObjectGetPropertyData(kAudioObjectSystemObject, &address, 0, NULL, &size, &device);
  atomic_store(&device_id, device);
  Fuzz *fuzz = mine();
  set_up(fuzz, seed);
  for (uint64_t index = 0; index < count; ++index) {
    if (index % 97 == 0) {
      AudioComponentDescription description = a_description(fuzz);
      AudioComponent component = AudioComponentFindNext(NULL, &description);
      keep(fuzz, COMPONENT, (uintptr_t)component);
    }
    if (index % 8 == 0) {
      fuzz->depth++;
      build_any(fuzz);
      fuzz->depth--;
    }
    call_any(fuzz);
  }
}

void fuzz_end(void) {
  const FuzzObjects *objects = atomic_load(&shared_objects);
  static const enum Kind order[] = {
      STREAM, QUEUE, TAP, EXTENDED, FILE_, PARAMETER_LISTENER, EVENT_LISTENER, CONVERTER, GRAPH, UNIT, OBJECT};
  for (size_t kind = 0; kind < sizeof(order) / sizeof(order[0]); ++kind) {
    for (size_t place = 0; place < PLACES; ++place) {
      end(order[kind], atomic_exchange(&pool[order[kind]][place], 0), objects);
    }
  }
}

size_t fuzz_heap_bytes(void) {
  struct mallinfo2 info = mallinfo2();
  return info.uordblks + info.hblkhd;
}

const char *fuzz_function(size_t index, uint64_t *count, uint64_t *succeeded) {
  if (index >= CALLS) return NULL;
  *count = atomic_load(&tallies[index]);
  *succeeded = atomic_load(&successes[index]);
  return calls[index].name;
}

const char *fuzz_present(size_t thread) {
  return thread < MOST_THREADS ? atomic_load(&fuzzes[thread].present) : NULL;
}

size_t fuzz_thread_count(void) { return MOST_THREADS; }
