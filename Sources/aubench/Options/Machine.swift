import FoundationEssentials
import Glibc

/// The machine that the program runs on.
enum Machine {
  /// Cores that this process may use: fewer than there are under `taskset` and in batch systems.
  static var coreCount: Int {
    let online = Int(sysconf(Int32(_SC_NPROCESSORS_ONLN)))
    return min(256, max(1, min(allowedCores ?? online, online)))
  }

  /// The line `Cpus_allowed: ff,ffffffff` of proc(5): a mask in hexadecimal.
  private static var allowedCores: Int? {
    guard let data = try? Data(contentsOf: URL(filePath: "/proc/self/status")) else { return nil }
    let lines = String(decoding: data, as: UTF8.self).split(separator: "\n")
    guard let line = lines.first(where: { $0.hasPrefix("Cpus_allowed:") }) else { return nil }
    return line.drop { $0 != ":" }.compactMap(\.hexDigitValue).reduce(0) { $0 + $1.nonzeroBitCount }
  }
}
