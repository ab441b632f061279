import CKernels

/// Which variant of the recursive kernels runs: the bits are the same with each, for reports.
public enum InstructionSet {
  /// `baseline`, `avx2` or `avx512`.
  public static var name: String {
    switch kernels_active_instruction_set() {
    case KERNELS_AVX512: "avx512"
    case KERNELS_AVX2: "avx2"
    default: "baseline"
    }
  }
}
