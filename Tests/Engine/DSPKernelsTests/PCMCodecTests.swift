import AudioCore
import DSPKernels
import TestSupport
import Testing

@Suite struct PCMCodecTests {
  private static var integers: [SampleEncoding] {
    var all: [SampleEncoding] = []
    for bytes in 1...4 {
      for bits in 1...(8 * bytes) {
        for kind in [SampleEncoding.Kind.signedInteger, .unsignedInteger] {
          for high in [false, true] {
            let little = SampleEncoding(kind: kind, bits: bits, containerBytes: bytes, isAlignedHigh: high)
            all += [little, little.bigEndian]
          }
        }
      }
    }
    return all + [.fixed8_24, .fixed8_24.bigEndian]
  }

  /// The law, said a second way: in arithmetic on whole numbers and bytes.
  private static func expected(_ value: Double, _ encoding: SampleEncoding) -> (bytes: [UInt8], clipped: Bool) {
    let low = -(Int64(1) << Int64(encoding.bits - 1))
    let high = -low - 1
    let scaled = value.isNaN ? 0 : (value * encoding.fullScale).rounded(.toNearestOrEven)
    let bounded = scaled < Double(low) ? low : scaled > Double(high) ? high : Int64(clamping: scaled)
    var word = encoding.kind == .unsignedInteger ? bounded - low : bounded
    if encoding.isAlignedHigh { word <<= Int64(8 * encoding.containerBytes - encoding.bits) }
    let little = (0..<encoding.containerBytes).map { UInt8(truncatingIfNeeded: word >> Int64(8 * $0)) }
    let isClipped = value.isFinite && (scaled < Double(low) || scaled > Double(high))
    return (encoding.isBigEndian ? little.reversed() : little, isClipped)
  }

  @Test func everyIntegerLayoutKeepsTheLaw() {
    var generator = SeededGenerator(seed: 1)
    for encoding in Self.integers {
      var values = generator.noise(frames: 40, amplitude: 1.2)
      let step = Float(1 / encoding.fullScale)
      values += [0, -0, 1, -1, 0.5, 1 - step / 2, 1 - step, -1 - step / 2, 0.5 * step, 1.5 * step, 2.5 * step]
      values += [-0.5 * step, .nan, .infinity, -.infinity, 1e30, -1e30, 127, -128]
      for channels in [1, 2, 3] {
        let stride = encoding.containerBytes * channels
        var bytes = [UInt8](repeating: 0xA5, count: stride * values.count)
        var wide = bytes
        let clipped = bytes.withUnsafeMutableBytes { buffer in
          buffer.baseAddress.map { PCMCodec.encode(values, frames: values.count, as: encoding, to: $0, stride: stride) }
        }
        let doubles = values.map(Double.init)
        _ = wide.withUnsafeMutableBytes { buffer in
          buffer.baseAddress.map {
            PCMCodec.encode(doubles, frames: values.count, as: encoding, to: $0, stride: stride)
          }
        }
        var wanted = [UInt8](repeating: 0xA5, count: bytes.count)
        var wantedClips = 0
        for (index, value) in doubles.enumerated() {
          let sample = Self.expected(value, encoding)
          wanted.replaceSubrange(index * stride..<index * stride + encoding.containerBytes, with: sample.bytes)
          wantedClips += sample.clipped ? 1 : 0
        }
        #expect(bytes == wanted, "\(encoding), \(channels) ch")
        #expect(wide == wanted, "\(encoding), \(channels) ch, from Double")
        #expect(clipped == wantedClips, "\(encoding)")

        // And back: the integer ÷ full scale.
        var floats = [Float](repeating: 0, count: values.count)
        var back = [Double](repeating: 0, count: values.count)
        bytes.withUnsafeBytes { buffer in
          guard let base = buffer.baseAddress else { return }
          PCMCodec.decode(base, as: encoding, stride: stride, frames: values.count, into: &floats)
          PCMCodec.decode(base, as: encoding, stride: stride, frames: values.count, into: &back)
        }
        let low = -0x1p31 / 0x1p31 * (encoding.fractionBits > 0 ? 128 : 1)
        for (index, value) in doubles.enumerated() where value.isFinite {
          let high = -low - 1 / encoding.fullScale
          let ideal = (value * encoding.fullScale).rounded(.toNearestOrEven) / encoding.fullScale
          #expect(back[index] == min(high, max(low, ideal)), "\(encoding)")
          #expect(floats[index] == Float(back[index]), "\(encoding)")
        }
      }
    }
  }

  @Test func everyIntegerOfUpTo24BitsSurvivesFloatAndOf32BitsDouble() {
    for (encoding, bits) in [(SampleEncoding.int8, 8), (.uint8, 8), (.int16, 16), (.int16.bigEndian, 16), (.int24, 24)]
    {
      let count = 1 << bits
      let bytes = encoding.containerBytes
      var source = [UInt8](repeating: 0, count: count * bytes)
      for index in 0..<count {
        for byte in 0..<bytes { source[index * bytes + byte] = UInt8(truncatingIfNeeded: index >> (8 * byte)) }
      }
      var floats = [Float](repeating: 0, count: count)
      var back = [UInt8](repeating: 0, count: source.count)
      source.withUnsafeBytes { buffer in
        guard let base = buffer.baseAddress else { return }
        PCMCodec.decode(base, as: encoding, stride: bytes, frames: count, into: &floats)
      }
      let clipped = back.withUnsafeMutableBytes { buffer in
        buffer.baseAddress.map { PCMCodec.encode(floats, frames: count, as: encoding, to: $0, stride: bytes) }
      }
      let isSame = source == back
      #expect(isSame && clipped == 0, "\(encoding)")
    }
    var generator = SeededGenerator(seed: 3)
    let words = [Int32.min, -1, 0, 1, .max] + (0..<1_000).map { _ in Int32(truncatingIfNeeded: generator.next()) }
    var doubles = [Double](repeating: 0, count: words.count)
    words.withUnsafeBytes { buffer in
      guard let base = buffer.baseAddress else { return }
      PCMCodec.decode(base, as: .int32, stride: 4, frames: words.count, into: &doubles)
    }
    #expect(doubles == words.map { Double($0) / 0x1p31 })
    var back = [Int32](repeating: 0, count: words.count)
    back.withUnsafeMutableBytes { buffer in
      guard let base = buffer.baseAddress else { return }
      #expect(PCMCodec.encode(doubles, frames: words.count, as: .int32, to: base, stride: 4) == 0)
    }
    #expect(back == words)
  }

  /// 16 and 24 bits of two channels have ways of their own.
  @Test(arguments: [SampleEncoding.int16, .int24])
  func stereoIsWhatItsChannelsAre(encoding: SampleEncoding) {
    var generator = SeededGenerator(seed: 16)
    let step = 1 / Float(encoding.fullScale)
    // Ties, ends of the range and what lies beyond it, among values of all sizes.
    let special: [Float] = [
      .nan, .infinity, -.infinity, 1, -1, 1 - step / 2, 1 - step, -1 - step / 2, -1 - step, 0.5 * step, 1.5 * step,
      -0.5 * step,
      -1.5 * step, 0, -0.0, .leastNonzeroMagnitude, 1e30, -1e30, 1 - 0.51 * step, 1 - 0.49 * step,
    ]
    for frames in [0, 1, 3, 4, 5, 8, 257, 5000] {
      for share in [0.0, 0.02, 0.5] {
        let planes = PlanarBuffer(channelCount: 2, frameCapacity: max(1, frames))
        for channel in 0..<2 {
          for frame in 0..<frames {
            let isSpecial = Double.random(in: 0..<1, using: &generator) < share
            planes[channel][frame] =
              isSpecial ? special.randomElement(using: &generator) ?? 0 : Float.random(in: -1...1, using: &generator)
          }
        }
        let bytes = encoding.containerBytes
        var together = [UInt8](repeating: 0xAA, count: 2 * bytes * frames + 16)
        var apart = together
        let clipped = together.withUnsafeMutableBytes { target in
          target.baseAddress.map {
            PCMCodec.encodeInterleaved(planes.planes, channelCount: 2, frames: frames, as: encoding, to: $0)
          }
        }
        var expected = 0
        apart.withUnsafeMutableBytes { target in
          guard let start = target.baseAddress else { return }
          for channel in 0..<2 {
            expected += PCMCodec.encode(
              planes[channel], frames: frames, as: encoding, to: start + channel * bytes, stride: 2 * bytes)
          }
        }
        #expect(together == apart && clipped == expected, "\(frames) frames, \(share)")

        let (read, single) = (planes.planes, PlanarBuffer(channelCount: 2, frameCapacity: max(1, frames)))
        together.withUnsafeBytes { source in
          guard let start = source.baseAddress else { return }
          PCMCodec.decodeInterleaved(start, as: encoding, channelCount: 2, frames: frames, into: read)
          for channel in 0..<2 {
            PCMCodec.decode(
              start + channel * bytes, as: encoding, stride: 2 * bytes, frames: frames, into: single[channel])
          }
        }
        for channel in 0..<2 {
          #expect((0..<frames).allSatisfy { read[channel][$0].bitPattern == single[channel][$0].bitPattern })
        }
      }
    }
  }

  /// Neither NaN nor infinity is a sound that was too loud: they are counted apart, by every way into integers.
  @Test(arguments: [SampleEncoding.int16, .int24, .int32, .uint8, .int24.bigEndian], [1, 2, 3])
  func whatIsNotFiniteIsNotClipped(encoding: SampleEncoding, channels: Int) {
    let planes = PlanarBuffer(channelCount: channels, frameCapacity: 64)
    for channel in 0..<channels {
      planes[channel].update(repeating: 0.5, count: 64)
      (planes[channel][7], planes[channel][8], planes[channel][40]) = (.nan, .infinity, -.infinity)
      (planes[channel][9], planes[channel][63]) = (2, -2)
    }
    for dither in [nil, DitherGenerator(seed: 1)] {
      var bytes = [UInt8](repeating: 0, count: 64 * channels * encoding.containerBytes)
      var nonFinite = 0
      let clipped = bytes.withUnsafeMutableBytes { target in
        target.baseAddress.map {
          PCMCodec.encodeInterleaved(
            planes.planes, channelCount: channels, frames: 64, as: encoding, to: $0, dither: dither,
            nonFinite: &nonFinite)
        }
      }
      #expect(clipped == 2 * channels && nonFinite == 3 * channels)
    }
    var samples: [Float] = [.nan, .infinity, -.infinity, 2, -1.5, 1, -1, 0]
    #expect(samples.asPlane { PCMCodec.bound($0) } == 2)
    #expect(samples == [0, 1, -1, 1, -1, 1, -1, 0])
  }

  @Test func floatsPassUnchangedInEitherByteOrder() {
    let values: [Float] = [0, -0, 1, 1e30, .nan, .infinity, .leastNonzeroMagnitude, -0.3]
    for encoding in [SampleEncoding.float32, .float32.bigEndian, .float64, .float64.bigEndian] {
      let bytes = encoding.containerBytes
      var packed = [UInt8](repeating: 0, count: bytes * values.count)
      var back = [Float](repeating: 0, count: values.count)
      packed.withUnsafeMutableBytes { buffer in
        guard let base = buffer.baseAddress else { return }
        #expect(PCMCodec.encode(values, frames: values.count, as: encoding, to: base, stride: bytes) == 0)
        PCMCodec.decode(base, as: encoding, stride: bytes, frames: values.count, into: &back)
      }
      #expect(back.map(\.bitPattern) == values.map(\.bitPattern), "\(encoding)")
      #expect(Array(packed[2 * bytes..<3 * bytes]).contains(0x3F))
      let first = encoding.isBigEndian ? packed[2 * bytes] : packed[3 * bytes - 1]
      #expect(first == 0x3F)
    }
  }

  /// Two uniform values of variance 1/12 each: mean 0, variance 1/6; with the rounding error's 1/12, 1/4 in all, and
  /// neither mean nor variance follows the signal (Lipshitz, Wannamaker, Vanderkooy 1992).
  @Test func ditherIsTriangularAndMakesTheErrorIndependentOfTheSignal() {
    let dither = DitherGenerator(seed: 99)
    let count = 400_000
    var noise = [Double](repeating: 0, count: count)
    dither.fill(&noise, channel: 0, firstFrame: 0, count: count)
    #expect(noise.allSatisfy { $0 > -1 && $0 < 1 })
    let mean = noise.reduce(0, +) / Double(count)
    let variance = noise.reduce(0) { $0 + $1 * $1 } / Double(count)
    // Five standard errors: √(1/6 ÷ n) for the mean; the fourth moment is 1/15, so √((1/15 − 1/36) ÷ n) for the
    // variance.
    #expect(abs(mean) < 5 * (1.0 / 6 / Double(count)).squareRoot())
    #expect(abs(variance - 1.0 / 6) < 5 * ((1.0 / 15 - 1.0 / 36) / Double(count)).squareRoot())
    // A triangle has half its mass within 1 − √½ of the middle.
    let inner = Double(noise.count { abs($0) < 1 - 0.5.squareRoot() }) / Double(count)
    #expect(abs(inner - 0.5) < 5 * (0.25 / Double(count)).squareRoot())

    for level in [0.0, 0.2, 0.5, 0.75] {
      let values = [Double](repeating: level / 32_768, count: count)
      var words = [Int16](repeating: 0, count: count)
      words.withUnsafeMutableBytes { buffer in
        guard let base = buffer.baseAddress else { return }
        PCMCodec.encode(values, frames: count, as: .int16, to: base, stride: 2, dither: dither)
      }
      let errors = words.map { Double($0) - level }
      let errorMean = errors.reduce(0, +) / Double(count)
      let errorVariance = errors.reduce(0) { $0 + $1 * $1 } / Double(count)
      #expect(abs(errorMean) < 5 * (0.25 / Double(count)).squareRoot(), "\(level)")
      #expect(abs(errorVariance - 0.25) < 0.005, "\(level)")
    }
  }

  @Test func ditherIsAFunctionOfSeedChannelAndFrameAlone() {
    let dither = DitherGenerator(seed: 5)
    var whole = [Double](repeating: 0, count: 1_000)
    dither.fill(&whole, channel: 3, firstFrame: 1 << 40, count: 1_000)
    #expect((0..<1_000).allSatisfy { whole[$0] == dither.value(channel: 3, frame: (1 << 40) + Int64($0)) })
    #expect(dither.value(channel: 0, frame: 0) != dither.value(channel: 1, frame: 0))
    #expect(DitherGenerator(seed: 6).value(channel: 0, frame: 0) != dither.value(channel: 0, frame: 0))
    // Streams do not follow one another: correlation of two channels within five standard errors of 0.
    var other = whole
    dither.fill(&other, channel: 4, firstFrame: 1 << 40, count: 1_000)
    let correlation = zip(whole, other).reduce(0) { $0 + $1.0 * $1.1 } / 1_000 * 6
    #expect(abs(correlation) < 5 / 1_000.0.squareRoot())
  }
}
