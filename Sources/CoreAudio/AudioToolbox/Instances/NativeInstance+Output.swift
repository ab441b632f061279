// Starting and stopping of output units. A generic output has no device: started or not, its host pulls it. A device
// output is pulled by a thread of its own, through the same call that a host would use.

import AudioCore
import AudioEngine
import CAudioToolbox
import DeviceUnits

extension NativeInstance {
  /// True when the unit has been started.
  var isRunning: Bool { unit.deviceOutput?.isRunning ?? lock.withLock { hostValues.isRunning } }

  func startOutput() -> OSStatus {
    guard unit.isOutput else { return kAudio_UnimplementedError }
    let wasRunning = isRunning
    // A run that ended with its first cycle has left a slice of the very time that this one begins with.
    if !wasRunning && unit.deviceOutput != nil { forgetSlices() }
    // A start that is refused changes nothing.
    if let device = unit.deviceOutput, device.hasOtherHardware, !device.hardware.isInterrupted {
      adoptChangedHardware()
    }
    let result = edit { () throws(AudioStatus) in
      try followInputCallback()
      guard unit.isInitialized else { throw .uninitialized }
      if let device = unit.deviceOutput {
        // As the session's errors say it.
        if device.hardware.isInterrupted {
          throw AudioStatus(device.isInputEnabled ? cannotStartRecording : cannotStartPlaying)
        }
        device.inputAvailable = inputCallback()
        try device.start(
          render: deviceRender(), formatDidChange: { [weak self] in self?.adoptChangedHardware() },
          wasStopped: { [weak self] in self?.runningChanged() })
      } else {
        hostValues.isRunning = true
      }
    }
    if result == noErr && !wasRunning { runningChanged() }
    return result
  }

  func stopOutput() -> OSStatus {
    guard unit.isOutput else { return kAudio_UnimplementedError }
    guard isRunning else { return noErr }
    // Not under the lock: the hardware's thread may be waiting for it.
    if let device = unit.deviceOutput { device.stop() } else { lock.withLock { hostValues.isRunning = false } }
    runningChanged()
    return noErr
  }

  /// Makes the next slice of this unit, and of all units that it pulls, a new one, whatever its time.
  private func forgetSlices() {
    var walk = UpstreamWalk<AudioUnit>()
    walk.visit(handle) { unit in
      var feeders: [AudioUnit] = []
      _ = withUnit(unit) { instance in
        for case .connection(let source, _) in instance.connectedSources { feeders.append(source) }
        return noErr
      }
      return feeders
    }
    for unit in walk.order {
      _ = withUnit(unit) { instance in
        if let native = instance as? NativeInstance { native.request(native.wantsNewSlice) }
        return noErr
      }
    }
  }

  /// Lets a voice processor record where the program has set an input callback and never said whether the input is on:
  /// macOS does. A program with an audio session is one for iOS, where the input is off until it is switched on. Not
  /// while it runs.
  func followInputCallback() throws(AudioStatus) {
    guard let device = unit.deviceOutput, !device.isRunning else { return }
    let isSet = hostValues.inputCallback?.inputProc != nil && !AudioSession.shared.isInitialized
    guard device.followInputCallback(isSet: isSet), unit.isInitialized else { return }
    try initializeAgain(
      after: { _ = device.followInputCallback(isSet: isSet) },
      orBack: { _ = device.followInputCallback(isSet: !isSet) })
  }

  private func runningChanged() { propertyChanged(kAudioOutputUnitProperty_IsRunning, kAudioUnitScope_Global, 0) }

  /// The function that the hardware's thread calls for each buffer of output.
  private func deviceRender() -> DeviceOutput.Render? {
    guard let format = try? unit.streamFormat(.output) else { return nil }
    let list = BufferList(capacity: 1)
    let channelCount = UInt32(format.channelCount)
    let bytesPerFrame = format.bytesPerFrame
    return { [weak self] time, frames, output in
      guard let self else { return .uninitialized }
      list.pointer.pointee.mNumberBuffers = 1
      list.pointer.pointee.mBuffers = AudioBuffer(
        mNumberChannels: channelCount, mDataByteSize: UInt32(frames * bytesPerFrame), mData: output.start)
      var stamp = AudioTimeStamp(time)
      var flags = AudioUnitRenderActionFlags(rawValue: 0)
      // Renders of the unit that were not the device's may have left it set.
      self.gaveSilence.isSet.store(false, ordering: .relaxed)
      let status = withUnsafeMutablePointer(to: &flags) { flags in
        recordedRender(.render, "render", self.callSubject, flags, &stamp, bus: 0, frames: UInt32(frames)) {
          self.render(flags, &stamp, bus: 0, frames: UInt32(frames), list.pointer)
        }
      }
      // A run that plays nothing because there is no source reports that at its end.
      let isUnfed = self.gaveSilence.isSet.exchange(false, ordering: .relaxed)
      return status == noErr && isUnfed ? .noConnection : AudioStatus(status)
    }
  }

  /// The function that the hardware's thread calls when input has arrived: no buffers; the host renders bus 1 to get
  /// them.
  private func inputCallback() -> DeviceOutput.InputAvailable? {
    guard let callback = hostValues.inputCallback, let proc = callback.inputProc else { return nil }
    let context = UnsafeContext(callback.inputProcRefCon)
    let subject = callSubject
    return { time, frames in
      guard frames > 0 else { return }
      var stamp = AudioTimeStamp(time)
      var flags = AudioUnitRenderActionFlags(rawValue: 0)
      _ = withUnsafeMutablePointer(to: &flags) { flags in
        recordedRender(.callback, "input callback", subject, flags, &stamp, bus: 1, frames: UInt32(frames)) {
          proc(context.pointer, flags, &stamp, 1, UInt32(frames), nil)
        }
      }
    }
  }
}

/// The status of starting an output unit while another program, such as a phone call, has the hardware: the codes
/// '!pla' and '!rec' of the newer session interface.
private let cannotStartPlaying: OSStatus = 0x2170_6C61
private let cannotStartRecording: OSStatus = 0x2172_6563

/// A reference of the host's, which may be null and goes back to it as it came.
struct UnsafeContext: @unchecked Sendable {
  let pointer: UnsafeMutableRawPointer
  init(_ pointer: UnsafeMutableRawPointer?) { self.pointer = unsafeBitCast(pointer, to: UnsafeMutableRawPointer.self) }
}
