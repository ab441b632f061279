// Linear PCM in memory <-> float and double samples. One law for every layout; see pcm.c.
#ifndef CKERNELS_PCM_H
#define CKERNELS_PCM_H

#include <stddef.h>
#include <stdint.h>

// The layout of one sample in memory. Little-endian unless `big_endian`; `high` puts the valid bits at the container's
// top.
struct ckpcm_layout {
  uint8_t is_float;
  uint8_t is_unsigned;
  uint8_t bits;            // 1 to 32 for integers, 32 or 64 for floats
  uint8_t bytes;           // 1 to 4 for integers, 4 or 8 for floats
  uint8_t big_endian;
  uint8_t high;
  uint8_t scale_exponent;  // 1.0 is 2^scale_exponent
};

// `stride` is the distance in bytes from one sample of the channel to its next.
void ckpcm_decode_f32(struct ckpcm_layout layout, const void *source, ptrdiff_t stride, float *out, size_t count);
void ckpcm_decode_f64(struct ckpcm_layout layout, const void *source, ptrdiff_t stride, double *out, size_t count);

// `dither` is null, or `count` values in steps of the integer (ignored for floats). Returns how many samples were
// changed: clipped, infinite, or NaN, which is written as 0. PCMCodec takes off those that are not finite.
size_t ckpcm_encode_f32(
  struct ckpcm_layout layout, const float *source, const double *dither, void *out, ptrdiff_t stride, size_t count);
size_t ckpcm_encode_f64(
  struct ckpcm_layout layout, const double *source, const double *dither, void *out, ptrdiff_t stride, size_t count);

// Triangular noise in (-1, 1): a pure function of the key and the number of the frame.
void ckpcm_dither(uint64_t key, int64_t first_frame, double *out, size_t count);

// Bounds a float to [-1, 1] in place of what a lossy codec cannot take; NaN becomes 0. Returns how many finite ones
// were changed.
size_t ckpcm_bound(float *samples, size_t count);

/// Decodes as many of `frames` frames of interleaved stereo, 24 bits little-endian packed, as go by fours, and returns
/// how many (0 where the machine has no kernel for it); the caller decodes the rest. Same values as ckpcm_decode_f32.
size_t ckpcm_decode_stereo_int24(const void *source, float *left, float *right, size_t frames);

/// The same of 16 bits.
size_t ckpcm_decode_stereo_int16(const void *source, float *left, float *right, size_t frames);

/// Encodes as many of `frames` frames to interleaved stereo, 24 bits little-endian packed, as go by fours, and returns
/// how many (0 where the machine has no kernel for it); the caller encodes the rest. Same values as ckpcm_encode_f32;
/// adds to `clipped`.
size_t ckpcm_encode_stereo_int24(
  const float *left, const float *right, void *out, size_t frames, size_t *clipped);

/// The same to 16 bits.
size_t ckpcm_encode_stereo_int16(
  const float *left, const float *right, void *out, size_t frames, size_t *clipped);

#endif
