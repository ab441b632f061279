import AudioCore
import Glibc

/// Cores that this process may use: fewer than there are under `taskset` and in batch systems.
enum AvailableCores {
  static var count: Int {
    let online = Int(sysconf(Int32(_SC_NPROCESSORS_ONLN)))
    return min(256, max(1, min(allowed ?? online, online)))
  }

  /// The line `Cpus_allowed: ff,ffffffff` of proc(5): a mask in hexadecimal.
  private static var allowed: Int? {
    guard let bytes = try? FileSystem.contents(of: "/proc/self/status", atMost: 1 << 20) else { return nil }
    let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
    guard let line = lines.first(where: { $0.hasPrefix("Cpus_allowed:") }) else { return nil }
    return line.drop { $0 != ":" }.compactMap(\.hexDigitValue).reduce(0) { $0 + $1.nonzeroBitCount }
  }
}
