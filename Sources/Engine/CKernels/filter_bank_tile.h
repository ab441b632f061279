// The interface to the variants of filter_bank.c. One variant is one compilation of filter_bank_template.h.
#ifndef FILTER_BANK_TILE_H
#define FILTER_BANK_TILE_H

#include "filter_bank.h"

/// Computes some phases of a group for one or two channels.
/// - taps: the weights of the first of the phases.
/// - input: a pointer for each channel, at the group's first tap.
/// - output: a place for each channel, for the first of the phases; the others follow.
typedef void filter_bank_tile(
    const float *taps, ptrdiff_t step_count, const float *const *input, float *const *output);

typedef struct {
  /// All four phases of a group, and one: for 1 channel and for 2.
  filter_bank_tile *group[2], *phase[2];
} filter_bank_variant;

extern const filter_bank_variant filter_bank_variant_baseline;
#if defined(__x86_64__)
extern const filter_bank_variant filter_bank_variant_avx2, filter_bank_variant_avx512;
#endif

#endif
