// AudioFormat about channel layouts. Orders and labels: the SDK's header; gains: ITU-R BS.775.

import AudioCore
import AudioToolbox
import Testing

@Suite struct AudioFormatLayoutTests {
  typealias Ask = AudioFormatQuestion

  static let mono: UInt32 = 0x0064_0001
  static let stereo: UInt32 = 0x0065_0002
  static let surround: UInt32 = 0x0079_0006
  static let root = Float(0.5.squareRoot())

  static func layout(tag: UInt32, bitmap: UInt32 = 0, labels: [UInt32] = []) -> [UInt8] {
    ([tag, bitmap, UInt32(labels.count)] + labels.flatMap { [$0, 0, 0, 0, 0] }).flatMap { Ask.bytes($0) }
  }

  /// A specifier of two pointers.
  static func two<Answer>(
    _ first: [UInt8], _ second: [UInt8], _ body: ([UInt8]) throws -> Answer
  ) rethrows -> Answer {
    try first.withUnsafeBytes { one in
      try second.withUnsafeBytes { two in
        try body(Ask.bytes(Int(bitPattern: one.baseAddress)) + Ask.bytes(Int(bitPattern: two.baseAddress)))
      }
    }
  }

  static func matrix(_ from: UInt32, _ to: UInt32) throws -> [Float] {
    try two(layout(tag: from), layout(tag: to)) { try Ask.floats("mmap", $0) }
  }

  @Test func tagsBecomeDescriptionsAndComeBack() throws {
    let words = try Ask.words("cmpl", Ask.bytes(Self.surround))
    #expect(words.count == 3 + 6 * 5 && words[0] == 0 && words[2] == 6)
    let labels = stride(from: 3, to: words.count, by: 5).map { words[$0] }
    #expect(labels == [1, 2, 3, 4, 5, 6])
    #expect(try Ask.words("cmpt", words.flatMap { Ask.bytes($0) }) == [Self.surround])
    #expect(try Ask.words("cmpt", Self.layout(tag: 0, labels: [3, 1, 2, 5, 6, 4])) == [0x007C_0006])
    #expect(try Ask.words("cmpt", Self.layout(tag: 0x0001_0000, bitmap: 3)) == [Self.stereo])
    #expect(try Ask.words("cmpt", Self.layout(tag: 0x0093_0003)) == [0x0093_0003])
    #expect(throws: AudioStatus(rawValue: code("what"))) { try Ask.words("cmpt", Self.layout(tag: 0, labels: [2, 1])) }
    #expect(throws: AudioStatus(rawValue: code("what"))) { try Ask.words("cmpl", Ask.bytes(UInt32(0x0070_0001))) }
  }

  /// The channels of a host's own table (JUCE's) at the tags for cinemas: label numbers, in order.
  @Test func theTagsOfCodecsAndOfHighSpeakersHaveTheirChannels() throws {
    let rows: [(tag: UInt32, labels: [UInt32])] = [
      (149 << 16 | 2, [3, 4]), (154 << 16 | 5, [1, 3, 2, 9, 4]), (160 << 16 | 8, [1, 3, 2, 5, 6, 4, 33, 34]),
      (170 << 16 | 6, [7, 8, 1, 2, 5, 6]), (181 << 16 | 9, [7, 3, 8, 1, 2, 5, 9, 6, 4]),
      (184 << 16 | 8, [3, 1, 2, 5, 6, 4, 13, 15]), (142 << 16 | 7, [3, 1, 2, 5, 6, 9, 4]),
      (190 << 16 | 4, [2 << 16, 2 << 16 | 1, 2 << 16 | 2, 2 << 16 | 3]),
      (145 << 16 | 16, [1, 2, 3, 14, 10, 11, 5, 6, 13, 15, 35, 36, 44, 9, 4, 37]),
      (192 << 16 | 12, [1, 2, 3, 4, 5, 6, 33, 34, 13, 15, 52, 54]),
      (193 << 16 | 16, [1, 2, 3, 4, 5, 6, 33, 34, 35, 36, 13, 15, 49, 51, 52, 54]),
      (200 << 16 | 7, [1, 3, 2, 5, 9, 6, 4]), (203 << 16 | 14, [1, 2, 33, 34, 5, 6, 3, 4, 13, 15, 49, 51, 52, 54]),
      (
        204 << 16 | 24,
        [7, 8, 3, 37, 33, 34, 1, 2, 9, 62, 55, 56, 13, 15, 14, 12, 52, 54, 49, 51, 53, 59, 57, 58]
      ),
      (211 << 16 | 14, [1, 2, 3, 4, 33, 34, 55, 56, 13, 15, 52, 54, 65, 66]), (212 << 16 | 5, [1, 3, 2, 33, 34]),
      (219 << 16 | 8, [1, 2, 33, 34, 5, 6, 3, 4]),
    ]
    for row in rows {
      let words = try Ask.words("cmpl", Ask.bytes(row.tag))
      #expect(stride(from: 3, to: words.count, by: 5).map { words[$0] } == row.labels)
      #expect(try !Ask.text("lsnm", Self.layout(tag: row.tag)).contains("?"))
    }
  }

  @Test func everyTagHasAsManyLabelsAsItSays() throws {
    var seen = 0
    for count in UInt32(1)...8 {
      for tag in try Ask.words("tagc", Ask.bytes(count)) {
        #expect(tag & 0xFFFF == count)
        #expect(ChannelLayouts.labels(ofTag: tag)?.count == Int(count))
        #expect(try !Ask.text("lsnm", Self.layout(tag: tag)).hasSuffix("channels"))
        seen += 1
      }
    }
    #expect(seen == 100)
    #expect(try Ask.words("tagc", Ask.bytes(UInt32(6))).contains(Self.surround))
    #expect(try Ask.words("tagc", Ask.bytes(UInt32(99))) == [])
  }

  @Test func bitmaps() throws {
    #expect(try Ask.words("bmtg", Ask.bytes(Self.surround)) == [0x3F])
    #expect(try Ask.words("bmtg", Ask.bytes(UInt32(0x0088_0004))) == [0x0F])
    #expect(throws: AudioStatus(rawValue: code("what"))) { try Ask.words("bmtg", Ask.bytes(UInt32(0x007C_0006))) }
    let words = try Ask.words("cmpb", Ask.bytes(UInt32(0x103)))
    #expect(words[2] == 3 && [words[3], words[8], words[13]] == [1, 2, 9])
    #expect(throws: AudioStatus(rawValue: code("what"))) { try Ask.words("cmpb", Ask.bytes(UInt32(0))) }
    #expect(throws: AudioStatus(rawValue: code("what"))) { try Ask.words("cmpb", Ask.bytes(UInt32(1 << 18))) }
  }

  @Test func channelsAreCounted() throws {
    #expect(try Ask.words("nchm", Self.layout(tag: Self.surround)) == [6])
    #expect(try Ask.words("nchm", Self.layout(tag: 0x0001_0000, bitmap: 0x33)) == [4])
    #expect(try Ask.words("nchm", Self.layout(tag: 0, labels: [1, 2, 3])) == [3])
    #expect(try Ask.words("nchm", Self.layout(tag: 0xFFFF_0005)) == [5])
    // An unknown tag still has a number of channels.
    #expect(try Ask.words("nchm", Self.layout(tag: 0x00C0_0010)) == [16])
    #expect(throws: AudioStatus(rawValue: code("what"))) { try Ask.words("nchm", Self.layout(tag: 0)) }
    #expect(throws: AudioStatus(rawValue: code("!spc"))) { try Ask.words("nchm", Ask.bytes(Self.surround)) }
  }

  @Test func layoutsAreValidated() throws {
    #expect(try Ask.words("vacl", Self.layout(tag: Self.surround)) == [])
    #expect(try Ask.words("vacl", Self.layout(tag: 0, labels: [1, 2])) == [])
    for wrong in [
      Self.layout(tag: 0x00C0_0010), Self.layout(tag: 0), Self.layout(tag: 0x0001_0000),
      Array(Self.layout(tag: 0, labels: [1, 2]).dropLast(20)),
    ] {
      #expect(throws: AudioStatus(rawValue: code("what"))) { try Ask.words("vacl", wrong) }
    }
  }

  @Test func layoutsAreComparedByTheirChannels() throws {
    func same(_ one: [UInt8], _ two: [UInt8]) throws -> Bool {
      try Self.two(one, two) { try Ask.words("cheq", $0) } == [1]
    }
    #expect(try same(Self.layout(tag: Self.stereo), Self.layout(tag: 0, labels: [1, 2])))
    #expect(try same(Self.layout(tag: Self.stereo), Self.layout(tag: 0x0001_0000, bitmap: 3)))
    #expect(try same(Self.layout(tag: Self.mono), Self.layout(tag: 0, labels: [42])))
    #expect(try !same(Self.layout(tag: Self.stereo), Self.layout(tag: 0, labels: [2, 1])))
    #expect(try !same(Self.layout(tag: Self.surround), Self.layout(tag: 0x007C_0006)))
    let nowhere = [UInt8](repeating: 0, count: 16)
    #expect(throws: AudioStatus.parameterError) { try Ask.words("cheq", nowhere) }
  }

  @Test func equivalentLayoutsHaveTheSameHash() throws {
    let stereo = try Ask.words("chha", Self.layout(tag: Self.stereo))
    #expect(try Ask.words("chha", Self.layout(tag: 0x0001_0000, bitmap: 3)) == stereo)
    #expect(try Ask.words("chha", Self.layout(tag: 0, labels: [2, 1])) != stereo)
  }

  @Test func mapsFollowLabels() throws {
    let map = try Self.two(Self.layout(tag: Self.surround), Self.layout(tag: 0x0083_0003)) {
      try Ask.words("chmp", $0).map(Int32.init(bitPattern:))
    }
    #expect(map == [0, 1, -1])
    let centreFirst = try Self.two(Self.layout(tag: Self.surround), Self.layout(tag: 0x007C_0006)) {
      try Ask.words("chmp", $0).map(Int32.init(bitPattern:))
    }
    #expect(centreFirst == [2, 0, 1, 4, 5, 3])
  }

  @Test func mixesAreThoseOfBS775() throws {
    let root = Self.root
    // L R C LFE Ls Rs to L R: table 2 of BS.775, two loudspeakers.
    #expect(try Self.matrix(Self.surround, Self.stereo) == [1, 0, 0, 1, root, root, 0, 0, root, 0, 0, root])
    // To mono: L and R at -3 dB, C whole, surrounds at -6 dB.
    let mono = try Self.matrix(Self.surround, Self.mono)
    let expected: [Float] = [root, root, 1, 0, 0.5, 0.5]
    #expect(zip(mono, expected).allSatisfy { abs($0 - $1) < 1e-7 })
    #expect(try Self.matrix(Self.mono, Self.stereo) == [root, root])
    #expect(try Self.matrix(Self.stereo, Self.surround) == [1, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0])
    // Sides and rears of 7.1 meet in the surrounds of 5.1.
    let seven = try Self.matrix(0x0080_0008, Self.surround)
    #expect(Array(seven[24...]) == [0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 1])
    // Effects to a layout without: nowhere.
    #expect(try Self.matrix(0x0085_0003, 0x006C_0004).suffix(4) == [0, 0, 0, 0])
  }

  /// Whatever the two layouts are, folding ends and gives finite gains.
  @Test func everyPairOfTagsHasAMatrix() throws {
    let tags = try (UInt32(1)...8).flatMap { try Ask.words("tagc", Ask.bytes($0)) }
    for from in tags {
      for to in tags {
        let gains = try Self.matrix(from, to)
        #expect(gains.count == Int(from & 0xFFFF) * Int(to & 0xFFFF) && gains.allSatisfy { abs($0) <= 1 })
      }
    }
  }

  @Test func namesOfLayoutsAndChannels() throws {
    #expect(try Ask.text("lonm", Self.layout(tag: Self.surround)) == "5.1 (L R C LFE Ls Rs)")
    #expect(try Ask.text("lsnm", Self.layout(tag: 0, labels: [1, 2])) == "Stereo")
    #expect(try Ask.text("lsnm", Self.layout(tag: 0x0093_0003)) == "3 discrete channels")
    let left = [UInt32(1), 0, 0, 0, 0].flatMap { Ask.bytes($0) }
    #expect(try Ask.text("cnam", left) == "Left")
    #expect(try Ask.text("csnm", left) == "L")
    #expect(try Ask.text("cnam", Ask.bytes(UInt32(0x0001_0004))) == "Channel 5")
  }

  static func pan(_ mode: UInt32, flags: UInt32, _ place: [Float], scale: Float, _ tag: UInt32) throws -> [Float] {
    try layout(tag: tag).withUnsafeBytes { outputs in
      let head = [mode, flags].flatMap { Ask.bytes($0) } + (place + [scale]).flatMap { Ask.bytes($0) }
      return try Ask.floats("panm", head + Ask.bytes(Int(bitPattern: outputs.baseAddress)))
    }
  }

  @Test func panningKeepsThePower() throws {
    let centre = try Self.pan(4, flags: 2, [0, 0, 1], scale: 1, Self.stereo)
    #expect(zip(centre, [Self.root, Self.root]).allSatisfy { abs($0 - $1) < 1e-6 })
    #expect(try Self.pan(4, flags: 2, [-30, 0, 1], scale: 2, Self.stereo) == [2, 0])
    #expect(try Self.pan(4, flags: 2, [90, 0, 1], scale: 1, Self.stereo) == [0, 1])
    // In front is y, to the right x.
    let right = try Self.pan(4, flags: 1, [1, 1, 0], scale: 1, 0x006C_0004)
    #expect(right[0] == 0 && right[2] == 0 && right[1] > right[3] && right[3] > 0)
    for azimuth in stride(from: Float(-360), through: 360, by: 7) {
      for (mode, tag) in [(3, Self.stereo), (3, Self.surround), (4, Self.surround), (4, Self.stereo), (4, 0x006F_0008)]
      {
        let gains = try Self.pan(UInt32(mode), flags: 2, [azimuth, 0, 1], scale: 1, tag)
        #expect(abs(gains.reduce(0) { $0 + $1 * $1 } - 1) < 1e-5 && gains.allSatisfy { $0 >= 0 })
      }
    }
    #expect(throws: AudioStatus.parameterError) { try Self.pan(5, flags: 2, [0, 0, 1], scale: 1, Self.stereo) }
    #expect(throws: AudioStatus.parameterError) { try Self.pan(4, flags: 2, [.nan, 0, 1], scale: 1, Self.stereo) }
  }

  static func balance(_ leftRight: Float, _ backFront: Float, type: UInt32, _ tag: UInt32) throws -> [Float] {
    try layout(tag: tag).withUnsafeBytes { outputs in
      let head = Ask.bytes(leftRight) + Ask.bytes(backFront) + Ask.bytes(type) + Ask.bytes(UInt32(0))
      return try Ask.floats("balf", head + Ask.bytes(Int(bitPattern: outputs.baseAddress)))
    }
  }

  @Test func balanceAndFade() throws {
    #expect(try Self.balance(0, 0, type: 0, Self.surround) == [1, 1, 1, 1, 1, 1])
    #expect(try Self.balance(0.5, 0, type: 0, Self.surround) == [0.5, 1, 1, 1, 0.5, 1])
    #expect(try Self.balance(0, -1, type: 0, Self.surround) == [0, 0, 0, 1, 1, 1])
    let equal = try Self.balance(0, 1, type: 1, Self.stereo)
    #expect(equal.allSatisfy { abs($0 - Self.root) < 1e-6 })
    #expect(throws: AudioStatus.parameterError) { try Self.balance(1.1, 0, type: 0, Self.stereo) }
    #expect(throws: AudioStatus.parameterError) { try Self.balance(0, 0, type: 2, Self.stereo) }
  }
}
