// A sine of any phases.
#ifndef CKERNELS_SINE_H
#define CKERNELS_SINE_H

#include <stddef.h>

/// Finds sines, none of the operations fused, in double up to the last rounding:
///
///     output[n] = gains[n] * sin(2 * pi * turns[n])
///
/// The sine is within 1e-15 of the exact one. The bits do not depend on the instruction set.
///
/// - turns: −2^50 to 2^50.
void sine_process(
    const double *_Nonnull turns, const double *_Nonnull gains, float *_Nonnull output, ptrdiff_t frames);

#endif
