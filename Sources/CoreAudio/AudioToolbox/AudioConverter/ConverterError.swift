// The converter's own result codes. Numbers: the SDK's header.

import AudioCore

/// The status codes of AudioConverter functions besides `AudioStatus.parameterError`, which here means: a null pointer,
/// a handle that is stale or of another kind, a buffer list of the wrong shape, or a value out of its range.
enum ConverterError {
  /// No such conversion.
  static let formatNotSupported = code("fmt?")
  /// A call, or a value of a known property, that this converter cannot carry out.
  static let operationNotSupported = code("op??")
  /// No such property, or it has no value here.
  static let propertyNotSupported = code("prop")
  /// Input that is no whole number of packets, or fewer bytes than packets were announced.
  static let invalidInputSize = code("insz")
  /// An output buffer that is no whole number of packets, or too small.
  static let invalidOutputSize = code("otsz")
  static let unspecified = code("what")
  /// The size does not fit the property.
  static let badPropertySize = code("!siz")

  private static func code(_ text: AudioCore.FourCharCode) -> AudioStatus {
    AudioStatus(Int32(bitPattern: text.rawValue))
  }
}
