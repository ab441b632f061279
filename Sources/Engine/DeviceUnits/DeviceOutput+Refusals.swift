import AudioCore
import AudioEngine
import Hardware

/// Formats that a scenario's device refuses.
extension DeviceOutput: HardwareUnit {
  /// The rule of the scenario's device against a format, and what the device takes.
  func refusal(of format: StreamFormat) -> (ScenarioDevice.Refusal, expected: String)? {
    guard refusesFormats else { return nil }
    let refusals = hardware.refusals
    let rate = hardware.configuration.sampleRate
    if refusals.contains(.float), format.encoding.kind == .float { return (.float, "integer samples") }
    if refusals.contains(.mono), format.channelCount == 1 { return (.mono, "two channels or more") }
    if refusals.contains(.otherRates), format.sampleRate != rate {
      return (.otherRates, "the hardware's rate, \(NumberText.short(rate)) Hz")
    }
    return nil
  }

  package func hardwareRefusal(of format: StreamFormat) -> (refusal: String, expected: String)? {
    refusal(of: format).map { ($0.rawValue, $1) }
  }

  package var hardwareRefusals: [String] { hardware.refusals.map(\.rawValue).sorted() }
}
