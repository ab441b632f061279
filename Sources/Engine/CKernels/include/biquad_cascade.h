// A cascade of second-order sections over planar Float32, everything between input and output in double.
#ifndef CKERNELS_BIQUAD_CASCADE_H
#define CKERNELS_BIQUAD_CASCADE_H

#include <stddef.h>

/// H(z) = (b0 + b1 z^-1 + b2 z^-2) / (1 + a1 z^-1 + a2 z^-2).
typedef struct {
  double b0, b1, b2, a1, a2;
} biquad_coefficients;

/// The memory of one section of one channel: what the next frame adds, and the one after it.
typedef struct {
  double s1, s2;
} biquad_state;

/// Filters `frames` frames of `channel_count` channels through `section_count` sections, each in transposed direct
/// form II, in exactly these operations, each rounded to double, none fused:
///
///     y  = b0*x + s1
///     s1 = (b1*x + s2) - a1*y
///     s2 = b2*x - a2*y
///
/// and rounds `gain` times the last section's output to float. The bits do not depend on the instruction set, on how a
/// stream is cut into calls, or on how many channels there are. With no section the output is `gain` times the input.
///
/// - sections: the same for all channels.
/// - state: section s of channel c lies at `state[c * state_stride + s]`.
/// - input, output: a plane for each channel; `offset` frames of both are skipped. An output plane is the input plane
///   of the same channel, or overlaps no input plane.
void biquad_cascade_process(
    const biquad_coefficients *_Nonnull sections, ptrdiff_t section_count, biquad_state *_Nonnull state,
    ptrdiff_t state_stride, double gain, float *_Nonnull const *_Nonnull input, float *_Nonnull const *_Nonnull output,
    ptrdiff_t channel_count, ptrdiff_t offset, ptrdiff_t frames);

#endif
