import AVFAudioFiles
import AudioCore
import Foundation

/// The frames of one thing that a player plays, from its first on.
protocol PlayerSource: AnyObject {
  /// Writes up to so many frames behind those that were given last, and returns how many: less at the end only.
  func read(_ frames: Int, into channels: [UnsafeMutablePointer<Float>]) -> Int
  /// True when it is known that no frame is left.
  var isAtEnd: Bool { get }
  /// Leaves out frames.
  func skip(_ frames: Int64)
  /// Begins anew with the first frame.
  func rewind()
}

/// A buffer, read where it lies: what the program writes into it while it loops is heard.
final class BufferSource: PlayerSource {
  private let buffer: AVAudioPCMBuffer
  private var position = 0

  init(_ buffer: AVAudioPCMBuffer) { self.buffer = buffer }

  func read(_ frames: Int, into channels: [UnsafeMutablePointer<Float>]) -> Int {
    guard let samples = buffer.floatChannelData else { return 0 }
    let count = max(0, min(frames, Int(buffer.frameLength) - position))
    let stride = buffer.stride
    for (index, channel) in channels.enumerated() {
      let source = samples[index] + position * stride
      for frame in 0..<count { channel[frame] = source[frame * stride] }
    }
    position += count
    return count
  }

  var isAtEnd: Bool { position >= Int(buffer.frameLength) }
  func skip(_ frames: Int64) { position = Int(clamping: Int64(position) + min(frames, Int64(buffer.frameLength))) }
  func rewind() { position = 0 }
}

/// Frames of a file, in the format of a player: rate and channels are converted where they differ.
final class FileSource: PlayerSource {
  private let file: AVAudioFile
  private let first: AVAudioFramePosition
  private let end: AVAudioFramePosition
  private var position: AVAudioFramePosition
  private let format: AVAudioFormat
  private let buffer: AVAudioPCMBuffer?
  /// Nil where the file has the player's format.
  private let converter: AVAudioConverter?
  private let converted: AVAudioPCMBuffer?
  private static let pieceFrames: AVAudioFrameCount = 4096

  /// - Parameters:
  ///   - first: a frame of the file, or its end.
  ///   - frames: as many, or as there are.
  init(_ file: AVAudioFile, from first: AVAudioFramePosition, frames: AVAudioFramePosition, as format: AVAudioFormat) {
    self.file = file
    self.first = min(max(0, first), file.length)
    end = self.first + min(max(0, frames), file.length - self.first)
    position = self.first
    self.format = format
    buffer = AVAudioPCMBuffer(pcmFormat: file.processingFormat, frameCapacity: Self.pieceFrames)
    let isSame = file.processingFormat.stream == format.stream
    converter = isSame ? nil : AVAudioConverter(from: file.processingFormat, to: format)
    converted = isSame ? nil : AVAudioPCMBuffer(pcmFormat: format, frameCapacity: Self.pieceFrames)
  }

  func read(_ frames: Int, into channels: [UnsafeMutablePointer<Float>]) -> Int {
    var done = 0
    while done < frames, let piece = next(frames - done), piece.frameLength > 0, let samples = piece.floatChannelData {
      for (index, channel) in channels.enumerated() {
        (channel + done).update(from: samples[index], count: Int(piece.frameLength))
      }
      done += Int(piece.frameLength)
    }
    return done
  }

  /// The next frames of the player's format, up to a number; nil: the end.
  private func next(_ frames: Int) -> AVAudioPCMBuffer? {
    let count = AVAudioFrameCount(min(frames, Int(Self.pieceFrames)))
    guard let converter, let converted else { return readFile(count) }
    let list = UnsafeMutableAudioBufferListPointer(converted.mutableAudioBufferList)
    for index in list.indices { list[index].mDataByteSize = count * 4 }
    guard let view = AVAudioPCMBuffer(pcmFormat: format, bufferListNoCopy: list.unsafePointer) else { return nil }
    converter.convert(to: view, error: nil) { wanted, status in
      let piece = self.readFile(min(max(1, wanted), Self.pieceFrames))
      status.pointee = piece == nil ? .endOfStream : .haveData
      return piece
    }
    return view
  }

  /// Nil at the end, and where the file cannot be read any further.
  private func readFile(_ frames: AVAudioFrameCount) -> AVAudioPCMBuffer? {
    let count = AVAudioFrameCount(clamping: min(Int64(frames), end - position))
    guard let buffer, count > 0, file.isOpen, position <= file.length else { return nil }
    // Several segments may read one file in turn.
    if file.framePosition != position { file.framePosition = position }
    guard (try? file.read(into: buffer, frameCount: count)) != nil, buffer.frameLength > 0 else { return nil }
    position += AVAudioFramePosition(buffer.frameLength)
    return buffer
  }

  /// A converter may have frames of its own left: its end is seen when it is asked for more.
  var isAtEnd: Bool { converter == nil && position >= end }

  func skip(_ frames: Int64) {
    guard converter != nil else {
      position = min(end, position + min(frames, end - position))
      return
    }
    var left = frames
    while left > 0, let piece = next(Int(clamping: left)), piece.frameLength > 0 { left -= Int64(piece.frameLength) }
  }

  func rewind() {
    position = first
    converter?.reset()
  }
}
