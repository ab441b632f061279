// Step 5 of the path of one slice: input, for units of the C interface. Runs on the render thread: no allocation, no
// lock.

import AudioCore
import AudioEngine
import CAudioToolbox
import Hardware
import Synchronization
import Transcripts

/// Feeds the inputs of a unit from what its host has connected: other units and callbacks.
final class HostFeed: InputFeed, @unchecked Sendable {
  /// One for each input bus, with a ``BusSource`` or nothing.
  let cells: [RenderCell]
  private let views: UnsafeMutablePointer<RenderCell.View>
  /// What the present render call was given.
  private let host: UnsafeMutablePointer<HostState>
  let memory: HostMemory
  /// What the inputs are those of. Not retained: it may hold this on its way.
  private let unit: AudioUnit
  private let node: Unmanaged<RenderNode>
  /// What input 0 gives while it has no source, as the unit computes: an output unit plays silence then; nil: nothing, which is
  /// an error.
  private let silence: StreamBuffer?
  /// Whether silence was given so since this was last looked at.
  private let gaveSilence: SilenceMark
  /// The rate of the unit's clock, in step with which its inputs' clocks run; nil: the unit plays them at another speed.
  private let clockRate: Double?

  init(
    _ unit: AudioUnit, cells: [RenderCell], host: HostMemory, node: RenderNode, silence: StreamBuffer?,
    mark: SilenceMark, clockRate: Double?
  ) {
    self.clockRate = clockRate
    self.unit = unit
    self.cells = cells
    memory = host
    self.host = host.state
    self.node = .passUnretained(node)
    self.silence = silence
    gaveSilence = mark
    views = .allocate(capacity: max(1, cells.count))
    for (bus, cell) in cells.enumerated() { (views + bus).initialize(to: cell.view) }
  }

  deinit { views.deallocate() }

  /// Lets a converter in front of an input pull what the host has connected there.
  func attach(_ converter: RenderNode, bus: Int) { converter.attach(unconverted, bus: bus, slot: 0) }

  /// Delivers to converters what the host's sources give.
  private lazy var unconverted = UnconvertedFeed(self)

  private final class UnconvertedFeed: InputFeed, @unchecked Sendable {
    private unowned(unsafe) let feed: HostFeed
    init(_ feed: HostFeed) { self.feed = feed }

    override func hasSource(_ bus: Int) -> Bool { feed.hasSource(bus) }
    override func pull(
      _ bus: Int, sampleTime: Int64, frames: Int, view: BusBuffer
    ) throws(AudioStatus) -> BusBuffer {
      try feed.pullSource(bus, sampleTime: sampleTime, frames: frames, view: view)
    }
  }

  /// Begins anew at all inputs that have a converter.
  func resetConverters() {
    for bus in cells.indices { _ = views[bus].with(BusSource.self) { $0.converter?.reset() } }
  }

  override func hasSource(_ bus: Int) -> Bool {
    if host.pointee.call.pushed != nil { return host.pointee.call.pushedList(bus) != nil }
    return !views[bus].isEmpty || bus == 0 && silence != nil
  }

  override func pull(
    _ bus: Int, sampleTime: Int64, frames: Int, view: BusBuffer
  ) throws(AudioStatus) -> BusBuffer {
    if sampleTime == host.pointee.call.engineTime, let status = lend(bus, frames: frames, view: view) {
      try ensureSuccess(status)
      return view
    }
    if views[bus].isEmpty, bus == 0, host.pointee.call.pushed == nil, let silence {
      gaveSilence.isSet.store(true, ordering: .relaxed)
      host.pointee.call.heardSilence = true
      host.pointee.call.actionFlags?.pointee.insert(.unitRenderAction_OutputIsSilence)
      return silence.bus
    }
    let source = views[bus].unretained(BusSource.self)
    guard let node = source?._withUnsafeGuaranteedRef({ $0.converter }) else {
      return try pullSource(bus, sampleTime: sampleTime, frames: frames, view: view)
    }
    // A unit pulls an input once for each slice, which may begin when an earlier one did.
    node.forgetClock()
    return try node.render(bus: 0, sampleTime: sampleTime, frames: frames)
  }

  /// Reads the frames of a connected unit of the same domain in place, without a buffer list.
  ///
  /// - Returns: nil, and has done nothing, where ``pullSource(_:sampleTime:frames:view:)`` must be used instead.
  @inline(__always)
  private func lend(_ bus: Int, frames: Int, view: BusBuffer) -> OSStatus? {
    guard let source = views[bus].unretained(BusSource.self), host.pointee.call.pushed == nil,
      let flags = host.pointee.call.actionFlags, let timeStamp = host.pointee.call.stamp,
      timeStamp.pointee.mSampleTime == host.pointee.call.sampleTime,
      timeStamp.pointee.mFlags.contains(.sampleTimeValid),
      let count = UInt32(exactly: frames)
    else { return nil }
    var own = AudioUnitRenderActionFlags(rawValue: 0)
    return withUnsafeMutablePointer(to: &own) { own in
      let flags = host.pointee.isMixer ? own : flags
      let status = source._withUnsafeGuaranteedRef { source in
        node._withUnsafeGuaranteedRef {
          source.lend(flags, timeStamp, frames: count, view: view, to: $0, input: bus)
        }
      }
      if status == noErr { host.pointee.call.hear(flags.pointee.rawValue) }
      return status
    }
  }

  override func renderFailed(_ status: AudioStatus) {
    _ = HandleTable.shared.withObject(unit, UnitInstance.self) {
      ($0 as? NativeInstance)?.latch(error: status.rawValue)
    }
  }

  /// What the host's source of an input gives, in the stream format of the bus.
  private func pullSource(
    _ bus: Int, sampleTime: Int64, frames: Int, view: BusBuffer
  ) throws(AudioStatus) -> BusBuffer {
    if host.pointee.call.pushed != nil {
      guard let list = host.pointee.call.pushedList(bus) else { return BusBuffer(buffers: view.buffers, count: 0) }
      // There are no other frames than those.
      guard sampleTime == host.pointee.call.engineTime, frames <= host.pointee.call.pushedFrames else {
        throw .tooManyFramesToProcess
      }
      Self.point(view, at: list)
      return view
    }
    var own = AudioUnitRenderActionFlags(rawValue: 0)
    var stamp = AudioTimeStamp()
    if sampleTime == host.pointee.call.engineTime, let timeStamp = host.pointee.call.stamp {
      stamp = timeStamp.pointee
      stamp.mSampleTime = host.pointee.call.sampleTime
    } else {
      stamp.mSampleTime = Double(sampleTime)
    }
    let hasHostTime = stamp.mFlags.contains(.hostTimeValid)
    stamp.mFlags.insert(.sampleTimeValid)
    let status = views[bus].with(BusSource.self) { source in
      if !hasHostTime, let clockRate, let slice = host.pointee.call.stamp {
        source.addHostTime(to: &stamp, of: slice, at: host.pointee.call.engineTime, clockRate: clockRate)
      }
      let status = withUnsafeMutablePointer(to: &own) { own in
        source.pull(host.pointee.isMixer ? own : host.pointee.call.actionFlags ?? own, &stamp, bus: bus, frames: frames)
      }
      if status == noErr { Self.point(view, at: source.list) }
      return status
    }
    guard let status else { return BusBuffer(buffers: view.buffers, count: 0) }
    try ensureSuccess(status)
    let heard = host.pointee.isMixer ? own : host.pointee.call.actionFlags?.pointee ?? own
    host.pointee.call.hear(heard.rawValue)
    return view
  }

  private static func point(_ view: BusBuffer, at list: UnsafeMutablePointer<AudioBufferList>) {
    let buffers = UnsafeMutableAudioBufferListPointer(list).buffers
    for index in 0..<view.count {
      if let data = buffers[index].mData { view.buffers[index] = data }
    }
  }
}

/// Reports that an output unit has rendered silence because it has no source.
final class SilenceMark: Sendable {
  let isSet = Atomic<Bool>(false)
}

/// The source of one input bus, with the memory that pulling it needs.
final class BusSource: RenderHold, @unchecked Sendable {
  private let source: InputSource
  /// Whose input it is, for a transcript.
  private let subject: CallSubject?
  /// What renders together with the unit whose input this is, and outlives it. Not retained: it may hold this on its way.
  private let domain: Unmanaged<RenderDomain>
  private let handles = Unmanaged.passUnretained(HandleTable.shared)
  /// The unit that the present render call has frames from. Its memory is what was given.
  private var lent: (unit: AudioUnit, keptDomain: Unmanaged<RenderDomain>?)?
  /// What turns the stream into what the unit computes in, where that is another format: the bus's own, whatever its
  /// source.
  let converter: RenderNode?
  /// Whether a connection's frames come as they are, and their number can be said in a buffer list.
  private let isStraight: Bool
  private let format: StreamFormat
  private let bytesPerFrame: Int
  /// Whether a callback is offered memory with what was in it last, as a scenario's device does.
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

  /// Gives a pull that has a clock of its own, as behind a conversion of rates, the host time that belongs to its frames: that of
  /// the slice which they are for, and by how much they lie behind its beginning.
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

  /// Asks the source for frames; they are in ``list`` afterwards.
  /// - Returns: -10874 where the frames are more than can be had, as a component may ask for.
  func pull(
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
      // A callback that ends early, or writes nothing once its player has stopped, is followed by silence and not by what
      // it wrote last time.
      if !leavesBuffers { buffer?.bus.fillWithSilence(format, frames: frames) }
      let status = callback(proc, userData, flags, &timeStamp, bus: bus, frames: frames)
      guard status == noErr else { return status }
    case .connection(let unit, let sourceBus):
      let status = pull(unit) { source in
        recordedRender(
          .render, "render", source.callSubject, flags, &timeStamp, bus: Int(sourceBus), frames: UInt32(frames)
        ) { source.render(flags, &timeStamp, bus: sourceBus, frames: UInt32(frames), list) }
      }
      guard status == noErr else { return status }
    }
    for index in 0..<buffers.count where first[index].mData == nil { return kAudioUnitErr_InvalidPropertyValue }
    return noErr
  }

  /// Asks a connected unit that renders together with this one for its memory, where nothing lies between them: see
  /// ``NativeInstance/lend(_:_:bus:frames:view:to:input:)``. Holds on to it until the render call that asks has ended.
  ///
  /// - Returns: nil, and has done nothing, where ``pull(_:_:bus:frames:)`` must be asked.
  @inline(__always)
  func lend(
    _ flags: UnsafeMutablePointer<AudioUnitRenderActionFlags>, _ timeStamp: UnsafePointer<AudioTimeStamp>,
    frames: UInt32, view: BusBuffer, to reader: RenderNode, input: Int
  ) -> OSStatus? {
    // A transcript has each unit's render, as it is asked for.
    guard CallRecorder.shared == nil, isStraight, case .connection(let unit, let sourceBus) = source, lent == nil,
      isRenderingHere,
      let borrowed = borrow(unit)
    else { return nil }
    let status = borrowed._withUnsafeGuaranteedRef { instance -> OSStatus? in
      guard instance.isNative, isInDomain(instance) else { return nil }
      return unsafeDowncast(instance, to: NativeInstance.self)
        .lend(flags, timeStamp, bus: sourceBus, frames: frames, view: view, to: reader, input: input)
    }
    guard status == noErr else {
      giveBack(unit)
      return status
    }
    lent = (unit, nil)
    holdOn()
    return status
  }

  /// Pulls a connected unit, and holds on to it until the render call that asks has ended: what the unit gives is its own
  /// memory, which must not be freed or written to before that.
  private func pull(_ unit: AudioUnit, _ render: (UnitInstance) -> OSStatus) -> OSStatus {
    // A component may ask from a thread of its own, outside of any call.
    guard lent == nil, isRenderingHere else {
      return HandleTable.shared.withObject(unit, UnitInstance.self, render) ?? kAudioUnitErr_NoConnection
    }
    guard let instance = borrow(unit)?.takeUnretainedValue() else {
      return kAudioUnitErr_NoConnection
    }
    // What this thread renders already, it goes on to render until the call has ended.
    let keptDomain = instance.domain.isRenderingHere ? nil : Unmanaged.passUnretained(instance.domain)
    var status = kAudioUnitErr_CannotDoInCurrentContext
    if keptDomain?._withUnsafeGuaranteedRef({ $0.keep() }) ?? true {
      status = render(instance)
      if status == noErr {
        lent = (unit, keptDomain)
        holdOn()
        return noErr
      }
      keptDomain?._withUnsafeGuaranteedRef { $0.free() }
    }
    giveBack(unit)
    return status
  }

  // What counts no references.
  @inline(__always)
  private var isRenderingHere: Bool { domain._withUnsafeGuaranteedRef { $0.isRenderingHere } }
  @inline(__always)
  private func isInDomain(_ instance: UnitInstance) -> Bool {
    domain._withUnsafeGuaranteedRef { $0 === instance.domain }
  }
  @inline(__always)
  private func holdOn() { domain._withUnsafeGuaranteedRef { $0.hold(self) } }
  @inline(__always)
  private func borrow(_ unit: AudioUnit) -> Unmanaged<UnitInstance>? {
    handles._withUnsafeGuaranteedRef { $0.borrow(unit, UnitInstance.self) }
  }
  @inline(__always)
  private func giveBack(_ unit: AudioUnit) { handles._withUnsafeGuaranteedRef { $0.giveBack(unit, UnitInstance.self) } }

  override func end() {
    guard let (unit, keptDomain) = lent else { return }
    lent = nil
    keptDomain?._withUnsafeGuaranteedRef { $0.free() }
    giveBack(unit)
  }

  private func callback(
    _ proc: AURenderCallback, _ userData: UnsafeMutableRawPointer?,
    _ flags: UnsafeMutablePointer<AudioUnitRenderActionFlags>, _ timeStamp: inout AudioTimeStamp, bus: Int, frames: Int
  ) -> OSStatus {
    // A null reference is what the program has passed and what it gets back.
    let context = unsafeBitCast(userData, to: UnsafeMutableRawPointer.self)
    return recordedRender(
      .callback, "render callback", subject, flags, &timeStamp, bus: bus, frames: UInt32(frames)
    ) { proc(context, flags, &timeStamp, UInt32(bus), UInt32(frames), list) }
  }
}
