import AudioCore
import DSPKernels
import Glibc
import TestSupport
import Testing

/// The parts around the weights of ``SlidingSinc``: its cutoff, and its reach.
@Suite("How wide a sliding sinc is") struct SlidingSincCutoffTests {
  /// c of the law, from its numbers: Kaiser's edge for 120 dB and 96 zeros, opened up within a semitone of the original
  /// rate.
  private static func cutoff(_ rate: Double) -> Double {
    let edge = 0.0813
    return min(1, 1 / rate) / (1 + edge * min(1, 12 * abs(log2(rate))))
  }

  @Test("the cutoff is 1 at the original rate, opens from a semitone away from it on, and falls with the rate above it")
  func cutoffs() {
    #expect(SlidingSinc.rates == 0.25...4)
    #expect(SlidingSinc.cutoff(rate: 1) == 1)
    for cents in stride(from: -2400.0, through: 2400, by: 25) where cents != 0 {
      let rate = exp2(cents / 1200)
      #expect(abs(SlidingSinc.cutoff(rate: rate) - Self.cutoff(rate)) < 1e-12, "\(cents) cents")
    }
    // A semitone and more below: what is left is the filter's edge alone.
    for rate in [0.25, 0.5, exp2(-1.0 / 12)] { #expect(abs(SlidingSinc.cutoff(rate: rate) - 1 / 1.0813) < 1e-12) }
    #expect(abs(SlidingSinc.cutoff(rate: 4) - 0.25 / 1.0813) < 1e-12)
  }

  @Test("it reads 48 zeros of the sinc to either side, and nothing at a whole place of the original rate")
  func reach() {
    #expect(SlidingSinc.framesAhead(fraction: 0, cutoff: 1) == 0)
    #expect(SlidingSinc.framesAhead(fraction: 0.5, cutoff: 1) == 48)
    #expect(SlidingSinc.framesAhead(fraction: 0, cutoff: 0.5) == 96)
    #expect(SlidingSinc.framesAhead(fraction: 0, cutoff: 0.75) == 64)
    // 48 · 4 · 1.0813 = 207.6
    #expect(SlidingSinc.mostAhead == 208 && SlidingSinc.mostBehind >= 208)
  }
}

/// The true peak detector against the windowed sinc of its definition.
@Suite("Peaks between samples") struct TruePeakDetectorTests {
  private static func weight(_ distance: Double) -> Double { kaiserSinc(distance, reach: 32, beta: 4) }

  private static func peaks(_ detector: TruePeakDetector, _ signal: [Float]) -> [Float] {
    var peaks = [Float](repeating: 0, count: signal.count)
    peaks.withUnsafeMutableBufferPointer { peaks in
      signal.withUnsafeBufferPointer { signal in
        let (to, from) = (Plane(peaks), Plane(signal))
        detector.addPeaks(of: from, to: to, frames: signal.count)
      }
    }
    return peaks
  }

  @Test("a value is the largest from the sample 32 frames before it up to the next one; a reset forgets all")
  func places() {
    var signal = [Float](repeating: 0, count: 200)
    (signal[60], signal[61], signal[75]) = (1, 1, -0.5)
    let detector = TruePeakDetector(.frames32)
    let found = Self.peaks(detector, signal)
    #expect(detector.delayFrames == 32)
    for frame in 32..<200 {
      let first = Double(frame - detector.delayFrames)
      func largest(_ places: StrideThrough<Double>) -> Double {
        places.map { offset in
          let place = first + offset
          return abs(Self.weight(place - 60) + Self.weight(place - 61) - 0.5 * Self.weight(place - 75))
        }.max() ?? 0
      }
      // Between a 16th before the sample and one before the next; rows are scaled to let a constant through, by less
      // than this.
      let value = Double(found[frame])
      #expect(value > largest(stride(from: 0, through: 0.875, by: 0.125)) - 3e-3, "\(frame): \(value)")
      #expect(value < largest(stride(from: -0.0625, through: 0.9375, by: 0.03125)) + 3e-3, "\(frame): \(value)")
    }
    #expect(found.firstIndex(of: found.max() ?? 0) == 60 + detector.delayFrames)
    #expect(Self.peaks(detector, [Float](repeating: 1, count: 40)).contains { $0 > 0.5 })
    detector.reset()
    #expect(Self.peaks(detector, [Float](repeating: 0, count: 100)).allSatisfy { $0 == 0 })
  }

  @Test("what is found raises what is there, and never lowers it")
  func raises() {
    let detector = TruePeakDetector()
    let signal = [Float](repeating: 0.5, count: 256)
    var peaks = [Float](repeating: 0.2, count: 256)
    peaks[200] = 3
    peaks.withUnsafeMutableBufferPointer { peaks in
      signal.withUnsafeBufferPointer { signal in
        let (to, from) = (Plane(peaks), Plane(signal))
        detector.addPeaks(of: from, to: to, frames: 256)
      }
    }
    #expect(peaks[200] == 3 && peaks[..<5].allSatisfy { $0 == 0.2 })
    // A constant is as large between its samples as at them.
    for frame in 140..<256 where frame != 200 { #expect(abs(peaks[frame] - 0.5) < 1e-5) }
  }
}
