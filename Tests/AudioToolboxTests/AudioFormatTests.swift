// AudioFormatGetProperty about stream formats: names, filled-in descriptions, what is known of codecs.

import AudioCore
import AudioToolbox
import CoreFoundation
import Testing

/// A question to AudioFormat.
enum AudioFormatQuestion {
  /// The words of an answer.
  static func words(
    _ id: AudioCore.FourCharCode, _ specifier: [UInt8], room: Int = 4096
  ) throws(AudioStatus) -> [UInt32] {
    var data = [UInt32](repeating: 0xDEAD_BEEF, count: room / 4 + 1)
    var size = UInt32(room)
    let status = AudioFormatGetProperty(id.rawValue, UInt32(specifier.count), specifier, &size, &data)
    if status != 0 { throw AudioStatus(rawValue: status) }
    var said: UInt32 = 0
    let info = AudioFormatGetPropertyInfo(id.rawValue, UInt32(specifier.count), specifier, &said)
    if info != 0 || said != size { throw AudioStatus(rawValue: info == 0 ? -1 : info) }
    return Array(data[..<(Int(size) / 4)])
  }

  static func floats(_ id: AudioCore.FourCharCode, _ specifier: [UInt8]) throws(AudioStatus) -> [Float] {
    try words(id, specifier).map(Float.init(bitPattern:))
  }

  static func text(_ id: AudioCore.FourCharCode, _ specifier: [UInt8]) throws(AudioStatus) -> String {
    var reference: UnsafeRawPointer?
    var size = UInt32(MemoryLayout<UnsafeRawPointer>.size)
    let status = AudioFormatGetProperty(id.rawValue, UInt32(specifier.count), specifier, &size, &reference)
    if status != 0 { throw AudioStatus(rawValue: status) }
    guard let reference, size == 8 else { throw AudioStatus(rawValue: -1) }
    let string = Unmanaged<CFString>.fromOpaque(reference).takeRetainedValue()
    var buffer = [CChar](repeating: 0, count: 512)
    guard CFStringGetCString(string, &buffer, 512, CFStringBuiltInEncodings.UTF8.rawValue) else {
      throw AudioStatus(rawValue: -2)
    }
    return String(decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  static func bytes<Value: BitwiseCopyable>(_ value: Value) -> [UInt8] { withUnsafeBytes(of: value) { Array($0) } }
}

@Suite struct AudioFormatTests {
  typealias Ask = AudioFormatQuestion

  static func asbd(_ id: AudioCore.FourCharCode, rate: Double = 8000, channels: UInt32 = 1)
    -> AudioStreamBasicDescription
  {
    var asbd = AudioStreamBasicDescription()
    asbd.mFormatID = id.rawValue
    asbd.mSampleRate = rate
    asbd.mChannelsPerFrame = channels
    return asbd
  }

  static func completed(_ start: AudioStreamBasicDescription) throws(AudioStatus) -> AudioStreamBasicDescription {
    var asbd = start
    var size: UInt32 = 40
    let status = AudioFormatGetProperty(AudioCore.FourCharCode("fmti").rawValue, 0, nil, &size, &asbd)
    if status != 0 { throw AudioStatus(rawValue: status) }
    return asbd
  }

  @Test func names() throws {
    var float = StreamFormat.initial.audioStreamBasicDescription
    #expect(try Ask.text("fnam", Ask.bytes(float)) == "2 ch, 44100 Hz, Float32, deinterleaved")
    float.mSampleRate = 0.5
    float.mChannelsPerFrame = 1
    #expect(try Ask.text("fnam", Ask.bytes(float)) == "1 ch, 0.5 Hz, Float32")
    let fixed = StreamFormat(sampleRate: 8000, channelCount: 2, encoding: .fixed8_24, isInterleaved: true)
    #expect(
      try Ask.text("fnam", Ask.bytes(fixed.audioStreamBasicDescription)) == "2 ch, 8000 Hz, Fixed8.24, interleaved")
    let high = StreamFormat(
      sampleRate: 8000, channelCount: 1,
      encoding: SampleEncoding(
        kind: .signedInteger, bits: 24, containerBytes: 4, isBigEndian: true, isAlignedHigh: true))
    #expect(
      try Ask.text("fnam", Ask.bytes(high.audioStreamBasicDescription))
        == "1 ch, 8000 Hz, Int24 in 4 bytes, high big-endian")
    #expect(try Ask.text("fnam", Ask.bytes(Self.asbd("ulaw"))) == "1 ch, 8000 Hz, µ-law")
    #expect(try Ask.text("fnam", Ask.bytes(Self.asbd("zzzz"))) == "1 ch, 8000 Hz, 'zzzz'")
  }

  @Test func descriptionsAreFilledIn() throws {
    var pcm = Self.asbd("lpcm", channels: 2)
    pcm.mFormatFlags = 0x0C
    pcm.mBitsPerChannel = 16
    #expect(StreamFormat(try Self.completed(pcm))?.encoding == .int16)
    let law = try Self.completed(Self.asbd("alaw", channels: 2))
    #expect(
      law.mFramesPerPacket == 1 && law.mBytesPerPacket == 2 && law.mBytesPerFrame == 2 && law.mBitsPerChannel == 8)
    #expect(try Self.completed(Self.asbd("aac ")).mFramesPerPacket == 1024)
    #expect(try Self.completed(Self.asbd(".mp3", rate: 44_100)).mFramesPerPacket == 1152)
    #expect(try Self.completed(Self.asbd(".mp3", rate: 22_050)).mFramesPerPacket == 576)
    #expect(try Self.completed(Self.asbd("alac")).mFramesPerPacket == 4096)
    let ima = try Self.completed(Self.asbd("ima4", channels: 2))
    #expect(ima.mFramesPerPacket == 64 && ima.mBytesPerPacket == 68 && ima.mBytesPerFrame == 0)
  }

  @Test func descriptionsThatCannotBe() throws {
    #expect(throws: AudioStatus(rawValue: code("!fmt"))) { try Self.completed(Self.asbd("zzzz")) }
    #expect(throws: AudioStatus(rawValue: code("fmt?"))) { try Self.completed(Self.asbd("lpcm")) }
    #expect(throws: AudioStatus(rawValue: code("fmt?"))) {
      try Self.completed(Self.asbd("ima4", channels: .max))
    }
  }

  @Test func codecsThatAreThere() throws {
    for id in ["acof", "acif"] as [AudioCore.FourCharCode] {
      #expect(try Ask.words(id, []).map { AudioCore.FourCharCode(rawValue: $0) } == ["lpcm", "ulaw", "alaw"])
    }
  }

  @Test func whatIsKnownOfPackets() throws {
    let rows: [(id: AudioCore.FourCharCode, varies: UInt32, external: UInt32)] = [
      ("lpcm", 0, 0), ("ulaw", 0, 0), ("ima4", 0, 0), ("aac ", 1, 1), ("alac", 1, 1), (".mp3", 1, 0), ("opus", 1, 1),
    ]
    for row in rows {
      #expect(try Ask.words("fvbr", Ask.bytes(Self.asbd(row.id))) == [row.varies], "\(row.id)")
      #expect(try Ask.words("fexf", Ask.bytes(Self.asbd(row.id))) == [row.external], "\(row.id)")
    }
    #expect(throws: AudioStatus(rawValue: code("!fmt"))) { try Ask.words("fvbr", Ask.bytes(Self.asbd("zzzz"))) }
  }

  @Test func listsOfFormats() throws {
    let pcm = StreamFormat.initial.audioStreamBasicDescription
    let item = try Ask.words("flst", Ask.bytes(pcm))
    #expect(item.count == 12 && item[2] == 0x6C70_636D && item[10] == 0x0065_0002)
    #expect(throws: AudioStatus(rawValue: code("fmt?"))) { try Ask.words("flst", Ask.bytes(Self.asbd("aac "))) }
    let aac = AudioFormatListItem(mASBD: Self.asbd("aac "), mChannelLayoutTag: 0)
    let law = AudioFormatListItem(mASBD: Self.asbd("ulaw"), mChannelLayoutTag: 0)
    func list(_ items: [AudioFormatListItem]) -> [UInt8] { items.withUnsafeBytes { Array($0) } }
    #expect(try Ask.words("fpfl", list([aac, law, aac])) == [1])
    #expect(throws: AudioStatus(rawValue: code("fmt?"))) { try Ask.words("fpfl", list([aac])) }
    #expect(try Ask.words("aven", Ask.bytes(AudioCore.FourCharCode("aac ").rawValue)) == [])
    #expect(try Ask.words("cryp", Ask.bytes(pcm)) == [0])
  }

  @Test func errors() throws {
    #expect(throws: AudioStatus(rawValue: code("prop"))) { try Ask.words("essd", []) }
    #expect(throws: AudioStatus(rawValue: code("!spc"))) { try Ask.words("fvbr", [1, 2, 3]) }
    #expect(throws: AudioStatus(rawValue: code("!spc"))) { try Ask.text("fnam", []) }
    #expect(throws: AudioStatus(rawValue: code("!siz"))) { try Ask.words("acof", [], room: 8) }
    let noSize = AudioConverterErrorTests.null(UnsafeMutablePointer<UInt32>.self)
    #expect(AudioFormatGetPropertyInfo(AudioCore.FourCharCode("acof").rawValue, 0, nil, noSize) == -50)
    var words: [UInt32] = [0, 0, 0]
    #expect(AudioFormatGetProperty(AudioCore.FourCharCode("acof").rawValue, 0, nil, nil, &words) == -50)
    // Without a place for it, the size is the answer.
    var size: UInt32 = 0
    #expect(AudioFormatGetProperty(AudioCore.FourCharCode("acof").rawValue, 0, nil, &size, nil) == 0)
    #expect(size == 12)
    // A specifier of a size, but nowhere.
    #expect(AudioFormatGetPropertyInfo(AudioCore.FourCharCode("nchm").rawValue, 12, nil, &size) == code("!spc"))
  }
}
