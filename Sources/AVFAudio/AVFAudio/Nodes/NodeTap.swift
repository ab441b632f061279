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
      // Another one in its place: dropped where the tap has another format by now.
      tap?.supply(buffer.format, buffer.frameCapacity)
    }
  }

  /// The number by which the unit knows the tap.
  var token = 0
  /// Frames of a buffer, at most.
  private var frames: AVAudioFrameCount
  /// True: each slice is given away by itself.
  private let takesSlices: Bool
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
  ///   - frames: the length of each buffer that is asked for, 1 or more.
  ///   - choice: the length that it has.
  ///   - due: takes the calls.
  init(
    _ format: AVAudioFormat, frames: AVAudioFrameCount, _ choice: AVFAudioChoices.TapBuffers, _ due: DueCalls,
    _ block: @escaping AVAudioNodeTapBlock
  ) {
    self.format = format
    takesSlices = choice == .slice
    self.frames = choice == .device ? Self.deviceFrames(frames, rate: format.sampleRate) : frames
    self.due = due
    self.block = block
  }

  deinit { present?.release() }

  /// The frames that a device gives for so many: 100 to 400 ms.
  private static func deviceFrames(_ wanted: AVAudioFrameCount, rate: Double) -> AVAudioFrameCount {
    func frames(_ seconds: Double) -> AVAudioFrameCount {
      AVAudioFrameCount(clamping: FrameCount.from(seconds: seconds, sampleRate: rate) ?? 1)
    }
    return max(1, frames(0.1), min(wanted, frames(0.4)))
  }

  /// Makes ready for slices of a format and a length.
  /// - Parameter alone: runs a function while nothing renders.
  func prepare(_ format: AVAudioFormat, maximumFrames: Int, alone: (() -> Void) -> Void) {
    let length = takesSlices ? AVAudioFrameCount(clamping: max(1, maximumFrames)) : frames
    if length != frames || format != self.format || format.stream != self.format.stream {
      // Freed when the function has been run.
      var former = ParcelChain()
      alone {
        flush()
        swap(&former, &spare)
        self.format = format
        frames = length
      }
      _ = empty.takeAll()
      supplied = 0
    }
    // Those of two slices, and some more for a thread that is late with its calls.
    let wanted = 2 * (maximumFrames / Int(frames) + 1) + 16
    if wanted > supplied {
      for _ in supplied..<wanted { supply(format, frames) }
      supplied = wanted
    }
  }

  /// Not on the thread that renders.
  private func supply(_ format: AVAudioFormat, _ frames: AVAudioFrameCount) {
    if let buffer = AVAudioPCMBuffer(pcmFormat: format, frameCapacity: frames) { empty.put(Piece(buffer, self)) }
  }

  /// An empty piece; nil: the calls are so late that there is none, and frames are lost.
  private func nextPiece() -> Unmanaged<Parcel>? {
    if spare.isEmpty { spare = empty.takeAll() }
    while let piece = spare.removeFirst() {
      let buffer = Self.piece(piece).buffer
      if buffer.format === format, buffer.frameCapacity == frames { return piece }
      // Supplied for a format or a length that was: it goes without a call.
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
    if takesSlices { flush() }
  }

  /// Has the call made for what is there.
  func flush() {
    guard let present else { return }
    self.present = nil
    due.put(present)
  }
}
