import AudioCore

extension Unit {
  /// Schedules changes of parameters within the next slice that the unit renders: from a pre-render notify this very
  /// one, otherwise the one of the next render. A slice takes what is there when it begins, and forgets it behind its
  /// end.
  ///
  /// All or nothing: everything is checked before anything is taken. Neither allocates nor locks, so any thread may
  /// call it, the render thread included. While the unit is open, values are stored at once and ramps wait for the
  /// first slice. Under a timeline an event has no sound. ``parameterDidChange(_:)`` is not called: it may lock.
  ///
  /// - Parameters:
  ///   - count: the number of events.
  ///   - event: returns each of them; called twice. Its errors are rethrown.
  /// - Throws: `.invalidScope`, `.invalidElement`, `.invalidParameter` (read-only ones too), `.invalidParameterValue`
  ///   for numbers that are not finite, `.memoryFull` where more than 512 events would wait for one slice.
  public final func scheduleParameters(
    count: Int, _ event: (_ index: Int) throws(AudioStatus) -> ParameterEvent
  ) throws(AudioStatus) {
    guard count >= 0 else { throw .parameterError }
    var waiting = 0
    for index in 0..<count {
      let event = try event(index)
      let slot = try slot(of: event.address)
      guard event.hasFiniteValues else { throw .invalidParameterValue }
      guard !store.descriptors[slot].isReadOnly else { throw .invalidParameter }
      if waits(event) { waiting += 1 }
    }
    guard let first = store.schedule.claim(waiting) else { throw .memoryFull }
    var written = 0
    for index in 0..<count {
      // Memory of a host may have changed since it was checked: what was claimed is written all the same.
      guard let event = try? event(index), event.hasFiniteValues,
        let slot = store.slots[tableAddress(of: event.address)]
      else {
        continue
      }
      guard waits(event) else {
        if case .immediate(_, let value) = event.kind { store.setByHost(slot, value) }
        continue
      }
      guard written < waiting else { break }
      if case .immediate(_, let value) = event.kind { store.show(slot, value) }
      store.schedule.write(ParameterSchedule.Entry(event.kind, slot: slot), at: first + UInt64(written))
      written += 1
    }
    for place in written..<waiting { store.schedule.write(.nothing, at: first + UInt64(place)) }
    if waiting > 0 { store.schedule.publish(first, count: waiting) }
  }

  /// Schedules changes of parameters within the next slice, as ``scheduleParameters(count:_:)`` does.
  public final func scheduleParameters(_ events: [ParameterEvent]) throws(AudioStatus) {
    try scheduleParameters(count: events.count) { events[$0] }
  }

  /// Notes that ``reset()`` will be called in front of the next slice: it drops what is scheduled by now, and keeps what is
  /// scheduled later.
  package final func noteComingReset() { store.schedule.requestReset() }

  /// True when an event must be kept for a slice: while open, a value is just stored.
  private func waits(_ event: ParameterEvent) -> Bool {
    if case .immediate = event.kind { return isInitialized }
    return true
  }
}
