import AudioCore
import AudioEngine
import Glibc
import Testing
import TestSupport
import UnitTestSupport

/// The format converter, below the unit: bytes in, bytes out.
@Suite struct FormatConverterTests {
  static let integers: [SampleEncoding] = [.int8, .uint8, .int16, .int24, .int32, .fixed8_24]
  /// Every layout of a sample: widths, kinds, byte orders, and narrow samples at either end of a wide container.
  static let encodings: [SampleEncoding] =
    (integers + [.float32, .float64]).flatMap { [$0, $0.bigEndian] }
    + [20, 24].flatMap { bits in
      [true, false].map {
        SampleEncoding(kind: .signedInteger, bits: bits, containerBytes: 4, isAlignedHigh: $0)
      }
    } + [SampleEncoding(kind: .signedInteger, bits: 20, containerBytes: 3, isBigEndian: true, isAlignedHigh: true)]

  private static func format(
    _ encoding: SampleEncoding, interleaved: Bool, channels: Int = 2, rate: Double = 48_000
  ) -> StreamFormat {
    StreamFormat(sampleRate: rate, channelCount: channels, encoding: encoding, isInterleaved: interleaved)
  }

  /// Runs a stream of bytes through a converter between formats of one rate.
  private func converted(
    _ input: [[UInt8]], from source: StreamFormat, to destination: StreamFormat,
    options: FormatConverter.Options = .init(), in partition: Partition = .slices(of: 512)
  ) throws -> (bytes: [[UInt8]], clipped: Int64) {
    let converter = try FormatConverter(from: source, to: destination, maximumFrames: 4096, options: options)
    #expect(converter.isSynchronous)
    let frames = input[0].count / source.bytesPerFrame
    let (from, to) = (
      StreamBuffer(format: source, frameCapacity: 4096), StreamBuffer(format: destination, frameCapacity: 4096)
    )
    var output = [[UInt8]](repeating: [], count: destination.bufferCount)
    var at = 0
    for length in partition.lengths(total: frames) {
      for index in 0..<source.bufferCount {
        input[index].withUnsafeBytes {
          from.bus.buffers[index].copyMemory(
            from: $0.baseAddress.unsafelyUnwrapped + at * source.bytesPerFrame, byteCount: length * source.bytesPerFrame
          )
        }
      }
      converter.convert(from.bus, to: to.bus, frames: length)
      for index in 0..<destination.bufferCount {
        output[index] += UnsafeRawBufferPointer(start: to.bus.buffers[index], count: length * destination.bytesPerFrame)
      }
      at += length
    }
    return (output, converter.clippedSamples)
  }

  /// Bytes of a signal in a format; for integers every bit pattern of the valid bits may come.
  private func bytes(_ format: StreamFormat, frames: Int) -> [[UInt8]] {
    var generator = SeededGenerator(seed: 5)
    let encoding = format.encoding
    return (0..<format.bufferCount).map { _ in
      (0..<frames * format.bytesPerFrame / encoding.containerBytes).flatMap { _ -> [UInt8] in
        let random = generator.next()
        let word: UInt64
        switch encoding.kind {
        case .float where encoding.bits == 32:
          word = UInt64((Float(Int32(truncatingIfNeeded: random)) * 0x1p-31).bitPattern)
        case .float: word = (Double(Int64(bitPattern: random)) * 0x1p-63).bitPattern
        default:
          let valid = Int64(bitPattern: random) >> (64 - encoding.bits)
          let shift = encoding.isAlignedHigh ? encoding.containerBytes * 8 - encoding.bits : 0
          word = UInt64(bitPattern: valid << shift)
        }
        let little = (0..<encoding.containerBytes).map { UInt8(truncatingIfNeeded: word >> (8 * UInt64($0))) }
        return encoding.isBigEndian ? little.reversed() : little
      }
    }
  }

  @Test("the same format on both sides passes every bit", arguments: encodings, [true, false])
  func passThrough(_ encoding: SampleEncoding, _ interleaved: Bool) throws {
    let format = Self.format(encoding, interleaved: interleaved)
    let input = bytes(format, frames: 3000)
    let (output, clipped) = try converted(input, from: format, to: format)
    #expect(firstDifference(output, input, bytesPerFrame: format.bytesPerFrame) == nil)
    #expect(clipped == 0)
    #expect(Set(input[0]).count == 256)
  }

  @Test("interleaved and planar carry the same samples", arguments: encodings)
  func layouts(_ encoding: SampleEncoding) throws {
    let (interleaved, planar) = (Self.format(encoding, interleaved: true), Self.format(encoding, interleaved: false))
    let input = bytes(interleaved, frames: 2000)
    let there = try converted(input, from: interleaved, to: planar).bytes
    #expect(there.count == 2 && there[0] != there[1])
    let width = encoding.containerBytes
    for frame in [0, 1, 999, 1999] {
      for channel in 0..<2 {
        let sample = Array(there[channel][frame * width..<(frame + 1) * width])
        let at = (frame * 2 + channel) * width
        #expect(sample == Array(input[0][at..<at + width]))
      }
    }
    let back = try converted(there, from: planar, to: interleaved).bytes
    #expect(firstDifference(back, input, bytesPerFrame: interleaved.bytesPerFrame) == nil)
  }

  /// A value that fits into a wider format comes back unchanged; int32 needs Double on the way, so both ends must be
  /// wide.
  @Test(
    "a narrow sample survives the way through a wide one and back",
    arguments: [
      (SampleEncoding.int8, SampleEncoding.int16), (.uint8, .float32), (.int16, .float32), (.int16, .int24),
      (.int16, .fixed8_24), (.int24, .float32), (.int24, .int32), (.int24.bigEndian, .float64), (.int32, .float64),
      (.int32, .float64.bigEndian), (.float32, .float64), (.fixed8_24, .float64),
      (.int24, SampleEncoding(kind: .signedInteger, bits: 24, containerBytes: 4, isAlignedHigh: true)),
    ] as [(SampleEncoding, SampleEncoding)])
  func roundTrip(_ narrow: SampleEncoding, _ wide: SampleEncoding) throws {
    let (source, middle) = (Self.format(narrow, interleaved: true), Self.format(wide, interleaved: false))
    let input = bytes(source, frames: 4000)
    let there = try converted(input, from: source, to: middle)
    let back = try converted(there.bytes, from: middle, to: source)
    #expect(there.clipped == 0 && back.clipped == 0)
    #expect(firstDifference(back.bytes, input, bytesPerFrame: source.bytesPerFrame) == nil)
  }

  @Test("integers are × 2^(bits−1), half to even, clipped to their range, and the clipped ones are counted")
  func integerLaw() throws {
    let halves: [Float] = [0, 1, -1, 0.999_99, 2, -2, 0.5, -0.5, 1.5 / 128, 2.5 / 128, -1.5 / 128, .nan, .infinity]
    let input = [halves.flatMap { value in withUnsafeBytes(of: value) { Array($0) } }]
    let mono = Self.format(.float32, interleaved: false, channels: 1)
    let (output, clipped) = try converted(input, from: mono, to: Self.format(.int8, interleaved: false, channels: 1))
    let values = output[0].map { Int8(bitPattern: $0) }
    #expect(values == [0, 127, -128, 127, 127, -128, 64, -64, 2, 2, -2, 0, 127])
    // 1.0 and 0.99999 are one step above the largest, then 2 and −2; NaN and infinity are no clipping.
    #expect(clipped == 4)
    let fixed = try converted(input, from: mono, to: Self.format(.fixed8_24, interleaved: false, channels: 1))
    let words = fixed.bytes[0].withUnsafeBytes { raw in
      (0..<halves.count).map { raw.loadUnaligned(fromByteOffset: 4 * $0, as: Int32.self) }
    }
    #expect(words[1] == 1 << 24 && words[4] == 2 << 24 && words[5] == -(2 << 24))
    #expect(fixed.clipped == 0, "8.24 has room for 2, and NaN and infinity are no clipping")
  }

  // MARK: Channels

  @Test("a channel map moves channels, repeats them, and leaves out what it calls −1")
  func map() throws {
    let (source, destination) = (
      Self.format(.int16, interleaved: true, channels: 3), Self.format(.int16, interleaved: true, channels: 4)
    )
    let input = bytes(source, frames: 500)
    let matrix = try #require(ChannelMatrix(map: [2, -1, 0, 2], inputCount: 3))
    let output = try converted(input, from: source, to: destination, options: .init(channels: matrix)).bytes
    for frame in 0..<500 {
      func word(_ channel: Int) -> [UInt8] { Array(input[0][frame * 6 + channel * 2..<frame * 6 + channel * 2 + 2]) }
      #expect(Array(output[0][frame * 8..<frame * 8 + 8]) == word(2) + [0, 0] + word(0) + word(2))
    }
    #expect(ChannelMatrix(map: [3], inputCount: 3) == nil)
    #expect(ChannelMatrix(map: [-2], inputCount: 3) == nil)
    #expect(ChannelMatrix(map: [], inputCount: 3) == nil)
  }

  @Test("without a map channels go straight through: surplus ones are dropped or silent")
  func straight() throws {
    let (three, five) = (
      Self.format(.int16, interleaved: false, channels: 3), Self.format(.int16, interleaved: false, channels: 5)
    )
    let input = bytes(three, frames: 300)
    let more = try converted(input, from: three, to: five).bytes
    #expect(Array(more[0..<3]) == input && more[3] == more[4] && more[4].allSatisfy { $0 == 0 })
    let fewer = try converted(bytes(five, frames: 300), from: five, to: three).bytes
    #expect(fewer == Array(bytes(five, frames: 300)[0..<3]))
  }

  @Test("a matrix sums rounded products in the order of the inputs, in Float and in Double")
  func matrix() throws {
    let gains: [Float] = [0.5, -0.25, 0, 0, 1, 0.3]
    let matrix = ChannelMatrix(inputCount: 3, outputCount: 2, gains: gains)
    let signal = noise(3, frames: 400)
    let input = signal.map { channel in channel.flatMap { value in withUnsafeBytes(of: value) { Array($0) } } }
    let (source, destination) = (
      Self.format(.float32, interleaved: false, channels: 3), Self.format(.float32, interleaved: false, channels: 2)
    )
    let output = try converted(input, from: source, to: destination, options: .init(channels: matrix)).bytes.map(floats)
    for frame in 0..<400 {
      #expect(output[0][frame] == signal[0][frame] * 0.5 + signal[1][frame] * -0.25)
      #expect(output[1][frame] == signal[1][frame] + signal[2][frame] * 0.3)
    }
    let wide = Self.format(.float64, interleaved: true, channels: 2)
    let doubles = bytes(wide, frames: 100)
    let swapped = try #require(ChannelMatrix(map: [1, 0], inputCount: 2))
    let result = try converted(doubles, from: wide, to: wide, options: .init(channels: swapped)).bytes
    for frame in 0..<100 {
      let at = frame * 16
      #expect(Array(result[0][at..<at + 8]) == Array(doubles[0][at + 8..<at + 16]))
    }
  }

  // MARK: Dither

  @Test(
    "dither depends on seed, channel and frame: not on slices, and none is added to floats", arguments: Partition.all)
  func dither(_ partition: Partition) throws {
    let (source, destination) = (Self.format(.float32, interleaved: false), Self.format(.int16, interleaved: true))
    let input = bytes(source, frames: 9000)
    func run(_ seed: UInt64?, to format: StreamFormat, _ partition: Partition = .reference) throws -> [[UInt8]] {
      try converted(input, from: source, to: format, options: .init(ditherSeed: seed), in: partition).bytes
    }
    let expected = try run(1, to: destination)
    #expect(try run(1, to: destination, partition) == expected)
    #expect(try run(2, to: destination) != expected && run(nil, to: destination) != expected)
    #expect(try run(1, to: source, partition) == input)
  }

  /// Triangular noise of 2 steps peak to peak, then rounding: mean 0, variance 1/4 step² whatever the signal
  /// (Lipshitz, Wannamaker and Vanderkooy, JAES 40, 1992).
  @Test("the error of a dithered sample has mean 0 and variance 1/4 step²", arguments: [0, 0.25, 0.5] as [Float])
  func ditherStatistics(_ fraction: Float) throws {
    let frames = 100_000
    let value = (100 + fraction) / 32_768
    let input = [(0..<frames).flatMap { _ in withUnsafeBytes(of: value) { Array($0) } }]
    let output = try converted(
      input, from: Self.format(.float32, interleaved: false, channels: 1),
      to: Self.format(.int16, interleaved: false, channels: 1), options: .init(ditherSeed: 11)
    ).bytes[0]
    let errors = output.withUnsafeBytes { raw in
      (0..<frames).map { Double(raw.loadUnaligned(fromByteOffset: 2 * $0, as: Int16.self)) - Double(100 + fraction) }
    }
    let mean = errors.reduce(0, +) / Double(frames)
    let variance = errors.reduce(0) { $0 + $1 * $1 } / Double(frames)
    // Five standard deviations of the estimates.
    #expect(abs(mean) < 5 * 0.5 / Double(frames).squareRoot())
    #expect(abs(variance - 0.25) < 0.005)
  }
}
