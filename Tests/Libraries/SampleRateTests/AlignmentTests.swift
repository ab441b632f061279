import AudioCore
import Glibc
import SampleRate
import Testing

@Suite("Frame 0 of the output lies at frame 0 of the input")
struct AlignmentTests {
  /// Expected: the analytic sine, whose phase is 0 at frame 0 whatever the rate. A delay of d output frames turns the
  /// phase by 2π f d ÷ rate.
  @Test(
    "linear phase: a sine is delayed by less than 0.001 frame",
    arguments: [RateConversionQuality.linear, .fast, .medium, .best, .mastering])
  func sinePhase(quality: RateConversionQuality) throws {
    for (from, to) in ratePairs {
      let frequency = 0.09 * min(from, to)
      let frames = max(6_000, Int(clamping: 12_000 * from / to))
      let output = try RateConverter.convert(
        [sine(frequency: frequency, sampleRate: from, frames: min(frames, 300_000))], from: from, to: to,
        quality: quality)[0]
      let range = output.count / 4..<output.count * 3 / 4
      let fit = SineFit(output, frequency: frequency, sampleRate: to, range: range)
      let delayOutputFrames = -fit.phase * to / (2 * .pi * frequency)
      let delayInputFrames = delayOutputFrames * from / to
      #expect(
        abs(delayOutputFrames) < 0.001 && abs(delayInputFrames) < 0.001,
        "\(from) to \(to) Hz: \(delayOutputFrames) output frames, \(delayInputFrames) input frames")
    }
  }

  /// Expected: what the documentation of `minimumPhase` says was measured.
  @Test("minimum phase: the delay at low frequencies is the documented one")
  func minimumPhaseDelay() throws {
    for (from, to, documented) in [(44100.0, 48000.0, -1.2), (48000, 44100, -1.5), (96000, 44100, -2.0)] {
      let output = try RateConverter.convert(
        [sine(frequency: 500, sampleRate: from, frames: 30_000)], from: from, to: to, quality: .minimumPhase)[0]
      let fit = SineFit(output, frequency: 500, sampleRate: to, range: 3_000..<10_000)
      #expect(abs(-fit.phase / (2 * .pi * 500) * from - documented) < 0.05, "\(from) to \(to) Hz")
    }
  }

  /// Expected: for a ramp x(t) = t, straight lines between samples are the ramp itself.
  @Test("linear: a ramp stays the ramp, from its first frame on")
  func ramp() throws {
    for (from, to) in ratePairs {
      let input = (0..<4_000).map { Float($0) / 4096 }
      let output = try RateConverter.convert([input], from: from, to: to, quality: .linear)[0]
      let usable = Int(clamping: Double(input.count - 1) * to / from)
      for frame in 0..<usable {
        let exact = Double(frame) * from / to / 4096
        #expect(abs(Double(output[frame]) - exact) < 1e-7, "\(from) to \(to) Hz, frame \(frame)")
      }
    }
  }

  /// Expected: the sample last begun, input[floor(n · in ÷ out)], in whole-number arithmetic.
  @Test("zero-order hold: each sample begins at its own time")
  func hold() throws {
    for (from, to) in [(1000, 3000), (44100, 48000), (48000, 44100), (96000, 44100), (8000, 192000), (1000, 256000)] {
      let input = (0..<4_000).map { Float($0 + 1) }
      let output = try RateConverter.convert([input], from: Double(from), to: Double(to), quality: .zeroOrderHold)[0]
      for frame in 0..<output.count where frame * from % to != 0 {
        // If a frame falls on a sample's very beginning, rounding of the position may leave either.
        let index = frame * from / to
        if index < input.count { #expect(output[frame] == input[index], "\(from) to \(to) Hz, frame \(frame)") }
      }
      #expect(output[0] == 1)
    }
  }

  /// Expected: the filter is symmetric, so its answer to an impulse at an output position is symmetric about that
  /// frame.
  @Test(
    "an impulse comes out symmetric about its own time",
    arguments: [RateConversionQuality.fast, .medium, .best, .mastering])
  func impulse(quality: RateConversionQuality) throws {
    for (from, to) in [(24000.0, 48000.0), (44100, 48000), (48000, 44100), (96000, 48000)] {
      // A multiple of 20 ms is a whole number of frames at all these rates.
      let time = 0.06
      let centre = Int(clamping: (time * from).rounded())
      let peak = Int(clamping: (time * to).rounded())
      var input = [Float](repeating: 0, count: centre * 2)
      input[centre] = 1
      let output = try RateConverter.convert([input], from: from, to: to, quality: quality)[0]
      for distance in 1..<1000 {
        // libsamplerate finds its place in the filter to 12 bits, on either side for itself.
        #expect(abs(output[peak - distance] - output[peak + distance]) < 3e-6)
      }
      #expect(output[peak] == output.max())
    }
  }
}
