// The render half of an AUAudioUnit: what its render block reaches without the object itself. `render` runs on the host's
// render thread: no allocation, no lock, beyond what the unit's own function does.

import AVFAudioFiles
import AudioCore
import Foundation
import Synchronization

/// Events, observers and the implementation's function of one unit.
final class RenderContext: @unchecked Sendable {
  /// The functions that are called around each slice: a list that is replaced as a whole.
  private final class Observers {
    let list: [(token: Int, call: AURenderObserver)]
    init(_ list: [(token: Int, call: AURenderObserver)]) { self.list = list }
  }

  weak var unit: AUAudioUnit?
  let events = RenderEvents()
  private(set) var maximumFrames: AUAudioFrameCount = 0
  /// The implementation's function; nil until a slice or the host asks for it.
  private var block: AUInternalRenderBlock?
  private let mayRender = Atomic<Bool>(false)
  private let bypass = Atomic<Bool>(false)
  /// Notes what events bring: parameters by address, in order.
  private var parameters: [(address: AUParameterAddress, parameter: AUParameter)] = []

  private let present = Atomic<UnsafeRawPointer?>(nil)
  /// All lists that the render side may still read, the present one last.
  private let lists = Locked<[Observers]>([])
  private let lastToken = Locked(0)

  // MARK: The edit side

  var isBypassed: Bool {
    get { bypass.load(ordering: .relaxed) }
    set { bypass.store(newValue, ordering: .relaxed) }
  }

  /// Allows rendering, of slices of at most so many frames.
  func begin(maximumFrames: AUAudioFrameCount) {
    self.maximumFrames = maximumFrames
    block = nil
    mayRender.store(true, ordering: .releasing)
  }

  /// Fetches the implementation's function, and the parameters, whose events are noted.
  ///
  /// - Parameter ownEvents: the most events that the render side adds to a slice.
  func prepare(ownEvents: Int = 0) {
    guard let unit else { return }
    block = unit.internalRenderBlock
    events.reserve(own: ownEvents)
    parameters = (unit.parameterTree?.allParameters ?? []).map { ($0.address, $0) }.sorted { $0.0 < $1.0 }
  }

  func end() {
    mayRender.store(false, ordering: .releasing)
    block = nil
  }

  func add(_ observer: @escaping AURenderObserver) -> Int {
    let token = lastToken.withLock { last in
      last += 1
      return last
    }
    change { $0 + [(token, observer)] }
    return token
  }

  func removeObserver(_ token: Int) { change { list in list.filter { $0.token != token } } }

  private func change(_ edit: ([(token: Int, call: AURenderObserver)]) -> [(token: Int, call: AURenderObserver)]) {
    lists.withLock { lists in
      let next = Observers(edit(lists.last?.list ?? []))
      lists.append(next)
      present.store(UnsafeRawPointer(Unmanaged.passUnretained(next).toOpaque()), ordering: .releasing)
    }
  }

  // MARK: The render side

  /// Renders a slice of an output bus.
  ///
  /// - Parameter note: called with each parameter event that was scheduled, behind the slice.
  func render(
    _ flags: UnsafeMutablePointer<AudioUnitRenderActionFlags>, _ stamp: UnsafePointer<AudioTimeStamp>,
    _ frames: AUAudioFrameCount, _ bus: Int, _ data: UnsafeMutablePointer<AudioBufferList>,
    _ pull: AURenderPullInputBlock?, note: (AUParameterEvent) -> Void = { _ in }
  ) -> AUAudioUnitStatus {
    guard mayRender.load(ordering: .acquiring) else { return kAudioUnitErr_Uninitialized }
    guard frames <= maximumFrames else { return kAudioUnitErr_TooManyFramesToProcess }
    if block == nil { prepare() }
    guard let block, let time = Int64(exactly: stamp.pointee.mSampleTime.rounded(.down)) else {
      return kAudio_ParamError
    }
    notify(.unitRenderAction_PreRender, stamp, frames, bus)
    if isBypassed, let pull {
      let status = pull(flags, stamp, frames, 0, data)
      notify(.unitRenderAction_PostRender, stamp, frames, bus)
      return status
    }
    events.takeOver(at: time)
    let list = events.take(before: time &+ Int64(frames))
    let status = block(flags, stamp, frames, bus, data, UnsafePointer(list), pull)
    noteValues(list, note)
    events.release(list)
    notify(.unitRenderAction_PostRender, stamp, frames, bus)
    return status
  }

  private func notify(
    _ flags: AudioUnitRenderActionFlags, _ stamp: UnsafePointer<AudioTimeStamp>, _ frames: AUAudioFrameCount,
    _ bus: Int
  ) {
    guard let address = present.load(ordering: .acquiring) else { return }
    Unmanaged<Observers>.fromOpaque(address)._withUnsafeGuaranteedRef { observers in
      for (_, call) in observers.list { call(flags, stamp, frames, bus) }
    }
  }

  /// Has parameters show the values that events have brought.
  private func noteValues(_ list: UnsafeMutablePointer<AURenderEvent>?, _ note: (AUParameterEvent) -> Void) {
    var node = list
    while let event = node {
      if event.pointee.head.eventType == .parameter || event.pointee.head.eventType == .parameterRamp {
        let address = event.pointee.parameter.parameterAddress
        let place = parameters.indices.endOfPrefix { parameters[$0].address < address }
        if place < parameters.count, parameters[place].address == address {
          parameters[place].parameter.store(event.pointee.parameter.value)
        }
        if !RenderEvents.isOwn(event.pointee.parameter) { note(event.pointee.parameter) }
      }
      node = event.pointee.head.next
    }
  }
}
