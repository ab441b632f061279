// The path of one slice: notify, for a whole graph: what its output unit calls before and after each cycle. The render
// side runs on the render thread: no allocation, no lock, no wait.

import AudioEngine
import CAudioToolbox
import Glibc
import Synchronization

/// Observes the render cycles of a graph: calls its render notifies, measures the load, and knows which cycle is under
/// way.
final class RenderCycleObserver: @unchecked Sendable {
  private let domain: RenderDomain
  private let sharedNotifies = SharedValue(RenderNotifies())
  /// The edit side's view of it.
  private var notifies = RenderNotifies()

  /// Lists that were replaced, and that a cycle under way may still be going by.
  private var replaced: [RenderNotifies] = []

  // The render thread's own.
  private var depth = 0
  private var begin = 0.0
  /// The listeners of the present cycle: a change meanwhile is for the next.
  private var present: Unmanaged<RenderNotifies>?

  /// Counts beginnings and ends: odd while a cycle is under way. With ``orphanBit`` once the graph is gone, and this
  /// object keeps itself until that cycle has ended: in one word, so that just one of the two ends comes last.
  private let counter = Atomic<UInt>(0)
  private static let orphanBit: UInt = 1 << 63
  /// Frames per second at the output, as bits; 0 where not known.
  private let rateBits = Atomic<UInt64>(0)
  private let averageBits = Atomic<UInt32>(0)
  private let maximumBits = Atomic<UInt32>(0)

  init(_ domain: RenderDomain) { self.domain = domain }

  // MARK: Edit side

  /// The number of the cycle that is under way; nil where none is.
  var number: UInt? {
    let number = counter.load(ordering: .sequentiallyConsistent) & ~Self.orphanBit
    return number & 1 == 1 ? number : nil
  }

  /// Begins to watch an output unit, which must be disposed of before this object goes.
  func attach(to unit: AudioUnit) {
    _ = withUnit(unit) { $0.addRenderNotify(Self.proc, Unmanaged.passUnretained(self).toOpaque()) }
    readRate(of: unit)
  }

  func readRate(of unit: AudioUnit) {
    let format =
      HandleTable.shared.withObject(unit, UnitInstance.self) {
        $0.streamDescription(kAudioUnitScope_Output, 0)
      } ?? nil
    rateBits.store(format?.mSampleRate.bitPattern ?? 0, ordering: .relaxed)
  }

  /// The graph goes; its output unit may still be in a cycle, and calls this object at its end.
  func outliveGraph() {
    let own = Unmanaged.passRetained(self)
    let former = counter.bitwiseOr(Self.orphanBit, ordering: .sequentiallyConsistent).oldValue
    // No cycle is under way, so none will let go.
    if former & 1 == 0 { own.release() }
  }

  func add(_ registration: RenderNotifies.Registration) { change(notifies.adding(registration)) }
  func remove(_ registration: RenderNotifies.Registration) { change(notifies.removing(registration)) }

  private func change(_ new: RenderNotifies) {
    replaced.append(notifies)
    notifies = new
    domain.post([(sharedNotifies, new)])
    guard !domain.isRenderingHere else { return }
    let former = number
    domain.settle()
    // A cycle that began before the change goes by the former list to its end, however long it takes.
    let present = number
    if present == nil || former != nil && present != former { replaced = [] }
  }

  /// The time spent on the last cycles over the time that they last, later ones weighing more.
  var averageLoad: Float { Float(bitPattern: averageBits.load(ordering: .relaxed)) }
  /// The largest load of one cycle since this was last asked for, or since ``resetLoad()``.
  func takeMaximumLoad() -> Float { Float(bitPattern: maximumBits.exchange(0, ordering: .relaxed)) }

  func resetLoad() {
    averageBits.store(0, ordering: .relaxed)
    maximumBits.store(0, ordering: .relaxed)
  }

  // MARK: Render side

  static let proc: AURenderCallback = { context, flags, timeStamp, bus, frames, data in
    // The input of an output unit, pulled through the graph, is part of the cycle and not one of its own.
    guard bus == 0 else { return noErr }
    Unmanaged<RenderCycleObserver>.fromOpaque(context)._withUnsafeGuaranteedRef { cycle in
      let isBefore = flags.pointee.contains(.unitRenderAction_PreRender)
      if isBefore { cycle.begins() } else { cycle.measures(frames) }
      // The unit's own list has said before or after already.
      if let data {
        cycle.withNotifies { $0.call([], flags: flags.pointee, timeStamp, bus: bus, frames: frames, data) }
      }
      if !isBefore { cycle.ends() }
    }
    return noErr
  }

  private func withNotifies(_ body: (RenderNotifies) -> Void) {
    if let present {
      present._withUnsafeGuaranteedRef(body)
    } else {
      _ = sharedNotifies.view.with(RenderNotifies.self, body)
    }
  }

  private func begins() {
    depth += 1
    guard depth == 1 else { return }
    counter.add(1, ordering: .acquiringAndReleasing)
    present = sharedNotifies.view.with(RenderNotifies.self) { Unmanaged.passUnretained($0) }
    begin = Self.seconds
  }

  /// A third-party output unit may report the end of a call with wrong arguments, which had no beginning.
  private func ends() {
    guard depth > 0 else { return }
    depth -= 1
    guard depth == 0 else { return }
    present = nil
    // Unless it is an orphan, this object may be gone as soon as the cycle has ended.
    guard counter.add(1, ordering: .sequentiallyConsistent).newValue & Self.orphanBit != 0 else { return }
    counter.bitwiseAnd(~Self.orphanBit, ordering: .sequentiallyConsistent)
    Unmanaged.passUnretained(self).release()
  }

  /// - Parameter frames: the length of the slice.
  private func measures(_ frames: UInt32) {
    guard depth == 1 else { return }
    let seconds = Self.seconds - begin
    let rate = Double(bitPattern: rateBits.load(ordering: .relaxed))
    guard rate > 0 && frames > 0 else { return }
    let load = Float(seconds * rate / Double(frames))
    let average = Float(bitPattern: averageBits.load(ordering: .relaxed))
    averageBits.store((average + (load - average) / 16).bitPattern, ordering: .relaxed)
    // Loads are not negative, so their bits are ordered as they are.
    maximumBits.max(load.bitPattern, ordering: .relaxed)
  }

  private static var seconds: Double {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
  }
}
