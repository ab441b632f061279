// The converter's own result codes. Numbers: the SDK's header.

import AudioCore

/// The status codes of AudioConverter functions besides `AudioStatus.parameterError`, which here means: a null pointer,
/// a handle that is stale or of another kind, a buffer list of the wrong shape, or a value out of its range.
package enum ConverterError {
  /// No such conversion.
  package static let formatNotSupported = code("fmt?")
  /// A call, or a value of a known property, that this converter cannot carry out.
  package static let operationNotSupported = code("op??")
  /// No such property, or it has no value here.
  package static let propertyNotSupported = code("prop")
  /// Input that is no whole number of packets, or fewer bytes than packets were announced.
  package static let invalidInputSize = code("insz")
  /// An output buffer that is no whole number of packets, or too small.
  package static let invalidOutputSize = code("otsz")
  /// Packets of different sizes without descriptions.
  package static let requiresPacketDescriptions = code("!pkd")
  /// A packet that is no sound: the codec's own error.
  package static let badData = code("bada")
  package static let unspecified = code("what")
  /// The size does not fit the property.
  package static let badPropertySize = code("!siz")

  private static func code(_ text: AudioCore.FourCharCode) -> AudioStatus {
    AudioStatus(Int32(bitPattern: text.rawValue))
  }
}
