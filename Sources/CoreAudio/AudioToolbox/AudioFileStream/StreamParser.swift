// A stream on its way through header, properties and packets. Each step depends on the bytes so far alone, not on the
// pieces in which they came.

import AudioCore
import CAudioToolbox

/// One call that the client gets.
enum StreamEvent {
  case property(AudioFileStreamPropertyID)
  case packets(StreamPackets)
}

extension AudioStatus {
  static let streamIsLost = AudioStatus(kAudioFileStreamError_DiscontinuityCantRecover)
  static let streamNeedsMore = AudioStatus(kAudioFileStreamError_DataUnavailable)
  static let streamValueUnknown = AudioStatus(kAudioFileStreamError_ValueUnknown)
  static let streamIllegal = AudioStatus(kAudioFileStreamError_IllegalOperation)
}

/// The state of a stream. One thread at a time.
struct StreamParser {
  private var header: StreamHeader?
  private(set) var facts: StreamFacts?
  private var framer: (any StreamFramer)?
  private var buffer = ArrivedBytes()
  /// Properties that the client has not been told yet.
  private var untold: ArraySlice<AudioFileStreamPropertyID> = []
  private(set) var isReady = false
  /// The error that no further bytes mend.
  private var failure: AudioStatus?
  /// True from a seek to the bytes that follow it.
  private var hasSought = false
  /// Packets and their bytes so far.
  private(set) var packetsDone: Int64 = 0
  private(set) var bytesDone: Int64 = 0

  init(hint: AudioFileTypeID) { header = StreamHeader(hint: hint) }

  /// The next call for the client; nil where the input is used up.
  /// - Parameters:
  ///   - input: bytes behind those of the calls before.
  ///   - used: bytes of the input that have been taken.
  /// - Throws: the error of the stream; every later call throws it too, but where the client may seek.
  mutating func next(_ input: UnsafeRawBufferPointer, used: inout Int) throws(AudioStatus) -> StreamEvent? {
    if let failure { throw failure }
    do throws(AudioStatus) { return try advance(input, &used) } catch {
      if error != .streamIsLost || framer == nil {
        failure = error
        (header, framer) = (nil, nil)
        buffer.begin(at: 0)
      }
      throw error
    }
  }

  private mutating func advance(
    _ input: UnsafeRawBufferPointer, _ used: inout Int
  ) throws(AudioStatus) -> StreamEvent? {
    while true {
      if let id = untold.popFirst() {
        if id == kAudioFileStreamProperty_ReadyToProducePackets { isReady = true }
        return .property(id)
      }
      if header != nil {
        guard try readHeader(input, &used) else { return nil }
        continue
      }
      if let packets = try takePackets() { return .packets(packets) }
      guard used < input.count, let wanted = framer?.wanted else { return nil }
      if buffer.count == 0, wanted > buffer.start {
        // Nothing is kept of what nobody needs.
        let skipped = Int(min(Int64(input.count - used), wanted - buffer.start))
        buffer.begin(at: buffer.start + Int64(skipped))
        used += skipped
        continue
      }
      let piece = min(input.count - used, StreamPackets.mostBytes)
      buffer.append(UnsafeRawBufferPointer(rebasing: input[used..<used + piece]))
      used += piece
      hasSought = false
    }
  }

  private mutating func takePackets() throws(AudioStatus) -> StreamPackets? {
    var packets = StreamPackets()
    try framer?.take(&buffer, into: &packets)
    guard packets.count > 0 else { return nil }
    packetsDone += Int64(packets.count)
    bytesDone += Int64(packets.bytes.count)
    return packets
  }

  /// - Returns: false where the input ends in the header.
  private mutating func readHeader(_ input: UnsafeRawBufferPointer, _ used: inout Int) throws(AudioStatus) -> Bool {
    guard let header else { return true }
    let piece = max(0, min(input.count - used, header.needed - header.bytes.known.count))
    header.bytes.append(UnsafeRawBufferPointer(rebasing: input[used..<used + piece]))
    used += piece
    guard header.bytes.known.count >= header.needed else { return false }
    guard let shape = try self.header?.step() else { return true }
    let facts = StreamFacts(shape)
    (self.facts, framer, self.header) = (facts, shape.framer, nil)
    untold = facts.order[...]
    // The first frames may have been looked at already.
    let first = Int(min(shape.dataOffset, Int64(header.bytes.known.count)))
    buffer.begin(at: Int64(first))
    buffer.append(header.bytes.known[first...])
    return true
  }

  /// The next bytes do not follow those before.
  /// - Throws: 'dsc!' where nothing can be known of them.
  mutating func noteDiscontinuity() throws(AudioStatus) {
    if let failure { throw failure }
    if hasSought { return }
    if let header {
      if header.bytes.known.isEmpty { return }
      failure = .streamIsLost
      self.header = nil
      throw .streamIsLost
    }
    buffer.begin(at: buffer.end)
    try framer?.recover()
  }

  /// Makes the next bytes those of a packet.
  /// - Returns: their place, counted from the first byte of the sound; true where it is an estimate.
  /// - Throws: 'more' before the header is whole or the place of a packet can be estimated, 'pck?' where there is none.
  mutating func seek(to packet: Int64) throws(AudioStatus) -> (offset: Int64, isEstimated: Bool) {
    if let failure { throw failure }
    guard let facts, let framer else { throw .streamNeedsMore }
    guard packet >= 0 else { throw .filePacketOffset }
    let (offset, isEstimated) = try framer.place(of: packet)
    self.framer?.seek(to: packet, isEstimated: isEstimated)
    buffer.begin(at: offset)
    hasSought = true
    return (offset - facts.shape.dataOffset, isEstimated)
  }
}
