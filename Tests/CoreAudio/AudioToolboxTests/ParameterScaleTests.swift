import AudioCore
import Glibc
import Testing

import AudioToolbox

@Suite("Values of parameters on a scale from 0 to 1, and as text")
struct ParameterScaleTests {
  /// Half way by the definition of each scale, worked out by hand.
  @Test(
    "Each display flag has its scale",
    arguments: [
      (AudioUnitParameterOptions(), Float(-2), Float(6), Float(2), Float(0.5)),
      (.flag_DisplayLogarithmic, 20, 20_000, 632.45553, 0.5),
      (.flag_DisplayLogarithmic, 1, 1000, 10, 1 / 3),
      (.flag_DisplaySquareRoot, 0, 16, 4, 0.5),
      (.flag_DisplaySquareRoot, 1, 9, 4, 0.5),
      (.flag_DisplaySquared, 0, 4, 2, 0.25),
      (.flag_DisplayCubed, 0, 2, 1, 0.125),
      (.flag_DisplayCubed, -1, 1, 0, 0.5),
      (.flag_DisplayCubeRoot, 0, 8, 1, 0.5),
      (.flag_DisplayCubeRoot, -8, 8, -1, 0.25),
      (.flag_DisplayExponential, 0, 1, 0.62011451, 0.5),
      // No logarithm begins at 0, and no exponential reaches so far.
      (.flag_DisplayLogarithmic, 0, 10, 5, 0.5),
      (.flag_DisplayExponential, 0, 1000, 250, 0.25),
    ])
  func curves(
    flags: AudioUnitParameterOptions, minimum: Float, maximum: Float, value: Float, position: Float
  ) {
    let scale = ParameterScale(minimum: minimum, maximum: maximum, flags: flags)
    #expect(abs(scale.linear(of: value) - position) < 1e-6)
    #expect(abs(scale.value(at: position) - value) < 1e-5 * max(1, abs(value)))
    #expect(scale.linear(of: minimum) == 0)
    #expect(abs(scale.linear(of: maximum) - 1) < 1e-6)
    #expect(abs(scale.value(at: 0) - minimum) <= 1e-6 * abs(minimum))
    #expect(abs(scale.value(at: 1) - maximum) <= 1e-5 * abs(maximum))
  }

  @Test("A unit's parameter has the scale that the unit publishes, and is not clamped")
  func throughTheInterface() throws {
    let mixer = try OpenedUnit(.mixer)
    var pan = mixer.parameter(UInt32(kMultiChannelMixerParam_Pan), kAudioUnitScope_Input, 2)
    #expect(AUParameterValueToLinear(0, &pan) == 0.5)
    #expect(AUParameterValueToLinear(3, &pan) == 2)
    #expect(AUParameterValueToLinear(-3, &pan) == -1)
    #expect(AUParameterValueFromLinear(0.25, &pan) == -0.5)
    #expect(AUParameterValueFromLinear(2, &pan) == 3)
    let lowPass = try OpenedUnit(.lowPass)
    var cutoff = lowPass.parameter(UInt32(kLowPassParam_CutoffFrequency))
    // 10 Hz to half of 44100: logarithmic, as frequencies are.
    #expect(abs(AUParameterValueToLinear(Float(10 * 22050).squareRoot(), &cutoff) - 0.5) < 1e-6)
    #expect(AUParameterValueToLinear(1, &cutoff) < 0)
  }

  @Test("A parameter that the unit does not publish is 0 both ways")
  func unpublished() throws {
    let mixer = try OpenedUnit(.mixer)
    for var parameter in [
      mixer.parameter(77, kAudioUnitScope_Input), mixer.parameter(0, kAudioUnitScope_Global),
      mixer.parameter(0, kAudioUnitScope_Input, 99), mixer.parameter(0, AudioUnitScope(55)),
    ] {
      #expect(AUParameterValueToLinear(0.5, &parameter) == 0)
      #expect(AUParameterValueFromLinear(0.5, &parameter) == 0)
    }
    var gone = mixer.parameter(0, kAudioUnitScope_Input)
    #expect(AUParameterValueFromLinear(0.5, &gone) == 0.5)
    mixer.dispose()
    #expect(AUParameterValueFromLinear(0.5, &gone) == 0)
  }

  @Test(
    "Text has the digits asked for in all, and never loses whole ones",
    arguments: [
      (0.0, UInt32(3), "0.00"), (1000, 4, "1000"), (1000, 2, "1000"), (12.3456, 4, "12.35"), (-12.3456, 3, "-12.3"),
      (9.996, 3, "10.0"), (0.5, 1, "1"), (-0.0001, 3, "0.00"), (0.04, 3, "0.04"), (1e6, 9, "1000000.00"),
      (.infinity, 4, "inf"), (-.infinity, 4, "-inf"), (1e300, 4, "1e+300"), (2, 0, "2"),
      (0.1, 4_000_000_000, "0.10000000000000"),
    ])
  func texts(value: Double, digits: UInt32, text: String) throws {
    let lowPass = try OpenedUnit(.lowPass)
    var cutoff = lowPass.parameter(UInt32(kLowPassParam_CutoffFrequency))
    #expect(Self.format(value, &cutoff, digits) == text)
  }

  @Test("Switches have no decimals")
  func wholeNumbers() throws {
    let mixer = try OpenedUnit(.mixer)
    var enable = mixer.parameter(UInt32(kMultiChannelMixerParam_Enable), kAudioUnitScope_Input)
    #expect(Self.format(1, &enable, 4) == "1")
  }

  @Test(
    "Every text fits into 32 bytes", arguments: [Double.greatestFiniteMagnitude, -.leastNonzeroMagnitude, -1e15, .nan])
  func lengths(value: Double) throws {
    let lowPass = try OpenedUnit(.lowPass)
    var cutoff = lowPass.parameter(UInt32(kLowPassParam_CutoffFrequency))
    #expect(Self.format(value, &cutoff, 99).utf8.count < 32)
  }

  private static func format(_ value: Double, _ parameter: UnsafePointer<AudioUnitParameter>, _ digits: UInt32)
    -> String
  {
    withUnsafeTemporaryAllocation(of: CChar.self, capacity: 40) { buffer in
      buffer.initialize(repeating: 0x55)
      guard let base = buffer.baseAddress else { return "" }
      let result = AUParameterFormatValue(value, parameter, base, digits)
      #expect(result == base)
      #expect(buffer[32...].allSatisfy { $0 == 0x55 })
      return String(cString: base)
    }
  }
}
