import AudioCore

/// A device that runs under a scenario: from its start to its stop, one of those that are asked in each cycle.
final class TimelineMember: RunOfDevice, @unchecked Sendable {
  private let timeline: HardwareTimeline
  private weak var device: SimulatedDevice?
  let client: CycleClient
  let firstFrame: Int64
  /// Whether what it gives is heard.
  let isAudible: Bool

  init(
    _ timeline: HardwareTimeline, device: SimulatedDevice, firstFrame: Int64, isAudible: Bool,
    client: CycleClient
  ) {
    self.timeline = timeline
    self.device = device
    self.firstFrame = firstFrame
    self.isAudible = isAudible
    self.client = client
  }

  var counts: CycleCounts { client.counts }
  /// Frames of the hardware since the start: those of cycles that were lost, or blocked, too.
  var endFrame: Int64 { firstFrame + counts.framesPulled.load(ordering: .acquiring) }

  func begin() throws(BenchError) { try timeline.join(self) }
  func end() { timeline.leave(self) }
  func waitForEnd() { timeline.leave(self) }

  // MARK: On the hardware's thread

  func formatDidChange() { device?.formatDidChange() }
  func wasStopped() {
    device?.didStop(self)
    client.end()
  }

  func pass(frames: Int) {
    counts.framesPulled.store(counts.framesPulled.load(ordering: .relaxed) + Int64(frames), ordering: .releasing)
  }
}
