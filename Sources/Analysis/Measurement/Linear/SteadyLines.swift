import AudioCore
import Glibc
import Spectrum

/// Tones that a device gives by itself, such as hum: found in what it gives while nothing comes in, and taken out of what
/// it gives later. A tone of −80 dBFS that stands in a response for a second is as strong there as the response itself.
struct SteadyLines: Hashable, Sendable {
  /// By falling amplitude.
  private(set) var lines: [Line] = []

  struct Line: Hashable, Sendable {
    let hertz: Double
    /// The peak.
    let amplitude: Double
  }

  private static let mostLines = 12
  /// The power of a line over the median of the bins beside it. Of a hundred thousand bins of noise none is so high.
  private static let leastPower = 100.0
  private static let neighbours = 64

  /// Nothing is known.
  init() {}

  /// Finds the tones of a stretch without input.
  init(in silence: ArraySlice<Double>, sampleRate: Double) {
    let length = RealFFT.fastLength(atLeast: silence.count / 2 + 1)
    guard silence.count >= 4 * Self.neighbours, length <= silence.count else { return }
    let count = length / 2
    let window = (0..<length).map { 0.5 - 0.5 * cos(2 * .pi * (Double($0) + 0.5) / Double(length)) }
    let fft = RealFFT(length: length)
    fft.forward(zip(silence.suffix(length), window).map { $0 * $1 })
    let powers = fft.bins.map(\.squaredMagnitude)
    guard let most = powers.max(), most > 0 else { return }
    let step = length / 4
    for bin in 3..<max(3, count - 3) where powers[bin] > 1e-8 * most {
      guard powers[bin] >= powers[bin - 1], powers[bin] > powers[bin + 1] else { continue }
      let beside =
        (powers[max(1, bin - Self.neighbours)..<max(1, bin - 3)]
        + powers[min(count, bin + 4)..<min(count, bin + Self.neighbours)]).sorted()
      guard !beside.isEmpty, powers[bin] > Self.leastPower * beside[beside.count / 2] else { continue }
      // By how far the phase goes on between two parts of the stretch.
      let (a, b, c) = (log(powers[bin - 1] + 1e-300), log(powers[bin]), log(powers[bin + 1] + 1e-300))
      let place = Double(bin) + (a - c) / (2 * (a - 2 * b + c))
      func part(_ end: Int) -> Complex {
        let samples = silence.dropLast(end).suffix(length / 2)
        let omega = 2 * Double.pi * place / Double(length)
        var sum = Complex(0)
        for (frame, sample) in samples.enumerated() {
          let weight = 0.5 - 0.5 * cos(2 * .pi * (Double(frame) + 0.5) / Double(length / 2))
          sum = sum + Complex(magnitude: weight * sample, phase: -omega * Double(frame))
        }
        return sum
      }
      let (late, early) = (part(0), part(step))
      guard late.magnitude > 0, early.magnitude > 0 else { continue }
      let ahead = (late.phase - early.phase - 2 * .pi * place * Double(step) / Double(length))
        .remainder(dividingBy: 2 * .pi)
      let hertz = (place + ahead / (2 * .pi) * Double(length) / Double(step)) * sampleRate / Double(length)
      lines.append(Line(hertz: hertz, amplitude: 4 * late.magnitude / Double(length / 2)))
    }
    let strongest = Array(lines.sorted { $0.amplitude > $1.amplitude }.prefix(Self.mostLines))
    lines = Self.refined(strongest, in: silence, sampleRate: sampleRate).sorted { $0.amplitude > $1.amplitude }
  }

  /// The tones as they stand in one stretch of samples: frame 0 is the first of them.
  struct Fit {
    fileprivate let parts: [(omega: Double, cosine: Double, sine: Double)]

    /// Takes the tones out of samples that begin at a frame.
    func subtract(from samples: inout [Double], startingAt first: Int = 0) {
      for part in parts {
        samples.withUnsafeMutableBufferPointer { samples in
          SteadyLines.walk(part.omega, frames: first..<first + samples.count) { index, cosine, sine in
            samples[index] -= part.cosine * cosine + part.sine * sine
          }
        }
      }
    }
  }

  /// Fits the tones to samples where nothing else sounds: before a stimulus, and behind what it leaves. Nil where they
  /// are not found there: what rings is no hum.
  func fit(to samples: [Double], silent ranges: [Range<Int>], sampleRate: Double) -> Fit? {
    let frames = ranges.flatMap { Array($0.clamped(to: 0..<samples.count)) }
    guard !lines.isEmpty, frames.count > 4 * lines.count + 4 else { return nil }
    let omegas = lines.map { 2 * Double.pi * $0.hertz / sampleRate }
    var columns = [[Double](repeating: 1, count: frames.count)]
    for omega in omegas {
      columns.append(frames.map { cos(omega * Double($0)) })
      columns.append(frames.map { sin(omega * Double($0)) })
    }
    guard let solution = Self.leastSquares(columns, frames.map { samples[$0] }) else { return nil }
    let strongest = hypot(solution[1], solution[2])
    guard abs(strongest - lines[0].amplitude) < 0.3 * lines[0].amplitude else { return nil }
    return Fit(
      parts: omegas.enumerated().map { ($1, cosine: solution[2 * $0 + 1], sine: solution[2 * $0 + 2]) })
  }

  /// The lines as they fit a stretch best, all at once: frequency too, by Gauss and Newton.
  private static func refined(_ lines: [Line], in silence: ArraySlice<Double>, sampleRate: Double) -> [Line] {
    guard !lines.isEmpty else { return [] }
    let (count, samples) = (silence.count, Array(silence))
    let middle = count / 2
    var omegas = lines.map { 2 * Double.pi * $0.hertz / sampleRate }
    let start = omegas
    var sizes: [(cosine: Double, sine: Double)] = []
    for round in 0..<4 {
      var columns = [[Double](repeating: 1, count: count)]
      for (line, omega) in omegas.enumerated() {
        var cosines = [Double](repeating: 0, count: count)
        var (sines, slopes) = (cosines, cosines)
        // As if its size were 1: weak lines count as much as strong ones.
        let size = round > 0 ? max(hypot(sizes[line].cosine, sizes[line].sine), 1e-300) : 1
        let (a, b) = round > 0 ? (sizes[line].cosine / size, sizes[line].sine / size) : (0, 0)
        walk(omega, frames: -middle..<count - middle) { index, cosine, sine in
          (cosines[index], sines[index]) = (cosine, sine)
          slopes[index] = Double(index - middle) / Double(count) * (b * cosine - a * sine)
        }
        columns += round > 0 ? [cosines, sines, slopes] : [cosines, sines]
      }
      guard let solution = leastSquares(columns, samples) else { break }
      let width = round > 0 ? 3 : 2
      sizes = omegas.indices.map { (solution[width * $0 + 1], solution[width * $0 + 2]) }
      guard round > 0 else { continue }
      for line in omegas.indices {
        let size = max(hypot(sizes[line].cosine, sizes[line].sine), 1e-300)
        omegas[line] += solution[3 * line + 3] / (Double(count) * size)
      }
    }
    // A line that goes elsewhere is none.
    return zip(zip(omegas, start), sizes).compactMap { both, size in
      guard abs(both.0 - both.1) < 4 * .pi / Double(count) else { return nil }
      return Line(hertz: both.0 * sampleRate / (2 * .pi), amplitude: hypot(size.cosine, size.sine))
    }
  }

  /// Cosine and sine of each frame's phase.
  @inline(__always)
  private static func walk(
    _ omega: Double, frames: Range<Int>, _ body: (_ index: Int, _ cosine: Double, _ sine: Double) -> Void
  ) {
    Tone.walk(omega / (2 * .pi), phase: 0, frames: frames, sampleRate: 1, body)
  }

  /// The sizes of columns that add up to values best; nil where columns depend on one another.
  private static func leastSquares(_ columns: [[Double]], _ values: [Double]) -> [Double]? {
    func product(_ one: [Double], _ two: [Double]) -> Double {
      one.withUnsafeBufferPointer { one in
        two.withUnsafeBufferPointer { two in
          // Four sums beside one another, which need not wait for each other.
          var (a, b, c, d) = (0.0, 0.0, 0.0, 0.0)
          let whole = one.count / 4 * 4
          for index in stride(from: 0, to: whole, by: 4) {
            a += one[index] * two[index]
            b += one[index + 1] * two[index + 1]
            c += one[index + 2] * two[index + 2]
            d += one[index + 3] * two[index + 3]
          }
          for index in whole..<one.count { a += one[index] * two[index] }
          return (a + b) + (c + d)
        }
      }
    }
    var equations = columns.map { _ in [Double](repeating: 0, count: columns.count + 1) }
    for row in columns.indices {
      for column in row..<columns.count {
        equations[row][column] = product(columns[row], columns[column])
        equations[column][row] = equations[row][column]
      }
      equations[row][columns.count] = product(columns[row], values)
    }
    return solved(equations)
  }

  /// The solution of linear equations, the right side in the last column; nil where there is none.
  private static func solved(_ equations: [[Double]]) -> [Double]? {
    var rows = equations
    let size = rows.count
    for column in 0..<size {
      guard let pivot = (column..<size).max(by: { abs(rows[$0][column]) < abs(rows[$1][column]) }) else { return nil }
      rows.swapAt(column, pivot)
      guard abs(rows[column][column]) > 1e-9 * Double(size) else { return nil }
      for other in 0..<size where other != column {
        let factor = rows[other][column] / rows[column][column]
        guard factor != 0 else { continue }
        for place in column...size { rows[other][place] -= factor * rows[column][place] }
      }
    }
    return rows.indices.map { rows[$0][size] / rows[$0][$0] }
  }
}
