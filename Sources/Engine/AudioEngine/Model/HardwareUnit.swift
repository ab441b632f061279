import AudioCore

/// A unit on hardware that refuses some formats.
package protocol HardwareUnit: Unit {
  /// The reason why the hardware does not take a format: the refusal's name in scenario files, and the formats that it
  /// does take.
  func hardwareRefusal(of format: StreamFormat) -> (refusal: String, expected: String)?
  /// The names of all that it refuses, in order.
  var hardwareRefusals: [String] { get }
}

extension Unit {
  /// Inputs that other units can feed: all, but for those that lie towards hardware.
  package final var connectableInputs: Int { hasHardwareOutputs ? 1 : elementCount(.input) }
  /// True where the formats of its outputs are those of hardware.
  package final var hasHardwareOutputs: Bool { self is any HardwareUnit }
}
