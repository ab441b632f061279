import AudioCore
import AudioEngine
import Glibc

/// White or pink noise, of its own on every channel, and the same on each run.
///
/// White noise is uniform between ±√3 of its level, and a function of seed, channel and time alone: the bits of
/// SplitMix64 at the place of the frame. Pink noise is white noise through seven poles at 10 Hz · 4^k, each with a zero
/// an octave above it, and a zero that corrects the uppermost octave: 3 dB less with each octave, to 0.25 dB from 20 Hz
/// to 20 kHz, or 0.45 of the rate; of the same level.
///
/// ```swift
/// let pink = NoiseGenerator()
/// try pink.set(.color, to: 1)
/// try pink.set(.level, to: -30)
/// try pink.setLength(frames: 96_000)
/// let graph = Graph(sampleRate: 48_000)
/// try graph.connect(graph.add(pink), to: graph.add(GenericOutput()))
/// #expect(try OfflineRenderer(graph).renderToMemory().channels[0].count == 96_000)
/// ```
public final class NoiseGenerator: GeneratorUnit, HasNamedParameters, @unchecked Sendable {
  /// `augn nois aubn`, in graph files `noiseGenerator`.
  package static let component = Component(
    ComponentDescription(type: .generator, subType: "nois", manufacturer: "aubn"), shortName: "noiseGenerator",
    name: "aubench: Noise generator", summary: "White or pink noise, the same on each run."
  ) { NoiseGenerator() }

  /// `level` is the rms, dBFS; `color` 0 white, 1 pink; `seed` a whole number.
  public enum Parameter: UInt32, Sendable { case level, color, seed }

  /// White noise of −20 dBFS, without an end.
  public init() {
    super.init(
      Self.component,
      parameters: [
        Self.row(.level, .decibels, -120...0, -20),
        Self.row(.color, .indexed, 0...1, 0, valueNames: ["white", "pink"]),
        Self.row(.seed, .generic, 0...1_000_000, 1, canRamp: false),
      ])
  }

  public override func makeProcessor() throws(AudioStatus) -> Processor {
    NoiseProcessor(outputs[0].format, lengthFrames: lengthFrames)
  }
  public override var processorBytes: Int { MemoryBudget.product(outputs[0].format.channelCount, 128) + 1024 }
}

private final class NoiseProcessor: GeneratorProcessor {
  private static let sectionCount = 7
  /// By channel: a state for each section, and what they gave last.
  private static let stateCount = sectionCount + 1
  /// The share of the sections' last output beside the present one.
  private static let correction = 0.1

  private let sampleRate: Double
  private let states: FlatMemory<Double>
  private let poles: FlatMemory<Double>
  private let zeros: FlatMemory<Double>
  private let pinkGain: Double

  init(_ format: StreamFormat, lengthFrames: Int64?) {
    sampleRate = format.sampleRate
    states = FlatMemory(repeating: 0, count: format.channelCount * Self.stateCount)
    poles = FlatMemory(repeating: 0, count: Self.sectionCount)
    zeros = FlatMemory(repeating: 0, count: Self.sectionCount)
    for section in 0..<Self.sectionCount {
      let hertz = 10 * pow(4, Double(section))
      poles[section] = exp(-2 * .pi * hertz / format.sampleRate)
      zeros[section] = exp(-4 * .pi * hertz / format.sampleRate)
    }
    // The energy of its impulse response, which is over in a second.
    var energy = 0.0
    for frame in 0..<Int(clamping: min(96_000, max(8000, format.sampleRate))) {
      let value = Self.filter(frame == 0 ? 1 : 0, states.all, poles.all, zeros.all)
      energy += value * value
    }
    pinkGain = 1 / energy.squareRoot()
    super.init(lengthFrames: lengthFrames, channelCount: format.channelCount)
    reset()
  }

  private static func filter(
    _ sample: Double, _ states: Plane<Double>, _ poles: Plane<Double>,
    _ zeros: Plane<Double>
  ) -> Double {
    var value = sample
    for section in 0..<sectionCount {
      // Direct form II: the state is what the pole makes.
      let former = states[section]
      let next = value + poles[section] * former
      value = next - zeros[section] * former
      states[section] = next
    }
    let last = states[sectionCount]
    states[sectionCount] = value
    return value + correction * last
  }

  /// Between −√3 and √3: of an rms of 1.
  private static func white(_ seed: UInt64, _ channel: Int, _ time: Int64) -> Double {
    var bits = SplitMix64(
      seed: (seed &* 0x9E37 &+ UInt64(channel)) &* 0xD134_2543_DE82_EF95 &+ UInt64(bitPattern: time))
    return (2 * bits.unit() - 1) * 1.7320508075688772
  }

  override func jump(_ piece: RenderPiece) { states.all.fill(0) }

  override func generate(
    _ piece: RenderPiece, channel: Int, _ output: Plane<Float>, frames: Int
  ) {
    let gain = CellRamp(piece) { Decibels.amplitude(min(0, max(-120, $0(0)))) }
    let isPink = piece.parameters.start(1) >= 0.5
    let seed = UInt64(clamping: min(1_000_000, max(0, piece.parameters.start(2).rounded())))
    let state = states.all + channel * Self.stateCount
    for frame in 0..<piece.frames {
      var value = Self.white(seed, channel, piece.sampleTime + Int64(frame))
      if isPink { value = Self.filter(value, state, poles.all, zeros.all) * pinkGain }
      if frame < frames { output[frame] = Float(gain.exactValue(at: frame) * value) }
    }
  }

  override func reset() {
    super.reset()
    states.all.fill(0)
  }
}
