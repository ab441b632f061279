// AudioConverterConvertBuffer, ConvertComplexBuffer and the old FillBuffer. Integers are held to shifts, computed here.

import AudioCore
import AudioToolbox
import TestSupport
import Testing

/// The old function is marked deprecated; called through a protocol it is no warning.
private protocol OldFilling {
  func fill(_ proc: AudioConverterInputDataProc, _ data: UnsafeMutableRawPointer, size: inout UInt32) -> OSStatus
}

extension TestConverter: OldFilling {
  @available(*, deprecated)
  func fill(_ proc: AudioConverterInputDataProc, _ data: UnsafeMutableRawPointer, size: inout UInt32) -> OSStatus {
    AudioConverterFillBuffer(ref, proc, nil, &size, data)
  }
}

@Suite struct AudioConverterBufferTests {
  static let widths: [SampleEncoding] = [
    .int8, .uint8, .int16, .int16.bigEndian, .int24, .int24.bigEndian, .int32, .int32.bigEndian,
    SampleEncoding(kind: .signedInteger, bits: 20, containerBytes: 3, isAlignedHigh: true),
    SampleEncoding(kind: .signedInteger, bits: 24, containerBytes: 4, isAlignedHigh: true),
    SampleEncoding(kind: .signedInteger, bits: 24, containerBytes: 4),
  ]

  static func format(_ encoding: SampleEncoding) -> StreamFormat {
    StreamFormat(sampleRate: 8000, channelCount: 2, encoding: encoding, isInterleaved: true)
  }

  /// The bytes of an integer in a container, little end first unless said otherwise.
  static func bytes(_ value: Int, as encoding: SampleEncoding) -> [UInt8] {
    var word = encoding.kind == .unsignedInteger ? value + 1 << (encoding.bits - 1) : value
    if encoding.isAlignedHigh { word <<= encoding.containerBytes * 8 - encoding.bits }
    let little = (0..<encoding.containerBytes).map { UInt8(truncatingIfNeeded: word >> (8 * $0)) }
    return encoding.isBigEndian ? little.reversed() : little
  }

  /// To more bits by a shift; to fewer rounded half to even and held to the range.
  static func rescaled(_ value: Int, from: Int, to: Int) -> Int {
    if to >= from { return value << (to - from) }
    let shift = from - to
    let floor = value >> shift
    let rest = value - floor << shift
    let half = 1 << (shift - 1)
    let rounded = rest > half || (rest == half && floor & 1 == 1) ? floor + 1 : floor
    return min(rounded, 1 << (to - 1) - 1)
  }

  @Test(arguments: Self.widths) func everyPairOfIntegers(from: SampleEncoding) throws {
    var generator = SeededGenerator(seed: 3)
    let top = 1 << (from.bits - 1)
    var values = [0, 1, -1, top - 1, -top, top / 2, -top / 2, 3]
    values += (0..<9000).map { _ in Int(truncatingIfNeeded: generator.next()) >> (64 - from.bits) }
    let input = values.flatMap { Self.bytes($0, as: from) }
    for to in Self.widths {
      let converter = try TestConverter(Self.format(from), Self.format(to))
      var size = UInt32(values.count * to.containerBytes + 6)
      var output = [UInt8](repeating: 0xEE, count: Int(size))
      let status = AudioConverterConvertBuffer(converter.ref, UInt32(input.count), input, &size, &output)
      #expect(status == 0 && Int(size) == values.count * to.containerBytes)
      let expected = values.flatMap { Self.bytes(Self.rescaled($0, from: from.bits, to: to.bits), as: to) }
      // A format wider than Float goes through Float if the other end is not as wide: one rounding more.
      if from.bits <= 24 || to.bits > 24 {
        #expect(Array(output.dropLast(6)) == expected, "\(from) to \(to)")
      }
      #expect(output.suffix(6).allSatisfy { $0 == 0xEE })
    }
  }

  @Test func floatsOfEitherOrderAreExact() throws {
    let values: [Float] = [0, 1, -1, 0.1, 1.5, .infinity, 1e-30, -3]
    let input = values.flatMap { $0.bitPattern.byteSwapped.littleEndianBytes }
    let converter = try TestConverter(Self.format(.float32.bigEndian), Self.format(.float64))
    var output = [Double](repeating: 0, count: 8)
    var size: UInt32 = 64
    #expect(AudioConverterConvertBuffer(converter.ref, 32, input, &size, &output) == 0)
    #expect(output == values.map(Double.init))
  }

  @Test func sizesThatDoNotFit() throws {
    let converter = try TestConverter(Self.format(.int16), Self.format(.int32))
    let input = [UInt8](repeating: 0, count: 16)
    var output = [UInt8](repeating: 0, count: 32)
    var size: UInt32 = 32
    #expect(AudioConverterConvertBuffer(converter.ref, 15, input, &size, &output) == code("insz"))
    size = 31
    #expect(AudioConverterConvertBuffer(converter.ref, 16, input, &size, &output) == code("otsz"))
    #expect(AudioConverterConvertBuffer(converter.ref, 0, input, &size, &output) == 0)
    #expect(size == 0)
  }

  @Test func aRateConversionHasNoFixedSize() throws {
    let float = StreamFormat(sampleRate: 44_100, channelCount: 1)
    let converter = try TestConverter(float, float.at(sampleRate: 48_000))
    let list = OutputList(float, frames: 8)
    var size: UInt32 = 32
    let input = [UInt8](repeating: 0, count: 32)
    var output = input
    #expect(AudioConverterConvertBuffer(converter.ref, 4, input, &size, &output) == code("op??"))
    #expect(AudioConverterConvertComplexBuffer(converter.ref, 1, list.list, list.list) == code("op??"))
    let planar = try TestConverter(StreamFormat.initial, Self.format(.float32).at(sampleRate: 44_100))
    #expect(AudioConverterConvertBuffer(planar.ref, 4, input, &size, &output) == code("op??"))
  }

  @Test func listsOfEitherShape() throws {
    let planar = StreamFormat(sampleRate: 8000, channelCount: 2)
    let interleaved = Self.format(.int16)
    let input = try noise(planar, frames: 10_000)
    let expected = try engineConversion(from: planar, to: interleaved, input)
    let source = OutputList(planar, frames: 10_000)
    source.fill(input)
    let result = OutputList(interleaved, frames: 10_100)
    let converter = try TestConverter(planar, interleaved)
    #expect(AudioConverterConvertComplexBuffer(converter.ref, 10_000, source.list, result.list) == 0)
    #expect(result.bytes(frames: 10_000) == expected && result.byteSizes == [40_000])

    let back = try TestConverter(interleaved, planar)
    #expect(AudioConverterConvertComplexBuffer(back.ref, 10_001, result.list, source.list) == code("insz"))
    bufferPointer(of: result.list)[0].mDataByteSize = 40_400
    #expect(AudioConverterConvertComplexBuffer(back.ref, 10_001, result.list, source.list) == code("otsz"))
    expectStatus(-50, AudioConverterConvertComplexBuffer(back.ref, 10_000, source.list, source.list))
    #expect(AudioConverterConvertComplexBuffer(back.ref, 10_000, result.list, source.list) == 0)
    #expect(try source.bytes(frames: 10_000) == engineConversion(from: interleaved, to: planar, expected))
  }

  @Test func theOldFormCountsBytes() throws {
    let proc: AudioConverterInputDataProc = { _, size, data, _ in
      guard size.pointee >= 4 else { return -1 }
      // Two frames each time, copied to where the converter offers room.
      data.pointee.storeBytes(of: 0x0400_0100, as: UInt32.self)
      size.pointee = 4
      return 0
    }
    let mono = StreamFormat(sampleRate: 8000, channelCount: 1, encoding: .int16, isInterleaved: true)
    let wide = StreamFormat(sampleRate: 8000, channelCount: 1, encoding: .int32, isInterleaved: true)
    let converter = try TestConverter(mono, wide)
    var output = [Int32](repeating: 0, count: 6)
    var size: UInt32 = 24
    let old: any OldFilling = converter
    #expect(old.fill(proc, &output, size: &size) == 0)
    #expect(size == 24 && output == [0x0100_0000, 0x0400_0000, 0x0100_0000, 0x0400_0000, 0x0100_0000, 0x0400_0000])
    size = 7
    #expect(old.fill(proc, &output, size: &size) == code("otsz"))

    let ending: AudioConverterInputDataProc = { _, size, _, _ in
      size.pointee = 0
      return 0
    }
    #expect(AudioConverterReset(converter.ref) == 0)
    size = 24
    #expect(old.fill(ending, &output, size: &size) == 0)
    #expect(size == 0)
    let broken: AudioConverterInputDataProc = { _, size, _, _ in
      size.pointee = 3
      return 0
    }
    #expect(AudioConverterReset(converter.ref) == 0)
    size = 24
    #expect(old.fill(broken, &output, size: &size) == code("insz"))
  }
}

extension UInt32 {
  fileprivate var littleEndianBytes: [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: self >> (8 * $0)) } }
}
