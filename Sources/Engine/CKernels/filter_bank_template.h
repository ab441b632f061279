// One tile of the filter bank: OUTPUTS phases of a group, 4 or 1, PHASES of them at a time, for CHANNELS channels, 1 or
// 2. Included with these and NAME defined.
#ifndef FILTER_BANK_TEMPLATE_H
#define FILTER_BANK_TEMPLATE_H
typedef float lanes16 __attribute__((vector_size(64)));
typedef float lanes16_anywhere __attribute__((vector_size(64), aligned(4)));
typedef double wide8 __attribute__((vector_size(64)));
typedef double wide4 __attribute__((vector_size(32)));
typedef float lanes4 __attribute__((vector_size(16)));
typedef float lanes4_anywhere __attribute__((vector_size(16), aligned(4)));
#define UNROLL _Pragma("clang loop unroll(full)")
#endif

static void NAME(tile)(const float *taps, ptrdiff_t step_count, const float *const *input, float *const *output) {
  wide4 quarters[CHANNELS][OUTPUTS];
  for (int first = 0; first < OUTPUTS; first += PHASES) {
    const lanes16 *tap = (const lanes16 *)taps + first;
    const float *early[CHANNELS], *late[CHANNELS];
    UNROLL for (int c = 0; c < CHANNELS; c++) {
      early[c] = input[c];
      late[c] = input[c] + (step_count - 1) * filter_bank_lanes;
    }
    lanes16 total[PHASES][CHANNELS] = {};
    for (ptrdiff_t pairs = step_count / 2; pairs > 0; pairs--) {
      lanes16 x[CHANNELS], y[CHANNELS];
      UNROLL for (int c = 0; c < CHANNELS; c++) {
        x[c] = *(const lanes16_anywhere *)early[c];
        y[c] = *(const lanes16_anywhere *)late[c];
        early[c] += filter_bank_lanes;
        late[c] -= filter_bank_lanes;
      }
      UNROLL for (int p = 0; p < PHASES; p++) {
        UNROLL for (int c = 0; c < CHANNELS; c++) total[p][c] += tap[p] * x[c];
      }
      tap += filter_bank_group_phases;
      UNROLL for (int p = 0; p < PHASES; p++) {
        UNROLL for (int c = 0; c < CHANNELS; c++) total[p][c] += tap[p] * y[c];
      }
      tap += filter_bank_group_phases;
    }
    if (step_count % 2) {
      UNROLL for (int p = 0; p < PHASES; p++) {
        UNROLL for (int c = 0; c < CHANNELS; c++) total[p][c] += tap[p] * *(const lanes16_anywhere *)early[c];
      }
    }
    UNROLL for (int p = 0; p < PHASES; p++) {
      UNROLL for (int c = 0; c < CHANNELS; c++) {
        const lanes16 v = total[p][c];
        const wide8 half = __builtin_convertvector(__builtin_shufflevector(v, v, 0, 1, 2, 3, 4, 5, 6, 7), wide8) +
                           __builtin_convertvector(__builtin_shufflevector(v, v, 8, 9, 10, 11, 12, 13, 14, 15), wide8);
        quarters[c][first + p] =
            __builtin_shufflevector(half, half, 0, 1, 2, 3) + __builtin_shufflevector(half, half, 4, 5, 6, 7);
      }
    }
  }
  UNROLL for (int c = 0; c < CHANNELS; c++) {
    const wide4 *q = quarters[c];
#if OUTPUTS == 4
    // Turned on its side: a lane for each output, and the same sums.
    const wide4 a = __builtin_shufflevector(q[0], q[1], 0, 4, 1, 5), b = __builtin_shufflevector(q[2], q[3], 0, 4, 1, 5);
    const wide4 d = __builtin_shufflevector(q[0], q[1], 2, 6, 3, 7), e = __builtin_shufflevector(q[2], q[3], 2, 6, 3, 7);
    const wide4 even = __builtin_shufflevector(a, b, 0, 1, 4, 5) + __builtin_shufflevector(d, e, 0, 1, 4, 5);
    const wide4 odd = __builtin_shufflevector(a, b, 2, 3, 6, 7) + __builtin_shufflevector(d, e, 2, 3, 6, 7);
    *(lanes4_anywhere *)output[c] = __builtin_convertvector(even + odd, lanes4);
#else
    *output[c] = (float)((q[0][0] + q[0][2]) + (q[0][1] + q[0][3]));
#endif
  }
}

#undef PHASES
#undef OUTPUTS
#undef CHANNELS
#undef NAME
