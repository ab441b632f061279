// AudioUnitUtilities.h: hearing of changes to parameters and properties.
//
// Only changes made by AUParameterSet, or announced by one of the two notify functions, reach listeners, and property
// changes, which units tell themselves. AudioUnitSetParameter reaches no listener; nor does a preset: a program that
// chooses one announces kAUParameterListener_AnyParameter.
//
// A notification interval of 0 means at once, on the thread that changes. Any other opens a window with the first
// change; when it has passed, all changes since are reported on the run loop (null: that of the thread that made the
// listener, as Apple documents it; null mode: the default mode) or on the dispatch queue.

import AudioCore
import CAudioToolbox
import CForeign

/// Runs `body` with the listener of a handle; -50 for one that is stale, foreign or null.
private func withListener(_ handle: OpaquePointer?, _ body: (ChangeListener) -> OSStatus) -> OSStatus {
  HandleTable.shared.withObject(handle, ChangeListener.self, body) ?? kAudio_ParamError
}

/// The call of a program's block; nil if there is none.
private func parameterCall(_ block: UnsafeRawPointer?) -> ChangeListener.Call? {
  HeldBlock(block).map { block in .parameter { foreign_call_parameter_block(block.copy, $0, $1, $2) } }
}
private func eventCall(_ block: UnsafeRawPointer?) -> ChangeListener.Call? {
  HeldBlock(block).map { block in .event { foreign_call_event_block(block.copy, $0, $1, $2, $3) } }
}

/// Makes a listener and hands its handle out.
private func create(
  _ call: ChangeListener.Call?, _ interval: Float32, _ granularity: Float32? = nil,
  into result: UnsafeMutablePointer<OpaquePointer?>?, place: () -> (any DeliveryPlace)?
) -> OSStatus {
  guard let call, let result else { return kAudio_ParamError }
  result.pointee = nil
  return status(
    result.pointee = try ChangeListener.make(call, interval: interval, granularity: granularity, place: place).handle)
}

// MARK: Parameter listeners

/// AUListenerCreate. Functions with CoreFoundation types cannot be marked as implementations of their headers: such
/// types are classes to Swift.
///
/// - Returns: -50 without a function or a place for the result, and for an interval below 0.
@c(AUListenerCreate)
public func _auListenerCreate(
  _ inProc: AUParameterListenerProc?, _ inUserData: UnsafeMutableRawPointer?, _ inRunLoop: UnsafeRawPointer?,
  _ inRunLoopMode: UnsafeRawPointer?, _ inNotificationInterval: Float32,
  _ outListener: UnsafeMutablePointer<AUParameterListenerRef?>?
) -> OSStatus {
  guard let inProc else { return kAudio_ParamError }
  return create(.parameter { inProc(inUserData, $0, $1, $2) }, inNotificationInterval, into: outListener) {
    RunLoopPlace(loop: inRunLoop, mode: inRunLoopMode)
  }
}

/// AUListenerCreateWithDispatchQueue, with blocks and queues as C has them.
@c(AUListenerCreateWithDispatchQueue)
public func _auListenerCreateWithDispatchQueue(
  _ outListener: UnsafeMutablePointer<AUParameterListenerRef?>?, _ inNotificationInterval: Float32,
  _ inDispatchQueue: UnsafeMutableRawPointer?,
  _ inBlock: UnsafeRawPointer?
) -> OSStatus {
  guard let inDispatchQueue else { return kAudio_ParamError }
  return create(parameterCall(inBlock), inNotificationInterval, into: outListener) { CQueuePlace(inDispatchQueue) }
}

/// The function behind the overload for the queues of Swift.
@c(_AUListenerCreateAtPlace)
public func _auListenerCreateAtPlace(
  _ outListener: UnsafeMutablePointer<AUParameterListenerRef?>?, _ inNotificationInterval: Float32,
  _ inPlace: _AUListenerPlace,
  _ inBlock: UnsafeRawPointer?
) -> OSStatus {
  let place = SwiftPlace(inPlace)
  return create(parameterCall(inBlock), inNotificationInterval, into: outListener) { place }
}

/// Ends a listener of either kind: its function is not called any more, and a call on another thread has returned, or a
/// second has passed. -50 for a handle that is stale.
@c @implementation
public func AUListenerDispose(_ inListener: AUParameterListenerRef) -> OSStatus { ChangeListener.dispose(inListener) }

/// Any listener can listen to parameters; an event listener gets their changes as events.
@c @implementation
public func AUListenerAddParameter(
  _ inListener: AUParameterListenerRef, _ inObject: UnsafeMutableRawPointer?,
  _ inParameter: UnsafePointer<AudioUnitParameter>
) -> OSStatus {
  withListener(inListener) {
    if isNull(inParameter) { return kAudio_ParamError }
    return add(ChangeKey(ChangeKey.value, inParameter.pointee), to: $0, inObject)
  }
}

/// Removes a parameter that was added with this object, and its changes that are still to be delivered; 0 if it was not
/// added.
@c @implementation
public func AUListenerRemoveParameter(
  _ inListener: AUParameterListenerRef, _ inObject: UnsafeMutableRawPointer?,
  _ inParameter: UnsafePointer<AudioUnitParameter>
) -> OSStatus {
  withListener(inListener) {
    if isNull(inParameter) { return kAudio_ParamError }
    return $0.remove(ChangeKey(ChangeKey.value, inParameter.pointee), object: UInt(bitPattern: inObject))
  }
}

/// A value that the unit refuses is not announced, and its error is returned.
@c @implementation
public func AUParameterSet(
  _ inSendingListener: AUParameterListenerRef?, _ inSendingObject: UnsafeMutableRawPointer?,
  _ inParameter: UnsafePointer<AudioUnitParameter>, _ inValue: AudioUnitParameterValue,
  _ inBufferOffsetInFrames: UInt32
) -> OSStatus {
  if isNull(inParameter) { return kAudio_ParamError }
  if inSendingListener != nil, withListener(inSendingListener, { _ in noErr }) != noErr { return kAudio_ParamError }
  let parameter = inParameter.pointee
  let status = withUnit(parameter.mAudioUnit) {
    $0.setParameter(
      parameter.mParameterID, parameter.mScope, parameter.mElement, to: inValue, bufferOffset: inBufferOffsetInFrames)
  }
  guard status == noErr else { return status }
  return Listeners.announce(
    ChangeKey(ChangeKey.value, parameter), from: inSendingListener, object: inSendingObject)
}

/// Announces a change of a parameter to all listeners but the sending one's object; the value is read from the unit.
/// `kAUParameterListener_AnyParameter` announces all that are listened to. -50 for a unit or a sender that does not
/// exist.
@c @implementation
public func AUParameterListenerNotify(
  _ inSendingListener: AUParameterListenerRef?, _ inSendingObject: UnsafeMutableRawPointer?,
  _ inParameter: UnsafePointer<AudioUnitParameter>
) -> OSStatus {
  if isNull(inParameter) { return kAudio_ParamError }
  return Listeners.announce(
    ChangeKey(ChangeKey.value, inParameter.pointee), from: inSendingListener, object: inSendingObject)
}

// MARK: Event listeners

/// AUEventListenerCreate, as ``_auListenerCreate(_:_:_:_:_:_:)``.
@c(AUEventListenerCreate)
public func _auEventListenerCreate(
  _ inProc: AUEventListenerProc?, _ inUserData: UnsafeMutableRawPointer?, _ inRunLoop: UnsafeRawPointer?,
  _ inRunLoopMode: UnsafeRawPointer?, _ inNotificationInterval: Float32, _ inValueChangeGranularity: Float32,
  _ outListener: UnsafeMutablePointer<AUEventListenerRef?>?
) -> OSStatus {
  guard let inProc else { return kAudio_ParamError }
  return create(
    .event { inProc(inUserData, $0, $1, $2, $3) }, inNotificationInterval, inValueChangeGranularity, into: outListener
  ) { RunLoopPlace(loop: inRunLoop, mode: inRunLoopMode) }
}

/// AUEventListenerCreateWithDispatchQueue, with blocks and queues as C has them.
@c(AUEventListenerCreateWithDispatchQueue)
public func _auEventListenerCreateWithDispatchQueue(
  _ outListener: UnsafeMutablePointer<AUEventListenerRef?>?, _ inNotificationInterval: Float32,
  _ inValueChangeGranularity: Float32, _ inDispatchQueue: UnsafeMutableRawPointer?,
  _ inBlock: UnsafeRawPointer?
) -> OSStatus {
  guard let inDispatchQueue else { return kAudio_ParamError }
  return create(eventCall(inBlock), inNotificationInterval, inValueChangeGranularity, into: outListener) {
    CQueuePlace(inDispatchQueue)
  }
}

/// The function behind the overload for the queues of Swift.
@c(_AUEventListenerCreateAtPlace)
public func _auEventListenerCreateAtPlace(
  _ outListener: UnsafeMutablePointer<AUEventListenerRef?>?, _ inNotificationInterval: Float32,
  _ inValueChangeGranularity: Float32, _ inPlace: _AUListenerPlace,
  _ inBlock: UnsafeRawPointer?
) -> OSStatus {
  let place = SwiftPlace(inPlace)
  return create(eventCall(inBlock), inNotificationInterval, inValueChangeGranularity, into: outListener) { place }
}

/// - Returns: -50 for a listener of parameters alone, and for a type of event that does not exist.
@c @implementation
public func AUEventListenerAddEventType(
  _ inListener: AUEventListenerRef, _ inObject: UnsafeMutableRawPointer?, _ inEvent: UnsafePointer<AudioUnitEvent>
) -> OSStatus {
  withListener(inListener) {
    guard $0.isForEvents, !isNull(inEvent), let key = ChangeKey(inEvent.pointee) else { return kAudio_ParamError }
    return add(key, to: $0, inObject)
  }
}

/// Removes a type of event that was added with this object, and its events that are still to be delivered. -50 for a
/// listener of parameters alone.
@c @implementation
public func AUEventListenerRemoveEventType(
  _ inListener: AUEventListenerRef, _ inObject: UnsafeMutableRawPointer?, _ inEvent: UnsafePointer<AudioUnitEvent>
) -> OSStatus {
  withListener(inListener) {
    guard $0.isForEvents, !isNull(inEvent), let key = ChangeKey(inEvent.pointee) else { return kAudio_ParamError }
    return $0.remove(key, object: UInt(bitPattern: inObject))
  }
}

/// Announces an event to all listeners but the sending one's object. -50 for a unit or a sender that does not exist,
/// and for a type of event that does not exist.
@c @implementation
public func AUEventListenerNotify(
  _ inSendingListener: AUEventListenerRef?, _ inSendingObject: UnsafeMutableRawPointer?,
  _ inEvent: UnsafePointer<AudioUnitEvent>
) -> OSStatus {
  guard !isNull(inEvent), let key = ChangeKey(inEvent.pointee) else { return kAudio_ParamError }
  return Listeners.announce(key, from: inSendingListener, object: inSendingObject)
}

/// The wildcard is for announcing only.
private func add(_ key: ChangeKey, to listener: ChangeListener, _ object: UnsafeMutableRawPointer?) -> OSStatus {
  key.isAnyParameter ? kAudioUnitErr_InvalidParameter : listener.add(key, object: UInt(bitPattern: object))
}
