import Glibc
import Measurement

/// The number of times that the truth lay within the readings' uncertainty.
public struct CoverageTally: Sendable {
  public struct Row: Sendable {
    public let id: String
    let holdsRatio: Bool
    public fileprivate(set) var count = 0
    public fileprivate(set) var inside = 0
    /// Told as a bound: below a floor, or "at least".
    public fileprivate(set) var bounds = 0
    public fileprivate(set) var errors: [Double] = []
    public fileprivate(set) var uncertainties: [Double] = []

    public var medianError: Double { median(errors) }
    public var medianUncertainty: Double { median(uncertainties) }
    /// The ratio of the ± to the error, in the middle of all devices: each ± beside its own error, as devices differ by
    /// many orders of magnitude.
    public var ratio: Double { 1 / median(zip(errors, uncertainties).filter { $1 > 0 }.map { $0 / $1 }) }

    private func median(_ values: [Double]) -> Double {
      values.isEmpty ? .nan : values.sorted()[values.count / 2]
    }
  }

  /// A reading that the truth was not within.
  public struct Miss: Sendable {
    public let device: String
    public let reading: String
    public let truth: Truth
  }

  /// All that was judged, for people who look at one kind of reading.
  public private(set) var details: [String] = []

  public private(set) var rows: [String: Row] = [:]
  public private(set) var misses: [Miss] = []
  /// The resolution of arithmetic in double.
  private static let resolution = 1e-9

  public init() {}

  /// Adds what a family measured of one of its devices.
  public mutating func add(_ known: KnownDevice, _ findings: Findings, of family: CoverageFamily) {
    let truths = known.truths.merging(known.truthsOfFindings?(findings) ?? [:]) { $1 }
    for (key, truth) in truths.sorted(by: { $0.key.description < $1.key.description }) {
      // Channels that are like the first are reported with it.
      let matching = findings.readings.filter { key.matches($0) }
      var suffix = ""
      if case .nothing = truth { suffix = " (none)" }
      if case .something = truth { suffix = " (some)" }
      let name = "\(family.name) \(key.id)\(suffix)"
      var row = rows[name] ?? Row(id: name, holdsRatio: family.holdsRatio)
      row.count += 1
      guard let reading = matching.first else {
        if truth.allowsNoReading {
          row.inside += 1
        } else {
          misses.append(Miss(device: known.description, reading: "\(key): not read", truth: truth))
        }
        rows[name] = row
        continue
      }
      let isInside: Bool
      switch truth {
      case .nothing: isInside = reading.isBelowFloor || reading.value == -.infinity
      case .something: isInside = !reading.isBelowFloor
      case .value(let value), .valueIfRead(let value):
        if reading.isBelowFloor {
          row.bounds += 1
          isInside = value <= (reading.floor ?? -.infinity) + Self.resolution
        } else if reading.bound == .atLeast {
          row.bounds += 1
          isInside = value >= reading.value - (reading.uncertainty ?? 0) - Self.resolution
        } else {
          let error = abs(reading.value - value)
          let uncertainty = reading.uncertainty ?? 0
          row.errors.append(error)
          row.uncertainties.append(uncertainty)
          details.append("\(name)\t\(reading.value)\t\(value)\t\(error)\t\(uncertainty)\t\(known.description)")
          isInside = error <= uncertainty + Self.resolution
        }
      }
      if isInside {
        row.inside += 1
      } else {
        misses.append(
          Miss(
            device: known.description,
            reading:
              "\(key): \(reading.text) [\(reading.value) ± \(reading.uncertainty ?? 0), floor \(reading.floor ?? .nan)]",
            truth: truth))
      }
      rows[name] = row
    }
  }

  public mutating func add(_ other: CoverageTally) {
    for (name, row) in other.rows {
      var sum = rows[name] ?? Row(id: name, holdsRatio: row.holdsRatio)
      sum.count += row.count
      sum.inside += row.inside
      sum.bounds += row.bounds
      sum.errors += row.errors
      sum.uncertainties += row.uncertainties
      rows[name] = sum
    }
    misses += other.misses
    details += other.details
  }

  /// The parts of the promise that do not hold: the truth inside in 95 of 100 of all, in 90 of each kind, bounds
  /// included; and of devices that are steady bounds in 5 of 100 at most, and no ± so wide that it is meaningless. For
  /// errors made by chance the interval that holds 95 of 100 is 1.96 ÷ 0.674 = 2.9 times their median.
  public var shortfalls: [String] {
    let (inside, all) = rows.values.reduce((0, 0)) { ($0.0 + $1.inside, $0.1 + $1.count) }
    let whole = Double(inside) < 0.95 * Double(all) ? ["all together: \(inside) of \(all) inside"] : []
    return whole
      + rows.values.sorted { $0.id < $1.id }.flatMap { row -> [String] in
        var texts: [String] = []
        let count = Double(row.count)
        if Double(row.inside) < 0.9 * count { texts.append("\(row.id): \(row.inside) of \(row.count) inside") }
        if row.holdsRatio, Double(row.bounds) > 0.05 * count {
          texts.append("\(row.id): \(row.bounds) of \(row.count) are bounds")
        }
        if row.holdsRatio, row.medianUncertainty > 10 * Self.resolution, row.ratio > Self.largestRatio {
          texts.append("\(row.id): the median ± is \((row.ratio * 10).rounded() / 10) times the median error")
        }
        return texts
      }
  }

  private static let largestRatio = 4.0

  /// A line for each kind of reading.
  public var table: String {
    func padded(_ text: String, _ width: Int) -> String {
      text + String(repeating: " ", count: max(1, width - text.count))
    }
    func number(_ value: Double) -> String {
      guard value.isFinite, value != 0 else { return value == 0 ? "0" : "-" }
      let exponent = Int(log10(abs(value)).rounded(.down))
      let mantissa = (value / pow(10, Double(exponent)) * 100).rounded() / 100
      return exponent >= -3 && exponent < 4 ? "\((value * 1e5).rounded() / 1e5)" : "\(mantissa)e\(exponent)"
    }
    let head =
      padded("reading", 34) + padded("devices", 9) + padded("inside", 9) + padded("bounds", 9)
      + padded("median ±", 12) + padded("median error", 14) + "ratio\n"
    return rows.values.sorted { $0.id < $1.id }.reduce(head) { text, row in
      text + padded(row.id, 34) + padded("\(row.count)", 9)
        + padded("\((1000 * Double(row.inside) / Double(row.count)).rounded() / 10)%", 9)
        + padded("\((1000 * Double(row.bounds) / Double(row.count)).rounded() / 10)%", 9)
        + padded(number(row.medianUncertainty), 12) + padded(number(row.medianError), 14)
        + "\((row.ratio * 10).rounded() / 10)\n"
    }
  }
}
