// Runs on the render thread: no allocation, no lock. A lane is a frame; the lines are held side by side.
#include "feedback_network.h"

#include "variants.h"

#pragma STDC FP_CONTRACT OFF

typedef float lanes8 __attribute__((vector_size(32)));
typedef float lanes8_anywhere __attribute__((vector_size(32), aligned(4)));

#define LOAD(from) (*(const lanes8_anywhere *)(from))
#define STORE(to, value) (*(lanes8_anywhere *)(to) = (value))
#define UNROLL _Pragma("clang loop unroll(full)")

INLINE int is_negative(int row, int line) { return __builtin_popcount((unsigned)(row & line)) % 2; }

INLINE void hear(const lanes8 *u, float *output, int channel) {
  lanes8 total = {};
  UNROLL for (int i = 0; i < FEEDBACK_LINES; i++) {
    if (is_negative(5 + 5 * channel, i)) total -= u[i];
    else total += u[i];
  }
  STORE(output, total);
}

INLINE void feed(lanes8 *u, const float *from, int channel) {
  const lanes8 input = LOAD(from);
  UNROLL for (int i = 0; i < FEEDBACK_LINES; i++) {
    if (is_negative(1 + channel, i)) u[i] -= input;
    else u[i] += input;
  }
}

INLINE void mix(lanes8 *u) {
  UNROLL for (int distance = 1; distance < FEEDBACK_LINES; distance *= 2) {
    UNROLL for (int i = 0; i < FEEDBACK_LINES; i++) {
      if (i & distance) continue;
      const lanes8 one = u[i], other = u[i + distance];
      u[i] = one + other;
      u[i + distance] = one - other;
    }
  }
}

INLINE void process(
    const feedback_line *lines, const float *const *inputs, float *const *outputs, ptrdiff_t channels, ptrdiff_t frames) {
  for (ptrdiff_t at = 0; at < frames; at += FEEDBACK_LANES) {
    lanes8 u[FEEDBACK_LINES];
    UNROLL for (int i = 0; i < FEEDBACK_LINES; i++) {
      const float *read = lines[i].read + at;
      u[i] = lines[i].present * LOAD(read) + lines[i].former * LOAD(read - 1);
    }
    hear(u, outputs[0] + at, 0);
    if (channels > 1) hear(u, outputs[1] + at, 1);
    mix(u);
    feed(u, inputs[0] + at, 0);
    if (channels > 1) feed(u, inputs[1] + at, 1);
    UNROLL for (int i = 0; i < FEEDBACK_LINES; i++) STORE(lines[i].write + at, 0.25f * u[i]);
  }
}

KERNEL(
    void, feedback_network_process, process,
    (const feedback_line *lines, const float *const *inputs, float *const *outputs, ptrdiff_t channels, ptrdiff_t frames),
    (lines, inputs, outputs, channels, frames))

void feedback_all_pass(
    float *restrict samples, const float *restrict read, float *restrict write, float gain, ptrdiff_t frames) {
  for (ptrdiff_t n = 0; n < frames; n++) {
    const float delayed = read[n], sum = samples[n] + gain * delayed;
    samples[n] = delayed - gain * sum;
    write[n] = sum;
  }
}
