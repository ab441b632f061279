// The path of one slice: caller, guard and out, for hosts that give the input along with the call. Runs on the render
// thread: no allocation, no lock, no wait.

import AudioCore
import AudioEngine
import CAudioToolbox
import DeviceUnits

extension NativeInstance {
  /// True when `AudioUnitProcessMultiple` works on the unit: it has an input, is no output unit, and does not have to
  /// read all of its input first.
  var canProcessMultiple: Bool {
    unit.elementCount(.input) > 0 && !unit.isOutput && unit.deviceOutput == nil
      && unit.component.description.type != .offlineEffect
  }

  /// `AudioUnitProcess`: renders a slice over the caller's own frames. As in Apple's base class no render notify is
  /// called, and the sources of the inputs are not pulled.
  func push(
    _ flags: UnsafeMutablePointer<AudioUnitRenderActionFlags>?, _ timeStamp: UnsafePointer<AudioTimeStamp>,
    frames: UInt32, _ data: UnsafeMutablePointer<AudioBufferList>
  ) -> OSStatus {
    guard canProcess else { return kAudio_UnimplementedError }
    if isNull(timeStamp) || isNull(data) { return kAudio_ParamError }
    var input: PushedLists.List = UnsafePointer(data)
    var output: UnsafeMutablePointer<AudioBufferList>? = data
    return withUnsafePointer(to: &input) { inputs in
      withUnsafePointer(to: &output) { outputs in
        push(
          flags, timeStamp, PushedLists(lists: inputs, count: 1, frames: Int(frames)),
          UnsafeBufferPointer(start: outputs, count: 1))
      }
    }
  }

  /// `AudioUnitProcessMultiple`: the same, from a list for each input into one for each output. A null list is an input
  /// without a source, or an output that is not needed.
  func pushMultiple(
    _ flags: UnsafeMutablePointer<AudioUnitRenderActionFlags>?, _ timeStamp: UnsafePointer<AudioTimeStamp>,
    frames: UInt32, inputCount: UInt32, _ inputs: UnsafeMutablePointer<UnsafePointer<AudioBufferList>>,
    outputCount: UInt32, _ outputs: UnsafeMutablePointer<UnsafeMutablePointer<AudioBufferList>>
  ) -> OSStatus {
    guard canProcessMultiple else { return kAudio_UnimplementedError }
    if isNull(timeStamp) || isNull(inputs) || isNull(outputs) { return kAudio_ParamError }
    let lists = UnsafeRawPointer(inputs).assumingMemoryBound(to: PushedLists.List.self)
    return push(
      flags, timeStamp, PushedLists(lists: lists, count: Int(inputCount), frames: Int(frames)),
      UnsafeBufferPointer(
        start: UnsafeRawPointer(outputs).assumingMemoryBound(to: UnsafeMutablePointer<AudioBufferList>?.self),
        count: Int(outputCount)))
  }

  private func push(
    _ flags: UnsafeMutablePointer<AudioUnitRenderActionFlags>?, _ timeStamp: UnsafePointer<AudioTimeStamp>,
    _ inputs: PushedLists, _ outputs: UnsafeBufferPointer<UnsafeMutablePointer<AudioBufferList>?>
  ) -> OSStatus {
    let frames = UInt32(inputs.frames)
    guard domain.enter() else { return kAudioUnitErr_CannotDoInCurrentContext }
    defer { domain.leave() }
    var own = AudioUnitRenderActionFlags(rawValue: 0)
    return withUnsafeMutablePointer(to: &own) { own in
      stateView.with(RenderState.self) { state in
        let refusal = check(inputs, outputs, timeStamp, flags ?? own, state)
        if refusal != noErr { return refuse(refusal) }
        // Connected units are not pulled.
        domain.cutWires()
        let (status, output) = renderOutlet(
          state.outlets, state, flags ?? own, timeStamp, bus: 0, frames: frames, pushed: inputs)
        guard status == noErr else { return refuse(status) }
        for (bus, list) in outputs.enumerated() {
          guard let list else { continue }
          let outlet = state.outlets + bus
          let call = RenderCall(
            flags: flags ?? own, timeStamp: timeStamp, bus: UInt32(bus), frames: frames, data: list)
          deliver(
            bus == 0 ? output : outlet.pointee.node._withUnsafeGuaranteedRef { $0.output(outlet.pointee.bus) }, call,
            state)
        }
        return noErr
      } ?? refuse(kAudioUnitErr_Uninitialized)
    }
  }

  /// The checks in the order of Apple's base class: the sizes of the slice, then each input's list, then each output's.
  private func check(
    _ inputs: PushedLists, _ outputs: UnsafeBufferPointer<UnsafeMutablePointer<AudioBufferList>?>,
    _ timeStamp: UnsafePointer<AudioTimeStamp>,
    _ flags: UnsafeMutablePointer<AudioUnitRenderActionFlags>, _ state: RenderState
  ) -> OSStatus {
    guard inputs.frames <= state.maximumFrames else { return kAudioUnitErr_TooManyFramesToProcess }
    guard RenderClock.accepts(timeStamp.pointee) else { return kAudio_ParamError }
    guard inputs.count <= state.inletCount, outputs.count <= state.outletCount else {
      return kAudioUnitErr_InvalidElement
    }
    // Units that do not render frame by frame need other frames than those.
    guard state.isSynchronous else { return kAudioUnitErr_FormatNotSupported }
    for bus in 0..<inputs.count {
      guard let list = inputs.lists[bus] else { continue }
      let inlet = state.inlets[bus]
      guard !inlet.isConverted else { return kAudioUnitErr_FormatNotSupported }
      let buffers = UnsafeMutableAudioBufferListPointer(UnsafeMutablePointer(mutating: list))
      guard buffers.count == inlet.bufferCount else { return kAudio_ParamError }
      for index in 0..<buffers.count {
        let buffer = buffers.buffers[index]
        guard buffer.mData != nil, Int(buffer.mDataByteSize) >= inputs.frames * inlet.bytesPerFrame else {
          return kAudio_ParamError
        }
      }
    }
    for (bus, list) in outputs.enumerated() {
      guard let list else { continue }
      let refusal = Self.check(
        RenderCall(flags: flags, timeStamp: timeStamp, bus: UInt32(bus), frames: UInt32(inputs.frames), data: list),
        state)
      if refusal != noErr { return refusal }
    }
    return noErr
  }
}
