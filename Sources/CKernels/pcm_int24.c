// Interleaved stereo of packed little-endian 24-bit samples to two planes, four frames at a time.
// The commonest format of studio files, and three bytes to a sample are what compilers do not vectorise. The values are
// those of ckpcm_decode_f32: a 24-bit integer is exact in float, and so is its division by a power of two.

#include "CKernelsPCM.h"
#include "instruction_set.h"

#if defined(__x86_64__)
#include <immintrin.h>

__attribute__((target("ssse3"))) static size_t decode_ssse3(
    const uint8_t *p, float *left, float *right, size_t frames) {
  // Two frames of 12 bytes: each sample to the top three bytes of a 32-bit word, left ones first.
  const __m128i spread = _mm_setr_epi8(-1, 0, 1, 2, -1, 6, 7, 8, -1, 3, 4, 5, -1, 9, 10, 11);
  const __m128 scale = _mm_set1_ps(0x1p-31f);
  size_t done = 0;
  // The second load reads 28 bytes from the first frame on: stay a frame clear of the end.
  for (; done + 5 <= frames; done += 4, p += 24) {
    __m128i first = _mm_shuffle_epi8(_mm_loadu_si128((const __m128i *)(const void *)p), spread);
    __m128i second = _mm_shuffle_epi8(_mm_loadu_si128((const __m128i *)(const void *)(p + 12)), spread);
    _mm_storeu_ps(left + done, _mm_mul_ps(_mm_cvtepi32_ps(_mm_unpacklo_epi64(first, second)), scale));
    _mm_storeu_ps(right + done, _mm_mul_ps(_mm_cvtepi32_ps(_mm_unpackhi_epi64(first, second)), scale));
  }
  return done;
}
#endif

size_t ckpcm_decode_stereo_int24(const void *source, float *left, float *right, size_t frames) {
#if defined(__x86_64__)
  if (kernels_active_instruction_set() >= KERNELS_AVX2) return decode_ssse3(source, left, right, frames);
#endif
  (void)source, (void)left, (void)right, (void)frames;
  return 0;
}
