import AudioCore
import AudioEngine
import BuiltInUnits
import Glibc
import Testing
import UnitTestSupport

/// The graphic equalizer has at its centres what is set, and the filter what its closed form says.
@Suite struct GraphicEQTests {
  /// The magnitude at a frequency, decibels, by the impulse response: not by the closed form.
  private func magnitude(_ response: [Float], _ hertz: Double, _ rate: Double) -> Double {
    var (real, imaginary) = (0.0, 0.0)
    for (frame, sample) in response.enumerated() {
      let angle = 2 * .pi * hertz * Double(frame) / rate
      real += Double(sample) * cos(angle)
      imaginary -= Double(sample) * sin(angle)
    }
    return 10 * log10(real * real + imaginary * imaginary)
  }

  private enum Gains: CaseIterable { case alternating, random, steps, all }

  /// The rates are shared out, as the lowest bands of alternating gains ring for seconds.
  @Test(
    "gains of up to 20 dB are met at every centre to 0.01 dB: alternating, random, in steps, and all alike",
    arguments: [GraphicEQ.Bands.octaves, .thirds])
  func centres(_ bands: GraphicEQ.Bands) throws {
    for (pattern, rate, seconds) in [
      (Gains.alternating, 44_100.0, 7.0), (.random, 16_000, 7), (.steps, 96_000, 2), (.all, 48_000, 2),
    ] {
      var random = SplitMix64(seed: 1)
      let equalizer = GraphicEQ()
      try equalizer.setBands(bands)
      let gains = (0..<bands.count).map { band -> Double in
        switch pattern {
        case .alternating: band % 2 == 0 ? 20.0 : -20
        case .random: 40 * random.unit() - 20
        case .steps: band < bands.count / 2 ? 20 : -20
        case .all: 20
        }
      }
      for (band, gain) in gains.enumerated() { try equalizer.setGain(Float(gain), band: band) }
      let frames = Int(clamping: seconds * rate)
      let response = try renderedSignal(fed(equalizer, impulse(), sampleRate: rate), total: frames)[0]
      for band in 0..<bands.count where bands.centerHertz(band) < 0.45 * rate {
        let found = magnitude(response, bands.centerHertz(band), rate)
        #expect(
          abs(found - gains[band]) < 0.01, "\(pattern), \(bands.centerHertz(band)) Hz: \(found), \(gains[band])")
        let closed = equalizer.closedForm(sampleRate: rate)?.magnitudeDecibels(atHertz: bands.centerHertz(band))
        #expect(abs(found - (closed ?? 0)) < 0.01)
      }
    }
  }

  @Test(
    "between the centres of bands of one gain the curve has no less than 81 % of its decibels, and no more than 0.1 more"
  )
  func between() throws {
    let rate = 48_000.0
    for (bands, gain) in [(GraphicEQ.Bands.octaves, 20.0), (.thirds, 6)] {
      let equalizer = GraphicEQ()
      try equalizer.setBands(bands)
      for band in 0..<bands.count { try equalizer.setGain(Float(gain), band: band) }
      let response = try renderedSignal(fed(equalizer, impulse(), sampleRate: rate), total: 24_000)[0]
      // From where half a second is long, on.
      let found = (bands.count / 2..<bands.count - 1).flatMap { band in
        [0.25, 0.5, 0.75].map { part in
          magnitude(
            response, bands.centerHertz(band) * pow(bands.centerHertz(band + 1) / bands.centerHertz(band), part), rate)
        }
      }
      #expect(found.allSatisfy { $0 > 0.805 * gain && $0 < gain + 0.1 }, "\(found)")
      #expect(found.contains { $0 < 0.84 * gain })
    }
  }

  @Test("flat it is the input, bit for bit; the band's number may be given as 10 and 31 too")
  func flat() throws {
    let signal = noise(2, frames: 2000)
    #expect(try renderedSignal(fed(GraphicEQ(), signal), total: 2000) == signal)
    var outputs: [[Float]] = []
    for value in [0, 10, 1, 31] as [Float] {
      let equalizer = GraphicEQ()
      try equalizer.setParameter(ParameterAddress(GraphicEQ.numberOfBandsID), to: value)
      try equalizer.setGain(9, band: 4)
      outputs.append(try renderedSignal(fed(equalizer, signal), total: 2000)[0])
    }
    #expect(outputs[0] == outputs[1] && outputs[2] == outputs[3] && outputs[0] != outputs[2])
    #expect(GraphicEQ.Bands.octaves.count == 10 && GraphicEQ.Bands.thirds.count == 31)
    #expect(throws: AudioStatus.invalidParameter) { try GraphicEQ().setGain(1, band: 31) }
  }

  @Test("bands above 0.45 of the rate are silent, and the centres are 1000 Hz · 2^k and 2^(k/3)")
  func bands() throws {
    let signal = noise(1, frames: 3000)
    // 7200 Hz lies between the octaves at 4 and 8 kHz, and between the thirds at 6.35 and 8 kHz.
    for (bands, lowest) in [(GraphicEQ.Bands.octaves, 8), (.thirds, 26)] {
      for band in [lowest - 1, lowest] {
        let unit = GraphicEQ()
        try unit.setBands(bands)
        try unit.setGain(12, band: band)
        let output = try renderedSignal(fed(unit, signal, sampleRate: 16_000), total: 3000)
        #expect((output == signal) == (band == lowest), "\(bands) \(band)")
      }
      let centres = (0..<bands.count).map(bands.centerHertz)
      let (first, step) = bands == .octaves ? (31.25, 2.0) : (1000 * pow(2, -17.0 / 3), cbrt(2))
      for (band, centre) in centres.enumerated() {
        #expect(abs(centre / (first * pow(step, Double(band))) - 1) < 1e-12)
      }
    }
    for band in [-1, 31, 100] {
      #expect(throws: AudioStatus.invalidParameter) { try GraphicEQ().setGain(1, band: band) }
    }
    let unit = GraphicEQ()
    for band in [0, 30] {
      try unit.setGain(3, band: band)
      #expect(try unit.parameter(ParameterAddress(UInt32(band))) == 3)
    }
  }
}
