// The place of every packet of a track. Packets of one size take no memory; others eight bytes each, and those that lie
// scattered 24 more for each piece of the file.

import AudioCore

/// Packets by their number, and the bytes that they are, counted without what lies between them.
package struct PacketPlaces: Sendable {
  /// A piece of the file that holds packets one behind the other.
  package struct Extent: Hashable, Sendable {
    /// The byte of the sound with which it begins.
    package let start: Int64
    /// The place of that byte in the file.
    package let offset: Int64
    package fileprivate(set) var length: Int64
  }

  /// No file that anybody has holds more: at 1024 frames of 48 kHz a packet 99 hours. Larger tables are cut here.
  package static let most = 1 << 24
  /// Pieces of the file that packets may lie scattered in.
  private static let mostExtents = 1 << 22

  package private(set) var extents: [Extent] = []
  /// Bytes of every packet; 0: they differ.
  package let packetBytes: Int64
  /// The byte of the sound with which each packet begins, and the end of the last.
  private var starts: [Int64] = [0]
  package private(set) var largest: UInt32 = 0

  /// No packets yet.
  /// - Parameter packetBytes: the size of all of them; 0: they differ.
  package init(packetBytes: Int64 = 0) {
    self.packetBytes = max(0, packetBytes)
    largest = UInt32(clamping: self.packetBytes)
  }

  /// Packets of one size from `offset` on; a last one that is cut short is none.
  package init(packetBytes: Int64, offset: Int64, length: Int64) {
    self.init(packetBytes: packetBytes)
    if packetBytes > 0, length >= packetBytes { add(offset: offset, length: length - length % packetBytes) }
  }

  package var count: Int64 { packetBytes > 0 ? byteCount / packetBytes : Int64(starts.count - 1) }
  /// Bytes of all packets.
  package var byteCount: Int64 { extents.last.map { $0.start + $0.length } ?? 0 }

  /// Adds one packet.
  /// - Returns: false where there is no room for more.
  package mutating func append(offset: Int64, bytes: Int64) -> Bool {
    guard starts.count <= Self.most, extents.count < Self.mostExtents, offset >= 0, bytes >= 0, bytes < 1 << 30 else {
      return false
    }
    if packetBytes == 0 {
      starts.append(byteCount + bytes)
      largest = max(largest, UInt32(clamping: bytes))
    }
    if bytes > 0 { add(offset: offset, length: bytes) }
    return true
  }

  /// Adds packets of the one size.
  /// - Returns: false where there is no room for more.
  mutating func append(offset: Int64, packets: Int64) -> Bool {
    let (length, overflow) = packets.multipliedReportingOverflow(by: packetBytes)
    guard extents.count < Self.mostExtents, offset >= 0, packets >= 0, !overflow, length < 1 << 61 else { return false }
    if length > 0 { add(offset: offset, length: length) }
    return true
  }

  private mutating func add(offset: Int64, length: Int64) {
    if let last = extents.last, last.offset + last.length == offset {
      extents[extents.count - 1].length += length
    } else {
      extents.append(Extent(start: byteCount, offset: offset, length: length))
    }
  }

  /// The place in the file of a packet, and its bytes; nil where there is none of that number.
  package func place(of packet: Int64) -> (offset: Int64, bytes: UInt32)? {
    guard let start = byteStart(of: packet) else { return nil }
    let bytes = packetBytes > 0 ? packetBytes : starts[Int(packet) + 1] - start
    guard bytes > 0 else { return (extents.first?.offset ?? 0, 0) }
    guard let extent = extent(holding: start) else { return nil }
    return (extent.offset + start - extent.start, UInt32(clamping: bytes))
  }

  /// The byte of the sound with which a packet begins.
  package func byteStart(of packet: Int64) -> Int64? {
    guard packet >= 0, packet < count else { return nil }
    return packetBytes > 0 ? packet * packetBytes : starts[Int(packet)]
  }

  /// The packet that holds a byte of the sound; nil outside.
  package func packet(holding byte: Int64) -> Int64? {
    guard byte >= 0, byte < byteCount else { return nil }
    if packetBytes > 0 { return byte / packetBytes }
    var (low, high) = (0, starts.count - 1)
    while high - low > 1 {
      let middle = (low + high) / 2
      if starts[middle] <= byte { low = middle } else { high = middle }
    }
    return Int64(low)
  }

  /// The piece of the file that holds a byte of the sound; nil outside.
  package func extent(holding byte: Int64) -> Extent? {
    guard byte >= 0, byte < byteCount else { return nil }
    var (low, high) = (0, extents.count)
    while high - low > 1 {
      let middle = (low + high) / 2
      if extents[middle].start <= byte { low = middle } else { high = middle }
    }
    return extents[low]
  }

  /// Sizes of all packets, in order.
  package var sizes: [UInt32] {
    (0..<Int(clamping: min(count, Int64(Self.most)))).map { index in
      UInt32(clamping: packetBytes > 0 ? packetBytes : starts[index + 1] - starts[index])
    }
  }
}

/// The frames of each packet.
package struct PacketDurations: Sendable {
  /// Packets of the same number of frames.
  private struct Run {
    let packet: Int64
    let frame: Int64
    var count: Int64
    let frames: Int64
  }

  private var runs: [Run] = []

  package init() {}

  /// `count` packets of `frames` frames.
  init(count: Int64, frames: Int64) { append(count: count, frames: frames) }

  /// Adds packets of one number of frames.
  package mutating func append(count: Int64, frames: Int64) {
    guard count > 0, frames >= 0, frames < 1 << 32, count < 1 << 48 else { return }
    let (total, overflow) = count.multipliedReportingOverflow(by: frames)
    guard !overflow, total < 1 << 61, frameCount < 1 << 61, runs.count < PacketPlaces.most else { return }
    if let last = runs.last, last.frames == frames {
      runs[runs.count - 1].count += count
    } else {
      runs.append(Run(packet: packetCount, frame: frameCount, count: count, frames: frames))
    }
  }

  package var packetCount: Int64 { runs.last.map { $0.packet + $0.count } ?? 0 }
  /// Frames of all packets.
  package var frameCount: Int64 { runs.last.map { $0.frame + $0.count * $0.frames } ?? 0 }
  /// The frames of every packet but the last; nil where they differ.
  package var common: Int64? {
    guard let first = runs.first else { return nil }
    if runs.count == 1 { return first.frames }
    return runs.count == 2 && runs[1].count == 1 && runs[1].frames < first.frames ? first.frames : nil
  }

  /// The frames of a packet; nil where there is none of that number.
  package func frames(of packet: Int64) -> Int64? {
    guard packet >= 0, packet < packetCount else { return nil }
    return run { $0.packet <= packet }?.frames
  }

  /// The frame with which a packet begins; of the packet behind the last the end.
  package func firstFrame(of packet: Int64) -> Int64? {
    guard packet >= 0, packet <= packetCount else { return nil }
    return run { $0.packet <= packet }.map { $0.frame + (packet - $0.packet) * $0.frames }
  }

  /// The packet that holds a frame; nil outside.
  package func packet(holding frame: Int64) -> Int64? {
    guard frame >= 0, frame < frameCount, let run = run(where: { $0.frame <= frame }), run.frames > 0 else {
      return nil
    }
    return run.packet + (frame - run.frame) / run.frames
  }

  /// The last run for which `holds`, which is true for the first ones.
  private func run(where holds: (Run) -> Bool) -> Run? {
    guard let first = runs.first, holds(first) else { return nil }
    var (low, high) = (0, runs.count)
    while high - low > 1 {
      let middle = (low + high) / 2
      if holds(runs[middle]) { low = middle } else { high = middle }
    }
    return runs[low]
  }
}
