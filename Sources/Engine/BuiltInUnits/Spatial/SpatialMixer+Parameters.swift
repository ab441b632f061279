import AudioCore
import AudioEngine

extension SpatialMixer.Layout {
  /// Rows of an input: its parameters and its meters.
  var inputRows: Int { inputTable.count }
  var globalRows: Int { globalTable.count }

  func table(_ scope: Scope) -> [ParameterDescriptor] {
    switch scope {
    case .global: globalTable
    case .input: inputTable
    case .output: Self.outputTable
    default: []
    }
  }

  /// In the order of ``SpatialMixer/Parameter``, the meters behind them.
  var inputTable: [ParameterDescriptor] { self == .spatial ? Self.spatialInputs : Self.legacyInputs }
  /// The gain of the reverb, and for the spatial mixer how the head is turned.
  var globalTable: [ParameterDescriptor] { self == .spatial ? Self.spatialGlobals : Self.legacyGlobals }

  private static let meters = MixerMeter.allCases.map(\.descriptor)
  private static let outputTable =
    [ParameterDescriptor(3, "gain", unit: .decibels, -120...20, initial: 0)] + meters

  private static let place = [
    ParameterDescriptor(0, "azimuth", unit: .degrees, -180...180, initial: 0),
    ParameterDescriptor(1, "elevation", unit: .degrees, -90...90, initial: 0),
    ParameterDescriptor(2, "distance", unit: .meters, 0...10_000, initial: 0),
    ParameterDescriptor(3, "gain", unit: .decibels, -120...20, initial: 0),
    ParameterDescriptor(4, "playbackRate", unit: .rate, 0.5...2, initial: 1),
  ]

  private static let spatialInputs =
    place + [
      ParameterDescriptor(5, "enable", unit: .boolean, 0...1, initial: 1),
      ParameterDescriptor(6, "minGain", unit: .linearGain, 0...10, initial: 0),
      ParameterDescriptor(7, "maxGain", unit: .linearGain, 0...10, initial: 10),
      ParameterDescriptor(8, "reverbBlend", unit: .percent, 0...100, initial: 30),
      ParameterDescriptor(10, "occlusionAttenuation", unit: .decibels, -100...0, initial: 0),
      ParameterDescriptor(11, "obstructionAttenuation", unit: .decibels, -100...0, initial: 0),
    ] + meters

  // The header gives 0 dB as the initial value of both limits, which would keep every source at 0 dB.
  private static let legacyInputs =
    place + [
      ParameterDescriptor(20, "enable", unit: .boolean, 0...1, initial: 1),
      ParameterDescriptor(21, "minGain", unit: .decibels, -120...20, initial: -120),
      ParameterDescriptor(22, "maxGain", unit: .decibels, -120...20, initial: 20),
      ParameterDescriptor(23, "reverbBlend", unit: .percent, 0...100, initial: 30),
      ParameterDescriptor(25, "occlusionAttenuation", unit: .decibels, -100...0, initial: 0),
      ParameterDescriptor(26, "obstructionAttenuation", unit: .decibels, -100...0, initial: 0),
    ] + meters

  private static let spatialGlobals = [
    ParameterDescriptor(9, "globalReverbGain", unit: .decibels, -40...40, initial: 0),
    ParameterDescriptor(19, "headYaw", unit: .degrees, -180...180, initial: 0),
    ParameterDescriptor(20, "headPitch", unit: .degrees, -90...90, initial: 0),
    ParameterDescriptor(21, "headRoll", unit: .degrees, -180...180, initial: 0),
  ]
  private static let legacyGlobals = [
    ParameterDescriptor(24, "globalReverbGain", unit: .decibels, -40...40, initial: 0)
  ]

  /// The numbers that the older header has for what has others now.
  private static let formerNumbers: [Scope: [UInt32: UInt32]] = [
    .input: [5: 23, 7: 25, 8: 26, 9: 21, 10: 22], .global: [6: 24],
  ]

  /// The address under which a parameter stands.
  func tableAddress(of address: ParameterAddress) -> ParameterAddress {
    guard self == .legacy, let id = Self.formerNumbers[address.scope]?[address.id] else { return address }
    return ParameterAddress(id, scope: address.scope, element: address.element)
  }

  /// The linear gains between which the level of an input has to lie. −120 dB means silence.
  func limits(_ least: Double, _ most: Double) -> (least: Double, most: Double) {
    if self == .spatial { return (max(0, least), max(0, most)) }
    func gain(_ decibels: Double) -> Double { decibels <= -120 ? 0 : Decibels.amplitude(min(20, decibels)) }
    return (gain(least), gain(most))
  }
}
