import AudioCore
import AudioEngine
import DSPKernels

/// A sine on all channels: y[n] = 10^(level/20) · sin(2π · φ[n]), φ[0] = 0, φ[n + 1] = φ[n] + frequency[n]/rate.
///
/// Frequency and level follow ramps frame by frame, without steps in the phase. A render that begins at another time
/// begins with the phase that its frequency would have come to.
///
/// ```swift
/// let tone = ToneGenerator()
/// try tone.set(.frequency, to: 440)
/// try tone.set(.level, to: -20)
/// try tone.setLength(frames: 4800)
/// let graph = Graph(sampleRate: 48_000)
/// try graph.connect(graph.add(tone), to: graph.add(GenericOutput()))
/// let rendered = try OfflineRenderer(graph).renderToMemory()
/// #expect(abs(rendered.report.peakDecibels[0] + 20) < 0.01)
/// ```
public final class ToneGenerator: GeneratorUnit, HasNamedParameters, @unchecked Sendable {
  /// `augn tone aubn`, in graph files `toneGenerator`.
  package static let component = Component(
    ComponentDescription(type: .generator, subType: "tone", manufacturer: "aubn"), shortName: "toneGenerator",
    name: "aubench: Tone generator", summary: "A sine of any frequency and level."
  ) { ToneGenerator() }

  /// Hertz, and dBFS of the peak.
  public enum Parameter: UInt32, Sendable { case frequency, level }

  /// 1000 Hz at −12 dBFS, without an end.
  public init() {
    super.init(
      Self.component,
      parameters: [
        Self.row(.frequency, .hertz, 0...Float.infinity, 1000), Self.row(.level, .decibels, -120...0, -12),
      ])
  }

  public override func makeProcessor() throws(AudioStatus) -> Processor {
    ToneProcessor(outputs[0].format, lengthFrames: lengthFrames)
  }
}

private final class ToneProcessor: GeneratorProcessor {
  private static let blockFrames = 256
  private let sampleRate: Double
  private let places = FlatMemory<Double>(repeating: 0, count: blockFrames)
  private let gains = FlatMemory<Double>(repeating: 0, count: blockFrames)
  /// Turns, at the first frame of the piece and behind its last.
  private var phase = 0.0
  private var nextPhase = 0.0

  init(_ format: StreamFormat, lengthFrames: Int64?) {
    sampleRate = format.sampleRate
    super.init(lengthFrames: lengthFrames, channelCount: format.channelCount)
  }

  /// Turns a frame at a frequency in hertz: up to half the rate.
  private func step(_ hertz: Double) -> Double { min(0.5, max(0, hertz / sampleRate)) }

  override func jump(_ piece: RenderPiece) {
    let turns = CellRamp(piece) { step($0(0)) }.exactValue(at: 0) * Double(piece.sampleTime)
    phase = turns - turns.rounded(.down)
  }

  override func generate(
    _ piece: RenderPiece, channel: Int, _ output: Plane<Float>, frames: Int
  ) {
    // All channels are alike.
    if channel > 0 {
      return output.update(from: piece.output(0), count: frames)
    }
    let step = CellRamp(piece) { self.step($0(0)) }
    let gain = CellRamp(piece) { Decibels.amplitude(min(0, max(-120, $0(1)))) }
    var turns = phase
    for first in stride(from: 0, to: piece.frames, by: Self.blockFrames) {
      let count = min(Self.blockFrames, piece.frames - first)
      for frame in 0..<count {
        places[frame] = turns
        gains[frame] = gain.exactValue(at: first + frame)
        turns += step.exactValue(at: first + frame)
        if turns >= 1 { turns -= 1 }
      }
      SineKernels.process(
        turns: places.all, gains: gains.all, output: output + first, frames: max(0, min(count, frames - first)))
    }
    nextPhase = turns
  }

  override func advance(_ piece: RenderPiece) { phase = nextPhase }

  override func reset() {
    super.reset()
    phase = 0
  }
}
