import AudioCore
import CRenderWatch
import Glibc
import Processes

/// Names and source lines of the frames of stacks, by binutils' addr2line where it is installed.
struct StackNames {
  private static let secondsOfOneFile = 60.0

  /// Puts names in place of what is known without the modules' own tables.
  static func resolve(_ report: inout WatchReport) {
    let frames = report.findings.flatMap { finding in
      finding.stack.enumerated().map { Key($1, isCall: isCall($0, finding)) }
    }
    var names: [Key: (name: String?, line: String?)] = [:]
    for (module, keys) in Dictionary(grouping: Set(frames), by: \.module) where !module.isEmpty {
      let keys = keys.sorted { $0.address < $1.address }
      for (key, found) in zip(keys, lookUp(keys.map(\.address), in: module)) { names[key] = found }
    }
    for index in report.findings.indices {
      let finding = report.findings[index]
      for (depth, frame) in finding.stack.enumerated() {
        let found = names[Key(frame, isCall: isCall(depth, finding))]
        let name = found?.name ?? frame.name
        report.findings[index].stack[depth].name = name.map(demangled)
        report.findings[index].stack[depth].line = found?.line
      }
    }
  }

  /// True when a frame is of an instruction behind a call: the call belongs to the instruction before it.
  private static func isCall(_ depth: Int, _ finding: WatchReport.Finding) -> Bool {
    depth > 0 || finding.kind != .denormal
  }

  private struct Key: Hashable {
    let module: String
    let address: UInt64

    init(_ frame: WatchReport.Frame, isCall: Bool) {
      module = frame.module
      address = frame.offset - (isCall && frame.offset > 0 ? 1 : 0)
    }
  }

  /// The name and line of each address, in order; empty if the program is missing.
  private static func lookUp(_ addresses: [UInt64], in module: String) -> [(name: String?, line: String?)] {
    var child = ChildProcess(["addr2line", "-f", "-e", module] + addresses.map { "0x\(String($0, radix: 16))" })
    child.limits.seconds = secondsOfOneFile
    guard let result = try? child.run(), case .exited(code: 0) = result.end else { return [] }
    let lines = ByteText.string(result.output).split(separator: "\n", omittingEmptySubsequences: false)
    return addresses.indices.map { index in
      guard lines.count > 2 * index + 1 else { return (nil, nil) }
      let name = String(lines[2 * index])
      // "path:12 (discriminator 3)"
      let line = lines[2 * index + 1].prefix { $0 != " " }
      let isKnown = !line.hasPrefix("?") && !line.hasSuffix(":?") && !line.hasSuffix(":0")
      return (name == "??" ? nil : name, isKnown ? FileName.last(of: String(line)) : nil)
    }
  }

  /// As a reader writes it, without the names of modules that all have, and of files.
  private static func demangled(_ symbol: String) -> String {
    guard let text = render_watch_demangle(symbol) else { return symbol }
    defer { free(text) }
    var name = String(cString: text)
    for module in ["Swift.", "__C."] { name = name.replacing(module, with: "") }
    // "(render in _040FC1A80AA0311474452A52DA92E4F0)"
    while let file = name.firstRange(of: " in _"), let end = name[file.upperBound...].firstIndex(of: ")"),
      let start = name[..<file.lowerBound].lastIndex(of: "(")
    {
      name.replaceSubrange(start...end, with: name[name.index(after: start)..<file.lowerBound])
    }
    return name
  }
}
