import AudioCore
import AudioEngine
import Hardware

extension DeviceOutput {
  /// The names under which programs ask for an output unit.
  public enum Kind: CaseIterable, Sendable {
    case defaultOutput, systemOutput, hal, remoteIO, voiceProcessing

    /// True when it has an input element that works.
    package var hasInput: Bool { self == .hal || self == .remoteIO || self == .voiceProcessing }
    /// True when it has the parameter ``DeviceOutput/volumeID``.
    package var hasVolume: Bool { isOfTheMac }
    /// True for those that only a Mac has.
    package var isOfTheMac: Bool { self == .defaultOutput || self == .systemOutput || self == .hal }

    /// With Apple's codes: `auou` and `def `, `sys `, `ahal`, `rioc` or `vpio`. Its units play to
    /// ``SimulatedHardware/shared``.
    package var component: Component { component { DeviceOutput(self) } }

    /// The same on hardware of its own, for graph files.
    package var ofGraphs: Component {
      component { DeviceOutput(self, hardware: SimulatedHardware(DeviceConfiguration()), refusesFormats: false) }
    }

    private func component(_ makeUnit: @escaping @Sendable () -> DeviceOutput) -> Component {
      func make(_ subType: FourCharCode, _ shortName: String, _ name: String, _ summary: String) -> Component {
        Component(
          ComponentDescription(type: .output, subType: subType), shortName: shortName, name: "Apple: \(name)",
          summary: summary, make: makeUnit)
      }
      return switch self {
      case .defaultOutput:
        make("def ", "defaultOutput", "DefaultOutputUnit", "Plays to the default device, which is simulated.")
      case .systemOutput:
        make(
          "sys ", "systemOutput", "SystemOutputUnit", "Plays to the device for alerts, which is the simulated one.")
      case .hal:
        make(
          "ahal", "deviceOutput", "AudioDeviceOutput", "Plays to and records from any device; there is a simulated one."
        )
      case .remoteIO:
        make("rioc", "remoteIO", "AURemoteIO", "Plays to and records from the simulated hardware.")
      case .voiceProcessing:
        make(
          "vpio", "voiceProcessingIO", "AUVoiceProcessor",
          "Plays to and records from the simulated hardware; under a scenario without the echo of what it plays.")
      }
    }
  }
}
