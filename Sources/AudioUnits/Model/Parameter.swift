import AudioCore

/// A part of a unit that is configured and controlled apart from the others.
/// In graph files they are called `global`, `input` and `output`.
public enum Scope: UInt32, NamedChoice {
  case global = 0
  case input = 1
  case output = 2
  case group = 3
  case part = 4
  case note = 5
  case layer = 6
  case layerItem = 7
}

/// What a parameter's number measures. The raw values are those of the C interface.
public enum ParameterUnit: UInt32, Sendable {
  case generic, indexed, boolean, percent, seconds, sampleFrames, phase, rate, hertz, cents, relativeSemiTones
  case midiNoteNumber, midiController, decibels, linearGain, degrees, equalPowerCrossfade, mixerFaderCurve1, pan, meters
  case absoluteCents, octaves, bpm, beats, milliseconds, ratio, customUnit, midi2Controller

  /// What texts put behind a value: `Hz`, `dB`; empty for numbers without a unit.
  public var symbol: String {
    switch self {
    case .generic, .linearGain, .pan, .rate, .mixerFaderCurve1, .ratio, .customUnit: ""
    case .indexed: "index"
    case .boolean: "0/1"
    case .percent, .equalPowerCrossfade: "%"
    case .seconds: "s"
    case .sampleFrames: "frames"
    case .phase, .degrees: "°"
    case .hertz: "Hz"
    case .cents, .absoluteCents: "cents"
    case .relativeSemiTones: "semitones"
    case .midiNoteNumber: "note"
    case .midiController, .midi2Controller: "controller"
    case .decibels: "dB"
    case .meters: "m"
    case .octaves: "octaves"
    case .bpm: "BPM"
    case .beats: "beats"
    case .milliseconds: "ms"
    }
  }

  /// What `.infinity` stands for as the upper bound of a range: half the sample rate for a frequency, one second for frames.
  public func largest(atSampleRate sampleRate: Double) -> Double { self == .sampleFrames ? sampleRate : sampleRate / 2 }
}

/// One row of a unit's parameter table: what can be controlled, in which unit and range, and from where it starts.
public struct ParameterDescriptor: Hashable, Sendable {
  /// The `AudioUnitParameterID`, unique within the scope of an element.
  public let id: UInt32
  /// Lower camel case, as graph files and Swift write it: `cutoffFrequency`.
  public let name: String
  /// Not evaluated: a parameter is in the scope for which ``Unit/parameterTable(_:element:)`` gives the row.
  public let scope: Scope
  /// What the value, the range and the initial value are measured in.
  public let unit: ParameterUnit
  /// The least value of the range, in ``unit``.
  public let minimum: Float
  /// `.infinity` stands for what the sample rate allows, see ``ParameterUnit/largest(atSampleRate:)``.
  public let maximum: Float
  /// The value in a fresh unit, in ``unit``; at a low sample rate it may lie above the range.
  public let initial: Float
  /// A meter: written by the unit, read by everyone.
  public let isReadOnly: Bool
  /// Whether a ramp on it moves it; a switch jumps at the ramp's end instead.
  public let canRamp: Bool
  /// Whether the range is what controls show, and any finite number means something: a gain above 1.
  public let takesAnyNumber: Bool
  /// The names of the values of an indexed parameter.
  public let valueNames: [String]

  /// - Parameters:
  ///   - range: in the unit that is named; an upper bound of `.infinity` stands for what the sample rate allows.
  ///   - canRamp: read-only, indexed and boolean parameters never ramp, whatever is given.
  public init(
    _ id: UInt32, _ name: String, _ scope: Scope = .global, unit: ParameterUnit, _ range: ClosedRange<Float>,
    initial: Float, isReadOnly: Bool = false, canRamp: Bool = true, takesAnyNumber: Bool = false,
    valueNames: [String] = []
  ) {
    self.id = id
    self.name = name
    self.scope = scope
    self.unit = unit
    minimum = range.lowerBound
    maximum = range.upperBound
    self.initial = initial
    self.isReadOnly = isReadOnly
    self.canRamp = canRamp && !isReadOnly && unit != .indexed && unit != .boolean
    self.takesAnyNumber = takesAnyNumber
    self.valueNames = valueNames
  }

  /// The upper bound at a sample rate.
  public func maximum(atSampleRate sampleRate: Double) -> Float {
    maximum == .infinity ? Float(unit.largest(atSampleRate: sampleRate)) : maximum
  }

  /// The values that mean something at a sample rate.
  public func acceptedRange(atSampleRate sampleRate: Double) -> ClosedRange<Float> {
    if takesAnyNumber { return -Float.greatestFiniteMagnitude...Float.greatestFiniteMagnitude }
    return minimum...max(minimum, maximum(atSampleRate: sampleRate))
  }
}

/// One parameter of one element: what `setParameter` and a ramp are aimed at.
public struct ParameterAddress: Hashable, Sendable, CustomStringConvertible {
  /// That of the parameter's ``ParameterDescriptor``.
  public var id: UInt32
  /// `.global`, `.input` or `.output`: elements of other scopes have no parameters.
  public var scope: Scope
  /// The bus, from 0 on; 0 in the global scope.
  public var element: Int

  /// A parameter of the unit as a whole, unless scope and element are given.
  public init(_ id: UInt32, scope: Scope = .global, element: Int = 0) {
    self.id = id
    self.scope = scope
    self.element = element
  }

  /// As errors name it: `parameter 2 on input:0`.
  public var description: String { "parameter \(id) on \(scope.name):\(element)" }
}
