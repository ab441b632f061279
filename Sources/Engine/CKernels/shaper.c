// Runs on the render thread: no allocation, no lock. Elementwise, for the compiler to take as many frames at once as
// the machine can.
#include "shaper.h"

#include "variants.h"

#pragma STDC FP_CONTRACT OFF

INLINE void polynomial(
    float *restrict samples, const float *restrict linear, const float *restrict squared, const float *restrict cubic,
    const float *restrict mix, const float *restrict former, const float *restrict means, float part, ptrdiff_t frames) {
  for (ptrdiff_t n = 0; n < frames; n++) {
    const float x = samples[n], square = x * x;
    float sum = linear[n] * x + cubic[n] * (square * x);
    if (means) sum += squared[n] * (square - (former[n] + (means[n] - former[n]) * part));
    samples[n] = (1 - mix[n]) * x + mix[n] * sum;
  }
}

KERNEL(
    void, shaper_polynomial, polynomial,
    (float *samples, const float *linear, const float *squared, const float *cubic, const float *mix, const float *former,
     const float *means, float part, ptrdiff_t frames),
    (samples, linear, squared, cubic, mix, former, means, part, frames))

INLINE void modulate(
    float *restrict samples, shaper_oscillator one, shaper_oscillator other, const float *restrict balance,
    const float *restrict mix, ptrdiff_t frames) {
  for (ptrdiff_t n = 0; n < frames; n++) {
    const float x = samples[n];
    const float first = one.sines[n] * one.cosine + one.cosines[n] * one.sine;
    const float second = other.sines[n] * other.cosine + other.cosines[n] * other.sine;
    const float ring = (1 - balance[n]) * first + balance[n] * second;
    samples[n] = (1 - mix[n]) * x + mix[n] * (x * ring);
  }
}

KERNEL(
    void, shaper_modulate, modulate,
    (float *samples, shaper_oscillator one, shaper_oscillator other, const float *balance, const float *mix,
     ptrdiff_t frames),
    (samples, one, other, balance, mix, frames))

INLINE void clip(float *restrict samples, const float *restrict gain, ptrdiff_t frames) {
  for (ptrdiff_t n = 0; n < frames; n++) {
    float u = gain[n] * samples[n];
    u = u < -3 ? -3 : u;
    u = u > 3 ? 3 : u;
    const float square = u * u;
    samples[n] = u * (27 + square) / (27 + 9 * square);
  }
}

KERNEL(void, shaper_clip, clip, (float *samples, const float *gain, ptrdiff_t frames), (samples, gain, frames))

INLINE void echo(
    const float *restrict input, float *restrict output, float *restrict write, const float *from, const float *to,
    const float *restrict share, const float *restrict feedback, const float *restrict mix, float most, ptrdiff_t frames) {
  for (ptrdiff_t n = 0; n < frames; n++) {
    float sound = input[n], heard = from[n];
    sound = sound < -most ? -most : sound;
    sound = sound > most ? most : sound;
    sound = sound != sound ? 0 : sound;
    if (share) heard += (to[n] - heard) * share[n];
    write[n] = sound + feedback[n] * heard;
    output[n] = (1 - mix[n]) * sound + mix[n] * heard;
  }
}

KERNEL(
    void, shaper_echo, echo,
    (const float *input, float *output, float *write, const float *from, const float *to, const float *share,
     const float *feedback, const float *mix, float most, ptrdiff_t frames),
    (input, output, write, from, to, share, feedback, mix, most, frames))
