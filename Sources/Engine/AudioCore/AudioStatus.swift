/// A result code of the Audio Unit system: what a unit answers when a call cannot be carried out.
///
/// The numbers are those of the C interface (`OSStatus`), so that a translation layer passes them on unchanged.
@frozen
public struct AudioStatus: RawRepresentable, Error, Hashable, Sendable {
  /// The `OSStatus` of the C interface: 0 is no error; all else a negative number, or a four-character code.
  public let rawValue: Int32
  /// Any number: a third-party unit may return a code of its own.
  @inlinable public init(rawValue: Int32) { self.rawValue = rawValue }
  /// As ``init(rawValue:)``.
  @inlinable public init(_ value: Int32) { rawValue = value }

  /// A constant to the optimizer: every step of a render looks at it.
  @inlinable public static var noError: AudioStatus { AudioStatus(0) }
  /// −4: the unit does not implement this call (`kAudio_UnimplementedError`).
  public static let unimplemented = AudioStatus(-4)
  /// −50: an argument is wrong (`kAudio_ParamError`).
  public static let parameterError = AudioStatus(-50)
  /// −108: out of memory (`kAudio_MemFullError`).
  public static let memoryFull = AudioStatus(-108)

  /// −10879: no such property, or not on this scope (`kAudioUnitErr_InvalidProperty`).
  public static let invalidProperty = AudioStatus(-10879)
  /// −10878: no such parameter (`kAudioUnitErr_InvalidParameter`).
  public static let invalidParameter = AudioStatus(-10878)
  /// −10877: no such bus, or member of a group (`kAudioUnitErr_InvalidElement`).
  public static let invalidElement = AudioStatus(-10877)
  /// −10876: an input has no source (`kAudioUnitErr_NoConnection`).
  public static let noConnection = AudioStatus(-10876)
  /// −10875: the unit cannot be initialized (`kAudioUnitErr_FailedInitialization`).
  public static let failedInitialization = AudioStatus(-10875)
  /// −10874: a render call asks for more frames than the maximum per slice (`kAudioUnitErr_TooManyFramesToProcess`).
  public static let tooManyFramesToProcess = AudioStatus(-10874)
  /// −10871: the file cannot be read (`kAudioUnitErr_InvalidFile`).
  public static let invalidFile = AudioStatus(-10871)
  /// −10870: the file is of no kind that is known (`kAudioUnitErr_UnknownFileType`).
  public static let unknownFileType = AudioStatus(-10870)
  /// −10869: a file player has been given no file (`kAudioUnitErr_FileNotSpecified`).
  public static let fileNotSpecified = AudioStatus(-10869)
  /// −10868: the stream format is not supported here (`kAudioUnitErr_FormatNotSupported`).
  public static let formatNotSupported = AudioStatus(-10868)
  /// −10867: the call needs an initialized unit (`kAudioUnitErr_Uninitialized`).
  public static let uninitialized = AudioStatus(-10867)
  /// −10866: no such scope, or nothing of the kind on it (`kAudioUnitErr_InvalidScope`).
  public static let invalidScope = AudioStatus(-10866)
  /// −10865: the property can only be read, or not be written now (`kAudioUnitErr_PropertyNotWritable`).
  public static let propertyNotWritable = AudioStatus(-10865)
  /// −10864: not a valid audio unit (`kAUGraphErr_InvalidAudioUnit`).
  public static let invalidAudioUnit = AudioStatus(-10864)
  /// −10863: cannot be done right now, as in the middle of a render (`kAudioUnitErr_CannotDoInCurrentContext`).
  public static let cannotDoInCurrentContext = AudioStatus(-10863)
  /// −10862: a graph has no output unit, or would have a second one (`kAUGraphErr_OutputNodeErr`).
  public static let outputNodeError = AudioStatus(-10862)
  /// −10861: the connection cannot be made (`kAUGraphErr_InvalidConnection`).
  public static let invalidConnection = AudioStatus(-10861)
  /// −10860: a graph has no such node (`kAUGraphErr_NodeNotFound`).
  public static let nodeNotFound = AudioStatus(-10860)
  /// −10851: the value of a property is refused (`kAudioUnitErr_InvalidPropertyValue`).
  public static let invalidPropertyValue = AudioStatus(-10851)
  /// −10850: the property has no value yet (`kAudioUnitErr_PropertyNotInUse`).
  public static let propertyNotInUse = AudioStatus(-10850)
  /// −10849: not allowed while the unit is initialized (`kAudioUnitErr_Initialized`).
  public static let initialized = AudioStatus(-10849)
  /// −10848: an offline unit needs its preflight first, or the length of its input
  /// (`kAudioUnitErr_InvalidOfflineRender`).
  public static let invalidOfflineRender = AudioStatus(-10848)
  /// −66743: the value of a parameter is not a finite number (`kAudioUnitErr_InvalidParameterValue`).
  public static let invalidParameterValue = AudioStatus(-66743)
}

extension AudioStatus: CustomStringConvertible {
  /// The meaning of the code, in words, with the number.
  public var description: String { "\(meaning) (\(rawValue))" }

  private var meaning: String {
    switch self {
    case .noError: "no error"
    case .unimplemented: "the unit does not implement this call"
    case .parameterError: "an argument is wrong"
    case .memoryFull: "out of memory"
    case .invalidOfflineRender: "an offline unit needs its preflight first, and the length of its input"
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
