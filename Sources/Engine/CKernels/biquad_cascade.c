// Runs on the render thread: no allocation, no lock; scratch memory is on the stack.
//
// Cuts a cascade into passes: 4, 2 or 1 channels at a time, and as many sections as fill the vectors in flight.
#include "biquad_cascade.h"

#include <string.h>

#include "biquad_pass.h"
#include "instruction_set.h"

#pragma STDC FP_CONTRACT OFF

enum {
  /// Below this many frames filling and draining the lanes costs more than the lanes win.
  shortest_wide_call = 8,
};

static const biquad_variant *active_variant(void) {
#if defined(__x86_64__)
  switch (kernels_active_instruction_set()) {
    case KERNELS_AVX512: return &biquad_variant_avx512;
    case KERNELS_AVX2: return &biquad_variant_avx2;
    case KERNELS_BASELINE: break;
  }
#endif
  return &biquad_variant_baseline;
}

static void process_narrow(
    const biquad_coefficients *sections, ptrdiff_t section_count, biquad_state *state, double gain, const float *input,
    float *output, ptrdiff_t frames) {
  for (ptrdiff_t t = 0; t < frames; t++) {
    double x = (double)input[t];
    for (ptrdiff_t s = 0; s < section_count; s++) {
      const double y = sections[s].b0 * x + state[s].s1;
      state[s].s1 = (sections[s].b1 * x + state[s].s2) - sections[s].a1 * y;
      state[s].s2 = sections[s].b2 * x - sections[s].a2 * y;
      x = y;
    }
    output[t] = (float)(x * gain);
  }
}

/// All sections over as many channels as the layout takes.
static void process_wide(
    const biquad_layout *layout, const biquad_coefficients *sections, ptrdiff_t section_count, biquad_state *state,
    ptrdiff_t state_stride, double gain, float *const *input, float *const *output, ptrdiff_t offset,
    ptrdiff_t frames) {
  const ptrdiff_t side_by_side = layout->lanes / layout->channels;
  const ptrdiff_t vectors = (section_count + side_by_side - 1) / side_by_side;
  const ptrdiff_t passes = (vectors + layout->max_vectors - 1) / layout->max_vectors;
  _Alignas(64) double bridge[biquad_bridge_capacity];
  biquad_pass pass = {
      .state_stride = state_stride, .input = input, .output = output, .bridge = bridge, .gain = gain};
  const ptrdiff_t longest = passes > 1 ? biquad_bridge_capacity / layout->channels : frames;
  for (ptrdiff_t done = 0; done < frames; done += pass.frames) {
    pass.frames = frames - done < longest ? frames - done : longest;
    pass.offset = offset + done;
    for (ptrdiff_t p = 0; p < passes; p++) {
      // Vectors spread evenly, so that no pass is left with one slow recurrence.
      const ptrdiff_t first_vector = vectors * p / passes, end_vector = vectors * (p + 1) / passes;
      const ptrdiff_t first = first_vector * side_by_side;
      const ptrdiff_t end = p == passes - 1 ? section_count : end_vector * side_by_side;
      pass.sections = sections + first;
      pass.section_count = end - first;
      pass.state = state + first;
      pass.reads_bridge = p > 0;
      pass.writes_bridge = p < passes - 1;
      pass.last_lane = (int)((pass.section_count - 1) % side_by_side) * layout->channels;
      layout->run[end_vector - first_vector - 1](&pass);
    }
  }
}

static void process_none(double gain, const float *input, float *output, ptrdiff_t frames) {
  if (gain == 1) {
    if (input != output) memcpy(output, input, (size_t)frames * sizeof *output);
    return;
  }
  for (ptrdiff_t t = 0; t < frames; t++) output[t] = (float)((double)input[t] * gain);
}

void biquad_cascade_process(
    const biquad_coefficients *sections, ptrdiff_t section_count, biquad_state *state, ptrdiff_t state_stride,
    double gain, float *const *input, float *const *output, ptrdiff_t channel_count, ptrdiff_t offset,
    ptrdiff_t frames) {
  if (section_count == 0) {
    for (ptrdiff_t c = 0; c < channel_count; c++) process_none(gain, input[c] + offset, output[c] + offset, frames);
    return;
  }
  if (frames < shortest_wide_call) {
    for (ptrdiff_t c = 0; c < channel_count; c++) {
      process_narrow(
          sections, section_count, state + c * state_stride, gain, input[c] + offset, output[c] + offset, frames);
    }
    return;
  }
  const biquad_variant *variant = active_variant();
  ptrdiff_t c = 0;
  for (int size = 2; size >= 0; size--) {
    const biquad_layout *layout = &variant->by_channels[size];
    // Lanes beyond the machine's own vectors pay only while one pass takes all sections.
    if (layout->lanes > variant->by_channels[0].lanes && section_count > layout->max_vectors) continue;
    for (; channel_count - c >= layout->channels; c += layout->channels) {
      process_wide(
          layout, sections, section_count, state + c * state_stride, state_stride, gain, input + c, output + c, offset,
          frames);
    }
  }
}
