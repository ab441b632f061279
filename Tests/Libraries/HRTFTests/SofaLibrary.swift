import Glibc
import HRTF
import Testing

/// libmysofa's way to a response: `mysofa_open_no_norm` and `mysofa_getfilter_float_nointerp`.
final class SofaLibrary {
  private typealias Open =
    @convention(c) (
      UnsafePointer<CChar>, Float, UnsafeMutablePointer<Int32>, UnsafeMutablePointer<Int32>
    ) -> OpaquePointer?
  private typealias Filter =
    @convention(c) (
      OpaquePointer, Float, Float, Float, UnsafeMutablePointer<Float>, UnsafeMutablePointer<Float>,
      UnsafeMutablePointer<Float>, UnsafeMutablePointer<Float>
    ) -> Void
  private let easy: OpaquePointer
  private let filter: Filter
  let taps: Int

  init(sampleRate: Double) throws {
    let handle = try #require(dlopen("libmysofa.so.1", RTLD_NOW))
    let open = unsafeBitCast(try #require(dlsym(handle, "mysofa_open_no_norm")), to: Open.self)
    filter = unsafeBitCast(try #require(dlsym(handle, "mysofa_getfilter_float_nointerp")), to: Filter.self)
    var (length, error) = (Int32(0), Int32(0))
    easy = try #require(open(HeadResponses.standardPath, Float(sampleRate), &length, &error))
    taps = Int(length)
  }

  /// - Parameter azimuth: degrees to the right.
  func response(azimuth: Double, elevation: Double) -> [[Float]] {
    var (left, right) = ([Float](repeating: 0, count: taps), [Float](repeating: 0, count: taps))
    var delays: (Float, Float) = (0, 0)
    let (turn, up) = (-azimuth * .pi / 180, elevation * .pi / 180)
    filter(
      easy, Float(cos(turn) * cos(up)), Float(sin(turn) * cos(up)), Float(sin(up)), &left, &right, &delays.0,
      &delays.1)
    return [left, right]
  }
}
