import AudioCore
import AudioEngine
import DSPKernels
import Glibc

/// An equalizer of 10 bands an octave apart, or 31 bands a third apart, that has the gains that are set at the bands'
/// centres.
///
/// One cookbook peaking section a band, as wide as its distance to the next, with centres 1000 Hz · 2^k (31.25 Hz to 16
/// kHz) or 1000 Hz · 2^(k/3) (19.7 Hz to 20.2 kHz). Neighbours add up at each other's centres, so the sections' gains
/// are not those that are set, but solved for them. Bands above 0.45 of the rate are silent.
///
/// ```swift
/// let equalizer = GraphicEQ()
/// try equalizer.setBands(.octaves)
/// // The bands lie at 31.25 Hz · 2^band: 1 kHz is that of 5.
/// try equalizer.setGain(6, band: 5)
/// expect(equalizer, reading: "gainMaximum", of: .linear, equals: 6, within: 0.1)
/// ```
public final class GraphicEQ: FilterEffect, HostedUnit, @unchecked Sendable {
  /// `aufx greq appl`, in graph files `graphicEQ`.
  package static let component = Component(
    ComponentDescription(type: .effect, subType: "greq"), shortName: "graphicEQ", name: "Apple: AUGraphicEQ",
    summary: "An equalizer of 10 or 31 bands with the gains that are set at their centres."
  ) { GraphicEQ() }

  /// The bands. The raw values are those of the parameter.
  public enum Bands: UInt32, NamedChoice {
    /// 10, an octave apart.
    case octaves = 0
    /// 31, a third of an octave apart.
    case thirds = 1

    /// The number of bands.
    public var count: Int { self == .octaves ? 10 : 31 }
    /// Octaves from one to the next.
    var distance: Double { self == .octaves ? 1 : 1.0 / 3 }
    /// Hertz, of a band from 0 on.
    package func centerHertz(_ band: Int) -> Double {
      1000 * exp2((Double(band) - (self == .octaves ? 5 : 17)) * distance)
    }
    /// 10 and 31 are understood as well as the index.
    init(parameterValue value: Double) { self = value < 0.5 || value == 10 ? .octaves : .thirds }
  }

  /// The id of ``Bands``; those of gains are the numbers of the bands.
  package static let numberOfBandsID: UInt32 = 10_000
  fileprivate static let mostBands = 31

  /// 31 bands at 0 dB.
  public init() { super.init(Self.component, parameters: Self.table) }
  private static let table =
    (0..<UInt32(mostBands)).map {
      ParameterDescriptor($0, "gain\($0)", unit: .decibels, -20...20, initial: 0)
    } + [
      ParameterDescriptor(
        numberOfBandsID, "numberOfBands", unit: .indexed, 0...1, initial: 1, valueNames: ["10 bands", "31 bands"])
    ]

  /// Sets a band's gain, decibels.
  public func setGain(_ decibels: Float, band: Int) throws(AudioStatus) {
    guard (0..<Self.mostBands).contains(band) else { throw .invalidParameter }
    try setParameter(ParameterAddress(UInt32(band)), to: decibels)
  }

  /// Sets which bands there are.
  public func setBands(_ bands: Bands) throws(AudioStatus) {
    try setParameter(ParameterAddress(Self.numberOfBandsID), to: Float(bands.rawValue))
  }

  private var design: GraphicDesign { GraphicDesign(sampleRate: format.sampleRate) }
  public override func makeEffect() throws(AudioStatus) -> EffectProcessor { makeFilter(design) }
  public override var processorBytes: Int { filterBytes(sections: Self.mostBands) + (40 << 10) }
  public override var tailFrames: Int64? { tail(of: design) }
  package var hostTraits: HostTraits { HostTraits(self, properties: []) }

  override func addSections(to response: inout AnalogResponse, value: (Int) -> Double) {
    let design = design
    let bands = Bands(parameterValue: value(Self.mostBands))
    for (band, gain) in design.gains(value).enumerated() where gain != 0 {
      response.peaking(bands.centerHertz(band), .octaves(bands.distance), gainDecibels: gain)
    }
  }
}

/// The design of a graphic equalizer: a slot for each gain, and one for the choice of bands.
private struct GraphicDesign: FilterDesign {
  let sectionCount = GraphicEQ.mostBands
  private let octaves: GraphicSolver
  private let thirds: GraphicSolver

  init(sampleRate: Double) {
    octaves = GraphicSolver(.octaves, sampleRate: sampleRate)
    thirds = GraphicSolver(.thirds, sampleRate: sampleRate)
  }

  func slots(ofSection section: Int) -> Range<Int> { 0..<GraphicEQ.mostBands + 1 }

  private func solver(_ value: (Int) -> Double) -> GraphicSolver {
    GraphicEQ.Bands(parameterValue: value(GraphicEQ.mostBands)) == .octaves ? octaves : thirds
  }

  /// The gains of the bands in use.
  func gains(_ value: (Int) -> Double) -> [Double] {
    let solver = solver(value)
    return (0..<solver.bandCount).map { solver.gain($0, value) }
  }

  func coefficients(ofSection section: Int, sampleRate: Double, value: (Int) -> Double) -> BiquadCoefficients? {
    let solver = solver(value)
    guard section < solver.bandCount else { return nil }
    let gain = solver.gain(section, value)
    guard gain != 0 else { return nil }
    return CookbookFilter.peaking(
      atHertz: solver.bands.centerHertz(section), sampleRate: sampleRate,
      width: .bandwidthOctaves(solver.bands.distance), gainDecibels: gain)
  }
}

/// Finds the sections' gains by Newton's method. Allocates nothing after init; one thread at a time.
private final class GraphicSolver {
  /// Five are enough for any gains of ±20 dB, at any rate.
  private static let mostRounds = 12
  private static let smallestError = 1e-9
  private static let mostDecibels = 60.0

  let bands: GraphicEQ.Bands
  /// Those that are heard at this rate.
  let bandCount: Int
  /// The values at centre i of section j: (1 − x²)² and (d·x)², x the transformed frequency, d = 1/Q.
  private let apart: FlatMemory<(square: Double, damped: Double)>
  private let wanted: FlatMemory<Double>
  private let gains: FlatMemory<Double>
  /// Linear, of the gains.
  private let powers: FlatMemory<Double>
  /// The equations of a round, by rows: what a decibel of each section does at a centre, and behind these the error there.
  private let equations: FlatMemory<Double>

  init(_ bands: GraphicEQ.Bands, sampleRate: Double) {
    self.bands = bands
    let count = (0..<bands.count).count { bands.centerHertz($0) < 0.45 * sampleRate }
    bandCount = count
    apart = FlatMemory(repeating: (0, 0), count: max(1, count * count))
    wanted = FlatMemory(repeating: 0, count: max(1, count))
    gains = FlatMemory(repeating: 0, count: max(1, count))
    powers = FlatMemory(repeating: 1, count: max(1, count))
    equations = FlatMemory(repeating: 0, count: max(1, count * (count + 1)))
    for j in 0..<count {
      let omega = 2 * .pi * bands.centerHertz(j) / sampleRate
      let damping = 2 * sinh(M_LN2 / 2 * bands.distance * omega / sin(omega))
      for i in 0..<count {
        let x = tan(.pi * bands.centerHertz(i) / sampleRate) / tan(omega / 2)
        apart[i * count + j] = ((1 - x * x) * (1 - x * x), damping * x * damping * x)
      }
    }
  }

  /// The gain of a section, for gains that are wanted at the centres.
  func gain(_ band: Int, _ value: (Int) -> Double) -> Double {
    for place in 0..<bandCount where wanted[place] != value(place) {
      solve(value)
      break
    }
    return gains[band]
  }

  private func solve(_ value: (Int) -> Double) {
    var isFlat = true
    for place in 0..<bandCount {
      wanted[place] = value(place)
      // About what neighbours leave to be done.
      gains[place] = 0.5 * bounded(value(place), 20)
      if value(place) != 0 { isFlat = false }
    }
    if isFlat { return }
    for _ in 0..<Self.mostRounds {
      if setUp() < Self.smallestError { return }
      eliminate()
      for section in 0..<bandCount {
        let step = equations[section * (bandCount + 1) + bandCount]
        gains[section] = bounded(gains[section] + step, Self.mostDecibels)
      }
    }
  }

  private func bounded(_ decibels: Double, _ most: Double) -> Double { min(most, max(-most, decibels)) }

  /// Writes the equations at the present gains.
  /// - Returns: the largest error, decibels.
  private func setUp() -> Double {
    for section in 0..<bandCount { powers[section] = Decibels.amplitude(gains[section]) }
    var largest = 0.0
    for centre in 0..<bandCount {
      let row = equations.all + centre * (bandCount + 1)
      var ratio = 1.0
      for section in 0..<bandCount {
        let (square, damped) = apart[centre * bandCount + section]
        let (above, below) = (damped * powers[section], damped / powers[section])
        // The derivative of 10·log10((square + above)/(square + below)), by decibels of the section's gain.
        row[section] = 0.5 * (above / (square + above) + below / (square + below))
        ratio *= (square + above) / (square + below)
      }
      let error = bounded(wanted[centre], 20) - 10 * log10(ratio)
      row[bandCount] = error
      largest = max(largest, abs(error))
    }
    return largest
  }

  /// Solves the equations, by Gauss and Jordan with the largest pivot: the errors' column becomes the steps.
  private func eliminate() {
    let (count, width) = (bandCount, bandCount + 1)
    for column in 0..<count {
      var pivot = column
      for row in column..<count
      where abs(equations[row * width + column]) > abs(equations[pivot * width + column]) { pivot = row }
      let own = equations.all + column * width
      if pivot != column {
        for place in column..<width { swap(&own[place], &equations[pivot * width + place]) }
      }
      let scale = 1 / own[column]
      for place in column..<width { own[place] *= scale }
      for row in 0..<count where row != column {
        let other = equations.all + row * width
        let factor = other[column]
        for place in column..<width { other[place] -= factor * own[place] }
      }
    }
  }
}
