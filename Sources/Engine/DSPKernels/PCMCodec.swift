// Linear PCM of any layout <-> Float and Double planes. Runs on any thread, the render thread too: no allocation, no
// locks, no errors. So functions that others call are specialized for both kinds of planes: otherwise the runtime makes
// the generic types at the first call, with a lock and memory. The law: × 2^(bits−1), round half to even, clip and
// count; the arithmetic itself is in CKernels/pcm.c.

import AudioCore
import CKernels

/// Converts samples between their form in files and buffers (``SampleEncoding``) and Float or Double planes.
///
/// - Float to integer: × ``SampleEncoding/fullScale``, round half to even, clip to the range of the valid bits. Clipped
///   samples are counted. NaN becomes 0 and infinity the end of the range; both are counted apart from clipped samples.
/// - Integer to float: ÷ full scale; exact but for 32-bit integers to Float, which round once, to nearest.
/// - Float to float is passed on as it is: nothing is clipped, NaN and infinity stay.
///
/// Integers of up to 24 bits survive integer → Float → integer, and all integers integer → Double → integer.
/// Source and destination may not overlap. Strides are bytes from one sample of a channel to its next, so one call
/// serves a channel of an interleaved buffer (`containerBytes × channels`) and a plane (`containerBytes`).
public enum PCMCodec {
  /// One channel to Float, or to Double: exact for every integer and for float64.
  /// - Parameters:
  ///   - source: the channel's first sample; no alignment is needed.
  ///   - stride: bytes between samples.
  ///   - frames: 0 or more.
  @_specialize(where Sample == Float)
  @_specialize(where Sample == Double)
  public static func decode<Sample: PlaneSample>(
    _ source: UnsafeRawPointer, as encoding: SampleEncoding, stride: Int, frames: Int,
    into plane: Plane<Sample>
  ) {
    precondition(encoding.isValid && frames >= 0)
    Sample.kernels.decode(encoding.layout, source, stride, plane.start(of: frames), frames)
  }

  /// One channel from Float or Double.
  /// - Parameters:
  ///   - stride: bytes between samples at the destination; bytes between them that are not the channel's stay.
  ///   - dither: noise added before rounding, from `firstFrame` of stream `channel` on; ignored by float encodings.
  ///   - nonFinite: gets what samples it had to make a number of added, which were NaN or infinite: none of floats.
  /// - Returns: the number of finite samples that were clipped.
  @_specialize(where Sample == Float)
  @_specialize(where Sample == Double)
  @discardableResult
  public static func encode<Sample: PlaneSample>(
    _ plane: Plane<Sample>, frames: Int, as encoding: SampleEncoding,
    to destination: UnsafeMutableRawPointer, stride: Int, dither: DitherGenerator? = nil, channel: Int = 0,
    firstFrame: Int64 = 0, nonFinite: UnsafeMutablePointer<Int>? = nil
  ) -> Int {
    precondition(encoding.isValid && frames >= 0)
    let layout = encoding.layout
    let kernel = Sample.kernels.encode
    let changed = inBlocks(
      of: encoding.kind == .float ? nil : dither, channel: channel, firstFrame: firstFrame, frames: frames
    ) { done, count, noise in
      kernel(layout, (plane + done).start(of: count), noise, destination + done * stride, stride, count)
    }
    return changed > 0 ? finite(changed, of: plane, frames: frames, nonFinite) : 0
  }

  /// The number of finite samples among those that had to be changed: the clipped ones.
  private static func finite<Sample: PlaneSample>(
    _ changed: Int, of plane: Plane<Sample>, frames: Int, _ nonFinite: UnsafeMutablePointer<Int>?
  ) -> Int {
    guard !Sample.kernels.isFinite(plane, frames) else { return changed }
    let count = LevelKernels.nonFiniteCount(plane, frames: frames)
    nonFinite?.pointee += count
    return changed - count
  }

  /// Holds samples to −1 ... 1, as lossy codecs must have them; NaN becomes 0.
  /// - Returns: the number of finite samples that had to be changed.
  @discardableResult
  public static func bound(_ samples: Plane<Float>) -> Int {
    ckpcm_bound(samples.start, samples.count)
  }

  /// 128 doubles lie on the stack: what `withUnsafeTemporaryAllocation` gives without going to the heap.
  private static let ditherBlock = 128

  /// Without dither everything is one block.
  @inline(__always)
  private static func inBlocks(
    of dither: DitherGenerator?, channel: Int, firstFrame: Int64, frames: Int,
    encode: (_ done: Int, _ count: Int, _ noise: UnsafePointer<Double>?) -> Int
  ) -> Int {
    guard let dither else { return encode(0, frames, nil) }
    return withUnsafeTemporaryAllocation(of: Double.self, capacity: ditherBlock) { noise in
      guard let base = noise.baseAddress else { return 0 }
      let noise = Plane(base, count: ditherBlock)
      var clipped = 0
      var done = 0
      while done < frames {
        let count = min(ditherBlock, frames - done)
        dither.fill(noise, channel: channel, firstFrame: firstFrame + Int64(done), count: count)
        clipped += encode(done, count, base)
        done += count
      }
      return clipped
    }
  }
}

extension PCMCodec {
  /// All channels of an interleaved buffer to planes, from frame `offset` of each plane on.
  @_specialize(where Sample == Float)
  @_specialize(where Sample == Double)
  public static func decodeInterleaved<Sample: PlaneSample>(
    _ source: UnsafeRawPointer, as encoding: SampleEncoding, channelCount: Int, frames: Int,
    into planes: Planes<Sample>, offset: Int = 0
  ) {
    let bytes = encoding.containerBytes
    var done = 0
    if channelCount == 2, let decode = Sample.kernels.stereo(encoding)?.decode {
      done = decode(
        source, (planes[0] + offset).start(of: frames), (planes[1] + offset).start(of: frames), frames)
    }
    let rest = source + done * bytes * channelCount
    for channel in 0..<channelCount {
      decode(
        rest + channel * bytes, as: encoding, stride: bytes * channelCount, frames: frames - done,
        into: planes[channel] + offset + done)
    }
  }

  /// Planes, from frame `offset` of each on, to an interleaved buffer. Returns how many finite samples were clipped.
  @_specialize(where Sample == Float)
  @_specialize(where Sample == Double)
  @discardableResult
  public static func encodeInterleaved<Sample: PlaneSample>(
    _ planes: Planes<Sample>, offset: Int = 0, channelCount: Int, frames: Int,
    as encoding: SampleEncoding, to destination: UnsafeMutableRawPointer, dither: DitherGenerator? = nil,
    firstFrame: Int64 = 0, nonFinite: UnsafeMutablePointer<Int>? = nil
  ) -> Int {
    let bytes = encoding.containerBytes
    var clipped = 0
    var done = 0
    if channelCount == 2, dither == nil, let encode = Sample.kernels.stereo(encoding)?.encode {
      done = encode(
        (planes[0] + offset).start(of: frames), (planes[1] + offset).start(of: frames), destination, frames, &clipped)
      for channel in 0..<2 where clipped > 0 {
        clipped = finite(clipped, of: planes[channel] + offset, frames: done, nonFinite)
      }
    }
    let rest = destination + done * bytes * channelCount
    for channel in 0..<channelCount {
      clipped += encode(
        planes[channel] + offset + done, frames: frames - done, as: encoding, to: rest + channel * bytes,
        stride: bytes * channelCount, dither: dither, channel: channel, firstFrame: firstFrame + Int64(done),
        nonFinite: nonFinite)
    }
    return clipped
  }
}

/// The samples of planes: Float, or Double for samples that Float cannot hold.
public protocol PlaneSample: BinaryFloatingPoint, BitwiseCopyable, Sendable {
  /// The kernels that read and write planes of these.
  static var kernels: PCMKernels<Self> { get }
}

/// The functions of CKernels for one kind of plane.
public struct PCMKernels<Sample> {
  let decode: (ckpcm_layout, UnsafeRawPointer?, Int, UnsafeMutablePointer<Sample>?, Int) -> Void
  let encode: (ckpcm_layout, UnsafePointer<Sample>?, UnsafePointer<Double>?, UnsafeMutableRawPointer?, Int, Int) -> Int
  /// True where so many samples are all finite.
  package let isFinite: (Plane<Sample>, Int) -> Bool
  /// For two channels of 24 or 16 bits at once.
  var stereoInt24: Stereo?
  var stereoInt16: Stereo?

  /// As many frames as go by fours: how many those were.
  struct Stereo {
    let decode: (UnsafeRawPointer?, UnsafeMutablePointer<Sample>?, UnsafeMutablePointer<Sample>?, Int) -> Int
    /// Without dither; adds how many samples were clipped.
    let encode:
      (UnsafePointer<Sample>?, UnsafePointer<Sample>?, UnsafeMutableRawPointer?, Int, UnsafeMutablePointer<Int>?) -> Int
  }

  func stereo(_ encoding: SampleEncoding) -> Stereo? {
    switch encoding {
    case .int24: stereoInt24
    case .int16: stereoInt16
    default: nil
    }
  }
}

extension Float: PlaneSample {
  /// With ways for two channels of 24 and 16 bits.
  public static var kernels: PCMKernels<Float> {
    PCMKernels(
      decode: ckpcm_decode_f32, encode: ckpcm_encode_f32,
      isFinite: { LevelKernels.isFinite($0, frames: $1) },
      stereoInt24: .init(decode: ckpcm_decode_stereo_int24, encode: ckpcm_encode_stereo_int24),
      stereoInt16: .init(decode: ckpcm_decode_stereo_int16, encode: ckpcm_encode_stereo_int16))
  }
}

extension Double: PlaneSample {
  /// Exact for every integer.
  public static var kernels: PCMKernels<Double> {
    PCMKernels(
      decode: ckpcm_decode_f64, encode: ckpcm_encode_f64, isFinite: { LevelKernels.isFinite($0, frames: $1) })
  }
}

extension SampleEncoding {
  fileprivate var layout: ckpcm_layout {
    ckpcm_layout(
      is_float: kind == .float ? 1 : 0, is_unsigned: kind == .unsignedInteger ? 1 : 0, bits: UInt8(bits),
      bytes: UInt8(containerBytes), big_endian: isBigEndian ? 1 : 0, high: isAlignedHigh ? 1 : 0,
      scale_exponent: kind == .float ? 0 : UInt8(fractionBits > 0 ? fractionBits : bits - 1))
  }
}

extension G711 {
  /// Decodes `count` codes that follow one another.
  package func decode(_ codes: UnsafeRawPointer, count: Int, to samples: UnsafeMutableRawPointer) {
    for index in 0..<count {
      let sample = decode(codes.load(fromByteOffset: index, as: UInt8.self))
      samples.storeBytes(of: sample.littleEndian, toByteOffset: index * 2, as: Int16.self)
    }
  }

  /// Codes `count` samples that follow one another; the codes may take the place of the samples.
  package func encode(_ samples: UnsafeRawPointer, count: Int, to codes: UnsafeMutableRawPointer) {
    for index in 0..<count {
      let sample = Int16(littleEndian: samples.loadUnaligned(fromByteOffset: index * 2, as: Int16.self))
      codes.storeBytes(of: encode(sample), toByteOffset: index, as: UInt8.self)
    }
  }
}
