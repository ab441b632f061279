// The audio session of a process, behind the interfaces to it. Any thread but a render thread: it takes a lock.
// Observers are called outside of it, on the thread that made the change or on the hardware's.

import AudioCore

/// The program's requests to the hardware, and what happens to the program: categories, activation, preferences, route.
package final class AudioSessionModel: Sendable {
  /// A change that programs hear of.
  package enum Event: Sendable {
    /// The session was deactivated.
    case interruptionBegan
    case interruptionEnded(resumes: Bool)
    /// Another device, or the category or an override: the route may be as before.
    case routeChanged(former: SessionRoute, reason: DeviceRoute.Reason)
    /// Another rate than the program knows.
    case sampleRateChanged
    case microphoneAppeared(Bool)
    case volumeChanged
    /// Another program's sound has begun or ended.
    case otherAudioChanged
  }

  /// The reasons why a session cannot be activated.
  package enum Refusal: Error { case interrupted, noMicrophone }

  private struct Contents {
    var session = SessionState()
    /// The rate of which the program was told with its wish, until the hardware has taken it over.
    var toldRate: Double?
    var observers: [(number: Int, call: @Sendable (Event) -> Void)] = []
    var lastObserver = 0
  }

  private unowned let hardware: SimulatedHardware
  private let contents = Locked(Contents())

  init(_ hardware: SimulatedHardware) {
    self.hardware = hardware
    hardware.observe { [weak self] in self?.hear($0) }
  }

  /// The settings.
  package var state: SessionState { contents.withLock { $0.session } }

  /// The present route.
  package var route: SessionRoute { state.route(on: hardware.route, hasMicrophone: hardware.hasMicrophone) }

  /// Calls a function for events, from now on.
  package func observe(_ observer: @escaping @Sendable (Event) -> Void) {
    contents.withLock { contents in
      contents.lastObserver += 1
      contents.observers.append((contents.lastObserver, observer))
    }
  }

  private func tell(_ event: Event) {
    for observer in contents.withLock({ $0.observers }) { observer.call(event) }
  }

  // MARK: Requests

  /// The program has a session from now on: the hardware follows its category.
  package func use() {
    contents.withLock { $0.session.isInUse = true }
    settle()
  }

  /// Changes settings all at once.
  /// - Parameters:
  ///   - reason: that of a change of route.
  ///   - alwaysTells: true to tell of a route that is as before.
  package func change(
    _ reason: DeviceRoute.Reason, alwaysTells: Bool = false, _ body: (inout SessionState) -> Void
  ) {
    let (former, present) = contents.withLock { contents in
      let (place, hasMicrophone) = (hardware.route, hardware.hasMicrophone)
      let former = contents.session.route(on: place, hasMicrophone: hasMicrophone)
      body(&contents.session)
      return (former, contents.session.route(on: place, hasMicrophone: hasMicrophone))
    }
    settle()
    if alwaysTells || present != former { tell(.routeChanged(former: former, reason: reason)) }
  }

  /// Activates or deactivates the session.
  /// - Throws: why it cannot be activated.
  package func setActive(_ isActive: Bool) throws(Refusal) {
    if isActive {
      guard !hardware.isInterrupted else { throw .interrupted }
      guard state.category != .record || hardware.hasMicrophone else { throw .noMicrophone }
    }
    contents.withLock { $0.session.isActive = isActive }
    settle()
  }

  /// Notes a wish, and lets the hardware follow: the power of two of frames that is nearest, as mobile hardware does,
  /// within what the device can have.
  /// - Parameter seconds: finite, 0 or more; 0: no wish.
  package func setPreferredBuffer(seconds: Double) {
    contents.withLock { $0.session.preferredBufferSeconds = seconds }
    guard seconds > 0 else { return }
    let range = DeviceConfiguration.bufferFrameCounts
    let wanted = seconds * hardware.configuration.sampleRate
    var frames = range.lowerBound
    while frames < range.upperBound && wanted * wanted > Double(frames) * Double(2 * frames) { frames *= 2 }
    try? hardware.setBufferFrames(frames)
  }

  /// Notes a wish, and lets the hardware follow: it takes the nearest of the rates that it has, or keeps its own.
  /// - Parameter rate: hertz, finite, 0 or more; 0: no wish.
  package func setPreferredRate(_ rate: Double) {
    contents.withLock { $0.session.preferredSampleRate = rate }
    let former = hardware.configuration.sampleRate
    let nearest = hardware.sampleRates.min { abs($0 - rate) < abs($1 - rate) }
    try? hardware.setSampleRate(rate == 0 ? former : nearest ?? rate)
    let present = hardware.configuration.sampleRate
    guard present != former else { return }
    // A scenario's hardware takes the rate over with its next cycle.
    if hardware.scenario != nil { contents.withLock { $0.toldRate = present } }
    tell(.sampleRateChanged)
  }

  /// Another program's sound is silenced by an active session that does not mix, and ducked by one that ducks. The
  /// hardware learns what plays.
  private func settle() {
    let session = state
    hardware.otherAudio =
      !session.isActive ? .plays : !session.mixesWithOthers ? .none : session.ducksOthers ? .isDucked : .plays
    hardware.setSessionOutput(session.isInUse ? route.output : nil)
  }

  // MARK: Events of the hardware

  private func hear(_ event: HardwareEvent) {
    switch event {
    case .interruptionBegan:
      contents.withLock { $0.session.isActive = false }
      settle()
      tell(.interruptionBegan)
    case .interruptionEnded(let resumes, let isTold):
      if isTold { tell(.interruptionEnded(resumes: resumes)) }
    case .routeChanged(let former, let hadMicrophone, let reason):
      let before = contents.withLock { contents in
        defer { contents.session.overridesWithSpeaker = false }
        return contents.session.route(on: former, hasMicrophone: hadMicrophone)
      }
      settle()
      tellOfRate(former: hardware.configuration.sampleRate)
      tell(.routeChanged(former: before, reason: reason))
    case .configurationChanged(let former):
      tellOfRate(former: former.sampleRate)
      let isThere = hardware.hasMicrophone
      if (former.inputChannelCount > 0) != isThere { tell(.microphoneAppeared(isThere)) }
    case .volumeChanged: tell(.volumeChanged)
    case .otherAudioChanged:
      settle()
      tell(.otherAudioChanged)
    }
  }

  /// Tells of the hardware's rate, if it is another than the program knows.
  /// - Parameter former: the rate that it knows, unless a wish of its own has told it another.
  private func tellOfRate(former: Double) {
    let known = contents.withLock { contents in
      defer { contents.toldRate = nil }
      return contents.toldRate ?? former
    }
    if hardware.configuration.sampleRate != known { tell(.sampleRateChanged) }
  }
}
