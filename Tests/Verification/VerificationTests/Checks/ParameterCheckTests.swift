import AudioCore
import Measurement
import Testing
import TestSupport
import Verification

/// Values of parameters and meters after a render.
@Suite struct ParameterCheckTests: CaseTrial {
  let folder: SuiteFolder
  init() throws { folder = try SuiteFolder() }

  @Test("parameter: a meter and a value, with limits that hold and that do not")
  func parameter() throws {
    let mixer = #"{"unit": "multichannelMixer", "edits": [{"frame": 100, "set": {"volume@input:0": 0.25}}]}"#
    let constant = #""stimulus": {"type": "formula", "formula": "if(c == 0, 0.5, 0.125)", "frames": 2000},"#
    func check(_ keys: String) -> String { #"{"check": "parameter", \#(keys)}"# }
    // 20·log10(0.5) and, behind the volume, of half and a quarter of it.
    for (keys, expected) in [
      (#""parameter": "prePeakHoldLevel@input:0", "value": -6.0206, "within": 0.0001"#, Verdict.passed),
      (#""parameter": "prePeakHoldLevel@input:0", "channel": 1, "value": -18.0618, "within": 0.0001"#, .passed),
      (#""parameter": "prePeakHoldLevel@input:0", "min": -6"#, .failed),
      (#""parameter": "volume@input:0", "frames": 100, "value": 1, "within": 0"#, .passed),
      (#""parameter": "volume@input:0", "frames": 101, "value": 0.25, "within": 0"#, .passed),
      (#""parameter": "volume@input:0", "max": 0.2"#, .failed),
      (#""parameter": "volume@input:0", "channel": 1, "max": 1"#, .error),
      (#""parameter": "volum@input:0", "max": 1"#, .error),
      (#""parameter": "prePeakHoldLevel@input:0", "channel": 2, "max": 1"#, .error),
      (#""node": "mix", "parameter": "volume@input:0", "max": 1"#, .error),
    ] {
      #expect(try verdict(mixer, check(keys), more: constant).verdict == expected, "\(keys)")
    }
    #expect(try verdict(ShellDevice.copy, check(#""parameter": "volume", "max": 1"#)).verdict == .error)
  }
}
