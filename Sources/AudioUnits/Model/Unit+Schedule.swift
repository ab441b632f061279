import AudioCore

extension Unit {
  /// Schedules changes of parameters within the next slice that the unit renders: from a pre-render notify this very one,
  /// otherwise the one of the next render. A slice takes what is there when it begins, and forgets it behind its end.
  ///
  /// All or nothing: everything is checked before anything is taken. Neither allocates nor locks, so any thread may call
  /// it, the render thread included. While the unit is open, values are stored at once and ramps wait for the first
  /// slice. Under a timeline an event has no sound. ``parameterDidChange(_:)`` is not called: it may lock.
  ///
  /// - Throws: `.invalidScope`, `.invalidElement`, `.invalidParameter` (read-only ones too), `.invalidParameterValue` for
  ///   numbers that are not finite, `.memoryFull` where more than 512 events would wait for one slice.
  public final func scheduleParameters(_ events: UnsafeBufferPointer<ParameterEvent>) throws(AudioStatus) {
    var waiting = 0
    for event in events {
      let slot = try slot(of: event.address)
      guard event.hasFiniteValues else { throw .invalidParameterValue }
      guard !store.descriptors[slot].isReadOnly else { throw .invalidParameter }
      if waits(event) { waiting += 1 }
    }
    guard let first = store.schedule.claim(waiting) else { throw .memoryFull }
    var number = first
    for event in events {
      let slot = try slot(of: event.address)
      switch event.kind {
      case .immediate(let offset, let value):
        guard waits(event) else {
          store[slot] = value
          continue
        }
        store.show(slot, value)
        store.schedule.write(
          ParameterSchedule.Entry(slot: Int32(slot), isRamp: false, offset: Int64(offset), endValue: value), at: number)
      case .ramp(let startOffset, let durationFrames, let startValue, let endValue):
        store.schedule.write(
          ParameterSchedule.Entry(
            slot: Int32(slot), isRamp: true, offset: Int64(startOffset), durationFrames: durationFrames,
            startValue: startValue, endValue: endValue), at: number)
      }
      number += 1
    }
    if waiting > 0 { store.schedule.publish(first, count: waiting) }
  }

  /// Schedules changes of parameters within the next slice, as the form for a buffer does.
  public final func scheduleParameters(_ events: [ParameterEvent]) throws(AudioStatus) {
    let status = events.withUnsafeBufferPointer { buffer in
      do throws(AudioStatus) {
        try scheduleParameters(buffer)
        return AudioStatus.noError
      } catch {
        return error
      }
    }
    if status != .noError { throw status }
  }

  /// Whether an event must be kept for a slice: while open, a value is just stored.
  private func waits(_ event: ParameterEvent) -> Bool {
    if case .immediate = event.kind { return isInitialized }
    return true
  }
}
