// The curve of a compressor and expander.
#ifndef CKERNELS_DYNAMICS_H
#define CKERNELS_DYNAMICS_H

#include <stddef.h>

/// Decibels, but for the slope.
typedef struct {
  double threshold;
  /// Above 0.
  double head_room;
  double expansion_threshold;
  /// Decibels of a gain by each decibel below that threshold.
  double expansion_slope;
  double gain;
} dynamics_curve;

/// Finds linear gains, none of the operations fused, with X = 20 log10(level), all of it in double and exact to 1e-14
/// of a neper:
///
///     above = max(0, X - threshold)
///     compression = head_room * (1 - e^(-above / head_room)) - above
///     gains[n] = 10^((compression + max(-120, min(0, X - expansion_threshold) * expansion_slope) + gain) / 20)
///
/// The bits do not depend on the instruction set.
///
/// - levels: linear; below 1e-9 and NaN: 1e-9, above 1e300: 1e300.
/// - compressions: decibels.
void dynamics_gains(
    const double *_Nonnull levels, double *_Nonnull gains, double *_Nonnull compressions, ptrdiff_t count,
    dynamics_curve curve);

#endif
