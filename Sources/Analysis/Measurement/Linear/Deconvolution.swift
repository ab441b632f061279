import AudioCore
import Glibc
import Spectrum

/// Divides spectra by that of a stimulus: H = Y ÷ X over the whole length, so that the response is exact wherever the
/// stimulus has energy, and what comes before frame 0 lies at the end.
struct Deconvolution: Sendable {
  let sampleRate: Double
  private let length: Int
  private let stimulus: [Complex]
  /// The first bin with energy enough to divide by.
  private let firstBin: Int

  init(stimulus samples: [Double], sampleRate: Double, startHertz: Double) {
    self.sampleRate = sampleRate
    length = RealFFT.fastLength(atLeast: samples.count)
    let transform = RealFFT(length: length)
    transform.forward(samples)
    stimulus = Array(transform.bins)
    firstBin = max(1, Int(clamping: (startHertz * 1.5 * Double(length) / sampleRate).rounded()))
  }

  /// |X| at a frequency.
  func stimulusMagnitude(atHertz hertz: Double) -> Double {
    let bin = Int(clamping: (hertz * Double(length) / sampleRate).rounded())
    return stimulus[min(max(bin, firstBin), stimulus.count - 1)].magnitude
  }

  /// The response over the whole length; negative times at the end.
  func response(of output: [Double]) -> [Double] {
    let transform = RealFFT(length: length)
    transform.forward(output.prefix(length))
    let bins = transform.bins
    for index in firstBin..<bins.count {
      bins[index] = stimulus[index].squaredMagnitude > 0 ? bins[index] / stimulus[index] : Complex(0)
    }
    // Below the stimulus the response goes on as a real system's does near 0 Hz, its real part a + b·f² and its
    // imaginary part c·f + d·f³, laid through the bins at the edge and at twice its frequency: a hole would ring.
    let (edge, twice) = (bins[firstBin], bins[2 * firstBin])
    let bend = (twice.real - edge.real) / 3
    let cubic = (twice.imaginary - 2 * edge.imaginary) / 6
    for index in 0..<firstBin {
      let part = Double(index) / Double(firstBin)
      bins[index] = Complex(
        edge.real + bend * (part * part - 1), (edge.imaginary - cubic) * part + cubic * part * part * part)
    }
    transform.inverse()
    return Array(transform.samples)
  }

  /// Frames from `first`, which may be negative, on.
  func window(_ whole: [Double], from first: Int, frames: Int) -> ImpulseResponse {
    let samples = (0..<frames).map { whole[(first + $0 + length) % length] }
    return ImpulseResponse(samples, leadFrames: -first, sampleRate: sampleRate)
  }

  /// Frames around `middle`, with cosine edges over an eighth on both sides; its own frame 0 in the middle.
  func softWindow(_ whole: [Double], middle: Int, frames: Int) -> ImpulseResponse {
    let edge = max(1, frames / 8)
    let samples = (0..<frames).map { index in
      let inside = min(index, frames - 1 - index)
      let weight = inside >= edge ? 1 : 0.5 - 0.5 * cos(.pi * (Double(inside) + 0.5) / Double(edge))
      return weight * whole[((middle - frames / 2 + index) % length + length) % length]
    }
    return ImpulseResponse(samples, leadFrames: frames / 2, sampleRate: sampleRate)
  }
}
