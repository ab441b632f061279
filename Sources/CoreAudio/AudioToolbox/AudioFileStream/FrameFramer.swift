// The packets of a stream whose frames say themselves how long they are: MPEG audio, ADTS, LOAS, AC-3 and AMR.

import AudioCore
import PacketFiles
import SoundFile

/// Walks from header to header. Where there is none, frames are looked for again: two that follow one another are.
struct FrameFramer: StreamFramer {
  /// The form of the headers.
  enum Headers: Sendable {
    case mpeg(like: MPEGFrameHeader)
    case raw(RawStream)
  }

  private let headers: Headers
  private let start: Int64
  /// The frame at ``start`` is no sound: it has the length of the stream.
  private let beginsWithTag: Bool
  /// Bytes a frame, from the stream's own header; nil: not said.
  private let statedMean: Double?
  private var isTagNext: Bool
  private var isFound = true
  private var frameCount: Int64 = 0
  private var byteCount: Int64 = 0

  init(_ headers: Headers, start: Int64, beginsWithTag: Bool = false, statedMean: Double? = nil) {
    (self.headers, self.start, self.beginsWithTag, self.statedMean) = (headers, start, beginsWithTag, statedMean)
    isTagNext = beginsWithTag
  }

  var wanted: Int64 { start }

  private var headerBytes: Int {
    switch headers {
    case .mpeg: 4
    case .raw(let stream): stream.headerBytes
    }
  }

  /// The size of the frame that begins with `header`, and what of it is no packet's; nil where none does.
  private func frame(_ header: ArraySlice<UInt8>) -> (bytes: Int, lead: Int)? {
    switch headers {
    case .mpeg(let first):
      MPEGFrameHeader(Array(header.prefix(4))).flatMap { $0.sounds(like: first) ? ($0.bytes, 0) : nil }
    case .raw(let stream): stream.frame(header.prefix(stream.headerBytes)).map { ($0.bytes, $0.lead) }
    }
  }

  mutating func take(_ buffer: inout ArrivedBytes, into packets: inout StreamPackets) throws(AudioStatus) {
    if buffer.start < start { buffer.drop(Int(min(Int64(buffer.count), start - buffer.start))) }
    guard buffer.start >= start else { return }
    while !packets.isFull {
      if !isFound, !search(&buffer) { return }
      guard buffer.count >= headerBytes else { return }
      guard let frame = frame(buffer.all) else {
        isFound = false
        buffer.drop(1)
        continue
      }
      guard buffer.count >= frame.bytes else { return }
      if isTagNext {
        isTagNext = false
      } else {
        packets.add(buffer.all.prefix(frame.bytes).dropFirst(frame.lead))
        frameCount += 1
        byteCount += Int64(frame.bytes)
      }
      buffer.drop(frame.bytes)
    }
  }

  /// Goes to the next frame that has another behind it.
  /// - Returns: false where that takes more bytes.
  private mutating func search(_ buffer: inout ArrivedBytes) -> Bool {
    let bytes = buffer.all
    var index = bytes.startIndex
    while index + headerBytes <= bytes.endIndex {
      if let frame = frame(bytes[index...]) {
        let next = index + frame.bytes
        guard next + headerBytes <= bytes.endIndex else { break }
        // A tag may be behind the last frame.
        if self.frame(bytes[next...]) != nil || bytes[next...].starts(with: "TAG".utf8) {
          isFound = true
          break
        }
      }
      index += 1
    }
    buffer.drop(index - bytes.startIndex)
    return isFound
  }

  func place(of packet: Int64) throws(AudioStatus) -> (offset: Int64, isEstimated: Bool) {
    guard packet >= 0, packet < 1 << 40 else { throw .filePacketOffset }
    if packet == 0 { return (start, false) }
    guard let mean = meanBytes else { throw .streamNeedsMore }
    return (start + Int64(clamping: (mean * Double(packet)).rounded(.down)), true)
  }

  /// Bytes a frame, headers counted.
  private var meanBytes: Double? {
    statedMean ?? (frameCount > 0 ? Double(byteCount) / Double(frameCount) : nil)
  }

  mutating func seek(to packet: Int64, isEstimated: Bool) {
    isFound = !isEstimated
    isTagNext = packet == 0 && beginsWithTag
  }

  mutating func recover() { (isFound, isTagNext) = (false, false) }
}
