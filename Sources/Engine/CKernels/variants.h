// A function once per instruction set, and the choice among them. For the kernels alone.
#ifndef CKERNELS_VARIANTS_H
#define CKERNELS_VARIANTS_H

#include "instruction_set.h"

#define INLINE static inline __attribute__((always_inline))

// KERNEL makes a function of an INLINE one: it calls the variant of the active set. PARAMETERS and ARGUMENTS are in
// parentheses.
#if defined(__x86_64__)
#define KERNEL(result, exported, name, PARAMETERS, ARGUMENTS)                                                             \
  __attribute__((target("avx512f,avx512vl,avx512dq"))) static result name##_avx512 PARAMETERS { return name ARGUMENTS; } \
  __attribute__((target("avx2"))) static result name##_avx2 PARAMETERS { return name ARGUMENTS; }                        \
  result exported PARAMETERS {                                                                                           \
    switch (kernels_active_instruction_set()) {                                                                          \
      case KERNELS_AVX512: return name##_avx512 ARGUMENTS;                                                               \
      case KERNELS_AVX2: return name##_avx2 ARGUMENTS;                                                                   \
      case KERNELS_BASELINE: break;                                                                                      \
    }                                                                                                                    \
    return name ARGUMENTS;                                                                                               \
  }
#else
#define KERNEL(result, exported, name, PARAMETERS, ARGUMENTS) \
  result exported PARAMETERS { return name ARGUMENTS; }
#endif

#endif
