import AudioCore
import DSPKernels

/// The N-band equalizer: any number of second-order bands in series, each of eleven types, and a global gain.
///
/// Sections are those of the Audio EQ Cookbook; what each type takes its width from is this project's definition.
public final class NBandEQ: FilterEffect, @unchecked Sendable {
  public static let component = Component(
    ComponentDescription(type: .effect, subType: "nbeq"), shortName: "nBandEQ", name: "Apple: AUNBandEQ",
    summary: "An equalizer of any number of bands, each of eleven filter types, with a global gain."
  ) { NBandEQ() }

  /// What a band is. The raw values are those of the filter-type parameter.
  public enum FilterType: UInt32, Sendable, CaseIterable {
    case parametric = 0
    case lowPass = 1
    case highPass = 2
    case resonantLowPass = 3
    case resonantHighPass = 4
    case bandPass = 5
    case bandStop = 6
    case lowShelf = 7
    case highShelf = 8
    case resonantLowShelf = 9
    case resonantHighShelf = 10

    public var name: String { String(describing: self) }
    public init?(name: String) {
      guard let type = FilterType.allCases.first(where: { $0.name == name }) else { return nil }
      self = type
    }
  }

  /// One band, as a host sets it. Values outside the parameters' ranges are kept as given.
  public struct Band: Hashable, Sendable {
    public var type: FilterType
    public var frequencyHertz: Float
    public var bandwidthOctaves: Float
    public var gainDecibels: Float
    public var isBypassed: Bool

    public init(
      _ type: FilterType = .parametric, frequencyHertz: Float = 1000, bandwidthOctaves: Float = 0.5,
      gainDecibels: Float = 0, isBypassed: Bool = false
    ) {
      self.type = type
      self.frequencyHertz = frequencyHertz
      self.bandwidthOctaves = bandwidthOctaves
      self.gainDecibels = gainDecibels
      self.isBypassed = isBypassed
    }
  }

  /// The parameters; all but the global gain are offset by the band's index.
  public enum Parameter: UInt32, Sendable {
    case globalGain = 0
    case bypassBand = 1000
    case filterType = 2000
    case frequency = 3000
    case gain = 4000
    case bandwidth = 5000
  }

  /// Parameter ids of neighbouring kinds are 1000 apart, so more bands than that cannot be told apart.
  public static let maximumNumberOfBands = 1000
  private var bandCount: Int

  /// A fresh unit has 8 bands, all bypassed.
  public init(numberOfBands: Int = 8) {
    precondition((0...Self.maximumNumberOfBands).contains(numberOfBands))
    bandCount = numberOfBands
    super.init(Self.component)
  }

  /// A unit with these bands, in order.
  public convenience init(_ bands: [Band], globalGainDecibels: Float = 0) throws(AudioStatus) {
    guard bands.count <= Self.maximumNumberOfBands else { throw .invalidPropertyValue }
    self.init(numberOfBands: bands.count)
    for (index, band) in bands.enumerated() { try setBand(index, to: band) }
    try setParameter(ParameterAddress(Parameter.globalGain.rawValue), to: globalGainDecibels)
  }

  public var numberOfBands: Int { bandCount }

  public func setNumberOfBands(_ count: Int) throws(AudioStatus) {
    guard !isInitialized else { throw .initialized }
    guard (0...Self.maximumNumberOfBands).contains(count) else { throw .invalidPropertyValue }
    bandCount = count
    parameterTablesDidChange()
  }

  /// Sets all parameters of a band.
  public func setBand(_ index: Int, to band: Band) throws(AudioStatus) {
    guard (0..<bandCount).contains(index) else { throw .invalidParameter }
    try setParameter(Self.address(.filterType, band: index), to: Float(band.type.rawValue))
    try setParameter(Self.address(.frequency, band: index), to: band.frequencyHertz)
    try setParameter(Self.address(.bandwidth, band: index), to: band.bandwidthOctaves)
    try setParameter(Self.address(.gain, band: index), to: band.gainDecibels)
    try setParameter(Self.address(.bypassBand, band: index), to: band.isBypassed ? 1 : 0)
  }

  public static func address(_ parameter: Parameter, band: Int) -> ParameterAddress {
    ParameterAddress(parameter == .globalGain ? 0 : parameter.rawValue + UInt32(band))
  }

  public override func parameterTable(_ scope: Scope, element: Int) -> [ParameterDescriptor] {
    guard scope == .global else { return [] }
    let gain = ParameterDescriptor(0, "globalGain", unit: .decibels, -96...24, initial: 0)
    return [gain] + (0..<UInt32(bandCount)).flatMap { Self.rows(ofBand: $0) }
  }

  /// Names carry the band: `frequency3`. The order is that of ``NBandDesign``'s slots.
  private static func rows(ofBand band: UInt32) -> [ParameterDescriptor] {
    [
      ParameterDescriptor(
        Parameter.bypassBand.rawValue + band, "bypassBand\(band)", unit: .boolean, 0...1, initial: 1),
      ParameterDescriptor(
        Parameter.filterType.rawValue + band, "filterType\(band)", unit: .indexed, 0...10, initial: 0,
        valueNames: FilterType.allCases.map(\.name)),
      ParameterDescriptor(
        Parameter.frequency.rawValue + band, "frequency\(band)", unit: .hertz, 20...Float.infinity, initial: 1000),
      ParameterDescriptor(Parameter.gain.rawValue + band, "gain\(band)", unit: .decibels, -96...24, initial: 0),
      ParameterDescriptor(
        Parameter.bandwidth.rawValue + band, "bandwidth\(band)", unit: .octaves, 0.05...5, initial: 0.5),
    ]
  }

  private var design: NBandDesign { NBandDesign(sectionCount: bandCount) }
  public override func makeProcessor() throws(AudioStatus) -> Processor { makeFilter(design) }
  public override var processorBytes: Int { filterBytes(sections: bandCount) }
  public override var tailFrames: Int64? { tail(of: design) }

  public override var ownProperties: [PropertyDescriptor] { super.ownProperties + Self.propertyTable }

  private static let propertyTable: [PropertyDescriptor] = [
    .of(
      NBandEQ.self, .numberOfBands, "numberOfBands", type: "UInt32",
      get: { (unit, _, _) throws(AudioStatus) in .uint32(UInt32(unit.numberOfBands)) },
      set: { (unit, _, _, value) throws(AudioStatus) in
        guard case .uint32(let count) = value else { throw .invalidPropertyValue }
        try unit.setNumberOfBands(Int(count))
      }),
    .of(
      NBandEQ.self, .maximumNumberOfBands, "maximumNumberOfBands", type: "UInt32",
      get: { (_, _, _) throws(AudioStatus) in .uint32(UInt32(NBandEQ.maximumNumberOfBands)) }),
    .of(
      NBandEQ.self, .biquadCoefficients, "biquadCoefficients", type: "Float64[5 × bands]: b0 b1 b2 a1 a2",
      get: { (unit, _, _) throws(AudioStatus) in
        let rate = unit.outputs[0].format.sampleRate
        return .float64s(
          (0..<unit.bandCount).flatMap { band -> [Double] in
            let section =
              unit.design.coefficients(ofSection: band, sampleRate: rate) { Double(unit.store[$0]) } ?? .identity
            return [section.b0, section.b1, section.b2, section.a1, section.a2]
          })
      }),
  ]
}

/// How an N-band equalizer's parameters become sections: slot 0 is the global gain, then five slots a band.
struct NBandDesign: FilterDesign {
  let sectionCount: Int

  func slots(ofSection section: Int) -> Range<Int> { (1 + 5 * section)..<(6 + 5 * section) }

  /// Held to what a section may give, upwards: 0 × infinity would be no number.
  func outputGain(value: (Int) -> Double) -> Double {
    Decibels.amplitude(min(CookbookFilter.largestGainDecibels, value(0)))
  }

  func coefficients(ofSection section: Int, sampleRate: Double, value: (Int) -> Double) -> BiquadCoefficients? {
    let slot = 1 + 5 * section
    guard value(slot) == 0 else { return nil }
    let frequency = value(slot + 2)
    let gain = value(slot + 3)
    let bandwidth = value(slot + 4)
    let width = CookbookFilter.Width.bandwidthOctaves(bandwidth)
    let resonance = CookbookFilter.Width.q(fromBandwidthOctaves: bandwidth)
    let butterworth = CookbookFilter.Width.q(0.5.squareRoot())
    switch NBandEQ.FilterType(rawValue: UInt32(min(10, max(0, value(slot + 1))))) ?? .parametric {
    case .parametric:
      return CookbookFilter.peaking(
        atHertz: frequency, sampleRate: sampleRate, width: width, gainDecibels: gain)
    case .lowPass: return CookbookFilter.lowPass(atHertz: frequency, sampleRate: sampleRate, width: butterworth)
    case .highPass:
      return CookbookFilter.highPass(atHertz: frequency, sampleRate: sampleRate, width: butterworth)
    case .resonantLowPass:
      return CookbookFilter.lowPass(atHertz: frequency, sampleRate: sampleRate, width: resonance)
    case .resonantHighPass:
      return CookbookFilter.highPass(atHertz: frequency, sampleRate: sampleRate, width: resonance)
    case .bandPass: return CookbookFilter.bandPass(atHertz: frequency, sampleRate: sampleRate, width: width)
    case .bandStop: return CookbookFilter.notch(atHertz: frequency, sampleRate: sampleRate, width: width)
    case .lowShelf:
      return CookbookFilter.lowShelf(
        atHertz: frequency, sampleRate: sampleRate, width: .shelfSlope1, gainDecibels: gain)
    case .highShelf:
      return CookbookFilter.highShelf(
        atHertz: frequency, sampleRate: sampleRate, width: .shelfSlope1, gainDecibels: gain)
    case .resonantLowShelf:
      return CookbookFilter.lowShelf(
        atHertz: frequency, sampleRate: sampleRate, width: resonance, gainDecibels: gain)
    case .resonantHighShelf:
      return CookbookFilter.highShelf(
        atHertz: frequency, sampleRate: sampleRate, width: resonance, gainDecibels: gain)
    }
  }
}
