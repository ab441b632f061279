import AudioCore

extension Transcript {
  /// The beginning of every text, in front of its version.
  package static let beginning = "aubench transcript"
  /// The version of such a text's form.
  package static let version = 1

  /// The version that a text says; nil for what is no transcript.
  package static func version(of text: some Collection<UInt8>) -> Int? {
    let line = text.prefix { $0 != 0x0A && $0 != 0x0D }
    guard line.starts(with: (beginning + " ").utf8) else { return nil }
    return Int(String(decoding: line.dropFirst(beginning.utf8.count + 1).prefix(20), as: UTF8.self))
  }

  /// The transcript as it is printed and kept: a line for each call, indented by the calls that it is inside of.
  ///
  /// Calls that a thread repeats, as the cycles of a device, are shown once, with their number: nothing is lost, as the
  /// lines have the frames by which each is later than the one before.
  ///
  /// - Parameter folds: false: a line for each call, however often it comes again.
  package func text(folds: Bool = true) -> String {
    var lines = ["\(Self.beginning) \(Self.version)"]
    for thread in threads {
      lines.append("")
      lines.append(thread.name.isEmpty ? "thread" : "thread \(thread.name)")
      let texts = TranscriptText(folds: folds).lines(of: thread.calls)
      lines += texts.map { "  " + $0 }
    }
    if lostCalls > 0 {
      lines += ["", "\(NumberText.count(lostCalls, "call")) more, for which there was no room"]
    }
    if deepCalls > 0 {
      lines += ["", "\(NumberText.count(deepCalls, "call")) more, inside of \(Self.mostDepth) others or more"]
    }
    return lines.joined(separator: "\n") + "\n"
  }
}

/// Calls as lines.
struct TranscriptText {
  /// True when repeated calls are shown once.
  var folds = true

  /// As many calls are tried as what comes again.
  private static let longestPeriod = 16

  func lines(of calls: [Transcript.Call]) -> [String] { lines(of: calls, isThread: true).map(\.text) }

  /// - Parameter isThread: true if these are all calls of a thread, so that the one before is known.
  private func lines(of calls: [Transcript.Call], isThread: Bool) -> [TranscriptLine] {
    let trees = CallTree.trees(of: calls, isThread: isThread) { call in
      [Self.line(of: call)] + lines(of: call.calls, isThread: false).map(\.indented)
    }
    return folds && trees.count > 1 ? foldedLines(of: trees) : trees.flatMap(\.lines)
  }

  /// The call without its time, which identifies calls of a clock of their own.
  fileprivate static func lane(of call: Transcript.Call) -> String {
    call.moment.bus >= 0 ? "\(call.name), bus \(call.moment.bus)" : call.name
  }

  fileprivate static func line(of call: Transcript.Call) -> TranscriptLine {
    let moment = call.moment
    var text = ""
    if moment.frames >= 0 { text += ", \(NumberText.count(moment.frames, "frame"))" }
    if !call.arguments.isEmpty { text += ": \(call.arguments)" }
    if let flags = moment.flags, flags != 0 || call.flagsAfter != 0 {
      text += flags == call.flagsAfter ? ", \(names(flags))" : ", \(names(flags)) to \(names(call.flagsAfter))"
    }
    if !call.result.isEmpty, call.status == 0 { text += " = \(call.result)" }
    switch call.status {
    case nil: text += " → did not return"
    case 0: break
    case let status?: text += " → \(AudioStatus(status))\(call.result.isEmpty ? "" : ": \(call.result)")"
    }
    return TranscriptLine(lane(of: call), time: moment.sampleTime.isNaN ? nil : moment.sampleTime, text)
  }

  /// The flags of a render call by the names of AUComponent.h.
  private static func names(_ flags: UInt32) -> String {
    let known: [(UInt32, String)] = [
      (1 << 2, "PreRender"), (1 << 3, "PostRender"), (1 << 4, "OutputIsSilence"), (1 << 5, "Preflight"),
      (1 << 6, "OfflineRender"), (1 << 7, "Complete"), (1 << 8, "PostRenderError"), (1 << 9, "DoNotCheckRenderArgs"),
    ]
    var names = known.filter { flags & $0.0 != 0 }.map(\.1)
    let rest = flags & ~known.reduce(0) { $0 | $1.0 }
    if rest != 0 { names.append("0x" + String(rest, radix: 16)) }
    return names.isEmpty ? "no flags" : names.joined(separator: "+")
  }

  // MARK: Repeated calls

  /// The way in which times of repeated calls advance.
  private enum Advance: Equatable {
    /// They have no times.
    case none
    /// All by as many frames.
    case by(frames: Double)
    /// Each begins where the one before it of its lane has ended: clocks of several rates.
    case onward
  }

  private func foldedLines(of trees: [CallTree]) -> [TranscriptLine] {
    var result: [TranscriptLine] = []
    var place = 0
    while place < trees.count {
      guard let (period, count, advance) = Self.repetition(trees, from: place) else {
        result += trees[place].lines
        place += 1
        continue
      }
      for tree in trees[place..<place + period] { result += tree.lines }
      let what = period == 1 ? "… again" : "… these \(period) again"
      let times = count == 2 ? "once" : "\(count - 1) times"
      switch advance {
      case .none: result.append(TranscriptLine("\(what) \(times)"))
      case .by(let frames):
        result.append(
          TranscriptLine("\(what) \(times), each \(NumberText.count(TranscriptLine.number(frames), "frame")) later"))
      case .onward: result.append(TranscriptLine("\(what) \(times), each from the end of the one before"))
      }
      place += period * count
    }
    return result
  }

  /// The calls from `place` on that are repeated at once: their number, the number of repeats, and the advance of their
  /// times. Of several repetitions, the one that covers the most.
  private static func repetition(_ trees: [CallTree], from place: Int) -> (period: Int, count: Int, Advance)? {
    var best: (period: Int, count: Int, advance: Advance)?
    for period in 1...longestPeriod where place + 2 * period <= trees.count {
      for candidate in [later(trees, from: place, period), onward(trees, from: place, period)] {
        let (count, advance) = candidate
        // Two lines of a kind are read as fast as the line that would replace one of them.
        let lineCount = trees[place..<place + period].reduce(0) { $0 + $1.lines.count }
        guard count > 1, (count - 1) * lineCount > 1, period * count > (best.map { $0.period * $0.count } ?? 0) else {
          continue
        }
        best = (period, count, advance)
      }
    }
    return best
  }

  /// The number of repeats with all times later by one number of frames, that of the first two that have a time.
  private static func later(_ trees: [CallTree], from place: Int, _ period: Int) -> (count: Int, Advance) {
    var shift: Double?
    func isSame(_ tree: CallTree, _ former: CallTree) -> Bool {
      guard tree.isSame(as: former) else { return false }
      guard let start = tree.start, let formerStart = former.start else {
        return tree.start == nil && former.start == nil
      }
      if let shift { return start - formerStart == shift }
      shift = start - formerStart
      return true
    }
    let count = count(trees, from: place, period, isSame)
    return (count, shift.map { .by(frames: $0) } ?? .none)
  }

  /// The number of repeats with each time at the end of the one before it in its lane.
  private static func onward(_ trees: [CallTree], from place: Int, _ period: Int) -> (count: Int, Advance) {
    (count(trees, from: place, period) { $0.goesOn && $0.hasSameTexts(as: $1) }, .onward)
  }

  private static func count(
    _ trees: [CallTree], from place: Int, _ period: Int, _ isSame: (CallTree, CallTree) -> Bool
  ) -> Int {
    var count = 1
    while place + (count + 1) * period <= trees.count,
      (0..<period).allSatisfy({
        isSame(trees[place + $0 + count * period], trees[place + $0 + (count - 1) * period])
      })
    { count += 1 }
    return count
  }
}

/// A line, whose time is kept apart from its text.
private struct TranscriptLine {
  private let beginning: String
  let time: Double?
  private let rest: String
  private var depth = 0

  init(_ beginning: String, time: Double? = nil, _ rest: String = "") {
    self.beginning = beginning
    self.time = time
    self.rest = rest
  }

  var indented: TranscriptLine {
    var line = self
    line.depth += 1
    return line
  }

  var text: String {
    String(repeating: "  ", count: depth)
      + VisibleText.name(beginning + (time.map { ", time \(Self.number($0))" } ?? "") + rest)
  }

  func hasSameText(as other: TranscriptLine) -> Bool {
    depth == other.depth && beginning == other.beginning && rest == other.rest
  }

  static func number(_ value: Double) -> String { Int64(exactly: value).map(String.init) ?? "\(value)" }
}

/// A call and those inside of it, as what comes again is found by.
private struct CallTree {
  /// As they are printed.
  let lines: [TranscriptLine]
  /// The first time in it; nil: nothing in it has a time.
  let start: Double?
  /// True when each call that has a time begins where the one before it in its lane has ended.
  private(set) var goesOn = false

  static func trees(
    of calls: [Transcript.Call], isThread: Bool, _ lines: (Transcript.Call) -> [TranscriptLine]
  ) -> [CallTree] {
    var ends: [String: Double] = [:]
    return calls.map { call in
      var tree = CallTree(lines(call))
      guard isThread, tree.start != nil else { return tree }
      tree.goesOn = true
      tree.walk(call, &ends)
      return tree
    }
  }

  private init(_ lines: [TranscriptLine]) {
    self.lines = lines
    start = lines.lazy.compactMap(\.time).first
  }

  func hasSameTexts(as other: CallTree) -> Bool {
    lines.count == other.lines.count && zip(lines, other.lines).allSatisfy { $0.hasSameText(as: $1) }
  }

  /// True when both are the same but for a shift of all times.
  func isSame(as other: CallTree) -> Bool {
    hasSameTexts(as: other)
      && zip(lines, other.lines).allSatisfy { line, former in
        line.time.map { $0 - (start ?? 0) } == former.time.map { $0 - (other.start ?? 0) }
      }
  }

  private mutating func walk(_ call: Transcript.Call, _ ends: inout [String: Double]) {
    if !call.moment.sampleTime.isNaN {
      let lane = TranscriptText.lane(of: call)
      if ends[lane] != call.moment.sampleTime || call.moment.frames < 0 { goesOn = false }
      ends[lane] = call.moment.sampleTime + Double(max(0, call.moment.frames))
    }
    for inner in call.calls { walk(inner, &ends) }
  }
}
