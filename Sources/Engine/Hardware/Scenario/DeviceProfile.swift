/// Devices that programs meet, as a name for what they are; a scenario may say each thing otherwise.
public enum DeviceProfile: String, Hashable, Sendable, CaseIterable {
  /// Takes any format: a microphone of one channel, two loudspeakers.
  case simulator
  /// A phone that refuses floating point, has rates of its own, and leaves what was in a callback's buffer.
  case phone
  /// Refuses streams of one channel.
  case noMono
  /// A player without a microphone.
  case noMicrophone
  /// A desk computer's interface, which does not convert rates.
  case fixedRate

  /// The description of the device.
  public var device: ScenarioDevice {
    var device = ScenarioDevice()
    switch self {
    case .simulator: break
    case .phone:
      device.refusals = [.float]
      device.leavesBuffers = true
      device.sampleRates = [8_000, 16_000, 22_050, 44_100, 48_000]
    case .noMono:
      device.refusals = [.mono]
      device.inputChannels = 2
    case .noMicrophone: device.inputChannels = 0
    case .fixedRate:
      device.refusals = [.otherRates]
      device.sampleRates = [44_100]
      device.inputChannels = 2
    }
    return device
  }
}
