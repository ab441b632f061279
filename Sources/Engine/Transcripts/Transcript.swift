import AudioCore

/// The recorded calls, thread by thread. Without handles, addresses and wall time: two runs that do the same have the
/// same transcript, however their threads were scheduled.
package struct Transcript: Sendable {
  /// One call with those that it made.
  package struct Call: Sendable {
    package let kind: CallKind
    /// The name of the function, or what happened, with its subject: `AudioUnitRender mcmx 1`.
    package let name: String
    package let arguments: String
    package let moment: CallMoment
    package let flagsAfter: UInt32
    /// Nil: it did not come back.
    package let status: Int32?
    package let result: String
    /// When it began by the scenario's clock, seconds; nil: there is none.
    package let clockSeconds: Double?
    /// In which place among all threads' calls it began.
    package let order: Int
    package fileprivate(set) var calls: [Call] = []

    fileprivate init(_ record: CallRecord, order: Int) {
      self.order = order
      kind = CallKind(rawValue: record.kind) ?? .function
      // Whoever shares the memory may have written over it.
      let end = min(Int(record.textCount), CallRecord.textCapacity)
      let split = (0..<end).first { record.text[$0] == 0 } ?? end
      name = record.string(0..<split)
      arguments = split < end ? record.string(split + 1..<end) : ""
      result = record.string(end..<min(end + Int(record.resultCount), CallRecord.textCapacity))
      var moment = CallMoment(sampleTime: record.sampleTime)
      moment.frames = record.frames
      moment.bus = record.bus
      moment.sampleRate = record.sampleRate
      clockSeconds = record.clock > 0 ? Double(record.clock - 1) / 1e9 : nil
      moment.flags = record.hasFlags ? record.flagsBefore : nil
      self.moment = moment
      flagsAfter = record.flagsAfter
      status = record.isEnded ? record.status : nil
    }
  }

  /// The calls of one thread.
  package struct ThreadCalls: Sendable {
    /// `main`, `device`, what the program calls it, or nothing.
    package let name: String
    package let calls: [Call]
    /// In which places among all threads' calls its first and its last began.
    let span: ClosedRange<Int>
  }

  /// The main thread, the hardware's, and then the others by their names. Of threads with one name, one that ended
  /// before another began comes first; those that ran at once are ordered by their calls.
  package let threads: [ThreadCalls]
  /// Calls that came after the recorder's memory was full.
  package let lostCalls: Int
  /// Calls that were inside of more than ``mostDepth`` others: they are left out.
  package let deepCalls: Int
  /// Units in a row come to two calls each. An endless recursion would not fit onto a page, nor its tree into a stack.
  package static let mostDepth = 512

  package init(_ memory: CallMemory) {
    let names = memory.threadNames
    var nests = names.map { _ in CallNest() }
    var order = 0
    memory.forEach { record in
      order += 1
      let thread = Int(record.thread) - 1
      guard nests.indices.contains(thread) else { return }
      nests[thread].add(Call(record, order: order), depth: Int(record.depth))
    }
    lostCalls = memory.lostCalls
    deepCalls = nests.reduce(0) { $0 + $1.deepCalls }
    var byName: [String: [ThreadCalls]] = [:]
    for (name, nest) in zip(names, nests) {
      guard let span = nest.span else { continue }
      byName[name, default: []].append(ThreadCalls(name: name, calls: nest.finished(), span: span))
    }
    let ranks = ["main": 0, "device": 1]
    threads = byName.sorted { one, other in
      let (first, second) = (ranks[one.key] ?? 2, ranks[other.key] ?? 2)
      return first != second ? first < second : one.key < other.key
    }.flatMap { Self.ordered($0.value) }
  }

  /// Threads of one name.
  private static func ordered(_ threads: [ThreadCalls]) -> [ThreadCalls] {
    var together: [[ThreadCalls]] = []
    var end = Int.min
    for thread in threads.sorted(by: { $0.span.lowerBound < $1.span.lowerBound }) {
      if thread.span.lowerBound > end { together.append([]) }
      together[together.count - 1].append(thread)
      end = max(end, thread.span.upperBound)
    }
    return together.flatMap { threads in
      guard threads.count > 1 else { return threads }
      return threads.map { ($0, TranscriptText().lines(of: $0.calls).joined(separator: "\n")) }
        .sorted { $0.1 < $1.1 }.map(\.0)
    }
  }
}

/// Puts calls that come one after the other with their depths into one another.
private struct CallNest {
  private var open: [Transcript.Call] = []
  private var done: [Transcript.Call] = []
  /// The first and the last call's place in the order of all.
  private(set) var span: ClosedRange<Int>?
  private(set) var deepCalls = 0

  mutating func add(_ call: Transcript.Call, depth: Int) {
    close(downTo: depth)
    // The depth that a record states may be any number: what counts is how many calls it is inside of here.
    if open.count < Transcript.mostDepth, depth < Transcript.mostDepth { open.append(call) } else { deepCalls += 1 }
    span = (span?.lowerBound ?? call.order)...call.order
  }

  /// A call whose beginning found no room may be missing between two depths.
  private mutating func close(downTo depth: Int) {
    while open.count > depth, let call = open.popLast() {
      if open.isEmpty { done.append(call) } else { open[open.count - 1].calls.append(call) }
    }
  }

  func finished() -> [Transcript.Call] {
    var rest = self
    rest.close(downTo: 0)
    return rest.done
  }
}
