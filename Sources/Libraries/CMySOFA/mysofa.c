#include "CMySOFA.h"

#include <COptionalLibrary.h>
#include <pthread.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

// The parts of the library's interface (libmysofa.so.1) that are used: a file as it lies in memory.
struct array {
  float *values;
  unsigned elements;
  void *attributes;
};
struct responses {
  unsigned i, c, r, e, n, m;
  struct array listener_position, receiver_position, source_position, emitter_position, listener_up, listener_view;
  struct array impulse_responses, sample_rate, delay;
};

// If the header is installed, the offsets are checked against it.
#if __has_include(<mysofa.h>)
#include <mysofa.h>
#define SAME(mine, theirs) \
  _Static_assert(offsetof(struct responses, mine) == offsetof(struct MYSOFA_HRTF, theirs), #theirs)
SAME(r, R);
SAME(n, N);
SAME(m, M);
SAME(source_position, SourcePosition);
SAME(impulse_responses, DataIR);
SAME(sample_rate, DataSamplingRate);
SAME(delay, DataDelay);
_Static_assert(offsetof(struct array, elements) == offsetof(struct MYSOFA_ARRAY, elements), "elements");
#endif

static struct {
  struct responses *(*load)(const char *path, int *error);
  int (*check)(struct responses *);
  void (*to_spherical)(struct responses *);
  int (*resample)(struct responses *, float rate);
  void (*free)(struct responses *);
  bool is_there;
} library;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void load_library(void) {
  const optional_function functions[] = {
      {"mysofa_load", (void **)&library.load},
      {"mysofa_check", (void **)&library.check},
      {"mysofa_tospherical", (void **)&library.to_spherical},
      {"mysofa_resample", (void **)&library.resample},
      {"mysofa_free", (void **)&library.free},
  };
  library.is_there = optional_library_load("libmysofa.so.1", functions, sizeof(functions) / sizeof(*functions));
}

bool mysofa_is_there(void) {
  pthread_once(&once, load_library);
  return library.is_there;
}

static float *copy(const float *values, size_t count) {
  float *copied = malloc((count > 0 ? count : 1) * sizeof(float));
  if (copied != NULL) { memcpy(copied, values, count * sizeof(float)); }
  return copied;
}

// Delays stand once for all directions, or for each.
static float *copy_delays(const struct responses *file, size_t directions) {
  float *delays = calloc(2 * directions, sizeof(float));
  if (delays == NULL) { return NULL; }
  for (size_t place = 0; place < 2 * directions; ++place) {
    if (file->delay.elements == 2 * directions) { delays[place] = file->delay.values[place]; }
    if (file->delay.elements == 2) { delays[place] = file->delay.values[place % 2]; }
  }
  return delays;
}

// Before anything is converted: a low rate makes many taps of few.
static bool has_fit_rate(const struct responses *file, float sample_rate) {
  if (file->sample_rate.elements < 1 || file->sample_rate.values == NULL) { return false; }
  const double rate = file->sample_rate.values[0];
  if (!(rate >= 1000 && rate <= 3e6)) { return false; }
  const double taps = file->n * (sample_rate / rate);
  return taps <= 1 << 22 && 2.0 * file->m * taps <= 1 << 27;
}

mysofa_set_status mysofa_set_load(const char *path, float sample_rate, mysofa_set *set) {
  memset(set, 0, sizeof(*set));
  if (!mysofa_is_there()) { return MYSOFA_SET_NO_LIBRARY; }
  int error = 0;
  struct responses *file = library.load(path, &error);
  if (file == NULL) { return MYSOFA_SET_UNREADABLE; }
  mysofa_set_status status = MYSOFA_SET_OTHER;
  if (library.check(file) == 0 && file->r == 2 && file->e == 1 && file->m > 0 && file->m <= 100000 && file->n > 0 &&
      file->n <= 65536) {
    library.to_spherical(file);
    const size_t directions = file->m;
    if (!has_fit_rate(file, sample_rate)) {
      status = MYSOFA_SET_RATE;
    } else if (library.resample(file, sample_rate) != 0) {
      status = MYSOFA_SET_CONVERSION;
    } else if (file->n > 0 && file->source_position.elements >= 3 * directions &&
        file->impulse_responses.elements >= 2 * directions * file->n) {
      set->directions = (int)directions;
      set->taps = (int)file->n;
      set->positions = copy(file->source_position.values, 3 * directions);
      set->responses = copy(file->impulse_responses.values, 2 * directions * file->n);
      set->delays = copy_delays(file, directions);
      const bool is_whole = set->positions != NULL && set->responses != NULL && set->delays != NULL;
      status = is_whole ? MYSOFA_SET_OK : MYSOFA_SET_NO_MEMORY;
      if (!is_whole) { mysofa_set_free(set); }
    }
  }
  library.free(file);
  return status;
}

void mysofa_set_free(mysofa_set *set) {
  free(set->positions);
  free(set->responses);
  free(set->delays);
  memset(set, 0, sizeof(*set));
}
