// The route of an audio session's sound, in CoreFoundation's words.

import AudioCore
import AudioEngine
import CAudioToolbox
import CoreFoundation
import Hardware

/// The route of a session on the simulated hardware, which calls its output a speaker and its input a microphone.
struct AudioRoute: Hashable, Sendable {
  /// Output and input by the names of the interface's constants; nil where there is none.
  let output: String?
  let input: String?

  /// Playing and recording at once uses the receiver, as on a telephone, unless the speaker is requested. A plugged-in
  /// device has precedence over a built-in one.
  init(category: UInt32, usesSpeaker: Bool, hardware: DeviceRoute = DeviceRoute(), hasInput: Bool = true) {
    let records = AudioSessionCategory.records(category)
    let plays = AudioSessionCategory.plays(category)
    let builtIn = records && !usesSpeaker ? "BuiltInReceiver" : "BuiltInSpeaker"
    output = plays ? hardware.output ?? builtIn : nil
    input = records && hasInput ? hardware.input ?? "BuiltInMic" : nil
  }

  /// The name that the deprecated route property gives.
  var name: String {
    switch (output, input) {
    case ("BuiltInSpeaker", nil): "Speaker"
    case ("BuiltInSpeaker", _): "SpeakerAndMicrophone"
    case ("BuiltInReceiver", _): "ReceiverAndMicrophone"
    case (nil, "BuiltInMic"): "MicrophoneBuiltIn"
    case (nil, .some): "MicrophoneWired"
    case ("Headphones", nil): "Headphone"
    case ("Headphones", "HeadsetMic"): "HeadsetInOut"
    case ("Headphones", _): "HeadphonesAndMicrophone"
    case ("BluetoothHFP", _): "HeadsetBT"
    case ("LineOut", _): "LineOut"
    case ("AirPlay", _): "AirTunes"
    default: output ?? ""
    }
  }

  /// Inputs and outputs, each a list of the one port, or of none.
  var description: PropertyTree {
    func ports(_ type: String?) -> PropertyTree {
      .list(type.map { [.table([("Type", .text($0))])] } ?? [])
    }
    return .table([("Inputs", ports(input)), ("Outputs", ports(output))])
  }

  /// The value for route listeners: the reason, and the routes before and after.
  static func change(from former: AudioRoute, to present: AudioRoute, reason: UInt32) -> PropertyTree {
    .table([
      ("OutputDeviceDidChange_Reason", .integer(Int32(bitPattern: reason))),
      ("OutputDeviceDidChange_OldRoute", .text(former.name)),
      ("PreviousRouteDescription", former.description),
      ("CurrentRouteDescription", present.description),
    ])
  }
}
