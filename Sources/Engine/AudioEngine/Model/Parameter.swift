import AudioCore

/// A part of a unit that is configured and controlled apart from the others.
/// In graph files they are called `global`, `input` and `output`.
public enum Scope: UInt32, NamedChoice {
  /// The unit as a whole.
  case global = 0
  /// The input buses; the element is the number of the bus.
  case input = 1
  /// The output buses; the element is the number of the bus.
  case output = 2
  /// The groups of an instrument, as MIDI channels.
  case group = 3
  /// The parts of a multitimbral instrument.
  case part = 4
  /// The notes that an instrument plays.
  case note = 5
  /// The layers of an instrument.
  case layer = 6
  /// The items of a layer, as the samples of a sampler.
  case layerItem = 7
}

/// The unit of a parameter's number. The raw values are those of the C interface.
public enum ParameterUnit: UInt32, Sendable {
  /// A number without a unit.
  case generic
  /// An index into a list of names.
  case indexed
  /// 0 is off, all else on.
  case boolean
  /// Hundredths.
  case percent
  /// A time.
  case seconds
  /// A time in frames.
  case sampleFrames
  /// An angle in degrees, −180 to 180.
  case phase
  /// A factor of speed: 1 is the original.
  case rate
  /// A frequency.
  case hertz
  /// A hundredth of a semitone, relative.
  case cents
  /// Semitones, relative.
  case relativeSemiTones
  /// A MIDI note, 0 to 127.
  case midiNoteNumber
  /// A MIDI controller value, 0 to 127.
  case midiController
  /// A level, logarithmic.
  case decibels
  /// A factor of amplitude: 1 changes nothing.
  case linearGain
  /// An angle, as of a rotation.
  case degrees
  /// A mix of two signals with equal power, 0 to 100.
  case equalPowerCrossfade
  /// A mixer fader, 0 to 1, whose gain is the value's third power.
  case mixerFaderCurve1
  /// −1 is left, 0 the centre, 1 right.
  case pan
  /// A distance.
  case meters
  /// A pitch: 6900 is 440 Hz.
  case absoluteCents
  /// An interval or a bandwidth.
  case octaves
  /// Beats per minute.
  case bpm
  /// A time in beats.
  case beats
  /// A time.
  case milliseconds
  /// A ratio to one.
  case ratio
  /// A unit that the audio unit names itself.
  case customUnit
  /// A MIDI 2.0 controller value, of 32 bits.
  case midi2Controller

  /// The symbol behind a value in texts: `Hz`, `dB`; empty for numbers without a unit.
  package var symbol: String {
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

  /// The meaning of `.infinity` as the upper bound of a range: half the sample rate for a frequency, one second for
  /// frames.
  package func largest(atSampleRate sampleRate: Double) -> Double {
    self == .sampleFrames ? sampleRate : sampleRate / 2
  }
}

/// One row of a unit's parameter table: what can be controlled, in which unit and range, and from where it starts.
public struct ParameterDescriptor: Hashable, Sendable {
  /// The `AudioUnitParameterID`, unique within the scope of an element.
  public let id: UInt32
  /// Lower camel case, as graph files and Swift write it: `cutoffFrequency`.
  public let name: String
  /// Not evaluated: a parameter is in the scope for which ``Unit/parameterTable(_:element:)`` gives the row.
  package let scope: Scope
  /// The unit of the value, the range and the initial value.
  public let unit: ParameterUnit
  /// The least value of the range, in ``unit``.
  public let minimum: Float
  /// `.infinity` stands for what the sample rate allows, see `ParameterUnit.largest(atSampleRate:)`.
  public let maximum: Float
  /// The value in a fresh unit, in ``unit``; at a low sample rate it may lie above the range.
  public let initial: Float
  /// A meter: written by the unit, read by everyone.
  public let isReadOnly: Bool
  /// True when a ramp moves it; a switch jumps at the ramp's end instead.
  public let canRamp: Bool
  /// True when the range is only what controls show, and any finite number means something: a gain above 1.
  package let takesAnyNumber: Bool
  /// The names of the values of an indexed parameter.
  public let valueNames: [String]

  /// - Parameters:
  ///   - id: the number that the C interface knows it by.
  ///   - name: as graph files and help have it.
  ///   - scope: the scope of the parameter.
  ///   - unit: the unit of its values.
  ///   - range: the range in the given unit; an upper bound of `.infinity` means the largest at the sample rate.
  ///   - initial: the value of a new unit.
  ///   - isReadOnly: true for meters.
  ///   - canRamp: read-only, indexed and boolean parameters never ramp, whatever is given.
  ///   - takesAnyNumber: true where values beyond the range are kept as they are given.
  ///   - valueNames: the names of an indexed parameter's values, from 0.
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
  package func maximum(atSampleRate sampleRate: Double) -> Float {
    maximum == .infinity ? Float(unit.largest(atSampleRate: sampleRate)) : maximum
  }

  /// The values that mean something at a sample rate.
  package func acceptedRange(atSampleRate sampleRate: Double) -> ClosedRange<Float> {
    if takesAnyNumber { return -Float.greatestFiniteMagnitude...Float.greatestFiniteMagnitude }
    return minimum...max(minimum, maximum(atSampleRate: sampleRate))
  }
}

/// One parameter of one element: what `setParameter` and a ramp are aimed at.
public struct ParameterAddress: Hashable, Sendable, CustomStringConvertible {
  /// The id in the parameter's ``ParameterDescriptor``.
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

  /// The parameter in errors: `parameter 2 on input:0`.
  public var description: String { "parameter \(id) on \(scope.name):\(element)" }
}
