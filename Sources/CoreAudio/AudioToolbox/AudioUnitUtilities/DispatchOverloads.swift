// The functions that take a dispatch queue, for the queues of Swift. Compiled twice: into the library, and into the
// module that `make install` puts in place. So this file calls nothing but what the C headers declare.

import CAudioToolbox
import Dispatch

/// As the C function of the same name, for the queues of Swift.
/// - Parameters:
///   - outListener: gets the listener, which AUListenerDispose ends.
///   - inNotificationInterval: in seconds; 0: at once, on the thread that changes.
///   - inDispatchQueue: the queue on which the block is called.
///   - inBlock: gets the object, the parameter and its value.
/// - Returns: 0, or -50 for an interval below 0.
public func AUListenerCreateWithDispatchQueue(
  _ outListener: UnsafeMutablePointer<AUParameterListenerRef?>, _ inNotificationInterval: Float32,
  _ inDispatchQueue: DispatchQueue, _ inBlock: @escaping AUParameterListenerBlock
) -> OSStatus {
  _AUListenerCreateAtPlace(outListener, inNotificationInterval, place(inDispatchQueue), inBlock)
}

/// As the C function of the same name, for the queues of Swift.
/// - Parameters:
///   - outListener: gets the listener, which AUListenerDispose ends.
///   - inNotificationInterval: in seconds; 0: at once, on the thread that changes.
///   - inValueChangeGranularity: in seconds; changes of a parameter that lie closer together count as one.
///   - inDispatchQueue: the queue on which the block is called.
///   - inBlock: gets the object, the event, its host time and the parameter's value.
/// - Returns: 0, or -50 for an interval or a granularity below 0.
public func AUEventListenerCreateWithDispatchQueue(
  _ outListener: UnsafeMutablePointer<AUEventListenerRef?>, _ inNotificationInterval: Float32,
  _ inValueChangeGranularity: Float32, _ inDispatchQueue: DispatchQueue, _ inBlock: @escaping AUEventListenerBlock
) -> OSStatus {
  _AUEventListenerCreateAtPlace(
    outListener, inNotificationInterval, inValueChangeGranularity, place(inDispatchQueue), inBlock)
}

/// As the C function of the same name, for the queues of Swift.
/// - Parameters:
///   - outAQ: gets the audio queue, which AudioQueueDispose ends.
///   - inFormat: the format of the sound that is enqueued.
///   - inFlags: 0.
///   - inCallbackDispatchQueue: a serial queue, on which the block is called.
///   - inCallbackBlock: gets each buffer that has been played.
/// - Returns: as AudioQueueNewOutput.
public func AudioQueueNewOutputWithDispatchQueue(
  _ outAQ: UnsafeMutablePointer<AudioQueueRef?>, _ inFormat: UnsafePointer<AudioStreamBasicDescription>,
  _ inFlags: UInt32, _ inCallbackDispatchQueue: DispatchQueue,
  _ inCallbackBlock: @escaping AudioQueueOutputCallbackBlock
) -> OSStatus {
  _AudioQueueNewOutputAtPlace(outAQ, inFormat, inFlags, place(inCallbackDispatchQueue), inCallbackBlock)
}

/// As the C function of the same name, for the queues of Swift.
/// - Parameters:
///   - outAQ: gets the audio queue, which AudioQueueDispose ends.
///   - inFormat: the format of the sound that is recorded.
///   - inFlags: 0.
///   - inCallbackDispatchQueue: a serial queue, on which the block is called.
///   - inCallbackBlock: gets each buffer that has been filled, and when that began.
/// - Returns: as AudioQueueNewInput.
public func AudioQueueNewInputWithDispatchQueue(
  _ outAQ: UnsafeMutablePointer<AudioQueueRef?>, _ inFormat: UnsafePointer<AudioStreamBasicDescription>,
  _ inFlags: UInt32, _ inCallbackDispatchQueue: DispatchQueue, _ inCallbackBlock: @escaping AudioQueueInputCallbackBlock
) -> OSStatus {
  _AudioQueueNewInputAtPlace(outAQ, inFormat, inFlags, place(inCallbackDispatchQueue), inCallbackBlock)
}

private func place(_ queue: DispatchQueue) -> _AUListenerPlace {
  _AUListenerPlace(
    context: Unmanaged.passRetained(queue).toOpaque(),
    schedule: { context, listener, seconds, flush in
      let queue = Unmanaged<DispatchQueue>.fromOpaque(context).takeUnretainedValue()
      let bits = UInt(bitPattern: listener)
      // A C function: any thread may call it.
      nonisolated(unsafe) let flush = flush
      queue.asyncAfter(deadline: .now() + seconds) { flush(UnsafeMutableRawPointer(bitPattern: bits)) }
    }, release: { Unmanaged<DispatchQueue>.fromOpaque($0).release() })
}
