import Glibc

/// A peaking section for each of 10 or 31 bands. Their gains are those for which the curve of all together has the gains
/// that are set at the centres of the bands:
///
///     Σⱼ dB|Hⱼ(fᵢ; gⱼ)| = clamp(gainᵢ, −20, 20)
enum GraphicEQLaw: SectionsLaw {
  static let unit = "graphicEQ"
  static let parameters =
    (0...30).map { LawParameter("gain\($0)", -20...20, initial: 0) }
    + [LawParameter("numberOfBands", 0...1, initial: 1, form: .whole)]

  static func sections(_ node: LawNode, _ values: [Double]) -> [CookbookSection?] {
    let isTen = values[31] < 0.5 || values[31] == 10
    let octaves = isTen ? 1 : 1.0 / 3
    let centres = (isTen ? -5...4 : -17...13).map { 1000 * pow(2, Double($0) * octaves) }
      .filter { $0 < 0.45 * node.rate }
    let wanted = centres.indices.map { min(max(values[$0], -20), 20) }
    var sections: [CookbookSection?] = solved(wanted, centres, octaves, node.rate).enumerated().map { index, gain in
      gain == 0 ? nil : .peaking(centres[index], .octaves(octaves), gain: gain, node.rate)
    }
    sections += Array(repeating: nil, count: 31 - sections.count)
    return sections
  }

  /// The sections' gains in dB, by Newton's method with differences in place of derivatives.
  private static func solved(_ wanted: [Double], _ centres: [Double], _ octaves: Double, _ rate: Double) -> [Double] {
    var gains = wanted.map { $0 / 2 }
    for _ in 0..<100 {
      let curves = gains.indices.map { curve(of: $0, gains[$0], centres, octaves, rate) }
      let errors = wanted.indices.map { i in wanted[i] - curves.map { $0[i] }.reduce(0, +) }
      guard errors.contains(where: { abs($0) > 1e-11 }) else { break }
      let step = 1e-4
      let moved = gains.indices.map { curve(of: $0, gains[$0] + step, centres, octaves, rate) }
      let slopes = wanted.indices.map { i in gains.indices.map { (moved[$0][i] - curves[$0][i]) / step } }
      gains = zip(gains, solution(of: slopes, errors)).map { $0 + $1 }
    }
    return gains
  }

  /// dB of one section at all centres: 2·(cos w − cos w₀) ± 2j·α·A·sin w over the same with α/A, in a form that keeps its
  /// digits at low frequencies.
  private static func curve(
    of band: Int, _ gain: Double, _ centres: [Double], _ octaves: Double, _ rate: Double
  ) -> [Double] {
    let centre = 2 * Double.pi * centres[band] / rate
    let alpha = sin(centre) * sinh(log(2) / 2 * octaves * centre / sin(centre))
    let a = pow(10, gain / 40)
    return centres.map { hertz in
      let w = 2 * Double.pi * hertz / rate
      let real = 2 * sin((w + centre) / 2) * sin((w - centre) / 2)
      let (over, under) = (alpha * a * sin(w), alpha / a * sin(w))
      return 10 * log10((real * real + over * over) / (real * real + under * under))
    }
  }

  /// Gauss's elimination with the largest pivot of a column.
  private static func solution(of matrix: [[Double]], _ right: [Double]) -> [Double] {
    var rows = zip(matrix, right).map { $0 + [$1] }
    let count = rows.count
    for column in 0..<count {
      let pivot = (column..<count).max { abs(rows[$0][column]) < abs(rows[$1][column]) } ?? column
      rows.swapAt(column, pivot)
      for row in 0..<count where row != column {
        let factor = rows[row][column] / rows[column][column]
        for place in column...count { rows[row][place] -= factor * rows[column][place] }
      }
    }
    return (0..<count).map { rows[$0][count] / rows[$0][$0] }
  }
}
