// Rate conversion at a ratio of whole numbers: a bank of phases of one long filter, applied to planar Float32.
#ifndef CKERNELS_FILTER_BANK_H
#define CKERNELS_FILTER_BANK_H

#include <stddef.h>
#include <stdint.h>

enum {
  /// Phases of a group: outputs that are computed together from one stretch of the input.
  filter_bank_group_phases = 4,
  /// Partial sums of an output, and taps of a step.
  filter_bank_lanes = 16,
};

/// A filter's phases in the order of the outputs that use them. A cycle is as many outputs as there are phases; the
/// next cycle is the same, `advance_frames` input frames later.
typedef struct {
  /// For each group, for each of its steps, for each of its four phases: 16 taps. On 64 bytes. The steps stand in the
  /// order in which they are summed: first, last, second, last but one, and so on to the middle. Taps beyond a phase's
  /// own, and phases beyond the last, are 0.
  const float *_Nonnull taps;
  /// For each group: the input frame of its first tap, counted from the cycle's first input frame on; below 0 as a
  /// rule.
  const ptrdiff_t *_Nonnull starts;
  ptrdiff_t phase_count;
  /// Steps of each group.
  ptrdiff_t step_count;
  ptrdiff_t advance_frames;
} filter_bank;

/// Computes output frames `first` to `first + frames - 1` of `channel_count` channels: each is the sum of its phase's
/// taps times the input, in this order, none of the operations fused:
///
///     total[lane] = sum of tap[step * 16 + lane] * input[step * 16 + lane], each product and each sum rounded to float,
///                   from the outermost steps to the one in the middle: what is large comes last, and is rounded least often
///     output      = the 16 totals in double, halved three times by adding the upper half to the lower, the last two added,
///                   and rounded to float
///
/// The bits do not depend on the instruction set, on how a stream is cut into calls, or on how many channels there are.
///
/// - input: a plane for each channel, from input frame `input_origin` of the stream on. All taps of the groups that the
///   output frames belong to must lie inside it.
/// - output: a plane for each channel, written from frame `offset` on; overlaps no input.
void filter_bank_process(
    const filter_bank *_Nonnull bank, const float *_Nonnull const *_Nonnull input, int64_t input_origin,
    float *_Nonnull const *_Nonnull output, ptrdiff_t channel_count, ptrdiff_t offset, int64_t first, ptrdiff_t frames);

#endif
