extension WatchReport {
  /// The findings with those merged that look alike to a reader, the most frequent first. All denormals of a function
  /// are one finding, whichever of its instructions meet them.
  package var merged: [Finding] {
    struct Key: Hashable {
      let kind: Kind
      let node: String?
      let function: String
      let stack: [String]
    }
    var merged: [Finding] = []
    var places: [Key: Int] = [:]
    for finding in findings {
      let stack = finding.stack.map { frame in
        frame.name.map { finding.kind == .denormal ? $0 : "\($0) \(frame.line ?? "")" }
          ?? "\(frame.module) \(frame.offset)"
      }
      let key = Key(
        kind: finding.kind, node: finding.node, function: finding.function,
        stack: finding.kind == .denormal ? Array(stack.prefix(1)) : stack)
      if let place = places[key] {
        merged[place].count += finding.count
        merged[place].bytes += finding.bytes
        merged[place].isOfFirstCallAlone = merged[place].isOfFirstCallAlone && finding.isOfFirstCallAlone
      } else {
        places[key] = merged.count
        merged.append(finding)
      }
    }
    return merged.sorted { $0.count > $1.count }
  }
}
