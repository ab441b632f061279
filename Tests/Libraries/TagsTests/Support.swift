import AudioCore
import SoundFile
import Tags
import TestSupport

/// Files of other programs: see `Fixtures/README.md`.
enum TagFixtures {
  static let names = ["tone.flac", "tone.opus", "tone.ogg", "tone.mp3", "tagged.wav", "tagged.aiff"]
  static func path(_ name: String) -> String { "\(Repository.path)/Tests/Libraries/TagsTests/Fixtures/\(name)" }
  static func bytes(_ name: String) -> [UInt8] { TestSupport.bytes(ofFile: path(name)) }
}

/// Writes noise with tags.
func writeTagged(_ path: String, _ tags: SoundTags, channels: Int = 1, frames: Int = 5000) throws
  -> SoundFileWriteReport
{
  try writeTagged(path, SoundFileFormat(path: path), tags, channels: channels, frames: frames)
}

func writeTagged(
  _ path: String, _ format: SoundFileFormat, _ tags: SoundTags, channels: Int = 1, frames: Int = 5000,
  options: SoundFileWriterOptions = SoundFileWriterOptions()
) throws -> SoundFileWriteReport {
  var options = options
  options.metadata = tags.metadata
  let buffer = PlanarBuffer(channelCount: channels, frameCapacity: frames)
  for channel in 0..<channels {
    var generator = SeededGenerator(seed: UInt64(channel + 1))
    buffer[channel].update(from: generator.noise(frames: frames))
  }
  let writer = try SoundFileWriter(
    path: path, format: format, sampleRate: 48_000, channelCount: channels, expectedFrames: Int64(frames),
    options: options)
  try writer.write(buffer.planes, frames: frames)
  let report = try writer.complete(with: tags)
  try writer.publish()
  return report
}

/// The bits of every sample.
func samples(_ path: String) throws -> [[UInt32]] {
  let reader = try SoundFileReader(path: path)
  let frames = Int(reader.info.frameCount)
  let buffer = PlanarBuffer(channelCount: reader.info.channelCount, frameCapacity: max(1, frames))
  let got = try reader.read(into: buffer.planes, frames: frames)
  return (0..<reader.info.channelCount).map { channel in (0..<got).map { buffer[channel][$0].bitPattern } }
}
