import AudioCore
import Glibc
import GraphMeasurement
import Measurement

/// The output does not depend on how the render is partitioned: slices and threads.
///
/// ```json
/// {
///   "id": "slices",
///   "device": { "unit": "reverb" },
///   "stimulus": { "type": "noise", "frames": 4800 },
///   "checks": [{ "check": "slices", "frames": [1, 64], "threads": [1] }]
/// }
/// ```
package struct SlicesCheck: SuiteCheck {
  package var id = "slices"
  private let sizes: [Int]
  private let threads: [Int]

  package static let kind = CheckKind(
    "slices", "Slice lengths and numbers of threads are not heard. Skipped for commands.",
    keys: [framesKey, threadsKey])

  /// A word in place of {slice} that a program which reads it refuses.
  private static let noNumber = "no-number"
  private static let framesKey = JSONKey("frames", .integers(in: 1...(1 << 20)), initial: [1, 37, 1500], "Of a slice.")
  private static let threadsKey = JSONKey("threads", .integers(in: 1...256), initial: [1, 2], "That render it.")

  package init(_ object: inout JSONObject, _ reader: CheckReader) throws(BenchError) {
    sizes = try object.take(Self.framesKey)
    threads = try object.take(Self.threadsKey)
  }

  /// - Parameter sizes: frames of a slice, 1 and more each.
  package init(sizes: [Int], threads: [Int]) {
    precondition(!sizes.isEmpty && !threads.isEmpty && (sizes + threads).allSatisfy { $0 >= 1 })
    self.sizes = sizes
    self.threads = threads
  }

  package func run(_ context: CheckContext) throws(BenchError) -> CheckOutcome {
    let expected = "the same bits in slices of \(sizes.map(String.init).joined(separator: ", ")) frames"
    guard let device = context.device as? any PartitionableDevice, device.canBePartitioned else {
      return CheckOutcome(
        id, .skipped,
        found:
          "the device has no setting for slices or threads: a scenario says how its graph is pulled; a command may take {slice} as a word",
        expected: expected)
    }
    let output = try context.output()
    if let command = context.device as? CommandDevice,
      let same = try? command.process(try context.input(), sliceWord: Self.noNumber),
      context.difference(id, same, from: output, expected: expected) == nil
    {
      return .nothingChecked(
        id, "the command takes no notice of {slice}: it gives the same for \"\(Self.noNumber)\"", expected: expected)
    }
    // The same slice length on as many threads is the same render: comparing it shows nothing.
    func places(_ partition: RenderPartition) throws(BenchError) -> [Int] {
      let frames = max(try context.input().frameCount, output.frameCount)
      return [min(try device.sliceFrames(of: partition) ?? frames, frames), partition.threads]
    }
    var known: Set<[Int]> = [try places(device.standardPartition)]
    for size in sizes {
      for count in threads {
        let partition = RenderPartition(sliceFrames: size, threads: count)
        guard known.insert(try places(partition)).inserted else { continue }
        let other = try device.process(try context.input(), partition: partition)
        let how =
          "slices of \(NumberText.count(size, "frame")) on \(NumberText.count(count, "thread")) sound different: "
        guard let outcome = context.difference(id, other, from: output, how: how, expected: expected) else { continue }
        context.expected = output
        let frames = output.frameCount
        context.firstDifferentNode = try NodeDigests(of: context, partition: partition, frames: frames)
          .firstDifferent(from: NodeDigests(of: context, frames: frames).nodes)
        return outcome
      }
    }
    guard known.count > 1 else {
      return .nothingChecked(id, "each partition is the one that is rendered anyway", expected: expected)
    }
    return CheckOutcome(id, .passed, found: "the same bits", expected: expected)
      .examining(output, renders: known.count - 1)
  }
}

/// A device that was used and reset does what a new one does.
///
/// ```json
/// {
///   "id": "reset",
///   "device": { "unit": "delay", "set": { "delayTime": 0.01 } },
///   "stimulus": { "type": "noise", "frames": 4800 },
///   "checks": [{ "check": "reset" }]
/// }
/// ```
package struct ResetCheck: SuiteCheck {
  package var id = "reset"

  package static let kind = CheckKind(
    "reset", "After a reset the device does what a new one does; a command does the same when it runs again.")

  package init(_ object: inout JSONObject, _ reader: CheckReader) throws(BenchError) {}

  package init() {}

  package func run(_ context: CheckContext) throws(BenchError) -> CheckOutcome {
    let expected = "after a reset the same bits as new"
    let output = try context.output()
    if let device = context.device as? any ResettableDevice, device.canReset {
      let again = try device.processAfterReset(try context.input())
      return judged(again, output, expected: expected, context)
    }
    guard let graph = context.device as? any GraphBacked else {
      return try runAgain(output, context)
    }
    let session = try graph.session()
    // Reset in mid-sound: what has rung out by itself would show nothing.
    func renderedBehindReset() throws(BenchError) -> AudioSignal {
      session.outputFrames = Int64(max(1, output.frameCount / 2))
      _ = try session.process(try context.input(), partition: nil)
      session.outputFrames = Int64(output.frameCount)
      return try session.processAgain()
    }
    var outcome = judged(try renderedBehindReset(), output, expected: expected, context)
    if !outcome.verdict.isGood {
      let order = try session.nodeOrder()
      let fresh = try graph.session()
      (fresh.tappedNodes, session.tappedNodes) = (order, order)
      fresh.outputFrames = session.outputFrames
      _ = try fresh.process(try context.input(), partition: nil)
      _ = try renderedBehindReset()
      context.firstDifferentNode = order.first { session.taps[$0] != fresh.taps[$0] } ?? NodeDigests.renderer
      outcome.found = "the render behind the reset sounds different: \(outcome.found)"
    }
    return outcome
  }

  /// A command is a new process each time: only the same result can be required, at once, a moment later and in the
  /// next second of the clock.
  private func runAgain(_ output: AudioSignal, _ context: CheckContext) throws(BenchError) -> CheckOutcome {
    var outcome = CheckOutcome(id, .skipped, found: "", expected: "")
    for wait in context.device is CommandDevice ? Wait.allCases : [.none] {
      wait.pass()
      let again = try context.device.process(try context.input())
      outcome = judged(again, output, expected: "the same bits when it runs again", context)
      guard outcome.verdict.isGood else { return outcome }
      outcome.examined?.renders = Wait.allCases.firstIndex(of: wait).map { $0 + 1 }
    }
    return outcome
  }

  /// The time between two runs of a command.
  private enum Wait: CaseIterable {
    case none, moment, nextSecond

    func pass() {
      var time = timespec()
      clock_gettime(CLOCK_REALTIME, &time)
      switch self {
      case .none: break
      case .moment: usleep(37_000)
      case .nextSecond: usleep(UInt32(clamping: (1_000_000_000 - time.tv_nsec) / 1000 + 21_000))
      }
    }
  }

  private func judged(
    _ actual: AudioSignal, _ output: AudioSignal, expected: String, _ context: CheckContext
  ) -> CheckOutcome {
    guard let outcome = context.difference(id, actual, from: output, expected: expected) else {
      return CheckOutcome(id, .passed, found: "the same bits", expected: expected).examining(output, renders: 1)
    }
    context.expected = output
    return outcome
  }
}

/// The output does not depend on what the program rendered before: other cases first, then this one, in one process.
///
/// ```json
/// {
///   "id": "order",
///   "device": { "unit": "distortion" },
///   "stimulus": { "type": "noise", "frames": 4800 },
///   "checks": [{ "check": "order", "seed": 7, "others": 2 }]
/// }
/// ```
struct OrderCheck: SuiteCheck {
  var id = "order"
  private let seed: UInt64
  private let most: Int

  static let kind = CheckKind(
    "order", "The output is the same after other cases have been rendered in the same process.",
    keys: [seedKey, othersKey])

  private static let seedKey = JSONKey(
    "seed", JSONForm<Int64>.integer(in: 0...(1 << 53)), initial: 1, "Chooses which, and in which order.")
  private static let othersKey = JSONKey(
    "others", JSONForm<Int>.count(in: 1...1000), initial: 4, "At most so many other cases.")

  init(_ object: inout JSONObject, _ reader: CheckReader) throws(BenchError) {
    seed = UInt64(try object.take(Self.seedKey))
    most = try object.take(Self.othersKey)
  }

  func run(_ context: CheckContext) throws(BenchError) -> CheckOutcome {
    let expected = "the same bits after other cases have run in the same process"
    // Rendered first, in a process that has rendered nothing yet.
    let output = try context.output()
    var generator = SplitMix64(seed: seed)
    var others = context.others.filter { $0.id != context.subject.id && !$0.device.isCommand }
    others.shuffle(using: &generator)
    var names: [String] = []
    for other in others.prefix(most) {
      // An error of another case is reported by that case.
      guard let device = try? other.device.make(playsItself: other.stimulus == nil) else { continue }
      let neighbour = CheckContext(CheckSubject(other), device: device, goldens: context.goldens)
      if (try? neighbour.output()) != nil { names.append(other.name) }
    }
    guard !names.isEmpty else {
      return CheckOutcome(
        id, .skipped, found: "the suite has no other case of a unit or a graph", expected: expected)
    }
    let again = try context.device.process(try context.input())
    let how = "after \(names.joined(separator: ", ")): "
    return context.difference(id, again, from: output, how: how, expected: expected)
      ?? CheckOutcome(
        id, .passed, found: "the same bits after \(names.count) other cases", expected: expected
      ).examining(output, renders: 1)
  }
}
