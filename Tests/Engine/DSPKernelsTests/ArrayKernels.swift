import AudioCore
import DSPKernels

import TestSupport

// Kernels on arrays: the tests' signals.

extension Array {
  /// Calls `body` with a view of the elements.
  mutating func asPlane<Result>(_ body: (Plane<Element>) -> Result) -> Result {
    withUnsafeMutableBufferPointer { body(Plane($0)) }
  }
}

extension MixKernels {
  static func copy(_ output: inout [Float], _ input: [Float], frames: Int) {
    output.asPlane { copy($0, input.plane, frames: frames) }
  }
  static func clear(_ output: inout [Float], frames: Int) { output.asPlane { clear($0, frames: frames) } }
  static func accumulate(_ output: inout [Float], _ input: [Float], gain: Float, frames: Int) {
    output.asPlane { accumulate($0, input.plane, gain: gain, frames: frames) }
  }
}

extension LevelKernels {
  static func absolutePeak(_ input: [Float], frames: Int) -> Float { absolutePeak(input.plane, frames: frames) }
  static func isFinite(_ input: [Float], frames: Int) -> Bool { isFinite(input.plane, frames: frames) }
  static func isFinite(_ input: [Double], frames: Int) -> Bool { isFinite(input.plane, frames: frames) }
}

extension PCMCodec {
  static func decode<Sample: PlaneSample>(
    _ source: UnsafeRawPointer, as encoding: SampleEncoding, stride: Int, frames: Int, into samples: inout [Sample]
  ) {
    samples.asPlane { decode(source, as: encoding, stride: stride, frames: frames, into: $0) }
  }

  @discardableResult
  static func encode<Sample: PlaneSample>(
    _ samples: [Sample], frames: Int, as encoding: SampleEncoding, to destination: UnsafeMutableRawPointer, stride: Int,
    dither: DitherGenerator? = nil
  ) -> Int {
    encode(samples.plane, frames: frames, as: encoding, to: destination, stride: stride, dither: dither)
  }
}

extension DitherGenerator {
  func fill(_ noise: inout [Double], channel: Int, firstFrame: Int64, count: Int) {
    noise.asPlane { fill($0, channel: channel, firstFrame: firstFrame, count: count) }
  }
}
