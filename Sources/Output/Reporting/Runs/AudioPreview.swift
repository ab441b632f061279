import Measurement
import AudioCore
import Foundation
import Processes
import SoundFile

/// A sound made fit for a page: 16 bits, some seconds around what matters, as FLAC, which every browser plays.
///
/// It is for listening only; the file itself, which the page links, is what was judged.
struct AudioPreview {
  let flac: [UInt8]
  /// The changes to the samples: "amplified by 54 dB", "from 12.3 s on, 20 s of 10 min 00 s".
  let remarks: [String]

  static let longestSeconds = 20.0
  /// Twenty seconds of stereo at 48 kHz.
  static let mostSamples = 2_000_000
  /// The peak that a difference is amplified to: at −120 dBFS it would be inaudible.
  static let differencePeak = 0.25

  /// - Parameters:
  ///   - around: a frame that has to be in it, one second from the start of the part that is taken.
  ///   - amplifies: true to make a quiet sound louder; a sound over full scale is always made softer.
  /// - Throws: `.input` for what is not a sound file, `.output` where no FLAC can be made of it.
  init(path: String, around frame: Int64?, amplifies: Bool) throws(BenchError) {
    let reader = try SoundFileReader(path: path, allowTruncated: true)
    let info = reader.info
    guard info.frameCount > 0, (1...8).contains(info.channelCount), info.sampleRate > 0 else {
      throw BenchError(
        .input, at: path,
        "\(NumberText.count(info.frameCount, "frame")) of \(NumberText.count(info.channelCount, "channel")) cannot be played"
      )
    }
    var remarks: [String] = []
    let most = min(Int(clamping: Self.longestSeconds * info.sampleRate), Self.mostSamples / info.channelCount)
    let frames = Int(min(info.frameCount, Int64(max(1, most))))
    var start: Int64 = 0
    if info.frameCount > Int64(frames) {
      start = max(0, min((frame ?? 0) - Int64(clamping: info.sampleRate), info.frameCount - Int64(frames)))
      let all = Double(info.frameCount) / info.sampleRate
      let place = NumberText.significant(Double(start) / info.sampleRate, digits: 4)
      remarks.append(
        "from \(place) s on, \(NumberText.duration(Double(frames) / info.sampleRate)) of \(NumberText.duration(all))")
      if start > 0 { try reader.seek(toFrame: start) }
    }
    var channels = try Self.read(reader, frames: frames)
    let strange = channels.reduce(0) { $0 + $1.count { !$0.isFinite } }
    if strange > 0 {
      for index in channels.indices { channels[index] = channels[index].map { $0.isFinite ? $0 : 0 } }
      remarks.append("\(NumberText.count(strange, "sample")) not finite, played as silence")
    }
    let peak = channels.reduce(Float(0)) { max($0, $1.reduce(0) { max($0, abs($1)) }) }
    let gain = Self.gain(peak: Double(peak), amplifies: amplifies)
    if peak == 0 { remarks.append("silent") }
    if gain != 1 {
      let decibels = NumberText.decimal(abs(20 * log10(gain)), digits: 1)
      remarks.append(gain > 1 ? "amplified by \(decibels) dB" : "over full scale, softened by \(decibels) dB")
      for index in channels.indices { channels[index] = channels[index].map { Float(Double($0) * gain) } }
    }
    flac = try Self.encode(channels, sampleRate: info.sampleRate, path: path)
    self.remarks = remarks
  }

  private static func gain(peak: Double, amplifies: Bool) -> Double {
    if peak > 1 { return 1 / peak }
    // A whole number of decibels is easier to say.
    guard amplifies, peak > 0, peak < differencePeak else { return 1 }
    return pow(10, (20 * log10(differencePeak / peak)).rounded(.down) / 20)
  }

  private static func read(_ reader: SoundFileReader, frames: Int) throws(BenchError) -> [[Float]] {
    let buffer = PlanarBuffer(channelCount: reader.info.channelCount, frameCapacity: frames)
    let got = try reader.read(into: buffer.planes, frames: frames)
    return (0..<buffer.channelCount).map { Array(buffer[$0].prefix(got).elements) }
  }

  private static func encode(
    _ channels: [[Float]], sampleRate: Double, path: String
  ) throws(BenchError) -> [UInt8] {
    let folder = try ScratchFolder()
    defer { withExtendedLifetime(folder) {} }
    let file = folder.file("preview.flac")
    let frames = channels.first?.count ?? 0
    let writer = try SoundFileWriter(
      path: file, format: SoundFileFormat(container: .flac, encoding: .pcm16), sampleRate: sampleRate.rounded(),
      channelCount: channels.count, expectedFrames: Int64(frames))
    let buffer = PlanarBuffer(channelCount: channels.count, frameCapacity: frames)
    defer { withExtendedLifetime(buffer) {} }
    for (index, samples) in channels.enumerated() {
      for (frame, sample) in samples.enumerated() { buffer[index][frame] = sample }
    }
    try writer.write(buffer.planes, frames: frames)
    _ = try writer.finish()
    return try FileSystem.bytes(of: file, atMost: .max, orThrow: .output)
  }
}
