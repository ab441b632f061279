// A filter of finite impulse response over one plane of Float32.
#ifndef CKERNELS_FIR_H
#define CKERNELS_FIR_H

#include <stddef.h>

/// Computes frames of a filter, none of the operations fused:
///
///     output[n] = sum over k, from 0 up, of taps[k] * input[n - k], each product and each sum rounded to float
///
/// The bits do not depend on the instruction set, nor on how a stream is cut into calls.
///
/// - input: its first frame; `tap_count - 1` frames lie before it.
/// - output: overlaps no input.
void fir_process(
    const float *_Nonnull taps, ptrdiff_t tap_count, const float *_Nonnull input, float *_Nonnull output, ptrdiff_t frames);

#endif
