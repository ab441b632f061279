// The time stretcher and pitch shifter of SoundTouch (LGPL), which is looked for when it is first asked for: where it
// is not there, everything else works.
#ifndef CSOUNDTOUCH_H
#define CSOUNDTOUCH_H

#include <stdbool.h>

// True when libSoundTouchDll.so.1 is there, with all its functions.
bool timestretch_is_there(void);

// The library's version, as it gives it: "2.3.2". NULL where it is missing.
const char *timestretch_version(void);

typedef struct timestretch timestretch;

// - rate: hertz, 8000 to 192000: by it milliseconds become frames.
// - channels: 1 to 16.
// NULL where the library or memory is missing.
timestretch *timestretch_make(int rate, int channels);
void timestretch_free(timestretch *stretch);

// Back to the start, with the factors that are set: frame 0 of the output belongs to frame 0 of the input, but for what
// timestretch_late_frames says. Bit for bit the same, whatever came before.
void timestretch_restart(timestretch *stretch);

// Factors of speed and of frequency. They hold for what the library has not worked on yet. The library allocates where
// the pitch changes.
void timestretch_set(timestretch *stretch, float tempo, float pitch);

// Lengths in milliseconds of the pieces that the sound is cut into, of the stretch over which each is looked for, and
// of the crossfades. 0 leaves the first two to the library. May allocate.
void timestretch_set_lengths(timestretch *stretch, int sequence, int seek, int overlap);

// Output frames in front of the one that belongs to frame 0 of the input, for a stream that began with this pitch.
int timestretch_late_frames(timestretch *stretch, float pitch);

// Gives it interleaved frames. It allocates where it needs more room than it ever had.
void timestretch_put(timestretch *stretch, const float *samples, int frames);
// Takes interleaved frames, and returns how many there were.
int timestretch_take(timestretch *stretch, float *samples, int frames);

#endif
