import AudioCore
import Foundation
import Measurement
import SoundFile
import TestSupport
import Testing

/// A compressor of textbook form (Giannoulis, Massberg, Reiss 2012): the level is the highest peak of the last 49
/// frames; a gain computer with a soft knee; the gain goes towards its target along an exponential in decibels.
struct TextbookCompressor {
  var threshold = -20.0
  var ratio = 4.0
  var knee = 0.0
  var makeup = 0.0
  var attack = 0.02
  var release = 0.2
  static let window = 49

  func gain(_ level: Double) -> Double {
    let (u, slope) = (level - threshold, 1 / ratio - 1)
    if u <= -knee / 2 { return makeup }
    return makeup + (u >= knee / 2 ? slope * u : slope * (u + knee / 2) * (u + knee / 2) / (2 * knee))
  }

  var device: FunctionDevice {
    FunctionDevice("textbook compressor") { (input) throws(BenchError) in
      var output = input
      output.channels = output.channels.map { channel in
        let (up, down) = (1 - exp(-1 / (attack * input.sampleRate)), 1 - exp(-1 / (release * input.sampleRate)))
        // The highest of the last frames: those that a later one exceeds are of no more use.
        var candidates: [(frame: Int, value: Double)] = []
        var head = 0
        var now = makeup
        return channel.enumerated().map { frame, sample in
          while candidates.count > head, let last = candidates.last, last.value <= abs(sample) {
            candidates.removeLast()
          }
          candidates.append((frame, abs(sample)))
          if candidates[head].frame <= frame - Self.window { head += 1 }
          let target = gain(20 * log10(max(candidates[head].value, 1e-12)))
          now += (target < now ? up : down) * (target - now)
          return sample * pow(10, now / 20)
        }
      }
      return output
    }
  }
}

@Suite("Dynamics")
struct DynamicsMeasurementTests {
  static func quick() -> DynamicsMeasurement {
    var measurement = DynamicsMeasurement()
    measurement.levels = stride(from: -60.0, through: 0, by: 2.5).map { $0 }
    measurement.settleSeconds = 0.3
    measurement.leadSeconds = 0.3
    measurement.attackHoldSeconds = 0.6
    measurement.releaseHoldSeconds = 2.5
    return measurement
  }

  @Test("threshold, ratio, knee and gain of a textbook compressor are found", arguments: [0.0, 10])
  func compressor(knee: Double) throws {
    let device = TextbookCompressor(threshold: -22, ratio: 3, knee: knee, makeup: 4)
    let findings = try Self.quick().measure(device.device)
    #expect(findings.remarks.isEmpty, "\(findings.remarks)")
    #expect(abs(try #require(findings.reading("threshold")).value + 22) < 0.1)
    #expect(abs(try #require(findings.reading("ratio")).value - 3) < 0.02)
    #expect(abs(try #require(findings.reading("knee")).value - knee) < 0.3)
    #expect(abs(try #require(findings.reading("thresholdGain")).value - 4) < 0.05)
    #expect(try #require(findings.reading("threshold")?.uncertainty) < 0.1)
    let curve = try #require(findings.curve("staticCurve"))
    for point in curve.points { #expect(abs(point.y - point.x - device.gain(point.x)) < 0.03, "\(point)") }
    // If nothing moves only rounding is left; above the threshold 15 time constants have passed, and exp(-15) of a step
    // is left.
    for point in curve.points {
      #expect((point.uncertainty ?? 1) < (point.x < -22 - knee / 2 ? 1e-7 : 1e-4), "\(point)")
    }
  }

  /// From −30 to −6 dBFS at −20 dBFS and 4:1 the gain goes by 10.5 dB along an exponential: 1 dB is left after τ·ln
  /// 10.5.
  @Test("attack and release are τ·ln(change ÷ 1 dB)")
  func times() throws {
    let findings = try Self.quick().measure(TextbookCompressor().device)
    let attack = try #require(findings.reading("attackTime"))
    #expect(abs(attack.value - 0.02 * log(10.5)) < 0.0005, "\(attack.value) s")
    #expect(try #require(attack.uncertainty) < 0.0005)
    // The level is held for the detector's 49 frames.
    let release = try #require(findings.reading("releaseTime"))
    let held = Double(TextbookCompressor.window) / 48_000
    #expect(abs(release.value - held - 0.2 * log(10.5)) < 0.001, "\(release.value) s")
    #expect(abs(try #require(findings.reading("attackGain")).value + 10.5) < 0.01)
    #expect(abs(try #require(findings.reading("releaseGain")).value) < 0.01)
  }

  @Test("the time of 63.2 % of the way is the time constant")
  func fraction() throws {
    var measurement = Self.quick()
    measurement.arrival = .fractionOfChange(1 - exp(-1))
    measurement.sampleRate = 44_100
    let findings = try measurement.measure(TextbookCompressor().device)
    #expect(abs(try #require(findings.reading("attackTime")).value - 0.02) < 0.0005)
    #expect(abs(try #require(findings.reading("releaseTime")).value - 0.2) < 0.002)
  }

  @Test("a delay does not lengthen the times")
  func delayed() throws {
    let device = FunctionDevice("late") { (input) throws(BenchError) in
      var output = try TextbookCompressor().device.process(input)
      output.channels = output.channels.map { [Double](repeating: 0, count: 3000) + $0.dropLast(3000) }
      return output
    }
    let attack = try #require(try Self.quick().measure(device).reading("attackTime"))
    #expect(abs(attack.value - 0.02 * log(10.5)) < 0.0005, "\(attack.value) s")
  }

  @Test("a limiter's ratio is out of bounds, an expander's is below its threshold")
  func otherCurves() {
    let levels = stride(from: -60.0, through: 0, by: 2).map { $0 }
    let limiter = GainCurveFit(levels.map { ($0, min($0, -12)) })
    #expect(limiter?.isCompressor == true)
    #expect((limiter?.ratio ?? 0) > 1000)
    #expect(abs((limiter?.thresholdDecibels ?? 0) + 12) < 0.05)
    let expander = GainCurveFit(levels.map { ($0, $0 < -40 ? $0 + ($0 + 40) : $0) })
    #expect(expander?.isCompressor == false)
    #expect(abs((expander?.ratio ?? 0) - 2) < 0.01)
    #expect(abs((expander?.thresholdDecibels ?? 0) + 40) < 0.05)
    #expect(GainCurveFit(levels.map { ($0, $0 + 3) })?.isStraight == true)
    #expect(GainCurveFit([(0, 0), (1, 1)]) == nil)
  }

  @Test("a wire has a straight curve, and no attack or release")
  func wire() throws {
    let findings = try Self.quick().measure(FunctionDevice.identity(.float32))
    #expect(findings.reading("threshold") == nil)
    #expect(abs(try #require(findings.reading("staticSlope")).value - 1) < 1e-6)
    #expect(findings.reading("attackTime") == nil)
    #expect(findings.remarks.count == 2)
  }

  @Test("a release that does not end in time is said not to")
  func unfinished() throws {
    var slow = TextbookCompressor()
    slow.release = 2
    let findings = try Self.quick().measure(slow.device)
    #expect(findings.reading("releaseTime") == nil)
    #expect(findings.remarks.contains { $0.contains("release is not over") })
  }

  @Test("settings that cannot be are errors")
  func errors() {
    for change in [
      { $0.levels = [-10, 0] }, { $0.lowDecibels = 0 }, { $0.jumpFrequencyHertz = 40_000 }, { $0.channelCount = 0 },
    ] as [(inout DynamicsMeasurement) -> Void] {
      var measurement = Self.quick()
      change(&measurement)
      let error = #expect(throws: BenchError.self) { try measurement.measure(FunctionDevice.identity(.float64)) }
      #expect(error?.kind == .usage)
    }
  }

  /// acompressor's own arithmetic is of squared levels; threshold and ratio mean the same.
  @Test("FFmpeg's compressor has the threshold and ratio that it is given", .enabled(if: Tool.find("ffmpeg") != nil))
  func ffmpeg() throws {
    let device = try #require(
      Tool.device(
        "ffmpeg",
        [
          "-v", "error", "-i", "{in}", "-af", "acompressor=threshold=-24dB:ratio=4:knee=1:attack=5:release=100",
          "-c:a", "pcm_f32le", "-y", "{out}",
        ]))
    let findings = try Self.quick().measure(device)
    #expect(abs(try #require(findings.reading("threshold")).value + 24) < 1)
    #expect(abs(try #require(findings.reading("ratio")).value - 4) < 0.2)
    #expect(findings.reading("attackTime") != nil)
    #expect(findings.reading("releaseTime") != nil)
  }

  @Test("SoX's compand has the points that it is given", .enabled(if: Tool.find("sox") != nil))
  func sox() throws {
    // Straight from -80 to -30, then 3:1 up to 0.
    let device = try #require(
      Tool.device("sox", ["{in}", "{out}", "compand", "0.005,0.1", "-80,-80,-30,-30,0,-20"]))
    let findings = try Self.quick().measure(device)
    let ratio = try #require(findings.reading("ratio")).value
    #expect(abs(ratio - 3) < 0.2, "\(ratio)")
    #expect(abs(try #require(findings.reading("threshold")).value + 30) < 1.5)
  }
}

/// Programs that may be on the machine.
enum Tool {
  static func find(_ name: String) -> String? {
    ["/usr/bin/", "/usr/local/bin/"].map { $0 + name }.first { FileManager.default.isExecutableFile(atPath: $0) }
  }

  /// One as a device: 32-bit float WAV in and out.
  static func device(_ name: String, _ arguments: [String]) -> FunctionDevice? {
    guard let path = find(name) else { return nil }
    return FunctionDevice(name, precision: .float32) { (input) throws(BenchError) in
      let folder = TemporaryFolder()
      let (source, sink) = (folder.file("in.wav"), folder.file("out.wav"))
      let writer = try SoundFileWriter(
        path: source, format: SoundFileFormat(path: source, encoding: "float32"), sampleRate: input.sampleRate,
        channelCount: input.channelCount, expectedFrames: Int64(input.frameCount))
      let block = DoubleBuffer(channelCount: input.channelCount, frameCapacity: max(1, input.frameCount))
      for (channel, samples) in input.channels.enumerated() {
        for (frame, sample) in samples.enumerated() { block.planes[channel][frame] = sample }
      }
      try writer.write(block.planes, frames: input.frameCount)
      _ = try writer.finish()
      let process = Process()
      process.executableURL = URL(fileURLWithPath: path)
      process.arguments = arguments.map {
        $0.replacingOccurrences(of: "{in}", with: source).replacingOccurrences(of: "{out}", with: sink)
      }
      process.standardError = FileHandle.nullDevice
      do { try process.run() } catch { throw BenchError(.render, at: name, "\(error)") }
      process.waitUntilExit()
      let reader = try SoundFileReader(path: sink)
      let count = Int(reader.info.frameCount)
      let back = DoubleBuffer(channelCount: reader.info.channelCount, frameCapacity: max(1, count))
      var channels = [[Double]](repeating: [], count: reader.info.channelCount)
      var read = 0
      repeat {
        read = try reader.read(into: back.planes, frames: count)
        for channel in channels.indices {
          channels[channel] += back.planes[channel].prefix(read).elements
        }
      } while read > 0
      return AudioSignal(sampleRate: reader.info.sampleRate, channels: channels)
    }
  }
}
