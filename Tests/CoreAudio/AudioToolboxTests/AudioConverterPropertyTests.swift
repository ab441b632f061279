// The properties of a converter, with sizes, defaults and refusals.

import AudioCore
import AudioEngine
import AudioToolbox
import CoreFoundation
import TestSupport
import Testing

@Suite struct AudioConverterPropertyTests {
  static let float = StreamFormat(sampleRate: 44_100, channelCount: 2)
  static let int16 = StreamFormat(sampleRate: 48_000, channelCount: 3, encoding: .int16, isInterleaved: true)

  static let table: [(id: AudioCore.FourCharCode, size: UInt32, isWritable: Bool)] = [
    ("mibs", 4, false), ("mobs", 4, false), ("xibs", 4, false), ("xips", 4, false), ("xops", 4, false),
    ("cibs", 4, false), ("cobs", 4, false), ("srca", 4, true), ("srci", 4, true), ("srcq", 4, true),
    ("srcp", 8, true), ("prmm", 4, true), ("prim", 8, false), ("chmp", 12, true), ("acod", 40, false),
    ("acid", 40, false), ("dith", 4, true), ("dbit", 4, true), ("crfi", 4, false),
  ]

  @Test func everyPropertySaysItsSizeAndWhetherItCanBeSet() throws {
    let converter = try TestConverter(Self.float, Self.int16)
    for row in Self.table {
      var size: UInt32 = 0
      var isWritable: Bool = !row.isWritable
      #expect(AudioConverterGetPropertyInfo(converter.ref, row.id.rawValue, &size, &isWritable) == 0)
      #expect(size == row.size && isWritable == row.isWritable, "\(row.id)")
      var data = [UInt8](repeating: 0, count: 64)
      size = 63
      #expect(AudioConverterGetProperty(converter.ref, row.id.rawValue, &size, &data) == 0, "\(row.id)")
      #expect(size == row.size)
      size = row.size - 1
      #expect(AudioConverterGetProperty(converter.ref, row.id.rawValue, &size, &data) == code("!siz"))
      let wrong = AudioConverterSetProperty(converter.ref, row.id.rawValue, row.size + 1, data)
      #expect(wrong == (row.isWritable ? code("!siz") : code("op??")), "\(row.id)")
      // A value that was read can be set again.
      size = row.size
      #expect(AudioConverterGetProperty(converter.ref, row.id.rawValue, &size, &data) == 0)
      let same = AudioConverterSetProperty(converter.ref, row.id.rawValue, size, data)
      #expect(same == (row.isWritable ? 0 : code("op??")), "\(row.id)")
    }
    #expect(AudioConverterGetPropertyInfo(converter.ref, Self.table[0].id.rawValue, nil, nil) == 0)
  }

  /// A stereo float in, three channels of 16 bits at 48 kHz out.
  @Test func whatIsAskedOfEncodersIsAnswered() throws {
    let converter = try TestConverter(Self.float, Self.int16)
    func words(_ id: AudioCore.FourCharCode) throws -> [UInt32] {
      var (size, data) = (UInt32(1024), [UInt32](repeating: 0, count: 256))
      try #require(AudioConverterGetProperty(converter.ref, id.rawValue, &size, &data) == 0, "\(id)")
      var said: UInt32 = 0
      #expect(AudioConverterGetPropertyInfo(converter.ref, id.rawValue, &said, nil) == 0 && said == size)
      return Array(data[..<Int(size / 4)])
    }
    func numbers(_ id: AudioCore.FourCharCode) throws -> [Double] {
      let words = try words(id)
      return words.withUnsafeBytes { Array($0.bindMemory(to: Double.self)) }
    }
    #expect(try words("brat") == [48_000 * 3 * 16])
    #expect(try numbers("aebr") == [2_304_000, 2_304_000] && numbers("vebr") == numbers("aebr"))
    #expect(try numbers("aesr") == [48_000, 48_000] && numbers("ajsr") == [48_000])
    let rates = try numbers("vesr")
    #expect(rates.count == 2 && rates[0] <= 8_000 && rates[1] >= 192_000)
    let tags = try words("aecl")
    #expect(tags.contains(kAudioChannelLayoutTag_MPEG_3_0_A) && tags.allSatisfy { $0 & 0xFFFF == 3 })
    #expect(try words("cdqu") == [127])
    let item = try words("flst")
    #expect(item.count == 12 && item[2] == 0x6C70_636D && item[7] == 3 && item[10] & 0xFFFF == 3)
    // Negative for floats, as the header says; a hint is kept.
    #expect(try words("acbd") == [UInt32(bitPattern: -32)])
    var bits: Int32 = 20
    #expect(AudioConverterSetProperty(converter.ref, kAudioConverterPropertyBitDepthHint, 4, &bits) == 0)
    #expect(try words("acbd") == [20])
    // An array of no settings.
    var (size, list) = (UInt32(8), Unmanaged<CFArray>?.none)
    #expect(AudioConverterGetProperty(converter.ref, kAudioConverterPropertySettings, &size, &list) == 0)
    #expect(CFArrayGetCount(try #require(list).takeRetainedValue()) == 0)
  }

  @Test func whatBelongsToCodecsIsNotThere() throws {
    let converter = try TestConverter(Self.float, Self.int16)
    let ids: [AudioCore.FourCharCode] = ["icdp", "ocdp", "dmgc", "cmgc", "xxxx"]
    for id in ids {
      var size: UInt32 = 64
      var data = [UInt8](repeating: 0, count: 64)
      #expect(AudioConverterGetPropertyInfo(converter.ref, id.rawValue, &size, nil) == code("prop"))
      #expect(AudioConverterGetProperty(converter.ref, id.rawValue, &size, &data) == code("prop"))
      #expect(AudioConverterSetProperty(converter.ref, id.rawValue, 4, data) == code("prop"))
    }
  }

  @Test func defaults() throws {
    let converter = try TestConverter(Self.float, Self.int16)
    #expect(try converter.get("srca", as: UInt32(0)) == 0x6E6F_726D)
    #expect(try converter.get("srcq", as: UInt32(0)) == 127)
    #expect(try converter.get("prmm", as: UInt32(9)) == 1)
    #expect(try converter.get("srcp", as: 9.0) == 0)
    #expect(try converter.get("dith", as: UInt32(9)) == 0)
    #expect(try converter.get("dbit", as: UInt32(9)) == 16)
    #expect(try converter.get("chmp", as: SIMD4<Int32>(9, 9, 9, 9)) == [0, 1, -1, 9])
    #expect(try converter.get("xips", as: UInt32(9)) == 4)
    #expect(try converter.get("xops", as: UInt32(9)) == 6)
    let output = try converter.get("acod", as: AudioStreamBasicDescription())
    #expect(StreamFormat(output) == Self.int16)
  }

  @Test func valuesThatMeanNothingOrCannotBeHad() throws {
    let converter = try TestConverter(Self.float, Self.int16)
    #expect(converter.set("srca", UInt32(1)) == -50)
    #expect(converter.set("srcq", UInt32(128)) == -50)
    #expect(converter.set("prmm", UInt32(3)) == -50)
    #expect(converter.set("srcp", 1.0) == -50)
    #expect(converter.set("srcp", 0.5) == code("op??"))
    #expect(converter.set("dith", UInt32(3)) == -50)
    #expect(converter.set("dith", UInt32(2)) == code("op??"))
    #expect(converter.set("dbit", UInt32(12)) == code("op??"))
    #expect(converter.set("chmp", words: [0, 1]) == code("!siz"))
    #expect(converter.set("chmp", words: [0, 1, 2]) == -50)
    #expect(converter.set("chmp", words: [0, 1, -2]) == -50)
    #expect(try converter.get("chmp", as: SIMD4<Int32>(9, 9, 9, 9)) == [0, 1, -1, 9])
  }

  /// The filter of each complexity and quality, compared with the engine's filter of that name.
  @Test func complexityAndQualityChooseTheFilter() throws {
    let to = Self.float.at(sampleRate: 48_000)
    let input = try noise(Self.float, frames: 2_000)
    let rows: [(complexity: AudioCore.FourCharCode, quality: UInt32, options: FormatConverter.Options)] = [
      ("norm", 0, .init(quality: .fast)), ("norm", 32, .init(quality: .fast)), ("norm", 64, .init(quality: .medium)),
      ("norm", 96, .init(quality: .medium)), ("norm", 127, .init(quality: .best)),
      ("line", 127, .init(quality: .linear)), ("bats", 0, .init(quality: .mastering)),
      ("minp", 64, .init(quality: .minimumPhase)),
    ]
    for row in rows {
      let converter = try TestConverter(Self.float, to)
      #expect(converter.set("srca", row.complexity.rawValue) == 0)
      #expect(converter.set("srcq", row.quality) == 0)
      let made = converter.drain(InputFeed(input, bytesPerFrame: 4), sizes: [512])
      let expected = try engineConversion(from: Self.float, to: to, input, options: row.options)
      #expect(firstDifference(made, expected, bytesPerFrame: 4) == nil, "\(row.complexity) \(row.quality)")
    }
  }

  @Test func minimumPhaseHasANearerLimit() throws {
    let low = Self.float.at(sampleRate: 1000)
    let converter = try TestConverter(low, low.at(sampleRate: 100_000))
    #expect(converter.set("srca", UInt32(0x6D69_6E70)) == code("op??"))
    #expect(try converter.get("srca", as: UInt32(0)) == 0x6E6F_726D)
  }

  @Test func aRunningRateConversionKeepsItsSettingsUntilAReset() throws {
    let converter = try TestConverter(Self.float, Self.int16)
    let feed = InputFeed(try noise(Self.float, frames: 9_000), bytesPerFrame: 4)
    #expect(converter.set("srcq", UInt32(64)) == 0)
    _ = converter.fill(feed, frames: 100)
    #expect(converter.set("srcq", UInt32(127)) == code("op??"))
    #expect(converter.set("chmp", words: [0, 0, 0]) == code("op??"))
    // The same filter under another number is no change.
    #expect(converter.set("srcq", UInt32(96)) == 0)
    #expect(AudioConverterReset(converter.ref) == 0)
    #expect(converter.set("srcq", UInt32(127)) == 0)
  }

  @Test func aMapChangesBetweenSlicesAtEqualRates() throws {
    let converter = try TestConverter(Self.float, Self.float)
    let input = try noise(Self.float, frames: 200)
    let feed = InputFeed(input, bytesPerFrame: 4)
    let first = converter.fill(feed, frames: 100).bytes
    #expect(converter.set("chmp", words: [1, 0]) == 0)
    let second = converter.fill(feed, frames: 100).bytes
    #expect(first == input.map { Array($0[..<400]) })
    #expect(second == [Array(input[1][400...]), Array(input[0][400...])])
  }

  @Test func sizesAreCalculated() throws {
    let converter = try TestConverter(Self.float, Self.int16)
    // 441 frames of one channel's floats become 480 frames of three int16.
    #expect(try converter.get("cobs", as: UInt32(441 * 4)) == 480 * 6)
    let info = try converter.get("prim", as: AudioConverterPrimeInfo())
    #expect(try converter.get("cibs", as: UInt32(480 * 6)) == (441 + info.trailingFrames) * 4)
    #expect(throws: AudioStatus(rawValue: code("insz"))) { try converter.get("cobs", as: UInt32(441)) }
    #expect(throws: AudioStatus(rawValue: code("otsz"))) { try converter.get("cibs", as: UInt32(7)) }
    let plain = try TestConverter(Self.float, Self.int16.at(sampleRate: 44_100))
    #expect(try plain.get("cibs", as: UInt32(600)) == 400)
    #expect(try plain.get("cobs", as: UInt32(400)) == 600)
  }

  /// The calculated input is enough: a stream of just so many bytes gives the wanted output without its end.
  @Test func theCalculatedInputIsEnough() throws {
    for frames in [1, 100, 480, 4000] {
      let converter = try TestConverter(Self.float, Self.int16)
      let bytes = try converter.get("cibs", as: UInt32(frames * 6))
      let feed = InputFeed(try noise(Self.float, frames: Int(bytes) / 4), bytesPerFrame: 4)
      #expect(converter.fill(feed, frames: frames).frames == frames)
      #expect(feed.ends == 0)
    }
  }

  @Test func layoutsAreKeptAndMustFit() throws {
    let converter = try TestConverter(Self.float, Self.int16)
    var size: UInt32 = 0
    #expect(AudioConverterGetPropertyInfo(converter.ref, 0x6963_6C20, &size, nil) == code("prop"))
    let stereo: [UInt32] = [0x0065_0002, 0, 0]
    let three: [UInt32] = [0, 0, 3, 1, 0, 0, 0, 0, 2, 0, 0, 0, 0, 3, 0, 0, 0, 0]
    func set(_ id: AudioCore.FourCharCode, _ words: [UInt32], bytes: Int? = nil) -> OSStatus {
      AudioConverterSetProperty(converter.ref, id.rawValue, UInt32(bytes ?? words.count * 4), words)
    }
    #expect(set("icl ", stereo) == 0)
    #expect(set("ocl ", three) == 0)
    #expect(set("ocl ", stereo) == -50)
    #expect(set("icl ", three) == -50)
    #expect(set("icl ", stereo, bytes: 11) == code("!siz"))
    #expect(set("ocl ", three, bytes: 71) == code("!siz"))
    var words = [UInt32](repeating: 7, count: 18)
    size = 72
    #expect(AudioConverterGetProperty(converter.ref, 0x6F63_6C20, &size, &words) == 0)
    #expect(size == 72 && words == three)
  }

  @Test("channels move by the two layouts where both have the same loudspeakers; a map comes first")
  func layoutsMoveChannels() throws {
    let three = StreamFormat(sampleRate: 48_000, channelCount: 3, encoding: .float32, isInterleaved: true)
    let converter = try TestConverter(three, three)
    func frame() -> [Float] {
      let samples: [Float] = [1, 2, 3]
      let bytes: [UInt8] = samples.withUnsafeBytes { Array($0) }
      let made = converter.fill(InputFeed([bytes], bytesPerFrame: 12), frames: 1)
      return made.bytes[0].withUnsafeBytes { Array($0.bindMemory(to: Float.self)) }
    }
    func set(_ id: UInt32, _ words: [UInt32]) -> OSStatus {
      AudioConverterSetProperty(converter.ref, id, UInt32(4 * words.count), words)
    }
    // L R C, to C L R.
    #expect(set(0x6963_6C20, [0x0071_0003, 0, 0]) == 0)
    #expect(frame() == [1, 2, 3])
    #expect(set(0x6F63_6C20, [0x0072_0003, 0, 0]) == 0)
    #expect(frame() == [3, 1, 2])
    #expect(set(0x6368_6D70, [1, 1, 0]) == 0)
    #expect(frame() == [2, 2, 1])
  }
}
