import AudioCore
import AudioEngine
import BuiltInUnits
import Measurement
import TestSupport
import Testing
import VerificationTesting

/// The example of CONTRIBUTING.md for a parameter of each input, with what stands around it in a unit's file.
private final class InputTrim: EffectUnit, @unchecked Sendable {
  static let component = Component(
    ComponentDescription(type: .effect, subType: "trim", manufacturer: "Acme"), shortName: "inputTrim",
    name: "Acme: Input trim", summary: "A level at its input, and a switch of its polarity."
  ) { InputTrim() }

  init() { super.init(Self.component) }

  public override func parameterTable(_ scope: Scope, element: Int) -> [ParameterDescriptor] {
    switch scope {
    case .global: [ParameterDescriptor(0, "invert", unit: .boolean, 0...1, initial: 0)]
    case .input: [ParameterDescriptor(1, "trim", unit: .decibels, -40...40, initial: 0)]
    default: []
    }
  }

  override func makeEffect() throws(AudioStatus) -> EffectProcessor { TrimProcessor() }

  private final class TrimProcessor: EffectProcessor, @unchecked Sendable {
    override func render(_ piece: RenderPiece) throws(AudioStatus) {
      let sign: Float = piece.parameters.start(0) >= 0.5 ? -1 : 1
      let (start, end) = (piece.parameters.start(1), piece.parameters.end(1))
      let cellFrames = Double(piece.parameters.cellEnd - piece.parameters.cellStart)
      let first = Double(piece.sampleTime - piece.parameters.cellStart)
      for channel in 0..<piece.outputs[0].count {
        let input = piece.input(channel)
        let output = piece.output(channel)
        for frame in 0..<piece.frames {
          let share = piece.parameters.isMoving ? (first + Double(frame)) / cellFrames : 0
          output[frame] = sign * Float(Decibels.amplitude(start + (end - start) * share)) * input[frame]
        }
      }
    }
  }
}

@Suite("The example of CONTRIBUTING.md")
struct ContributingTests {
  private static let trim = ParameterAddress(1, scope: .input, element: 0)

  @Test("It is the code that these tests compile")
  func isCompiled() throws {
    /// Lines without what is in front of them: both are indented by something else.
    func lines(_ text: some StringProtocol) -> [Substring] {
      text.split(separator: "\n").map { Substring($0).drop { $0 == " " } }
    }
    let page = try Repository.text("CONTRIBUTING.md")
    let section = try #require(page.components(separatedBy: "### A parameter of each input\n").dropFirst().first)
    let example = section.components(separatedBy: "\n## ")[0].split(separator: "\n").filter { $0.hasPrefix("    ") }
    let source = lines(try Repository.text("Tests/Verification/VerificationTests/ContributingTests.swift"))
    #expect(example.count > 15)
    for part in lines(example.joined(separator: "\n")).split(whereSeparator: { $0.hasPrefix("override func render") }) {
      #expect(source.firstRange(of: part) != nil, "\(part.first ?? "")")
    }
  }

  @Test("It multiplies by the trim's amplitude, with the sign of the switch")
  func law() throws {
    let unit = InputTrim()
    try unit.setParameter(Self.trim, to: -6)
    try unit.setParameter(ParameterAddress(0), to: 1)
    let law = FunctionDevice("a factor", precision: .float32) { (input) throws(BenchError) in
      var output = input
      // 10^(−6/20).
      output.channels = input.channels.map { $0.map { -0.501_187_233_627_272_3 * $0 } }
      return output
    }
    expect(unit, equals: law, .residual(peak: -140))
  }

  @Test("A moving trim sounds the same in all slices")
  func slices() throws {
    let unit = InputTrim()
    let points = [ParameterTimeline.Point(frame: 100, value: -20), ParameterTimeline.Point(frame: 9000, value: 6)]
    try unit.setTimeline(ParameterTimeline(points), for: Self.trim)
    expectSliceInvariance(of: unit)
  }
}
