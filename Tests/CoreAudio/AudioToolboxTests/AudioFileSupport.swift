// Helpers that the tests of sound files share: URLs, descriptions, sounds, and calls that return their status.

import AudioCore
import AudioToolbox
import CoreFoundation
import SoundFile
import TestSupport
import Testing

func makeURL(_ path: String) -> CFURL {
  let bytes = Array(path.utf8)
  return CFURLCreateFromFileSystemRepresentation(kCFAllocatorDefault, bytes, bytes.count, false)
}

func pcm(
  _ encoding: SampleEncoding, rate: Double = 48_000, channels: Int = 2, isInterleaved: Bool = true
) -> AudioStreamBasicDescription {
  StreamFormat(sampleRate: rate, channelCount: channels, encoding: encoding, isInterleaved: isInterleaved)
    .audioStreamBasicDescription
}

func coded(_ id: AudioFormatID, flags: UInt32 = 0, rate: Double = 48_000, channels: UInt32 = 2)
  -> AudioStreamBasicDescription
{
  var format = AudioStreamBasicDescription()
  format.mSampleRate = rate
  format.mFormatID = id
  format.mFormatFlags = flags
  format.mChannelsPerFrame = channels
  return format
}

/// A file that was opened or created, and what the call answered.
func openFile(_ path: String, _ permissions: AudioFilePermissions = .readPermission) -> (OSStatus, AudioFileID?) {
  var file: AudioFileID?
  let status = AudioFileOpenURL(makeURL(path), permissions, 0, &file)
  return (status, file)
}

func createFile(
  _ path: String, _ type: AudioFileTypeID, _ format: AudioStreamBasicDescription, _ flags: AudioFileFlags = .eraseFile
) -> (OSStatus, AudioFileID?) {
  var file: AudioFileID?
  var format = format
  let status = AudioFileCreateWithURL(makeURL(path), type, &format, flags, &file)
  return (status, file)
}

/// The value of a property of fixed size.
func value<T: BitwiseCopyable>(_ file: AudioFileID, _ id: AudioFilePropertyID, _ initial: T) throws -> T {
  var (result, size) = (initial, UInt32(MemoryLayout<T>.size))
  try #require(AudioFileGetProperty(file, id, &size, &result) == 0)
  #expect(size == UInt32(MemoryLayout<T>.size))
  return result
}

func status(_ file: AudioFileID, _ id: AudioFilePropertyID, room: UInt32 = 4_096) -> OSStatus {
  var size = room
  var bytes = [UInt8](repeating: 0, count: 4_096)
  return AudioFileGetProperty(file, id, &size, &bytes)
}

/// All packets of a file in one call.
func readPackets(_ file: AudioFileID, from start: Int64 = 0, count: UInt32, room: UInt32 = 1 << 20) -> (
  status: OSStatus, bytes: [UInt8], packets: UInt32
) {
  var (packets, size) = (count, room)
  var bytes = [UInt8](repeating: 0, count: Int(room))
  let status = AudioFileReadPacketData(file, false, &size, nil, start, &packets, &bytes)
  return (status, Array(bytes[..<Int(size)]), packets)
}

/// Bytes without a pattern that a wrong order or place would keep.
func noiseBytes(_ count: Int, seed: UInt64 = 1) -> [UInt8] {
  var generator = SeededGenerator(seed: seed)
  return (0..<count).map { _ in UInt8(truncatingIfNeeded: generator.next() >> 24) }
}

/// Planes of noise, a channel each.
func noise(_ channels: Int, frames: Int, seed: UInt64 = 3) -> [[Float]] {
  var generator = SeededGenerator(seed: seed)
  return (0..<channels).map { _ in generator.noise(frames: frames) }
}

/// The samples as libsndfile reads them, through the engine's reader.
func decode(_ path: String) throws -> [[Float]] {
  let reader = try SoundFileReader(path: path)
  let frames = Int(reader.info.frameCount)
  let buffer = PlanarBuffer(channelCount: reader.info.channelCount, frameCapacity: max(1, frames))
  let got = try reader.read(into: buffer.planes, frames: frames)
  return (0..<reader.info.channelCount).map { Array(buffer[$0].prefix(got).elements) }
}

/// Writes planes with the engine's writer.
func encode(
  _ path: String, _ format: SoundFileFormat, _ planes: [[Float]], rate: Double = 48_000,
  metadata: SoundFileMetadata = SoundFileMetadata()
) throws {
  let frames = planes.first?.count ?? 0
  let buffer = PlanarBuffer(channelCount: planes.count, frameCapacity: max(1, frames))
  for (channel, plane) in planes.enumerated() {
    for (frame, sample) in plane.enumerated() { buffer[channel][frame] = sample }
  }
  let writer = try SoundFileWriter(
    path: path, format: format, sampleRate: rate, channelCount: planes.count, expectedFrames: Int64(frames),
    options: SoundFileWriterOptions(metadata: metadata))
  try writer.write(buffer.planes, frames: frames)
  _ = try writer.finish()
}

/// One interleaved buffer of the client's.
final class InterleavedBuffer {
  var bytes: [UInt8]
  let channels: UInt32

  init(byteCount: Int, channels: Int) {
    bytes = [UInt8](repeating: 0, count: byteCount)
    self.channels = UInt32(channels)
  }

  /// Calls `body` with a list whose buffer has `room` bytes (all, unless said); returns what the list says afterwards.
  func withList<R>(room: Int? = nil, _ body: (UnsafeMutablePointer<AudioBufferList>) -> R) -> (R, size: Int) {
    let room = room ?? bytes.count
    return bytes.withUnsafeMutableBytes { memory in
      var list = AudioBufferList()
      list.mNumberBuffers = 1
      list.mBuffers = AudioBuffer(
        mNumberChannels: channels, mDataByteSize: UInt32(room), mData: memory.baseAddress)
      let result = body(&list)
      return (result, Int(list.mBuffers.mDataByteSize))
    }
  }
}
