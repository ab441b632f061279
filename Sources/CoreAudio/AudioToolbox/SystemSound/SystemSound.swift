import AudioCore
import CAudioToolbox
import Glibc
import SoundFile

/// A short sound in memory, as Float32, interleaved.
struct SystemSound {
  /// A system sound is no longer.
  static let mostSeconds = 30.0
  private static let mostChannels = 32

  let format: AudioStreamBasicDescription
  let samples: [Float]

  /// Reads a file whole.
  /// - Throws: -1500 where it cannot be read, is empty, or is longer than 30 s.
  init(path: String) throws(AudioStatus) {
    do {
      let reader = try SoundFileReader(path: path)
      let (rate, channels) = (reader.info.sampleRate, reader.info.channelCount)
      guard (1...Self.mostChannels).contains(channels), reader.info.frameCount > 0,
        Double(reader.info.frameCount) <= Self.mostSeconds * rate
      else {
        RefusalLog.note("\(path): a system sound has up to 32 channels, and is 30 s long at the most")
        throw Self.unspecified
      }
      let piece = PlanarBuffer(channelCount: channels, frameCapacity: 4096)
      var samples: [Float] = []
      samples.reserveCapacity(Int(reader.info.frameCount) * channels)
      while true {
        let frames = try reader.read(into: piece.planes, frames: 4096)
        if frames == 0 { break }
        for frame in 0..<frames { for channel in 0..<channels { samples.append(piece.planes[channel][frame]) } }
      }
      self.init(samples, sampleRate: rate, channelCount: channels)
    } catch let error as BenchError {
      RefusalLog.note(error.description)
      throw Self.unspecified
    } catch { throw Self.unspecified }
  }

  private init(_ samples: [Float], sampleRate: Double, channelCount: Int) {
    self.samples = samples
    format =
      StreamFormat(sampleRate: sampleRate, channelCount: channelCount, isInterleaved: true).audioStreamBasicDescription
  }

  /// The alert of a user who has chosen none: 1 kHz at −12 dBFS for 100 ms, with straight fades of 10 ms.
  static let alert: SystemSound = {
    let (rate, frames) = (48_000.0, 4800)
    let fade = 480.0
    let samples = (0..<frames).map { frame in
      let level = min(1, Double(frame) / fade, Double(frames - 1 - frame) / fade)
      return Float(0.25 * level * sin(2 * Double.pi * 1000 * Double(frame) / rate))
    }
    return SystemSound(samples, sampleRate: rate, channelCount: 1)
  }()

  static let unspecified = AudioStatus(kAudioServicesSystemSoundUnspecifiedError)
}
