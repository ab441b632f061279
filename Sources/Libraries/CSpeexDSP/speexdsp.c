#include "CSpeexDSP.h"

#include <COptionalLibrary.h>
#include <pthread.h>
#include <stdlib.h>

// The parts of the library's interface (libspeexdsp.so.1) that are used, by its numbers.
enum {
  preprocess_set_denoise = 0,
  preprocess_set_agc = 2,
  preprocess_set_agc_level = 6,
  preprocess_set_dereverb = 8,
  preprocess_set_noise_suppress = 18,
  preprocess_set_echo_suppress = 20,
  preprocess_set_echo_suppress_active = 22,
  preprocess_set_echo_state = 24,
  preprocess_set_agc_max_gain = 30,
  preprocess_get_prob = 45,
  echo_set_sampling_rate = 24,
};

// If the headers are installed, the numbers are checked against them.
#if __has_include(<speex/speex_echo.h>) && __has_include(<speex/speex_preprocess.h>)
#include <speex/speex_echo.h>
#include <speex/speex_preprocess.h>
_Static_assert(preprocess_set_denoise == SPEEX_PREPROCESS_SET_DENOISE, "denoise");
_Static_assert(preprocess_set_agc == SPEEX_PREPROCESS_SET_AGC, "agc");
_Static_assert(preprocess_set_agc_level == SPEEX_PREPROCESS_SET_AGC_LEVEL, "agc level");
_Static_assert(preprocess_set_dereverb == SPEEX_PREPROCESS_SET_DEREVERB, "dereverb");
_Static_assert(preprocess_set_noise_suppress == SPEEX_PREPROCESS_SET_NOISE_SUPPRESS, "noise suppress");
_Static_assert(preprocess_set_echo_suppress == SPEEX_PREPROCESS_SET_ECHO_SUPPRESS, "echo suppress");
_Static_assert(preprocess_set_echo_suppress_active == SPEEX_PREPROCESS_SET_ECHO_SUPPRESS_ACTIVE, "active");
_Static_assert(preprocess_set_echo_state == SPEEX_PREPROCESS_SET_ECHO_STATE, "echo state");
_Static_assert(preprocess_set_agc_max_gain == SPEEX_PREPROCESS_SET_AGC_MAX_GAIN, "max gain");
_Static_assert(preprocess_get_prob == SPEEX_PREPROCESS_GET_PROB, "probability");
_Static_assert(echo_set_sampling_rate == SPEEX_ECHO_SET_SAMPLING_RATE, "rate");
#endif

struct speexdsp_voice {
  void *echo;
  void *preprocess;
};

static struct {
  void *(*echo_init)(int frame, int tail);
  void (*echo_destroy)(void *echo);
  int (*echo_control)(void *echo, int request, void *value);
  void (*cancel)(void *echo, const int16_t *microphone, const int16_t *played, int16_t *output);
  void *(*preprocess_init)(int frame, int rate);
  void (*preprocess_destroy)(void *preprocess);
  int (*preprocess_control)(void *preprocess, int request, void *value);
  int (*preprocess_run)(void *preprocess, int16_t *samples);
  bool is_there;
} library;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void load(void) {
  const optional_function functions[] = {
      {"speex_echo_state_init", (void **)&library.echo_init},
      {"speex_echo_state_destroy", (void **)&library.echo_destroy},
      {"speex_echo_ctl", (void **)&library.echo_control},
      {"speex_echo_cancellation", (void **)&library.cancel},
      {"speex_preprocess_state_init", (void **)&library.preprocess_init},
      {"speex_preprocess_state_destroy", (void **)&library.preprocess_destroy},
      {"speex_preprocess_ctl", (void **)&library.preprocess_control},
      {"speex_preprocess_run", (void **)&library.preprocess_run},
  };
  library.is_there = optional_library_load("libspeexdsp.so.1", functions, sizeof(functions) / sizeof(*functions));
}

bool speexdsp_is_there(void) {
  pthread_once(&once, load);
  return library.is_there;
}

static void set(speexdsp_voice *voice, int request, int value) {
  library.preprocess_control(voice->preprocess, request, &value);
}

// dB that the suppressor takes from residual echo, without and with near end.
enum { suppress_far = -60, suppress_near = -3 };

speexdsp_voice *speexdsp_make(int rate, int frame, int tail) {
  if (!speexdsp_is_there()) { return NULL; }
  speexdsp_voice *voice = calloc(1, sizeof(*voice));
  if (voice == NULL) { return NULL; }
  voice->echo = library.echo_init(frame, tail);
  voice->preprocess = library.preprocess_init(frame, rate);
  if (voice->echo == NULL || voice->preprocess == NULL) {
    speexdsp_free(voice);
    return NULL;
  }
  // Four times the rate: its smoothing follows speech better then.
  int declared = 4 * rate;
  library.echo_control(voice->echo, echo_set_sampling_rate, &declared);
  library.preprocess_control(voice->preprocess, preprocess_set_echo_state, voice->echo);
  // Without it the suppressor of echo does nothing, and says nothing of that.
  set(voice, preprocess_set_denoise, 1);
  set(voice, preprocess_set_noise_suppress, 0);
  speexdsp_set_suppressor(voice, true);
  set(voice, preprocess_set_dereverb, 0);
  float level = rate > 24000 ? 14000 : 8000;
  library.preprocess_control(voice->preprocess, preprocess_set_agc_level, &level);
  set(voice, preprocess_set_agc_max_gain, 30);
  speexdsp_set_agc(voice, false);
  return voice;
}

void speexdsp_free(speexdsp_voice *voice) {
  if (voice == NULL) { return; }
  if (voice->preprocess != NULL) { library.preprocess_destroy(voice->preprocess); }
  if (voice->echo != NULL) { library.echo_destroy(voice->echo); }
  free(voice);
}

void speexdsp_set_agc(speexdsp_voice *voice, bool is_on) { set(voice, preprocess_set_agc, is_on); }

void speexdsp_set_suppressor(speexdsp_voice *voice, bool is_on) {
  set(voice, preprocess_set_echo_suppress, is_on ? suppress_far : 0);
  set(voice, preprocess_set_echo_suppress_active, is_on ? suppress_near : 0);
}

void speexdsp_process(speexdsp_voice *voice, const int16_t *microphone, const int16_t *played, int16_t *output) {
  library.cancel(voice->echo, microphone, played, output);
  library.preprocess_run(voice->preprocess, output);
}

int speexdsp_speech(speexdsp_voice *voice) {
  int percent = 0;
  library.preprocess_control(voice->preprocess, preprocess_get_prob, &percent);
  return percent;
}
