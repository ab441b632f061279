// The output of libsamplerate and libsoxr for a whole signal, called directly and without the engine: the reference for
// verifying the engine's rate conversion. Nothing of `SampleRate` is used here, on purpose.

import AudioCore
import CSamplerate
import CSoxr

/// A rate conversion of a whole signal in one go, by a library's own functions.
///
/// Output frame 0 lies at input frame 0, and silence follows the input. The output has
/// frames × output rate ÷ input rate frames, rounded half up.
///
/// - `linear`, `zero-order-hold`, `fast`, `medium`, `best`: libsamplerate, each channel through `src_process` with a
///   state of its own, the whole input in one call. Linear and zero-order hold first take the input's first frame in a
///   call that has no room for output: without that they would lag by one input frame, as they take the first frame
///   that they are given for the one before it.
/// - `mastering`, `minimum-phase`: libsoxr's very high quality with the exact clock, by `soxr_oneshot`, with silence in
///   front of the input as well (a whole number of output frames, which are dropped): libsoxr begins otherwise at a
///   signal's first frame.
public struct LibraryConversion: Sendable {
  /// A filter of a library, by its name in graph files.
  public enum Filter: String, Sendable, CaseIterable {
    /// `SRC_LINEAR` of libsamplerate.
    case linear
    /// `SRC_ZERO_ORDER_HOLD` of libsamplerate.
    case zeroOrderHold = "zero-order-hold"
    /// libsamplerate's sinc filters (fastest, medium, best), and libsoxr's with linear phase.
    case fast, medium, best, mastering
    /// libsoxr's with minimum phase.
    case minimumPhase = "minimum-phase"

    /// The number that libsamplerate has for it; nil for libsoxr's.
    fileprivate var samplerateConverter: Int? {
      switch self {
      case .linear: SRC_LINEAR
      case .zeroOrderHold: SRC_ZERO_ORDER_HOLD
      case .fast: SRC_SINC_FASTEST
      case .medium: SRC_SINC_MEDIUM_QUALITY
      case .best: SRC_SINC_BEST_QUALITY
      case .mastering, .minimumPhase: nil
      }
    }

    /// The library of the filter.
    public var library: String { samplerateConverter == nil ? "libsoxr" : "libsamplerate" }
  }

  /// The library, and which of its filters.
  public let filter: Filter
  /// Hertz.
  public let inputRate: Double
  /// Hertz.
  public let outputRate: Double

  /// - Parameters:
  ///   - inputRate: hertz, above 0.
  ///   - outputRate: hertz, above 0.
  public init(_ filter: Filter, from inputRate: Double, to outputRate: Double) {
    precondition(inputRate > 0 && outputRate > 0)
    (self.filter, self.inputRate, self.outputRate) = (filter, inputRate, outputRate)
  }

  /// Converts a channel.
  /// - Parameter frames: the length of the output.
  /// - Throws: `.render` with what the library says.
  public func convert(_ samples: [Float], frames: Int) throws(BenchError) -> [Float] {
    guard inputRate != outputRate else { return padded(samples, to: frames) }
    // Silence until the last output frame is there: no filter of either library reaches further.
    let reach = Int(clamping: 16_384 * max(1, inputRate / outputRate))
    let needed = Int(clamping: (Double(frames) * inputRate / outputRate).rounded(.up))
    let input = padded(samples, to: max(samples.count, needed) + reach)
    guard let converter = filter.samplerateConverter else { return try bySoxr(input, frames: frames) }
    return try bySamplerate(input, converter: converter, frames: frames)
  }

  private func padded(_ samples: [Float], to count: Int) -> [Float] {
    Array(samples.prefix(count)) + [Float](repeating: 0, count: max(0, count - samples.count))
  }

  private func bySamplerate(_ input: [Float], converter: Int, frames: Int) throws(BenchError) -> [Float] {
    var code: Int32 = 0
    guard let state = src_new(Int32(converter), 1, &code) else { throw Self.failure(src_strerror(code)) }
    defer { src_delete(state) }
    var output = [Float](repeating: 0, count: frames)
    let holdsOneFrame = converter == SRC_LINEAR || converter == SRC_ZERO_ORDER_HOLD
    var made = 0
    input.withUnsafeBufferPointer { input in
      output.withUnsafeMutableBufferPointer { output in
        guard let source = input.baseAddress, let target = output.baseAddress else { return }
        var data = SRC_DATA()
        data.src_ratio = outputRate / inputRate
        data.data_in = source
        data.data_out = target
        var used = 0
        if holdsOneFrame {
          (data.input_frames, data.output_frames) = (1, 0)
          code = src_process(state, &data)
          guard code == 0 else { return }
          used = 1
        }
        data.data_in = source + used
        (data.input_frames, data.output_frames) = (input.count - used, frames)
        code = src_process(state, &data)
        made = data.output_frames_gen
      }
    }
    guard code == 0 else { throw Self.failure(src_strerror(code)) }
    return try whole(output, made)
  }

  private func bySoxr(_ input: [Float], frames: Int) throws(BenchError) -> [Float] {
    var format = soxr_io_spec(SOXR_FLOAT32_I, SOXR_FLOAT32_I)
    let phase = filter == .minimumPhase ? SOXR_MINIMUM_PHASE : SOXR_LINEAR_PHASE
    var quality = soxr_quality_spec(UInt(SOXR_VHQ) | UInt(phase), UInt(SOXR_HI_PREC_CLOCK))
    var runtime = soxr_runtime_spec(1)
    let lead = leadFrames
    let padded = [Float](repeating: 0, count: lead.input) + input
    var output = [Float](repeating: 0, count: lead.output + frames)
    var made = 0
    let problem = soxr_oneshot(
      inputRate, outputRate, 1, padded, padded.count, nil, &output, output.count, &made, &format, &quality, &runtime)
    guard problem == nil else { throw Self.failure(problem) }
    return Array(try whole(output, made).dropFirst(lead.output))
  }

  /// Frames of a silence that is a whole number of frames at both rates; none where the rates are no whole numbers.
  private var leadFrames: (input: Int, output: Int) {
    guard var a = Int(exactly: inputRate), var b = Int(exactly: outputRate) else { return (0, 0) }
    while b > 0 { (a, b) = (b, a % b) }
    let (input, output) = (Int(clamping: inputRate) / a, Int(clamping: outputRate) / a)
    let times = Int(clamping: 16_384 * max(1, inputRate / outputRate)) / input + 1
    return (times * input, times * output)
  }

  private func whole(_ output: [Float], _ made: Int) throws(BenchError) -> [Float] {
    guard made == output.count else {
      throw BenchError(
        .render, at: filter.library, "it made \(NumberText.count(made, "frame")) where \(output.count) were expected")
    }
    return output
  }

  private static func failure(_ text: UnsafePointer<CChar>?) -> BenchError {
    BenchError(.render, at: "rate conversion", text.map { String(cString: $0) } ?? "the library failed")
  }
}
