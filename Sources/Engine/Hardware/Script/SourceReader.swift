// The sound of a source, frame by frame. Runs on the hardware's thread, between the calls of a program's callbacks:
// reading files takes no time of theirs.

import AudioCore
import Glibc
import SampleRate
import SoundFile

/// A source that plays at a rate of the hardware, from its beginning on.
final class SourceReader {
  private let source: SoundSource
  private var sampleRate: Double
  /// Frames given at this rate, and seconds given at former ones.
  private var framesGiven: Int64 = 0
  private var secondsBefore = 0.0
  private var noise: [SplitMix64] = []
  private var file: FileSource?

  /// - Throws: `.input` for a file that cannot be read.
  init(_ source: SoundSource, sampleRate: Double) throws(BenchError) {
    self.source = source
    self.sampleRate = sampleRate
    switch source {
    case .silence, .tone: break
    case .noise(let seed, _):
      noise = (0..<8).map { SplitMix64(seed: seed &+ $0 &* 0x5851_F42D_4C95_7F2D) }
    case .file(let path, _, let repeats): file = try FileSource(path, repeats: repeats, sampleRate: sampleRate)
    }
  }

  /// The same source at another rate, from where it is.
  func move(to rate: Double) throws(BenchError) {
    guard rate != sampleRate else { return }
    secondsBefore += Double(framesGiven) / sampleRate
    framesGiven = 0
    sampleRate = rate
    try file?.move(to: rate, seconds: secondsBefore)
  }

  /// Adds the next frames to an interleaved buffer of up to 8 channels.
  /// - Throws: the error of reading a file; the file is silent from there on.
  func add(
    to samples: Plane<Float>, channelCount: Int, frames: Int, gain: Float = 1
  ) throws(BenchError) {
    defer { framesGiven += Int64(frames) }
    switch source {
    case .silence: return
    case .tone(let hertz, let amplitude):
      for frame in 0..<frames {
        let seconds = secondsBefore + Double(framesGiven + Int64(frame)) / sampleRate
        let cycles = hertz * seconds
        let value = Float(amplitude * sin(2 * .pi * (cycles - cycles.rounded(.down)))) * gain
        for channel in 0..<channelCount { samples[frame * channelCount + channel] += value }
      }
    case .noise(_, let amplitude):
      for frame in 0..<frames {
        for channel in 0..<channelCount {
          samples[frame * channelCount + channel] += Float((2 * noise[channel].unit() - 1) * amplitude) * gain
        }
      }
    case .file(_, let own, _):
      try file?.add(to: samples, channelCount: channelCount, frames: frames, gain: Float(own) * gain)
    }
  }
}

/// A sound file as a source.
private final class FileSource {
  private let path: String
  private let repeats: Bool
  private var reader: SoundFileReader
  private var converter: RateConverter
  private let block: PlanarBuffer
  private let converted: PlanarBuffer
  private var hasEnded = false
  private var hasComplained = false
  private static let blockFrames = 4_096

  init(_ path: String, repeats: Bool, sampleRate: Double) throws(BenchError) {
    self.path = path
    self.repeats = repeats
    reader = try SoundFileReader(path: path)
    // No microphone gives them, and the programs under it are not what is wrong.
    reader.nonFinitePolicy = .silence
    guard reader.info.channelCount <= RateConverter.maximumChannelCount else {
      throw BenchError(
        .input, at: path,
        "has \(NumberText.count(reader.info.channelCount, "channel")); a microphone takes up to \(RateConverter.maximumChannelCount)"
      )
    }
    converter = try Self.converter(reader, to: sampleRate)
    block = PlanarBuffer(channelCount: reader.info.channelCount, frameCapacity: Self.blockFrames)
    converted = PlanarBuffer(channelCount: reader.info.channelCount, frameCapacity: Self.blockFrames)
  }

  private static func converter(_ reader: SoundFileReader, to rate: Double) throws(BenchError) -> RateConverter {
    try RateConverter(
      from: reader.info.sampleRate, to: rate, channelCount: reader.info.channelCount, quality: .standard,
      maximumOutputFrames: blockFrames)
  }

  func move(to rate: Double, seconds: Double) throws(BenchError) {
    converter = try Self.converter(reader, to: rate)
    let frame = Int64(clamping: (seconds * reader.info.sampleRate).rounded())
    let length = max(1, reader.info.frameCount)
    hasEnded = frame >= length && !repeats
    if !hasEnded { try reader.seek(toFrame: repeats ? frame % length : frame) }
  }

  func add(
    to samples: Plane<Float>, channelCount: Int, frames: Int, gain: Float
  ) throws(BenchError) {
    var done = 0
    while done < frames {
      let count = min(frames - done, Self.blockFrames)
      try push(converter.inputFramesNeeded(toProduce: count))
      converter.pop(into: converted.planes, frames: count)
      for channel in 0..<channelCount {
        let plane = converted[min(channel, converted.channelCount - 1)]
        for frame in 0..<count { samples[(done + frame) * channelCount + channel] += plane[frame] * gain }
      }
      done += count
    }
  }

  /// Reads on, around the end where the source repeats, and silence behind it where not.
  private func push(_ frames: Int) throws(BenchError) {
    var missing = frames
    while missing > 0 {
      let count = min(missing, Self.blockFrames)
      var got = 0
      if !hasEnded {
        do {
          got = try reader.read(into: block.planes, frames: count)
          if got == 0 && repeats && reader.info.frameCount > 0 {
            try reader.seek(toFrame: 0)
            got = try reader.read(into: block.planes, frames: count)
          }
        } catch {
          hasEnded = true
          converter.pushSilence(frames: missing)
          throw error
        }
        hasEnded = got == 0
        complainOfNonFinite()
      }
      if got > 0 { converter.push(block.planes, frames: got) } else { converter.pushSilence(frames: count) }
      missing -= got > 0 ? got : count
    }
  }
  /// Says once that a sample was NaN or infinite.
  private func complainOfNonFinite() {
    let found = reader.nonFiniteSamples
    guard !hasComplained, !found.isEmpty else { return }
    hasComplained = true
    SimulatedHardware.complain(
      "\(path): a sample is \(found.notNumbers > 0 ? "NaN" : "infinite"), at frame \(found.firstFrame) of channel "
        + "\(found.firstChannel): it and all such are heard as silence")
  }
}
