// Where the sound of an audio session goes, in CoreFoundation's words.

import CAudioToolbox
import CoreFoundation

/// The route of a session on the simulated device, which calls its output a speaker and its input a microphone.
struct AudioRoute: Hashable, Sendable {
  /// Output and input by the names of the interface's constants; nil where there is none.
  let output: String?
  let input: String?

  /// Playing and recording at once goes to the receiver, as on a telephone, unless the speaker is asked for.
  init(category: UInt32, usesSpeaker: Bool) {
    let records = AudioSessionCategory.records(category)
    let plays = AudioSessionCategory.plays(category)
    output = !plays ? nil : records && !usesSpeaker ? "BuiltInReceiver" : "BuiltInSpeaker"
    input = records ? "BuiltInMic" : nil
  }

  /// The name that the deprecated route property gives.
  var name: String {
    switch (output, input) {
    case ("BuiltInSpeaker", nil): "Speaker"
    case ("BuiltInSpeaker", _): "SpeakerAndMicrophone"
    case ("BuiltInReceiver", _): "ReceiverAndMicrophone"
    case (nil, .some): "MicrophoneBuiltIn"
    default: ""
    }
  }

  /// The address of a dictionary of inputs and outputs, which the caller owns.
  func makeDescription() -> UInt? { makeDictionary().map { UInt(bitPattern: $0.toOpaque()) } }

  private func makeDictionary() -> Unmanaged<CFMutableDictionary>? {
    let lists = [("Inputs", input), ("Outputs", output)]
    return Self.makeDictionary(lists.map { ($0.0, Self.makePorts($0.1)) })
  }

  /// The address of an array without elements, which the caller owns.
  static func makeEmptyList() -> UInt? { makeArray([]).map { UInt(bitPattern: $0.toOpaque()) } }

  /// What route listeners are told: the reason, and the routes before and after.
  static func makeChange(
    from former: AudioRoute, to present: AudioRoute, reason: UInt32
  ) -> Unmanaged<CFMutableDictionary>? {
    var number = Int32(bitPattern: reason)
    let reason = CFNumberCreate(nil, .sInt32Type, &number)
    return makeDictionary([
      ("OutputDeviceDidChange_Reason", reason.map { Unmanaged<AnyObject>.passRetained($0) }),
      ("OutputDeviceDidChange_OldRoute", CFText.make(former.name).map { retyped($0) }),
      ("PreviousRouteDescription", former.makeDictionary().map { retyped($0) }),
      ("CurrentRouteDescription", present.makeDictionary().map { retyped($0) }),
    ])
  }

  private static func retyped<Object>(_ object: Unmanaged<Object>) -> Unmanaged<AnyObject> {
    Unmanaged<AnyObject>.fromOpaque(object.toOpaque())
  }

  /// A list of the one port, or of none.
  private static func makePorts(_ type: String?) -> Unmanaged<AnyObject>? {
    guard let type else { return makeArray([]) }
    guard let port = makeDictionary([("Type", CFText.make(type).map { retyped($0) })]) else { return nil }
    defer { port.release() }
    return makeArray([UnsafeRawPointer(port.toOpaque())])
  }

  private static func makeArray(_ objects: [UnsafeRawPointer]) -> Unmanaged<AnyObject>? {
    var pointers = objects.map { Optional($0) }
    return withUnsafePointer(to: kCFTypeArrayCallBacks) { callbacks in
      CFArrayCreate(nil, &pointers, pointers.count, callbacks).map { Unmanaged<AnyObject>.passRetained($0) }
    }
  }

  /// Takes over one reference to each value; those that are missing are left out.
  private static func makeDictionary(_ entries: [(String, Unmanaged<AnyObject>?)]) -> Unmanaged<CFMutableDictionary>? {
    let dictionary = withUnsafePointer(to: kCFTypeDictionaryKeyCallBacks) { keys in
      withUnsafePointer(to: kCFTypeDictionaryValueCallBacks) { values in
        CFDictionaryCreateMutable(nil, 0, keys, values)
      }
    }
    for (key, value) in entries {
      guard let value else { continue }
      defer { value.release() }
      guard let dictionary, let name = CFText.make(key) else { continue }
      CFDictionarySetValue(dictionary, name.toOpaque(), value.toOpaque())
      name.release()
    }
    return dictionary.map { Unmanaged.passRetained($0) }
  }
}
