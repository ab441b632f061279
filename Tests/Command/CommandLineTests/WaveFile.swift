import Testing
import TestSupport

/// The plainest WAV file there is, made and read without the code under test (RIFF, Multimedia Programming Interface
/// 1.0).
struct WaveFile {
  var rate = 44_100
  var channels = 1
  var bits = 16
  /// The data chunk.
  var data: [UInt8]

  var frames: Int { data.count / (channels * bits / 8) }

  init(rate: Int = 44_100, channels: Int = 1, bits: Int = 16, data: [UInt8]) {
    self.rate = rate
    self.channels = channels
    self.bits = bits
    self.data = data
  }

  /// Noise of every possible value.
  static func noise(rate: Int = 44_100, channels: Int = 1, bits: Int = 16, frames: Int, seed: UInt64 = 1) -> WaveFile {
    var generator = SeededGenerator(seed: seed)
    let data = (0..<frames * channels * bits / 8).map { _ in UInt8(truncatingIfNeeded: generator.next()) }
    return WaveFile(rate: rate, channels: channels, bits: bits, data: data)
  }

  /// 16-bit samples, frame by frame.
  static func samples(_ samples: [Int16], rate: Int = 44_100, channels: Int = 1) -> WaveFile {
    WaveFile(rate: rate, channels: channels, data: samples.flatMap { littleEndian(UInt32(UInt16(bitPattern: $0)), 2) })
  }

  var bytes: [UInt8] {
    let frameBytes = channels * bits / 8
    return Array("RIFF".utf8) + Self.littleEndian(UInt32(36 + data.count), 4) + Array("WAVEfmt ".utf8)
      + Self.littleEndian(16, 4) + Self.littleEndian(1, 2) + Self.littleEndian(UInt32(channels), 2)
      + Self.littleEndian(UInt32(rate), 4) + Self.littleEndian(UInt32(rate * frameBytes), 4)
      + Self.littleEndian(UInt32(frameBytes), 2) + Self.littleEndian(UInt32(bits), 2) + Array("data".utf8)
      + Self.littleEndian(UInt32(data.count), 4) + data
  }

  /// Reads what `bytes` makes, and files with more chunks.
  init(reading bytes: [UInt8]) throws {
    func number(_ offset: Int, _ count: Int) -> Int {
      (0..<count).reduce(0) { $0 | Int(bytes[offset + $1]) << (8 * $1) }
    }
    try #require(bytes.starts(with: "RIFF".utf8))
    var offset = 12
    data = []
    while offset + 8 <= bytes.count {
      let size = number(offset + 4, 4)
      let name = String(decoding: bytes[offset..<offset + 4], as: UTF8.self)
      if name == "fmt " {
        channels = number(offset + 10, 2)
        rate = number(offset + 12, 4)
        bits = number(offset + 22, 2)
      }
      if name == "data" { data = Array(bytes[offset + 8..<offset + 8 + size]) }
      offset += 8 + size + size % 2
    }
  }

  /// The 16-bit samples of one channel.
  func channel(_ index: Int) -> [Int16] {
    (0..<frames).map { frame in
      let at = (frame * channels + index) * 2
      return Int16(bitPattern: UInt16(data[at]) | UInt16(data[at + 1]) << 8)
    }
  }

  static func littleEndian(_ value: UInt32, _ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * UInt32($0))) }
  }
}

/// Graph files for tests.
enum GraphText {
  /// A file straight into the output.
  static func player(_ file: String, rate: Int = 44_100) -> String {
    """
    {"version": 1, "sampleRate": \(rate), "nodes": [
      {"id": "p", "unit": "filePlayer", "file": "\(file)"},
      {"id": "low", "unit": "lowPassFilter", "bypass": true},
      {"id": "mix", "unit": "multichannelMixer"},
      {"id": "out", "unit": "genericOutput", "format": {"channels": 2}}],
     "connections": ["p -> low", "low -> mix", "mix -> out"]}
    """
  }

  /// For ever a file.
  static func endless(_ file: String) -> String {
    """
    {"version": 1, "nodes": [
      {"id": "p", "unit": "filePlayer", "file": "\(file)", "loops": -1},
      {"id": "out", "unit": "genericOutput"}], "connections": ["p -> out"]}
    """
  }
}
