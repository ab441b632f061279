#include "CSoundTouch.h"

#include <COptionalLibrary.h>
#include <math.h>
#include <pthread.h>
#include <stddef.h>
#include <stdlib.h>

// The settings of the library that are used, by their numbers in SoundTouch.h, which is C++.
enum {
  setting_aa_filter_length = 1,
  setting_sequence = 3,
  setting_seek_window = 4,
  setting_overlap = 5,
};

struct timestretch {
  void *handle;
};

static struct {
  void *(*create)(void);
  void (*destroy)(void *);
  const char *(*version)(void);
  void (*set_tempo)(void *, float);
  void (*set_pitch)(void *, float);
  int (*set_channels)(void *, unsigned int);
  int (*set_sample_rate)(void *, unsigned int);
  int (*put_samples)(void *, const float *, unsigned int);
  unsigned int (*receive_samples)(void *, float *, unsigned int);
  void (*clear)(void *);
  int (*set_setting)(void *, int, int);
  int (*get_setting)(void *, int);
  bool is_there;
} library;
static pthread_once_t once = PTHREAD_ONCE_INIT;

// If the header is installed, the types of the functions are checked against it.
#if __has_include(<SoundTouchDLL.h>)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wstrict-prototypes"
#include <SoundTouchDLL.h>
#pragma clang diagnostic pop
#define IS_OF_TYPE(function, type) \
  _Static_assert(__builtin_types_compatible_p(__typeof__(&function), type), #function)
IS_OF_TYPE(soundtouch_destroyInstance, void (*)(void *));
IS_OF_TYPE(soundtouch_setTempo, void (*)(void *, float));
IS_OF_TYPE(soundtouch_setPitch, void (*)(void *, float));
IS_OF_TYPE(soundtouch_setChannels, int (*)(void *, unsigned int));
IS_OF_TYPE(soundtouch_setSampleRate, int (*)(void *, unsigned int));
IS_OF_TYPE(soundtouch_putSamples, int (*)(void *, const float *, unsigned int));
IS_OF_TYPE(soundtouch_receiveSamples, unsigned int (*)(void *, float *, unsigned int));
IS_OF_TYPE(soundtouch_clear, void (*)(void *));
IS_OF_TYPE(soundtouch_setSetting, int (*)(void *, int, int));
IS_OF_TYPE(soundtouch_getSetting, int (*)(void *, int));
#endif

static void load(void) {
  const optional_function functions[] = {
      {"soundtouch_createInstance", (void **)&library.create},
      {"soundtouch_destroyInstance", (void **)&library.destroy},
      {"soundtouch_getVersionString", (void **)&library.version},
      {"soundtouch_setTempo", (void **)&library.set_tempo},
      {"soundtouch_setPitch", (void **)&library.set_pitch},
      {"soundtouch_setChannels", (void **)&library.set_channels},
      {"soundtouch_setSampleRate", (void **)&library.set_sample_rate},
      {"soundtouch_putSamples", (void **)&library.put_samples},
      {"soundtouch_receiveSamples", (void **)&library.receive_samples},
      {"soundtouch_clear", (void **)&library.clear},
      {"soundtouch_setSetting", (void **)&library.set_setting},
      {"soundtouch_getSetting", (void **)&library.get_setting},
  };
  library.is_there = optional_library_load("libSoundTouchDll.so.1", functions, sizeof(functions) / sizeof(*functions));
}

bool timestretch_is_there(void) {
  pthread_once(&once, load);
  return library.is_there;
}

const char *timestretch_version(void) { return timestretch_is_there() ? library.version() : NULL; }

timestretch *timestretch_make(int rate, int channels) {
  // Outside of these the library throws.
  if (!timestretch_is_there() || rate < 8000 || rate > 192000 || channels < 1 || channels > 16) { return NULL; }
  timestretch *stretch = calloc(1, sizeof(*stretch));
  if (stretch == NULL) { return NULL; }
  stretch->handle = library.create();
  if (stretch->handle == NULL) {
    free(stretch);
    return NULL;
  }
  library.set_sample_rate(stretch->handle, (unsigned int)rate);
  library.set_channels(stretch->handle, (unsigned int)channels);
  timestretch_restart(stretch);
  return stretch;
}

void timestretch_free(timestretch *stretch) {
  if (stretch == NULL) { return; }
  library.destroy(stretch->handle);
  free(stretch);
}

// A new instance of 2.3.2 has the silence in front of its filter twice; one that was cleared has it once.
void timestretch_restart(timestretch *stretch) { library.clear(stretch->handle); }

void timestretch_set(timestretch *stretch, float tempo, float pitch) {
  library.set_tempo(stretch->handle, tempo);
  library.set_pitch(stretch->handle, pitch);
}

void timestretch_set_lengths(timestretch *stretch, int sequence, int seek, int overlap) {
  library.set_setting(stretch->handle, setting_sequence, sequence);
  library.set_setting(stretch->handle, setting_seek_window, seek);
  library.set_setting(stretch->handle, setting_overlap, overlap);
}

int timestretch_late_frames(timestretch *stretch, float pitch) {
  // Downward the filter stands behind the change of rate, and the silence in front of it is counted as if it stood
  // before.
  const double half = library.get_setting(stretch->handle, setting_aa_filter_length) / 2.0;
  return pitch < 1 ? (int)lround(half * (1 / (double)pitch - 1)) : 0;
}

void timestretch_put(timestretch *stretch, const float *samples, int frames) {
  library.put_samples(stretch->handle, samples, (unsigned int)frames);
}

int timestretch_take(timestretch *stretch, float *samples, int frames) {
  return (int)library.receive_samples(stretch->handle, samples, (unsigned int)frames);
}
