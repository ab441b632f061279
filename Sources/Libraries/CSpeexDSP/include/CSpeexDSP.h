// The echo canceller and the preprocessor of libspeexdsp, which is looked for when it is first asked for: where it is
// not there, everything else works.
#ifndef CSPEEXDSP_H
#define CSPEEXDSP_H

#include <stdbool.h>
#include <stdint.h>

// True when libspeexdsp.so.1 is there, with all its functions.
bool speexdsp_is_there(void);

// An echo canceller and the suppressor behind it, for one channel.
typedef struct speexdsp_voice speexdsp_voice;

// - frame: samples of each call of speexdsp_process, constant.
// - tail: samples of the longest echo.
// NULL where the library or memory is missing.
speexdsp_voice *speexdsp_make(int rate, int frame, int tail);
void speexdsp_free(speexdsp_voice *voice);

// Automatic gain control; off at first. Allocates nothing.
void speexdsp_set_agc(speexdsp_voice *voice, bool is_on);

// Suppresses what the canceller leaves of the echo; on at first. It delays by a frame, which being off does not take
// away.
void speexdsp_set_suppressor(speexdsp_voice *voice, bool is_on);

// Takes a frame of the microphone and of what was played, and gives what is left. Allocates nothing.
void speexdsp_process(speexdsp_voice *voice, const int16_t *microphone, const int16_t *played, int16_t *output);

// The probability of speech in the last frame of speexdsp_process, percent. Allocates nothing.
int speexdsp_speech(speexdsp_voice *voice);

#endif
