import AudioCore
import Glibc
import Spectrum

/// Samples of a signal between its frames: a sinc of 256 taps under a Kaiser window.
///
/// Its error is below -110 dB up to 0.97 of the Nyquist frequency. Before its first frame and after its last a signal
/// is silent. The window is read from a table by straight lines (error 1e-8), the sinc is computed.
enum FractionalInterpolator {
  private static let halfWidth = 128
  private static let phases = 256
  private static let beta = 12.0
  /// One row of 256 window values per phase: 0, 1/256, ... 1. Made once.
  private static let rows: [Double] = {
    let half = halfWidth
    let window = Window.kaiser(beta: beta).samples(2 * half * phases)
    var rows = [Double](repeating: 0, count: (phases + 1) * 2 * half)
    for phase in 0...phases {
      for tap in 0..<2 * half {
        // The tap lies at tap − (half − 1) − fraction from the wanted point.
        let position = (tap + 1) * phases - phase
        rows[phase * 2 * half + tap] = position < window.count ? window[position] : 0
      }
    }
    return rows
  }()

  /// The signal at `start`, `start + step` … in frames.
  static func samples(of signal: [Double], from start: Double, step: Double, count: Int) -> [Double] {
    var out = [Double](repeating: 0, count: count)
    var weights = [Double](repeating: 0, count: 2 * halfWidth)
    var known = -1.0
    signal.withUnsafeBufferPointer { signal in
      rows.withUnsafeBufferPointer { rows in
        out.withUnsafeMutableBufferPointer { out in
          weights.withUnsafeMutableBufferPointer { weights in
            for index in 0..<count {
              let position = start + step * Double(index)
              let whole = position.rounded(.down)
              guard abs(whole) < 1e15 else { continue }
              let frame = Int(clamping: whole)
              if position == whole {
                out[index] = frame >= 0 && frame < signal.count ? signal[frame] : 0
                continue
              }
              if position - whole != known {
                known = position - whole
                fill(weights, known, rows)
              }
              out[index] = sum(signal, weights, frame - (halfWidth - 1))
            }
          }
        }
      }
    }
    return out
  }

  /// Weights of the frames around a point that lies `fraction` behind one of them, 0 < fraction < 1.
  private static func fill(
    _ weights: UnsafeMutableBufferPointer<Double>, _ fraction: Double, _ rows: UnsafeBufferPointer<Double>
  ) {
    let place = fraction * Double(phases)
    let phase = min(Int(clamping: place), phases - 1)
    let part = place - Double(phase)
    let (row, next) = (phase * 2 * halfWidth, (phase + 1) * 2 * halfWidth)
    // sin π(k − f) = ∓ sin πf
    var sine = sin(Double.pi * fraction) / Double.pi * (halfWidth % 2 == 0 ? 1 : -1)
    for tap in 0..<2 * halfWidth {
      let window = rows[row + tap] + part * (rows[next + tap] - rows[row + tap])
      weights[tap] = sine * window / (Double(tap - (halfWidth - 1)) - fraction)
      sine = -sine
    }
  }

  private static func sum(
    _ signal: UnsafeBufferPointer<Double>, _ weights: UnsafeMutableBufferPointer<Double>, _ first: Int
  ) -> Double {
    guard let samples = signal.baseAddress, let taps = weights.baseAddress else { return 0 }
    if first >= 0 && first + 2 * halfWidth <= signal.count {
      var lanes = SIMD8<Double>(repeating: 0)
      var index = 0
      while index < 2 * halfWidth {
        lanes +=
          UnsafeRawPointer(samples + first + index).loadUnaligned(as: SIMD8<Double>.self)
          * UnsafeRawPointer(taps + index).loadUnaligned(as: SIMD8<Double>.self)
        index += 8
      }
      return lanes.sum()
    }
    var sum = 0.0
    for tap in max(0, -first)..<max(0, -first, min(2 * halfWidth, signal.count - first)) {
      sum += samples[first + tap] * taps[tap]
    }
    return sum
  }
}
