// The frames of what a player plays. `read`, `skip` and `rewind` run on the thread that renders: they neither allocate,
// lock nor wait, unless a program renders offline.

import AVFAudioFiles
import AudioCore
import Foundation
import Synchronization

/// The frames of one thing that a player plays, from its first on.
protocol PlayerSource: AnyObject {
  /// Writes up to so many frames behind those that were given last, and returns how many: less at the end only.
  /// - Parameter mayRead: true where a file may be read meanwhile.
  func read(_ frames: Int, into target: PlayerTarget, mayRead: Bool) -> Int
  /// True when it is known that no frame is left.
  var isAtEnd: Bool { get }
  /// Leaves out frames.
  func skip(_ frames: Int64)
  /// Begins anew with the first frame.
  func rewind()
  /// Makes frames ready, so that `read` has them, and returns how many there are. Not on the thread that renders.
  func prefetch() -> Int
}

/// A buffer, read where it lies: what the program writes into it while it loops is heard.
final class BufferSource: PlayerSource {
  private let buffer: AVAudioPCMBuffer
  private let channelCount: Int
  private var position = 0

  init(_ buffer: AVAudioPCMBuffer) {
    self.buffer = buffer
    channelCount = Int(buffer.format.channelCount)
  }

  func read(_ frames: Int, into target: PlayerTarget, mayRead: Bool) -> Int {
    guard let samples = buffer.floatChannelData else { return 0 }
    let count = max(0, min(frames, Int(buffer.frameLength) - position))
    let stride = buffer.stride
    for index in 0..<min(channelCount, target.channelCount) {
      let channel = target.channel(index)
      let source = samples[index] + position * stride
      for frame in 0..<count { channel[frame] = source[frame * stride] }
    }
    position += count
    return count
  }

  var isAtEnd: Bool { position >= Int(buffer.frameLength) }
  func skip(_ frames: Int64) { position = Int(clamping: Int64(position) + min(frames, Int64(buffer.frameLength))) }
  func rewind() { position = 0 }
  func prefetch() -> Int { Int(buffer.frameLength) }
}

/// A file that a player reads on its own, whatever the program does with its `AVAudioFile` meanwhile.
final class PlayerFile: @unchecked Sendable {
  let original: AVAudioFile
  private let file: Locked<AVAudioFile>

  init(_ file: AVAudioFile) {
    original = file
    let format = file.processingFormat
    let own = try? AVAudioFile(
      forReading: file.url, commonFormat: format.commonFormat, interleaved: format.isInterleaved)
    // A file that is not there any more is read by the program's own hold of it.
    self.file = Locked(own.flatMap { $0.length == file.length ? $0 : nil } ?? file)
  }

  /// Reads frames from a place; false where there are none, or they cannot be read.
  func read(from position: AVAudioFramePosition, _ frames: AVAudioFrameCount, into buffer: AVAudioPCMBuffer) -> Bool {
    file.withLock { file in
      guard file.isOpen, position <= file.length else { return false }
      // Several segments read one file in turn.
      if file.framePosition != position { file.framePosition = position }
      return (try? file.read(into: buffer, frameCount: frames)) != nil && buffer.frameLength > 0
    }
  }
}

/// Frames of a file, in the format of a player: rate and channels are converted where they differ. They are read ahead
/// into a ring.
final class FileSource: PlayerSource {
  /// Frames that are read ahead: the longest slices of hardware, four times.
  private static let capacity = 4 * 4096
  private static let pieceFrames: AVAudioFrameCount = 4096

  /// The place in the file, of the side that reads ahead.
  private struct Reading {
    var position: AVAudioFramePosition
    var isOver = false
  }

  private let file: PlayerFile
  private let end: AVAudioFramePosition
  private let reading: Locked<Reading>
  private let buffer: AVAudioPCMBuffer?
  /// Nil where the file has the player's format.
  private let converter: AVAudioConverter?
  private let converted: AVAudioPCMBuffer?
  private let ring: PlanarBuffer
  /// Frames that were put into the ring, and taken out or left out.
  private let written = Atomic<Int64>(0)
  private let taken = Atomic<Int64>(0)
  /// All frames; `.max` until that is known.
  private let total: Atomic<Int64>

  /// - Parameters:
  ///   - first: a frame of the file, or its end.
  ///   - frames: as many, or as there are.
  init(_ file: PlayerFile, from first: AVAudioFramePosition, frames: AVAudioFramePosition, as format: AVAudioFormat) {
    self.file = file
    let length = file.original.length
    let start = min(max(0, first), length)
    end = start + min(max(0, frames), length - start)
    reading = Locked(Reading(position: start))
    let processing = file.original.processingFormat
    buffer = AVAudioPCMBuffer(pcmFormat: processing, frameCapacity: Self.pieceFrames)
    let isSame = processing.stream == format.stream
    converter = isSame ? nil : AVAudioConverter(from: processing, to: format)
    converted = isSame ? nil : AVAudioPCMBuffer(pcmFormat: format, frameCapacity: Self.pieceFrames)
    total = Atomic(isSame ? end - start : .max)
    ring = PlanarBuffer(channelCount: Int(format.channelCount), frameCapacity: Self.capacity)
  }

  // MARK: The thread that renders

  func read(_ frames: Int, into target: PlayerTarget, mayRead: Bool) -> Int {
    var done = 0
    while done < frames {
      let place = taken.load(ordering: .relaxed)
      let left = total.load(ordering: .acquiring) - place
      guard left > 0 else { break }
      let ready = written.load(ordering: .acquiring) - place
      if ready <= 0 {
        if mayRead, prefetch() > 0 || isAtEnd { continue }
        // Too late: these frames are left out.
        let lost = Int(min(Int64(frames - done), left))
        taken.store(place + Int64(lost), ordering: .releasing)
        done += lost
        continue
      }
      let count = Int(min(ready, left, Int64(frames - done)))
      copy(count, from: place, into: target.at(done))
      taken.store(place + Int64(count), ordering: .releasing)
      done += count
    }
    return done
  }

  private func copy(_ count: Int, from place: Int64, into target: PlayerTarget) {
    let start = Int(place % Int64(Self.capacity))
    let first = min(count, Self.capacity - start)
    for index in 0..<min(ring.channelCount, target.channelCount) {
      let (from, to) = (ring[index], target.channel(index))
      to.update(from: (from + start).start(of: first), count: first)
      (to + first).update(from: from.start(of: count - first), count: count - first)
    }
  }

  var isAtEnd: Bool { taken.load(ordering: .relaxed) >= total.load(ordering: .acquiring) }

  func skip(_ frames: Int64) {
    let place = taken.load(ordering: .relaxed)
    taken.store(min(total.load(ordering: .acquiring), place + frames), ordering: .releasing)
  }

  /// Files have no loops.
  func rewind() {}

  // MARK: Reading ahead

  func prefetch() -> Int {
    reading.withLock { reading in
      while !reading.isOver {
        let place = taken.load(ordering: .acquiring)
        var start = written.load(ordering: .relaxed)
        if converter == nil, place > start {
          // Frames that were left out are not read either.
          reading.position = min(end, reading.position + (place - start))
          start = place
          written.store(start, ordering: .releasing)
        }
        let room = Int64(Self.capacity) - (start - min(place, start))
        guard room >= Int64(Self.pieceFrames) else { break }
        guard let piece = next(&reading), let samples = piece.floatChannelData, piece.frameLength > 0 else {
          reading.isOver = true
          total.store(written.load(ordering: .relaxed), ordering: .releasing)
          break
        }
        let count = Int(piece.frameLength)
        for channel in 0..<ring.channelCount {
          let plane = ring[channel]
          for frame in 0..<count {
            plane[Int((start + Int64(frame)) % Int64(Self.capacity))] = samples[channel][frame * piece.stride]
          }
        }
        written.store(start + Int64(count), ordering: .releasing)
      }
      return Int(clamping: max(0, written.load(ordering: .relaxed) - taken.load(ordering: .acquiring)))
    }
  }

  /// The next frames of the player's format; nil: the end.
  private func next(_ reading: inout Reading) -> AVAudioPCMBuffer? {
    guard let converter, let converted else { return readFile(&reading, Self.pieceFrames) }
    var present = reading
    converter.convert(to: converted, error: nil) { wanted, status in
      let piece = readFile(&present, min(max(1, wanted), Self.pieceFrames))
      status.pointee = piece == nil ? .endOfStream : .haveData
      return piece
    }
    reading = present
    return converted
  }

  /// Nil at the end, and where the file cannot be read any further.
  private func readFile(_ reading: inout Reading, _ frames: AVAudioFrameCount) -> AVAudioPCMBuffer? {
    let count = AVAudioFrameCount(clamping: min(Int64(frames), end - reading.position))
    guard let buffer, count > 0, file.read(from: reading.position, count, into: buffer) else { return nil }
    reading.position += AVAudioFramePosition(buffer.frameLength)
    return buffer
  }
}
