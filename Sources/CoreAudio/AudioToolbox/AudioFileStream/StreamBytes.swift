// The bytes of a stream that have arrived, as the readers of whole files take them.

import AudioCore
import CAudioToolbox
import PacketFiles
import SoundFile

/// The beginning of a file of which the rest has not arrived.
final class StreamBytes: ByteStorage {
  /// The length of a file that says none: more than any has, and little enough to count with.
  static let unknownLength: Int64 = 1 << 40

  private(set) var known: [UInt8] = []
  /// The length that the file is going to have.
  var length = StreamBytes.unknownLength
  /// The place of the sound, as far as that is known: what has not arrived from there on is read as zeros.
  var soundOffset: Int64?

  func append(_ bytes: UnsafeRawBufferPointer) { known.append(contentsOf: bytes) }

  func read(_ bytes: UnsafeMutableRawPointer, count: Int, at offset: Int64) throws(StorageError) -> Int {
    guard offset >= 0, offset < length, count > 0 else { return 0 }
    let wanted = Int(min(Int64(count), length - offset))
    let first = Int(min(offset, Int64(known.count)))
    let present = min(wanted, known.count - first)
    known.withUnsafeBytes { source in
      guard present > 0, let start = source.baseAddress else { return }
      bytes.copyMemory(from: start + first, byteCount: present)
    }
    guard present < wanted, let soundOffset, offset + Int64(present) >= soundOffset else { return present }
    (bytes + present).initializeMemory(as: UInt8.self, repeating: 0, count: wanted - present)
    return wanted
  }

  func write(_ bytes: UnsafeRawPointer, count: Int, at offset: Int64) throws(StorageError) {}
  func setLength(_ length: Int64) throws(StorageError) {}
}

/// Bytes between the client and the packets, by their place in the file.
struct ArrivedBytes: Sendable {
  private var bytes: [UInt8] = []
  private var head = 0
  /// The place of the first byte.
  private(set) var start: Int64 = 0

  var count: Int { bytes.count - head }
  var end: Int64 { start + Int64(count) }
  var all: ArraySlice<UInt8> { bytes[head...] }

  mutating func append(_ new: some Sequence<UInt8>) { bytes.append(contentsOf: new) }

  mutating func drop(_ count: Int) {
    let dropped = min(count, self.count)
    head += dropped
    start += Int64(dropped)
    // Dropped bytes go away when they are the larger part.
    if head > bytes.count / 2 {
      bytes.removeFirst(head)
      head = 0
    }
  }

  /// Empties the buffer; the next byte is the one at `place`.
  mutating func begin(at place: Int64) {
    bytes.removeAll(keepingCapacity: bytes.capacity <= 1 << 20)
    (head, start) = (0, place)
  }
}

/// Packets for one call of the client's function.
struct StreamPackets {
  private(set) var bytes: [UInt8] = []
  /// Empty for packets of one size.
  private(set) var descriptions: [AudioStreamPacketDescription] = []
  private(set) var count = 0

  /// Packets that a call may have, of those that differ in size.
  private static let most = 512
  /// Bytes after which no packet is added.
  static let mostBytes = 65_536

  var isFull: Bool { bytes.count >= Self.mostBytes || descriptions.count >= Self.most }

  mutating func add(_ packet: ArraySlice<UInt8>, frames: Int64 = 0) {
    descriptions.append(
      AudioStreamPacketDescription(
        mStartOffset: Int64(bytes.count), mVariableFramesInPacket: UInt32(clamping: frames),
        mDataByteSize: UInt32(clamping: packet.count)))
    bytes.append(contentsOf: packet)
    count += 1
  }

  mutating func add(_ packets: ArraySlice<UInt8>, count: Int) {
    bytes.append(contentsOf: packets)
    self.count += count
  }
}
