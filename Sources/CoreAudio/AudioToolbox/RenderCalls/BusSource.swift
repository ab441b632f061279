// The path of one slice: input. The source of an input of the C interface. Runs on the render thread: no allocation, no
// lock.

import AudioCore
import AudioEngine
import CAudioToolbox
import Hardware
import Transcripts

/// The source of one input bus, with the memory for pulling it.
final class BusSource: RenderHold, @unchecked Sendable {
  private let source: InputSource
  /// The unit whose input it is, for a transcript.
  private let subject: CallSubject?
  /// The domain of the unit whose input this is; it outlives this. Not retained: it may hold this.
  private let domain: Unmanaged<RenderDomain>
  private let handles = Unmanaged.passUnretained(HandleTable.shared)
  /// The unit whose memory the present render call reads, and its domain where that is another one. Held to the end of
  /// the call.
  private var held: (unit: AudioUnit, keptDomain: Unmanaged<RenderDomain>?)?
  /// Converts the stream format of the bus to the unit's processing format; nil where they are the same. It belongs to
  /// the bus, whatever its source.
  let converter: RenderNode?
  /// True when a connection's frames come unconverted, and their size can be expressed in a buffer list.
  private let isStraight: Bool
  private let format: StreamFormat
  private let bytesPerFrame: Int
  /// True when a callback is offered memory with its last content, as a scenario's device does.
  private let leavesBuffers: Bool
  /// The memory that a callback is offered.
  private let buffer: StreamBuffer?
  /// The frames of the last pull.
  let list: UnsafeMutablePointer<AudioBufferList>
  private let channelsPerBuffer: UInt32

  /// - Parameters:
  ///   - format: the stream format of the input bus.
  ///   - maximumFrames: the longest pull that a callback is offered memory for.
  ///   - allocates: false where the host said that the bus needs no memory of its own.
  init(
    _ source: InputSource, of subject: CallSubject?, domain: RenderDomain, format: StreamFormat, maximumFrames: Int,
    allocates: Bool,
    converter: RenderNode?
  ) {
    self.source = source
    self.subject = subject
    self.domain = .passUnretained(domain)
    self.converter = converter
    self.format = format
    bytesPerFrame = format.bytesPerFrame
    isStraight = converter == nil && maximumFrames <= Int(UInt32.max) / max(1, bytesPerFrame)
    channelsPerBuffer = UInt32(format.isInterleaved ? format.channelCount : 1)
    leavesBuffers = SimulatedHardware.shared.scenario?.device.leavesBuffers ?? false
    if case .callback = source, allocates {
      buffer = StreamBuffer(format: format, frameCapacity: maximumFrames)
    } else {
      buffer = nil
    }
    list = AudioBufferList.allocate(maximumBuffers: format.bufferCount).unsafeMutablePointer
  }

  deinit { UnsafeMutableRawPointer(list).deallocate() }

  /// True when a sample time of the unit's clock is one of the source's: not behind a rate conversion.
  @inline(__always)
  func isInStep(withClockOf rate: Double?) -> Bool { rate == nil || rate == format.sampleRate }

  /// Adds a host time to the stamp of a pull that has a clock of its own, as behind a rate conversion: that of the
  /// slice, and the time from the slice's beginning to the pull's.
  @inline(__always)
  func addHostTime(
    to stamp: inout AudioTimeStamp, of slice: UnsafePointer<AudioTimeStamp>, at time: Int64, clockRate: Double
  ) {
    guard slice.pointee.mFlags.contains(.hostTimeValid) else { return }
    let seconds = stamp.mSampleTime / format.sampleRate - Double(time) / clockRate
    stamp.mHostTime = slice.pointee.mHostTime &+ UInt64(clamping: max(0, seconds * 1e9))
    stamp.mFlags.insert(.hostTimeValid)
    guard slice.pointee.mFlags.contains(.rateScalarValid) else { return }
    stamp.mRateScalar = slice.pointee.mRateScalar
    stamp.mFlags.insert(.rateScalarValid)
  }

  /// Pulls the source by a call of the interface, `AudioUnitRender` or the host's callback; the frames are in ``list``
  /// afterwards.
  /// - Returns: -10874 for more frames than there can be, as a component may ask for.
  func pullByCall(
    _ flags: UnsafeMutablePointer<AudioUnitRenderActionFlags>, _ timeStamp: inout AudioTimeStamp, bus: Int, frames: Int
  ) -> OSStatus {
    let buffers = UnsafeMutableAudioBufferListPointer(list)
    let first = buffers.buffers
    guard frames <= buffer?.frameCapacity ?? .max, let bytes = UInt32(exactly: frames * bytesPerFrame) else {
      return kAudioUnitErr_TooManyFramesToProcess
    }
    let memory = buffer?.bus.buffers
    for index in 0..<buffers.count {
      first[index].mNumberChannels = channelsPerBuffer
      first[index].mDataByteSize = bytes
      first[index].mData = memory?[index]
    }
    switch source {
    case .none:
      return kAudioUnitErr_NoConnection
    case .callback(let proc, let userData):
      // A callback that ends early, or writes nothing once its player has stopped, is followed by silence and not by
      // its last frames.
      if !leavesBuffers { buffer?.bus.fillWithSilence(format, frames: frames) }
      let status = callBack(proc, userData, flags, &timeStamp, bus: bus, frames: frames)
      guard status == noErr else { return status }
    case .connection(let unit, let sourceBus):
      let status = renderHeld(unit) { source in
        recordedRender(
          .render, "render", source.callSubject, flags, &timeStamp, bus: Int(sourceBus), frames: UInt32(frames)
        ) { source.render(flags, &timeStamp, bus: sourceBus, frames: UInt32(frames), list) }
      }
      guard status == noErr else { return status }
    }
    for index in 0..<buffers.count where first[index].mData == nil { return kAudioUnitErr_InvalidPropertyValue }
    return noErr
  }

  /// Pulls a connected unit of the same domain without a call, where nothing lies between the two: see
  /// ``NativeInstance/renderForReader(_:_:bus:frames:view:reader:input:)``. Holds the unit until the render call has
  /// ended.
  ///
  /// - Returns: nil, and has done nothing, where ``pullByCall(_:_:bus:frames:)`` must be used.
  @inline(__always)
  func pullUnit(
    _ flags: UnsafeMutablePointer<AudioUnitRenderActionFlags>, _ timeStamp: UnsafePointer<AudioTimeStamp>,
    frames: UInt32, view: BusBuffer, for reader: RenderNode, input: Int
  ) -> OSStatus? {
    // A transcript has each unit's render call.
    guard CallRecorder.shared == nil, isStraight, case .connection(let unit, let sourceBus) = source, held == nil,
      isRenderingHere,
      let borrowed = borrow(unit)
    else { return nil }
    let status = borrowed._withUnsafeGuaranteedRef { instance -> OSStatus? in
      guard instance.isNative, isInDomain(instance) else { return nil }
      return unsafeDowncast(instance, to: NativeInstance.self)
        .renderForReader(flags, timeStamp, bus: sourceBus, frames: frames, view: view, reader: reader, input: input)
    }
    guard status == noErr else {
      giveBack(unit)
      return status
    }
    hold(unit, nil)
    return status
  }

  /// Renders a connected unit and holds it until the render call that pulls has ended: the unit gives its own memory,
  /// which must not be freed or written to before that.
  private func renderHeld(_ unit: AudioUnit, _ render: (UnitInstance) -> OSStatus) -> OSStatus {
    // A component may ask from a thread of its own, outside of any call.
    guard held == nil, isRenderingHere else {
      return HandleTable.shared.withObject(unit, UnitInstance.self, render) ?? kAudioUnitErr_NoConnection
    }
    guard let instance = borrow(unit)?.takeUnretainedValue() else {
      return kAudioUnitErr_NoConnection
    }
    // A domain that this thread renders already stays its own until the call has ended.
    let keptDomain = instance.domain.isRenderingHere ? nil : Unmanaged.passUnretained(instance.domain)
    var status = kAudioUnitErr_CannotDoInCurrentContext
    if keptDomain?._withUnsafeGuaranteedRef({ $0.claim() }) ?? true {
      status = render(instance)
      if status == noErr {
        hold(unit, keptDomain)
        return noErr
      }
      keptDomain?._withUnsafeGuaranteedRef { $0.release() }
    }
    giveBack(unit)
    return status
  }

  // Functions that count no references.
  @inline(__always)
  private var isRenderingHere: Bool { domain._withUnsafeGuaranteedRef { $0.isRenderingHere } }
  @inline(__always)
  private func isInDomain(_ instance: UnitInstance) -> Bool {
    domain._withUnsafeGuaranteedRef { $0 === instance.domain }
  }
  @inline(__always)
  private func hold(_ unit: AudioUnit, _ keptDomain: Unmanaged<RenderDomain>?) {
    held = (unit, keptDomain)
    domain._withUnsafeGuaranteedRef { $0.hold(self) }
  }
  @inline(__always)
  private func borrow(_ unit: AudioUnit) -> Unmanaged<UnitInstance>? {
    handles._withUnsafeGuaranteedRef { $0.borrow(unit, UnitInstance.self) }
  }
  @inline(__always)
  private func giveBack(_ unit: AudioUnit) { handles._withUnsafeGuaranteedRef { $0.giveBack(unit, UnitInstance.self) } }

  override func end() {
    guard let (unit, keptDomain) = held else { return }
    held = nil
    keptDomain?._withUnsafeGuaranteedRef { $0.release() }
    giveBack(unit)
  }

  private func callBack(
    _ proc: AURenderCallback, _ userData: UnsafeMutableRawPointer?,
    _ flags: UnsafeMutablePointer<AudioUnitRenderActionFlags>, _ timeStamp: inout AudioTimeStamp, bus: Int, frames: Int
  ) -> OSStatus {
    // The program gets back the reference that it has passed, null or not.
    let context = unsafeBitCast(userData, to: UnsafeMutableRawPointer.self)
    return recordedRender(
      .callback, "render callback", subject, flags, &timeStamp, bus: bus, frames: UInt32(frames)
    ) { proc(context, flags, &timeStamp, UInt32(bus), UInt32(frames), list) }
  }
}
