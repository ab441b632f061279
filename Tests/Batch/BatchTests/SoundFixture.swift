import AudioCore
import Glibc
import SoundFile
import TestSupport

/// Short sound files of floats, which hold every value.
enum SoundFixture {
  static func write(_ channels: [[Float]], rate: Double = 44_100, to path: String) throws {
    let buffer = PlanarBuffer(channelCount: channels.count, frameCapacity: channels[0].count)
    for (index, channel) in channels.enumerated() {
      for (frame, sample) in channel.enumerated() { buffer[index][frame] = sample }
    }
    let writer = try SoundFileWriter(
      path: path, format: SoundFileFormat(container: .wav, encoding: .float32), sampleRate: rate,
      channelCount: channels.count, expectedFrames: Int64(channels[0].count))
    try writer.write(buffer.planes, offset: 0, frames: channels[0].count)
    _ = try writer.finish()
  }

  static func noise(frames: Int, to path: String) throws {
    var generator = SeededGenerator(seed: UInt64(frames))
    try write([(0..<frames).map { _ in Float.random(in: -1...1, using: &generator) }], to: path)
  }

  /// A sine of 997 Hz on both channels, two seconds at 48 kHz.
  static func sine(_ level: Double, frames: Int = 96_000, to path: String) throws {
    let step = 2 * Double.pi * 997 / 48_000
    let sine = (0..<frames).map { frame in Float(level * sin(step * Double(frame))) }
    try write([sine, sine], rate: 48_000, to: path)
  }

  /// The first channel.
  static func read(_ path: String) throws -> [Float] {
    let reader = try SoundFileReader(path: path)
    let count = Int(reader.info.frameCount)
    let buffer = PlanarBuffer(channelCount: reader.info.channelCount, frameCapacity: count)
    let got = try reader.read(into: buffer.planes, frames: count)
    return (0..<got).map { buffer[0][$0] }
  }
}
