// The tap of a bus. `take` runs on the thread that renders: it neither allocates, locks nor waits.

import AVFAudioFiles
import AudioCore
import AudioEngine
import Foundation
import HandOver

/// Collects what a bus puts out, and has the program's function called with it.
final class NodeTap {
  /// A buffer that is filled once, and given away.
  private final class Piece: DueCall {
    let buffer: AVAudioPCMBuffer
    private let block: AVAudioNodeTapBlock
    /// The tap has its pieces.
    private weak var tap: NodeTap?
    var start: AVAudioFramePosition = 0
    /// 0: not known.
    var hostTime: UInt64 = 0
    var isLeftOver = false

    init(_ buffer: AVAudioPCMBuffer, _ tap: NodeTap) {
      self.buffer = buffer
      block = tap.block
      self.tap = tap
    }

    override func make() {
      guard !isLeftOver else { return }
      let rate = buffer.format.sampleRate
      block(
        buffer,
        hostTime == 0
          ? AVAudioTime(sampleTime: start, atRate: rate)
          : AVAudioTime(hostTime: hostTime, sampleTime: start, atRate: rate))
      tap?.supply(1)
    }
  }

  /// The number by which the unit knows the tap.
  var token = 0
  private let frames: AVAudioFrameCount
  fileprivate let block: AVAudioNodeTapBlock
  /// Takes the calls: those of the engine that the node is attached to.
  var due: DueCalls
  private var format: AVAudioFormat
  private let empty = ParcelQueue()
  /// The render side's own: empty pieces, and the one that is being filled.
  private var spare = ParcelChain()
  private var present: Unmanaged<Parcel>?
  /// Empty pieces that there are at most.
  private var supplied = 0

  /// - Parameters:
  ///   - frames: the length of each buffer, 1 or more.
  ///   - due: takes the calls.
  init(_ format: AVAudioFormat, frames: AVAudioFrameCount, _ due: DueCalls, _ block: @escaping AVAudioNodeTapBlock) {
    self.format = format
    self.frames = frames
    self.due = due
    self.block = block
  }

  deinit { present?.release() }

  /// Makes ready for slices of a format and a length. While nothing renders.
  func prepare(_ format: AVAudioFormat, maximumFrames: Int) {
    if format != self.format || format.stream != self.format.stream {
      flush()
      _ = empty.takeAll()
      spare = ParcelChain()
      supplied = 0
      self.format = format
    }
    // Those of two slices, and some more for a thread that is late with its calls.
    let wanted = 2 * (maximumFrames / Int(frames) + 1) + 16
    if wanted > supplied {
      supply(wanted - supplied)
      supplied = wanted
    }
  }

  /// Not on the thread that renders.
  private func supply(_ count: Int) {
    for _ in 0..<count {
      if let buffer = AVAudioPCMBuffer(pcmFormat: format, frameCapacity: frames) { empty.put(Piece(buffer, self)) }
    }
  }

  /// An empty piece; nil: the calls are so late that there is none, and frames are lost.
  private func nextPiece() -> Unmanaged<Parcel>? {
    if spare.isEmpty { spare = empty.takeAll() }
    while let piece = spare.removeFirst() {
      if Self.piece(piece).buffer.format === format { return piece }
      // Supplied for a format that was: it goes without a call.
      Self.piece(piece).isLeftOver = true
      due.put(piece)
    }
    return nil
  }

  private static func piece(_ parcel: Unmanaged<Parcel>) -> Piece {
    parcel._withUnsafeGuaranteedRef { unsafeDowncast($0, to: Piece.self) }
  }

  /// Takes a slice.
  /// - Parameter slice: the engine's slice that it belongs to.
  func take(_ output: BusBuffer, sampleTime: Int64, of slice: SliceTime?, frames count: Int) {
    guard let stream = format.stream else { return }
    if let present {
      let piece = Self.piece(present)
      if piece.start + Int64(piece.buffer.frameLength) != sampleTime { flush() }
    }
    var done = 0
    while done < count {
      if present == nil {
        guard let next = nextPiece() else { return }
        let piece = Self.piece(next)
        piece.start = sampleTime + Int64(done)
        piece.hostTime = slice?.hostTime(ofFrame: piece.start, atRate: stream.sampleRate) ?? 0
        present = next
      }
      guard let present else { return }
      let buffer = Self.piece(present).buffer
      let step = min(count - done, Int(buffer.frameCapacity - buffer.frameLength))
      let list = UnsafeMutableAudioBufferListPointer(buffer.mutableAudioBufferList)
      for index in 0..<min(output.count, list.count) {
        list[index].mData?.advanced(by: Int(buffer.frameLength) * stream.bytesPerFrame)
          .copyMemory(
            from: output.buffers[index] + done * stream.bytesPerFrame, byteCount: step * stream.bytesPerFrame)
      }
      buffer.frameLength += AVAudioFrameCount(step)
      done += step
      if buffer.frameLength == buffer.frameCapacity { flush() }
    }
  }

  /// Has the call made for what is there.
  func flush() {
    guard let present else { return }
    self.present = nil
    due.put(present)
  }
}
