import AudioCore
import Glibc
import Spectrum

/// A tone and the lines so close to it that the window's main lobe hides them: its frequency as it came back, and the
/// lines' own, fitted together to the bins around it.
///
/// A line is the window's transform around its frequency, so that a few lines in noise are fitted exactly, however
/// close (least squares, Levenberg and Marquardt). What no four lines explain is a tone that moves: its level or its
/// frequency changes within the segment.
struct CloseLines: Sendable {
  struct Line: Sendable {
    var hertz: Double
    /// As a cosine's, at the first sample.
    var amplitude: Complex
    /// The deviations by noise, of the frequency and of the amplitude's size.
    var hertzDeviation = 0.0
    var deviation = 0.0
  }

  /// The tone: at the frequency that was expected, unless it is another by more than noise explains.
  let tone: Line
  /// The tone at the frequency that fits it best; nil where it does not stand out.
  let fitted: Line?
  /// Lines within ``reachBins`` of it.
  let lines: [Line]
  /// The mean square, near the tone, of what the tone and the lines do not explain and noise neither; 0 where they do.
  let movingMeanSquare: Double

  /// Bins from the tone within which lines are told from it here; beyond, a spectrum shows them: the main lobes of both
  /// are apart.
  static let reachBins = 16
  /// Two lines closer than this are one that moves.
  private static let leastDistance = 0.7
  private static let mostLines = 4
  /// The share of all else that the window's side lobes let pass.
  private static let sideLobe = 4e-9

  /// - Parameters:
  ///   - expected: the frequency that the tone should have, hertz.
  init(_ spectrum: WindowedSpectrum, hertz expected: Double) {
    let place = expected / spectrum.binHertz
    let nearest = Int(clamping: place.rounded())
    let reach = Self.reachBins + 3
    let first = max(1, nearest - reach)
    let bins = first...max(first, min(spectrum.binCount - 2, nearest + reach))
    let asked = Line(hertz: expected, amplitude: spectrum.amplitude(at: expected))
    let multiples = (0...max(1, Int(clamping: spectrum.sampleRate / 2 / expected))).map { Double($0) * expected }
    let step = spectrum.noiseAmplitude(at: expected, excluding: spectrum.lobes(of: multiples))
    guard !spectrum.windowTerms.isEmpty, bins.count > reach, asked.amplitude.magnitude > 10 * step else {
      (tone, fitted, lines, movingMeanSquare) = (asked, nil, [], 0)
      return
    }
    // All that reaches into these bins with its main lobe: DC and harmonics of a low tone, and lines further away.
    let sight = Double(reach + spectrum.lobeBins)
    let others = [0, 2, 3, 4].map { Double($0) * place }.filter { abs($0 - place) < sight }
    var fit = LineFit(spectrum, bins: bins, fixed: others)
    fit.add(place)
    fit.solve()
    let single = fit
    let scale = asked.amplitude.magnitude
    // Energies of the misfit: what noise leaves, and the arithmetic.
    let expectedMisfit = Double(bins.count) * (step * step + pow(Self.sideLobe * scale, 2))
    let limit = 6 * expectedMisfit
    var isExplained = fit.misfit <= limit
    while !isExplained, fit.places.count <= Self.mostLines {
      let before = fit
      guard let next = fit.strongestMisfit(within: sight, of: fit.places[0]) else { break }
      fit.add(next)
      fit.solve()
      guard fit.leastDistance >= Self.leastDistance, fit.misfit < 0.7 * before.misfit,
        fit.places.allSatisfy({ $0 > 0.5 && abs($0 - place) <= sight + 0.5 })
      else {
        fit = before
        break
      }
      isExplained = fit.misfit <= limit
    }
    if !isExplained { fit = single }
    var found = fit.lines(binHertz: spectrum.binHertz, step: step)
    // The strongest is the tone.
    let strongest = found.indices.max { found[$0].amplitude.magnitude < found[$1].amplitude.magnitude } ?? 0
    let main = found.remove(at: strongest)
    let shift = abs(main.hertz - expected)
    let isShifted = shift < 2 * spectrum.binHertz && shift > 4 * main.hertzDeviation + 1e-9 * spectrum.binHertz
    tone = isShifted || !found.isEmpty ? main : asked
    fitted = main
    lines = found.filter { abs($0.hertz - main.hertz) <= Double(Self.reachBins) * spectrum.binHertz }
    movingMeanSquare =
      isExplained ? 0 : max(0, fit.misfit - expectedMisfit) * spectrum.meanSquareOfUnitBin
  }

  /// The deviation of the lines' mean square by noise.
  var meanSquareDeviation: Double {
    lines.reduce(0) { $0 + pow($1.amplitude.magnitude * $1.deviation, 2) }.squareRoot()
  }

  /// The mean square of the lines beside the tone, in a band.
  func meanSquare(in bandHertz: ClosedRange<Double>, weight: ((_ hertz: Double) -> Double)? = nil) -> Double {
    lines.filter { bandHertz.contains($0.hertz) }.reduce(0) { sum, line in
      sum + line.amplitude.squaredMagnitude / 2 * (weight?(line.hertz) ?? 1)
    }
  }
}

extension WindowedSpectrum {
  /// The mean square of a bin's share for a bin that reads the amplitude 1.
  fileprivate var meanSquareOfUnitBin: Double { 1 / (2 * noiseBandwidthBins) }

  /// A bin as the amplitude of a tone on it.
  fileprivate func amplitude(ofBin bin: Int) -> Complex { bins[bin] * (2 / windowSum) }
}

/// Lines fitted to bins of a spectrum.
private struct LineFit {
  private let spectrum: WindowedSpectrum
  private let bins: ClosedRange<Int>
  private let values: [Complex]
  private let kernel: WindowKernel
  /// In bins.
  private(set) var places: [Double] = []
  /// Those of lines that are known, and not looked for.
  private let fixed: [Double]
  /// The places, and the fixed ones behind them.
  private var amplitudes: [Complex] = []
  private var rest: [Complex] = []
  private(set) var misfit = 0.0
  /// The inverse of the normal equations' diagonal, parameter by parameter.
  private var spreads: [Double] = []

  init(_ spectrum: WindowedSpectrum, bins: ClosedRange<Int>, fixed: [Double]) {
    (self.spectrum, self.bins, self.fixed) = (spectrum, bins, fixed)
    values = bins.map { spectrum.amplitude(ofBin: $0) }
    kernel = WindowKernel(spectrum.windowTerms, length: spectrum.length)
  }

  mutating func add(_ place: Double) { places.append(place) }

  var leastDistance: Double {
    let sorted = places.sorted()
    return zip(sorted, sorted.dropFirst()).reduce(.infinity) { min($0, $1.1 - $1.0) }
  }

  private func shape(_ place: Double) -> [Complex] { bins.map { kernel.value(place - Double($0)) } }

  /// The best amplitudes for some places, and what they leave.
  private func project(_ places: [Double]) -> (amplitudes: [Complex], rest: [Complex], misfit: Double) {
    let shapes = (places + fixed).map(shape)
    let columns = shapes.flatMap { shape in
      [shape.flatMap { [$0.real, $0.imaginary] }, shape.flatMap { [-$0.imaginary, $0.real] }]
    }
    let right = values.flatMap { [$0.real, $0.imaginary] }
    guard let solution = LeastSquares(columns, damping: 0)?.solve(right) else { return ([], values, .infinity) }
    let amplitudes = shapes.indices.map { Complex(solution[2 * $0], solution[2 * $0 + 1]) }
    var rest = values
    for (shape, amplitude) in zip(shapes, amplitudes) {
      for index in rest.indices { rest[index] = rest[index] - shape[index] * amplitude }
    }
    return (amplitudes, rest, rest.reduce(0) { $0 + $1.squaredMagnitude })
  }

  mutating func solve() {
    var damping = 1e-3
    var current = project(places)
    for _ in 0..<40 {
      let columns = self.columns(current.amplitudes)
      let right = current.rest.flatMap { [$0.real, $0.imaginary] }
      guard let least = LeastSquares(columns, damping: damping) else { break }
      let move = least.solve(right)
      let moved = places.indices.map { places[$0] + min(0.5, max(-0.5, move[3 * $0 + 2])) }
      let next = project(moved)
      if next.misfit < current.misfit {
        let gain = current.misfit - next.misfit
        (places, current) = (moved, next)
        damping = max(1e-12, damping / 10)
        if gain < 1e-9 * current.misfit { break }
      } else {
        damping *= 10
        if damping > 1e6 { break }
      }
    }
    (amplitudes, rest, misfit) = current
    spreads = LeastSquares(columns(amplitudes), damping: 0)?.inverseDiagonal ?? []
  }

  /// The derivatives by real and imaginary part and place of each line, and by both parts of the fixed ones.
  private func columns(_ amplitudes: [Complex]) -> [[Double]] {
    let step = 1e-4
    var columns: [[Double]] = []
    for (index, place) in (places + fixed).enumerated() {
      let shape = shape(place)
      columns.append(shape.flatMap { [$0.real, $0.imaginary] })
      columns.append(shape.flatMap { [-$0.imaginary, $0.real] })
      guard index < places.count, index < amplitudes.count else { continue }
      let slope = zip(self.shape(place + step), self.shape(place - step)).map {
        ($0 - $1) * (1 / (2 * step)) * amplitudes[index]
      }
      columns.append(slope.flatMap { [$0.real, $0.imaginary] })
    }
    return columns
  }

  /// The place where a further line would explain most of what is left.
  func strongestMisfit(within reach: Double, of middle: Double) -> Double? {
    var best = (place: 0.0, gain: 0.0)
    for step in stride(from: -reach, through: reach, by: 0.25) {
      let place = middle + step
      guard (places + fixed).allSatisfy({ abs($0 - place) >= 0.75 }), place > 0 else { continue }
      var (product, power) = (Complex(0), 0.0)
      for (index, value) in shape(place).enumerated() {
        product += rest[index] * value.conjugate
        power += value.squaredMagnitude
      }
      let gain = power > 0 ? product.squaredMagnitude / power : 0
      if gain > best.gain { best = (place, gain) }
    }
    return best.gain > 0 ? best.place : nil
  }

  /// - Parameter step: the deviation of a bin by noise.
  func lines(binHertz: Double, step: Double) -> [CloseLines.Line] {
    // The bins of one segment are alike by the window: fewer of them count. A real and an imaginary part have half each.
    let deviation =
      max(step, (misfit / Double(bins.count)).squareRoot()) * (spectrum.noiseBandwidthBins / 2).squareRoot()
    return places.indices.compactMap { index in
      guard amplitudes.indices.contains(index) else { return nil }
      func spread(_ parameter: Int) -> Double {
        let place = 3 * index + parameter
        return spreads.indices.contains(place) ? deviation * spreads[place].squareRoot() : .infinity
      }
      return CloseLines.Line(
        hertz: places[index] * binHertz, amplitude: amplitudes[index], hertzDeviation: spread(2) * binHertz,
        deviation: max(spread(0), spread(1)))
    }
  }
}

/// The transform of a sum of cosines, between bins: 1 at 0.
struct WindowKernel: Sendable {
  private let terms: [Double]
  private let length: Double

  init(_ terms: [Double], length: Int) { (self.terms, self.length) = (terms, Double(length)) }

  /// Σ w[n]·e^(2πi·δ·n/N) ÷ Σ w.
  func value(_ offset: Double) -> Complex {
    let whole = offset.rounded()
    let part = offset - whole
    var sum = Complex(0)
    for order in (1 - terms.count)...(terms.count - 1) {
      let weight = order == 0 ? terms[0] : terms[abs(order)] / 2
      // sin(π·x)/sin(π·x/N)·e^(πi·x·(N − 1)/N), x = δ + order; the sine of its whole part is taken apart.
      let x = offset + Double(order)
      let isOdd = (Int(clamping: whole) + order) % 2 != 0
      let top = sin(.pi * part) * (isOdd ? -1 : 1)
      let bottom = sin(.pi * x / length)
      let size = abs(x) < 1e-12 ? length : top / bottom
      sum += Complex(magnitude: weight * size, phase: .pi * x * (length - 1) / length)
    }
    return sum * (1 / (terms[0] * length))
  }
}

/// Linear least squares by Cholesky's decomposition of the normal equations, scaled.
private struct LeastSquares {
  private let columns: [[Double]]
  private let scales: [Double]
  private let lower: [[Double]]

  /// Nil where the columns depend on one another.
  init?(_ columns: [[Double]], damping: Double) {
    self.columns = columns
    let scales = columns.map { $0.sumOfSquares.squareRoot() }
    guard scales.allSatisfy({ $0 > 0 && $0.isFinite }) else { return nil }
    self.scales = scales
    let count = columns.count
    var lower = [[Double]](repeating: [Double](repeating: 0, count: count), count: count)
    for row in 0..<count {
      for column in 0...row {
        var sum = zip(columns[row], columns[column]).reduce(0) { $0 + $1.0 * $1.1 } / (scales[row] * scales[column])
        if row == column { sum += damping }
        for index in 0..<column { sum -= lower[row][index] * lower[column][index] }
        if row == column {
          guard sum > 1e-14 else { return nil }
          lower[row][row] = sum.squareRoot()
        } else {
          lower[row][column] = sum / lower[column][column]
        }
      }
    }
    self.lower = lower
  }

  func solve(_ right: [Double]) -> [Double] {
    let products = columns.indices.map { index in
      zip(columns[index], right).reduce(0) { $0 + $1.0 * $1.1 } / scales[index]
    }
    return backward(forward(products)).enumerated().map { $0.element / scales[$0.offset] }
  }

  private func forward(_ right: [Double]) -> [Double] {
    var result = right
    for row in result.indices {
      for index in 0..<row { result[row] -= lower[row][index] * result[index] }
      result[row] /= lower[row][row]
    }
    return result
  }

  private func backward(_ right: [Double]) -> [Double] {
    var result = right
    for row in result.indices.reversed() {
      for index in result.indices where index > row { result[row] -= lower[index][row] * result[index] }
      result[row] /= lower[row][row]
    }
    return result
  }

  var inverseDiagonal: [Double] {
    columns.indices.map { index in
      var unit = [Double](repeating: 0, count: columns.count)
      unit[index] = 1
      return forward(unit).sumOfSquares / (scales[index] * scales[index])
    }
  }
}
