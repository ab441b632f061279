import AudioCore
import CFFTW
import Glibc

/// The discrete Fourier transform of real samples, and back, of one length.
///
/// X[k] = Σ x[n]·e^(−2πikn/N), unscaled; bins 0 ... N/2. The inverse divides by N, so that it undoes the transform.
/// Plans are FFTW's estimates: measured ones differ from run to run, and so do the bits. One thread at a time.
public final class RealFFT {
  /// N, in samples.
  public let length: Int
  /// N/2 + 1.
  public var binCount: Int { length / 2 + 1 }
  /// The samples: filled before ``forward()``, read after ``inverse()``.
  public let samples: UnsafeMutableBufferPointer<Double>
  /// The bins as real and imaginary part, one after the other: read after ``forward()``, filled before ``inverse()``,
  /// which overwrites them.
  public let bins: UnsafeMutableBufferPointer<Complex>

  private static let planner = Locked(())
  private let forwardPlan: fftw_plan
  private let inversePlan: fftw_plan

  /// - Parameter length: 1 or more; products of 2, 3, 5 and 7 are fast.
  public init(length: Int) {
    precondition(length > 0)
    self.length = length
    let bins = length / 2 + 1
    guard let real = fftw_alloc_real(length), let complex = fftw_alloc_complex(bins) else {
      preconditionFailure("no memory for a transform of \(length) samples")
    }
    real.initialize(repeating: 0, count: length)
    memset(complex, 0, bins * MemoryLayout<fftw_complex>.stride)
    samples = UnsafeMutableBufferPointer(start: real, count: length)
    self.bins = UnsafeMutableRawPointer(complex).withMemoryRebound(to: Complex.self, capacity: bins) {
      UnsafeMutableBufferPointer(start: $0, count: bins)
    }
    // Making plans is the only part of FFTW that threads must not do at once.
    (forwardPlan, inversePlan) = Self.planner.withLock { _ in
      guard
        let forward = fftw_plan_dft_r2c_1d(Int32(length), real, complex, UInt32(FFTW_ESTIMATE)),
        let inverse = fftw_plan_dft_c2r_1d(Int32(length), complex, real, UInt32(FFTW_ESTIMATE))
      else { preconditionFailure("no plan for a transform of \(length) samples") }
      return (forward, inverse)
    }
  }

  deinit {
    let (forward, inverse) = (forwardPlan, inversePlan)
    Self.planner.withLock { _ in
      fftw_destroy_plan(forward)
      fftw_destroy_plan(inverse)
    }
    fftw_free(samples.baseAddress)
    fftw_free(bins.baseAddress)
  }

  /// Fills ``bins`` from ``samples``, which keep their values.
  public func forward() { fftw_execute(forwardPlan) }

  /// Fills ``samples`` from ``bins``, which are spent.
  public func inverse() {
    fftw_execute(inversePlan)
    let scale = 1 / Double(length)
    for index in samples.indices { samples[index] *= scale }
  }

  /// Sets ``samples`` to a signal's, zeros behind it, and transforms.
  @inlinable
  public func forward(_ signal: some Collection<Double>) {
    precondition(signal.count <= length)
    var index = 0
    for sample in signal {
      samples[index] = sample
      index += 1
    }
    while index < length {
      samples[index] = 0
      index += 1
    }
    forward()
  }

  /// Sets ``samples`` to the cross-correlation of a signal with a reference: at n for a signal that is n samples later
  /// than the reference, at N − n for one that is earlier. ``bins`` are spent.
  package func correlate(_ signal: some Collection<Double>, with reference: some Collection<Double>) {
    forward(reference)
    let spectrum = Array(bins)
    forward(signal)
    for bin in bins.indices { bins[bin] = bins[bin] * spectrum[bin].conjugate }
    inverse()
  }

  /// The shortest product of 2, 3 and 5 that is not below `length`: what a transform is fast with.
  public static func fastLength(atLeast length: Int) -> Int {
    var best = 1
    while best < length { best *= 2 }
    var five = 1
    while five < best {
      var three = five
      while three < best {
        var candidate = three
        while candidate < length { candidate *= 2 }
        best = min(best, candidate)
        three *= 3
      }
      five *= 5
    }
    return best
  }
}
