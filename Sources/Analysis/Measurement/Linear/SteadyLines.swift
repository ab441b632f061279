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

  private static let mostLines = 8
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
    lines = Array(lines.sorted { $0.amplitude > $1.amplitude }.prefix(Self.mostLines))
  }

  /// Takes the tones out of samples, as they stand in the first of them, where nothing else does. Left as they are where
  /// they are not found there: what rings is no hum.
  func remove(from samples: inout [Double], silentFrames: Int, sampleRate: Double) {
    guard !lines.isEmpty, silentFrames > 4 * lines.count + 4, silentFrames <= samples.count else { return }
    let omegas = lines.map { 2 * Double.pi * $0.hertz / sampleRate }
    let size = 2 * lines.count + 1
    var matrix = [[Double]](repeating: [Double](repeating: 0, count: size + 1), count: size)
    var row = [Double](repeating: 1, count: size)
    for frame in 0..<silentFrames {
      for (line, omega) in omegas.enumerated() {
        (row[2 * line + 1], row[2 * line + 2]) = (cos(omega * Double(frame)), sin(omega * Double(frame)))
      }
      for i in 0..<size {
        for j in i..<size { matrix[i][j] += row[i] * row[j] }
        matrix[i][size] += row[i] * samples[frame]
      }
    }
    for i in 0..<size { for j in 0..<i { matrix[i][j] = matrix[j][i] } }
    guard let solution = Self.solved(matrix) else { return }
    let strongest = hypot(solution[1], solution[2])
    guard abs(strongest - lines[0].amplitude) < 0.3 * lines[0].amplitude else { return }
    for (line, omega) in omegas.enumerated() {
      let (a, b) = (solution[2 * line + 1], solution[2 * line + 2])
      for frame in samples.indices {
        let angle = omega * Double(frame)
        samples[frame] -= a * cos(angle) + b * sin(angle)
      }
    }
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
