// The path of one slice: caller, guard and out, through the C interface. Runs on the render thread: no allocation, no
// lock, no wait.

import AudioCore
import AudioEngine
import CAudioToolbox
import CRealtime
import Synchronization

extension NativeInstance {
  /// `AudioUnitRender`: renders a slice into the buffers of the caller, between its render notifies.
  func renderForHost(
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
      // A notify may have edited the unit.
      if domain.isOutermost { domain.adopt() }
      return finish(call, renderSlice(call), notifies)
    }
  }

  /// Renders a slice for a unit of the same domain that is in a render call: as ``renderForHost(_:_:bus:frames:_:)``,
  /// but without notifies and without a buffer list, as it gives the unit's own memory. Makes a wire for the next
  /// slices.
  ///
  /// - Parameters:
  ///   - timeStamp: with a valid sample time of at most 2^53.
  ///   - view: room for the pointers to the frames.
  ///   - reader: the unit that pulls, and `input` the input that it pulls for.
  /// - Returns: nil, and has done nothing, where a render call is needed: there are render notifies, or an argument is
  ///   wrong.
  @inline(__always)
  func renderForReader(
    _ flags: UnsafeMutablePointer<AudioUnitRenderActionFlags>, _ timeStamp: UnsafePointer<AudioTimeStamp>, bus: UInt32,
    frames: UInt32, view: BusBuffer, reader: RenderNode, input: Int
  ) -> OSStatus? {
    guard notifyView.isEmpty, let state = stateView.unretained(RenderState.self) else { return nil }
    return state._withUnsafeGuaranteedRef { state -> OSStatus? in
      guard Int(frames) <= state.maximumFrames, Int(bus) < state.outletCount else { return nil }
      let outlet = state.outlets + Int(bus)
      guard outlet.pointee.isEnabled, outlet.pointee.bufferCount == view.count, realtime_begin_pull() else {
        return nil
      }
      defer { realtime_end_pull() }
      let (status, output) = renderOutlet(
        outlet, state, flags, timeStamp, bus: bus, frames: frames, pushed: nil)
      guard status == noErr else {
        latch(error: status)
        return status
      }
      for index in 0..<min(view.count, output.count) { view.buffers[index] = output.buffers[index] }
      if state.mayBeWired {
        outlet.pointee.node._withUnsafeGuaranteedRef { domain.makeWire(from: $0, to: reader, input: input) }
      }
      return noErr
    }
  }

  /// The checks of the arguments, in the documented order, and the trimming of the buffers.
  func check(_ call: RenderCall) -> OSStatus {
    stateView.with(RenderState.self) { Self.check(call, $0) } ?? kAudioUnitErr_Uninitialized
  }

  static func check(_ call: RenderCall, _ state: RenderState) -> OSStatus {
    guard Int(call.frames) <= state.maximumFrames else { return kAudioUnitErr_TooManyFramesToProcess }
    guard Int(call.bus) < state.outletCount else { return kAudioUnitErr_InvalidElement }
    guard state.outlets[Int(call.bus)].isEnabled else { return kAudioUnitErr_NoConnection }
    let format = state.outlets[Int(call.bus)].format
    let list = UnsafeMutableAudioBufferListPointer(call.data)
    guard list.count == format.bufferCount else { return kAudio_ParamError }
    // A size that a buffer list cannot express is no slice.
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

  /// The render notifies of this call, to its end: a notify's changes hold from the next call on. Without notifies
  /// nothing is retained.
  private var listeningNotifies: RenderNotifies? {
    notifyView.with(RenderNotifies.self) { $0 }
  }

  /// Refuses a call before it renders: as in Apple's base class, no notify is called, before or after.
  func refuse(_ status: OSStatus) -> OSStatus {
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
  func latch(error: OSStatus) {
    let isFirst = lastRenderError.compareExchange(expected: noErr, desired: error, ordering: .relaxed).exchanged
    guard isFirst else { return }
    listenerView.with(PropertyListeners.self) {
      $0.call(handle, kAudioUnitProperty_LastRenderError, kAudioUnitScope_Global, 0)
    }
  }

  private func renderSlice(_ call: RenderCall) -> OSStatus {
    stateView.with(RenderState.self) { renderSlice(call, $0) } ?? kAudioUnitErr_Uninitialized
  }

  private func renderSlice(_ call: RenderCall, _ state: RenderState) -> OSStatus {
    let (status, output) = renderOutlet(
      state.outlets + Int(call.bus), state, call.flags, call.timeStamp, bus: call.bus, frames: call.frames, pushed: nil)
    guard status == noErr else { return status }
    deliver(output, call, state)
    if let frames = state.completingFrames(call.flags.pointee) { trim(call, state, frames: frames) }
    return noErr
  }

  /// Shortens the last slice of an offline unit to the frames of its sound.
  private func trim(_ call: RenderCall, _ state: RenderState, frames: Int) {
    let list = UnsafeMutableAudioBufferListPointer(call.data)
    let bytes = UInt32(clamping: frames * state.outlets[Int(call.bus)].format.bytesPerFrame)
    for index in 0..<list.count { list.buffers[index].mDataByteSize = bytes }
  }

  /// Renders a slice of an outlet, unless the node has rendered it already.
  @inline(__always)
  func renderOutlet(
    _ outlet: UnsafePointer<RenderState.Outlet>, _ state: RenderState,
    _ flags: UnsafeMutablePointer<AudioUnitRenderActionFlags>, _ timeStamp: UnsafePointer<AudioTimeStamp>, bus: UInt32,
    frames: UInt32, pushed: PushedLists?
  ) -> (OSStatus, BusBuffer) {
    outlet.pointee.node._withUnsafeGuaranteedRef { domain.cutWires(pulledDirectly: $0) }
    carryOutRequests(state)
    let action = flags.pointee.intersection([.offlineUnitRenderAction_Preflight, .offlineUnitRenderAction_Render])
      .rawValue
    if action != host.pointee.offlineAction {
      // A preflight has the times of the render that follows.
      host.pointee.offlineAction = action
      host.pointee.clock.forgetSlice()
    }
    // The flags reach offline units with each call, and not through a wire.
    if action != 0 { domain.cutWires() }
    let isFirst = outlet.pointee.clock == 0
    let tick = begin(outlet, timeStamp, bus: bus, frames: frames, pushing: pushed != nil)
    let leads = isFirst && tick.isNew && pushed == nil && timeStamp.pointee.mFlags.contains(.sampleTimeValid)
    var outer = host.pointee.call
    // The clock is this call's from here on.
    outer.leads = false
    host.pointee.call = HostCall(flags, timeStamp, tick, leads: leads, pushed: pushed)
    let former = FlushToZero.enter()
    defer {
      FlushToZero.leave(former)
      host.pointee.call = outer
    }
    let (status, output) = outlet.pointee.node._withUnsafeGuaranteedRef {
      $0.outcome(bus: outlet.pointee.bus, sampleTime: host.pointee.call.engineTime, frames: Int(frames))
    }
    guard status == .noError else { return (status.rawValue, output) }
    guard tick.isNew && isFirst else { return (noErr, output) }
    return outlet.pointee.node._withUnsafeGuaranteedRef {
      (noErr, $0.passSilence(output: outlet.pointee.bus, frames: Int(frames)))
    }
  }

  /// Carries out the resets that other threads have requested since the slice before.
  @inline(__always)
  private func carryOutRequests(_ state: RenderState) {
    if wantsReset.load(ordering: .acquiring) && wantsReset.exchange(false, ordering: .acquiringAndReleasing) {
      state.reset()
      host.pointee.clock = RenderClock()
      inputClock[0] = RenderClock()
    }
    if wantsNewSlice.load(ordering: .acquiring) && wantsNewSlice.exchange(false, ordering: .acquiringAndReleasing) {
      host.pointee.clock.forgetSlice()
      inputClock[0].forgetSlice()
    }
  }

  /// Finds the slice that a time stamp means, and makes the node ready for a new one.
  @inline(__always)
  private func begin(
    _ outlet: UnsafePointer<RenderState.Outlet>, _ timeStamp: UnsafePointer<AudioTimeStamp>, bus: UInt32,
    frames: UInt32, pushing: Bool
  ) -> RenderClock.Tick {
    let tick =
      outlet.pointee.clock == 0
      ? host.pointee.clock.tick(timeStamp, bus: bus, frames: frames, always: pushing)
      : inputClock[0].tick(timeStamp, bus: bus, frames: frames, always: pushing)
    if tick.isNew {
      outlet.pointee.node._withUnsafeGuaranteedRef { $0.beginSlice(frames: Int(frames)) }
      host.pointee.lastSampleTimeBits.store(tick.sampleTime.bitPattern, ordering: .relaxed)
    }
    return tick
  }

  /// Fills the caller's memory; a caller without memory gets the host's external buffer, or the unit's own memory.
  func deliver(_ output: BusBuffer, _ call: RenderCall, _ state: RenderState) {
    let list = UnsafeMutableAudioBufferListPointer(call.data)
    let buffers = list.buffers
    for index in 0..<min(list.count, output.count) {
      var target = buffers[index].mData
      let bytes = Int(buffers[index].mDataByteSize)
      if target == nil, call.bus == 0, let external = state.external {
        target = external.plane(index, of: list.count, bytes: bytes)
        buffers[index].mData = target
      }
      if let target {
        if target != output.buffers[index] { target.copyMemory(from: output.buffers[index], byteCount: bytes) }
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
struct RenderCall {
  let flags: UnsafeMutablePointer<AudioUnitRenderActionFlags>
  let timeStamp: UnsafePointer<AudioTimeStamp>
  let bus: UInt32
  let frames: UInt32
  let data: UnsafeMutablePointer<AudioBufferList>
}
