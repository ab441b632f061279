// An m4a file on its way: packets behind one another, and behind them the movie that says where they are. AAC is encoded
// as it comes; Apple Lossless is written as CAF by libsndfile first, and its packets are moved at the end.

import AudioCore
import Glibc
import PacketFiles

/// The packets of an m4a file. One thread at a time.
final class MPEG4Output {
  private let storage: any ByteStorage
  private let encoder: AACEncoder?
  private var places = PacketPlaces()
  private var end = MPEG4Writer.dataOffset

  /// Bytes after which the disk is full, as far as a test is concerned.
  private let space: Int64

  /// - Parameter encoder: nil: the packets come from another file.
  init(_ storage: any ByteStorage, _ encoder: AACEncoder?, space: Int64) {
    (self.storage, self.encoder, self.space) = (storage, encoder, space)
  }

  /// Encodes interleaved frames.
  /// - Returns: false where the encoder fails.
  func write(_ frames: UnsafePointer<Int16>, count: Int) throws(StorageError) -> Bool {
    guard let encoder else { return false }
    return try encoder.encode(frames, count: count) { (packet) throws(StorageError) in try append(packet) }
  }

  private func append(_ packet: UnsafeRawBufferPointer) throws(StorageError) {
    guard let start = packet.baseAddress else { return }
    guard end + Int64(packet.count) <= space else { throw .system(ENOSPC) }
    try storage.write(start, count: packet.count, at: end)
    guard places.append(offset: end, bytes: Int64(packet.count)) else { throw .system(EFBIG) }
    end += Int64(packet.count)
  }

  /// Encodes what is left, and completes the file.
  /// - Parameters:
  ///   - frames: frames of the sound.
  ///   - texts: by Core Audio's names.
  /// - Returns: false where the encoder fails.
  func finish(
    _ format: PacketFormat, frames: Int64, texts: [(key: String, value: String)]
  ) throws(StorageError) -> Bool {
    guard let encoder else { return false }
    // Until the decoder has given the last frame behind its priming.
    let wanted = frames + AACEncoder.primingFrames
    while places.count * Int64(AACEncoder.packetFrames) < wanted {
      guard try encoder.pad({ (packet) throws(StorageError) in try append(packet) }) else { return false }
    }
    var track = PacketTrack(format)
    track.cookie = PacketTrack.lowComplexityCookie(format)
    track.durations.append(count: places.count, frames: Int64(AACEncoder.packetFrames))
    let coded = places.count * Int64(AACEncoder.packetFrames)
    track.trim = PacketTrack.Trim(priming: AACEncoder.primingFrames, valid: frames, remainder: coded - wanted)
    return try finish(&track, texts)
  }

  /// Moves the packets of Apple Lossless here, and completes the file.
  /// - Returns: false where the other file is damaged.
  func finish(
    movingFrom other: any ByteStorage, frames: Int64, texts: [(key: String, value: String)]
  ) throws(StorageError) -> Bool {
    guard var track = PacketFile(other)?.tracks.first, let old = track.places else { return false }
    var block = [UInt8]()
    for packet in 0..<old.count {
      guard let place = old.place(of: packet) else { return false }
      let size = Int(place.bytes)
      if block.count < size { block = [UInt8](repeating: 0, count: size) }
      try block.withUnsafeMutableBufferPointer { (memory) throws(StorageError) in
        guard let start = memory.baseAddress, try other.read(start, count: size, at: place.offset) == size else {
          return
        }
        try append(UnsafeRawBufferPointer(start: start, count: size))
      }
    }
    let perPacket = Int64(track.format.framesPerPacket)
    guard places.count == old.count, perPacket > 0 else { return false }
    track.durations = PacketDurations()
    track.durations.append(count: frames / perPacket, frames: perPacket)
    track.durations.append(count: min(1, frames % perPacket), frames: frames % perPacket)
    track.trim = nil
    return try finish(&track, texts)
  }

  private func finish(_ track: inout PacketTrack, _ texts: [(key: String, value: String)]) throws(StorageError) -> Bool
  {
    track.places = places
    guard let movie = MPEG4Writer.movie(track, texts: texts) else { return false }
    try storage.write(MPEG4Writer.beginning(dataBytes: end - MPEG4Writer.dataOffset), at: 0)
    try storage.write(movie, at: end)
    return true
  }
}
