import AudioCore

/// A device that runs under a scenario: called in each cycle from its start to its stop.
final class TimelineMember: RunOfDevice, @unchecked Sendable {
  private let timeline: HardwareTimeline
  private weak var device: SimulatedDevice?
  let client: CycleClient
  /// True when its output is heard.
  let isAudible: Bool
  /// The frame of its clock at which the next cycle begins, and the clock's rate. The hardware's thread writes them.
  private let clock: Locked<(frame: Int64, sampleRate: Double)>

  init(
    _ timeline: HardwareTimeline, device: SimulatedDevice, firstFrame: Int64, sampleRate: Double, isAudible: Bool,
    client: CycleClient
  ) {
    self.timeline = timeline
    self.device = device
    clock = Locked((firstFrame, sampleRate))
    self.isAudible = isAudible
    self.client = client
  }

  var counts: CycleCounts { client.counts }
  /// Cycles that were lost, or blocked, have gone by too.
  var clockEnd: (frame: Int64, sampleRate: Double) { clock.withLock { $0 } }

  func begin() throws(BenchError) {
    try client.begin()
    do { try timeline.join(self) } catch {
      client.letGo()
      throw error
    }
  }
  func end() { timeline.leave(self) }
  func waitForEnd() { timeline.leave(self) }

  // MARK: On the hardware's thread

  /// The clock goes on at another rate: its time stays what it is.
  func formatDidChange(sampleRate: Double) {
    clock.withLock { $0 = (DeviceClock.frame($0.frame, of: $0.sampleRate, at: sampleRate), sampleRate) }
    device?.formatDidChange()
  }
  func wasStopped() {
    device?.didStop(self)
    client.end()
  }

  func pass(frames: Int) {
    clock.withLock { $0.frame += Int64(frames) }
    counts.framesPulled.store(counts.framesPulled.load(ordering: .relaxed) + Int64(frames), ordering: .releasing)
  }
}
