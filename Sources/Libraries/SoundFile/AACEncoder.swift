// AAC of low complexity by libvo-aacenc: whole packets of 1024 frames, of one bit rate.

import AudioCore
import CVOAAC
import PacketFiles

/// An encoder of one stream. One thread at a time.
final class AACEncoder {
  /// True when the library is on this machine.
  static var isAvailable: Bool { aac_encoder_is_there() }
  /// Hertz that AAC has.
  static let sampleRates = [
    96_000, 88_200, 64_000, 48_000, 44_100, 32_000, 24_000, 22_050, 16_000, 12_000, 11_025, 8_000,
  ]
  /// Frames in front of the sound that a decoder gives besides.
  static let primingFrames = Int64(AAC_PRIMING_FRAMES)
  static let packetFrames = Int(AAC_PACKET_FRAMES)

  /// Bits a second of a channel that are usual: 64 kbit/s, and fewer at low rates.
  static func usualBitRate(sampleRate: Int, channelCount: Int) -> Int {
    min(64_000, sampleRate * 2) * channelCount
  }

  private let encoder: OpaquePointer
  private let channelCount: Int
  /// Frames of a packet that is not full yet, and their number.
  private let waiting: UnsafeMutablePointer<Int16>
  private var waitingFrames = 0
  private var packet = [UInt8](repeating: 0, count: Int(AAC_MOST_PACKET_BYTES))

  /// - Parameter bitRate: bits a second.
  /// - Returns: nil where the library is not there, or takes neither rate nor channels.
  init?(sampleRate: Int, channelCount: Int, bitRate: Int) {
    guard (1...2).contains(channelCount), Self.sampleRates.contains(sampleRate),
      let encoder = aac_encoder_new(Int32(sampleRate), Int16(channelCount), Int32(clamping: bitRate))
    else { return nil }
    self.encoder = encoder
    self.channelCount = channelCount
    waiting = .allocate(capacity: Self.packetFrames * channelCount)
    waiting.initialize(repeating: 0, count: Self.packetFrames * channelCount)
  }

  deinit {
    aac_encoder_free(encoder)
    waiting.deallocate()
  }

  /// Takes interleaved frames, and hands over each packet that is full.
  /// - Returns: false where the library fails.
  func encode(
    _ frames: UnsafePointer<Int16>, count: Int, _ body: (UnsafeRawBufferPointer) throws(StorageError) -> Void
  ) throws(StorageError) -> Bool {
    var done = 0
    while done < count {
      let piece = min(count - done, Self.packetFrames - waitingFrames)
      (waiting + waitingFrames * channelCount).update(from: frames + done * channelCount, count: piece * channelCount)
      waitingFrames += piece
      done += piece
      if waitingFrames == Self.packetFrames {
        guard try encodePacket(body) else { return false }
      }
    }
    return true
  }

  /// Encodes silence up to the end of a packet.
  /// - Returns: false where the library fails.
  func pad(_ body: (UnsafeRawBufferPointer) throws(StorageError) -> Void) throws(StorageError) -> Bool {
    (waiting + waitingFrames * channelCount).update(
      repeating: 0, count: (Self.packetFrames - waitingFrames) * channelCount)
    return try encodePacket(body)
  }

  private func encodePacket(
    _ body: (UnsafeRawBufferPointer) throws(StorageError) -> Void
  ) throws(StorageError) -> Bool {
    waitingFrames = 0
    let count = Int(aac_encoder_encode(encoder, waiting, &packet))
    guard count > 0, count <= packet.count else { return false }
    try packet.withUnsafeBufferPointer { (bytes) throws(StorageError) in
      try body(UnsafeRawBufferPointer(UnsafeBufferPointer(rebasing: bytes[..<count])))
    }
    return true
  }
}
