import AudioCore
import AudioEngine
import DSPKernels
import Glibc

/// An echo: the sound comes again after a time, again and again where it is fed back, and duller each time.
///
/// Law, with D = delayTime · rate rounded to whole frames, 1 at least, and a = 1 − e^(−2π·lowPassCutoff/rate), or 1
/// from 0.49 of the rate on:
///
///     w[n] = a · u[n − D] + (1 − a) · w[n − 1]        what is heard of the delay: a low pass of first order
///     u[n] = x[n] + feedback/100 · w[n]
///     y[n] = x[n] · cos(m·π/2) + w[n] · sin(m·π/2)    m = wetDryMix/100
///
/// A change of the delay time is a crossfade of 20 ms from the one echo to the other, in a straight line; what is set
/// meanwhile begins when it has ended. Cutoff and feedback follow a ramp in cells of 32 frames, the mix in a straight
/// line.
///
/// ```swift
/// let echo = Delay()
/// try echo.set(.delayTime, to: 0.25)
/// try echo.set(.feedback, to: 30)
/// try echo.set(.wetDryMix, to: 40)
/// expectResetEqualsNew(of: echo)
/// ```
public final class Delay: EffectUnit, HasNamedParameters, LongTailUnit, @unchecked Sendable {
  /// `aufx dely appl`, in graph files `delay`.
  package static let component = Component(
    ComponentDescription(type: .effect, subType: "dely"), shortName: "delay", name: "Apple: AUDelay",
    summary: "An echo of up to two seconds, fed back through a low pass."
  ) { Delay() }

  /// `wetDryMix` and `feedback` in percent, `delayTime` in seconds, `lowPassCutoff` in hertz.
  public enum Parameter: UInt32, Sendable { case wetDryMix, delayTime, feedback, lowPassCutoff }

  private static let longestSeconds: Float = 2
  private static let table = [
    row(.wetDryMix, .equalPowerCrossfade, 0...100, 50),
    row(.delayTime, .seconds, 0...longestSeconds, 1, canRamp: false),
    row(.feedback, .percent, -100...100, 50),
    row(.lowPassCutoff, .hertz, 10...Float.infinity, 15_000),
  ]

  /// An echo after a second, half as loud, at half and half.
  public init() { super.init(Self.component, parameters: Self.table) }

  private var longestFrames: Int { Self.frames(Self.longestSeconds, format.sampleRate) }

  fileprivate static func frames(_ seconds: Float, _ sampleRate: Double) -> Int {
    max(1, Int(clamping: (Double(min(max(0, seconds), longestSeconds)) * sampleRate).rounded()))
  }

  public override func makeEffect() throws(AudioStatus) -> EffectProcessor {
    DelayProcessor(format, longestFrames: longestFrames, maximumFrames: maximumFramesPerSlice)
  }

  public override var processorBytes: Int {
    MemoryBudget.product(format.channelCount, MemoryBudget.product(4, longestFrames + maximumFramesPerSlice) + 128)
  }

  /// Until what comes again is 120 dB down, one minute at most.
  public override var tailFrames: Int64? {
    if isBypassed { return 0 }
    func values(_ parameter: Parameter) -> [Float] { knownValues(ofParameter: parameter.rawValue) }
    let rate = format.sampleRate
    let delay = Double(values(.delayTime).map { Self.frames($0, rate) }.max() ?? 1)
    let feedback = Double(values(.feedback).map(abs).max() ?? 0) / 100
    let cutoff = Double(values(.lowPassCutoff).min() ?? 0)
    let ringing = cutoff >= 0.49 * rate ? 0 : 13.8155 / (2 * .pi * max(10, cutoff)) * rate
    let rounds = 1 + Decay.steps(factor: feedback).rounded(.up)
    return Int64(clamping: min(LongestTail.seconds * rate, rounds * (delay + ringing)).rounded(.up))
  }
}

/// A ring for each channel, of the longest delay and one slice.
private final class DelayProcessor: EffectProcessor {
  private let sampleRate: Double
  private let channelCount: Int
  private let capacity: Int
  private let fadeFrames: Int
  private let ring: PlanarBuffer
  /// w of the frame before, by channel.
  private let last: FlatMemory<Float>
  private var head = 0
  /// The present delay, the one that it fades into, and the position of the fade. Nil before the first frame.
  private var delay: Int?
  private var nextDelay = 0
  private var fadePosition = 0
  private var cutoff = -1.0
  private var pole: Float = 0

  init(_ format: StreamFormat, longestFrames: Int, maximumFrames: Int) {
    sampleRate = format.sampleRate
    channelCount = format.channelCount
    capacity = longestFrames + maximumFrames
    fadeFrames = max(1, Int(clamping: (0.02 * format.sampleRate).rounded()))
    ring = PlanarBuffer(channelCount: channelCount, frameCapacity: capacity)
    last = FlatMemory(repeating: 0, count: channelCount)
    super.init()
    reset()
  }

  override func render(_ piece: RenderPiece) throws(AudioStatus) {
    let parameters = piece.parameters
    let wantedCutoff = max(10, parameters.start(3))
    if wantedCutoff != cutoff {
      cutoff = wantedCutoff
      pole = cutoff >= 0.49 * sampleRate ? 0 : Float(exp(-2 * .pi * cutoff / sampleRate))
    }
    let wanted = Delay.frames(parameters[1], sampleRate)
    var done = 0
    while done < piece.frames {
      let present = delay ?? wanted
      delay = present
      if fadePosition == 0 { nextDelay = wanted }
      // Up to the end of the fade, of the ring, and of what either echo has been written of.
      var count = min(piece.frames - done, capacity - head)
      count = min(count, capacity - place(behind: present), capacity - place(behind: nextDelay))
      if nextDelay != present { count = min(count, fadeFrames - fadePosition) }
      for channel in 0..<channelCount { work(piece, channel, done, count) }
      head = (head + count) % capacity
      done += count
      guard nextDelay != present else { continue }
      fadePosition += count
      if fadePosition == fadeFrames { (delay, fadePosition) = (nextDelay, 0) }
    }
  }

  private func place(behind delay: Int) -> Int { (head - delay + capacity) % capacity }

  private func work(_ piece: RenderPiece, _ channel: Int, _ offset: Int, _ count: Int) {
    let memory = ring.planes[channel]
    let input = piece.input(channel) + offset
    let output = piece.output(channel) + offset
    let (from, to) = (memory + place(behind: delay ?? nextDelay), memory + place(behind: nextDelay))
    let write = memory + head
    let feedback = Float(min(1, max(-1, piece.parameters.start(2) / 100)))
    let pole = pole
    let gain = 1 - pole
    let isFading = nextDelay != delay
    let step = 1 / Float(fadeFrames)
    let dryRamp = CellRamp(piece) { WetDryMix.equalPower(percent: $0(0)).dry }
    let wetRamp = CellRamp(piece) { WetDryMix.equalPower(percent: $0(0)).wet }
    let isMoving = wetRamp.isMoving
    var (dry, wet) = (dryRamp.value(at: 0), wetRamp.value(at: 0))
    var heard = last[channel]
    for frame in 0..<count {
      var echo = from[frame]
      if isFading {
        let weight = Float(fadePosition + frame + 1) * step
        echo += (to[frame] - echo) * weight
      }
      heard = gain * echo + pole * heard
      let sound = input[frame]
      write[frame] = sound + feedback * heard
      if isMoving { (dry, wet) = (dryRamp.value(at: offset + frame), wetRamp.value(at: offset + frame)) }
      output[frame] = dry * sound + wet * heard
    }
    last[channel] = heard
  }

  override func reset() {
    for channel in 0..<channelCount { ring.planes[channel].update(repeating: 0, count: capacity) }
    last.all.update(repeating: 0, count: channelCount)
    head = 0
    delay = nil
    (nextDelay, fadePosition) = (0, 0)
  }
}
