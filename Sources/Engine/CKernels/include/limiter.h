// The descent of a limiter's gain to a peak.
#ifndef CKERNELS_LIMITER_H
#define CKERNELS_LIMITER_H

#include <stdbool.h>
#include <stddef.h>

enum { LIMITER_LANES = 16 };

/// Lowers the gains in front of a peak to a straight line that rises from it into the past; none of the operations
/// fused:
///
///     gains[-k] = min(gains[-k], needed + rise * k)     first <= k < end
///
/// It ends early, at the latest `LIMITER_LANES` further, where a gain lies on or below the line: what made it so lies
/// below it from there on. The bits do not depend on the instruction set.
///
/// - gains: the gains from the peak's own frame, if first is 1.
/// - Returns whether it ended early.
bool limiter_lower(float *_Nonnull gains, ptrdiff_t first, ptrdiff_t end, float needed, float rise);

#endif
