// Runs on the render thread: no allocation, no lock.
//
// Cuts a run of output frames into groups of phases and channels into pairs.
#include "filter_bank.h"

#include "filter_bank_tile.h"
#include "instruction_set.h"

static const filter_bank_variant *active_variant(void) {
#if defined(__x86_64__)
  switch (kernels_active_instruction_set()) {
    case KERNELS_AVX512: return &filter_bank_variant_avx512;
    case KERNELS_AVX2: return &filter_bank_variant_avx2;
    case KERNELS_BASELINE: break;
  }
#endif
  return &filter_bank_variant_baseline;
}

void filter_bank_process(
    const filter_bank *bank, const float *const *input, int64_t input_origin, float *const *output,
    ptrdiff_t channel_count, ptrdiff_t offset, int64_t first, ptrdiff_t frames) {
  const filter_bank_variant *variant = active_variant();
  const ptrdiff_t group_size = filter_bank_group_phases * filter_bank_lanes * bank->step_count;
  // The cycle of the first output frame, rounded down, and its place in that cycle.
  int64_t cycle = first / bank->phase_count;
  ptrdiff_t phase = (ptrdiff_t)(first - cycle * bank->phase_count);
  for (ptrdiff_t done = 0; done < frames;) {
    const ptrdiff_t group = phase / filter_bank_group_phases, place = phase % filter_bank_group_phases;
    const ptrdiff_t of_cycle = bank->phase_count - phase;
    const int is_whole =
        place == 0 && of_cycle >= filter_bank_group_phases && frames - done >= filter_bank_group_phases;
    const ptrdiff_t count = is_whole ? filter_bank_group_phases : 1;
    const float *taps = bank->taps + group * group_size + place * filter_bank_lanes;
    const ptrdiff_t start = (ptrdiff_t)(cycle * bank->advance_frames - input_origin) + bank->starts[group];
    filter_bank_tile *const *tiles = is_whole ? variant->group : variant->phase;
    for (ptrdiff_t channel = 0; channel < channel_count;) {
      const ptrdiff_t pair = channel_count - channel >= 2 ? 2 : 1;
      const float *in[2] = {input[channel] + start, input[channel + pair - 1] + start};
      float *out[2] = {output[channel] + offset + done, output[channel + pair - 1] + offset + done};
      tiles[pair - 1](taps, bank->step_count, in, out);
      channel += pair;
    }
    done += count;
    phase += count;
    if (phase == bank->phase_count) {
      phase = 0;
      cycle++;
    }
  }
}
