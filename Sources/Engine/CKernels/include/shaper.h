// The functions of a distortion for single samples.
#ifndef CKERNELS_SHAPER_H
#define CKERNELS_SHAPER_H

#include <stddef.h>

// None of the operations is fused: the bits do not depend on the instruction set. No row overlaps another.

/// With x a sample, and m[n] = former[n] + (means[n] - former[n]) * part where there are means:
///
///     samples[n] = (1 - mix[n]) * x + mix[n] * (linear[n] * x + cubic[n] * (x * x * x) + squared[n] * (x * x - m[n]))
///
/// - former, means: null: without the square's term.
void shaper_polynomial(
    float *_Nonnull samples, const float *_Nonnull linear, const float *_Nonnull squared, const float *_Nonnull cubic,
    const float *_Nonnull mix, const float *_Nullable former, const float *_Nullable means, float part, ptrdiff_t frames);

/// An oscillator: sine and cosine at each frame, and those of the angle by which the samples are further on.
typedef struct {
  const float *_Nonnull sines;
  const float *_Nonnull cosines;
  float sine;
  float cosine;
} shaper_oscillator;

/// With r_i[n] = sines[n] * cosine + cosines[n] * sine of either oscillator:
///
///     samples[n] = (1 - mix[n]) * x + mix[n] * (x * ((1 - balance[n]) * r_1[n] + balance[n] * r_2[n]))
void shaper_modulate(
    float *_Nonnull samples, shaper_oscillator one, shaper_oscillator other, const float *_Nonnull balance,
    const float *_Nonnull mix, ptrdiff_t frames);

/// samples[n] = u * (27 + u * u) / (27 + 9 * u * u) with u = gain[n] * x, cut at −3 and 3.
void shaper_clip(float *_Nonnull samples, const float *_Nonnull gain, ptrdiff_t frames);

/// An echo that comes back: heard = from[n] + (to[n] - from[n]) * share[n], or from[n] where share is null, and
///
///     write[n] = input[n] + feedback[n] * heard
///     output[n] = (1 - mix[n]) * input[n] + mix[n] * heard
///
/// Inputs beyond −most and most count as these, NaN as 0.
void shaper_echo(
    const float *_Nonnull input, float *_Nonnull output, float *_Nonnull write, const float *_Nonnull from,
    const float *_Nonnull to, const float *_Nullable share, const float *_Nonnull feedback, const float *_Nonnull mix,
    float most, ptrdiff_t frames);

#endif
