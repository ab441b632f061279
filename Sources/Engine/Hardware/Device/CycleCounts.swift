import AudioCore
import Synchronization

/// The counts of a run: counted on the hardware's thread, read on any.
final class CycleCounts: Sendable {
  let framesPulled = Atomic<Int64>(0)
  let failedCycles = Atomic<Int>(0)
  let lateCycles = Atomic<Int>(0)
  let lostFrames = Atomic<Int64>(0)
  private let lastFailure = Atomic<Int32>(0)

  func noteFailure(_ status: AudioStatus) {
    failedCycles.wrappingAdd(1, ordering: .relaxed)
    lastFailure.store(status.rawValue, ordering: .relaxed)
  }

  var statistics: SimulatedDevice.Statistics {
    SimulatedDevice.Statistics(
      framesPulled: framesPulled.load(ordering: .acquiring), failedCycles: failedCycles.load(ordering: .relaxed),
      lastFailure: AudioStatus(lastFailure.load(ordering: .relaxed)),
      lateCycles: lateCycles.load(ordering: .relaxed), lostFrames: lostFrames.load(ordering: .relaxed))
  }

  /// Reports silence in place of sound, once a run.
  func report() {
    let present = statistics
    guard present.failedCycles > 0 else { return }
    SimulatedHardware.complain(
      "buffers that could not be rendered and are silence: \(present.failedCycles); the last: \(present.lastFailure)")
  }
}
