import AudioCore
import SampleRate

/// The number of a property, as the C interface has it. Numbers from 64000 up are this project's own.
public struct PropertyID: RawRepresentable, Hashable, Sendable {
  public let rawValue: UInt32
  public init(rawValue: UInt32) { self.rawValue = rawValue }
  public init(_ value: UInt32) { rawValue = value }

  public static let sampleRate = PropertyID(2)
  public static let parameterList = PropertyID(3)
  public static let streamFormat = PropertyID(8)
  public static let elementCount = PropertyID(11)
  public static let latency = PropertyID(12)
  public static let supportedNumChannels = PropertyID(13)
  public static let maximumFramesPerSlice = PropertyID(14)
  public static let tailTime = PropertyID(20)
  public static let bypassEffect = PropertyID(21)
  public static let lastRenderError = PropertyID(22)
  public static let factoryPresets = PropertyID(24)
  public static let renderQuality = PropertyID(26)
  public static let presentPreset = PropertyID(36)
  public static let currentDevice = PropertyID(2000)
  public static let isRunning = PropertyID(2001)
  public static let channelMap = PropertyID(2002)
  public static let enableIO = PropertyID(2003)
  public static let hasIO = PropertyID(2006)
  public static let startTimestampsAtZero = PropertyID(2007)
  public static let bypassVoiceProcessing = PropertyID(2100)
  public static let voiceProcessingEnableAGC = PropertyID(2101)
  public static let duckNonVoiceAudio = PropertyID(2102)
  public static let voiceProcessingQuality = PropertyID(2103)
  public static let muteOutput = PropertyID(2104)
  public static let otherAudioDuckingConfiguration = PropertyID(2108)
  public static let numberOfBands = PropertyID(2200)
  public static let maximumNumberOfBands = PropertyID(2201)
  public static let biquadCoefficients = PropertyID(2203)
  public static let matrixLevels = PropertyID(3006)
  public static let meteringMode = PropertyID(3007)
  public static let meterClipping = PropertyID(3011)
  public static let sampleRateConverterComplexity = PropertyID(3014)
  /// `fsiz` and `fsz#`: properties of the device that its output unit passes on.
  public static let bufferFrameSize = PropertyID(0x6673_697A)
  public static let bufferFrameSizeRange = PropertyID(0x6673_7A23)

  public static let parameterSmoothing = PropertyID(64_000)
  public static let monoPanLaw = PropertyID(64_001)
  public static let stereoPanLaw = PropertyID(64_002)
  public static let conversionQuality = PropertyID(64_003)
  public static let ditherSeed = PropertyID(64_004)
  public static let filePath = PropertyID(64_005)
  public static let startFrame = PropertyID(64_006)
  public static let fileRegion = PropertyID(64_007)
  public static let loopCount = PropertyID(64_008)
  public static let componentState = PropertyID(64_009)
}

/// A factory preset: its number and name.
public struct Preset: Hashable, Sendable {
  public let number: Int32
  public let name: String
  public init(number: Int32, name: String) {
    self.number = number
    self.name = name
  }
}

/// How many channels a unit takes and gives: −1 and −1 "any, the same on both sides", −1 and −2 "any and any".
public struct ChannelCapability: Hashable, Sendable {
  public let inputChannels: Int
  public let outputChannels: Int
  public init(inputChannels: Int, outputChannels: Int) {
    self.inputChannels = inputChannels
    self.outputChannels = outputChannels
  }
}

/// The value of a property, in the form that a caller can hold.
public enum PropertyValue: Hashable, Sendable {
  case uint32(UInt32)
  case int32(Int32)
  case int64(Int64)
  case float64(Double)
  case float32s([Float])
  case float64s([Double])
  case int32s([Int32])
  case streamFormat(StreamFormat)
  case parameterIDs([UInt32])
  case preset(Preset)
  case presets([Preset])
  case channelCapabilities([ChannelCapability])
  /// Frames: first and count; a count of −1 reaches to the end.
  case region(start: Int64, count: Int64)
  case text(String)
}

/// One row of a unit's property table: the property, where it applies, and what reads and writes it.
public struct PropertyDescriptor: Sendable {
  public typealias Getter = @Sendable (Unit, Scope, Int) throws(AudioStatus) -> PropertyValue
  public typealias Setter = @Sendable (Unit, Scope, Int, PropertyValue) throws(AudioStatus) -> Void

  public let id: PropertyID
  public let name: String
  public let scopes: Set<Scope>
  /// The kind of value in words, with its unit: `UInt32`, `seconds`.
  public let type: String
  /// False: the property belongs to the scope and its element is not looked at.
  public let isPerElement: Bool
  public let get: Getter?
  public let set: Setter?

  public init(
    _ id: PropertyID, _ name: String, _ scopes: Set<Scope> = [.global], type: String, isPerElement: Bool = true,
    get: Getter? = nil, set: Setter? = nil
  ) {
    self.id = id
    self.name = name
    self.scopes = scopes
    self.type = type
    self.isPerElement = isPerElement
    self.get = get
    self.set = set
  }

  public var access: String { self.get == nil ? "write" : self.set == nil ? "read" : "read, write" }
}

extension PropertyDescriptor {
  /// A row whose accessors know the kind of unit they belong to.
  static func of<Kind: Unit>(
    _ kind: Kind.Type, _ id: PropertyID, _ name: String, _ scopes: Set<Scope> = [.global], type: String,
    get: (@Sendable (Kind, Scope, Int) throws(AudioStatus) -> PropertyValue)? = nil,
    set: (@Sendable (Kind, Scope, Int, PropertyValue) throws(AudioStatus) -> Void)? = nil
  ) -> PropertyDescriptor {
    @Sendable func cast(_ unit: Unit) throws(AudioStatus) -> Kind {
      guard let unit = unit as? Kind else { throw .invalidAudioUnit }
      return unit
    }
    var getter: Getter?
    if let get {
      getter = { (unit, scope, element) throws(AudioStatus) in try get(try cast(unit), scope, element) }
    }
    var setter: Setter?
    if let set {
      setter = { (unit, scope, element, value) throws(AudioStatus) in try set(try cast(unit), scope, element, value) }
    }
    return PropertyDescriptor(id, name, scopes, type: type, get: getter, set: setter)
  }

  /// The row of a unit's rate quality.
  static func quality<Kind: Unit>(
    _ kind: Kind.Type, _ path: ReferenceWritableKeyPath<Kind, RateConversionQuality> & Sendable
  ) -> PropertyDescriptor {
    let names = RateConversionQuality.allCases.map(\.rawValue).joined(separator: ", ")
    return .of(
      kind, .conversionQuality, "quality", type: "text: \(names)",
      get: { (unit, _, _) throws(AudioStatus) in .text(unit[keyPath: path].rawValue) },
      set: { (unit, _, _, value) throws(AudioStatus) in
        guard case .text(let name) = value, let quality = RateConversionQuality(rawValue: name) else {
          throw .invalidPropertyValue
        }
        guard !unit.isInitialized else { throw .initialized }
        unit[keyPath: path] = quality
      })
  }
}
