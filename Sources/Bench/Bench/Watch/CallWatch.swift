import AudioCore
import AudioEngine
import CRenderWatch

/// The library that watches this process: see `Sources/Bench/CWatcher`. For one thread.
struct CallWatch {
  private let watch: render_watch

  /// Nil where the process was started without it.
  init?() {
    guard let here = render_watch_here() else { return nil }
    watch = here.pointee
  }

  /// Told which node renders.
  var onEntry: NodeMeters.EntryHandler { watch.set_node }

  /// Watches for some kinds from here on. Which of them can be watched here.
  func begin(_ kinds: [WatchReport.Kind]) -> [WatchReport.Kind] {
    let mask = watch.begin(kinds.reduce(0) { $0 | $1.mask })
    watch.clear()
    return kinds.filter { mask & $0.mask != 0 }
  }

  /// Watches a render call.
  @inline(__always)
  func around(_ body: () throws(AudioStatus) -> Void) throws(AudioStatus) {
    watch.enter()
    defer { watch.leave() }
    try body()
  }

  /// The number of all findings.
  var count: UInt64 { withFindings { findings, _ in findings.reduce(0) { $0 + $1.count } } }

  /// - Parameters:
  ///   - nodes: by index.
  ///   - first: the count of each in the first call, in the order of the findings.
  func findings(nodes: [String], first: [UInt64]) -> (findings: [WatchReport.Finding], lost: UInt64) {
    withFindings { findings, lost in
      (
        findings.enumerated().map { index, one in
          WatchReport.Finding(one, nodes, ofFirstCall: first.indices.contains(index) ? first[index] : 0)
        }, lost
      )
    }
  }

  /// The count of each so far.
  var counts: [UInt64] { withFindings { findings, _ in findings.map(\.count) } }

  private func withFindings<Result>(_ body: (UnsafeBufferPointer<render_watch_finding>, UInt64) -> Result) -> Result {
    var first: UnsafePointer<render_watch_finding>?
    var lost: UInt64 = 0
    let count = watch.findings(&first, &lost)
    return body(UnsafeBufferPointer(start: first, count: count), lost)
  }
}

extension WatchReport.Kind {
  fileprivate var mask: UInt32 {
    switch self {
    case .allocation: UInt32(RENDER_WATCH_ALLOCATION)
    case .release: UInt32(RENDER_WATCH_RELEASE)
    case .lock: UInt32(RENDER_WATCH_LOCK)
    case .systemCall: UInt32(RENDER_WATCH_SYSTEM_CALL)
    case .denormal: UInt32(RENDER_WATCH_DENORMAL)
    }
  }
}

extension WatchReport.Finding {
  fileprivate init(_ one: render_watch_finding, _ nodes: [String], ofFirstCall first: UInt64) {
    let name = withUnsafeBytes(of: one.name) { ByteText.string($0.prefix { $0 != 0 }) }
    let kind = WatchReport.Kind.allCases.first { $0.mask == one.kind } ?? .systemCall
    let stack = withUnsafeBytes(of: one.stack) { bytes in
      bytes.bindMemory(to: UnsafeRawPointer?.self).prefix(Int(one.depth)).map { WatchReport.Frame($0) }
    }
    self.init(
      kind: kind, node: nodes.indices.contains(Int(one.node)) ? nodes[Int(one.node)] : nil,
      function: kind == .systemCall && name.isEmpty ? "number \(one.number)" : name, count: one.count,
      bytes: one.amount,
      isOfFirstCallAlone: one.count == first, stack: stack)
  }
}

extension WatchReport.Frame {
  fileprivate init(_ address: UnsafeRawPointer?) {
    var module: UnsafePointer<CChar>?
    var symbol: UnsafePointer<CChar>?
    var offset: UInt64 = 0
    guard render_watch_locate(address, &module, &offset, &symbol), let module else {
      self.init(module: "", offset: UInt64(UInt(bitPattern: address)))
      return
    }
    let path = String(cString: module)
    // The program is called as it was started.
    self.init(
      module: path.contains("/") ? path : FileSystem.aim(ofLink: "/proc/self/exe") ?? path, offset: offset,
      name: symbol.map { String(cString: $0) })
  }
}
