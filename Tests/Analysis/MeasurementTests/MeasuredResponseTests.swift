import AudioCore
import GraphMeasurement
import Measurement
import TestSupport
import Testing

@Suite("Measured as others measure")
struct MeasuredResponseTests {
  @Test("The response of an equalizer is what pyfar measures of it, and its group delay what scipy computes")
  func equalizer() throws {
    let rows = try Repository.text("fixtures/reference/measured-response.tsv").split(separator: "\n")
      .filter { !$0.hasPrefix("#") }.map { $0.split(separator: "\t").compactMap { Double($0) } }
    #expect(rows.count > 25 && rows.allSatisfy { $0.count == 3 })
    let unit = """
      {"unit": "nBandEQ", "bands": [
        {"type": "highPass", "frequency": 60}, {"type": "parametric", "frequency": 250, "bandwidth": 1, "gain": 4},
        {"type": "parametric", "frequency": 1500, "bandwidth": 0.4, "gain": -8},
        {"type": "lowShelf", "frequency": 120, "gain": 3}, {"type": "highShelf", "frequency": 9000, "gain": 3}]}
      """
    let device = try GraphDevice(unit: unit, named: "nBandEQ", channelCount: 1, sampleRate: 48_000)
    for method in [LinearSettings.Method.impulse, .sweep] {
      var settings = LinearSettings(device, methods: [method])
      settings.frequencies = rows.map { $0[0] }
      let found = try LinearMeasurement(settings).findings(of: device)
      let magnitudes = try #require(found.curve("magnitude")).points
      let delays = try #require(found.curve("groupDelay")).points
      for (row, (magnitude, delay)) in zip(rows, zip(magnitudes, delays)) {
        #expect(abs(magnitude.y - row[1]) < 0.0005, "\(method) at \(row[0]) Hz: \(magnitude.y) dB, not \(row[1])")
        #expect(abs(delay.y - row[2]) < 0.01, "\(method) at \(row[0]) Hz: \(delay.y) frames, not \(row[2])")
      }
    }
  }
}
