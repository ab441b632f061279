// The variant of the kernels that runs on this machine. Every variant gives the same bits; only the time differs.
#ifndef CKERNELS_INSTRUCTION_SET_H
#define CKERNELS_INSTRUCTION_SET_H

typedef enum {
  /// The baseline of the architecture: SSE2 on x86-64, NEON on aarch64.
  KERNELS_BASELINE = 0,
  /// x86-64-v3: 256-bit vectors.
  KERNELS_AVX2 = 1,
  /// x86-64-v4: AVX-512 F, VL and DQ.
  KERNELS_AVX512 = 2,
} kernels_instruction_set;

/// The variant in use: the best one of this machine, lowered by the environment variable AUBENCH_ISA
/// (`baseline`, `avx2`, `avx512`), which is read once at the first call and can never raise it.
kernels_instruction_set kernels_active_instruction_set(void);

/// The best variant that this machine can run, whatever the environment says.
kernels_instruction_set kernels_best_instruction_set(void);

/// For tests and measurements: uses `wanted` from now on, or the best below it that the machine can run.
/// Returns the variant in use. Not to be called while another thread is inside a kernel whose timing matters.
kernels_instruction_set kernels_force_instruction_set(kernels_instruction_set wanted);

#endif
