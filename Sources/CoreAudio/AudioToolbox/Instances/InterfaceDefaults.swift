import AudioCore
import AudioEngine
import DSPKernels
import RenderGraph

/// The environment's settings for units and graphs that programs make through the C interface.
package struct InterfaceDefaults: Sendable {
  /// The longest slice of a fresh unit that drives no graph; nil: what the unit itself begins with.
  ///
  /// Apple's base class begins with 1156, and so does the mixer of iPhones by what they log; the guides of iOS say
  /// 1024.
  package private(set) var maximumFrames: Int?
  /// Threads that render a graph, the one that pulls it included.
  package private(set) var threads = 1

  package static let threadCounts = 1...256
  static let shared = InterfaceDefaults(variable: FileSystem.environment, complain: ErrorLine.write)

  /// - Parameters:
  ///   - variable: the value of an environment variable; empty counts as not there.
  ///   - complain: called for each value that cannot be used and is ignored.
  package init(variable: (String) -> String?, complain: (String) -> Void) {
    func number(_ name: String, _ range: ClosedRange<Int>, of things: String) -> Int? {
      guard let text = variable(name), !text.isEmpty else { return nil }
      if let number = Int(text), range.contains(number) { return number }
      complain(
        "\(name)=\"\(text)\" is not a number of \(range.lowerBound) to \(range.upperBound) \(things), and is left out of "
          + "account")
      return nil
    }
    maximumFrames = number("AUBENCH_MAXIMUM_FRAMES", Unit.sliceFrames, of: "frames")
    threads = number("AUBENCH_THREADS", Self.threadCounts, of: "threads") ?? 1
    // Others read these where they are needed, and cannot complain there.
    func check(_ name: String, _ expected: String, _ isRight: (String) -> Bool) {
      guard let text = variable(name), !text.isEmpty, !isRight(text) else { return }
      complain("\(name)=\"\(text)\" is not \(expected), and is left out of account")
    }
    let sets = InstructionSet.allCases.map(\.rawValue)
    check("AUBENCH_ISA", sets.joined(separator: ", ").replacing(", avx512", with: " or avx512")) { sets.contains($0) }
    check(MemoryBudget.environmentVariable, "a size of memory, as 4G, 512M or a number of bytes") {
      MemoryBudget.bytes(of: $0) != nil
    }
    for name in ["AUBENCH_LOG", "AUBENCH_COMPONENT_LOG"] { check(name, "1 or 0") { ["0", "1"].contains($0) } }
  }

  /// The runner for branches of graphs; nil: the thread that pulls one.
  static let branchRunner: (any BranchRunner)? = shared.threads > 1 ? BranchThreads(threads: shared.threads) : nil

  /// Sets up a fresh unit.
  func apply(to unit: Unit) {
    // The unit that drives a graph is made for the longest cycles of the hardware.
    guard let maximumFrames, !unit.isOutput else { return }
    try? unit.setMaximumFramesPerSlice(maximumFrames)
  }
}
