// AudioUnitUtilities.h: values of parameters on a scale from 0 to 1, and as text.

import AudioCore
import CAudioToolbox

/// The value at a position of the parameter's scale, not clamped; 0 for a parameter that its unit does not publish.
@c @implementation
public func AUParameterValueFromLinear(
  _ inLinearValue: Float32, _ inParameter: UnsafePointer<AudioUnitParameter>
) -> AudioUnitParameterValue {
  if isNull(inParameter) { return 0 }
  return ParameterScale(inParameter.pointee)?.value(at: inLinearValue) ?? 0
}

/// The position of a value on the parameter's scale, not clamped; 0 for a parameter that its unit does not publish.
@c @implementation
public func AUParameterValueToLinear(
  _ inParameterValue: AudioUnitParameterValue, _ inParameter: UnsafePointer<AudioUnitParameter>
) -> Float32 {
  if isNull(inParameter) { return 0 }
  return ParameterScale(inParameter.pointee)?.linear(of: inParameterValue) ?? 0
}

/// Writes a value as text, by the rule of ``ParameterText``; a parameter that is not there has the rule of any number.
///
/// - Parameter inTextBuffer: room for 32 bytes at least.
/// - Returns: the buffer.
@c @implementation
public func AUParameterFormatValue(
  _ inParameterValue: Float64, _ inParameter: UnsafePointer<AudioUnitParameter>,
  _ inTextBuffer: UnsafeMutablePointer<CChar>, _ inDigits: UInt32
) -> UnsafeMutablePointer<CChar> {
  if isNull(inTextBuffer) { return inTextBuffer }
  let unit = isNull(inParameter) ? nil : ParameterScale.info(inParameter.pointee)?.unit
  let text = ParameterText.text(
    inParameterValue, digits: Int(inDigits), isWhole: unit == .indexed || unit == .boolean)
  let bytes = Array(text.utf8.prefix(ParameterText.longest))
  for (index, byte) in bytes.enumerated() { inTextBuffer[index] = CChar(bitPattern: byte) }
  inTextBuffer[bytes.count] = 0
  return inTextBuffer
}
