import AVFAudioFiles
import AudioCore
import Foundation

extension AVAudioSession {
  /// The kind of a port.
  public struct Port: RawRepresentable, Hashable, Sendable {
    public let rawValue: String
    /// The kind of a name.
    public init(rawValue: String) { self.rawValue = rawValue }
    public static let lineIn = Port(rawValue: "LineIn")
    public static let builtInMic = Port(rawValue: "MicrophoneBuiltIn")
    public static let headsetMic = Port(rawValue: "MicrophoneWired")
    public static let lineOut = Port(rawValue: "LineOut")
    public static let headphones = Port(rawValue: "Headphones")
    public static let bluetoothA2DP = Port(rawValue: "BluetoothA2DPOutput")
    public static let builtInReceiver = Port(rawValue: "Receiver")
    public static let builtInSpeaker = Port(rawValue: "Speaker")
    public static let HDMI = Port(rawValue: "HDMIOutput")
    public static let airPlay = Port(rawValue: "AirPlay")
    public static let bluetoothLE = Port(rawValue: "BluetoothLE")
    public static let bluetoothHFP = Port(rawValue: "BluetoothHFP")
    public static let usbAudio = Port(rawValue: "USBAudio")
    public static let carAudio = Port(rawValue: "CarAudio")
    public static let virtual = Port(rawValue: "Virtual")
    public static let PCI = Port(rawValue: "PCI")
    public static let fireWire = Port(rawValue: "FireWire")
    public static let displayPort = Port(rawValue: "DisplayPort")
    public static let AVB = Port(rawValue: "AVB")
    public static let thunderbolt = Port(rawValue: "Thunderbolt")
    public static let continuityMicrophone = Port(rawValue: "ContinuityMicrophone")

    /// The names of the hardware's routes.
    static let ofRoutes: [String: Port] = [
      "BuiltInSpeaker": .builtInSpeaker, "BuiltInReceiver": .builtInReceiver, "Headphones": .headphones,
      "LineOut": .lineOut, "BluetoothHFP": .bluetoothHFP, "BluetoothA2DP": .bluetoothA2DP, "USBAudio": .usbAudio,
      "HDMI": .HDMI, "AirPlay": .airPlay, "BuiltInMic": .builtInMic, "HeadsetMic": .headsetMic, "LineIn": .lineIn,
    ]
  }

  /// The place of a microphone. There are none to choose from.
  public struct Location: RawRepresentable, Hashable, Sendable {
    public let rawValue: String
    /// The place of a name.
    public init(rawValue: String) { self.rawValue = rawValue }
    public static let upper = Location(rawValue: "Upper")
    public static let lower = Location(rawValue: "Lower")
  }

  /// The direction of a microphone. There are none to choose from.
  public struct Orientation: RawRepresentable, Hashable, Sendable {
    public let rawValue: String
    /// The direction of a name.
    public init(rawValue: String) { self.rawValue = rawValue }
    public static let top = Orientation(rawValue: "Top")
    public static let bottom = Orientation(rawValue: "Bottom")
    public static let front = Orientation(rawValue: "Front")
    public static let back = Orientation(rawValue: "Back")
    public static let left = Orientation(rawValue: "Left")
    public static let right = Orientation(rawValue: "Right")
  }

  /// The directions from which a microphone hears. There are none to choose from.
  public struct PolarPattern: RawRepresentable, Hashable, Sendable {
    public let rawValue: String
    /// The pattern of a name.
    public init(rawValue: String) { self.rawValue = rawValue }
    public static let omnidirectional = PolarPattern(rawValue: "Omnidirectional")
    public static let cardioid = PolarPattern(rawValue: "Cardioid")
    public static let subcardioid = PolarPattern(rawValue: "Subcardioid")
    public static let stereo = PolarPattern(rawValue: "Stereo")
  }
}

/// The ports that play and record.
open class AVAudioSessionRouteDescription: NSObject, @unchecked Sendable {
  /// The microphone, or nothing.
  public let inputs: [AVAudioSessionPortDescription]
  /// The loudspeaker, or nothing.
  public let outputs: [AVAudioSessionPortDescription]

  init(inputs: [AVAudioSessionPortDescription], outputs: [AVAudioSessionPortDescription]) {
    self.inputs = inputs
    self.outputs = outputs
  }
}

/// A device that plays or records.
open class AVAudioSessionPortDescription: NSObject, @unchecked Sendable {
  /// Its name in a route of the hardware.
  let routeName: String
  /// Its kind.
  public let portType: AVAudioSession.Port
  /// Its name: that of the kind.
  public let portName: String
  /// Its identifier, always the same for a device.
  public let uid: String
  /// False: the simulated hardware has no processing for calls.
  public var hasHardwareVoiceCallProcessing: Bool { false }
  /// False: the simulated hardware plays its channels.
  public var isSpatialAudioEnabled: Bool { false }
  /// Its channels.
  public let channels: [AVAudioSessionChannelDescription]?
  /// Its sources: none to choose from.
  public var dataSources: [AVAudioSessionDataSourceDescription]? { nil }
  /// Its source: none to choose from.
  public var selectedDataSource: AVAudioSessionDataSourceDescription? { nil }
  /// The wish for a source: none.
  public var preferredDataSource: AVAudioSessionDataSourceDescription? { nil }

  /// - Parameter name: one of those of the hardware's route.
  init(_ name: String, isInput: Bool, channels count: Int) {
    routeName = name
    portType = AVAudioSession.Port.ofRoutes[name] ?? AVAudioSession.Port(rawValue: name)
    portName = portType.rawValue
    let uid = "aubench-\(isInput ? "input" : "output")-\(name)"
    self.uid = uid
    channels = (0..<count).map { AVAudioSessionChannelDescription(number: $0 + 1, of: uid, isAlone: count == 1) }
  }

  /// - Throws: −50 for anything but nil.
  public func setPreferredDataSource(_ dataSource: AVAudioSessionDataSourceDescription?) throws {
    if dataSource != nil { throw AVAudioSession.error(.badParam, "the port has no sources to choose from") }
  }

  /// Ports of one device are equal.
  public override func isEqual(_ object: Any?) -> Bool { (object as? AVAudioSessionPortDescription)?.uid == uid }
  public override var hash: Int { uid.hash }
}

/// A channel of a port.
open class AVAudioSessionChannelDescription: NSObject, @unchecked Sendable {
  /// Its name: its number.
  public let channelName: String
  /// The identifier of its port.
  public let owningPortUID: String
  /// From 1 on.
  public let channelNumber: Int
  /// The loudspeaker, as channel layouts name it: mono, left, right, or a number.
  public let channelLabel: AudioChannelLabel

  init(number: Int, of uid: String, isAlone: Bool) {
    channelName = "\(number)"
    owningPortUID = uid
    channelNumber = number
    channelLabel =
      isAlone
      ? kAudioChannelLabel_Mono
      : number <= 2 ? UInt32(number) : kAudioChannelLabel_Discrete_0 | UInt32(clamping: number - 1)
  }
}

/// A source of a port. There are none to choose from.
open class AVAudioSessionDataSourceDescription: NSObject, @unchecked Sendable {
  /// Its number.
  public let dataSourceID: NSNumber
  /// Its name.
  public let dataSourceName: String
  /// Its place; nil: not known.
  public var location: AVAudioSession.Location? { nil }
  /// Its direction; nil: not known.
  public var orientation: AVAudioSession.Orientation? { nil }
  /// Its patterns; nil: it has none to choose from.
  public var supportedPolarPatterns: [AVAudioSession.PolarPattern]? { nil }
  /// Its pattern; nil: it has none to choose from.
  public var selectedPolarPattern: AVAudioSession.PolarPattern? { nil }
  /// The wish for a pattern: none.
  public var preferredPolarPattern: AVAudioSession.PolarPattern? { nil }

  init(id: Int, name: String) {
    dataSourceID = NSNumber(value: id)
    dataSourceName = name
  }

  /// - Throws: −50 for anything but nil.
  public func setPreferredPolarPattern(_ pattern: AVAudioSession.PolarPattern?) throws {
    if pattern != nil { throw AVAudioSession.error(.badParam, "the source has no patterns to choose from") }
  }
}
