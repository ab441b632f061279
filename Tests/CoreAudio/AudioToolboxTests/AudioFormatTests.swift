// AudioFormatGetProperty about stream formats: names, filled-in descriptions, what is known of codecs.

import AudioCore
import AudioEngine
import AudioToolbox
import CoreFoundation
import Foundation
import TestSupport
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
    func formats(_ id: AudioCore.FourCharCode) throws -> [AudioCore.FourCharCode] {
      try Ask.words(id, []).map { AudioCore.FourCharCode(rawValue: $0) }
    }
    #expect(try formats("acof") == ["lpcm", "ulaw", "alaw"])
    #expect(try formats("acif").starts(with: ["lpcm", "ulaw", "alaw", "alac", "flac", "ima4"]))
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
    #expect(throws: AudioStatus(rawValue: code("fmt?"))) { try Ask.words("flst", Ask.bytes(Self.asbd("ilbc"))) }
    let voice = AudioFormatListItem(mASBD: Self.asbd("ilbc"), mChannelLayoutTag: 0)
    let law = AudioFormatListItem(mASBD: Self.asbd("ulaw"), mChannelLayoutTag: 0)
    func list(_ items: [AudioFormatListItem]) -> [UInt8] { items.withUnsafeBytes { Array($0) } }
    #expect(try Ask.words("fpfl", list([voice, law, voice])) == [1])
    #expect(throws: AudioStatus(rawValue: code("fmt?"))) { try Ask.words("fpfl", list([voice])) }
    #expect(try Ask.words("aven", Ask.bytes(AudioCore.FourCharCode("aac ").rawValue)) == [])
    #expect(try Ask.words("cryp", Ask.bytes(pcm)) == [0])
  }

  /// xamarin-macios, tests/monotouch-test/AudioToolbox/AudioStreamBasicDescriptionTest.cs, asks for AAC and takes any
  /// answer.
  @Test func whatCanBeEncoded() throws {
    let any: UInt32 = 0xFFFF_FFFF
    for id in ["lpcm", "ulaw", "alaw"] as [AudioCore.FourCharCode] {
      var format = Self.asbd(id)
      format.mChannelsPerFrame = 2
      let tags = try Ask.words("aecl", Ask.bytes(format))
      #expect(tags.contains(kAudioChannelLayoutTag_Stereo) && tags.allSatisfy { $0 & 0xFFFF == 2 })
      format.mChannelsPerFrame = 0
      #expect(try Set(Ask.words("aecl", Ask.bytes(format))).isSuperset(of: tags + [kAudioChannelLayoutTag_MPEG_5_1_A]))
      #expect(try Ask.words("avnc", Ask.bytes(format)) == [any] && Ask.words("adnc", Ask.bytes(format)) == [any])
      #expect(try Ask.words("aesr", Ask.bytes(id.rawValue)).count == 4)
      #expect(try Ask.words("aebr", Ask.bytes(id.rawValue)) == [])
    }
    // There is no such encoder: nothing can be chosen.
    let aac = Self.asbd("aac ")
    for question in ["aecl", "avnc", "adnc"] as [AudioCore.FourCharCode] {
      #expect(try Ask.words(question, Ask.bytes(aac)) == [])
    }
    #expect(try Ask.words("aebr", Ask.bytes(aac.mFormatID)) == [] && Ask.words("aesr", Ask.bytes(aac.mFormatID)) == [])
    #expect(throws: AudioStatus(rawValue: code("!fmt"))) { try Ask.words("avnc", Ask.bytes(Self.asbd("zzzz"))) }
    #expect(try Ask.words("fdep", Ask.bytes(aac)) == [0] && Ask.words("fdep", Ask.bytes(Self.asbd("usac"))) == [1])
  }

  /// Bits of ISO 11172-3: layer III of MPEG-1, 128 kbit/s, 44.1 kHz, joint stereo; then a single channel of MPEG-2 at
  /// 24 kHz.
  @Test func whatAPacketAndATagSayOfThemselves() throws {
    let joint = try Ask.words("admp", [0xFF, 0xFB, 0x90, 0x44])
    #expect(joint[2] == AudioCore.FourCharCode(".mp3").rawValue && joint[5] == 1152 && joint[7] == 2)
    #expect(Double(bitPattern: UInt64(joint[1]) << 32 | UInt64(joint[0])) == 44_100)
    let single = try Ask.words("admp", [0xFF, 0xF3, 0x94, 0xC4])
    #expect(single[5] == 576 && single[7] == 1)
    #expect(Double(bitPattern: UInt64(single[1]) << 32 | UInt64(single[0])) == 24_000)
    #expect(throws: AudioStatus(rawValue: code("what"))) { try Ask.words("admp", [1, 2, 3, 4]) }
    // 2 · 128 + 1 bytes behind a header of ten; with a footer ten more.
    let tag = Array("ID3".utf8) + [4, 0, 0, 0, 0, 2, 1]
    #expect(try Ask.words("id3s", tag) == [267])
    #expect(try Ask.words("id3s", Array("ID3".utf8) + [4, 0, 0x10, 0, 0, 2, 1]) == [277])
    #expect(throws: AudioStatus(rawValue: code("what"))) { try Ask.words("id3s", [UInt8](repeating: 9, count: 10)) }
  }

  /// Tags put together by hand from the informal standards: 2.3 with Latin and UTF-16, 2.4 with UTF-8, 2.2; and what is
  /// damaged.
  @Test func aTagBecomesADictionary() throws {
    func dictionary(_ tag: [UInt8]) throws -> [String: String] {
      var (size, made) = (UInt32(8), Unmanaged<CFDictionary>?.none)
      let status = AudioFormatGetProperty(
        AudioCore.FourCharCode("id3d").rawValue, UInt32(tag.count), tag, &size, &made)
      if status != 0 { throw AudioStatus(rawValue: status) }
      let table = try #require(made).takeRetainedValue()
      var found: [String: String] = [:]
      for key in ["title", "artist", "comments", "year"] {
        let name = try #require(CFStringCreateWithCString(nil, key, CFStringBuiltInEncodings.UTF8.rawValue))
        guard let value = CFDictionaryGetValue(table, Unmanaged.passUnretained(name).toOpaque()) else { continue }
        found[key] = TestText.string(Unmanaged<CFString>.fromOpaque(value).takeUnretainedValue())
      }
      return found
    }
    func frame(_ name: String, _ content: [UInt8]) -> [UInt8] {
      Array(name.utf8) + [0, 0, 0, UInt8(content.count), 0, 0] + content
    }
    func tag(_ version: UInt8, _ frames: [UInt8], flags: UInt8 = 0, said: Int? = nil) -> [UInt8] {
      let size = said ?? frames.count + 5
      return Array("ID3".utf8) + [version, 0, flags, 0, 0, UInt8(size >> 7), UInt8(size & 0x7F)] + frames + [
        0, 0, 0, 0, 0,
      ]
    }
    let latin = frame("TIT2", [0, 0xC9, 0x74, 0x75, 0x64, 0x65])
    let wide = frame("TPE1", [1, 0xFF, 0xFE, 0x4E, 0x00, 0xAC, 0x20, 0, 0])
    let comment = frame("COMM", [0] + Array("eng".utf8) + [0x61, 0] + Array("said".utf8))
    #expect(
      try dictionary(tag(3, latin + wide + comment)) == ["title": "Étude", "artist": "N€", "comments": "said"])
    #expect(
      try dictionary(tag(4, frame("TIT2", [3] + Array("Étude".utf8)) + frame("TDRC", [0] + Array("1999".utf8))))
        == ["title": "Étude", "year": "1999"])
    #expect(try dictionary(tag(2, Array("TT2".utf8) + [0, 0, 3, 0, 0x61, 0x62])) == ["title": "ab"])
    // A length beyond the tag, a size of nothing, a compressed frame, a tag that is cut short.
    #expect(try dictionary(tag(3, Array("TIT2".utf8) + [0x7F, 0xFF, 0xFF, 0xFF, 0, 0, 0, 0x61])) == [:])
    #expect(try dictionary(tag(3, frame("TIT2", []) + wide)) == [:])
    var compressed = latin
    compressed[9] = 0x80
    #expect(try dictionary(tag(3, compressed + wide)) == ["artist": "N€"])
    let whole = tag(3, latin + wide + comment)
    for length in 10..<whole.count { _ = try dictionary(Array(whole[..<length])) }
    for flags: UInt8 in [0x80, 0x40, 0xC0] { _ = try dictionary(tag(3, latin + wide, flags: flags, said: 16_000)) }
    #expect(throws: AudioStatus(rawValue: code("what"))) { try dictionary([UInt8](repeating: 7, count: 30)) }
  }

  /// Every property that the header declares is known: what it answers depends on the question.
  @Test func noDeclaredPropertyIsUnknown() throws {
    let path = Repository.path + "/Sources/CoreAudio/CAudioToolbox/include/AudioToolbox/AudioFormat.h"
    let text = try String(contentsOfFile: path, encoding: .utf8)
    let codes = text.split(separator: "\n").compactMap { line -> AudioFormatPropertyID? in
      guard line.contains("kAudioFormatProperty_"), let code = line.split(separator: "'").dropFirst().first else {
        return nil
      }
      return code.utf8.reduce(0) { $0 << 8 | UInt32($1) }
    }
    #expect(codes.count >= 40)
    // Zeros are a description of nothing, and null pointers.
    for specifier in [[UInt8](repeating: 0, count: 40), []] {
      for id in codes {
        var size: UInt32 = 0
        let status = AudioFormatGetPropertyInfo(id, UInt32(specifier.count), specifier, &size)
        #expect(status != code("prop"), "\(AudioCore.FourCharCode(rawValue: id))")
      }
    }
  }

  @Test func errors() throws {
    #expect(throws: AudioStatus(rawValue: code("prop"))) { try Ask.words("xxxx", []) }
    #expect(throws: AudioStatus(rawValue: code("!spc"))) { try Ask.words("essd", []) }
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
