// The weights of a windowed sinc whose place and width may be others for every frame.
#ifndef CKERNELS_SINC_H
#define CKERNELS_SINC_H

#include <stddef.h>

enum { SINC_WINDOW_TERMS = 11 };

/// Finds weights, none of the operations fused:
///
///     u[k] = (first + k) * cutoff
///     taps[k] = cutoff * sin(pi * u[k]) / (pi * u[k]) * w(1 - (u[k] * reach)^2), 0 where the argument of w is below 0
///
/// u in double, the rest in float: within 3e-7 of the exact weights. The bits do not depend on the instruction set.
///
/// - count: a multiple of 16.
/// - window: a polynomial for w, from the constant term up.
/// - reach: one over the zero crossings to either side.
void sinc_taps(
    float *_Nonnull taps, ptrdiff_t count, double first, double cutoff, double reach,
    const float window[_Nonnull SINC_WINDOW_TERMS]);

/// The sum for a frame of each channel: for each of 16 lanes the products of weights and samples, in order, summed in
/// float; the lanes' sums in double, halves onto halves.
///
///     output[channel][frame] = sum over k of taps[k] * input[channel][start + k]
///
/// - count: a multiple of 16.
void sinc_sum(
    const float *_Nonnull taps, ptrdiff_t count, float *_Nonnull const *_Nonnull input, ptrdiff_t start,
    float *_Nonnull const *_Nonnull output, ptrdiff_t frame, ptrdiff_t channels);

/// The same with weights that are quadratics of how far on a place is between two rows.
///
///     taps[k] = row[k] + step * (slope[k] + step * bend[k])
///
/// - row: blocks of 16 values, 16 slopes and 16 bends.
void sinc_sum_between(
    const float *_Nonnull row, float step, ptrdiff_t count, float *_Nonnull const *_Nonnull input, ptrdiff_t start,
    float *_Nonnull const *_Nonnull output, ptrdiff_t frame, ptrdiff_t channels);

#endif
