import AudioCore
import AudioEngine
import BuiltInUnits
import Glibc
import Testing

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

  @Test(
    "random gains of up to 12 dB are met at every centre to 0.1 dB, and a step from 20 to −20 dB to 1 dB",
    arguments: [GraphicEQ.Bands.octaves, .thirds], [44_100.0, 96_000, 16_000])
  func centres(_ bands: GraphicEQ.Bands, _ rate: Double) throws {
    for seed in 1...3 as ClosedRange<UInt64> {
      var random = SplitMix64(seed: seed)
      let equalizer = GraphicEQ()
      try equalizer.setBands(bands)
      let gains = (0..<bands.count).map { band in
        seed == 3 ? (band < bands.count / 2 ? 20.0 : -20) : 24 * random.unit() - 12
      }
      for (band, gain) in gains.enumerated() { try equalizer.setGain(Float(gain), band: band) }
      let frames = Int(clamping: 2 * rate)
      let response = try renderedSignal(fed(equalizer, impulse(), sampleRate: rate), total: frames)[0]
      for band in 0..<bands.count where bands.centerHertz(band) < 0.45 * rate {
        let found = magnitude(response, bands.centerHertz(band), rate)
        #expect(
          abs(found - gains[band]) < (seed == 3 ? 1 : 0.1), "\(bands.centerHertz(band)) Hz: \(found), \(gains[band])")
        let closed = equalizer.closedForm(sampleRate: rate)?.magnitudeDecibels(atHertz: bands.centerHertz(band))
        #expect(abs(found - (closed ?? 0)) < 0.01)
      }
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
}

@Suite struct MultibandFilterTests {
  @Test("each of its sections is what its parameters say: shelves, passes and bells")
  func sections() throws {
    let rate = 48_000.0
    for (low, high) in [(0 as Float, 0 as Float), (1, 1), (0, 1)] {
      let filter = MultibandFilter()
      for (parameter, value) in [
        (MultibandFilter.Parameter.lowFilterType, low), (.lowFrequency, 80), (.lowGain, 9), (.centerFrequency1, 300),
        (.centerGain1, -7), (.bandwidth1, 0.5), (.centerFrequency2, 1500), (.centerGain2, 4), (.bandwidth2, 1),
        (.centerFrequency3, 5000), (.centerGain3, -12), (.bandwidth3, 0.3), (.highFilterType, high),
        (.highFrequency, 9000), (.highGain, -5),
      ] {
        try filter.set(parameter, to: value)
      }
      let response = try renderedSignal(fed(filter, impulse(), sampleRate: rate), total: 48_000)[0]
      func found(_ hertz: Double) -> Double {
        var (real, imaginary) = (0.0, 0.0)
        for (frame, sample) in response.enumerated() {
          real += Double(sample) * cos(2 * .pi * hertz * Double(frame) / rate)
          imaginary -= Double(sample) * sin(2 * .pi * hertz * Double(frame) / rate)
        }
        return 10 * log10(real * real + imaginary * imaginary)
      }
      for hertz in [12.0, 25, 80, 200, 300, 700, 1500, 3000, 5000, 9000, 15_000, 22_000] {
        let closed = try #require(filter.closedForm(sampleRate: rate)?.magnitudeDecibels(atHertz: hertz))
        #expect(abs(found(hertz) - closed) < 2e-3, "\(hertz) Hz: \(found(hertz)), \(closed)")
      }
      // Laws that do not come from the closed form: the ends of shelves, and 3 dB at a Butterworth's corner within what the bells do.
      if low == 0 { #expect(abs(found(1) - 9) < 0.05) } else { #expect(found(8) < -35) }
      if high == 0 { #expect(abs(found(23_500) + 5) < 0.3) } else { #expect(found(22_000) < -30) }
    }
  }

  @Test("a new one changes nothing")
  func flat() throws {
    let signal = noise(2, frames: 500)
    #expect(try renderedSignal(fed(MultibandFilter(), signal), total: 500) == signal)
  }
}
