import AudioCore
import Glibc
import Measurement
import SoundFile
import TestSupport
import Testing

@Suite("Levels")
struct LevelMeasurementTests {
  private static func sine(_ amplitude: Double, frames: Int = 48_000) -> [Double] {
    // 997 Hz at 48 kHz: a whole number of periods in a second.
    (0..<frames).map { amplitude * sin(2 * Double.pi * 997 * Double($0 % 48_000) / 48_000) }
  }

  private func value(_ findings: Findings, _ id: String, channel: Int? = nil) throws -> Double {
    try #require(findings.reading(id, channel: channel)).value
  }

  @Test("of a full-scale sine: RMS -3.01 dBFS, or 0 by AES17; crest factor 3.01 dB; no DC")
  func sine() throws {
    let signal = AudioSignal(sampleRate: 48_000, channels: [Self.sine(1), Self.sine(-0.5)])
    let findings = try LevelMeasurement.findings(of: signal)
    let half = 20 * log10(0.5)
    #expect(abs(try value(findings, "rms", channel: 0) + 10 * log10(2)) < 1e-9)
    #expect(abs(try value(findings, "rms", channel: 1) + 10 * log10(2) - half) < 1e-9)
    #expect(abs(try value(findings, "peak", channel: 1) - half) < 1e-4)
    #expect(abs(try value(findings, "crest", channel: 0) - 10 * log10(2)) < 1e-4)
    #expect(abs(try value(findings, "dc", channel: 0)) < 1e-12)
    #expect(abs(try value(findings, "truePeak", channel: 0)) < 0.05)
    #expect(abs(try value(findings, "balance") - half) < 1e-9)
    #expect(abs(try value(findings, "correlation") + 1) < 1e-12)
    #expect(findings.remarks.contains("channels 0 and 1 are of opposite polarity"))

    var settings = LevelSettings()
    settings.rmsFullScale = .sine
    let aes17 = try LevelMeasurement.findings(of: signal, settings: settings)
    #expect(abs(try value(aes17, "rms", channel: 0)) < 1e-9)
    #expect(abs(try value(aes17, "crest", channel: 0) - 10 * log10(2)) < 1e-4)
  }

  @Test(
    "a true peak between two samples is known to hundredths of a decibel, at every rate",
    arguments: [48_000.0, 96_000, 192_000])
  func truePeakError(_ rate: Double) throws {
    // Two samples of 0.5: 0.5·(sinc(0.5) + sinc(−0.5)) between them.
    let silence = [Double](repeating: 0, count: 5_000)
    let findings = try LevelMeasurement.findings(
      of: AudioSignal(sampleRate: rate, channelCount: 1, silence + [0.5, 0.5] + silence))
    let reading = try #require(findings.reading("truePeak"))
    #expect(abs(reading.value - 20 * log10(2 / Double.pi)) <= reading.uncertainty ?? 0)
    #expect(reading.uncertainty ?? 1 < 0.01)
  }

  @Test("of a constant: its value as DC, peak and RMS, crest factor 0 dB")
  func constant() throws {
    let signal = AudioSignal(sampleRate: 48_000, channelCount: 1, Array(repeating: -0.25, count: 1_000))
    let findings = try LevelMeasurement.findings(of: signal)
    #expect(try value(findings, "dc") == -0.25)
    #expect(abs(try value(findings, "rms") - 20 * log10(0.25)) < 1e-12)
    #expect(abs(try value(findings, "crest")) < 1e-12)
  }

  @Test("of a sine a quarter turn from another: correlation 0")
  func quadrature() throws {
    let other = (0..<48_000).map { cos(2 * Double.pi * 997 * Double($0) / 48_000) }
    let findings = try LevelMeasurement.findings(
      of: AudioSignal(sampleRate: 48_000, channels: [Self.sine(0.5), other]))
    #expect(abs(try value(findings, "correlation")) < 1e-12)
  }

  @Test("count clipped runs by their length and sign, also over the edges of blocks")
  func clipping() throws {
    var samples = [Double](repeating: 0, count: 20_000)
    samples[100...101] = [1, 1]
    samples[200...202] = [1, 1, 1]
    samples[300...305] = [1, 1, 1, -1, -1, -1]
    samples[400...403] = [1, 1, -1, -1]
    // Blocks end at 4096.
    for frame in 4_090..<4_100 { samples[frame] = -1.5 }
    let signal = AudioSignal(sampleRate: 48_000, channelCount: 1, samples)
    let findings = try LevelMeasurement.findings(of: signal)
    #expect(try value(findings, "clippedRuns") == 4)
    #expect(try value(findings, "clippedSamples") == 19)
    var settings = LevelSettings()
    settings.clippedRunLength = 2
    settings.clippingAmplitude = 1.2
    #expect(try value(LevelMeasurement.findings(of: signal, settings: settings), "clippedRuns") == 1)
  }

  @Test("count what is not finite or subnormal, and then give no number for a level")
  func badSamples() throws {
    var samples = Self.sine(0.5)
    samples[10] = .nan
    samples[20] = .infinity
    samples[21] = -.infinity
    samples[30] = Double(Float.leastNonzeroMagnitude)
    samples[31] = -1e-300
    samples[32] = Double(Float.leastNormalMagnitude)
    let findings = try LevelMeasurement.findings(
      of: AudioSignal(sampleRate: 48_000, channels: [samples, Self.sine(0.5)]))
    #expect(try value(findings, "notNumbers", channel: 0) == 1)
    #expect(try value(findings, "infinities", channel: 0) == 2)
    #expect(try value(findings, "subnormals", channel: 0) == 2)
    for id in ["peak", "truePeak", "rms", "crest", "dc", "loudnessIntegrated", "balance", "correlation"] {
      #expect(try value(findings, id).isNaN, "\(id)")
    }
    #expect(abs(try value(findings, "peak", channel: 1) - 20 * log10(0.5)) < 1e-4)
    #expect(try value(findings, "subnormals", channel: 1) == 0)
    #expect(
      findings.remarks.contains {
        $0.hasPrefix("1 sample is NaN and 2 are infinite, the first at frame 10 of channel 0")
      })
    // Infinite samples in a row are no clipping.
    samples.replaceSubrange(100..<110, with: Array(repeating: .infinity, count: 10))
    let more = try LevelMeasurement.findings(of: AudioSignal(sampleRate: 48_000, channels: [samples]))
    #expect(try value(more, "clippedRuns") == 0 && value(more, "infinities") == 12)
  }

  @Test("of nothing and of silence are no error: minus infinity, or not a number with the reason")
  func silence() throws {
    let silence = try LevelMeasurement.findings(
      of: AudioSignal(sampleRate: 48_000, channelCount: 2, Array(repeating: 0, count: 240_000)))
    #expect(try value(silence, "peak") == -.infinity)
    #expect(try value(silence, "rms") == -.infinity)
    #expect(try value(silence, "truePeak") == -.infinity)
    #expect(try value(silence, "loudnessMomentaryMax") == -.infinity)
    #expect(silence.reading("loudnessIntegrated")?.value.isNaN == true)
    #expect(silence.reading("loudnessIntegrated")?.remark == "nothing above −70 LUFS for 400 ms")
    let nothing = try LevelMeasurement.findings(of: AudioSignal(sampleRate: 48_000, channels: [[]]))
    #expect(nothing.reading("peak")?.value.isNaN == true)
    #expect(nothing.reading("loudnessMomentaryMax")?.remark == "shorter than 400 ms")
    #expect(throws: BenchError.self) {
      try LevelMeasurement.findings(of: AudioSignal(sampleRate: 48_000, channels: []))
    }
  }

  @Test("of more channels than loudness knows: everything else, and a remark")
  func manyChannels() throws {
    let signal = AudioSignal(sampleRate: 48_000, channelCount: 65, [0, 0.5, 0])
    let findings = try LevelMeasurement.findings(of: signal)
    #expect(abs(try value(findings, "peak", channel: 64) - 20 * log10(0.5)) < 1e-12)
    #expect(findings.reading("loudnessIntegrated") == nil)
    #expect(findings.remarks.contains { $0.hasPrefix("no loudness: ") })
    // The first against each, and neighbours.
    #expect(findings.readings.count { $0.id == "balance" } == 64 + 63)
  }

  @Test("refuse loudspeakers for another number of channels")
  func loudspeakers() {
    var settings = LevelSettings()
    settings.loudspeakers = [.left]
    #expect(throws: BenchError.self) {
      try LevelMeasurement.findings(of: AudioSignal(sampleRate: 48_000, channels: [[0], [0]]), settings: settings)
    }
  }
}

@Suite("Levels of recordings")
struct LevelReferenceTests {
  private static func rows(_ name: String) throws -> [[String]] {
    try Repository.text("fixtures/reference/\(name)").split(separator: "\n").filter { !$0.hasPrefix("#") }.map {
      $0.split(separator: "\t").map(String.init)
    }
  }

  @Test("are numpy's: peak, RMS, mean and correlation, by file and in memory")
  func numpy() throws {
    let rows = try Self.rows("levels.tsv")
    #expect(rows.count == 11)
    for row in rows {
      let path = Fixtures.path("audio/\(row[0])")
      let found = try LevelMeasurement.findings(ofFile: path)
      let channel = try #require(Int(row[1]))
      let expected = row.dropFirst(2).compactMap(Double.init)
      func value(_ id: String) throws -> Double { try #require(found.reading(id, channel: channel)).value }
      #expect(abs(try value("peak") - 20 * log10(expected[0])) < 1e-12)
      #expect(abs(try value("rms") - 20 * log10(expected[1])) < 1e-9)
      #expect(abs(try value("dc") - expected[2]) < 1e-14)
      if channel == 1 { #expect(abs(try value("correlation") - expected[3]) < 1e-12) }
      // The ceiling of clipping depends on the file's bits; the rest is the same in memory.
      let inMemory = try LevelMeasurement.findings(of: signal(path, times: 1))
      for reading in found.readings where !reading.id.hasPrefix("clipped") {
        let other = inMemory.readings.first { $0.id == reading.id && $0.channel == reading.channel }
        #expect(other?.value.bitPattern == reading.value.bitPattern)
      }
    }
  }

  @Test("are pyloudnorm's: integrated loudness within 0.01 LU with the same filter, range within 0.2 LU")
  func pyloudnorm() throws {
    let rows = try Self.rows("loudness.tsv")
    #expect(rows.count == 16)
    for row in rows {
      let times = try #require(Int(row[1]))
      let frames = try #require(Int(row[2]))
      var whole = try signal(Fixtures.path("audio/\(row[0])"), times: times)
      whole.channels = whole.channels.map { Array($0.prefix(frames)) }
      let found = try LevelMeasurement.findings(of: whole)
      let integrated = try #require(found.reading("loudnessIntegrated")).value
      let exact = try #require(Double(row[3]))
      let usual = try #require(Double(row[4]))
      #expect(abs(integrated - exact) < 0.01, "\(row[0]) × \(times): \(integrated) against \(exact)")
      // Its own approximation of the filter is off by as much.
      #expect(abs(integrated - usual) < 0.1, "\(row[0]) × \(times): \(integrated) against \(usual)")
      if let range = Double(row[5]) {
        let value = try #require(found.reading("loudnessRange")).value
        #expect(abs(value - range) < 0.2, "\(row[0]) × \(times): \(value) LU against \(range)")
      }
    }
  }

  /// A recording, repeated.
  private func signal(_ path: String, times: Int) throws -> AudioSignal {
    let reader = try SoundFileReader(path: path)
    let frames = Int(reader.info.frameCount)
    let buffer = DoubleBuffer(channelCount: reader.info.channelCount, frameCapacity: frames)
    let count = try reader.read(into: buffer.planes, frames: frames)
    let channels = (0..<buffer.channelCount).map { channel in
      let once = Array(buffer[channel].prefix(count).elements)
      return Array(repeatElement(once, count: times).joined())
    }
    return AudioSignal(sampleRate: reader.info.sampleRate, channels: channels)
  }
}
