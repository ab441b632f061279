import AudioCore
import SoundFile
import TestSupport
import Testing

/// A length is what is there: headers that say something else, in each container that has them.
@Suite struct LengthTests {
  private static let frames = 1_000
  private let folder = TemporaryFolder()

  /// A file of 1000 frames in two channels, 16 bits, and its sound.
  private func whole(_ container: SoundFileContainer, _ encoding: SoundFileEncoding = .pcm16) throws -> [UInt8] {
    let path = folder.file("whole")
    try writeFile(
      path, .init(container: container, encoding: encoding), sines(2, frames: Self.frames),
      expectedFrames: Int64(Self.frames))
    return bytes(ofFile: path)
  }

  private struct Result {
    var planes: [[Float]]
    var info: SoundFileInfo
  }

  private func read(_ bytes: [UInt8], allowTruncated: Bool = false) throws -> Result {
    let path = folder.file("read")
    write(bytes, to: path)
    return Result(
      planes: try readFile(path, allowTruncated: allowTruncated),
      info: try SoundFileReader(path: path, allowTruncated: allowTruncated).info)
  }

  /// The file with other numbers in its header: of the whole, of the sound, and of frames where it counts them.
  private func stating(
    _ sound: Int64, outer: Int64?, _ whole: [UInt8], frames: Int64? = nil
  ) throws -> [UInt8] {
    let layout = try #require(ContainerLayout(MemoryStorage(whole)))
    var bytes = whole
    func put(_ value: Int64, _ count: Int, _ offset: Int) {
      let all =
        layout.isBigEndian ? Array(value.bigEndianBytes.suffix(count)) : Array(value.littleEndianBytes.prefix(count))
      bytes.replaceSubrange(offset..<offset + count, with: all)
    }
    let content = layout.soundIndex.map { Int(layout.chunks[$0].contentOffset) } ?? 0
    switch layout.kind {
    case .wave, .aiff, .aifc:
      if let outer { put(outer, 4, 4) }
      put(sound, 4, content - 4)
      if let frames, let common = layout.chunks(0x434F_4D4D).first { put(frames, 4, Int(common.contentOffset) + 2) }
    case .rf64, .bw64:
      let sizes = try #require(layout.chunks(0x6473_3634).first)
      if let outer { put(outer, 8, Int(sizes.contentOffset)) }
      put(sound, 8, Int(sizes.contentOffset) + 8)
    case .caf: put(sound, 8, content - 8)
    case .wave64:
      if let outer { put(outer, 8, 16) }
      put(sound, 8, content - 8)
    case .au: put(sound, 4, 8)
    }
    return bytes
  }

  /// Headers that programs leave when they cannot go back, or end before they do.
  @Test(
    "a header that says nothing, or 0, is no length: all that is there is read, and a 0 is told",
    arguments: [
      (SoundFileContainer.wav, Int64(0), Int64(0)), (.wav, 0, 36), (.wav, 0, 0xFFFF_FFFF), (.wav, -1, -1),
      (.wav, -1, 0),
      (.wav, 0x7FFF_FFFF, 0x7FFF_FFFF), (.aiff, 0, 0), (.aiff, 8, 54), (.aiff, 0x7F00_0008, 0x7F00_0050), (.caf, 0, 0),
      (.caf, -1, 0), (.caf, 4, 0), (.w64, -1, -1), (.w64, .max, -1), (.w64, 23, 0), (.w64, 24, 0), (.au, -1, 0),
      (.au, 0, 0), (.rf64, 0, 0), (.rf64, -1, -1), (.rf64, .max, 0),
    ] as [(SoundFileContainer, Int64, Int64)])
  func unknownLengths(_ container: SoundFileContainer, _ sound: Int64, _ outer: Int64) throws {
    let whole = try whole(container)
    let expected = try read(whole)
    #expect(expected.info.remarks == [])
    for count in [Self.frames, 1] {
      let cut = Array(whole[..<(whole.count - 4 * (Self.frames - count))])
      let found = try read(try stating(sound, outer: outer, cut, frames: 0))
      #expect(found.planes == expected.planes.map { Array($0[..<count]) })
      let saysNothing = sound >= 0 && sound <= 24 && sound != 23
      #expect(found.info.remarks.isEmpty == !saysNothing, "\(found.info.remarks)")
      if saysNothing {
        let remark = found.info.remarks.joined()
        #expect(remark.contains("0 frames") && remark.contains(NumberText.count(count, "frame")), "\(remark)")
      }
    }
  }

  @Test(
    "a header that says too little counts where its other length says the same, and what lies behind is told",
    arguments: [SoundFileContainer.wav, .aiff, .w64, .rf64])
  func tooLittle(_ container: SoundFileContainer) throws {
    let whole = try whole(container)
    let expected = try read(whole)
    let layout = try #require(ContainerLayout(MemoryStorage(whole)))
    let lead = Int64(container == .w64 ? 24 : container == .aiff ? 8 : 0)
    let outer = layout.dataOffset + 400 - (container == .w64 ? 0 : 8)
    let agreed = try read(try stating(400 + lead, outer: outer, whole, frames: 100))
    #expect(agreed.planes == expected.planes.map { Array($0[..<100]) })
    #expect(agreed.info.remarks.count == 1)
    #expect(agreed.info.remarks.first?.contains("100 frames; 3600 bytes behind them") ?? false)
    // The outer length says that there is more.
    let doubted = try read(try stating(400 + lead, outer: nil, whole, frames: 100))
    #expect(doubted.planes == expected.planes)
    #expect(doubted.info.remarks.first?.contains("100 frames, and 1000 frames are there") ?? false)
  }

  @Test("in containers with one length only, all that is there is read", arguments: [SoundFileContainer.caf, .au])
  func tooLittleAlone(_ container: SoundFileContainer) throws {
    let whole = try whole(container)
    let found = try read(try stating(400 + (container == .caf ? 4 : 0), outer: nil, whole))
    #expect(found.planes == (try read(whole)).planes)
    #expect(found.info.remarks.first?.contains("100 frames, and 1000 frames are there") ?? false)
  }

  @Test("chunks and tags behind the sound are none of it, even without the byte between", arguments: [false, true])
  func chunksBehind(_ isPadded: Bool) throws {
    let path = folder.file("odd")
    try writeFile(path, .init(container: .wav, encoding: .pcmU8), sines(1, frames: 101), expectedFrames: 101)
    let whole = bytes(ofFile: path)
    let expected = try read(whole).planes
    let list = Array("LIST".utf8) + [4, 0, 0, 0] + Array("INFO".utf8)
    let odd = Array(whole[..<(44 + 101)]) + (isPadded ? [0] : [])
    for tail in [list, Array("TAG".utf8) + [UInt8](repeating: 0, count: 125), Array(list[..<10])] {
      let found = try read(odd + tail)
      #expect(found.planes == expected && found.info.remarks == [], "\(tail.count) \(found.info.remarks)")
    }
  }

  @Test(
    "tags and rubbish in front of a header take nothing away at the end",
    arguments: [SoundFileContainer.wav, .aiff, .caf, .w64, .rf64, .au, .flac, .ogg])
  func lead(_ container: SoundFileContainer) throws {
    let encoding: SoundFileEncoding = container == .ogg ? .vorbis : .pcm16
    let whole = try whole(container, encoding)
    let expected = try read(whole).planes
    let tag = Array("ID3".utf8) + [4, 0, 0, 0, 0, 2, 0] + [UInt8](repeating: 0, count: 256)
    let tagged = try read(tag + whole)
    #expect(tagged.planes == expected && tagged.info.remarks == [], "\(tagged.info.remarks)")
    guard container != .w64, container != .au else { return }
    let strayed = try read([UInt8](repeating: 0x55, count: 100) + whole)
    #expect(strayed.planes == expected)
    #expect(strayed.info.remarks.first?.contains("100 bytes in front of its header") ?? false)
  }

  @Test("a frame that is not whole is left out and told")
  func oddBytes() throws {
    let whole = try whole(.wav)
    var odd = try stating(4_003, outer: 4_003 + 36, whole + [1, 2, 3, 0])
    let found = try read(odd)
    #expect(found.planes[0].count == 1_000 && found.info.remarks.first?.contains("4003 bytes") ?? false)
    odd = try stating(-1, outer: -1, whole + [1, 2, 3])
    #expect(try read(odd).planes[0].count == 1_000)
  }

  /// SoX, with libsndfile, writes the header again and again where it cannot go back.
  @Test("copies of a header in a pipe are no sound", arguments: [SoundFileContainer.w64, .caf])
  func copiesOfHeaders(_ container: SoundFileContainer) throws {
    let whole = try whole(container)
    let layout = try #require(ContainerLayout(MemoryStorage(whole)))
    let empty = Array(try stating(container == .w64 ? 24 : 0, outer: 0, whole)[..<Int(layout.dataOffset)])
    let sound = Array(whole[Int(layout.dataOffset)..<Int(layout.dataOffset) + 4 * Self.frames])
    let header = Array(whole[..<Int(layout.dataOffset)])
    #expect(try read(empty + empty + sound + header).planes == (try read(whole)).planes)
  }

  @Test("codecs of blocks give back as many frames as went in", arguments: SoundFileFormat.allWritable)
  func blocks(_ format: SoundFileFormat) throws {
    let counts = [SoundFileEncoding.imaADPCM, .msADPCM, .gsm610].contains(format.encoding)
    guard counts && [.wav, .w64, .caf].contains(format.container) || format.container == .voc else { return }
    for frames in [1, 63, 319, 320, 321, 505, 8_001] {
      let path = folder.file("blocks")
      try writeFile(path, format, sines(1, frames: frames), rate: 8_000)
      let reader = try SoundFileReader(path: path)
      #expect(reader.info.frameCount == frames && reader.info.remarks == [], "\(format) \(reader.info.remarks)")
      #expect(try readFile(path)[0].count == frames)
    }
  }

  @Test("two Ogg streams in one file are one sound", arguments: [SoundFileContainer.ogg, .opus])
  func chains(_ container: SoundFileContainer) throws {
    func file(_ frames: Int, rate: Double, channels: Int = 1) throws -> (bytes: [UInt8], planes: [[Float]]) {
      let path = folder.file("link")
      try writeFile(path, .init(container: container), sines(channels, frames: frames), rate: rate)
      return (bytes(ofFile: path), try readFile(path))
    }
    let (first, second) = (try file(5_000, rate: 48_000), try file(3_000, rate: 48_000))
    let path = folder.file("chain")
    write(first.bytes + second.bytes + first.bytes, to: path)
    let expected = first.planes[0] + second.planes[0] + first.planes[0]
    #expect(try readFile(path)[0] == expected)
    let reader = try SoundFileReader(path: path)
    let buffer = PlanarBuffer(channelCount: 1, frameCapacity: 100)
    for start in [9_000, 4_950, 7_999, 0, 12_900] {
      try reader.seek(toFrame: Int64(start))
      #expect(try reader.read(into: buffer.planes, frames: 100) == 100)
      #expect(buffer.channels(100)[0] == Array(expected[start..<start + 100]), "\(start)")
    }
    let other = container == .opus ? try file(900, rate: 48_000, channels: 2) : try file(900, rate: 44_100)
    write(first.bytes + other.bytes, to: path)
    do throws(BenchError) {
      _ = try SoundFileReader(path: path)
      Issue.record("no error")
    } catch {
      #expect("\(error)".contains("48000 Hz and 1 channel") && "\(error)".contains("number 2 has"), "\(error)")
    }
  }
}
