import AudioCore
import AudioEngine
import BuiltInUnits
import Testing
import UnitTestSupport

/// Units keep values outside a range as given, and sound as the nearest inside.
@Suite("Values outside their ranges sound as the nearest inside") struct EffectUnitTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let unit: String
    let id: UInt32
    let outside: Float
    let nearest: Float
    /// Within the range, and heard to be another.
    let inside: Float
    /// By id, what is set beside it.
    var beside: [UInt32: Float] = [:]
    var testDescription: String { "\(unit), parameter \(id) at \(outside)" }

    init(
      _ unit: String, _ id: UInt32, _ outside: Float, _ nearest: Float, _ inside: Float, _ beside: [UInt32: Float] = [:]
    ) {
      self.unit = unit
      (self.id, self.outside, self.nearest, self.inside, self.beside) = (id, outside, nearest, inside, beside)
    }
  }

  private static let echo: [Case] = [
    Case("delay", 0, 150, 100, 90, [1: 0.01]), Case("delay", 0, -30, 0, 10, [1: 0.01]),
    Case("delay", 2, 140, 100, 90, [1: 0.01]), Case("delay", 2, -140, -100, -90, [1: 0.01]),
    Case("delay", 1, -1, 0, 0.01), Case("delay", 3, 1, 10, 30, [0: 100, 1: 0.01]), Case("sampleDelay", 0, -5, 0, 3),
  ]

  private static let room: [UInt32: Float] = [4: 0.2, 5: 0.1]
  private static let rooms: [Case] = [
    Case("reverb", 0, 130, 100, 90, room), Case("reverb", 0, -5, 0, 10, room), Case("reverb", 1, 33, 20, 19, room),
    Case("reverb", 1, -40, -20, -19, room), Case("reverb", 2, 0, 0.0001, 0.002, room),
    Case("reverb", 3, 1.5, 1, 0.9, room), Case("reverb", 4, 0, 0.001, 0.01, [5: 0.1]),
    Case("reverb", 4, 50, 20, 19, [5: 0.1]), Case("reverb", 5, 0, 0.001, 0.01, [4: 0.2]),
    Case("reverb", 5, 40, 20, 19, [4: 0.2]), Case("reverb", 6, 5000, 1000, 999, room),
    Case("reverb", 2, -1, 0.0001, 0.002, room), Case("reverb", 3, -1, 0.0001, 0.002, room),
    Case("reverb", 6, 0, 1, 2, room),
  ]

  private static let dynamics: [Case] = [
    Case("dynamicsProcessor", 0, -90, -40, -38), Case("dynamicsProcessor", 1, 0, 0.1, 0.5),
    Case("dynamicsProcessor", 1, 90, 40, 38), Case("dynamicsProcessor", 2, 0.2, 1, 1.5, [3: 0]),
    Case("dynamicsProcessor", 3, 5, 0, -1, [2: 1.5]), Case("dynamicsProcessor", 6, 99, 40, 39),
    Case("dynamicsProcessor", 6, -99, -40, -39), Case("peakLimiter", 2, 60, 40, 39),
    Case("dynamicsProcessor", 4, 0, 0.0001, 0.001, [0: -40]), Case("dynamicsProcessor", 4, 2, 0.2, 0.1, [0: -40]),
    Case("dynamicsProcessor", 5, 0, 0.01, 0.05, [0: -40]), Case("peakLimiter", 1, 0, 0.001, 0.01, [2: 20]),
    Case("peakLimiter", 1, 1, 0.06, 0.05, [2: 20]), Case("peakLimiter", 2, -60, -40, -39),
    Case("graphicEQ", 17, 33, 20, 19), Case("graphicEQ", 17, -33, -20, -19),
  ]

  /// All stages off, wet alone, at full scale; then one of them on.
  private static func stage(_ values: [UInt32: Float]) -> [UInt32: Float] {
    [2: 0, 5: 0, 9: 0, 13: 0, 14: 0, 15: 100].merging(values) { $1 }
  }
  private static let distortions: [Case] = [
    Case("distortion", 14, 40, 20, 19, stage([:])), Case("distortion", 14, -120, -80, -79, stage([:])),
    Case("distortion", 15, 140, 100, 90, stage([:])), Case("distortion", 15, -20, 0, 10, stage([:])),
    Case("distortion", 0, 0, 0.1, 2, stage([2: 50])), Case("distortion", 2, 150, 100, 90, stage([0: 2])),
    Case("distortion", 2, -50, 0, 10, stage([0: 2])),
    Case("distortion", 1, 0, 0.1, 0.5, stage([0: 2, 2: 50])), Case("distortion", 3, 150, 100, 90, stage([5: 100])),
    Case("distortion", 3, -50, 0, 10, stage([5: 100, 4: 90])),
    Case("distortion", 4, 150, 100, 90, stage([3: 0, 5: 100])),
    Case("distortion", 5, 150, 100, 90, stage([3: 50])), Case("distortion", 6, 3, 1, 0.9, stage([9: 100])),
    Case("distortion", 6, -3, 0, 0.1, stage([7: 1, 9: 100])), Case("distortion", 7, 33, 20, 19, stage([9: 100])),
    Case("distortion", 7, -2, 0, 1, stage([9: 100])), Case("distortion", 8, 33, 20, 19, stage([9: 100])),
    Case("distortion", 8, -2, 0, 1, stage([9: 100])), Case("distortion", 9, 150, 100, 90, stage([8: 3])),
    Case("distortion", 10, 9999, 8000, 7900, stage([12: 0, 13: 100])),
    Case("distortion", 10, 0, 0.5, 20, stage([12: 0, 13: 100])),
    Case("distortion", 11, 9999, 8000, 7900, stage([12: 100, 13: 100])),
    Case("distortion", 12, 150, 100, 90, stage([10: 200, 11: 300, 13: 100])),
    Case("distortion", 12, -50, 0, 10, stage([10: 200, 11: 300, 13: 100])),
    Case("distortion", 13, 150, 100, 90, stage([:])),
  ]

  private static let generators: [Case] = [
    Case("toneGenerator", 1, 20, 0, -1), Case("toneGenerator", 1, -200, -120, -110),
    Case("toneGenerator", 0, -5, 0, 10), Case("noiseGenerator", 0, 20, 0, -1),
    Case("noiseGenerator", 0, -200, -120, -110), Case("noiseGenerator", 1, 5, 1, 0),
    Case("noiseGenerator", 2, 2_000_000, 1_000_000, 999_999), Case("noiseGenerator", 2, -7, 0, 1),
  ]

  @Test("by one parameter after another", arguments: echo + rooms + dynamics + distortions + generators)
  func nearest(_ test: Case) throws {
    let component = try #require(ComponentRegistry.builtIn.named(test.unit))
    func output(_ value: Float) throws -> [Float] {
      let unit = component.make()
      for (id, beside) in test.beside { try unit.setParameter(ParameterAddress(id), to: beside) }
      try unit.setParameter(ParameterAddress(test.id), to: value)
      #expect(try unit.parameter(ParameterAddress(test.id)) == value)
      if unit.elementCount(.input) > 0 { return try renderedSignal(fed(unit, noise(1, frames: 5000)), total: 5000)[0] }
      try unit.setStreamFormat(StreamFormat(sampleRate: 44_100, channelCount: 1), .output)
      try unit.initialize()
      return try renderedSignal(unit, total: 5000)[0]
    }
    let expected = try output(test.nearest)
    let peak = expected.map(abs).max() ?? 0
    func difference(_ value: Float) throws -> Float {
      zip(try output(value), expected).map { abs($0 - $1) }.max() ?? .infinity
    }
    // Ends that no Float is: 0.1 is one.
    #expect(try difference(test.outside) <= 1e-6 * peak)
    #expect(try difference(test.inside) > 1e-4 * peak)
  }
}
