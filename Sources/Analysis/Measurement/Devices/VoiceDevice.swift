import AudioCore

/// A voice processor as a device under test: of two channels, what the microphone hears and what the loudspeaker plays,
/// it makes one.
public protocol VoiceDevice: Device {
  /// The setting of the device for reports: `suppressor on`.
  var setting: String { get }
  /// The same with its gain control on or off; nil: it has none that can be set.
  func controllingGain(_ isOn: Bool) -> (any VoiceDevice)?
}
