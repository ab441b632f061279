import AudioCore
import AudioToolbox
import SoundFile
import TestSupport
import Testing

/// A file's packets by AudioFile, handed on in groups of any size, each in memory that is spoiled behind the next.
private final class PacketFeed {
  let format: AudioStreamBasicDescription
  let cookie: [UInt8]
  let trim: AudioFilePacketTableInfo?
  let packets: [[UInt8]]
  var place = 0
  /// Packets before which "not now" is said, once each.
  var gaps: Set<Int> = []
  static let gap: OSStatus = 12_345
  /// False: the packets come without descriptions.
  var describes = true
  var ends = 0
  private var sizes: SplitMix64
  private var memory: [UInt8] = []
  private let room = UnsafeMutableRawPointer.allocate(byteCount: 1 << 20, alignment: 16)
  private let descriptions = UnsafeMutablePointer<AudioStreamPacketDescription>.allocate(capacity: 64)

  init(_ path: String, seed: UInt64) throws {
    let (status, opened) = openFile(path)
    let file = try #require(opened, "\(status)")
    defer { AudioFileClose(file) }
    format = try value(file, kAudioFilePropertyDataFormat, AudioStreamBasicDescription())
    var (size, bytes) = (UInt32(65_536), [UInt8](repeating: 0, count: 65_536))
    cookie =
      AudioFileGetProperty(file, kAudioFilePropertyMagicCookieData, &size, &bytes) == 0
      ? Array(bytes.prefix(Int(size))) : []
    var table = AudioFilePacketTableInfo()
    size = UInt32(MemoryLayout<AudioFilePacketTableInfo>.size)
    trim = AudioFileGetProperty(file, kAudioFilePropertyPacketTableInfo, &size, &table) == 0 ? table : nil
    let count = Int64(try value(file, kAudioFilePropertyAudioDataPacketCount, UInt64(0)))
    packets = try (0..<count).map { number in
      var (packets, size, description) = (UInt32(1), UInt32(65_536), AudioStreamPacketDescription())
      try #require(AudioFileReadPacketData(file, false, &size, &description, number, &packets, &bytes) == 0)
      return Array(bytes.prefix(Int(size)))
    }
    sizes = SplitMix64(seed: seed)
  }

  deinit {
    room.deallocate()
    descriptions.deallocate()
  }

  /// The next packets, at least one and no more than `most`.
  func next(_ most: Int) -> (bytes: UnsafeMutableRawPointer, size: Int, count: Int) {
    let count = min(1 + Int(sizes.next() % 7), most, packets.count - place)
    room.initializeMemory(as: UInt8.self, repeating: 0xA5, count: 4_096)
    // Bytes that belong to no packet lie in front and between.
    var end = 3
    if !describes || format.mBytesPerPacket > 0 { end = 0 }
    for index in 0..<count {
      let packet = packets[place + index]
      packet.withUnsafeBytes {
        if let base = $0.baseAddress { (room + end).copyMemory(from: base, byteCount: $0.count) }
      }
      descriptions[index] = AudioStreamPacketDescription(
        mStartOffset: Int64(end), mVariableFramesInPacket: 0, mDataByteSize: UInt32(packet.count))
      end += packet.count
      if describes, format.mBytesPerPacket == 0 { end += 2 }
    }
    place += count
    return (room, end, count)
  }

  func deliver(
    _ packets: inout UInt32, _ list: UnsafeMutablePointer<AudioBufferList>,
    _ out: UnsafeMutablePointer<UnsafeMutablePointer<AudioStreamPacketDescription>?>?
  ) -> OSStatus {
    if gaps.remove(place) != nil {
      packets = 0
      return Self.gap
    }
    if place == self.packets.count {
      ends += 1
      packets = 0
      return 0
    }
    // Up to the packet before which there is a gap.
    let (bytes, size, count) = next((gaps.filter { $0 > place }.min() ?? Int.max) - place)
    packets = UInt32(count)
    list.pointee.mBuffers.mData = bytes
    list.pointee.mBuffers.mDataByteSize = UInt32(size)
    if describes { out?.pointee = descriptions }
    return 0
  }

  var firstDescription: UnsafeMutablePointer<AudioStreamPacketDescription> { descriptions }

  /// The frames that the file says are no sound.
  var primeInfo: AudioConverterPrimeInfo {
    AudioConverterPrimeInfo(
      leadingFrames: UInt32(clamping: trim?.mPrimingFrames ?? 0),
      trailingFrames: UInt32(clamping: trim?.mRemainderFrames ?? 0))
  }
}

/// Packets through converters and queues: the sound of the file that they are from, bit for bit.
@Suite("Packets are decoded to the sound of their file")
struct PacketConversionTests {
  static let coded = ["drums-aac.aac", "surround-aac.m4a", "tabla-aac.m4a", "tabla-opus.mp4", "tabla.ac3"]
  static let made = [
    "caf alac16", "flac pcm16", "flac pcm24", "wav imaADPCM", "wav msADPCM", "wav gsm610",
    "aiff imaADPCM", "mp3 mp3",
  ]

  /// A coded file of a name: one of the fixtures, or one that libsndfile makes.
  static func file(_ name: String, in folder: TemporaryFolder) throws -> String {
    if coded.contains(name) { return "\(Repository.path)/fixtures/audio/coded/\(name)" }
    let kinds: [String: (SoundFileContainer, SoundFileEncoding)] = [
      "caf alac16": (.caf, .alac16),
      "flac pcm16": (.flac, .pcm16), "flac pcm24": (.flac, .pcm24), "wav imaADPCM": (.wav, .imaADPCM),
      "wav msADPCM": (.wav, .msADPCM), "wav gsm610": (.wav, .gsm610), "aiff imaADPCM": (.aiff, .imaADPCM),
      "mp3 mp3": (.mp3, .mp3),
    ]
    let (container, encoding) = try #require(kinds[name])
    let path = folder.file("sound")
    let channels = encoding == .gsm610 ? 1 : 2
    try encode(
      path, SoundFileFormat(container: container, encoding: encoding), noise(channels, frames: 30_011), rate: 44_100,
      metadata: SoundFileMetadata())
    return path
  }

  /// The sound as the reader of files gives it, interleaved.
  private static func sound(_ path: String) throws -> [Float] {
    let planes = try decode(path)
    return planes[0].indices.flatMap { frame in planes.map { $0[frame] } }
  }

  private static func client(_ format: AudioStreamBasicDescription) -> AudioStreamBasicDescription {
    pcm(.float32, rate: format.mSampleRate, channels: Int(format.mChannelsPerFrame))
  }

  private static func converter(_ feed: PacketFeed, trims: Bool = true) throws -> AudioConverterRef {
    var (from, to) = (feed.format, client(feed.format))
    var made: AudioConverterRef?
    try #require(AudioConverterNew(&from, &to, &made) == 0)
    let converter = try #require(made)
    if !feed.cookie.isEmpty {
      let size = UInt32(feed.cookie.count)
      #expect(AudioConverterSetProperty(converter, kAudioConverterDecompressionMagicCookie, size, feed.cookie) == 0)
      var (room, bytes) = (UInt32(65_536), [UInt8](repeating: 0, count: 65_536))
      #expect(AudioConverterGetProperty(converter, kAudioConverterDecompressionMagicCookie, &room, &bytes) == 0)
      #expect(Array(bytes.prefix(Int(room))) == feed.cookie)
    }
    if trims {
      var info = feed.primeInfo
      #expect(AudioConverterSetProperty(converter, kAudioConverterPrimeInfo, 8, &info) == 0)
    }
    return converter
  }

  /// Pulls until no more comes, in pieces of any size.
  /// - Returns: the samples, and the statuses that were no success.
  private static func pull(
    _ converter: AudioConverterRef, _ feed: PacketFeed, seed: UInt64
  ) -> (samples: [Float], failures: [OSStatus]) {
    let channels = Int(feed.format.mChannelsPerFrame)
    var sizes = SplitMix64(seed: seed)
    var (samples, failures) = ([Float](), [OSStatus]())
    for _ in 0..<10_000 {
      let frames = 1 + Int(sizes.next() % 3_000)
      let buffer = InterleavedBuffer(byteCount: frames * 4 * channels, channels: channels)
      var packets = UInt32(frames)
      let (status, _) = buffer.withList { list in
        AudioConverterFillComplexBuffer(
          converter,
          { _, packets, list, descriptions, data in
            guard let data else { return -1 }
            return Unmanaged<PacketFeed>.fromOpaque(data).takeUnretainedValue().deliver(
              &packets.pointee, list, descriptions)
          }, Unmanaged.passUnretained(feed).toOpaque(), &packets, list, nil)
      }
      samples += floats(buffer.bytes).prefix(Int(packets) * channels)
      if status != 0 { failures.append(status) } else if packets == 0 { break }
    }
    return (samples, failures)
  }

  @Test("a converter gives the file's sound, whatever the pieces", arguments: coded + made)
  func converted(_ name: String) throws {
    let folder = TemporaryFolder()
    defer { withExtendedLifetime(folder) {} }
    let path = try Self.file(name, in: folder)
    let expected = try Self.sound(path)
    for seed in [UInt64(1), 2] {
      let feed = try PacketFeed(path, seed: seed)
      feed.gaps = seed == 1 ? [] : [0, 3, feed.packets.count]
      let gaps = feed.gaps.count
      let converter = try Self.converter(feed)
      defer { AudioConverterDispose(converter) }
      let (samples, failures) = Self.pull(converter, feed, seed: seed + 10)
      #expect(failures == [OSStatus](repeating: PacketFeed.gap, count: gaps))
      #expect(samples.count == expected.count && samples == expected, "\(name): \(samples.count), \(expected.count)")
      #expect(feed.ends == 1)
      // The stream again, from its beginning.
      #expect(AudioConverterReset(converter) == 0)
      feed.place = 0
      #expect(Self.pull(converter, feed, seed: 5).samples == expected, "again")
    }
  }

  @Test("a queue that is rendered offline gives the file's sound", arguments: coded + made)
  func queued(_ name: String) throws {
    let folder = TemporaryFolder()
    defer { withExtendedLifetime(folder) {} }
    let path = try Self.file(name, in: folder)
    let expected = try Self.sound(path)
    let feed = try PacketFeed(path, seed: 7)
    let channels = Int(feed.format.mChannelsPerFrame)
    var (from, to) = (feed.format, Self.client(feed.format))
    var made: AudioQueueRef?
    try #require(
      AudioQueueNewOutput(
        &from,
        { data, queue, buffer in
          guard let data else { return }
          Self.fill(Unmanaged<PacketFeed>.fromOpaque(data).takeUnretainedValue(), queue, buffer)
        }, Unmanaged.passUnretained(feed).toOpaque(), nil, nil, 0, &made) == 0)
    let queue = try #require(made)
    defer { AudioQueueDispose(queue, true) }
    if !feed.cookie.isEmpty {
      let size = UInt32(feed.cookie.count)
      #expect(AudioQueueSetProperty(queue, kAudioQueueProperty_MagicCookie, feed.cookie, size) == 0)
    }
    #expect(AudioQueueSetOfflineRenderFormat(queue, &to, nil) == 0)
    for _ in 0..<3 {
      var buffer: AudioQueueBufferRef?
      #expect(AudioQueueAllocateBufferWithPacketDescriptions(queue, 1 << 18, 64, &buffer) == 0)
      if let buffer { Self.fill(feed, queue, buffer) }
    }
    #expect(AudioQueueStart(queue, nil) == 0)
    var capture: AudioQueueBufferRef?
    #expect(AudioQueueAllocateBuffer(queue, 1 << 16, &capture) == 0)
    let captured = try #require(capture)
    var samples: [Float] = []
    var time = AudioTimeStamp()
    time.mFlags = .sampleTimeValid
    var (isRunning, size) = (UInt32(1), UInt32(4))
    for _ in 0..<10_000 where isRunning != 0 {
      #expect(AudioQueueOfflineRender(queue, &time, captured, 1_000) == 0)
      let bytes = UnsafeRawBufferPointer(
        start: captured.pointee.mAudioData, count: Int(captured.pointee.mAudioDataByteSize))
      samples += floats(Array(bytes))
      time.mSampleTime += Double(bytes.count / 4 / channels)
      #expect(AudioQueueGetProperty(queue, kAudioQueueProperty_IsRunning, &isRunning, &size) == 0)
    }
    let first = Int(feed.primeInfo.leadingFrames) * channels
    let found = Array(samples.dropFirst(first).prefix(expected.count))
    #expect(found == expected, "\(name): \(samples.count) samples for \(expected.count) from \(first) on")
    var damage: UInt32 = 1
    #expect(AudioQueueGetProperty(queue, kAudioQueueProperty_ConverterError, &damage, &size) == 0 && damage == 0)
  }

  private static func fill(_ feed: PacketFeed, _ queue: AudioQueueRef, _ buffer: AudioQueueBufferRef) {
    guard feed.place < feed.packets.count else {
      #expect(AudioQueueStop(queue, false) == 0)
      return
    }
    let (bytes, size, count) = feed.next(5)
    buffer.pointee.mAudioData.copyMemory(from: bytes, byteCount: size)
    buffer.pointee.mAudioDataByteSize = UInt32(size)
    // By the call, and by the buffer.
    if feed.place % 2 == 0 {
      #expect(AudioQueueEnqueueBuffer(queue, buffer, UInt32(count), feed.firstDescription) == 0)
    } else {
      buffer.pointee.mPacketDescriptions?.update(from: feed.firstDescription, count: count)
      buffer.pointee.mPacketDescriptionCount = UInt32(count)
      #expect(AudioQueueEnqueueBuffer(queue, buffer, 0, nil) == 0)
    }
  }

  @Test("packets that are not described, lie outside or are no sound are refused with their own errors")
  func refusals() throws {
    let music = TemporaryFolder()
    defer { withExtendedLifetime(music) {} }
    let path = try Self.file("mp3 mp3", in: music)
    let undescribed = try PacketFeed(path, seed: 1)
    undescribed.describes = false
    var converter = try Self.converter(undescribed)
    #expect(Self.pull(converter, undescribed, seed: 1).failures.first == code("!pkd"))
    #expect(AudioConverterDispose(converter) == 0)

    // A packet without sense among good ones: the sound goes on behind it.
    let folder = TemporaryFolder()
    let lossless = try PacketFeed(try Self.file("flac pcm16", in: folder), seed: 2)
    let (good, expected) = (lossless.packets, try Self.sound(folder.file("sound")))
    converter = try Self.converter(lossless)
    defer { AudioConverterDispose(converter) }
    let broken = BrokenPackets(good, at: 2)
    let (samples, failures) = broken.pull(converter)
    #expect(failures == [code("bada")])
    let block = Int(lossless.format.mFramesPerPacket) * 2
    #expect(samples == Array(expected[..<(2 * block)] + expected[(3 * block)...]))

    var (from, to) = (lossless.format, Self.client(lossless.format))
    var made: AudioConverterRef?
    #expect(AudioConverterNew(&to, &from, &made) == code("fmt?") && made == nil, "no encoder")
    from.mFormatID = 0x696C_6263
    #expect(AudioConverterNew(&from, &to, &made) == code("fmt?") && made == nil, "iLBC")
    var info = AudioConverterPrimeInfo(leadingFrames: 1, trailingFrames: 0)
    #expect(AudioConverterSetProperty(converter, kAudioConverterPrimeInfo, 8, &info) == code("op??"), "too late")
  }

  /// Packets one by one, one of which is spoiled.
  private final class BrokenPackets {
    var packets: [[UInt8]]
    private var place = 0
    private var description = AudioStreamPacketDescription()

    init(_ packets: [[UInt8]], at number: Int) {
      self.packets = packets
      self.packets[number] = [UInt8](repeating: 0x55, count: 40)
    }

    func pull(_ converter: AudioConverterRef) -> (samples: [Float], failures: [OSStatus]) {
      var (samples, failures) = ([Float](), [OSStatus]())
      for _ in 0..<1_000 {
        let buffer = InterleavedBuffer(byteCount: 512 * 8, channels: 2)
        var packets = UInt32(512)
        let (status, _) = buffer.withList { list in
          AudioConverterFillComplexBuffer(
            converter,
            { _, packets, list, descriptions, data in
              guard let data else { return -1 }
              let feed = Unmanaged<BrokenPackets>.fromOpaque(data).takeUnretainedValue()
              return feed.deliver(&packets.pointee, list, descriptions)
            }, Unmanaged.passUnretained(self).toOpaque(), &packets, list, nil)
        }
        samples += floats(buffer.bytes).prefix(Int(packets) * 2)
        if status != 0 { failures.append(status) } else if packets == 0 { break }
      }
      return (samples, failures)
    }

    private func deliver(
      _ count: inout UInt32, _ list: UnsafeMutablePointer<AudioBufferList>,
      _ out: UnsafeMutablePointer<UnsafeMutablePointer<AudioStreamPacketDescription>?>?
    ) -> OSStatus {
      count = place < packets.count ? 1 : 0
      guard count > 0, let memory = list.pointee.mBuffers.mData else { return 0 }
      packets[place].withUnsafeBytes {
        if let base = $0.baseAddress { memory.copyMemory(from: base, byteCount: $0.count) }
      }
      list.pointee.mBuffers.mDataByteSize = UInt32(packets[place].count)
      description = AudioStreamPacketDescription(
        mStartOffset: 0, mVariableFramesInPacket: 0, mDataByteSize: UInt32(packets[place].count))
      withUnsafeMutablePointer(to: &description) { out?.pointee = $0 }
      place += 1
      return 0
    }
  }

  @Test("formats that are decoded are listed, and a converter is made of each")
  func listed() throws {
    var (size, ids) = (UInt32(4 * 64), [UInt32](repeating: 0, count: 64))
    #expect(AudioFormatGetProperty(kAudioFormatProperty_DecodeFormatIDs, 0, nil, &size, &ids) == 0)
    #expect(size / 4 > 10)
    for id in ids.prefix(Int(size / 4)) where id != kAudioFormatLinearPCM {
      var (from, to) = (AudioStreamBasicDescription(), pcm(.float32, rate: 8_000, channels: 1))
      from.mSampleRate = 8_000
      from.mFormatID = id
      from.mChannelsPerFrame = 1
      // Blocks of ADPCM say their size: 256 bytes of Microsoft's are 500 frames, of Intel's 505.
      if id & 0xFFFF_0000 == 0x6D73_0000 {
        let frames: [UInt32: UInt32] = [0x6D73_0002: 500, 0x6D73_0011: 505, 0x6D73_0031: 320]
        from.mFramesPerPacket = frames[id] ?? 0
        from.mBytesPerPacket = id == 0x6D73_0031 ? 65 : 256
      }
      var made: AudioConverterRef?
      #expect(AudioConverterNew(&from, &to, &made) == 0, "\(AudioCore.FourCharCode(rawValue: id))")
      if let made { AudioConverterDispose(made) }
    }
  }
}

private func floats(_ bytes: [UInt8]) -> [Float] {
  bytes.withUnsafeBytes { memory in
    (0..<memory.count / 4).map { memory.loadUnaligned(fromByteOffset: 4 * $0, as: Float.self) }
  }
}
