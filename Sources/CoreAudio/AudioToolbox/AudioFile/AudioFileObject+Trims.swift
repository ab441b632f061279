// The frames in front of a sound and behind it that decoding all packets gives: of files that libsndfile knows, by the
// tag of an MP3 encoder or by the number of frames that a header states.

import AudioCore
import CAudioToolbox
import SoundFile

extension AudioFileObject {
  /// Nil where the file does not say it.
  func statedTrim() -> AudioFilePacketTableInfo? {
    switch scannedPackets() {
    case .table(let table):
      if let valid = table.validFrames {
        return AudioFilePacketTableInfo(
          mNumberValidFrames: valid, mPrimingFrames: table.primingFrames, mRemainderFrames: table.remainderFrames)
      }
      guard dataFormat.mFormatID == kAudioFormatMPEGLayer3, let delay = encoderDelay() else { return nil }
      return trim(packets: Int64(table.count), priming: delay)
    case .fixed(let bytes, let frames) where frames > 1: return trim(packets: dataBytes / bytes, priming: 0)
    default: return nil
    }
  }

  /// The trim of packets of one number of frames, of which the reader gives some; nil where it gives more.
  private func trim(packets: Int64, priming: Int64) -> AudioFilePacketTableInfo? {
    let (total, overflow) = packets.multipliedReportingOverflow(by: Int64(dataFormat.mFramesPerPacket))
    let remainder = total - priming.clampedSum(frameCount)
    guard !overflow, remainder >= 0 else { return nil }
    return AudioFilePacketTableInfo(
      mNumberValidFrames: frameCount, mPrimingFrames: Int32(clamping: priming),
      mRemainderFrames: Int32(clamping: remainder))
  }

  /// The frames of silence in front of an MP3 file's sound: those that the encoder states in LAME's part of the tag in the
  /// first frame, and the 529 of every decoder.
  private func encoderDelay() -> Int64? {
    var offset = MPEGFrameHeader.start(of: storage)
    guard let first = MPEGFrameHeader.find(in: storage, from: &offset),
      let frame = storage.bytes(at: offset, count: first.bytes)
    else { return nil }
    let names = ["Xing", "Info"].map { Array($0.utf8) }
    guard let place = (4..<40).first(where: { names.contains(Array(frame[min($0, frame.count)...].prefix(4))) }),
      place + 8 <= frame.count
    else { return nil }
    // Numbers of frames and bytes, a table of 100 bytes, and a quality may follow.
    let flags = frame[place + 7]
    let lame =
      place + 8 + [4, 4, 100, 4].enumerated().reduce(0) { flags & 1 << UInt8($1.offset) != 0 ? $0 + $1.element : $0 }
    guard lame + 24 <= frame.count, frame[lame] != 0 else { return nil }
    // Behind the encoder's name: twelve bits of frames in front, and twelve of frames behind.
    let delay = Int64(frame[lame + 21]) << 4 | Int64(frame[lame + 22] >> 4)
    return delay + 529
  }
}
