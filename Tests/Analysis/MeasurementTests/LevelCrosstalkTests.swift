import AudioCore
import Glibc
import Measurement
import Testing

@Suite("Crosstalk")
struct LevelCrosstalkTests {
  /// output[j] = Σ matrix[j][i]·input[i], rounded to a format, after some frames of delay.
  private static func matrix(
    _ matrix: [[Double]], precision: SamplePrecision = .float64, delay: Int = 0
  ) -> FunctionDevice {
    FunctionDevice("matrix", inputChannelCount: matrix[0].count, precision: precision) {
      (input) throws(BenchError) in
      var channels: [[Double]] = []
      for row in matrix {
        var sum = [Double](repeating: 0, count: input.frameCount + delay)
        for (gain, samples) in zip(row, input.channels) {
          for (frame, sample) in samples.enumerated() { sum[frame + delay] += gain * sample }
        }
        channels.append(sum)
      }
      return precision.rounded(AudioSignal(sampleRate: input.sampleRate, channels: channels))
    }
  }

  private func readings(_ findings: Findings, _ id: String, input: Int? = nil) -> [Reading] {
    findings.readings.filter { $0.id == id && (input == nil || $0.at["input"] == input.map(Double.init)) }
  }

  @Test("reads the gains of a matrix, the crosstalk between them, the balance and the polarity")
  func gains() throws {
    let device = Self.matrix([[1, 0.001], [1e-5, -0.5]], delay: 37)
    let findings = try CrosstalkMeasurement.findings(of: device)
    let levels = [[0.0, 20 * log10(0.001)], [-100, 20 * log10(0.5)]]
    for reading in readings(findings, "level") {
      let output = try #require(reading.channel)
      let input = Int(clamping: try #require(reading.at["input"]))
      #expect(abs(reading.value - levels[output][input]) < 1e-6, "\(reading.name)")
      #expect(!reading.isBelowFloor)
    }
    #expect(readings(findings, "level").count == 12)
    #expect(readings(findings, "crosstalk", input: 0).allSatisfy { abs($0.value + 100) < 1e-6 })
    let second = -60 - 20 * log10(0.5)
    #expect(readings(findings, "crosstalk", input: 1).allSatisfy { abs($0.value - second) < 1e-6 })
    #expect(readings(findings, "balance").allSatisfy { abs($0.value - 20 * log10(0.5)) < 1e-9 })
    #expect(readings(findings, "polarity").map(\.value) == [1, -1])
    #expect(findings.remarks == ["input 1 comes out inverted"])
  }

  @Test(
    "has a floor that the sample format's step sets, and no crosstalk above it where there is none",
    arguments: zip([SamplePrecision.float32, .integer(bits: 24), .integer(bits: 16)], [26.0, 24, 16]))
  func floors(_ precision: SamplePrecision, _ halfStepBits: Double) throws {
    let findings = try CrosstalkMeasurement.findings(of: FunctionDevice.identity(precision))
    let crosstalk = readings(findings, "crosstalk")
    #expect(crosstalk.count == 6)
    // Half a step over a tone of a third of −6 dBFS; the error of q²/12 in all is spread over 24000 bins, which makes
    // about 43 dB in one, and the floor is the largest of five.
    let halfStep = 20 * log10(exp2(-halfStepBits) * 3) + 6
    for reading in crosstalk {
      #expect(reading.isBelowFloor)
      let floor = try #require(reading.floor)
      #expect(abs(floor - halfStep + 43) < 15, "\(reading.name): \(floor)")
    }
    // Rounding moves the tones themselves by less than a thousandth of a decibel.
    for reading in readings(findings, "level") where reading.channel.map(Double.init) == reading.at["input"] {
      #expect(abs(reading.value) < 0.001)
    }
    #expect(findings.remarks.isEmpty)
  }

  @Test(
    "a device that is 40 dB quieter is seen 40 dB less of", arguments: [SamplePrecision.float64, .integer(bits: 24)])
  func quietFloors(_ precision: SamplePrecision) throws {
    func floor(_ gain: Double) throws -> Double {
      let device = Self.matrix([[gain, 0], [0, gain]], precision: precision)
      let found = readings(try CrosstalkMeasurement.findings(of: device), "crosstalk").compactMap(\.floor)
      return try #require(found.max())
    }
    #expect(abs(try floor(0.01) - floor(1) - 40) < 12)
  }

  @Test("has a floor of -300 dB where nothing is rounded")
  func arithmeticFloor() throws {
    let findings = try CrosstalkMeasurement.findings(of: FunctionDevice.identity(.float64))
    #expect(readings(findings, "level").allSatisfy { $0.floor == -300 })
    #expect(readings(findings, "crosstalk").allSatisfy { $0.isBelowFloor })
  }

  @Test("finds swapped channels, a channel that goes elsewhere and one that goes nowhere")
  func routes() throws {
    let swapped = try CrosstalkMeasurement.findings(of: Self.matrix([[0, 1], [1, 0]]))
    #expect(swapped.remarks == ["channels 0 and 1 are swapped"])
    #expect(readings(swapped, "loudestOutput").map(\.value) == [1, 0])
    let mono = try CrosstalkMeasurement.findings(of: Self.matrix([[0.5, 0.5]]))
    #expect(mono.remarks == ["input 1 is loudest at output 0"])
    #expect(readings(mono, "crosstalk").isEmpty)
    let dead = try CrosstalkMeasurement.findings(of: Self.matrix([[1, 0], [0, 0]]))
    #expect(dead.remarks == ["nothing comes out of input 1"])
    let turned = try CrosstalkMeasurement.findings(of: Self.matrix([[0, 1, 0], [0, 0, 1], [1, 0, 0]]))
    #expect(turned.remarks.count == 3)
  }

  @Test("refuses tones that it could not tell apart, and an output that is too short or not finite")
  func errors() {
    var settings = CrosstalkSettings()
    settings.frequenciesHertz = [1_000, 1_010]
    #expect(throws: BenchError.self) {
      try CrosstalkMeasurement.findings(of: FunctionDevice.identity(.float64), settings: settings)
    }
    settings.frequenciesHertz = [23_000]
    #expect(throws: BenchError.self) {
      try CrosstalkMeasurement.findings(of: FunctionDevice.identity(.float64), settings: settings)
    }
    let short = FunctionDevice("short") { (input) throws(BenchError) in
      AudioSignal(sampleRate: input.sampleRate, channels: input.channels.map { Array($0.prefix(100)) })
    }
    #expect(throws: BenchError.self) { try CrosstalkMeasurement.findings(of: short) }
    let broken = FunctionDevice("broken") { (input) throws(BenchError) in
      AudioSignal(sampleRate: input.sampleRate, channels: input.channels.map { $0.map { _ in .nan } })
    }
    #expect(throws: BenchError.self) { try CrosstalkMeasurement.findings(of: broken) }
  }
}
