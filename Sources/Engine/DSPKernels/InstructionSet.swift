import CKernels

/// The variant of the recursive kernels: the bits are the same with each.
public enum InstructionSet: String, CaseIterable, Sendable {
  case baseline, avx2, avx512

  private var kernels: kernels_instruction_set {
    switch self {
    case .baseline: KERNELS_BASELINE
    case .avx2: KERNELS_AVX2
    case .avx512: KERNELS_AVX512
    }
  }

  private init(_ kernels: kernels_instruction_set) {
    self = Self.allCases.first { $0.kernels == kernels } ?? .baseline
  }

  /// The one in use: the machine's best, or what `AUBENCH_ISA` lowers it to.
  public static var active: InstructionSet { InstructionSet(kernels_active_instruction_set()) }

  /// Those that this machine has.
  public static var available: [InstructionSet] {
    let best = kernels_best_instruction_set().rawValue
    return allCases.filter { $0.kernels.rawValue <= best }
  }

  /// Has another one used from here on, in the whole process: to compare them.
  package static func use(_ set: InstructionSet) { _ = kernels_force_instruction_set(set.kernels) }

  /// `baseline`, `avx2` or `avx512`: the one in use, for reports.
  public static var name: String { active.rawValue }
}
