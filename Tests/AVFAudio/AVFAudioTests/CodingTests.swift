import AVFAudio
import Testing

@Suite("Formats and layouts in archives")
struct CodingTests {
  private func copy<Value: NSObject & NSSecureCoding>(_ value: Value) throws -> Value {
    let data = try NSKeyedArchiver.archivedData(withRootObject: value, requiringSecureCoding: true)
    return try #require(try NSKeyedUnarchiver.unarchivedObject(ofClass: Value.self, from: data))
  }

  @Test("A format comes back equal, with its layout and its cookie")
  func formats() throws {
    let layout = try #require(AVAudioChannelLayout(layoutTag: kAudioChannelLayoutTag_AudioUnit_5_1))
    let surround = AVAudioFormat(standardFormatWithSampleRate: 96_000, channelLayout: layout)
    let compressed = try #require(
      AVAudioFormat(settings: [AVFormatIDKey: kAudioFormatMPEG4AAC, AVSampleRateKey: 44_100, AVNumberOfChannelsKey: 2]))
    compressed.magicCookie = Data([1, 2, 3])
    let plain = try #require(
      AVAudioFormat(commonFormat: .pcmFormatInt16, sampleRate: 22_050.5, channels: 1, interleaved: true))
    for format in [surround, compressed, plain] {
      let back = try copy(format)
      #expect(back == format && back.magicCookie == format.magicCookie && back.channelLayout == format.channelLayout)
      let (one, other) = (back.streamDescription.pointee, format.streamDescription.pointee)
      #expect(one.mFormatFlags == other.mFormatFlags && one.mBytesPerFrame == other.mBytesPerFrame)
      #expect(one.mFramesPerPacket == other.mFramesPerPacket && one.mBitsPerChannel == other.mBitsPerChannel)
    }
  }

  @Test("A layout comes back equal, also one whose channels are described")
  func layouts() throws {
    let tag = try #require(AVAudioChannelLayout(layoutTag: kAudioChannelLayoutTag_MPEG_5_1_B))
    #expect(try copy(tag).layoutTag == kAudioChannelLayoutTag_MPEG_5_1_B)
    let list = UnsafeMutableRawPointer.allocate(byteCount: 12 + 3 * 20, alignment: 8)
    defer { list.deallocate() }
    let words: [UInt32] = [0, 0, 3, 3, 0, 0, 0, 0, 1, 0, 0, 0, 0, 2, 0, 0, 0, 0]
    list.copyMemory(from: words, byteCount: words.count * 4)
    let described = AVAudioChannelLayout(layout: list.assumingMemoryBound(to: AudioChannelLayout.self))
    let back = try copy(described)
    #expect(back == described && back.channelCount == 3 && back != tag)
  }

  @Test("An archive that holds no format gives none, whatever its bytes")
  func refusals() throws {
    func read(_ bytes: [UInt8]?) throws -> AVAudioFormat? {
      let archiver = NSKeyedArchiver(requiringSecureCoding: true)
      if let bytes {
        archiver.encodeBytes(bytes, length: bytes.count, forKey: "AUFormat")
      } else {
        archiver.encode(7, forKey: "AUFormat")
      }
      archiver.finishEncoding()
      let reader = try NSKeyedUnarchiver(forReadingFrom: archiver.encodedData)
      #expect(AVAudioChannelLayout(coder: reader) == nil)
      return AVAudioFormat(coder: reader)
    }
    var plain = [UInt8](repeating: 0, count: 44)
    plain[28] = 2
    plain.replaceSubrange(36..<44, with: repeatElement(0xFF, count: 8))
    #expect(try read(plain)?.channelCount == 2)
    #expect(try read(nil) == nil && read([]) == nil && read(Array(plain.dropLast())) == nil && read(plain + [0]) == nil)
    for place in [28, 36, 39, 40, 43] {
      for value in [UInt8(0), 3, 200] {
        var damaged = plain
        damaged[place] = value
        if let found = try read(damaged) { #expect(found.channelCount <= 2, "byte \(place) is \(value)") }
      }
    }
  }

  @Test("A converter of PCM answers for an encoder what is documented without one")
  func encoding() throws {
    let from = try #require(AVAudioFormat(standardFormatWithSampleRate: 44_100, channels: 2))
    let to = try #require(
      AVAudioFormat(commonFormat: .pcmFormatInt16, sampleRate: 48_000, channels: 2, interleaved: true))
    let converter = try #require(AVAudioConverter(from: from, to: to))
    converter.bitRate = 128_000
    #expect((converter.bitRate, converter.bitRateStrategy, converter.maximumOutputPacketSize) == (0, nil, 4))
    #expect(converter.availableEncodeBitRates == nil && converter.applicableEncodeSampleRates == nil)
    let packets = try #require(
      AVAudioFormat(settings: [AVFormatIDKey: kAudioFormatMPEG4AAC, AVSampleRateKey: 44_100, AVNumberOfChannelsKey: 2]))
    #expect(AVAudioConverter(from: from, to: packets) == nil && AVAudioConverter(from: packets, to: to) != nil)
    let buffer = AVAudioCompressedBuffer(format: packets, packetCapacity: 8, maximumPacketSize: 1024)
    var error: NSError?
    let status = converter.convert(to: buffer, error: &error) { _, status in
      status.pointee = .endOfStream
      return nil
    }
    #expect(status == .error)
    #expect(error?.code == Int(Int32(bitPattern: 0x666D_743F)), "fmt?")
  }
}
