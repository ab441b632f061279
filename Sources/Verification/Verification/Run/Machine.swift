import AudioCore
import DSPKernels
import Foundation

/// The program and the machine, for reports and records of goldens.
public enum Machine {
  /// Name and version: "aubench 0.1.0".
  public static let program = "\(Program.name) \(Program.version)"

  /// Processor, system, libraries: whatever the sound could depend on.
  public static let facts: [String: String] = {
    var facts: [String: String] = [:]
    let cpu = (try? FileSystem.contents(of: "/proc/cpuinfo", atMost: 16 << 20)).map {
      String(decoding: $0, as: UTF8.self)
    }
    facts["processor"] =
      cpu?.split(separator: "\n").first { $0.hasPrefix("model name") }
      .map { String($0.drop { $0 != ":" }.dropFirst(2)) } ?? "unknown"
    facts["instructionSet"] = InstructionSet.name
    facts["system"] = ProcessInfo.processInfo.operatingSystemVersionString
    return facts
  }()
}
