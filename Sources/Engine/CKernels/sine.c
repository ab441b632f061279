// Runs on the render thread: no allocation, no lock. A lane is a frame.
#include "sine.h"

#include "variants.h"

#pragma STDC FP_CONTRACT OFF

enum { lanes = 8 };
typedef double doubles __attribute__((ext_vector_type(lanes)));
typedef double doubles_anywhere __attribute__((ext_vector_type(lanes), aligned(8)));
typedef float floats __attribute__((ext_vector_type(lanes)));
typedef float floats_anywhere __attribute__((ext_vector_type(lanes), aligned(4)));

// The nearest whole number, for magnitudes below 2^51: in the sum no fraction has a place.
static const double grid = 6755399441055744.0;
#define NEAREST(value) (((value) + grid) - grid)

INLINE void find(const doubles_anywhere *places, const doubles_anywhere *scales, floats_anywhere *output) {
  const doubles turns = *places, gains = *scales;
  // Within a quarter of a turn of one where the sine is 0; behind an odd number of halves it has the other sign.
  const doubles halves = NEAREST(2 * turns), x = turns - 0.5 * halves;
  const doubles pairs = 0.5 * halves, odd = pairs - NEAREST(pairs), sign = 1 - 8 * (odd * odd);
  // sin(2 pi x) / x as a polynomial of x^2: Chebyshev's interpolation, within 1.4e-18.
  const doubles t = x * x, t2 = t * t, t4 = t2 * t2;
  const doubles low = (6.2831853071795864756 + t * -41.341702240399756862) +
                      t2 * (81.605249276073615183 + t * -76.705859752824919209);
  const doubles high = (42.05869392542868225 + t * -15.094641676117900093) +
                       t2 * (3.8199280942271642021 + t * -0.71773379214134533133);
  const doubles all = low + t4 * (high + t4 * 0.10089695501646811163);
  *output = __builtin_convertvector(gains * (sign * (x * all)), floats);
}

INLINE void process(const double *turns, const double *gains, float *output, ptrdiff_t frames) {
  ptrdiff_t n = 0;
  for (; n + lanes <= frames; n += lanes) {
    find((const doubles_anywhere *)(turns + n), (const doubles_anywhere *)(gains + n), (floats_anywhere *)(output + n));
  }
  for (; n < frames; n++) {
    const doubles_anywhere turn = turns[n], gain = gains[n];
    floats_anywhere one;
    find(&turn, &gain, &one);
    output[n] = one[0];
  }
}

KERNEL(
    void, sine_process, process, (const double *turns, const double *gains, float *output, ptrdiff_t frames),
    (turns, gains, output, frames))
