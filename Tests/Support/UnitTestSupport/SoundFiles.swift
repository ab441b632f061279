import AudioCore
import AudioEngine
import Glibc
import SoundFile
import TestSupport

/// Sound files for the players, written once: a WAV file of stereo noise and one of mono, in a folder of their own.
package enum SoundFiles {
  package static let stereoFrames = 5000
  package static let stereo = written("stereo.wav", noise(2, frames: stereoFrames, seed: 9), sampleRate: 44_100)
  package static let mono = written("mono.wav", noise(1, frames: 3000, seed: 10), sampleRate: 22_050)

  /// Writes Float32, so that the samples are those of the signal.
  private static func written(_ name: String, _ signal: Signal, sampleRate: Double) -> String {
    do {
      return try write(name, signal, sampleRate: sampleRate)
    } catch {
      preconditionFailure("no temporary sound file: \(error)")
    }
  }

  private static func write(_ name: String, _ signal: Signal, sampleRate: Double) throws -> String {
    let path = folder + "/" + name
    let writer = try SoundFileWriter(
      path: path, format: SoundFileFormat(container: .wav, encoding: .float32), sampleRate: sampleRate,
      channelCount: signal.count, expectedFrames: Int64(signal[0].count))
    let buffer = PlanarBuffer(channelCount: signal.count, frameCapacity: signal[0].count)
    for (channel, samples) in signal.enumerated() { buffer[channel].update(from: samples) }
    try writer.write(buffer.planes, frames: signal[0].count)
    _ = try writer.finish()
    return path
  }

  private static let folder: String = {
    atexit { SoundFiles.remove() }
    return TemporaryFolder.made()
  }()

  private static func remove() {
    for name in ["stereo.wav", "mono.wav"] { unlink(folder + "/" + name) }
    rmdir(folder)
  }

  /// A recording of the project's fixtures.
  package static func fixture(_ name: String) -> String { fixtures + "/audio/" + name }

  package static let fixtures = Repository.path + "/fixtures"
}
