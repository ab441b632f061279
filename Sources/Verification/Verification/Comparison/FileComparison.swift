import AudioCore
import BatchRender
import Measurement
import SoundFile

/// Compares two sound files, block by block: memory does not grow with their length, but for the comparators that must
/// see the whole signals, which are loaded up to a limit.
public struct FileComparison {
  /// The comparators that decide, and files to write.
  public struct Options {
    /// The comparators that decide. None: exact equality.
    public var comparators: [any SignalComparator] = []
    /// The path for actual − expected, as float32; nil: it is not written. Written whole or not at all.
    public var differencePath: String?
    /// True when a file at ``differencePath`` is replaced; otherwise an existing file is an error.
    public var replacesDifference = true
    /// The files whose commit the difference waits for; nil: it gets its name at once.
    package var outputs: OutputFiles?
    /// Seconds of a window of the residual that is always measured.
    public var window = ResidualComparator.defaultWindow
    /// Samples (frames × channels) of one file that may be loaded for comparators that see whole signals.
    public var loadedSampleLimit: Int64 = 1 << 26
    /// Called some times a second; the comparison goes on while it answers true.
    public var progress: ((RenderProgress) -> Bool)?
    /// Exact equality, and no file of the difference.
    public init() {}
  }

  /// The findings of a comparison of two files.
  public struct Report: Sendable {
    /// The file that is judged.
    public var actual: SoundFileInfo
    /// The file that it is compared with.
    public var expected: SoundFileInfo
    /// The outcomes that decide: `shape` or `finite` alone if samples cannot be compared, else one per comparator.
    public var outcomes: [CheckOutcome]
    /// Exact, units in the last place and residual where they do not decide: of the frames that both files have. None
    /// where the files differ in rate or channels, or a sample of either is not finite.
    public var information: [CheckOutcome]
    /// Frames that the information is about.
    public var comparedFrames: Int64
    /// The difference file that was written; nil: none was.
    public var difference: SoundFileWriteReport?
    /// Sentences: why there is no difference file; samples that are not finite, by file.
    public var remarks: [String]
    /// Wall-clock time of the whole comparison.
    public var elapsedSeconds: Double

    /// True when all of ``outcomes`` passed or were skipped.
    public var isSame: Bool { outcomes.allSatisfy { $0.verdict.isGood } }
  }

  /// - Parameters:
  ///   - actual: the file that is judged.
  ///   - expected: the file that it is compared with.
  ///   - options: how they are compared.
  /// - Throws: `.input` for a file that cannot be read, or is too long to be loaded; `.output` for the difference;
  /// `.usage` for a difference that would replace a file under comparison; `.interrupted`.
  public static func compare(
    _ actual: String, with expected: String, options: Options = Options()
  ) throws(BenchError) -> Report {
    var run = try FileComparisonRun(actual, expected, options)
    return try run.report()
  }

  /// Reads a whole file.
  ///
  /// - Parameters:
  ///   - path: the file.
  ///   - sampleLimit: frames × channels that it may have.
  /// - Throws: `.input` for a file that cannot be read, or is longer; `.usage` where it would take more memory than it
  /// may.
  public static func load(_ path: String, sampleLimit: Int64 = 1 << 26) throws(BenchError) -> AudioSignal {
    let info = try SoundFileReader(path: path).info
    guard info.frameCount <= sampleLimit / Int64(info.channelCount) else {
      let seconds = ComparisonText.fixed(Double(sampleLimit) / Double(info.channelCount) / info.sampleRate, 0)
      throw BenchError(
        .input, at: path,
        "is too long for a comparison that needs the whole of it: \(NumberText.count(info.frameCount, "frame")) of "
          + "\(NumberText.count(info.channelCount, "channel")), where at most \(NumberText.count(sampleLimit, "sample")) "
          + "(\(seconds) s) are loaded",
        advice: "compare parts of it, or by --exact, --ulps, --peak, --rms or --relative alone")
    }
    return try AudioSignal(contentsOf: path, maximumFrames: .max)
  }
}

/// One comparison under way.
private struct FileComparisonRun {
  private let options: FileComparison.Options
  private let actual: SoundFileReader
  private let expected: SoundFileReader
  private let shape: SignalShape
  private let mismatch: CheckOutcome?
  private let comparators: [any SignalComparator]
  private let clock = Stopwatch()
  private var nonFinite: NonFiniteSample?
  private var comparedFrames: Int64 = 0
  /// Those that decide, given the expected signal 20 dB quieter: a limit that it keeps tells nothing.
  private var quieter: [any ComparisonAccumulator] = []
  /// True when a sample of the expected signal is not 0.
  private var hasSound = false
  private var difference: SoundFileWriter?
  /// The channel of the expected file that has the label of number n of the actual one; nil: their order is the same.
  private let expectedOrder: [Int]?
  private let layoutRemark: String?

  init(_ actualPath: String, _ expectedPath: String, _ options: FileComparison.Options) throws(BenchError) {
    self.options = options
    comparators = options.comparators.isEmpty ? [ExactComparator()] : options.comparators
    actual = try SoundFileReader(path: actualPath)
    expected = try SoundFileReader(path: expectedPath)
    (actual.nonFinitePolicy, expected.nonFinitePolicy) = (.keep, .keep)
    (expectedOrder, layoutRemark) = Self.matching(actual.info.layout, expected.info.layout)
    let found = Self.shape(actual.info)
    let wanted = Self.shape(expected.info)
    mismatch = found.mismatch(expected: wanted, id: "shape")
    shape = SignalShape(
      sampleRate: found.sampleRate, channelCount: found.channelCount,
      frameCount: min(found.frameCount, wanted.frameCount))
    if let path = options.differencePath {
      if let place = FileIdentity.node(path),
        [actualPath, expectedPath].contains(where: { FileIdentity.node($0) == place })
      {
        throw BenchError(.usage, at: path, "the difference would replace a file that is compared")
      }
      let format = try SoundFileFormat(path: path, encoding: "float32")
      guard mismatch == nil else { return }
      var writing = SoundFileWriterOptions(overwrites: options.replacesDifference)
      writing.outputs = options.outputs
      writing.layout = actual.info.layout
      difference = try SoundFileWriter(
        path: path, format: format, sampleRate: shape.sampleRate, channelCount: shape.channelCount,
        expectedFrames: shape.frameCount, options: writing)
    }
  }

  /// How the channels of two files belong together, by their loudspeakers where both say them.
  private static func matching(_ actual: ChannelLayout?, _ expected: ChannelLayout?) -> (order: [Int]?, remark: String?)
  {
    guard let actual, let expected, actual.channelCount == expected.channelCount, !actual.isSame(as: expected)
    else { return (nil, nil) }
    if let order = expected.order(as: actual.positions) {
      return (order, "the first is \(actual), the second \(expected): channels are matched by what they are")
    }
    return (nil, "the first is \(actual), the second \(expected): channels are matched by their numbers")
  }

  private static func shape(_ info: SoundFileInfo) -> SignalShape {
    SignalShape(sampleRate: info.sampleRate, channelCount: info.channelCount, frameCount: info.frameCount)
  }

  mutating func report() throws(BenchError) -> FileComparison.Report {
    var report = FileComparison.Report(
      actual: actual.info, expected: expected.info, outcomes: [], information: [], comparedFrames: 0,
      difference: nil, remarks: [layoutRemark].compactMap { $0 }, elapsedSeconds: 0)
    let isReadable =
      actual.info.sampleRate == expected.info.sampleRate && actual.info.channelCount == expected.info.channelCount
    let informers = information()
    let deciders = streaming(comparators)
    var accumulators = (deciders + informers).map { Self.accumulator($0, shape) }
    quieter = deciders.map { Self.accumulator($0, shape) }
    if isReadable {
      try pass(&accumulators)
      report.comparedFrames = comparedFrames
    }
    let outcomes = accumulators.indices.map { accumulators[$0].outcome() }
    if mismatch == nil, nonFinite == nil, hasSound {
      for (index, one) in deciders.enumerated()
      where outcomes[index].verdict == .passed && quieter[index].outcome().verdict == .passed {
        throw GrossError.refusal(of: one, GrossError.factors[1].1, kind: .usage)
      }
    }
    let deciding = Array(outcomes.dropLast(informers.count))
    // Figures for the part before a sample that is not finite are not shown: they would be taken for figures of the
    // whole.
    if isReadable, nonFinite == nil { report.information = Array(outcomes.suffix(informers.count)) }
    for file in [actual, expected] where !file.nonFiniteSamples.isEmpty {
      report.remarks.append("\(file.info.path): \(file.nonFiniteSamples)")
    }
    if let mismatch {
      report.outcomes = [mismatch]
      if options.differencePath != nil {
        report.remarks.append("no difference was written: the files are not of one shape")
      }
    } else if let nonFinite {
      report.outcomes = [nonFinite.outcome(id: "finite")]
    } else {
      report.outcomes = try inOrder(deciding)
    }
    if let difference { report.difference = try difference.finish() }
    report.elapsedSeconds = clock.seconds
    return report
  }

  /// Comparators that are measured but do not decide.
  private func information() -> [any StreamingComparator] {
    let all: [any StreamingComparator] = [
      ExactComparator(), UlpComparator(limit: .max), ResidualComparator(window: options.window),
    ]
    // Files of different shapes get no comparator that decides.
    return all.filter { one in mismatch != nil || !comparators.contains { $0.id == one.id } }
  }

  private func streaming(_ comparators: [any SignalComparator]) -> [any StreamingComparator] {
    mismatch != nil ? [] : comparators.compactMap { $0 as? any StreamingComparator }
  }

  private static func accumulator(
    _ comparator: some StreamingComparator, _ shape: SignalShape
  ) -> any ComparisonAccumulator { comparator.accumulator(shape) }

  /// Once through both files; behind a sample that is not finite to count what else there is.
  private mutating func pass(_ accumulators: inout [any ComparisonAccumulator]) throws(BenchError) {
    // Whole halves of windows, so that their sums are those of a signal in memory.
    let hop = ResidualComparator(window: options.window).hopFrames(sampleRate: shape.sampleRate)
    let capacity = hop * max(1, 8_192 / hop)
    let a = DoubleBuffer(channelCount: shape.channelCount, frameCapacity: capacity)
    let e = DoubleBuffer(channelCount: shape.channelCount, frameCapacity: capacity)
    // Each plane gets the channel that has its label.
    let matched = expectedOrder.map { order in ChannelOrder(order.indices.map { order.firstIndex(of: $0) ?? $0 }) }
    let arranged = matched?.planes(e.planes) ?? e.planes
    var frame: Int64 = 0
    var shown = -1.0
    while frame < shape.frameCount {
      let wanted = Int(min(Int64(capacity), shape.frameCount - frame))
      let got = try actual.read(into: a.planes, frames: wanted)
      let other = try expected.read(into: arranged, frames: wanted)
      guard got == wanted, other == wanted else {
        let short = got < wanted ? actual : expected
        throw BenchError(.input, at: short.info.path, "the file ends at frame \(short.position), before its length")
      }
      look(a, e, wanted, frame)
      if nonFinite == nil {
        for channel in 0..<shape.channelCount {
          let (x, y) = Self.plane(a, e, channel, wanted)
          for index in accumulators.indices {
            accumulators[index].add(x, y, channel: channel, firstFrame: frame)
          }
          lookQuieter(y, channel: channel, frame)
        }
        comparedFrames += Int64(wanted)
      }
      if let difference { try Self.write(a, e, wanted, to: difference) }
      frame += Int64(wanted)
      if let progress = options.progress, clock.seconds - shown >= 0.05 {
        shown = clock.seconds
        let state = RenderProgress(
          framesDone: frame, framesTotal: shape.frameCount, sampleRate: shape.sampleRate, elapsedSeconds: shown)
        if !progress(state) { throw BenchError(.interrupted, "stopped before the end; nothing was written") }
      }
    }
  }

  private mutating func lookQuieter(_ expected: UnsafeBufferPointer<Double>, channel: Int, _ frame: Int64) {
    guard !quieter.isEmpty else { return }
    hasSound = hasSound || expected.contains { $0 != 0 }
    let factor = GrossError.factors[1].0
    expected.map { $0 * factor }.withUnsafeBufferPointer { samples in
      for index in quieter.indices { quieter[index].add(samples, expected, channel: channel, firstFrame: frame) }
    }
  }

  private static func plane(
    _ a: DoubleBuffer, _ e: DoubleBuffer, _ channel: Int, _ frames: Int
  ) -> (UnsafeBufferPointer<Double>, UnsafeBufferPointer<Double>) {
    (
      UnsafeBufferPointer(a[channel].prefix(frames).elements),
      UnsafeBufferPointer(e[channel].prefix(frames).elements)
    )
  }

  private mutating func look(_ a: DoubleBuffer, _ e: DoubleBuffer, _ frames: Int, _ firstFrame: Int64) {
    guard nonFinite == nil else { return }
    for channel in 0..<shape.channelCount {
      let (x, y) = Self.plane(a, e, channel, frames)
      let found = NonFiniteSample.search(x, y, channel: channel, firstFrame: firstFrame, shape: shape)
      if let found, nonFinite.map({ found.place.frame < $0.place.frame }) ?? true { nonFinite = found }
    }
  }

  private static func write(
    _ a: DoubleBuffer, _ e: DoubleBuffer, _ frames: Int, to writer: SoundFileWriter
  ) throws(BenchError) {
    for channel in 0..<writer.channelCount {
      let (x, y) = (a.planes[channel], e.planes[channel])
      for index in 0..<frames { x[index] -= y[index] }
    }
    try writer.write(a.planes, frames: frames)
  }

  /// The outcomes in the order of the comparators; those that need whole signals are run here.
  private func inOrder(_ streamed: [CheckOutcome]) throws(BenchError) -> [CheckOutcome] {
    var rest = streamed[...]
    var loaded: (actual: AudioSignal, expected: AudioSignal)?
    var outcomes: [CheckOutcome] = []
    for comparator in comparators {
      if comparator is any StreamingComparator {
        outcomes.append(rest.removeFirst())
        continue
      }
      if loaded == nil {
        let limit = options.loadedSampleLimit
        loaded = (
          try FileComparison.load(actual.info.path, sampleLimit: limit),
          try FileComparison.load(expected.info.path, sampleLimit: limit).reordered(expectedOrder)
        )
      }
      guard let loaded else { continue }
      do {
        outcomes.append(try comparator.judgement(loaded.actual, with: loaded.expected))
      } catch {
        throw BenchError(.usage, at: error.place, error.message, advice: error.advice)
      }
    }
    return outcomes
  }
}

extension AudioSignal {
  fileprivate func reordered(_ order: [Int]?) -> AudioSignal {
    guard let order, order.count == channelCount else { return self }
    var signal = AudioSignal(sampleRate: sampleRate, channels: order.map { channels[$0] })
    signal.layout = layout?.reordered(order)
    return signal
  }
}
