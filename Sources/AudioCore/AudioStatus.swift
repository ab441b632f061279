/// A result code of the Audio Unit system: what a unit answers when a call cannot be carried out.
///
/// The numbers are those of the C interface (`OSStatus`), so that a translation layer passes them on unchanged.
@frozen
public struct AudioStatus: RawRepresentable, Error, Hashable, Sendable {
  public let rawValue: Int32
  @inlinable public init(rawValue: Int32) { self.rawValue = rawValue }
  private init(_ value: Int32) { rawValue = value }

  /// A constant to the optimizer: every step of a render looks at it.
  @inlinable public static var noError: AudioStatus { AudioStatus(rawValue: 0) }
  public static let unimplemented = AudioStatus(-4)
  public static let parameterError = AudioStatus(-50)
  public static let memoryFull = AudioStatus(-108)

  public static let invalidProperty = AudioStatus(-10879)
  public static let invalidParameter = AudioStatus(-10878)
  public static let invalidElement = AudioStatus(-10877)
  public static let noConnection = AudioStatus(-10876)
  public static let failedInitialization = AudioStatus(-10875)
  public static let tooManyFramesToProcess = AudioStatus(-10874)
  public static let invalidFile = AudioStatus(-10871)
  public static let unknownFileType = AudioStatus(-10870)
  public static let fileNotSpecified = AudioStatus(-10869)
  public static let formatNotSupported = AudioStatus(-10868)
  public static let uninitialized = AudioStatus(-10867)
  public static let invalidScope = AudioStatus(-10866)
  public static let propertyNotWritable = AudioStatus(-10865)
  public static let invalidAudioUnit = AudioStatus(-10864)
  public static let cannotDoInCurrentContext = AudioStatus(-10863)
  public static let outputNodeError = AudioStatus(-10862)
  public static let invalidConnection = AudioStatus(-10861)
  public static let nodeNotFound = AudioStatus(-10860)
  public static let invalidPropertyValue = AudioStatus(-10851)
  public static let propertyNotInUse = AudioStatus(-10850)
  public static let initialized = AudioStatus(-10849)
  public static let invalidParameterValue = AudioStatus(-66743)
}

extension AudioStatus: CustomStringConvertible {
  /// What the code means, in words, with the number.
  public var description: String { "\(meaning) (\(rawValue))" }

  private var meaning: String {
    switch self {
    case .noError: "no error"
    case .unimplemented: "the unit does not implement this call"
    case .parameterError: "an argument is wrong"
    case .memoryFull: "out of memory"
    case .invalidProperty: "no such property"
    case .invalidParameter: "no such parameter"
    case .invalidElement: "no such bus"
    case .noConnection: "an input has no source"
    case .failedInitialization: "the unit cannot be initialized"
    case .tooManyFramesToProcess: "more frames asked for than the maximum per slice"
    case .invalidFile: "the file cannot be read"
    case .unknownFileType: "unknown file type"
    case .fileNotSpecified: "no file was given"
    case .formatNotSupported: "the stream format is not supported here"
    case .uninitialized: "the unit is not initialized"
    case .invalidScope: "no such scope"
    case .propertyNotWritable: "the property is not writable now"
    case .invalidAudioUnit: "not a valid audio unit"
    case .cannotDoInCurrentContext: "cannot be done right now"
    case .outputNodeError: "a graph has exactly one output unit"
    case .invalidConnection: "the connection cannot be made"
    case .nodeNotFound: "no such node"
    case .invalidPropertyValue: "the value is refused"
    case .propertyNotInUse: "the property has no value yet"
    case .initialized: "not allowed while the unit is initialized"
    case .invalidParameterValue: "a parameter value must be a finite number"
    default: "status \(FourCharCode(rawValue: UInt32(bitPattern: rawValue)))"
    }
  }
}
