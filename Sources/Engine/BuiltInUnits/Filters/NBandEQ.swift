import AudioCore
import AudioEngine
import DSPKernels
import Glibc

/// The N-band equalizer: any number of second-order bands in series, each of eleven types, and a global gain.
///
/// Sections are those of the Audio EQ Cookbook; what each type takes its width from is this project's definition.
///
/// ```swift
/// let equalizer = try NBandEQ([
///   .init(.parametric, frequencyHertz: 350, bandwidthOctaves: 1, gainDecibels: -4),
///   .init(.highShelf, frequencyHertz: 8000, gainDecibels: 3),
/// ])
/// let response = try #require(equalizer.closedForm(sampleRate: 48_000))
/// #expect(abs(try #require(response.magnitudeDecibels(atHertz: 350)) + 4) < 0.1)
/// ```
public final class NBandEQ: FilterEffect, HostedUnit, @unchecked Sendable {
  /// `aufx nbeq appl`, in graph files `nBandEQ`.
  package static let component = Component(
    ComponentDescription(type: .effect, subType: "nbeq"), shortName: "nBandEQ", name: "Apple: AUNBandEQ",
    summary: "An equalizer of any number of bands, each of eleven filter types, with a global gain."
  ) { NBandEQ() }

  /// The kind of a band. The raw values are those of the filter-type parameter.
  public enum FilterType: UInt32, NamedChoice {
    /// A bell of the given gain and bandwidth.
    case parametric = 0
    /// A low pass of second order, Butterworth.
    case lowPass = 1
    /// A high pass of second order, Butterworth.
    case highPass = 2
    /// A low pass whose resonance follows from the bandwidth.
    case resonantLowPass = 3
    /// A high pass whose resonance follows from the bandwidth.
    case resonantHighPass = 4
    /// A band pass of the given bandwidth.
    case bandPass = 5
    /// A notch of the given bandwidth.
    case bandStop = 6
    /// A low shelf of the given gain.
    case lowShelf = 7
    /// A high shelf of the given gain.
    case highShelf = 8
    /// A low shelf whose Q follows from the bandwidth.
    case resonantLowShelf = 9
    /// A high shelf whose Q follows from the bandwidth.
    case resonantHighShelf = 10

    /// True when the bandwidth applies to a pass or a shelf: the plain types have a width of their own.
    var isResonant: Bool {
      switch self {
      case .resonantLowPass, .resonantHighPass, .resonantLowShelf, .resonantHighShelf: true
      default: false
      }
    }

    /// The type for a value of the parameter; those beside the range are kept as given, and mean its ends.
    init(parameterValue value: Double) {
      self = FilterType(rawValue: UInt32(clamping: min(10, max(0, value)))) ?? .parametric
    }
  }

  /// One band, as a host sets it. Values outside the parameters' ranges are kept as given.
  public struct Band: Hashable, Sendable {
    /// Decides which of the other values the band has a use for.
    public var type: FilterType
    /// Hertz, 20 to half the sample rate: centre, corner or middle of the shelf.
    public var frequencyHertz: Float
    /// Octaves, 0.05 to 5. Without effect on `lowPass`, `highPass`, `lowShelf` and `highShelf`.
    public var bandwidthOctaves: Float
    /// Decibels, −96 to 24, of `parametric` and the shelves; without effect on the others.
    public var gainDecibels: Float
    /// True: the band passes the sound unchanged.
    public var isBypassed: Bool

    /// A band that is in use; by default at 1000 Hz, half an octave wide and 0 dB.
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
    /// Decibels, of the whole unit.
    case globalGain = 0
    /// 1: the band passes the sound unchanged.
    case bypassBand = 1000
    /// A ``FilterType``, by its raw value.
    case filterType = 2000
    /// Hertz.
    case frequency = 3000
    /// Decibels.
    case gain = 4000
    /// Octaves.
    case bandwidth = 5000
  }

  /// Parameter ids of neighbouring kinds are 1000 apart, so more bands would overlap.
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

  /// 0 to ``maximumNumberOfBands``, bypassed ones included.
  public var numberOfBands: Int { bandCount }

  /// New bands are bypassed, and those that stay keep their values.
  /// - Parameter count: 0 to ``maximumNumberOfBands``.
  /// - Throws: `.initialized` unless the unit is open, `.invalidPropertyValue` outside of the range.
  public func setNumberOfBands(_ count: Int) throws(AudioStatus) {
    guard !isInitialized else { throw .initialized }
    guard (0...Self.maximumNumberOfBands).contains(count) else { throw .invalidPropertyValue }
    bandCount = count
    rebuildStore()
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

  /// - Parameters:
  ///   - parameter: one of a band's.
  ///   - band: from 0 on; left out of account for the global gain.
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
        valueNames: FilterType.names),
      ParameterDescriptor(
        Parameter.frequency.rawValue + band, "frequency\(band)", unit: .hertz, 20...Float.infinity, initial: 1000),
      ParameterDescriptor(Parameter.gain.rawValue + band, "gain\(band)", unit: .decibels, -96...24, initial: 0),
      ParameterDescriptor(
        Parameter.bandwidth.rawValue + band, "bandwidth\(band)", unit: .octaves, 0.05...5, initial: 0.5),
    ]
  }

  private var design: NBandDesign { NBandDesign(sectionCount: bandCount) }
  public override func makeEffect() throws(AudioStatus) -> EffectProcessor { makeFilter(design) }
  public override var processorBytes: Int { filterBytes(sections: bandCount) }
  public override var tailFrames: Int64? { tail(of: design) }

  public override var ownProperties: [PropertyDescriptor] { super.ownProperties + Self.propertyTable }

  private static let propertyTable: [PropertyDescriptor] = [
    PropertyDescriptor(
      .numberOfBands, "numberOfBands", .uint32(), of: NBandEQ.self, get: { unit, _, _ in unit.numberOfBands },
      set: { (unit, _, _, count) throws(AudioStatus) in try unit.setNumberOfBands(count) }),
    PropertyDescriptor(
      .maximumNumberOfBands, "maximumNumberOfBands", .uint32(), of: NBandEQ.self,
      get: { _, _, _ in NBandEQ.maximumNumberOfBands }),
    PropertyDescriptor(
      .biquadCoefficients, "biquadCoefficients", .float64s("5 × bands", "b0 b1 b2 a1 a2"), of: NBandEQ.self,
      get: { unit, _, _ in
        let rate = unit.outputs[0].format.sampleRate
        return (0..<unit.bandCount).flatMap { band -> [Double] in
          let section =
            unit.design.coefficients(ofSection: band, sampleRate: rate) { Double(unit.store[$0]) } ?? .identity
          return [section.b0, section.b1, section.b2, section.a1, section.a2]
        }
      }),
  ]

  // MARK: In graph files

  public override var graphKeys: [GraphKey] { Self.graphKeyTable }

  private static let graphKeyTable: [GraphKey] = [
    GraphKey(
      "bands", "a list of {type, frequency, bandwidth, gain, bypass}: Hz, octaves, dB", of: NBandEQ.self,
      schema: [
        "type": "array", "maxItems": .number(Double(maximumNumberOfBands)), "default": [],
        "items": [
          "type": "object", "additionalProperties": false,
          "properties": [
            "type": .object(JSONForm<FilterType>.choice.schema.merging(["default": "parametric"]) { $1 }),
            "frequency": quantity("Hertz: 1000 or \"1kHz\".", default: 1000),
            "bandwidth": quantity("Octaves.", default: 0.5), "gain": quantity("Decibels: -4 or \"-4dB\".", default: 0),
            "bypass": ["type": "boolean", "default": false],
          ],
        ],
      ],
      apply: { (unit, node, _) throws(BenchError) in try unit.readBands(&node) }),
    GraphKey(
      "globalGain", "dB", .quantity(.decibels), of: NBandEQ.self,
      get: { try? $0.parameter(address(.globalGain, band: 0)) }
    ) {
      (unit, gain) throws(AudioStatus) in try unit.setParameter(address(.globalGain, band: 0), to: gain)
    },
  ]

  private static func quantity(_ meaning: String, default initial: Double) -> JSONValue {
    .object(
      JSONValue.quantitySchema().merging(["default": .number(initial), "description": .string(meaning)]) { $1 })
  }

  /// Reads the bands that are listed, and no other. Keys of a band that are not written stay as they are: a default is
  /// no setting.
  private func readBands(_ node: inout JSONObject) throws(BenchError) {
    let list = try node.list("bands") ?? []
    guard list.count <= Self.maximumNumberOfBands else {
      throw node.error("bands", "at most \(Self.maximumNumberOfBands) bands, found \(list.count)")
    }
    var values: [(address: ParameterAddress, value: Float)] = []
    for (index, value) in list.enumerated() {
      var band = try node.part(value, at: "bands[\(index)]")
      let type = try band.choice("type", of: FilterType.self)
      let written: [(Parameter, Float?)] = [
        (.filterType, type.map { Float($0.rawValue) }), (.frequency, try band.floatQuantity("frequency", .frequency)),
        (.bandwidth, try band.floatQuantity("bandwidth", .octaves)),
        (.gain, try band.floatQuantity("gain", .decibels)),
        // A fresh band is bypassed, one that is listed is not.
        (.bypassBand, try band.bool("bypass") ?? false ? 1 : 0),
      ]
      try band.finish()
      for case (let parameter, let value?) in written {
        values.append((Self.address(parameter, band: index), value))
      }
    }
    do {
      try setNumberOfBands(list.count)
      for (address, value) in values { try setParameter(address, to: value) }
    } catch {
      throw BenchError(.graph, at: node.place, "\(error)")
    }
  }

  public override var parameterGroups: [ParameterGroup] {
    let names: KeyValuePairs<String, Parameter> = [
      "type": .filterType, "frequency": .frequency, "bandwidth": .bandwidth, "gain": .gain, "bypass": .bypassBand,
    ]
    return [
      ParameterGroup(
        "band", count: bandCount,
        parameters: names.map { (name, parameter) in (name, { Self.address(parameter, band: $0) }) })
    ]
  }

  // As on the systems it comes from: the simple effects have it, the equalizers of many bands do not.
  package var hostTraits: HostTraits { HostTraits(self, properties: []) }

  // MARK: The closed form

  override func addSections(to response: inout AnalogResponse, value: (Int) -> Double) {
    response.gainDecibels = value(0)
    for band in 0..<bandCount where value(1 + 5 * band) == 0 {
      let slot = 1 + 5 * band
      let (hertz, gain, octaves) = (value(slot + 2), value(slot + 3), value(slot + 4))
      // A width in octaves that is not bent by the transform: 1/Q = 2·sinh(ln 2/2 · B).
      let type = FilterType(parameterValue: value(slot + 1))
      let width = AnalogResponse.Width.damping(type.isResonant ? 2 * sinh(M_LN2 / 2 * octaves) : 2.squareRoot())
      switch type {
      case .parametric: response.peaking(hertz, .octaves(octaves), gainDecibels: gain)
      case .lowPass, .resonantLowPass: response.lowPass(hertz, width)
      case .highPass, .resonantHighPass: response.highPass(hertz, width)
      case .bandPass: response.bandPass(hertz, .octaves(octaves))
      case .bandStop: response.notch(hertz, .octaves(octaves))
      case .lowShelf, .resonantLowShelf: response.lowShelf(hertz, width, gainDecibels: gain)
      case .highShelf, .resonantHighShelf: response.highShelf(hertz, width, gainDecibels: gain)
      }
    }
  }
}

extension PropertyID {
  /// `kAUNBandEQProperty_NumberOfBands`: 0 to 1000. While open only.
  package static let numberOfBands = PropertyID(2200)
  /// `kAUNBandEQProperty_MaxNumberOfBands`: 1000. Read-only.
  package static let maximumNumberOfBands = PropertyID(2201)
  /// `kAUNBandEQProperty_BiquadCoefficients`: b0 b1 b2 a1 a2 of each band at its present values, 1 0 0 0 0 where
  /// bypassed. Read-only.
  public static let biquadCoefficients = PropertyID(2203)
}

extension NBandEQ.Band {
  /// The value of a slot of a design of this one band.
  private func value(_ slot: Int) -> Double {
    switch slot {
    case 1: isBypassed ? 1 : 0
    case 2: Double(type.rawValue)
    case 3: Double(frequencyHertz)
    case 4: Double(gainDecibels)
    case 5: Double(bandwidthOctaves)
    default: 0
    }
  }

  /// The section of the band, as an equalizer renders it; nil where it is bypassed.
  func section(sampleRate: Double) -> BiquadCoefficients? {
    NBandDesign(sectionCount: 1).coefficients(ofSection: 0, sampleRate: sampleRate, value: value)
  }

  /// Frames until the band has decayed by 120 dB; one minute at most.
  func tailFrames(sampleRate: Double) -> Int64 {
    NBandDesign(sectionCount: 1).tailFrames(sampleRate: sampleRate, value: value)
  }
}

/// The design of an N-band equalizer: slot 0 is the global gain, then five slots a band.
struct NBandDesign: FilterDesign {
  let sectionCount: Int

  func slots(ofSection section: Int) -> Range<Int> { (1 + 5 * section)..<(6 + 5 * section) }

  /// Clamped to the largest gain of a section: 0 × infinity would be no number.
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
    let type = NBandEQ.FilterType(parameterValue: value(slot + 1))
    let passWidth = type.isResonant ? resonance : .q(0.5.squareRoot())
    let shelfWidth = type.isResonant ? resonance : .shelfSlope1
    return switch type {
    case .parametric:
      CookbookFilter.peaking(
        atHertz: frequency, sampleRate: sampleRate, width: width, gainDecibels: gain)
    case .lowPass, .resonantLowPass:
      CookbookFilter.lowPass(atHertz: frequency, sampleRate: sampleRate, width: passWidth)
    case .highPass, .resonantHighPass:
      CookbookFilter.highPass(atHertz: frequency, sampleRate: sampleRate, width: passWidth)
    case .bandPass: CookbookFilter.bandPass(atHertz: frequency, sampleRate: sampleRate, width: width)
    case .bandStop: CookbookFilter.notch(atHertz: frequency, sampleRate: sampleRate, width: width)
    case .lowShelf, .resonantLowShelf:
      CookbookFilter.lowShelf(
        atHertz: frequency, sampleRate: sampleRate, width: shelfWidth, gainDecibels: gain)
    case .highShelf, .resonantHighShelf:
      CookbookFilter.highShelf(
        atHertz: frequency, sampleRate: sampleRate, width: shelfWidth, gainDecibels: gain)
    }
  }
}
