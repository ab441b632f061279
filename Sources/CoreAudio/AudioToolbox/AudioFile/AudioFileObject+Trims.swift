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
    return MPEGTag(frame)?.delays?.front
  }
}

/// The tag in an MPEG file's first frame: "Xing" or "Info", and LAME's part of it.
struct MPEGTag {
  /// Frames of the stream, that of the tag not counted; nil: not said.
  private(set) var packets: Int64?
  /// Bytes of the stream with that frame; nil: not said.
  private(set) var bytes: Int64?
  /// Frames of silence in front of the sound, those of the encoder and the 529 of every decoder; and those of the encoder
  /// behind it, of which a decoder's own are a part.
  private(set) var delays: (front: Int64, back: Int64)?

  /// Nil where the frame has no such tag.
  init?(_ frame: [UInt8]) {
    let names = ["Xing", "Info"].map { Array($0.utf8) }
    guard let place = (4..<40).first(where: { names.contains(Array(frame[min($0, frame.count)...].prefix(4))) }),
      place + 8 <= frame.count
    else { return nil }
    // Numbers of frames and bytes, a table of 100 bytes, and a quality may follow.
    let flags = frame[place + 7]
    var lame = place + 8
    func number() -> Int64? { lame + 4 <= frame.count ? frame[lame..<lame + 4].bigEndianValue : nil }
    if flags & 1 != 0 {
      packets = number()
      lame += 4
    }
    if flags & 2 != 0 {
      bytes = number()
      lame += 4
    }
    if flags & 4 != 0 { lame += 100 }
    if flags & 8 != 0 { lame += 4 }
    guard lame + 24 <= frame.count, frame[lame] != 0 else { return }
    // Behind the encoder's name: twelve bits of frames in front, and twelve of frames behind.
    delays = (
      (Int64(frame[lame + 21]) << 4 | Int64(frame[lame + 22] >> 4)) + 529,
      Int64(frame[lame + 22] & 15) << 8 | Int64(frame[lame + 23])
    )
  }
}
