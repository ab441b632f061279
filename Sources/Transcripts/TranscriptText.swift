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

  private static func line(of call: Transcript.Call, from start: Double?) -> String {
    var text = call.name
    let moment = call.moment
    if moment.bus >= 0 { text += ", bus \(moment.bus)" }
    if !moment.sampleTime.isNaN { text += ", time \(number(moment.sampleTime - (start ?? 0)))" }
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

  /// A call and those inside of it, told from its own time on.
  private struct Tree {
    let lines: [String]
    /// Nil: nothing in it has a time.
    let start: Double?

    init(_ call: Transcript.Call, _ text: TranscriptText) {
      start = Self.firstTime(call)
      lines = text.lines(of: call, from: start)
    }

    private static func firstTime(_ call: Transcript.Call) -> Double? {
      if !call.moment.sampleTime.isNaN { return call.moment.sampleTime }
      for inner in call.calls {
        if let time = firstTime(inner) { return time }
      }
      return nil
    }
  }

  private func foldedLines(of calls: [Transcript.Call], from start: Double?) -> [String] {
    let trees = calls.map { Tree($0, self) }
    var result: [String] = []
    var place = 0
    while place < trees.count {
      guard let (period, count, shift) = Self.repetition(trees, from: place) else {
        result += lines(of: calls[place], from: start)
        place += 1
        continue
      }
      for call in calls[place..<place + period] { result += lines(of: call, from: start) }
      let what = period == 1 ? "… again" : "… these \(period) again"
      let times = count == 2 ? "once" : "\(count - 1) times"
      result.append(shift.map { "\(what) \(times), each \(Self.number($0)) frames later" } ?? "\(what) \(times)")
      place += period * count
    }
    return result
  }

  /// The calls from `place` on that come again at once: how many they are, how often they are there, and by how much each time is
  /// later. Of several, what covers the most.
  private static func repetition(_ trees: [Tree], from place: Int) -> (period: Int, count: Int, shift: Double?)? {
    var best: (period: Int, count: Int, shift: Double?)?
    for period in 1...longestPeriod where place + 2 * period <= trees.count {
      var shift: Double??
      var count = 1
      while place + (count + 1) * period <= trees.count,
        (0..<period).allSatisfy({
          isSame(trees[place + $0 + count * period], trees[place + $0 + (count - 1) * period], &shift)
        })
      { count += 1 }
      // Two of a kind are read as fast as the line that would stand for one of them.
      let lineCount = trees[place..<place + period].reduce(0) { $0 + $1.lines.count }
      guard count > 1, (count - 1) * lineCount > 1, period * count > (best.map { $0.period * $0.count } ?? 0) else {
        continue
      }
      best = (period, count, shift ?? nil)
    }
    return best
  }

  /// Whether a call is another one, later by a shift that is found with the first two that have a time.
  private static func isSame(_ tree: Tree, _ former: Tree, _ shift: inout Double??) -> Bool {
    guard tree.lines == former.lines else { return false }
    guard let start = tree.start, let formerStart = former.start else {
      return tree.start == nil && former.start == nil
    }
    if let shift, let shift { return start - formerStart == shift }
    shift = .some(start - formerStart)
    return true
  }
}
