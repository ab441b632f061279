// The parts of a Welch spectrum beside its transforms: a third of its time with the vectors that every machine has.
// Runs on any thread: no allocation, no state.

#include "segments.h"
#include "instruction_set.h"

#pragma STDC FP_CONTRACT OFF
#define INLINE static inline __attribute__((always_inline))

#define DEFINE_WINDOW(NAME, SAMPLE)                                                                                \
  INLINE void NAME(const SAMPLE *restrict in, const double *restrict window, double *restrict out, size_t count) { \
    for (size_t i = 0; i < count; i++) out[i] = (double)in[i] * window[i];                                         \
  }
DEFINE_WINDOW(window_f32, float)
DEFINE_WINDOW(window_f64, double)

INLINE void add_squares(const double *restrict part, double *restrict sum, size_t count) {
  for (size_t i = 0; i < count; i++) sum[i] += part[i] * part[i];
}

#if defined(__x86_64__)
// Without FMA, which would round once where the others round twice.
#define AVX2 __attribute__((target("avx2"))) static void
AVX2 window_f32_avx2(const float *in, const double *window, double *out, size_t count) {
  window_f32(in, window, out, count);
}
AVX2 window_f64_avx2(const double *in, const double *window, double *out, size_t count) {
  window_f64(in, window, out, count);
}
AVX2 add_squares_avx2(const double *part, double *sum, size_t count) { add_squares(part, sum, count); }
#define BEST(NAME, ...) \
  if (kernels_active_instruction_set() >= KERNELS_AVX2) { NAME##_avx2(__VA_ARGS__); return; } \
  NAME(__VA_ARGS__);
#else
#define BEST(NAME, ...) NAME(__VA_ARGS__);
#endif

void segments_window_f32(const float *in, const double *window, double *out, size_t count) {
  BEST(window_f32, in, window, out, count)
}

void segments_window_f64(const double *in, const double *window, double *out, size_t count) {
  BEST(window_f64, in, window, out, count)
}

void segments_add_squares(const double *part, double *sum, size_t count) { BEST(add_squares, part, sum, count) }
