import AudioCore
import AudioToolbox
import Glibc
import Hardware

/// Checks environment variables that this program and those that it starts read. A library can only complain of a value
/// that it cannot use; a program ends.
enum EnvironmentVariables {
  /// - Throws: `.usage` for the first value that is none of those that the variable takes. Empty ones count as not set.
  static func check(_ variable: (String) -> String? = FileSystem.environment) throws(BenchError) {
    var complaints: [String] = []
    _ = InterfaceDefaults(variable: variable) { complaints.append($0) }
    _ = DeviceConfiguration(variable: variable) { complaints.append($0) }
    if let complaint = complaints.first {
      throw BenchError(
        .usage, at: "environment", complaint.replacing(", and is left out of account", with: ""),
        advice: "set it so, or unset it")
    }
    let programs = [
      ("AUBENCH_SCANNER", "name aubench-scan, or nothing to have no component tried"),
      ("AUBENCH_DECODER", "name aubench-decode, or nothing to have no packets of other codecs decoded"),
    ]
    for (name, advice) in programs {
      guard let path = variable(name), !path.isEmpty, FileSystem.access(path, X_OK) != 0 else { continue }
      throw BenchError(
        .usage, at: "environment", "\(name)=\"\(path)\" is no program: \(systemMessage(errno))", advice: advice)
    }
  }
}
