// Times of a queue and of its device. Any thread.

import AudioCore
import CAudioToolbox
import Hardware
import Synchronization

/// A timeline of a queue's: breaks in its time are told once on each.
final class QueueTimeline: HandleObject, @unchecked Sendable {
  static var handleKind: HandleKind { .audioQueueTimeline }
  weak var queue: AudioQueueObject?
  /// The breaks that have been told.
  let seen: Atomic<UInt64>

  init(_ queue: AudioQueueObject) {
    self.queue = queue
    seen = Atomic(queue.discontinuities.load(ordering: .relaxed))
  }
}

extension AudioQueueObject {
  /// - Throws: −66685 for a queue that ends.
  func addTimeline() throws(AudioStatus) -> OpaquePointer {
    let handle = try HandleTable.shared.add(QueueTimeline(self))
    let isKept = state.withLock { state in
      if !state.isDisposing { state.timelines.append(handle) }
      return !state.isDisposing
    }
    guard isKept else {
      _ = HandleTable.shared.remove(handle, QueueTimeline.self)
      throw AudioStatus(kAudioQueueErr_DisposalPending)
    }
    return handle
  }

  /// - Throws: −50 for a timeline that is not this queue's.
  func removeTimeline(_ handle: OpaquePointer) throws(AudioStatus) {
    let isOwn = state.withLock { state in
      guard let index = state.timelines.firstIndex(of: handle) else { return false }
      state.timelines.remove(at: index)
      return true
    }
    guard isOwn else { throw .parameterError }
    _ = HandleTable.shared.remove(handle, QueueTimeline.self)
  }

  /// The queue's frame that is heard or recorded next; less than 0 until a start that lies ahead.
  /// - Throws: −66678 for a queue that is stopped.
  func currentTime() throws(AudioStatus) -> Double {
    guard state.withLock({ $0.run != .stopped }) else { throw AudioStatus(kAudioQueueErr_InvalidRunState) }
    let ahead = framesToStart.load(ordering: .relaxed)
    guard ahead > 0 else { return Double(progress.frame.load(ordering: .acquiring)) }
    return -Double(FrameCount.converted(ahead, from: device.format.sampleRate, to: format.stream.sampleRate))
  }

  /// The device's present moment: by the wall clock between two cycles, or the beginning of the next cycle.
  /// - Throws: 'stop' where it does not run.
  func deviceTime() throws(AudioStatus) -> DeviceTime {
    guard var time = device.now else { throw AudioStatus(kAudioHardwareNotRunningError) }
    guard device.clock == .real else { return time }
    let now = device.hardware.hostTime
    let rate = device.format.sampleRate
    let distance = now > time.hostTime ? now - time.hostTime : time.hostTime - now
    let frames = FrameCount.converted(Int64(clamping: distance), from: 1e9, to: rate)
    time.sampleTime = max(0, now > time.hostTime ? time.sampleTime + frames : time.sampleTime - frames)
    time.hostTime = now
    return time
  }

  /// Sample time to host time, or the other way round, as the device's clock has it now.
  /// - Throws: 'stop' where the device does not run, −66682 for a moment that has neither.
  func translate(_ moment: AudioTimeStamp) throws(AudioStatus) -> AudioTimeStamp {
    guard let anchor = device.now else { throw AudioStatus(kAudioHardwareNotRunningError) }
    let rate = device.format.sampleRate
    let nanoseconds = 1e9 / rate * anchor.rateScalar
    var result = AudioTimeStamp(anchor)
    if moment.mFlags.contains(.sampleTimeValid), moment.mSampleTime.magnitude <= 0x1p53 {
      result.mSampleTime = moment.mSampleTime
      let distance = ((moment.mSampleTime - Double(anchor.sampleTime)) * nanoseconds).rounded()
      result.mHostTime =
        distance < 0
        ? anchor.hostTime - min(anchor.hostTime, UInt64(clamping: -distance))
        : anchor.hostTime &+ UInt64(clamping: distance)
    } else if moment.mFlags.contains(.hostTimeValid) {
      result.mHostTime = moment.mHostTime
      let distance =
        moment.mHostTime >= anchor.hostTime
        ? Double(moment.mHostTime - anchor.hostTime) : -Double(anchor.hostTime - moment.mHostTime)
      result.mSampleTime = (Double(anchor.sampleTime) + distance / nanoseconds).rounded()
    } else {
      throw AudioStatus(kAudioQueueErr_InvalidParameter)
    }
    return result
  }

  /// The nearest time at which the device can start a queue: any of its frames from the next cycle on.
  func nearestStart(_ wanted: AudioTimeStamp) throws(AudioStatus) -> AudioTimeStamp {
    guard let next = device.now else { throw AudioStatus(kAudioHardwareNotRunningError) }
    var wanted = wanted
    if !wanted.mFlags.contains(.sampleTimeValid) { wanted = try translate(wanted) }
    guard wanted.mSampleTime > Double(next.sampleTime) else { return AudioTimeStamp(next) }
    wanted.mSampleTime = wanted.mSampleTime.rounded()
    return try translate(AudioTimeStamp(sampleTime: wanted.mSampleTime))
  }
}
