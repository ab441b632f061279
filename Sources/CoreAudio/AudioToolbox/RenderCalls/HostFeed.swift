// The path of one slice: input, for units of the C interface. Runs on the render thread: no allocation, no lock.

import AudioCore
import AudioEngine
import CAudioToolbox
import Synchronization

/// Feeds the inputs of a unit from the sources that its host has connected: other units and callbacks.
final class HostFeed: InputFeed, @unchecked Sendable {
  /// By input bus: a ``BusSource`` or nothing.
  let sources: [SharedValue]
  private let views: UnsafeMutablePointer<SharedValue.View>
  /// The unit's memory of its host's calls.
  private let host: HostPointer
  let memory: HostMemory
  /// The unit whose inputs these are, and its node. Not retained: they may hold this.
  private let unit: AudioUnit
  private let node: Unmanaged<RenderNode>
  /// The silence that an output unit plays while input 0 has no source, in the unit's processing format; nil: no source
  /// is an error.
  private let silence: StreamBuffer?
  /// Set when that silence was played.
  private let gaveSilence: SilenceMark
  /// The rate of the unit's clock, in step with which its inputs' clocks run; nil: the unit plays them at another
  /// speed.
  private let clockRate: Double?

  init(
    _ unit: AudioUnit, sources: [SharedValue], host: HostMemory, node: RenderNode, silence: StreamBuffer?,
    mark: SilenceMark, clockRate: Double?
  ) {
    self.clockRate = clockRate
    self.unit = unit
    self.sources = sources
    memory = host
    self.host = host.state
    self.node = .passUnretained(node)
    self.silence = silence
    gaveSilence = mark
    views = .allocate(capacity: max(1, sources.count))
    for (bus, source) in sources.enumerated() { (views + bus).initialize(to: source.view) }
  }

  deinit { views.deallocate() }

  /// Lets a converter in front of an input pull the source that the host has connected there.
  func attach(_ converter: RenderNode, bus: Int) { converter.attach(unconverted, bus: bus, slot: 0) }

  /// Feeds the converters from the host's sources.
  private lazy var unconverted = UnconvertedFeed(self)

  private final class UnconvertedFeed: InputFeed, @unchecked Sendable {
    private unowned(unsafe) let feed: HostFeed
    init(_ feed: HostFeed) { self.feed = feed }

    override func hasSource(_ bus: Int) -> Bool { feed.hasSource(bus) }
    override func pull(
      _ bus: Int, sampleTime: Int64, frames: Int, view: BusBuffer
    ) throws(AudioStatus) -> BusBuffer {
      try feed.pullUnconverted(bus, sampleTime: sampleTime, frames: frames, view: view)
    }
  }

  /// Resets the converters of all inputs that have one.
  func resetConverters() {
    for bus in sources.indices { _ = views[bus].with(BusSource.self) { $0.converter?.reset() } }
  }

  /// True when a pull has the time of the unit's slice, and not by chance that number on another clock.
  @inline(__always)
  private func isOwnTime(_ sampleTime: Int64, _ bus: Int) -> Bool {
    guard sampleTime == host.pointee.call.engineTime else { return false }
    return views[bus].unretained(BusSource.self)?._withUnsafeGuaranteedRef { $0.isInStep(withClockOf: clockRate) }
      ?? true
  }

  override func hasSource(_ bus: Int) -> Bool {
    if host.pointee.call.pushed != nil { return host.pointee.call.pushedList(bus) != nil }
    return !views[bus].isEmpty || bus == 0 && silence != nil
  }

  override func pull(
    _ bus: Int, sampleTime: Int64, frames: Int, view: BusBuffer
  ) throws(AudioStatus) -> BusBuffer {
    if isOwnTime(sampleTime, bus), let status = pullConnected(bus, frames: frames, view: view) {
      try ensureSuccess(status)
      return view.holding(frames)
    }
    if views[bus].isEmpty, bus == 0, host.pointee.call.pushed == nil, let silence {
      gaveSilence.isSet.store(true, ordering: .relaxed)
      host.pointee.call.hadSilence = true
      host.pointee.call.actionFlags?.pointee.insert(.unitRenderAction_OutputIsSilence)
      return silence.bus
    }
    let source = views[bus].unretained(BusSource.self)
    guard let node = source?._withUnsafeGuaranteedRef({ $0.converter }) else {
      return try pullUnconverted(bus, sampleTime: sampleTime, frames: frames, view: view)
    }
    // A unit pulls an input once for each slice, which may begin when an earlier one did.
    node.forgetClock()
    return try node.render(bus: 0, sampleTime: sampleTime, frames: frames)
  }

  /// Pulls a connected unit of the same domain without a render call of the interface, and reads its frames in place.
  ///
  /// - Returns: nil, and has done nothing, where ``pullUnconverted(_:sampleTime:frames:view:)`` must be used instead.
  @inline(__always)
  private func pullConnected(_ bus: Int, frames: Int, view: BusBuffer) -> OSStatus? {
    guard let source = views[bus].unretained(BusSource.self), host.pointee.call.pushed == nil,
      let flags = host.pointee.call.actionFlags, let timeStamp = host.pointee.call.stamp,
      timeStamp.pointee.mSampleTime == host.pointee.call.sampleTime,
      timeStamp.pointee.mFlags.contains(.sampleTimeValid),
      let count = UInt32(exactly: frames)
    else { return nil }
    var own = AudioUnitRenderActionFlags(rawValue: 0)
    return withUnsafeMutablePointer(to: &own) { own in
      let flags = host.pointee.inputsHaveOwnFlags ? own : flags
      let status = source._withUnsafeGuaranteedRef { source in
        node._withUnsafeGuaranteedRef {
          source.pullUnit(flags, timeStamp, frames: count, view: view, for: $0, input: bus)
        }
      }
      if status == noErr { host.pointee.call.noteInput(flags: flags.pointee.rawValue) }
      return status
    }
  }

  override func renderFailed(_ status: AudioStatus) {
    _ = HandleTable.shared.withObject(unit, UnitInstance.self) {
      ($0 as? NativeInstance)?.latch(error: status.rawValue)
    }
  }

  /// Pulls the host's source of an input by a call, in the stream format of the bus; or takes the list that the host
  /// has pushed in.
  private func pullUnconverted(
    _ bus: Int, sampleTime: Int64, frames: Int, view: BusBuffer
  ) throws(AudioStatus) -> BusBuffer {
    if host.pointee.call.pushed != nil {
      guard let list = host.pointee.call.pushedList(bus) else {
        return BusBuffer(buffers: view.buffers, count: 0, frames: 0)
      }
      // The host has given no other frames.
      guard sampleTime == host.pointee.call.engineTime, frames <= host.pointee.call.pushedFrames else {
        throw .tooManyFramesToProcess
      }
      Self.point(view, at: list)
      return view.holding(frames)
    }
    var own = AudioUnitRenderActionFlags(rawValue: 0)
    var stamp = AudioTimeStamp()
    if isOwnTime(sampleTime, bus), let timeStamp = host.pointee.call.stamp {
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
        source.pullByCall(
          host.pointee.inputsHaveOwnFlags ? own : host.pointee.call.actionFlags ?? own, &stamp, bus: bus, frames: frames
        )
      }
      if status == noErr { Self.point(view, at: source.list) }
      return status
    }
    guard let status else { return BusBuffer(buffers: view.buffers, count: 0, frames: 0) }
    try ensureSuccess(status)
    let flags = host.pointee.inputsHaveOwnFlags ? own : host.pointee.call.actionFlags?.pointee ?? own
    host.pointee.call.noteInput(flags: flags.rawValue)
    return view.holding(frames)
  }

  private static func point(_ view: BusBuffer, at list: UnsafeMutablePointer<AudioBufferList>) {
    let buffers = UnsafeMutableAudioBufferListPointer(list).buffers
    for index in 0..<view.count {
      if let data = buffers[index].mData { view.buffers[index] = data }
    }
  }
}

/// Set when an output unit has rendered silence because it has no source.
final class SilenceMark: Sendable {
  let isSet = Atomic<Bool>(false)
}
