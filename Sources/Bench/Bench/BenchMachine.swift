import AudioCore
import Glibc

/// The machine of a bench, on which its figures depend.
package struct BenchMachine: Codable, Hashable, Sendable {
  package var processor: String
  /// The number of processors that may be used.
  package var processors: Int
  /// The governor of the processor's clock, if the system reports one.
  package var governor: String?
  /// The load of the last minute, before the bench.
  package var load: Double
  package var kernel: String
  /// The version of this program.
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

extension BenchMachine {
  /// The last line of a report of costs.
  package var text: String {
    var parts = ["\(processor), \(NumberText.count(processors, "processor"))"]
    if let governor { parts.append("governor \(governor)") }
    parts += ["load \(NumberText.fixed(load, 2))", "kernel \(kernel)", "aubench \(version)"]
    return parts.joined(separator: "; ") + "\n"
  }

  /// The same as an object of its JSON.
  package var json: JSONValue {
    JSONValue([
      "processor": processor, "processors": processors, "governor": governor, "load": load, "kernel": kernel,
      "version": version,
    ])
  }
}
