// Runs on the render thread: no allocation, no lock. A lane is a level.
#include "dynamics.h"

#include "variants.h"

#pragma STDC FP_CONTRACT OFF

enum { lanes = 8 };
typedef double doubles __attribute__((ext_vector_type(lanes)));
typedef double doubles_anywhere __attribute__((ext_vector_type(lanes), aligned(8)));
typedef long wholes __attribute__((ext_vector_type(lanes)));

// In the sum with it no fraction has a place, for magnitudes below 2^51: then its bits count on as whole numbers do.
static const double grid = 6755399441055744.0;
static const double decibels_per_neper = 8.685889638065035;  // 20/ln 10
// ln 2, as a number of few bits and the rest.
static const double ln2_high = 0.6931471803691238, ln2_low = 1.9082149292705878161e-10;

// The logarithm of numbers from 1e-300 on.
INLINE void logarithm(const doubles *x, doubles *result) {
  const wholes bits = __builtin_bit_cast(wholes, *x);
  doubles mantissa = __builtin_bit_cast(doubles, (bits & 0xFFFFFFFFFFFFFL) | 0x3FF0000000000000L);
  doubles exponent = __builtin_bit_cast(doubles, (bits >> 52) - 1023 + 0x4338000000000000L) - grid;
  const wholes is_high = mantissa > 1.4142135623730951;
  mantissa = is_high ? 0.5 * mantissa : mantissa;
  exponent = is_high ? exponent + 1 : exponent;
  // ln m = 2 artanh s, whose series behind its first term is a polynomial of s^2: Chebyshev's interpolation, within
  // 2.4e-16.
  const doubles s = (mantissa - 1) / (mantissa + 1), t = s * s, t2 = t * t;
  const doubles low = 0.66666666666662083223 + t * 0.40000000011206506321;
  const doubles middle = 0.28571424138324160585 + t * 0.22222862280108715552;
  const doubles high = 0.1814019380286599109 + t * 0.16621817152858928181;
  *result = exponent * ln2_high + (2 * s + (s * t * (low + t2 * (middle + t2 * high)) + exponent * ln2_low));
}

// The exponential of -700 to 700.
INLINE void exponential(const doubles *x, doubles *result) {
  const doubles shifted = *x * 1.4426950408889634 + grid, whole = shifted - grid;
  const doubles r = (*x - whole * ln2_high) - whole * ln2_low, r2 = r * r, r4 = r2 * r2;
  // (e^r - 1 - r) / r^2: Chebyshev's interpolation, within 8.8e-16.
  const doubles low = (0.5 + r * 0.16666666666648302851) + r2 * (0.041666666666651367274 + r * 0.0083333333537171569677);
  const doubles high =
      (0.0013888888905871345597 + r * 0.00019841208756992321041) + r2 * (0.000024801536409064086483 + r * 2.7625102005388106903e-6);
  const doubles power = 1 + (r + r2 * (low + r4 * (high + r4 * 2.761379555451985871e-7)));
  const wholes exponent = __builtin_bit_cast(wholes, shifted) - 0x4338000000000000L + 1023;
  *result = power * __builtin_bit_cast(doubles, exponent << 52);
}

INLINE void find(const doubles_anywhere *levels, doubles_anywhere *gains, doubles_anywhere *compressions, dynamics_curve curve) {
  const doubles heard = *levels > 1e-9 ? *levels : (doubles)1e-9, level = heard < 1e300 ? heard : (doubles)1e300;
  doubles decibels, rest, gain;
  logarithm(&level, &decibels);
  decibels *= decibels_per_neper;
  const doubles over = decibels - curve.threshold, under = decibels - curve.expansion_threshold;
  const doubles above = over > 0 ? over : (doubles)0, below = under < 0 ? under : (doubles)0;
  const doubles share = -above / curve.head_room, bounded = share < -700 ? (doubles)-700 : share;
  exponential(&bounded, &rest);
  const doubles compression = curve.head_room * (1 - rest) - above;
  const doubles expansion = below * curve.expansion_slope, least = expansion < -120 ? (doubles)-120 : expansion;
  const doubles nepers = (compression + least + curve.gain) / decibels_per_neper;
  exponential(&nepers, &gain);
  *gains = gain;
  *compressions = compression;
}

INLINE void process(
    const double *levels, double *gains, double *compressions, ptrdiff_t count, dynamics_curve curve) {
  ptrdiff_t n = 0;
  for (; n + lanes <= count; n += lanes) {
    find(
        (const doubles_anywhere *)(levels + n), (doubles_anywhere *)(gains + n), (doubles_anywhere *)(compressions + n), curve);
  }
  if (n == count) return;
  doubles_anywhere rest = 1, gain, compression;
  for (ptrdiff_t k = n; k < count; k++) rest[k - n] = levels[k];
  find(&rest, &gain, &compression, curve);
  for (ptrdiff_t k = n; k < count; k++) gains[k] = gain[k - n], compressions[k] = compression[k - n];
}

KERNEL(
    void, dynamics_gains, process,
    (const double *levels, double *gains, double *compressions, ptrdiff_t count, dynamics_curve curve),
    (levels, gains, compressions, count, curve))
