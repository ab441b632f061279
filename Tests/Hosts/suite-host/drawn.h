// Numbers that are drawn from seeds, and the seeds that a scenario takes.
#ifndef SUITE_HOST_DRAWN_H
#define SUITE_HOST_DRAWN_H

#include "host.h"

extern UInt64 draw_state;
static inline void draw_from(UInt32 seed) { draw_state = ((UInt64)noise(seed) << 32) + noise(~seed); }
// 0 to count - 1.
static inline UInt32 draw(UInt32 count) {
  draw_state += 0x9E3779B97F4A7C15ull;
  UInt64 word = draw_state;
  word = (word ^ (word >> 30)) * 0xBF58476D1CE4E5B9ull;
  word = (word ^ (word >> 27)) * 0x94D049BB133111EBull;
  return count ? (UInt32)((word ^ (word >> 31)) >> 32) % count : 0;
}
// True once in so many times.
static inline int once_in(UInt32 count) { return draw(count) == 0; }
static inline Float64 draw_between(Float64 low, Float64 high) { return low + (high - low) * draw(1u << 24) / (1u << 24); }

// Runs a scenario for each of its seeds: 1 to `count`, or those of AUBENCH_HOST_SEEDS, "FIRST-LAST" or one.
extern void for_seeds(UInt32 count, void (*run)(UInt32 seed));

#endif
