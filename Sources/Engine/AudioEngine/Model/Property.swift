import AudioCore
import SampleRate

/// The number of a property, as the C interface has it. Numbers from 64000 up are this project's own.
public struct PropertyID: RawRepresentable, Hashable, Sendable {
  /// The `AudioUnitPropertyID`.
  public let rawValue: UInt32
  /// Any number: a unit that has no such property answers `.invalidProperty`.
  public init(rawValue: UInt32) { self.rawValue = rawValue }
  /// The same as ``init(rawValue:)``.
  public init(_ value: UInt32) { rawValue = value }

  // Those that every unit has, and that several kinds of unit share. The others stand with the unit that has them.
  /// `kAudioUnitProperty_SampleRate`: hertz, of a bus.
  public static let sampleRate = PropertyID(2)
  /// `kAudioUnitProperty_ParameterList`: the ids of an element's parameters. Read-only.
  public static let parameterList = PropertyID(3)
  /// `kAudioUnitProperty_StreamFormat`: the format of a bus; the global scope is output 0.
  public static let streamFormat = PropertyID(8)
  /// `kAudioUnitProperty_ElementCount`: the number of buses of a scope.
  public static let elementCount = PropertyID(11)
  /// `kAudioUnitProperty_Latency`: seconds. Read-only.
  public static let latency = PropertyID(12)
  /// `kAudioUnitProperty_SupportedNumChannels`: `.invalidProperty` where the unit takes any number, the same on both
  /// sides. Read-only.
  public static let supportedNumChannels = PropertyID(13)
  /// `kAudioUnitProperty_MaximumFramesPerSlice`: frames, 1 to 2^20. While open only.
  public static let maximumFramesPerSlice = PropertyID(14)
  /// `kAudioUnitProperty_TailTime`: seconds until −120 dB; `.invalidProperty` for units without a tail. Read-only.
  public static let tailTime = PropertyID(20)
  /// `kAudioUnitProperty_BypassEffect`: 0 or 1; 1 passes the input unchanged.
  public static let bypassEffect = PropertyID(21)
  /// `kAudioUnitProperty_LastRenderError`: the first error since it was last read; reading clears it. Read-only.
  public static let lastRenderError = PropertyID(22)
  /// `kAudioUnitProperty_FactoryPresets`: `.invalidProperty` for units that have none. Read-only.
  public static let factoryPresets = PropertyID(24)
  /// `kAudioUnitProperty_RenderQuality`: 0 to 127. A row of the converter unit; of other units (`HostTraits`) in C
  /// only.
  public static let renderQuality = PropertyID(26)
  /// `kAudioUnitProperty_InPlaceProcessing`: kept for hosts of the C interface; the engine has no use for it.
  public static let inPlaceProcessing = PropertyID(29)
  /// `kAudioUnitProperty_SupportedChannelLayoutTags`: for hosts of the C interface.
  public static let supportedChannelLayoutTags = PropertyID(32)
  /// `kAudioUnitProperty_PresentPreset`: the preset that was selected last; setting it selects by its number.
  public static let presentPreset = PropertyID(36)
  /// `kAudioOutputUnitProperty_ChannelMap`: for each channel that is written, the one it comes from, −1 for silence.
  public static let channelMap = PropertyID(2002)

  /// Frames over which a parameter that is set moves to its value, 0 to 2^20; see ``Unit/setSmoothingFrames(_:)``.
  public static let parameterSmoothing = PropertyID(64_000)
  /// The name of a `RateConversionQuality`, as text: the filter of a unit's rate conversions. While open only.
  public static let conversionQuality = PropertyID(64_003)
}

/// A factory preset: its number and name.
public struct Preset: Hashable, Sendable {
  /// The number that ``Unit/select(preset:)`` takes.
  public let number: Int32
  /// The name in lists; graph files may choose the preset by it.
  public let name: String
  /// An entry of ``Unit/factoryPresets``.
  public init(number: Int32, name: String) {
    self.number = number
    self.name = name
  }

  /// The preset of a number, or "Untitled" for none.
  package static func selected(_ number: Int32, of presets: [Preset]) -> Preset {
    presets.first { $0.number == number } ?? Preset(number: -1, name: "Untitled")
  }
}

/// A pair of channel counts that a unit takes and gives: −1 and −1 "any, the same on both sides", −1 and −2 "any and
/// any".
public struct ChannelCapability: Hashable, Sendable {
  /// Channels taken, 0 or more; below 0: any.
  public let inputChannels: Int
  /// Channels given, 0 or more; below 0: any.
  public let outputChannels: Int
  /// One pair of those that ``Unit/channelCapabilities`` lists.
  public init(inputChannels: Int, outputChannels: Int) {
    self.inputChannels = inputChannels
    self.outputChannels = outputChannels
  }
  /// Any number, the same on both sides.
  package static let equal = ChannelCapability(inputChannels: -1, outputChannels: -1)
  /// Any number on either side.
  package static let anyToAny = ChannelCapability(inputChannels: -1, outputChannels: -2)
}

/// The value of a property, in the form that a caller can hold.
public enum PropertyValue: Hashable, Sendable {
  /// A number without a sign, or a switch.
  case uint32(UInt32)
  /// A number with a sign.
  case int32(Int32)
  /// A number of frames, or a seed.
  case int64(Int64)
  /// A time, rate or level.
  case float64(Double)
  /// Gains.
  case float32s([Float])
  /// Coefficients, or the ends of a range.
  case float64s([Double])
  /// Channel numbers, with −1 for none, or levels.
  case int32s([Int32])
  /// Numbers without a sign.
  case uint32s([UInt32])
  /// The format of a bus.
  case streamFormat(StreamFormat)
  /// The ids of a scope's parameters.
  case parameterIDs([UInt32])
  /// A preset, by number and name.
  case preset(Preset)
  /// The factory presets.
  case presets([Preset])
  /// Pairs of channel counts that the unit takes.
  case channelCapabilities([ChannelCapability])
  /// Frames: first and count; a count of −1 reaches to the end.
  case region(start: Int64, count: Int64)
  /// A name or a path.
  case text(String)
}

/// One row of a unit's property table: the property, where it applies, what its values are, and what reads and writes
/// it.
public struct PropertyDescriptor: Sendable {
  /// Reads the value of one element of a scope.
  package typealias Getter = @Sendable (Unit, Scope, Int) throws(AudioStatus) -> PropertyValue
  /// Writes the value of one element of a scope.
  package typealias Setter = @Sendable (Unit, Scope, Int, PropertyValue) throws(AudioStatus) -> Void

  /// The number by which ``Unit/property(_:_:element:)`` and the C interface find it.
  package let id: PropertyID
  /// For help and tables: `streamFormat`.
  public let name: String
  /// The scopes where it applies; in any other it answers `.invalidScope`.
  package let scopes: Set<Scope>
  /// The kind of value in words, with its unit: `UInt32`, `Float64, seconds`.
  package let type: String
  /// The layout of a value in C's memory; nil: it has no form there.
  package let layout: PropertyLayout?
  /// False: the property belongs to the scope and its element is not looked at.
  package let isPerElement: Bool
  /// The key by which graph files set it.
  package let graphKey: GraphKey?
  /// Nil: reading answers `.invalidProperty`.
  package let get: Getter?
  /// Nil: writing answers `.propertyNotWritable`.
  package let set: Setter?

  /// For help: `read`, `write` or `read, write`.
  package var access: String { self.get == nil ? "write" : self.set == nil ? "read" : "read, write" }

  /// The time when a property can be set.
  public enum Settable: Sendable { case always, whileOpen }

  /// A row of a kind of unit.
  ///
  /// - Parameters:
  ///   - id: the number that the C interface knows it by.
  ///   - name: for people.
  ///   - form: the form of the values; one of another kind, or outside the form's range, is `.invalidPropertyValue`.
  ///   - kind: the kind of unit that has it.
  ///   - scopes: the scopes of the property.
  ///   - isPerElement: true where each element has a value of its own.
  ///   - key: its name in graph files, and what it means there, in one line.
  ///   - settable: `.whileOpen` answers `.initialized` once the unit is.
  ///   - check: throws where the property has no meaning, before it is read or written.
  ///   - set: takes a value over; nil: it is read-only.
  ///   - get: the present value.
  public init<Kind: Unit, Value>(
    _ id: PropertyID, _ name: String, _ form: PropertyForm<Value>, of kind: Kind.Type,
    on scopes: Set<Scope> = [.global], isPerElement: Bool = true, key: (name: String, meaning: String)? = nil,
    settable: Settable = .always,
    check: @escaping @Sendable (Kind, Scope, Int) throws(AudioStatus) -> Void = { _, _, _ in },
    get: (@Sendable (Kind, Scope, Int) throws(AudioStatus) -> Value)? = nil,
    set: (@Sendable (Kind, Scope, Int, Value) throws(AudioStatus) -> Void)? = nil
  ) {
    self.id = id
    self.name = name
    self.scopes = scopes
    self.isPerElement = isPerElement
    type = form.type
    layout = form.layout
    @Sendable func cast(_ unit: Unit) throws(AudioStatus) -> Kind {
      guard let unit = unit as? Kind else { throw .invalidAudioUnit }
      return unit
    }
    var getter: Getter?
    if let get {
      getter = { (unit, scope, element) throws(AudioStatus) in
        let unit = try cast(unit)
        try check(unit, scope, element)
        return form.wrap(try get(unit, scope, element))
      }
    }
    self.get = getter
    var setter: Setter?
    var graphKey: GraphKey?
    if let set {
      setter = { (unit, scope, element, value) throws(AudioStatus) in
        let unit = try cast(unit)
        try check(unit, scope, element)
        guard let value = form.unwrap(value) else { throw .invalidPropertyValue }
        guard settable == .always || !unit.isInitialized else { throw .initialized }
        try set(unit, scope, element, value)
      }
      if let key, let written = form.written {
        graphKey = GraphKey(
          key.name, key.meaning, written, of: kind, get: { unit in try? get?(unit, .global, 0) },
          set: { (unit, value) throws(AudioStatus) in try set(unit, .global, 0, value) })
      }
    }
    self.set = setter
    self.graphKey = graphKey
  }

  /// A row whose value is a variable of the unit.
  public init<Kind: Unit, Value>(
    _ id: PropertyID, _ name: String, _ form: PropertyForm<Value>,
    _ path: ReferenceWritableKeyPath<Kind, Value> & Sendable, key: (name: String, meaning: String)? = nil,
    settable: Settable = .whileOpen
  ) {
    self.init(
      id, name, form, of: Kind.self, key: key, settable: settable, get: { unit, _, _ in unit[keyPath: path] },
      set: { unit, _, _, value in unit[keyPath: path] = value })
  }
}

// Rows that several kinds of unit have.
extension PropertyDescriptor {
  /// The filter of a unit's rate conversions.
  package static func quality<Kind: Unit>(
    _ path: ReferenceWritableKeyPath<Kind, RateConversionQuality> & Sendable
  ) -> PropertyDescriptor {
    PropertyDescriptor(
      .conversionQuality, "quality", .name, path, key: ("quality", "the filter of a rate conversion"))
  }

  /// The factory preset of a unit that begins without one: −1, "Untitled", until one is selected.
  ///
  /// - Parameter number: the number of the preset that was selected last, −1 for none.
  package static func presentPreset<Kind: Unit>(
    _ number: ReferenceWritableKeyPath<Kind, Int32> & Sendable
  ) -> PropertyDescriptor {
    PropertyDescriptor(
      .presentPreset, "presentPreset", .preset, of: Kind.self,
      get: { unit, _, _ in Preset.selected(unit[keyPath: number], of: unit.factoryPresets) },
      set: { (unit, _, _, preset) throws(AudioStatus) in
        // The value of a new unit, −1, can be set again.
        if preset.number == -1 { unit[keyPath: number] = -1 } else { try unit.select(preset: preset.number) }
      })
  }

  /// The switch that passes the input unchanged.
  public static func bypass<Kind: Unit>(
    of kind: Kind.Type, get: @escaping @Sendable (Kind) -> Bool,
    set: @escaping @Sendable (Kind, Bool) throws(AudioStatus) -> Void
  ) -> PropertyDescriptor {
    PropertyDescriptor(
      .bypassEffect, "bypassEffect", .flag, of: kind, key: ("bypass", "true passes the sound unchanged"),
      get: { unit, _, _ in get(unit) }, set: { (unit, _, _, isOn) throws(AudioStatus) in try set(unit, isOn) })
  }
}
