import AudioCore
import AudioEngine
import DSPKernels
import Glibc
import Synchronization

/// A compressor whose headroom says how far above the threshold anything may come out, and an expander below a
/// threshold of its own.
///
/// Law, with P[n] the largest magnitude of all channels, at most 10⁶, and levels in decibels:
///
///     v[n] = v[n − 1] + (P[n] − v[n − 1]) · (1 − e^(−1/(time · rate)))      attackTime where P rises, else releaseTime
///     X = 20 · log10(v)
///     c = threshold + headRoom · (1 − e^(−(X − threshold)/headRoom)) − X    where X > threshold, else 0
///     e = (X − expansionThreshold) · (expansionRatio − 1)                  where X < expansionThreshold, else 0
///     y[n + L] = x[n] · 10^((c + e + overallGain)/20)
///
/// The curve leaves the threshold with a slope of 1 and comes to headRoom above it for the loudest. The gain is
/// computed every 8 frames from 8 frames before the end of the look-ahead L on, and a straight line between. L, the
/// latency, is 256 frames at 48 kHz and the same time at other rates, 16 frames at least. The curve of Apple's unit
/// between its thresholds is not published: the curve is this project's own.
///
/// ```swift
/// let compressor = DynamicsProcessor()
/// try compressor.set(.threshold, to: -30)
/// try compressor.set(.headRoom, to: 10)
/// try compressor.set(.attackTime, to: 0.01)
/// let loud = try compressor.device(sampleRate: 48_000).process(
///   AudioSignal(sampleRate: 48_000, channelCount: 2, (0..<48_000).map { 0.5 * sin(0.1 * Double($0)) }))
/// #expect(loud.channels[0].suffix(100).allSatisfy { abs($0) < 0.3 })
/// ```
public final class DynamicsProcessor: EffectUnit, HasNamedParameters, @unchecked Sendable {
  /// `aufx dcmp appl`, in graph files `dynamicsProcessor`.
  package static let component = Component(
    ComponentDescription(type: .effect, subType: "dcmp"), shortName: "dynamicsProcessor",
    name: "Apple: AUDynamicsProcessor", summary: "A compressor with a headroom, and an expander."
  ) { DynamicsProcessor() }

  /// Levels and gains in decibels, times in seconds; the last three are meters.
  public enum Parameter: UInt32, Sendable {
    case threshold, headRoom, expansionRatio, expansionThreshold, attackTime, releaseTime, overallGain
    case compressionAmount = 1000
    case inputAmplitude = 2000
    case outputAmplitude = 3000
  }

  private static let table = [
    row(.threshold, .decibels, -40...20, -20), row(.headRoom, .decibels, 0.1...40, 5),
    row(.expansionRatio, .rate, 1...50, 2), row(.expansionThreshold, .decibels, -120...0, -120),
    row(.attackTime, .seconds, 0.0001...0.2, 0.001), row(.releaseTime, .seconds, 0.01...3, 0.05),
    row(.overallGain, .decibels, -40...40, 0),
    row(.compressionAmount, .decibels, -120...120, 0, isReadOnly: true),
    row(.inputAmplitude, .decibels, -120...20, -120, isReadOnly: true),
    row(.outputAmplitude, .decibels, -120...20, -120, isReadOnly: true),
  ]

  /// −20 dB of threshold, 5 dB of headroom, nothing expanded above −120 dBFS.
  public init() { super.init(Self.component, parameters: Self.table) }

  private var lookAhead: Int { max(16, Int(clamping: (format.sampleRate * 256 / 48_000).rounded())) }
  public override var latencyFrames: Int { isBypassed ? 0 : lookAhead }
  public override var tailFrames: Int64? { 0 }

  public override func makeEffect() throws(AudioStatus) -> EffectProcessor {
    let processor = DynamicsProcessorRender(format, lookAhead: lookAhead)
    meters = processor.meters
    return processor
  }
  public override func didUninitialize() { meters = nil }
  public override var processorBytes: Int {
    MemoryBudget.product(format.channelCount + 1, 4 * (lookAhead + 512) + 256)
  }

  private var meters: DynamicsMeters?

  public override func meterValue(_ address: ParameterAddress) -> Float? {
    guard address.scope == .global, let parameter = Parameter(rawValue: address.id) else { return nil }
    return switch parameter {
    case .compressionAmount: meters?.compression ?? 0
    case .inputAmplitude: meters?.input ?? -120
    case .outputAmplitude: meters?.output ?? -120
    default: nil
    }
  }
}

/// The last values of the render thread, for any thread, which computes the decibels on reading.
private final class DynamicsMeters {
  private let compressionBits = Atomic<UInt64>(0)
  private let levelBits = Atomic<UInt64>(0)
  private let gainBits = Atomic<UInt64>(0)

  private static func decibels(_ amplitude: Double) -> Float { Float(max(-120, 20 * log10(max(amplitude, 1e-6)))) }
  private func value(_ bits: borrowing Atomic<UInt64>) -> Double { Double(bitPattern: bits.load(ordering: .relaxed)) }

  var compression: Float { Float(value(compressionBits)) }
  var input: Float { Self.decibels(value(levelBits)) }
  var output: Float { Self.decibels(value(levelBits) * value(gainBits)) }

  /// - Parameters:
  ///   - level: the level that decided, linear.
  ///   - gain: the gain that was applied, linear.
  ///   - compression: decibels of it that compressed.
  func note(level: Double, gain: Double, compression: Double) {
    compressionBits.store(compression.bitPattern, ordering: .relaxed)
    levelBits.store(level.bitPattern, ordering: .relaxed)
    gainBits.store(gain.bitPattern, ordering: .relaxed)
  }
}

private final class DynamicsProcessorRender: EffectProcessor {
  private static let blockFrames = 256
  private static let gridFrames = 8
  private static let most: Float = 1e6

  let meters = DynamicsMeters()
  private let sampleRate: Double
  private let channelCount: Int
  private let lookAhead: Int
  private let capacity: Int
  /// The input: the last frame that has come lies before `head`.
  private let ring: PlanarBuffer
  /// The peak of each frame of a block, and then its gain.
  private let gains: FlatMemory<Float>
  /// The level, the gain, and the compressing decibels of it at each point of the grid in a block.
  private let points = FlatMemory<Double>(repeating: 0, count: 3 * pointCapacity)
  private static let pointCapacity = blockFrames / gridFrames + 1
  private var head = 0
  private var level = 0.0
  /// Frames since a multiple of the grid.
  private var phase = 0
  private var former = 1.0
  private var next = 1.0
  private var isNew = true
  private var times: (attack: Double, release: Double) = (-1, -1)
  private var shares: (attack: Double, release: Double) = (1, 1)

  init(_ format: StreamFormat, lookAhead: Int) {
    sampleRate = format.sampleRate
    channelCount = format.channelCount
    self.lookAhead = lookAhead
    capacity = lookAhead + Self.blockFrames
    ring = PlanarBuffer(channelCount: channelCount, frameCapacity: capacity)
    gains = FlatMemory(repeating: 0, count: Self.blockFrames)
    super.init()
    reset()
  }

  override func render(_ piece: RenderPiece) throws(AudioStatus) {
    let parameters = piece.parameters
    let wanted = (parameters.start(4), parameters.start(5))
    if wanted != times {
      times = wanted
      shares = (share(min(0.2, max(0.0001, wanted.0))), share(min(3, max(0.01, wanted.1))))
    }
    var done = 0
    while done < piece.frames {
      let from = (head - lookAhead + capacity) % capacity
      let count = min(piece.frames - done, Self.blockFrames, capacity - head, capacity - from)
      let gains = gains.all
      gains.update(repeating: 0, count: count)
      for channel in 0..<channelCount {
        let input = piece.input(channel) + done
        let write = ring.planes[channel] + head
        write.update(from: input, count: count)
        for frame in 0..<count { gains[frame] = max(gains[frame], abs(write[frame])) }
      }
      findGains(count, parameters)
      for channel in 0..<channelCount {
        let read = ring.planes[channel] + from
        let output = piece.output(channel) + done
        for frame in 0..<count { output[frame] = read[frame] * gains[frame] }
      }
      head = (head + count) % capacity
      done += count
    }
  }

  private func share(_ seconds: Double) -> Double { 1 - exp(-1 / (seconds * sampleRate)) }

  /// Replaces each peak by the gain of the frame that is now to be heard.
  private func findGains(_ count: Int, _ parameters: RenderParameters) {
    let (gains, levels) = (gains.all, points.all)
    let firstPoint = (Self.gridFrames - phase) % Self.gridFrames
    let pointCount = findLevels(count, firstPoint: firstPoint, levels)
    let (linear, compressions) = (levels + Self.pointCapacity, levels + 2 * Self.pointCapacity)
    curve(parameters).findGains(levels, gains: linear, compressions: compressions, count: pointCount)
    draw(gains, 0..<min(count, firstPoint), phase: phase)
    for point in 0..<pointCount {
      (former, next) = (next, linear[point])
      // In front of the first sound lies what the first level asks for.
      if isNew { (former, isNew) = (next, false) }
      let frame = firstPoint + point * Self.gridFrames
      draw(gains, frame..<min(count, frame + Self.gridFrames), phase: 0)
    }
    phase = (phase + count) % Self.gridFrames
    guard pointCount > 0 else { return }
    meters.note(level: levels[pointCount - 1], gain: next, compression: -compressions[pointCount - 1])
  }

  /// The levels of the grid's points in a block.
  /// - Returns: the number of levels.
  private func findLevels(_ count: Int, firstPoint: Int, _ levels: Plane<Double>) -> Int {
    let (peaks, shares) = (gains.all, shares)
    var (level, pointCount, frame) = (level, 0, 0)
    var end = min(count, firstPoint + 1)
    while frame < count {
      while frame < end {
        // No infinity, from which nothing comes back.
        let peak = Double(min(peaks[frame], Self.most))
        level += (peak - level) * (peak > level ? shares.attack : shares.release)
        frame += 1
      }
      // The last one was a point, unless the block has ended before.
      if (frame - 1 - firstPoint) % Self.gridFrames == 0 {
        levels[pointCount] = level
        pointCount += 1
      }
      end = min(count, end + Self.gridFrames)
    }
    self.level = level
    return pointCount
  }

  /// A straight line between two points, from a phase of the grid on.
  private func draw(_ gains: Plane<Float>, _ frames: Range<Int>, phase: Int) {
    let (former, step) = (former, (next - former) / Double(Self.gridFrames))
    for frame in frames { gains[frame] = Float(former + step * Double(phase + frame - frames.lowerBound)) }
  }

  private func curve(_ parameters: RenderParameters) -> DynamicsCurve {
    func value(_ slot: Int, _ range: ClosedRange<Double>) -> Double {
      min(range.upperBound, max(range.lowerBound, parameters.start(slot)))
    }
    return DynamicsCurve(
      thresholdDecibels: value(0, -40...20), headRoomDecibels: value(1, 0.1...40),
      expansionThresholdDecibels: value(3, -120...0), expansionSlope: value(2, 1...50) - 1,
      gainDecibels: value(6, -40...40))
  }

  override func reset() {
    for channel in 0..<channelCount { ring.planes[channel].update(repeating: 0, count: capacity) }
    (head, level, phase, former, next, isNew) = (0, 0, 0, 1, 1, true)
  }
}
