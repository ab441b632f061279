#include "instruction_set.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

static const int undecided = -1;
static atomic_int active = -1;

kernels_instruction_set kernels_best_instruction_set(void) {
#if defined(__x86_64__)
  __builtin_cpu_init();
  if (!__builtin_cpu_supports("avx2")) return KERNELS_BASELINE;
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") &&
      __builtin_cpu_supports("avx512dq")) {
    return KERNELS_AVX512;
  }
  return KERNELS_AVX2;
#else
  return KERNELS_BASELINE;
#endif
}

static kernels_instruction_set at_most(kernels_instruction_set wanted) {
  kernels_instruction_set best = kernels_best_instruction_set();
  return wanted < best ? wanted : best;
}

kernels_instruction_set kernels_active_instruction_set(void) {
  int known = atomic_load_explicit(&active, memory_order_relaxed);
  if (known != undecided) return (kernels_instruction_set)known;
  kernels_instruction_set wanted = KERNELS_AVX512;
  const char *name = getenv("AUBENCH_ISA");
  if (name && strcmp(name, "baseline") == 0) wanted = KERNELS_BASELINE;
  if (name && strcmp(name, "avx2") == 0) wanted = KERNELS_AVX2;
  // Two threads that arrive together find the same answer, and neither undoes a forced one.
  int chosen = (int)at_most(wanted), expected = undecided;
  if (!atomic_compare_exchange_strong(&active, &expected, chosen)) chosen = expected;
  return (kernels_instruction_set)chosen;
}

kernels_instruction_set kernels_force_instruction_set(kernels_instruction_set wanted) {
  kernels_instruction_set chosen = at_most(wanted);
  atomic_store(&active, (int)chosen);
  return chosen;
}
