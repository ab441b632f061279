import AudioCore
import Glibc

/// Where a bench was run: what its figures depend on.
package struct BenchMachine: Codable, Hashable, Sendable {
  package var processor: String
  /// How many may be used.
  package var processors: Int
  /// How the clock of the processor is governed, where the system says so.
  package var governor: String?
  /// Of the last minute, before the bench.
  package var load: Double
  package var kernel: String
  /// Of this program.
  package var version: String

  /// This one, now.
  package static var present: BenchMachine {
    var loads = [0.0]
    _ = getloadavg(&loads, 1)
    var name = utsname()
    uname(&name)
    let kernel = withUnsafeBytes(of: name.release) { ByteText.string($0.prefix { $0 != 0 }) }
    let model = text(ofFile: "/proc/cpuinfo")?.split(separator: "\n").first { $0.hasPrefix("model name") }
    let processor = model?.split(separator: ":").last.map { $0.drop { $0 == " " } }
    return BenchMachine(
      processor: processor.map(String.init) ?? "unknown processor", processors: sysconf(Int32(_SC_NPROCESSORS_ONLN)),
      governor: text(ofFile: "/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor").map {
        String($0.prefix { $0 != "\n" })
      },
      load: loads[0], kernel: kernel, version: Program.version)
  }

  private static func text(ofFile path: String) -> String? {
    (try? FileSystem.contents(of: path, atMost: 1 << 20)).map { ByteText.string($0) }
  }
}
