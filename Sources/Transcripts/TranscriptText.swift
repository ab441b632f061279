import AudioCore

extension Transcript {
  /// The transcript as it is printed and kept: a line for each call, indented by the calls that it is inside of.
  ///
  /// What a thread does over and over, as the cycles of a device, stands once, with how often it comes again: nothing is left out
  /// by that, as the lines say by how many frames each is later than the one before.
  ///
  /// - Parameter folds: false: a line for each call, however often it comes again.
  package func text(folds: Bool = true) -> String {
    var lines = ["aubench transcript 1"]
    for thread in threads {
      lines.append("")
      lines.append(thread.name.isEmpty ? "thread" : "thread \(thread.name)")
      let texts = TranscriptText(folds: folds).lines(of: thread.calls)
      lines += texts.map { "  " + $0 }
    }
    if lostCalls > 0 {
      lines += ["", "\(lostCalls) calls more, for which there was no room"]
    }
    return lines.joined(separator: "\n") + "\n"
  }
}

/// Calls as lines.
struct TranscriptText {
  /// Whether what comes again stands once.
  var folds = true

  /// As many calls are tried as what comes again.
  private static let longestPeriod = 16

  /// - Parameter start: sample times are told as what lies between it and them; nil: as they are.
  func lines(of calls: [Transcript.Call], from start: Double? = nil) -> [String] {
    folds && calls.count > 1 ? foldedLines(of: calls, from: start) : calls.flatMap { lines(of: $0, from: start) }
  }

  private func lines(of call: Transcript.Call, from start: Double?) -> [String] {
    [Self.line(of: call, from: start)] + lines(of: call.calls, from: start).map { "  " + $0 }
  }

  /// The call without its time: calls of a clock of their own are told from one another by it.
  fileprivate static func lane(of call: Transcript.Call) -> String {
    call.moment.bus >= 0 ? "\(call.name), bus \(call.moment.bus)" : call.name
  }

  fileprivate static func line(of call: Transcript.Call, from start: Double?, tellsTime: Bool = true) -> String {
    var text = lane(of: call)
    let moment = call.moment
    if tellsTime, !moment.sampleTime.isNaN { text += ", time \(number(moment.sampleTime - (start ?? 0)))" }
    if moment.frames >= 0 { text += ", \(moment.frames) frames" }
    if !call.arguments.isEmpty { text += ": \(call.arguments)" }
    if let flags = moment.flags, flags != 0 || call.flagsAfter != 0 {
      text += flags == call.flagsAfter ? ", \(names(flags))" : ", \(names(flags)) to \(names(call.flagsAfter))"
    }
    if !call.result.isEmpty { text += " = \(call.result)" }
    switch call.status {
    case nil: text += " → did not return"
    case 0: break
    case let status?: text += " → \(AudioStatus(status))"
    }
    return VisibleText.name(text)
  }

  private static func number(_ value: Double) -> String {
    Int64(exactly: value).map(String.init) ?? "\(value)"
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

  // MARK: What comes again

  /// How the times of calls that come again are later.
  private enum Advance: Equatable {
    /// They have no times.
    case none
    /// All by as many frames.
    case by(frames: Double)
    /// Each begins where the one before it of its lane has ended: clocks of several rates.
    case onward
  }

  private func foldedLines(of calls: [Transcript.Call], from start: Double?) -> [String] {
    let trees = CallTree.trees(of: calls, self, hasLanes: start == nil)
    var result: [String] = []
    var place = 0
    while place < trees.count {
      guard let (period, count, advance) = Self.repetition(trees, from: place) else {
        result += lines(of: calls[place], from: start)
        place += 1
        continue
      }
      for call in calls[place..<place + period] { result += lines(of: call, from: start) }
      let what = period == 1 ? "… again" : "… these \(period) again"
      let times = count == 2 ? "once" : "\(count - 1) times"
      switch advance {
      case .none: result.append("\(what) \(times)")
      case .by(let frames): result.append("\(what) \(times), each \(Self.number(frames)) frames later")
      case .onward: result.append("\(what) \(times), each from the end of the one before")
      }
      place += period * count
    }
    return result
  }

  /// The calls from `place` on that come again at once: how many they are, how often they are there, and how their times are later.
  /// Of several, what covers the most.
  private static func repetition(_ trees: [CallTree], from place: Int) -> (period: Int, count: Int, Advance)? {
    var best: (period: Int, count: Int, advance: Advance)?
    for period in 1...longestPeriod where place + 2 * period <= trees.count {
      for candidate in [later(trees, from: place, period), onward(trees, from: place, period)] {
        let (count, advance) = candidate
        // Two of a kind are read as fast as the line that would stand for one of them.
        let lineCount = trees[place..<place + period].reduce(0) { $0 + $1.lines.count }
        guard count > 1, (count - 1) * lineCount > 1, period * count > (best.map { $0.period * $0.count } ?? 0) else {
          continue
        }
        best = (period, count, advance)
      }
    }
    return best
  }

  /// How often the calls are there with all times later by one number of frames, which the first two that have a time say.
  private static func later(_ trees: [CallTree], from place: Int, _ period: Int) -> (count: Int, Advance) {
    var shift: Double?
    func isSame(_ tree: CallTree, _ former: CallTree) -> Bool {
      guard tree.lines == former.lines else { return false }
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

  /// How often they are there with each time where the one before it of its lane has ended.
  private static func onward(_ trees: [CallTree], from place: Int, _ period: Int) -> (count: Int, Advance) {
    (count(trees, from: place, period) { $0.goesOn && $0.timelessLines == $1.timelessLines }, .onward)
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

/// A call and those inside of it, as what comes again is found by.
private struct CallTree {
  /// Told from its own time on.
  let lines: [String]
  /// Without times.
  private(set) var timelessLines: [String] = []
  /// The first time in it; nil: nothing in it has a time.
  let start: Double?
  /// Whether each call that has a time begins where the one before it of its lane has ended.
  private(set) var goesOn = false

  /// - Parameter hasLanes: whether these are all calls of a thread, so that the one before is known.
  static func trees(of calls: [Transcript.Call], _ text: TranscriptText, hasLanes: Bool) -> [CallTree] {
    var ends: [String: Double] = [:]
    return calls.map { call in
      var tree = CallTree(call, text)
      guard hasLanes, tree.start != nil else { return tree }
      tree.goesOn = true
      tree.walk(call, depth: 0, &ends)
      return tree
    }
  }

  private init(_ call: Transcript.Call, _ text: TranscriptText) {
    start = Self.firstTime(call)
    lines = text.lines(of: [call], from: start)
  }

  private mutating func walk(_ call: Transcript.Call, depth: Int, _ ends: inout [String: Double]) {
    timelessLines.append(
      String(repeating: "  ", count: depth) + TranscriptText.line(of: call, from: nil, tellsTime: false))
    if !call.moment.sampleTime.isNaN {
      let lane = TranscriptText.lane(of: call)
      if ends[lane] != call.moment.sampleTime || call.moment.frames < 0 { goesOn = false }
      ends[lane] = call.moment.sampleTime + Double(max(0, call.moment.frames))
    }
    for inner in call.calls { walk(inner, depth: depth + 1, &ends) }
  }

  private static func firstTime(_ call: Transcript.Call) -> Double? {
    if !call.moment.sampleTime.isNaN { return call.moment.sampleTime }
    for inner in call.calls {
      if let time = firstTime(inner) { return time }
    }
    return nil
  }
}
