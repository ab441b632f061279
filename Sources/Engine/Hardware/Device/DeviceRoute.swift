/// The route of the hardware: the names that the session's constants have behind `kAudioSessionOutputRoute_` and
/// `kAudioSessionInputRoute_`.
public struct DeviceRoute: Hashable, Sendable {
  /// The kinds of loudspeaker.
  public static let outputs = [
    "BuiltInSpeaker", "BuiltInReceiver", "Headphones", "LineOut", "BluetoothHFP", "BluetoothA2DP", "USBAudio", "HDMI",
    "AirPlay",
  ]
  /// The kinds of microphone.
  public static let inputs = ["BuiltInMic", "HeadsetMic", "LineIn", "BluetoothHFP", "USBAudio"]

  /// One of ``outputs``; nil: what is built in, receiver or speaker as the session's category says.
  public var output: String?
  /// One of ``inputs``; nil: what is built in.
  public var input: String?

  /// The loudspeaker and the microphone that are built in, unless others are named.
  public init(output: String? = nil, input: String? = nil) {
    self.output = output
    self.input = input
  }

  /// Why a route has changed, with the numbers of `kAudioSessionRouteChangeReason_`.
  public enum Reason: UInt32, Hashable, Sendable, CaseIterable {
    case unknown = 0
    case newDeviceAvailable = 1
    case oldDeviceUnavailable = 2
    case categoryChange = 3
    case override = 4
    case wakeFromSleep = 6
    case noSuitableRouteForCategory = 7
    case routeConfigurationChange = 8
  }
}
