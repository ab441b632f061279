// Levels of float planes.
#ifndef CKERNELS_LEVELS_H
#define CKERNELS_LEVELS_H
#include <stddef.h>
#include <stdint.h>

/// The largest magnitude of `count` samples; 0 for none. A NaN anywhere makes the result NaN.
float levels_absolute_peak(const float *in, size_t count);

#endif
