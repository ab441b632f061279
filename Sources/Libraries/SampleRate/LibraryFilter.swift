// The filter of a sinc converter of libsamplerate at a fixed ratio, asked of the library itself. Not for the render
// thread: it allocates, and takes from below a millisecond to two seconds.

import AudioCore
import CSamplerate

/// The filter of a sinc converter at a ratio of whole numbers, L outputs for M inputs: the weight of an input frame in
/// an output frame, by the distance of the two.
///
/// Distances are whole numbers of L-th parts of an input frame: input frame p lies p × L − n × M of them behind output
/// frame n. An impulse at p alone brings forth in each output frame one of these weights, and impulses at p and p + M
/// the same ones. So impulses at M neighbouring frames, or at frames that far apart modulo M, show them all. Each of
/// many channels is given impulses of its own, far enough apart that no output frame sees two.
struct LibraryFilter {
  /// The weight at each distance: an odd number, distance 0 in the middle.
  let weights: [Float]

  /// The most weights of a filter that is read from libsamplerate, and the most multiplications that reading it may
  /// take there. All pairs of the common rates from 8 to 192 kHz lie below (192,000 Hz to 11,025 Hz takes the most).
  private static let mostWeights = 1 << 20
  private static let mostProducts = 4_500_000_000

  /// Input frames to either side of an output beyond which its weights are 0.
  private static func reachFrames(_ quality: RateConversionQuality, _ ratio: WholeRatio) -> Int {
    let longest = max(1, (Double(ratio.inputs) / Double(ratio.outputs)))
    return Int(clamping: (Double(quality.halfLengthFrames + 2) * longest).rounded(.up)) + 1
  }

  /// The approximate number of weights at a ratio.
  static func weightCount(_ quality: RateConversionQuality, _ ratio: WholeRatio) -> Int {
    2 * reachFrames(quality, ratio) * ratio.outputs + 1
  }

  /// True when the filter at a ratio is small enough to be read.
  static func isSmall(_ quality: RateConversionQuality, _ ratio: WholeRatio) -> Bool {
    guard ratio.inputs <= mostWeights, ratio.outputs <= mostWeights else { return false }
    let count = weightCount(quality, ratio)
    return count <= mostWeights && count * 2 * reachFrames(quality, ratio) <= mostProducts
  }

  /// - Parameters:
  ///   - converter: libsamplerate's number of the sinc converter that `quality` names.
  ///   - ratio: one that ``isSmall(_:_:)``.
  /// - Throws: `.render` where the library has no memory, or reaches further than it did when this was written.
  init(_ quality: RateConversionQuality, converter: Int, _ ratio: WholeRatio) throws(BenchError) {
    let reach = Self.reachFrames(quality, ratio)
    let half = reach * ratio.outputs
    // Upward, the library finds its place in the filter from either side to the same bit, so that the weights are
    // symmetric, and half the impulses do. Downward they are to 12 bits of the place only.
    let isSymmetric = ratio.outputs >= ratio.inputs
    let impulses = Self.impulses(classes: ratio.inputs, isSymmetric: isSymmetric, reach: reach)
    let outputs = try Self.answers(to: impulses, reach: reach, converter: converter, ratio)
    var weights = [Float](repeating: 0, count: 2 * half + 1)
    for (channel, frames) in impulses.enumerated() {
      for frame in frames {
        // Output frames n with |frame × L − n × M| <= half.
        let first = max(0, (frame * ratio.outputs - half + ratio.inputs - 1) / ratio.inputs)
        let last = (frame * ratio.outputs + half) / ratio.inputs
        for output in first...last {
          let distance = frame * ratio.outputs - output * ratio.inputs
          let weight = outputs[output * impulses.count + channel]
          weights[half + distance] = weight
          if isSymmetric { weights[half - distance] = weight }
        }
      }
    }
    // The last frames of the reach must be 0, or there may be more behind them.
    guard weights[..<ratio.outputs].allSatisfy({ $0 == 0 }),
      weights[(2 * half + 1 - ratio.outputs)...].allSatisfy({ $0 == 0 })
    else {
      throw BenchError(.render, at: "rate conversion", "libsamplerate's filter is longer than \(2 * reach) frames")
    }
    let used = weights.indices.filter { weights[$0] != 0 }.map { abs($0 - half) }.max() ?? 0
    self.weights = Array(weights[half - used...half + used])
  }

  /// The frames of each channel's impulses, so that one lies in each class of frames modulo `classes`; of a frame and
  /// its mirror image one is enough where the filter is symmetric.
  private static func impulses(classes: Int, isSymmetric: Bool, reach: Int) -> [[Int]] {
    let wanted = isSymmetric ? classes / 2 + 1 : classes
    let most = channelCount(impulses: wanted, reach: reach)
    let rounds = (wanted + most - 1) / most
    let channels = (wanted + rounds - 1) / rounds
    var frames = [[Int]](repeating: [], count: channels)
    var isTaken = [Bool](repeating: false, count: classes)
    var left = classes
    var next = reach
    while left > 0 {
      for channel in 0..<channels where left > 0 {
        next = max(next, frames[channel].last.map { $0 + 2 * reach + 1 } ?? 0)
        while isTaken[next % classes] { next += 1 }
        frames[channel].append(next)
        for place in isSymmetric ? [next % classes, (classes - next % classes) % classes] : [next % classes]
        where !isTaken[place] {
          isTaken[place] = true
          left -= 1
        }
      }
    }
    return frames
  }

  /// The number of channels to spread impulses over. A channel costs memory to be cleared (0.15 ms), an output frame
  /// 3.4 ns for each input frame that it looks at and 0.42 ns for each of those and each channel, of which the first
  /// four are free: measured with libsamplerate 0.2.2. It affects the time only.
  private static func channelCount(impulses: Int, reach: Int) -> Int {
    func nanoseconds(_ channels: Int) -> Double {
      let rounds = (impulses + channels - 1) / channels
      let products = Double(rounds) * Double(2 * reach) * Double(2 * reach)
      return Double(channels) * 150_000 + products * (3.4 + (channels > 4 ? 0.42 * Double(channels) : 0))
    }
    let choices = [1, 2, 4, 16, 32, 64, samplerateMaximumChannels].filter { $0 <= max(4, impulses) }
    return choices.min { nanoseconds($0) < nanoseconds($1) } ?? 1
  }

  /// The library's output for the impulses: interleaved frames, a channel for each list.
  private static func answers(
    to impulses: [[Int]], reach: Int, converter: Int, _ ratio: WholeRatio
  ) throws(BenchError) -> [Float] {
    let channels = impulses.count
    let last = impulses.compactMap(\.last).max() ?? 0
    let outputFrames = (last + reach) * ratio.outputs / ratio.inputs + 1
    // As far as the last output looks.
    let inputFrames = last + 3 * reach + 2
    var input = [Float](repeating: 0, count: inputFrames * channels)
    for (channel, frames) in impulses.enumerated() { for frame in frames { input[frame * channels + channel] = 1 } }
    var output = [Float](repeating: 0, count: outputFrames * channels)
    let state = try newSamplerateState(converter, channelCount: channels)
    defer { src_delete(state) }
    var code: Int32 = 0
    var (used, made) = (0, 0)
    input.withUnsafeBufferPointer { input in
      output.withUnsafeMutableBufferPointer { output in
        guard let source = input.baseAddress, let target = output.baseAddress else { return }
        // Far downward a call stops when the library's own buffer has been filled once.
        var goesOn = true
        while goesOn {
          var data = SRC_DATA()
          data.data_in = source + used * channels
          data.data_out = target + made * channels
          data.input_frames = inputFrames - used
          data.output_frames = outputFrames - made
          data.src_ratio = Double(ratio.outputs) / Double(ratio.inputs)
          code = src_process(state, &data)
          used += data.input_frames_used
          made += data.output_frames_gen
          goesOn = code == 0 && made < outputFrames && data.input_frames_used + data.output_frames_gen > 0
        }
      }
    }
    guard code == 0, made == outputFrames else {
      throw BenchError(
        .render, at: "rate conversion",
        code == 0 ? "libsamplerate made \(made) of \(outputFrames) frames" : String(cString: src_strerror(code)))
    }
    return output
  }
}
