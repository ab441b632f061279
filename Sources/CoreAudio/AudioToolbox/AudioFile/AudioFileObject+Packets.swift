// Bytes and packets as they lie in the file, read and written in place.

import AudioCore
import CAudioToolbox
import PacketFiles
import SoundFile

extension AudioFileObject {
  /// The places of the packets, found by a scan if that takes one.
  func scannedPackets() -> PacketMap {
    if case .unscanned = packets {
      let isFLAC = dataFormat.mFormatID == kAudioFormatFLAC
      let table = isFLAC ? PacketTable(flac: storage) : PacketTable(mpeg: storage)
      packets = table.map(PacketMap.table) ?? .unknown
    }
    return packets
  }

  var packetCount: Int64? {
    switch scannedPackets() {
    case .fixed(let bytes, _): return dataBytes / bytes
    case .table(let table): return Int64(table.count)
    case .places(let places): return places.count
    case .unscanned, .unknown:
      let frames = Int64(dataFormat.mFramesPerPacket)
      return frames > 0 ? frameCount.clampedSum(frames - 1) / frames : nil
    }
  }

  /// Reads bytes of the sound. `count` becomes what was read.
  /// - Throws: −39 where the sound ended first, −40 for a place before it, 'prm?' for a file that is only written.
  func readBytes(from start: Int64, count: inout UInt32, into bytes: UnsafeMutableRawPointer) throws(AudioStatus) {
    let wanted = count
    count = 0
    try checkReadable()
    guard start >= 0 else { throw .filePosition }
    guard start < dataBytes else { throw .fileEnd }
    let present = Int(min(Int64(wanted), dataBytes - start))
    let got: Int
    if case .places(let places) = packets {
      got = try read(places, from: start, count: present, into: bytes)
    } else {
      got = try stored(try storage.read(bytes, count: present, at: dataOffset + start))
    }
    count = UInt32(got)
    guard got == Int(wanted) else { throw .fileEnd }
  }

  /// Reads bytes of packets that may lie scattered in the file.
  /// - Returns: the bytes read; fewer where the file has become shorter.
  private func read(
    _ places: PacketPlaces, from start: Int64, count: Int, into bytes: UnsafeMutableRawPointer
  ) throws(AudioStatus) -> Int {
    var done = 0
    while done < count, let extent = places.extent(holding: start + Int64(done)) {
      let skip = start + Int64(done) - extent.start
      let wanted = Int(min(Int64(count - done), extent.length - skip))
      let got = try stored(try storage.read(bytes + done, count: wanted, at: extent.offset + skip))
      done += got
      if got < wanted { break }
    }
    return done
  }

  /// Reads packets, as many as there is room for. The end of the file is no error: there are fewer then, or none.
  /// - Parameters:
  ///   - byteCount: in, the room at `bytes`; out, the bytes of the packets.
  ///   - descriptions: filled in for packets that differ in size, one for each.
  ///   - bytes: nil to learn only how many there are.
  /// - Throws: 'pck?' for a packet before the first.
  func readPackets(
    from start: Int64, packetCount wanted: inout UInt32, byteCount room: inout UInt32,
    descriptions: UnsafeMutablePointer<AudioStreamPacketDescription>?, into bytes: UnsafeMutableRawPointer?
  ) throws(AudioStatus) {
    let (asked, space) = (wanted, room)
    wanted = 0
    room = 0
    try checkReadable()
    guard start >= 0 else { throw .filePacketOffset }
    switch scannedPackets() {
    case .fixed(let size, _):
      let left = max(0, dataBytes / size - start)
      let count = min(Int64(asked), left, Int64(space) / size)
      guard count > 0 else { return }
      var present = Int(count * size)
      if let bytes {
        present = try stored(try storage.read(bytes, count: present, at: dataOffset + start * size))
      }
      // A file that was truncated meanwhile ends with a whole packet too.
      wanted = UInt32(present / Int(size))
      room = wanted * UInt32(size)
    case .table(let table):
      var done = 0
      var used: UInt32 = 0
      while done < Int(asked), start + Int64(done) < table.count {
        let index = Int(start) + done
        let size = table.sizes[index]
        guard UInt64(used) + UInt64(size) <= UInt64(space) else { break }
        if let bytes {
          let got = try stored(try storage.read(bytes + Int(used), count: Int(size), at: table.offsets[index]))
          guard got == Int(size) else { throw .fileInvalid }
        }
        descriptions?[done] = AudioStreamPacketDescription(
          mStartOffset: Int64(used), mVariableFramesInPacket: 0, mDataByteSize: size)
        used += size
        done += 1
        wanted = UInt32(done)
        room = used
      }
    case .places(let places):
      var done = 0
      var used: UInt32 = 0
      let first = min(start, places.count)
      while done < Int(asked), let place = places.place(of: first + Int64(done)),
        UInt64(used) + UInt64(place.bytes) <= UInt64(space)
      {
        // Packets of one size have no descriptions.
        if places.packetBytes == 0 {
          let frames = dataFormat.mFramesPerPacket == 0 ? track?.durations.frames(of: first + Int64(done)) ?? 0 : 0
          descriptions?[done] = AudioStreamPacketDescription(
            mStartOffset: Int64(used), mVariableFramesInPacket: UInt32(clamping: frames), mDataByteSize: place.bytes)
        }
        used += place.bytes
        done += 1
      }
      if let bytes, done > 0, let from = places.byteStart(of: first) {
        guard try read(places, from: from, count: Int(used), into: bytes) == Int(used) else { throw .fileInvalid }
      }
      (wanted, room) = (UInt32(done), used)
    case .unscanned, .unknown: throw .fileOperationUnsupported
    }
  }

  /// Writes bytes of the sound, over what is there or right behind it.
  func writeBytes(at start: Int64, count: inout UInt32, from bytes: UnsafeRawPointer) throws(AudioStatus) {
    let wanted = Int64(count)
    count = 0
    let layout = try checkWritable()
    guard start >= 0, start <= dataBytes else { throw .filePosition }
    let (end, overflow) = start.addingReportingOverflow(wanted)
    if overflow || end > PlainFileHeader.dataLimit(layout) ?? .max { throw .fileTooLarge }
    // Behind the sound lie other chunks: it cannot grow over them.
    if end > dataBytes && layout.hasChunksAfterSound { throw .fileNotOptimized }
    try stored(try storage.write(bytes, count: Int(wanted), at: dataOffset + start))
    count = UInt32(wanted)
    if end > dataBytes {
      dataBytes = end
      try sizesChanged()
    }
  }

  /// Writes whole packets of one size: how many there are says how many bytes are read at `bytes`.
  /// - Throws: 'pck?' for a packet that has a gap before it, −50 for more bytes than a count of them can say.
  func writePackets(at start: Int64, packetCount: inout UInt32, from bytes: UnsafeRawPointer) throws(AudioStatus) {
    let wanted = packetCount
    packetCount = 0
    _ = try checkWritable()
    guard case .fixed(let size, _) = packets else { throw .fileOperationUnsupported }
    guard start >= 0, start <= dataBytes / size else { throw .filePacketOffset }
    guard var count = UInt32(exactly: Int64(wanted) * size) else { throw .parameterError }
    try writeBytes(at: start * size, count: &count, from: bytes)
    packetCount = wanted
  }

  /// Makes the file exactly so long: packets beyond go, new ones are zero.
  func setPacketCount(_ count: Int64) throws(AudioStatus) {
    let layout = try checkWritable()
    guard case .fixed(let size, _) = packets else { throw .fileOperationUnsupported }
    let (bytes, overflow) = count.multipliedReportingOverflow(by: size)
    guard count >= 0 else { throw .filePacketOffset }
    if overflow || bytes > PlainFileHeader.dataLimit(layout) ?? .max / 2 { throw .fileTooLarge }
    if layout.hasChunksAfterSound { throw .fileNotOptimized }
    try stored(try storage.setLength(dataOffset + bytes))
    dataBytes = bytes
    try sizesChanged()
  }

  private func checkReadable() throws(AudioStatus) {
    guard canRead else { throw .filePermissions }
    // The output of a coder is not the file yet.
    guard encoder == nil else { throw .fileOperationUnsupported }
  }

  private func checkWritable() throws(AudioStatus) -> ContainerLayout {
    guard canWrite else { throw .filePermissions }
    guard encoder == nil, let layout, case .fixed = packets else { throw .fileOperationUnsupported }
    return layout
  }
}
