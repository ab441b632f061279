import AudioCore
import Glibc

/// Listens which inputs of a device are heard in which of its outputs: silence first, then noise on one input at a
/// time.
///
/// An input is heard where the output differs from the one for silence by more than that output changes by itself.
struct RouteProbe {
  /// By input, then by output: the peak of what the input changes there, dBFS; nil: it is not heard.
  private(set) var heard: [[Double?]] = []
  /// By output, the largest peak of any play, dBFS.
  private(set) var peaks: [Double] = []
  /// The smallest number of outputs of all plays.
  private(set) var outputCount = Int.max

  private static let peakAmplitude = 0.25
  /// A short play, and a long one for devices that take time.
  private static let (shortSeconds, longSeconds) = (0.25, 4.0)

  /// - Throws: the device's errors.
  init(_ device: any Device, _ routes: ExpectedRoutes, sampleRate: Double, inputCount: Int) throws(BenchError) {
    let latency = max(0, device.reportedLatencyFrames ?? 0) / sampleRate
    for seconds in [Self.shortSeconds + min(latency, 60), Self.longSeconds] {
      let frames = Int(clamping: seconds * sampleRate)
      try AudioSignal.checkMemory(frames: frames, channels: inputCount, at: "stimulus")
      let fresh = try Play(device, sampleRate: sampleRate, frames: frames, inputCount: inputCount)
      (heard, peaks, outputCount) = (fresh.heard, fresh.peaks, fresh.outputCount)
      // Only where something is missing is it worth while to listen for longer.
      guard problems(routes).contains(where: { $0.isAbsence && $0.output < outputCount }) else { return }
    }
  }

  /// All plays of one length.
  private struct Play {
    var heard: [[Double?]] = []
    var peaks: [Double] = []
    var outputCount = Int.max

    init(_ device: any Device, sampleRate: Double, frames: Int, inputCount: Int) throws(BenchError) {
      let silence = Stimulus.silence(frames: frames)
      func played(_ input: Int?) throws(BenchError) -> [[Double]] {
        var signal = AudioSignal(sampleRate: sampleRate, channelCount: inputCount, silence)
        if let input {
          signal.channels[input] = Stimulus.whiteNoise(
            frames: frames, amplitude: RouteProbe.peakAmplitude, seed: UInt64(input + 101))
        }
        return try device.process(device.precision.rounded(signal)).channels
      }
      let idle = try played(nil)
      take(idle)
      // A device that makes a sound of its own makes another one each time, or not.
      let again = idle.contains { $0.contains { $0 != 0 } } ? try played(nil) : idle
      let own = zip(idle, again).map { Self.change($0, $1).meanSquare }
      for input in 0..<inputCount {
        let output = try played(input)
        take(output)
        heard.append(
          output.indices.map { channel in
            let change =
              channel < idle.count ? Self.change(output[channel], idle[channel]) : Self.change(output[channel], [])
            let alone = channel < own.count ? own[channel] : 0
            return change.meanSquare > 1.3 * alone ? Decibels.of(amplitude: change.peak) : nil
          })
      }
    }

    private mutating func take(_ channels: [[Double]]) {
      outputCount = min(outputCount, channels.count)
      for (channel, samples) in channels.enumerated() {
        let peak = Decibels.of(amplitude: samples.largest.magnitude)
        if channel < peaks.count { peaks[channel] = max(peaks[channel], peak) } else { peaks.append(peak) }
      }
    }

    /// The difference of two outputs, the shorter continued with silence.
    private static func change(_ one: [Double], _ two: [Double]) -> (peak: Double, meanSquare: Double) {
      var (peak, squares) = (0.0, 0.0)
      for frame in 0..<max(one.count, two.count) {
        let difference = (frame < one.count ? one[frame] : 0) - (frame < two.count ? two[frame] : 0)
        // Samples that are no numbers are counted elsewhere, and do not hide the rest.
        guard difference.isFinite else { continue }
        peak = max(peak, abs(difference))
        squares += difference * difference
      }
      return (peak, squares / Double(max(1, max(one.count, two.count))))
    }
  }

  /// The differences from the routes, by output.
  func problems(_ routes: ExpectedRoutes) -> [RouteProblem] {
    let silence = "silence below \(NumberText.decimal(routes.silenceDecibels, digits: 0)) dBFS was expected"
    var problems: [RouteProblem] = []
    for channel in 0..<max(routes.outputs.count, peaks.count) {
      func add(_ isAbsence: Bool, _ reason: String) {
        problems.append(RouteProblem(output: channel, isAbsence: isAbsence, reason: reason))
      }
      let expected = channel < routes.outputs.count ? routes.outputs[channel] : ExpectedRoutes.Output([])
      guard !expected.inputs.isEmpty else {
        if channel < peaks.count, peaks[channel] > routes.silenceDecibels {
          add(false, "a sound of \(Self.level(peaks[channel])) comes out, where \(silence)")
        }
        continue
      }
      guard channel < outputCount else {
        add(true, "there is no such output: the device gives \(NumberText.count(outputCount, "channel"))")
        continue
      }
      let found = heard.indices.filter { level($0, channel) != nil }
      let missing = expected.inputs.filter { !found.contains($0) }
      let others = found.filter { !expected.inputs.contains($0) && level($0, channel) ?? 0 > routes.silenceDecibels }
      if missing.count == expected.inputs.count {
        let instead = others.isEmpty ? "" : ", and input \(others[0]) does, where \(silence)"
        add(true, found.isEmpty ? "nothing comes out" : "input \(expected.inputs[0]) does not come out\(instead)")
      } else if let first = missing.first, expected.needsEach {
        add(true, "input \(first) does not come out")
      } else if let stranger = others.first, let level = level(stranger, channel) {
        add(false, "input \(stranger) comes out at \(Self.level(level)), where \(silence)")
      }
    }
    return problems
  }

  private func level(_ input: Int, _ output: Int) -> Double? {
    input < heard.count && output < heard[input].count ? heard[input][output] : nil
  }

  private static func level(_ decibels: Double) -> String { "\(NumberText.decimal(decibels, digits: 1)) dBFS" }
}
