// Steps 1, 3 and 10 of the path of one slice, through the C interface: who asks, the guard, the way out. Runs on the
// render thread: no allocation, no lock, no wait.

import AudioCore
import AudioUnits
import CAudioToolbox
import CRealtime
import Synchronization

extension NativeInstance {
  func pull(
    _ flags: UnsafeMutablePointer<AudioUnitRenderActionFlags>?, _ timeStamp: UnsafePointer<AudioTimeStamp>,
    bus: UInt32, frames: UInt32, _ data: UnsafeMutablePointer<AudioBufferList>
  ) -> OSStatus {
    if isNull(timeStamp) || isNull(data) { return kAudio_ParamError }
    guard domain.enter() else { return kAudioUnitErr_CannotDoInCurrentContext }
    defer { domain.leave() }
    var own = AudioUnitRenderActionFlags(rawValue: 0)
    return withUnsafeMutablePointer(to: &own) { own in
      let call = RenderCall(flags: flags ?? own, timeStamp: timeStamp, bus: bus, frames: frames, data: data)
      let refusal = check(call)
      if refusal != noErr { return refuse(refusal) }
      let notifies = listeningNotifies
      notifies?.call(.unitRenderAction_PreRender, call)
      // A notify may have edited what is about to render.
      if domain.isOutermost { domain.adopt() }
      return finish(call, renderSlice(call), notifies)
    }
  }

  /// What ``pull(_:_:bus:frames:_:)`` does for a connected unit that renders together with this one and has begun to, where
  /// nobody listens: without a buffer list, as what is given is the unit's own memory.
  ///
  /// - Parameters:
  ///   - timeStamp: with a valid sample time of at most 2^53.
  ///   - view: room for the pointers to the frames.
  /// - Returns: nil, and has done nothing, where the long way must be gone: somebody listens, or an argument is wrong.
  @inline(__always)
  func lend(
    _ flags: UnsafeMutablePointer<AudioUnitRenderActionFlags>, _ timeStamp: UnsafePointer<AudioTimeStamp>, bus: UInt32,
    frames: UInt32, view: BusBuffer
  ) -> OSStatus? {
    guard notifyView.isEmpty, let state = stateView.unretained(RenderState.self) else { return nil }
    return state._withUnsafeGuaranteedRef { state -> OSStatus? in
      guard Int(frames) <= state.maximumFrames, Int(bus) < state.outletCount else { return nil }
      let outlet = state.outlets + Int(bus)
      guard outlet.pointee.isEnabled, outlet.pointee.bufferCount == view.count, realtime_begin_pull() else {
        return nil
      }
      defer { realtime_end_pull() }
      forgetWhatWasAsked(state)
      let tick = begin(outlet, state, timeStamp, bus: bus, frames: frames, pushing: false)
      let feed = state.call
      let outer = feed.pointee
      feed.pointee = HostFeed.Call(
        flags: flags, timeStamp: timeStamp, sampleTime: tick.sampleTime, engineTime: tick.engineTime, pushed: nil)
      defer { feed.pointee = outer }
      let (status, output) = outlet.pointee.node._withUnsafeGuaranteedRef {
        $0.outcome(bus: outlet.pointee.bus, sampleTime: tick.engineTime, frames: Int(frames))
      }
      guard status == .noError else {
        latch(error: status.rawValue)
        return status.rawValue
      }
      if tick.isNew && outlet.pointee.clock == 0 { applySilence(state, flags, frames: frames, output) }
      for index in 0..<min(view.count, output.count) { view.buffers[index] = output.buffers[index] }
      return noErr
    }
  }

  func push(
    _ flags: UnsafeMutablePointer<AudioUnitRenderActionFlags>?, _ timeStamp: UnsafePointer<AudioTimeStamp>,
    frames: UInt32, _ data: UnsafeMutablePointer<AudioBufferList>
  ) -> OSStatus {
    guard canProcess else { return kAudio_UnimplementedError }
    if isNull(timeStamp) || isNull(data) { return kAudio_ParamError }
    guard domain.enter() else { return kAudioUnitErr_CannotDoInCurrentContext }
    defer { domain.leave() }
    var own = AudioUnitRenderActionFlags(rawValue: 0)
    return withUnsafeMutablePointer(to: &own) { own in
      let call = RenderCall(flags: flags ?? own, timeStamp: timeStamp, bus: 0, frames: frames, data: data)
      let refusal = check(call)
      if refusal != noErr { return refuse(refusal) }
      if UnsafeMutableAudioBufferListPointer(data).contains(where: { $0.mData == nil }) {
        return refuse(kAudio_ParamError)
      }
      let notifies = listeningNotifies
      notifies?.call(.unitRenderAction_PreRender, call)
      return finish(call, renderSlice(call, pushing: true), notifies)
    }
  }

  /// Units that can be pushed: effects, whose output has the format of their input.
  var canProcess: Bool { unit.component.description.type == .effect }

  /// The checks of the arguments, in the documented order, and the trimming of the buffers.
  private func check(_ call: RenderCall) -> OSStatus {
    stateView.with(RenderState.self) { Self.check(call, $0) } ?? kAudioUnitErr_Uninitialized
  }

  private static func check(_ call: RenderCall, _ state: RenderState) -> OSStatus {
    guard Int(call.frames) <= state.maximumFrames else { return kAudioUnitErr_TooManyFramesToProcess }
    guard Int(call.bus) < state.outletCount else { return kAudioUnitErr_InvalidElement }
    guard state.outlets[Int(call.bus)].isEnabled else { return kAudioUnitErr_NoConnection }
    let format = state.outlets[Int(call.bus)].format
    let list = UnsafeMutableAudioBufferListPointer(call.data)
    guard list.count == format.bufferCount else { return kAudio_ParamError }
    // What a buffer list cannot say is no slice.
    guard let bytes = UInt32(exactly: Int(call.frames) * format.bytesPerFrame) else {
      return kAudioUnitErr_TooManyFramesToProcess
    }
    let buffers = list.buffers
    for index in 0..<list.count where buffers[index].mData != nil && buffers[index].mDataByteSize < bytes {
      return kAudio_ParamError
    }
    guard RenderClock.accepts(call.timeStamp.pointee) else { return kAudio_ParamError }
    for index in 0..<list.count { buffers[index].mDataByteSize = bytes }
    return noErr
  }

  /// Who hears of this call, to its end: what a notify changes holds from the next call on. Nobody, as a rule, and then
  /// nothing is retained.
  private var listeningNotifies: RenderNotifies? {
    notifyView.with(RenderNotifies.self) { $0 }
  }

  /// A call that does not come to render: as in Apple's base class, no notify hears of it, before or after.
  private func refuse(_ status: OSStatus) -> OSStatus {
    latch(error: status)
    return status
  }

  private func finish(_ call: RenderCall, _ status: OSStatus, _ notifies: RenderNotifies?) -> OSStatus {
    if status == noErr {
      notifies?.call(.unitRenderAction_PostRender, call)
    } else {
      latch(error: status)
      notifies?.call([.unitRenderAction_PostRender, .unitRenderAction_PostRenderError], call)
    }
    return status
  }

  /// Keeps the first error until it is read.
  private func latch(error: OSStatus) {
    let isFirst = lastRenderError.compareExchange(expected: noErr, desired: error, ordering: .relaxed).exchanged
    guard isFirst else { return }
    listenerView.with(PropertyListeners.self) {
      $0.call(handle, kAudioUnitProperty_LastRenderError, kAudioUnitScope_Global, 0)
    }
  }

  private func renderSlice(_ call: RenderCall, pushing: Bool = false) -> OSStatus {
    stateView.with(RenderState.self) { renderSlice(call, pushing: pushing, $0) } ?? kAudioUnitErr_Uninitialized
  }

  private func renderSlice(_ call: RenderCall, pushing: Bool, _ state: RenderState) -> OSStatus {
    forgetWhatWasAsked(state)
    let outlet = state.outlets + Int(call.bus)
    let tick = begin(outlet, state, call.timeStamp, bus: call.bus, frames: call.frames, pushing: pushing)
    let feed = state.call
    let outer = feed.pointee
    feed.pointee = HostFeed.Call(
      flags: call.flags, timeStamp: call.timeStamp, sampleTime: tick.sampleTime, engineTime: tick.engineTime,
      pushed: pushing ? call.data : nil)
    let former = FlushToZero.enter()
    defer {
      FlushToZero.leave(former)
      feed.pointee = outer
    }
    let (status, output) = outlet.pointee.node._withUnsafeGuaranteedRef {
      $0.outcome(bus: outlet.pointee.bus, sampleTime: tick.engineTime, frames: Int(call.frames))
    }
    guard status == .noError else { return status.rawValue }
    if tick.isNew && outlet.pointee.clock == 0 { applySilence(state, call.flags, frames: call.frames, output) }
    deliver(output, call)
    return noErr
  }

  /// Carries out what other threads have asked for since the slice before.
  @inline(__always)
  private func forgetWhatWasAsked(_ state: RenderState) {
    if wantsReset.load(ordering: .acquiring) && wantsReset.exchange(false, ordering: .acquiringAndReleasing) {
      state.reset()
      clocks.update(repeating: RenderClock(), count: 2)
    }
    if wantsNewSlice.load(ordering: .acquiring) && wantsNewSlice.exchange(false, ordering: .acquiringAndReleasing) {
      for clock in 0..<2 { clocks[clock].forgetSlice() }
    }
  }

  /// Says which slice a time stamp means, and makes the node ready for one that is new.
  @inline(__always)
  private func begin(
    _ outlet: UnsafePointer<RenderState.Outlet>, _ state: RenderState, _ timeStamp: UnsafePointer<AudioTimeStamp>,
    bus: UInt32, frames: UInt32, pushing: Bool
  ) -> RenderClock.Tick {
    let tick = clocks[outlet.pointee.clock].tick(timeStamp, bus: bus, frames: frames, always: pushing)
    if tick.isNew {
      outlet.pointee.node._withUnsafeGuaranteedRef { $0.beginSlice() }
      if state.readsAhead { state.readAhead?.prefetch(frames: Int(frames)) }
      lastSampleTimeBits.store(tick.sampleTime.bitPattern, ordering: .relaxed)
    }
    return tick
  }

  /// Silence that came in goes out again as such only when everything has rung out; the flag promises zeros.
  @inline(__always)
  private func applySilence(
    _ state: RenderState, _ flags: UnsafeMutablePointer<AudioUnitRenderActionFlags>, frames: UInt32, _ output: BusBuffer
  ) {
    let isSilent = state.call.pointee.inputIsSilent(ofMixer: state.isMixer)
    let former = clocks.pointee.silentFrames
    clocks.pointee.silentFrames = isSilent ? former &+ Int64(frames) : 0
    if isSilent, let ring = state.ringFrames, former >= ring {
      output.fillWithSilence(state.outlets[0].format, frames: Int(frames))
      flags.pointee.insert(.unitRenderAction_OutputIsSilence)
    } else if state.hasInputs {
      flags.pointee.remove(.unitRenderAction_OutputIsSilence)
    }
  }

  /// Step 10: the caller's own memory is filled; where it has none it gets the unit's.
  private func deliver(_ output: BusBuffer, _ call: RenderCall) {
    let list = UnsafeMutableAudioBufferListPointer(call.data)
    let buffers = list.buffers
    for index in 0..<min(list.count, output.count) {
      if let data = buffers[index].mData {
        if data != output.buffers[index] {
          data.copyMemory(from: output.buffers[index], byteCount: Int(buffers[index].mDataByteSize))
        }
      } else {
        buffers[index].mData = output.buffers[index]
      }
    }
  }
}

extension RenderNotifies {
  fileprivate func call(_ phase: AudioUnitRenderActionFlags, _ call: RenderCall) {
    self.call(phase, flags: call.flags.pointee, call.timeStamp, bus: call.bus, frames: call.frames, call.data)
  }
}

/// The arguments of one render call.
private struct RenderCall {
  let flags: UnsafeMutablePointer<AudioUnitRenderActionFlags>
  let timeStamp: UnsafePointer<AudioTimeStamp>
  let bus: UInt32
  let frames: UInt32
  let data: UnsafeMutablePointer<AudioBufferList>
}
