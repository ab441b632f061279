import AudioCore
import Glibc

/// Peak and RMS of actual − expected, in the worst window: for what may differ by a little everywhere and by much
/// nowhere.
///
/// The mean over a file hides a click in it; so each limit is held by every window on every channel. Windows overlap by
/// half, and the last one ends with the file. RMS is plain, √(Σd²/n): 0 dBFS is that of a full-scale square wave, a
/// full-scale sine has -3.01. A limit that is nil only gives readings.
///
/// ```swift
/// // A gain of 0.0001 dB leaves a difference of 0.0000115 of the sound: −99 dB.
/// let almost = try FormulaDevice([Formula("in(c) * 1.0000115")])
/// expect(almost, equals: try FormulaDevice([Formula("in(c)")]), .residual(peak: -90, rms: -100))
/// ```
public struct ResidualComparator: StreamingComparator {
  /// The id of its outcomes; suites and `compare` ask for it by `peak`, `rms` and `relative`.
  public let id = "residual"
  /// The largest difference of a sample, dBFS.
  public var peakLimit: Double?
  /// The largest RMS of the difference in a window, dBFS.
  public var rmsLimit: Double?
  /// The largest RMS of the difference in a window against the RMS of the expected signal there, dB.
  public var relativeLimit: Double?
  /// The lowest level that the expected signal is taken to have, dBFS: noise in a pause is compared with it.
  public var relativeFloor: Double
  /// Seconds of a window.
  public var window: Double

  /// Seconds.
  public static let defaultWindow = 0.010

  /// Levels in dBFS, the relative limit in dB, the window in seconds; without limits it passes and gives readings.
  public init(
    peakLimit: Double? = nil, rmsLimit: Double? = nil, relativeLimit: Double? = nil, relativeFloor: Double = -60,
    window: Double = defaultWindow
  ) {
    self.peakLimit = peakLimit
    self.rmsLimit = rmsLimit
    self.relativeLimit = relativeLimit
    self.relativeFloor = relativeFloor
    self.window = window
  }

  /// The limits that are set, or that there are none.
  public var expectation: String {
    let span = ComparisonText.span(window)
    var limits: [String] = []
    if let peakLimit { limits.append("a peak of at most \(ComparisonText.limit(peakLimit))") }
    if let rmsLimit { limits.append("at most \(ComparisonText.limit(rmsLimit)) RMS in every \(span)") }
    if let relativeLimit {
      limits.append("at most \(ComparisonText.limit(relativeLimit, "dB")) against the signal in every \(span)")
    }
    return limits.isEmpty ? "any difference (no limit was set)" : "a difference of " + limits.joined(separator: ", ")
  }

  /// Frames from a window to the next: half a window.
  public func hopFrames(sampleRate: Double) -> Int { max(1, Int(clamping: (window * sampleRate / 2).rounded())) }

  /// Sums up differences of signals of a shape.
  public func accumulator(_ shape: SignalShape) -> ResidualAccumulator { ResidualAccumulator(shape, self) }
}

/// Sums of a difference, half a window at a time.
public struct ResidualAccumulator: ComparisonAccumulator {
  /// Half a window.
  private struct Block {
    var frames = 0
    var difference = 0.0
    var signal = 0.0
    var peak = 0.0
    var peakFrame: Int64 = 0
  }

  private struct Channel {
    var block = Block()
    var previous: Block?
    var blockStart: Int64 = 0
    var previousStart: Int64 = 0
    var total = Block()
    var sum = 0.0
    /// Mean squares of the worst window, and where it begins and is largest.
    var worst = 0.0
    var worstStart: Int64 = 0
    var worstRelative = 0.0
    var worstRelativeStart: Int64 = 0
    var firstBeyondPeak: Int64?
    var firstBeyondWindow: Int64?
  }

  private let shape: SignalShape
  private let comparator: ResidualComparator
  private let hopFrames: Int
  private let peakLimit: Double
  private let meanSquareLimit: Double
  private let relativeLimit: Double
  private let relativeFloor: Double
  private var channels: [Channel]

  init(_ shape: SignalShape, _ comparator: ResidualComparator) {
    func square(_ decibels: Double?) -> Double { decibels.map { pow(10, $0 / 10) } ?? .infinity }
    self.shape = shape
    self.comparator = comparator
    hopFrames = comparator.hopFrames(sampleRate: shape.sampleRate)
    peakLimit = comparator.peakLimit.map(Decibels.amplitude) ?? .infinity
    meanSquareLimit = square(comparator.rmsLimit)
    relativeLimit = square(comparator.relativeLimit)
    relativeFloor = square(comparator.relativeFloor)
    channels = Array(repeating: Channel(), count: shape.channelCount)
  }

  /// Adds a range of frames of one channel.
  mutating func add(_ actual: [Double], _ expected: [Double], _ frames: Range<Int>, channel: Int) {
    actual.withUnsafeBufferPointer { a in
      expected.withUnsafeBufferPointer { e in
        add(
          UnsafeBufferPointer(rebasing: a[frames]), UnsafeBufferPointer(rebasing: e[frames]), channel: channel,
          firstFrame: Int64(frames.lowerBound))
      }
    }
  }

  /// Adds the next samples of a channel, as many in both.
  public mutating func add(
    _ actual: UnsafeBufferPointer<Double>, _ expected: UnsafeBufferPointer<Double>, channel: Int, firstFrame: Int64
  ) {
    guard let a = actual.baseAddress, let e = expected.baseAddress else { return }
    let count = actual.count
    var state = channels[channel]
    var start = 0
    while start < count {
      let piece = min(hopFrames - state.block.frames, count - start)
      add(a + start, e + start, piece, firstFrame + Int64(start), &state)
      if state.block.frames == hopFrames { endBlock(&state) }
      start += piece
    }
    channels[channel] = state
  }

  private func add(
    _ a: UnsafePointer<Double>, _ e: UnsafePointer<Double>, _ count: Int, _ firstFrame: Int64, _ state: inout Channel
  ) {
    let sums = DifferenceSums(a, e, count)
    if state.block.frames == 0 { state.blockStart = firstFrame }
    state.block.frames += count
    state.block.difference += sums.difference
    state.block.signal += sums.signal
    state.sum += sums.sum
    guard sums.peak > state.block.peak else { return }
    state.block.peak = sums.peak
    // The place is only needed for the worst sample or the first that may fail.
    if sums.peak > state.total.peak || sums.peak * sums.peak > min(meanSquareLimit, relativeLimit * relativeFloor) {
      state.block.peakFrame = firstFrame + Int64((0..<count).first { abs(a[$0] - e[$0]) == sums.peak } ?? 0)
    }
    if sums.peak > state.total.peak {
      state.total.peak = sums.peak
      state.total.peakFrame = state.block.peakFrame
    }
    if sums.peak > peakLimit, state.firstBeyondPeak == nil {
      state.firstBeyondPeak = (0..<count).first { abs(a[$0] - e[$0]) > peakLimit }.map { firstFrame + Int64($0) }
    }
  }

  private func endBlock(_ state: inout Channel) {
    let block = state.block
    state.total.frames += block.frames
    state.total.difference += block.difference
    state.total.signal += block.signal
    if let previous = state.previous { weigh(previous, block, start: state.previousStart, &state) }
    state.previous = block
    state.previousStart = state.blockStart
    state.block = Block()
  }

  private func weigh(_ first: Block, _ second: Block, start: Int64, _ state: inout Channel) {
    let frames = Double(first.frames + second.frames)
    let difference = (first.difference + second.difference) / frames
    let relative = difference / max((first.signal + second.signal) / frames, relativeFloor)
    if difference > state.worst {
      state.worst = difference
      state.worstStart = start
    }
    if relative > state.worstRelative {
      state.worstRelative = relative
      state.worstRelativeStart = start
    }
    if difference > meanSquareLimit || relative > relativeLimit, state.firstBeyondWindow == nil {
      state.firstBeyondWindow = second.peak > first.peak ? second.peakFrame : first.peakFrame
    }
  }

  /// The residual of the samples so far; ends the last window.
  public mutating func residual() -> Residual {
    for index in channels.indices {
      var state = channels[index]
      if state.block.frames > 0 { endBlock(&state) }
      // Shorter than half a window: one window holds it all.
      if let only = state.previous, only.frames == state.total.frames {
        weigh(only, Block(), start: 0, &state)
      }
      channels[index] = state
    }
    func worst(_ key: (Channel) -> Double) -> Int {
      channels.indices.reduce(0) { key(channels[$1]) > key(channels[$0]) ? $1 : $0 }
    }
    guard !channels.isEmpty else { return Residual() }
    func place(_ frame: Int64, _ channel: Int) -> CheckOutcome.Place { shape.place(frame, channel: channel) }
    func first(_ key: (Channel) -> Int64?) -> CheckOutcome.Place? {
      channels.indices.compactMap { index in key(channels[index]).map { place($0, index) } }
        .earliest
    }
    let (peak, window, relative) = (worst(\.total.peak), worst(\.worst), worst(\.worstRelative))
    let frames = Double(max(1, channels[0].total.frames))
    let energies = channels.map(\.total.difference)
    var residual = Residual()
    residual.peak = Decibels.of(amplitude: channels[peak].total.peak)
    residual.peakPlace = place(channels[peak].total.peakFrame, peak)
    residual.worstWindow = 10 * log10(channels[window].worst)
    residual.worstWindowPlace = place(channels[window].worstStart, window)
    residual.worstRelative = 10 * log10(channels[relative].worstRelative)
    residual.worstRelativePlace = place(channels[relative].worstRelativeStart, relative)
    residual.wholeFile = 10 * log10((energies.max() ?? 0) / frames)
    residual.wholeSignal = 10 * log10((channels.map(\.total.signal).max() ?? 0) / frames)
    residual.offset = channels.map { abs($0.sum) / frames }.max() ?? 0
    residual.firstBeyondPeak = first(\.firstBeyondPeak)
    residual.firstBeyondWindow = first(\.firstBeyondWindow)
    return residual
  }

  /// Passed where no sample and no window is beyond a limit. Ends the last window: call it once.
  public mutating func outcome() -> CheckOutcome { residual().outcome(comparator) }
}

/// Sums over the samples of a difference.
private struct DifferenceSums {
  /// Σ(a − e)², Σe², Σ(a − e), max |a − e|.
  var difference: Double
  var signal: Double
  var sum: Double
  var peak: Double

  /// Eight lanes, so that sums are vector sums; they are the same on every machine.
  init(_ a: UnsafePointer<Double>, _ e: UnsafePointer<Double>, _ count: Int) {
    var squares = SIMD8<Double>(repeating: 0)
    var signals = SIMD8<Double>(repeating: 0)
    var sums = SIMD8<Double>(repeating: 0)
    var peaks = SIMD8<Double>(repeating: 0)
    var index = 0
    while index + 8 <= count {
      let expected = UnsafeRawPointer(e + index).loadUnaligned(as: SIMD8<Double>.self)
      let difference = UnsafeRawPointer(a + index).loadUnaligned(as: SIMD8<Double>.self) - expected
      squares += difference * difference
      signals += expected * expected
      sums += difference
      let magnitude = difference.replacing(with: -difference, where: difference .< 0)
      peaks.replace(with: magnitude, where: magnitude .> peaks)
      index += 8
    }
    (difference, signal, sum, peak) = (squares.sum(), signals.sum(), sums.sum(), peaks.max())
    while index < count {
      let rest = a[index] - e[index]
      difference += rest * rest
      signal += e[index] * e[index]
      sum += rest
      peak = max(peak, abs(rest))
      index += 1
    }
  }
}

extension ComparatorKind {
  static let residual = ComparatorKind([
    ComparisonLimit(
      "peak", "DB", .number(.level, expected: "a level in dBFS"),
      "no sample of the difference above this level, in dBFS"),
    ComparisonLimit(
      "rms", "DB", .number(.level, expected: "a level in dBFS"),
      "the RMS of the difference at most this, in dBFS, in every window on every channel"),
    ComparisonLimit(
      "relative", "DB",
      .number(
        .decibels, expected: "a level in dB below -0.915, which a signal 20 dB quieter would keep",
        in: .below(GrossError.differenceDecibels)),
      "the RMS of the difference at most this, in dB, against the RMS of what is expected in the same window; below -60 "
        + "dBFS that counts as -60 dBFS"),
    ComparisonLimit(
      "window", "SECONDS",
      .number(.time, expected: "a time from 0.0001 to 60 seconds", in: .from(0.0001, upTo: 60)),
      "the length of a window, in seconds; windows overlap by half", initial: ResidualComparator.defaultWindow),
  ]) { limits in
    let given = ["peak", "rms", "relative"].contains(where: limits.has)
    guard given, !(limits.isFlat && limits.has("align")) else { return nil }
    return ResidualComparator(
      peakLimit: limits["peak"], rmsLimit: limits["rms"], relativeLimit: limits["relative"],
      window: limits["window"] ?? ResidualComparator.defaultWindow)
  }
}

extension SignalComparator where Self == ResidualComparator {
  /// A difference no louder than this in any window: peak and RMS in dBFS, RMS against the signal in dB.
  /// - Parameters:
  ///   - peak: dBFS; nil: any.
  ///   - rms: dBFS; nil: any.
  ///   - relative: dB against the signal; nil: any.
  ///   - window: seconds.
  public static func residual(
    peak: Double? = nil, rms: Double? = nil, relative: Double? = nil,
    window: Double = ResidualComparator.defaultWindow
  ) -> Self {
    ResidualComparator(peakLimit: peak, rmsLimit: rms, relativeLimit: relative, window: window)
  }
}
