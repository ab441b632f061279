import AudioCore
import AudioEngine
import DSPKernels
import Glibc

/// A limiter that looks ahead: no sample leaves it above its ceiling, and it begins to turn down before a peak comes.
///
/// Law, with P[n] the largest magnitude of all channels behind the pre-gain, c the ceiling as a linear gain, and A and
/// L the attack and the look-ahead in frames:
///
///     g[n] = min(1, c / P[n])                                    what the peak at n needs
///     e[n] = min over 0 ≤ k < A of g[n + k] + (1 − g[n + k]) · k/A   a straight line down to it
///     r[n] = min(e[n], r[n − 1] + (1 − r[n − 1]) · (1 − e^(−1/(decayTime · rate))))
///     y[n + L] = x[n] · preGain · r[n]
///
/// All channels are turned down alike. The ceiling is 0 dBFS unless ``ceilingDecibels`` says otherwise. With
/// ``limitsTruePeak`` P also has a bound of what lies between two samples, which holds for all that is below half the
/// rate (`TruePeakBound`): then L is 64 frames longer, and true peaks stay below the ceiling but for 0.07 dB, whatever
/// comes in (0.4 dB of a random sequence of ±1 with the shortest times). Short times make the gain change fast enough to
/// make peaks of its own. Therefore the ceiling is lowered by 0.2 · q dB, where q = 1 ms/attackTime + 1 ms/decayTime,
/// and the share of the bound is 1.4 + 0.2 · q. Frequencies above 0.47 of the rate come out up to 3 dB lower.
///
/// The look-ahead, which is the latency, is the longest attack that is known when the unit is initialized; a longer one
/// that is set later is cut to it.
///
/// ```swift
/// let limiter = PeakLimiter()
/// try limiter.setCeiling(-1)
/// try limiter.setLimitsTruePeak(true)
/// try limiter.set(.preGain, to: 12)
/// let limited = try limiter.device(sampleRate: 48_000).process(AudioSignal(contentsOf: "fixtures/audio/drums.flac"))
/// let truePeak = try #require(LevelMeasurement.findings(of: limited).reading("truePeak", channel: 0))
/// #expect(truePeak.value < -0.9)
/// ```
public final class PeakLimiter: EffectUnit, HasNamedParameters, @unchecked Sendable {
  /// `aufx lmtr appl`, in graph files `peakLimiter`.
  package static let component = Component(
    ComponentDescription(type: .effect, subType: "lmtr"), shortName: "peakLimiter", name: "Apple: AUPeakLimiter",
    summary: "A limiter that looks ahead, of samples or of true peaks."
  ) { PeakLimiter() }

  /// `attackTime` and `decayTime` in seconds, `preGain` in decibels.
  public enum Parameter: UInt32, Sendable { case attackTime, decayTime, preGain }

  private static let table = [
    row(.attackTime, .seconds, 0.001...0.03, 0.012, canRamp: false),
    row(.decayTime, .seconds, 0.001...0.06, 0.024, canRamp: false),
    row(.preGain, .decibels, -40...40, 0),
  ]

  /// The limit of all samples, −60 to 0 dBFS. While open only.
  public private(set) var ceilingDecibels: Float = 0
  /// True when peaks between two samples count. While open only.
  public private(set) var limitsTruePeak = false
  /// The look-ahead of the processor that renders.
  private var presentLookAhead: Int?

  /// 12 ms of attack, 24 ms of decay, up to full scale.
  public init() { super.init(Self.component, parameters: Self.table) }

  public override var ownProperties: [PropertyDescriptor] { super.ownProperties + Self.properties }

  private static let properties = [
    PropertyDescriptor(
      .limiterCeiling, "limiterCeiling", .float64("dBFS, −60 to 0"), of: PeakLimiter.self,
      get: { unit, _, _ in Double(unit.ceilingDecibels) },
      set: { (unit, _, _, value) throws(AudioStatus) in try unit.setCeiling(Float(value)) }),
    PropertyDescriptor(
      .limitsTruePeak, "limitsTruePeak", .flag, \PeakLimiter.limitsTruePeak,
      key: ("truePeak", "true: peaks between two samples count, as BS.1770 measures them")),
  ]

  public override var graphKeys: [GraphKey] { super.graphKeys + [Self.ceilingKey] }

  private static let ceilingKey = GraphKey(
    "ceiling", "the level that no sample exceeds, −60 to 0 dBFS", .quantity(.level, .from(-60, upTo: 0)),
    of: PeakLimiter.self,
    get: { Double($0.ceilingDecibels) }, set: { (unit, value) throws(AudioStatus) in try unit.setCeiling(Float(value)) }
  )

  /// - Parameter decibels: −60 to 0 dBFS.
  /// - Throws: `.initialized` unless the unit is open, `.invalidPropertyValue` outside of the range.
  public func setCeiling(_ decibels: Float) throws(AudioStatus) {
    guard !isInitialized else { throw .initialized }
    guard (-60...0).contains(decibels) else { throw .invalidPropertyValue }
    ceilingDecibels = decibels
  }

  /// - Throws: `.initialized` unless the unit is open.
  public func setLimitsTruePeak(_ isOn: Bool) throws(AudioStatus) {
    guard !isInitialized else { throw .initialized }
    limitsTruePeak = isOn
  }

  private var lookAheadFrames: Int {
    let values = knownValues(ofParameter: Parameter.attackTime.rawValue)
    return max(1, values.map { Self.frames($0, format.sampleRate) }.max() ?? 1)
  }

  fileprivate static func frames(_ seconds: Float, _ sampleRate: Double) -> Int {
    max(1, Int(clamping: (Double(min(max(0, seconds), 0.03)) * sampleRate).rounded()))
  }

  public override var latencyFrames: Int {
    isBypassed ? 0 : (presentLookAhead ?? lookAheadFrames) + (limitsTruePeak ? TruePeakBound.delayFrames : 0)
  }
  public override var tailFrames: Int64? { 0 }

  /// The largest gain reduction so far, dB, 0 or more, and the frames with more than 0.1 dB of one. Read while nothing
  /// renders.
  package var reduction: (decibels: Double, frames: Int64) {
    guard let processor = node?.processor as? PeakLimiterProcessor else { return (0, 0) }
    return (-Decibels.of(amplitude: Double(processor.leastGain)), processor.reducedFrames)
  }

  public override func makeEffect() throws(AudioStatus) -> EffectProcessor {
    presentLookAhead = lookAheadFrames
    return PeakLimiterProcessor(
      format, lookAhead: lookAheadFrames, ceiling: Float(Decibels.amplitude(Double(ceilingDecibels))),
      limitsTruePeak: limitsTruePeak)
  }
  public override func didUninitialize() { presentLookAhead = nil }

  public override var processorBytes: Int {
    MemoryBudget.product(
      format.channelCount + 2, 4 * (lookAheadFrames + 1024) + 512 + (limitsTruePeak ? TruePeakBound.bytes : 0))
  }
}

private final class PeakLimiterProcessor: EffectProcessor {
  private static let blockFrames = 256

  private let sampleRate: Double
  private let channelCount: Int
  private let lookAhead: Int
  private let ceiling: Float
  private let detectors: [TruePeakBound]
  /// Frames between a sample and its peak being known.
  private let detectorDelay: Int
  /// The input behind the pre-gain: the last frame that has come lies before `head`.
  private let ring: PlanarBuffer
  private let capacity: Int
  /// e of the frames that are still to be heard, by the same places.
  private let envelope: FlatMemory<Float>
  private let peaks: FlatMemory<Float>
  private var head = 0
  private var release: Float = 1
  /// The figures of ``PeakLimiter/reduction``.
  private(set) var leastGain: Float = 1
  private(set) var reducedFrames: Int64 = 0
  private static let audibleGain: Float = 0.988_553
  /// The peak between the two samples before.
  private var formerBetween: Float = 0
  private var times: (attack: Float, decay: Float) = (-1, -1)
  private var recovery: Float = 1
  /// The largest peak that needs no gain: the ceiling, or less where peaks between samples count; and the share of their
  /// bound.
  private var limit: Float
  private var share: Float = 1

  init(_ format: StreamFormat, lookAhead: Int, ceiling: Float, limitsTruePeak: Bool) {
    sampleRate = format.sampleRate
    channelCount = format.channelCount
    self.lookAhead = lookAhead
    (self.ceiling, limit) = (ceiling, ceiling)
    detectors = limitsTruePeak ? (0..<format.channelCount).map { _ in TruePeakBound() } : []
    detectorDelay = limitsTruePeak ? TruePeakBound.delayFrames : 0
    capacity = lookAhead + detectorDelay + Self.blockFrames
    ring = PlanarBuffer(channelCount: channelCount, frameCapacity: capacity)
    envelope = FlatMemory(repeating: 1, count: capacity)
    peaks = FlatMemory(repeating: 0, count: 2 * Self.blockFrames)
    super.init()
    reset()
  }

  override func render(_ piece: RenderPiece) throws(AudioStatus) {
    if (piece.parameters[0], piece.parameters[1]) != times { adoptTimes(piece.parameters[0], piece.parameters[1]) }
    let attack = min(lookAhead, PeakLimiter.frames(piece.parameters[0], sampleRate))
    let gain = CellRamp(piece) { Decibels.amplitude(min(40, max(-40, $0(2)))) }
    var done = 0
    while done < piece.frames {
      // Neither what comes in nor what goes out wraps around.
      var count = min(piece.frames - done, Self.blockFrames, capacity - head)
      count = min(count, capacity - place(lookAhead + detectorDelay))
      take(piece, done, count, gain)
      findGains(count, attack: attack)
      give(piece, done, count)
      head = (head + count) % capacity
      done += count
    }
  }

  private func adoptTimes(_ attack: Float, _ decay: Float) {
    times = (attack, decay)
    let seconds = (attack: min(0.03, max(0.001, Double(attack))), decay: min(0.06, max(0.001, Double(decay))))
    recovery = Float(1 - exp(-1 / (seconds.decay * sampleRate)))
    guard !detectors.isEmpty else { return }
    let speed = 0.001 / seconds.attack + 0.001 / seconds.decay
    limit = Float(Double(ceiling) * Decibels.amplitude(-0.2 * speed))
    share = Float(1.4 + 0.2 * speed)
  }

  private func place(_ framesBefore: Int) -> Int { (head - framesBefore + capacity) % capacity }

  /// Takes frames over, and says how loud each is: at place i the frame that came i − `detectorDelay` frames later.
  private func take(_ piece: RenderPiece, _ offset: Int, _ count: Int, _ gain: CellRamp) {
    let (peaks, between) = (peaks.all, peaks.all + Self.blockFrames)
    peaks.update(repeating: 0, count: count)
    between.update(repeating: 0, count: count)
    let still = gain.value(at: offset)
    for channel in 0..<channelCount {
      let input = piece.input(channel) + offset
      let plane = ring.planes[channel]
      let write = plane + head
      if gain.isMoving {
        for frame in 0..<count { write[frame] = input[frame] * gain.value(at: offset + frame) }
      } else {
        for frame in 0..<count { write[frame] = input[frame] * still }
      }
      if detectors.isEmpty {
        for frame in 0..<count { peaks[frame] = max(peaks[frame], abs(write[frame])) }
      } else {
        var read = place(detectorDelay)
        for frame in 0..<count {
          peaks[frame] = max(peaks[frame], abs(plane[read]))
          read = read + 1 == capacity ? 0 : read + 1
        }
        // Below the limit nothing needs a gain.
        detectors[channel].addBounds(of: write, to: between, frames: count, share: share, above: limit)
      }
    }
    guard !detectors.isEmpty else { return }
    for frame in 0..<count {
      peaks[frame] = max(peaks[frame], formerBetween, between[frame])
      formerBetween = between[frame]
    }
  }

  /// Replaces each peak by the gain of the frame that is now to be heard.
  private func findGains(_ count: Int, attack: Int) {
    let (peaks, envelope) = (peaks.all, envelope.all)
    let slope = 1 / Float(attack)
    var now = place(detectorDelay)
    var out = place(lookAhead + detectorDelay)
    var (least, reduced) = (leastGain, 0)
    for frame in 0..<count {
      let peak = peaks[frame]
      let needed = peak > limit ? limit / peak : 1
      envelope[now] = needed
      if needed < 1 {
        let (rise, end) = ((1 - needed) * slope, max(2, attack))
        // Down to the ring's first frame, and on from its last.
        let turn = min(end, now + 1)
        let isDone = LimiterKernels.lower(envelope, before: now, 1..<turn, needed: needed, rise: rise)
        if turn < end && !isDone {
          _ = LimiterKernels.lower(envelope, before: now + capacity, turn..<end, needed: needed, rise: rise)
        }
      }
      release = min(envelope[out], release + (1 - release) * recovery)
      peaks[frame] = release
      least = min(least, release)
      if release < Self.audibleGain { reduced += 1 }
      now = now + 1 == capacity ? 0 : now + 1
      out += 1
    }
    leastGain = least
    reducedFrames += Int64(reduced)
  }

  private func give(_ piece: RenderPiece, _ offset: Int, _ count: Int) {
    let gains = peaks.all
    let from = place(lookAhead + detectorDelay)
    for channel in 0..<channelCount {
      let read = ring.planes[channel] + from
      let output = piece.output(channel) + offset
      // Samples above the ceiling here are so by rounding.
      for frame in 0..<count { output[frame] = min(ceiling, max(-ceiling, read[frame] * gains[frame])) }
    }
  }

  override func reset() {
    for channel in 0..<channelCount { ring.planes[channel].update(repeating: 0, count: capacity) }
    envelope.all.update(repeating: 1, count: capacity)
    for detector in detectors { detector.reset() }
    (head, release, formerBetween) = (0, 1, 0)
    (leastGain, reducedFrames) = (1, 0)
  }
}

extension PropertyID {
  /// The limit of all samples of a ``PeakLimiter``, dBFS: a property of this project's own.
  package static let limiterCeiling = PropertyID(64_011)
  /// True when a ``PeakLimiter`` counts peaks between two samples: a property of this project's own.
  package static let limitsTruePeak = PropertyID(64_012)
}
