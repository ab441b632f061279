// Helpers that the tests of this target share: streams cut in a given way, and sine fits.

import AudioCore
import Glibc
import SampleRate
import TestSupport

/// Rate pairs that reach every path: both directions, integer and wide ratios, fractional rates.
let ratePairs: [(Double, Double)] = [
  (44100, 48000), (48000, 44100), (96000, 44100), (8000, 192000), (192000, 8000), (123.45, 1000),
]

/// Pulls all of a signal's conversion through one converter: pops as `cut` says, pushes as asked, silence past the end.
func pulled(
  _ channels: [[Float]], through converter: RateConverter, total: Int, splitPushes: Bool = false,
  cut: () -> Int
) -> [[Float]] {
  let length = channels[0].count
  let input = PlanarBuffer(channelCount: channels.count, frameCapacity: length)
  for (index, channel) in channels.enumerated() { input[index].update(from: channel) }
  let output = PlanarBuffer(channelCount: channels.count, frameCapacity: total)
  var (read, written) = (0, 0)
  while written < total {
    let frames = min(cut(), total - written)
    var needed = converter.inputFramesNeeded(toProduce: frames)
    while needed > 0 {
      let part = splitPushes ? min(needed, 37) : needed
      let present = max(0, min(part, length - read))
      converter.push(input.planes, offset: read, frames: present)
      converter.pushSilence(frames: part - present)
      read += present
      needed -= part
      precondition(converter.inputFramesNeeded(toProduce: frames) == needed)
    }
    converter.pop(into: output.planes, offset: written, frames: frames)
    written += frames
  }
  return (0..<channels.count).map { Array(output[$0].prefix(total).elements) }
}

func sine(frequency: Double, sampleRate: Double, frames: Int, amplitude: Double = 0.5) -> [Float] {
  (0..<frames).map { Float(amplitude * sin(2 * .pi * frequency * Double($0) / sampleRate)) }
}

/// A least-squares fit of one sine of known frequency and a constant.
struct SineFit {
  /// Peak of the fitted sine.
  let amplitude: Double
  /// Radians, against `sin(2π f t)` with t = 0 at frame 0 of the whole signal.
  let phase: Double
  /// Power of the fitted sine over the power of all that it leaves, in decibels.
  let signalToNoiseDecibels: Double

  init(_ signal: [Float], frequency: Double, sampleRate: Double, range: Range<Int>) {
    let radians = 2 * Double.pi * frequency / sampleRate
    // Normal equations of s·sin + c·cos + d.
    var (ss, sc, cc, s1, c1, n) = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
    var (sy, cy, y1) = (0.0, 0.0, 0.0)
    for frame in range {
      let (s, c, y) = (sin(radians * Double(frame)), cos(radians * Double(frame)), Double(signal[frame]))
      (ss, sc, cc, s1, c1, n) = (ss + s * s, sc + s * c, cc + c * c, s1 + s, c1 + c, n + 1)
      (sy, cy, y1) = (sy + s * y, cy + c * y, y1 + y)
    }
    func determinant(_ m: [Double]) -> Double {
      m[0] * (m[4] * m[8] - m[5] * m[7]) - m[1] * (m[3] * m[8] - m[5] * m[6]) + m[2] * (m[3] * m[7] - m[4] * m[6])
    }
    let whole = determinant([ss, sc, s1, sc, cc, c1, s1, c1, n])
    let inPhase = determinant([sy, sc, s1, cy, cc, c1, y1, c1, n]) / whole
    let quadrature = determinant([ss, sy, s1, sc, cy, c1, s1, y1, n]) / whole
    let constant = determinant([ss, sc, sy, sc, cc, cy, s1, c1, y1]) / whole
    var (signalPower, noisePower) = (0.0, 0.0)
    for frame in range {
      let fitted = inPhase * sin(radians * Double(frame)) + quadrature * cos(radians * Double(frame))
      let rest = Double(signal[frame]) - fitted - constant
      signalPower += fitted * fitted
      noisePower += rest * rest
    }
    amplitude = (inPhase * inPhase + quadrature * quadrature).squareRoot()
    phase = atan2(quadrature, inPhase)
    signalToNoiseDecibels = 10 * log10(signalPower / max(noisePower, 1e-300))
  }
}
