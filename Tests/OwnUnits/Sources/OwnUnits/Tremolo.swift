import AudioCore
import AudioUnits
import Glibc

/// A tremolo: output[n] = input[n] · (1 − depth/2 · (1 − cos(2π·rate·n/sampleRate))), n by the graph's clock.
public final class Tremolo: EffectUnit, @unchecked Sendable {
  public static let component = Component(
    ComponentDescription(type: .effect, subType: "trem", manufacturer: "Acme"), shortName: "tremolo",
    name: "Acme: Tremolo", summary: "Moves the level up and down, as a cosine."
  ) { Tremolo() }

  public init() { super.init(Self.component) }

  public override func parameterTable(_ scope: Scope, element: Int) -> [ParameterDescriptor] {
    guard scope == .global else { return [] }
    return [
      ParameterDescriptor(0, "rate", unit: .hertz, 0.1...20, initial: 5, canRamp: false),
      ParameterDescriptor(1, "depth", unit: .percent, 0...100, initial: 50),
    ]
  }

  public override func makeEffect() throws(AudioStatus) -> EffectProcessor { Shape(sampleRate: format.sampleRate) }

  /// The render half: no allocation, no lock. Values come by the row of the table.
  private final class Shape: EffectProcessor {
    let sampleRate: Double
    init(sampleRate: Double) { self.sampleRate = sampleRate }

    override func render(_ piece: RenderPiece) throws(AudioStatus) {
      let step = 2 * Double.pi * piece.parameters.start(0) / sampleRate
      let depth = piece.parameters.start(1) / 100
      for channel in 0..<piece.outputs[0].count {
        let input = piece.input(channel)
        let output = piece.output(channel)
        for frame in 0..<piece.frames {
          let phase = step * Double(piece.sampleTime + Int64(frame))
          output[frame] = input[frame] * Float(1 - depth / 2 * (1 - cos(phase)))
        }
      }
    }
  }
}
