// Runs on the render thread: no allocation, no lock. A lane is a weight, which is found by itself.
#include "sinc.h"

#include "variants.h"

#pragma STDC FP_CONTRACT OFF

enum { lanes = 16 };
typedef double places __attribute__((ext_vector_type(lanes)));
typedef double eighths __attribute__((ext_vector_type(8)));
typedef double quarters __attribute__((ext_vector_type(4)));
typedef float weights __attribute__((ext_vector_type(lanes)));
typedef float weights_anywhere __attribute__((ext_vector_type(lanes), aligned(4)));

// The nearest whole number, for magnitudes below 2^51: in the sum no fraction has a place.
static const double grid = 6755399441055744.0;
#define NEAREST(value) (((value) + grid) - grid)

#define LOAD(from) (*(const weights_anywhere *)(from))

INLINE void find(
    float *taps, ptrdiff_t count, double first, double cutoff, double reach, const float *window) {
  const float scale = (float)cutoff, narrow = (float)reach;
  const places steps = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
  for (ptrdiff_t k = 0; k < count; k += lanes) {
    const places u = ((first + (double)k) + steps) * cutoff;
    const places whole = NEAREST(u);
    const weights x = __builtin_convertvector(u - whole, weights);
    // sin(pi x) / (pi x) for |x| <= 1/2, as a polynomial of x^2: Chebyshev's interpolation, within 4.3e-9.
    const weights x2 = x * x, x4 = x2 * x2;
    const weights near = (1.0f + x2 * -1.6449332237243652f) +
                         x4 * ((0.8117148280143738f + x2 * -0.19044175744056702f) + x4 * 0.024718644097447395f);
    // 0, or a half away from a whole number: sin(pi u) is sin(pi x), or the same with the other sign.
    const places half = 0.5 * whole;
    const weights odd = __builtin_convertvector(half - NEAREST(half), weights);
    const weights distance = __builtin_convertvector(u, weights);
    const weights order = __builtin_convertvector(whole, weights);
    const weights factor = order == 0 ? (weights)1 : (1 - 8 * (odd * odd)) * x / (order == 0 ? (weights)1 : distance);
    // The window, in pairs so that one product does not wait for the other.
    const weights relative = distance * narrow;
    const weights t = 1 - relative * relative, t2 = t * t, t4 = t2 * t2;
    const weights low = (window[0] + t * window[1]) + t2 * (window[2] + t * window[3]);
    const weights middle = (window[4] + t * window[5]) + t2 * (window[6] + t * window[7]);
    const weights high = (window[8] + t * window[9]) + t2 * window[10];
    const weights shape = low + t4 * (middle + t4 * high);
    *(weights_anywhere *)(taps + k) = t < 0 ? (weights)0 : scale * (factor * near * shape);
  }
}

// The sum of all lanes.
#define TOTAL(sum, result)                                                                        \
  do {                                                                                            \
    const eighths halves = __builtin_convertvector((sum).lo, eighths) + __builtin_convertvector((sum).hi, eighths); \
    const quarters pairs = halves.lo + halves.hi;                                                 \
    result = (float)((pairs.x + pairs.z) + (pairs.y + pairs.w));                                  \
  } while (0)

// BLOCK gives the weights of the frames from `at` on.
#define SUM(BLOCK)                                                               \
  ptrdiff_t channel = 0;                                                         \
  for (; channel + 2 <= channels; channel += 2) {                                \
    const float *one = input[channel] + start, *other = input[channel + 1] + start; \
    weights first = 0, second = 0;                                               \
    for (ptrdiff_t at = 0; at < count; at += lanes) {                            \
      const weights weight = BLOCK;                                              \
      first += weight * LOAD(one + at);                                          \
      second += weight * LOAD(other + at);                                       \
    }                                                                            \
    TOTAL(first, output[channel][frame]);                                      \
    TOTAL(second, output[channel + 1][frame]);                                 \
  }                                                                              \
  if (channel < channels) {                                                      \
    const float *one = input[channel] + start;                                   \
    weights first = 0;                                                           \
    for (ptrdiff_t at = 0; at < count; at += lanes) {                            \
      const weights weight = BLOCK;                                              \
      first += weight * LOAD(one + at);                                          \
    }                                                                            \
    TOTAL(first, output[channel][frame]);                                      \
  }

INLINE void sum(
    const float *taps, ptrdiff_t count, float *const *input, ptrdiff_t start, float *const *output, ptrdiff_t frame,
    ptrdiff_t channels) {
  SUM(LOAD(taps + at))
}

INLINE void sum_between(
    const float *row, float step, ptrdiff_t count, float *const *input, ptrdiff_t start, float *const *output,
    ptrdiff_t frame, ptrdiff_t channels) {
  SUM(LOAD(row + 3 * at) + step * (LOAD(row + 3 * at + lanes) + step * LOAD(row + 3 * at + 2 * lanes)))
}

KERNEL(
    void, sinc_taps, find, (float *taps, ptrdiff_t count, double first, double cutoff, double reach, const float *window),
    (taps, count, first, cutoff, reach, window))
KERNEL(
    void, sinc_sum, sum,
    (const float *taps, ptrdiff_t count, float *const *input, ptrdiff_t start, float *const *output, ptrdiff_t frame,
     ptrdiff_t channels),
    (taps, count, input, start, output, frame, channels))
KERNEL(
    void, sinc_sum_between, sum_between,
    (const float *row, float step, ptrdiff_t count, float *const *input, ptrdiff_t start, float *const *output,
     ptrdiff_t frame, ptrdiff_t channels),
    (row, step, count, input, start, output, frame, channels))
