// The division of a stream's sound into packets: of one size, or as a table in front of them says.

import AudioCore

/// Takes packets from the bytes that have arrived.
protocol StreamFramer: Sendable {
  /// The place of the first byte that is needed; bytes in front of it need not be kept. `.max` at the end of the sound.
  var wanted: Int64 { get }

  /// Moves whole packets from the front of `buffer` to `packets`, until that is full or a packet is not all there.
  /// - Throws: the reason for which no packet can follow.
  mutating func take(_ buffer: inout ArrivedBytes, into packets: inout StreamPackets) throws(AudioStatus)

  /// The place in the file of a packet, counted from the first that can be; true where it is estimated.
  /// - Throws: 'pck?' where there is no such packet, 'more' where nothing is known about it yet.
  func place(of packet: Int64) throws(AudioStatus) -> (offset: Int64, isEstimated: Bool)

  /// The next bytes are those at the place that ``place(of:)`` gave for this packet.
  mutating func seek(to packet: Int64, isEstimated: Bool)

  /// The next bytes do not follow those before, and nothing says where they are from.
  /// - Throws: 'dsc!' where packets are not to be found again.
  mutating func recover() throws(AudioStatus)
}

/// Packets of one size.
struct FixedFramer: StreamFramer {
  let packetBytes: Int
  let start: Int64
  /// The end of the sound; nil where nothing says it.
  let end: Int64?
  private var isOver = false

  init(packetBytes: Int, start: Int64, end: Int64?) {
    (self.packetBytes, self.start, self.end) = (packetBytes, start, end)
  }

  var wanted: Int64 { isOver ? .max : start }

  mutating func take(_ buffer: inout ArrivedBytes, into packets: inout StreamPackets) throws(AudioStatus) {
    if buffer.start < start { buffer.drop(Int(min(Int64(buffer.count), start - buffer.start))) }
    guard buffer.start >= start else { return }
    let left = end.map { max(0, $0 - buffer.start) } ?? .max
    // A last packet that is cut short is none.
    isOver = left < Int64(packetBytes)
    if isOver { return buffer.drop(buffer.count) }
    let room = max(packetBytes, StreamPackets.mostBytes)
    let count = Int(min(Int64(min(buffer.count, room)), left)) / packetBytes
    guard count > 0 else { return }
    packets.add(buffer.all.prefix(count * packetBytes), count: count)
    buffer.drop(count * packetBytes)
  }

  func place(of packet: Int64) throws(AudioStatus) -> (offset: Int64, isEstimated: Bool) {
    let (bytes, overflow) = packet.multipliedReportingOverflow(by: Int64(packetBytes))
    guard packet >= 0, !overflow, bytes < 1 << 60, end.map({ bytes <= $0 - start }) ?? true else {
      throw .filePacketOffset
    }
    return (start + bytes, false)
  }

  mutating func seek(to packet: Int64, isEstimated: Bool) { isOver = false }

  /// The bytes are taken for those that come next, from the beginning of a packet on.
  mutating func recover() {}
}

/// Packets whose places are known beforehand.
struct PlacedFramer: StreamFramer {
  /// The place in the file of a packet, its bytes, and its frames where they differ.
  let place: @Sendable (Int64) -> (offset: Int64, bytes: Int64, frames: Int64)?
  private var next: Int64 = 0
  private var isLost = false
  /// Bytes of the largest packet that is waited for.
  static let mostPacketBytes: Int64 = 1 << 24

  init(_ place: @escaping @Sendable (Int64) -> (offset: Int64, bytes: Int64, frames: Int64)?) { self.place = place }

  var wanted: Int64 { place(next)?.offset ?? .max }

  mutating func take(_ buffer: inout ArrivedBytes, into packets: inout StreamPackets) throws(AudioStatus) {
    if isLost { throw .streamIsLost }
    while !packets.isFull {
      guard let packet = place(next) else { return buffer.drop(buffer.count) }
      guard packet.bytes <= Self.mostPacketBytes else { throw .fileInvalid }
      if packet.bytes > 0 {
        // Packets that lie in another order than they are played in.
        guard packet.offset >= buffer.start else { throw .fileNotOptimized }
        buffer.drop(Int(min(Int64(buffer.count), packet.offset - buffer.start)))
        guard buffer.start == packet.offset, Int64(buffer.count) >= packet.bytes else { return }
      }
      packets.add(buffer.all.prefix(Int(packet.bytes)), frames: packet.frames)
      buffer.drop(Int(packet.bytes))
      next += 1
    }
  }

  func place(of packet: Int64) throws(AudioStatus) -> (offset: Int64, isEstimated: Bool) {
    guard let found = place(packet) else { throw .filePacketOffset }
    return (found.offset, false)
  }

  mutating func seek(to packet: Int64, isEstimated: Bool) { (next, isLost) = (packet, false) }

  mutating func recover() throws(AudioStatus) {
    isLost = true
    throw .streamIsLost
  }
}
