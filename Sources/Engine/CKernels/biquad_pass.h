// One pass of the wide biquad cascade: what the dispatcher hands to a variant, and the table a variant is.
#ifndef BIQUAD_PASS_H
#define BIQUAD_PASS_H

#include <stddef.h>

#include "biquad_cascade.h"

enum {
  /// Vectors in flight: five hide the latency of a recurrence; more would not fit sixteen registers.
  biquad_max_vectors = 5,
  /// Doubles between two passes, small enough to stay in the first-level cache.
  biquad_bridge_capacity = 1024,
};

/// Some neighbouring sections of some neighbouring channels, which run together over some frames.
typedef struct {
  const biquad_coefficients *sections;
  ptrdiff_t section_count;
  biquad_state *state;
  ptrdiff_t state_stride;
  float *const *input;
  float *const *output;
  ptrdiff_t offset, frames;
  double *bridge;  // [frame][channel], where the first pass leaves and a later one finds its samples
  int reads_bridge, writes_bridge;
  int last_lane;  // where the last section's first channel lies in the last vector
  double gain;
} biquad_pass;

typedef void (*biquad_pass_function)(const biquad_pass *pass);

/// A way to lay channels and sections into lanes, and its functions for 1, 2, ... vectors.
typedef struct {
  int lanes, channels, max_vectors;
  biquad_pass_function run[biquad_max_vectors];
} biquad_layout;

/// The layouts of one instruction set for 1, 2 and 4 channels at a time.
typedef struct {
  biquad_layout by_channels[3];
} biquad_variant;

extern const biquad_variant biquad_variant_baseline;
#if defined(__x86_64__)
extern const biquad_variant biquad_variant_avx2;
extern const biquad_variant biquad_variant_avx512;
#endif

#endif
