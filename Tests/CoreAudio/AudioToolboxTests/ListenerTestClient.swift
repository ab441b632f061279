// A program with listeners, for tests: their calls, and short names for what they listen to.

import AudioCore
import AudioToolbox
import CoreFoundation
import Dispatch
import Glibc
import Testing

/// The calls of a listener, in order. Its functions stand in for a program's.
final class ListenerLog: @unchecked Sendable {
  struct Item: Equatable {
    var kind: UInt32 = 0
    var object: Int = 0
    var id: UInt32 = 0
    var scope: UInt32 = 0
    var element: UInt32 = 0
    var value: Float = 0
  }
  var items: [Item] = []
  var hostTimes: [UInt64] = []
  var threads: [pthread_t] = []
  var units: [AudioUnit] = []
  /// Runs inside each call.
  var inside: () -> Void = {}
  let arrived = DispatchSemaphore(value: 0)

  var context: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }
  var values: [Float] { items.map(\.value) }

  func add(_ object: UnsafeMutableRawPointer?, _ event: AudioUnitEvent, _ time: UInt64, _ value: Float) {
    // Both halves of the union have the same fields in the same places.
    let parameter = event.mArgument.mParameter
    items.append(
      Item(
        kind: event.mEventType.rawValue, object: Int(bitPattern: object), id: parameter.mParameterID,
        scope: parameter.mScope, element: parameter.mElement, value: value))
    hostTimes.append(time)
    threads.append(pthread_self())
    units.append(parameter.mAudioUnit)
    inside()
    arrived.signal()
  }

  func add(_ object: UnsafeMutableRawPointer?, _ parameter: AudioUnitParameter, _ value: Float) {
    var event = AudioUnitEvent()
    event.mArgument.mParameter = parameter
    add(object, event, 0, value)
  }

  static let parameterProc: AUParameterListenerProc = { context, object, parameter, value in
    guard let context else { return }
    Unmanaged<ListenerLog>.fromOpaque(context).takeUnretainedValue().add(object, parameter.pointee, value)
  }
  static let eventProc: AUEventListenerProc = { context, object, event, time, value in
    guard let context else { return }
    Unmanaged<ListenerLog>.fromOpaque(context).takeUnretainedValue().add(object, event.pointee, time, value)
  }

  /// A parameter listener that tells this, disposed of by the caller.
  func parameterListener(interval: Float = 0, mode: CFString? = nil) throws -> AUParameterListenerRef {
    var listener: AUParameterListenerRef?
    try #require(AUListenerCreate(Self.parameterProc, context, nil, mode, interval, &listener) == noErr)
    return try #require(listener)
  }

  func eventListener(interval: Float = 0, granularity: Float = 0) throws -> AUEventListenerRef {
    var listener: AUEventListenerRef?
    try #require(AUEventListenerCreate(Self.eventProc, context, nil, nil, interval, granularity, &listener) == noErr)
    return try #require(listener)
  }

  /// Runs this thread's run loop until so many calls have come.
  func run(until count: Int, mode: CFString = kCFRunLoopDefaultMode) {
    for _ in 0..<600 where items.count < count { CFRunLoopRunInMode(mode, 0.1, true) }
  }
}

func listenerObject(_ number: Int) -> UnsafeMutableRawPointer? { UnsafeMutableRawPointer(bitPattern: number) }

func listenerEvent(_ kind: AudioUnitEventType, _ parameter: AudioUnitParameter) -> AudioUnitEvent {
  var event = AudioUnitEvent()
  event.mEventType = kind
  event.mArgument.mParameter = parameter
  return event
}

func listenerEvent(_ unit: AudioUnit, property id: UInt32, _ scope: AudioUnitScope, _ element: UInt32) -> AudioUnitEvent
{
  var event = AudioUnitEvent()
  event.mEventType = .propertyChange
  event.mArgument.mProperty = AudioUnitProperty(
    mAudioUnit: unit, mPropertyID: id, mScope: scope, mElement: element)
  return event
}

let mixerVolume = UInt32(kMultiChannelMixerParam_Volume)
let mixerPan = UInt32(kMultiChannelMixerParam_Pan)

func monotonicNow() -> UInt64 {
  var now = timespec()
  clock_gettime(CLOCK_MONOTONIC, &now)
  return UInt64(now.tv_sec) * 1_000_000_000 + UInt64(now.tv_nsec)
}
