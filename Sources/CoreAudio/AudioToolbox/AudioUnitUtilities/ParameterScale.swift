// The scale on which a control shows a parameter. Any thread but the render thread.
//
// Apple publishes the names of the display flags and that the two conversions do not clamp, but no formula. Ours, in
// this one file: a control's position from 0 to 1 is where f(value) lies between f(minimum) and f(maximum), with f the
// function that the flag names. So a logarithmic parameter is half way at the geometric mean of its bounds (observed on
// Apple's own units), and below a bound the position is negative. Roots and even powers keep the sign of their
// argument, so that every scale can be reversed. If f is not finite at a bound (a logarithm that begins at 0), the
// scale is linear.

import AudioCore
import CAudioToolbox
import CoreFoundation
import Glibc

/// The spread of a parameter's values between 0 and 1.
package struct ParameterScale {
  private enum Curve {
    case linear, logarithmic, squareRoot, squared, cubed, cubeRoot, exponential

    func apply(_ x: Double) -> Double {
      switch self {
      case .linear: x
      case .logarithmic: x > 0 ? log(x) : .nan
      case .squareRoot: x < 0 ? -sqrt(-x) : sqrt(x)
      case .squared: x * abs(x)
      case .cubed: x * x * x
      case .cubeRoot: cbrt(x)
      case .exponential: exp(x)
      }
    }

    func reverse(_ y: Double) -> Double {
      switch self {
      case .linear: y
      case .logarithmic: exp(y)
      case .squareRoot: y * abs(y)
      case .squared: y < 0 ? -sqrt(-y) : sqrt(y)
      case .cubed: cbrt(y)
      case .cubeRoot: y * y * y
      case .exponential: y > 0 ? log(y) : .nan
      }
    }
  }

  private let curve: Curve
  /// f at the two bounds.
  private let low: Double
  private let high: Double

  package init(minimum: Float32, maximum: Float32, flags: AudioUnitParameterOptions) {
    var curve: Curve =
      switch flags.intersection(.flag_DisplayMask) {
      case .flag_DisplayLogarithmic: .logarithmic
      case .flag_DisplaySquareRoot: .squareRoot
      case .flag_DisplaySquared: .squared
      case .flag_DisplayCubed: .cubed
      case .flag_DisplayCubeRoot: .cubeRoot
      case .flag_DisplayExponential: .exponential
      default: .linear
      }
    let isDefined = curve.apply(Double(minimum)).isFinite && curve.apply(Double(maximum)).isFinite
    if !isDefined { curve = .linear }
    self.curve = curve
    low = curve.apply(Double(minimum))
    high = curve.apply(Double(maximum))
  }

  /// The position of a value, not clamped; 0 where the scale has none for it, or no extent.
  package func linear(of value: Float32) -> Float32 {
    let position = (curve.apply(Double(value)) - low) / (high - low)
    return position.isFinite ? Float32(position) : 0
  }

  /// The value at a position, not clamped; the minimum where the scale has none for it.
  package func value(at position: Float32) -> Float32 {
    let value = curve.reverse(low + Double(position) * (high - low))
    return Float32(value.isFinite ? value : curve.reverse(low))
  }
}

extension ParameterScale {
  /// The scale of a parameter as its unit publishes it.
  ///
  /// - Returns: nil for a unit that does not exist, or does not have the parameter at this scope and element.
  init?(_ parameter: AudioUnitParameter) {
    guard let info = ParameterScale.info(parameter) else { return nil }
    self.init(minimum: info.minValue, maximum: info.maxValue, flags: info.flags)
  }

  /// The info that a unit publishes about a parameter, without its name.
  static func info(_ parameter: AudioUnitParameter) -> AudioUnitParameterInfo? {
    var info = AudioUnitParameterInfo()
    let status = withUnit(parameter.mAudioUnit) { unit in
      var count: UInt32 = 0
      let counted = unit.read(kAudioUnitProperty_ElementCount, parameter.mScope, 0, into: &count)
      if counted == noErr && parameter.mElement >= count { return kAudioUnitErr_InvalidElement }
      return unit.read(kAudioUnitProperty_ParameterInfo, parameter.mScope, parameter.mParameterID, into: &info)
    }
    guard status == noErr else { return nil }
    if info.flags.contains([.flag_HasCFNameString, .flag_CFNameRelease]) { info.cfNameString?.release() }
    info.cfNameString = nil
    return info
  }
}
