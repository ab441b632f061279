import AudioCore
import AudioEngine
import CoreAudioStreams
import Foundation
import SoundFile

/// A file being written from buffers: through floats, or doubles where either side has more than Float can hold.
final class FileWriting {
  private let writer: SoundFileWriter
  private let converter: FormatConverter
  private let planes: FramePlanes
  private let pointers: UnsafeMutablePointer<UnsafeMutableRawPointer>
  private let bufferCount: Int
  private let bytesPerFrame: Int
  /// True from the end on. The lock is for a program that ends while another thread, as that of a tap, still writes.
  private let isFinished = Locked(false)

  private static let pieceFrames = 4096

  init(
    path: String, as format: SoundFileFormat, from client: StreamFormat, options: SoundFileWriterOptions
  ) throws(BenchError) {
    // Integers of 32 bits and doubles only meet in doubles; Float holds the rest.
    let isWide = client.encoding.bits > 24 && !(client.encoding.kind == .float && client.encoding.bits == 32)
    let planes = FramePlanes(
      format: FramePlanes.format(sampleRate: client.sampleRate, channelCount: client.channelCount, isWide: isWide),
      frameCapacity: Self.pieceFrames)
    converter = try FormatConverter(
      from: client, to: planes.format, maximumFrames: Self.pieceFrames, options: FormatConverter.Options())
    writer = try SoundFileWriter(
      path: path, format: format, sampleRate: client.sampleRate, channelCount: client.channelCount, options: options)
    self.planes = planes
    bufferCount = client.bufferCount
    bytesPerFrame = client.bytesPerFrame
    pointers = .allocate(capacity: bufferCount)
  }

  deinit { pointers.deallocate() }

  /// Frames written so far.
  var frames: Int64 { writer.framesWritten }

  func write(_ buffer: AVAudioPCMBuffer) throws(NSError) {
    try isFinished.withLock { isFinished throws(NSError) in
      guard !isFinished else { throw NSError(.filePermissions, "\(writer.path): the file is closed") }
      try append(buffer)
    }
  }

  private func append(_ buffer: AVAudioPCMBuffer) throws(NSError) {
    var done = 0
    while done < Int(buffer.frameLength) {
      let piece = min(Self.pieceFrames, Int(buffer.frameLength) - done)
      buffer.bus(pointers, from: done)
      converter.convert(
        BusBuffer(buffers: pointers, count: bufferCount, frames: piece), to: planes.bus, frames: piece)
      do throws(BenchError) { try planes.write(to: writer, frames: piece) } catch {
        throw NSError(.fileUnspecified, error.description)
      }
      done += piece
    }
  }

  /// Completes the file and gives it its name. Once.
  func finish() throws(NSError) {
    try isFinished.withLock { isFinished throws(NSError) in
      guard !isFinished else { return }
      isFinished = true
      do throws(BenchError) { _ = try writer.finish() } catch { throw NSError(.fileUnspecified, error.description) }
    }
  }
}
