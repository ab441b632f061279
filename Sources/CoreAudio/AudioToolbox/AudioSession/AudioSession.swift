// The state of the one audio session that a process has. Any thread but a render thread: it takes a lock. Listeners are
// called outside of it, on the thread that made the change.

import AudioCore
import AudioEngine
import CAudioToolbox
import Hardware

/// The process's requests to the audio hardware, by the old mobile interface.
///
/// It is on the simulated hardware, whose rate and buffer follow the preferred values, if it can have them. Events of
/// the hardware under a scenario reach the session's listeners, on the thread on which they happen.
package final class AudioSession: Sendable {
  static let shared = AudioSession(.shared)

  private struct Listener {
    let id: AudioSessionPropertyID
    let proc: AudioSessionPropertyListener
    let userData: UInt
  }

  private struct State {
    var isInitialized = false
    var isActive = false
    var category = kAudioSessionCategory_SoloAmbientSound
    var mode = kAudioSessionMode_Default
    var preferredSampleRate = 0.0
    /// The rate of which listeners were told with the program's wish, until the hardware has taken it over.
    var toldRate: Double?
    var preferredBufferSeconds: Float = 0
    var inputGain: Float = 1
    var routeOverride = kAudioSessionOverrideAudioRoute_None
    /// The switches that can be read back, by property; those that are off are left out.
    var switches: [AudioSessionPropertyID: UInt32] = [:]
    var interruptionListener: AudioSessionInterruptionListener?
    var interruptionData: UInt = 0
    /// The advice in the end of an interruption, while listeners are called.
    var interruptionType: UInt32?
    var listeners: [Listener] = []

    func route(on hardware: DeviceRoute, records: Bool) -> AudioRoute {
      let usesSpeaker =
        routeOverride == kAudioSessionOverrideAudioRoute_Speaker
        || switches[kAudioSessionProperty_OverrideCategoryDefaultToSpeaker] != nil
      return AudioRoute(category: category, usesSpeaker: usesSpeaker, hardware: hardware, hasInput: records)
    }

    /// True when other programs may be heard beside this one.
    var mixesWithOthers: Bool {
      category == kAudioSessionCategory_AmbientSound || category == kAudioSessionCategory_UserInterfaceSoundEffects
        || switches[kAudioSessionProperty_OverrideCategoryMixWithOthers] != nil
        || category == kAudioSessionCategory_MediaPlayback && ducksOthers
    }
    var ducksOthers: Bool { switches[kAudioSessionProperty_OtherMixableAudioShouldDuck] != nil }
  }

  private let hardware: SimulatedHardware
  private let state = Locked(State())

  package init(_ hardware: SimulatedHardware) {
    self.hardware = hardware
    hardware.observe { [weak self] in self?.hear($0) }
  }

  // MARK: Life cycle

  /// True where the program has an audio session.
  var isInitialized: Bool { state.withLock { $0.isInitialized } }

  package func initialize(_ listener: AudioSessionInterruptionListener?, _ userData: UnsafeMutableRawPointer?)
    -> OSStatus
  {
    let data = UInt(bitPattern: userData)
    defer { settleRoute() }
    return state.withLock { state in
      guard !state.isInitialized else { return kAudioSessionAlreadyInitialized }
      state.isInitialized = true
      state.interruptionListener = listener
      state.interruptionData = data
      return noErr
    }
  }

  /// '!act' while the hardware is interrupted; 'nohw' for a category that only records where there is no microphone.
  package func setActive(_ isActive: Bool) -> OSStatus {
    let status: OSStatus = state.withLock { state in
      guard state.isInitialized else { return kAudioSessionNotInitialized }
      if isActive {
        guard !hardware.isInterrupted else { return kAudioSessionNotActiveError }
        guard state.category != kAudioSessionCategory_RecordAudio || hardware.hasMicrophone else {
          return kAudioServicesNoHardwareError
        }
      }
      state.isActive = isActive
      return noErr
    }
    settleOtherAudio()
    return status
  }

  /// Another program's sound is silenced by an active session that does not mix, and ducked by one that ducks.
  private func settleOtherAudio() {
    let state = state.withLock { $0 }
    hardware.otherAudio =
      !state.isActive ? .plays : !state.mixesWithOthers ? .none : state.ducksOthers ? .isDucked : .plays
  }

  /// Tells the hardware what plays: by the category, and the program's wish for the speaker.
  private func settleRoute() {
    let state = state.withLock { $0 }
    hardware.setSessionOutput(state.isInitialized ? route(state).output : nil)
  }

  // MARK: Events of the hardware

  private func hear(_ event: HardwareEvent) {
    switch event {
    case .interruptionBegan:
      state.withLock { $0.isActive = false }
      settleOtherAudio()
      tellOfInterruption(kAudioSessionBeginInterruption)
    case .interruptionEnded(let resumes, let isTold):
      guard isTold else { return }
      let type = resumes ? kAudioSessionInterruptionType_ShouldResume : kAudioSessionInterruptionType_ShouldNotResume
      state.withLock { $0.interruptionType = UInt32(type) }
      tellOfInterruption(kAudioSessionEndInterruption)
      state.withLock { $0.interruptionType = nil }
    case .routeChanged(let former, let hadMicrophone, let reason):
      settleRoute()
      tellOfRate(former: hardware.configuration.sampleRate)
      let before = state.withLock { $0.route(on: former, records: hadMicrophone) }
      tellOfRoute(before, reason.rawValue)
    case .configurationChanged(let former):
      let present = hardware.configuration
      tellOfRate(former: former.sampleRate)
      var isAvailable: UInt32 = present.inputChannelCount > 0 ? 1 : 0
      if (former.inputChannelCount > 0) != (isAvailable == 1) {
        tell(kAudioSessionProperty_AudioInputAvailable, 4, &isAvailable)
      }
    case .volumeChanged:
      var volume = Float(hardware.volume)
      tell(kAudioSessionProperty_CurrentHardwareOutputVolume, 4, &volume)
    case .otherAudioChanged: settleOtherAudio()
    }
  }

  /// Tells of the hardware's rate, if it is another than the program knows.
  /// - Parameter former: the rate that it knows, unless a wish of its own has told it another.
  private func tellOfRate(former: Double) {
    let known = state.withLock { state in
      defer { state.toldRate = nil }
      return state.toldRate ?? former
    }
    var present = hardware.configuration.sampleRate
    if present != known { tell(kAudioSessionProperty_CurrentHardwareSampleRate, 8, &present) }
  }

  private func tellOfInterruption(_ inState: UInt32) {
    let (listener, data) = state.withLock { ($0.interruptionListener, $0.interruptionData) }
    guard let listener else { return }
    recordedCallback("interruption listener", nil, inState == kAudioSessionBeginInterruption ? "begin" : "end") {
      listener(UnsafeMutableRawPointer(bitPattern: data), inState)
    }
  }

  package var isActive: Bool { state.withLock { $0.isActive } }

  // MARK: Properties

  package func propertySize(_ id: AudioSessionPropertyID, _ size: UnsafeMutablePointer<UInt32>) -> OSStatus {
    guard state.withLock({ $0.isInitialized }) else { return kAudioSessionNotInitialized }
    guard let property = AudioSessionProperty.named(id) else { return kAudioSessionUnsupportedPropertyError }
    size.pointee = UInt32(property.form.byteCount)
    return noErr
  }

  package func property(
    _ id: AudioSessionPropertyID, _ size: UnsafeMutablePointer<UInt32>, _ data: UnsafeMutableRawPointer
  ) -> OSStatus {
    let state = state.withLock { $0 }
    guard state.isInitialized else { return kAudioSessionNotInitialized }
    guard let property = AudioSessionProperty.named(id), property.isReadable else {
      return kAudioSessionUnsupportedPropertyError
    }
    guard Int(size.pointee) >= property.form.byteCount else { return kAudioSessionBadPropertySizeError }
    guard let written = value(id, state)?.write(to: data, room: size.pointee) else {
      return kAudioSessionUnsupportedPropertyError
    }
    size.pointee = written
    return noErr
  }

  private func route(_ state: State) -> AudioRoute { state.route(on: hardware.route, records: hardware.hasMicrophone) }

  private func value(_ id: AudioSessionPropertyID, _ state: State) -> CValue? {
    let configuration = hardware.configuration
    return switch id {
    case kAudioSessionProperty_AudioCategory: .number(state.category)
    case kAudioSessionProperty_Mode: .number(state.mode)
    case kAudioSessionProperty_CurrentHardwareInputNumberChannels: .number(UInt32(configuration.inputChannelCount))
    case kAudioSessionProperty_CurrentHardwareOutputNumberChannels: .number(UInt32(configuration.channelCount))
    case kAudioSessionProperty_AudioInputAvailable, kAudioSessionProperty_InputGainAvailable:
      .number(hardware.hasMicrophone ? 1 : 0)
    // Only available while listeners are called at the end of an interruption.
    case kAudioSessionProperty_InterruptionType: state.interruptionType.map { .number($0) }
    case kAudioSessionProperty_OtherAudioIsPlaying: .number(hardware.otherAudio == .none ? 0 : 1)
    case kAudioSessionProperty_PreferredHardwareIOBufferDuration: CValue(state.preferredBufferSeconds)
    case kAudioSessionProperty_CurrentHardwareIOBufferDuration:
      CValue(Float(Double(configuration.bufferFrames) / configuration.sampleRate))
    case kAudioSessionProperty_CurrentHardwareOutputVolume: CValue(Float(hardware.volume))
    case kAudioSessionProperty_InputGainScalar: CValue(state.inputGain)
    case kAudioSessionProperty_PreferredHardwareSampleRate: CValue(state.preferredSampleRate)
    case kAudioSessionProperty_CurrentHardwareSampleRate: CValue(configuration.sampleRate)
    case kAudioSessionProperty_AudioRoute: .text(route(state).name)
    case kAudioSessionProperty_AudioRouteDescription: .object(route(state).description)
    case kAudioSessionProperty_InputSources, kAudioSessionProperty_OutputDestinations: .object(.list([]))
    // There are no sources or destinations to choose from.
    case kAudioSessionProperty_InputSource, kAudioSessionProperty_OutputDestination: nil
    // Switches that are off; the simulated hardware adds no latency of its own.
    default: .number(state.switches[id] ?? 0)
    }
  }

  package func setProperty(_ id: AudioSessionPropertyID, _ size: UInt32, _ data: UnsafeRawPointer) -> OSStatus {
    guard state.withLock({ $0.isInitialized }) else { return kAudioSessionNotInitialized }
    guard let property = AudioSessionProperty.named(id), property.isWritable else {
      return kAudioSessionUnsupportedPropertyError
    }
    guard Int(size) == property.form.byteCount else { return kAudioSessionBadPropertySizeError }
    return switch property.form {
    case .uint32: set(id, data.loadUnaligned(as: UInt32.self))
    case .float32: set(id, seconds: data.loadUnaligned(as: Float.self))
    case .float64: setPreferredRate(data.loadUnaligned(as: Double.self))
    case .object: kAudioSessionUnsupportedPropertyError
    }
  }

  private func set(_ id: AudioSessionPropertyID, _ value: UInt32) -> OSStatus {
    var change: (former: AudioRoute, reason: UInt32)?
    let status: OSStatus = state.withLock { state in
      let former = route(state)
      switch id {
      case kAudioSessionProperty_AudioCategory:
        guard AudioSessionCategory.exists(value) else { return kAudioSessionUnsupportedPropertyError }
        guard value != state.category else { return noErr }
        state.category = value
        // The switches belong to a category, and so does the mode.
        state.switches = state.switches.filter { AudioSessionCategory.allowing($0.key) == nil }
        state.routeOverride = kAudioSessionOverrideAudioRoute_None
        if AudioSessionCategory.allowing(mode: state.mode)?.contains(value) != true {
          state.mode = kAudioSessionMode_Default
        }
      case kAudioSessionProperty_Mode:
        guard let categories = AudioSessionCategory.allowing(mode: value) else {
          return kAudioSessionUnsupportedPropertyError
        }
        guard categories.contains(state.category) else { return kAudioSessionIncompatibleCategory }
        state.mode = value
      case kAudioSessionProperty_OverrideAudioRoute:
        guard value == kAudioSessionOverrideAudioRoute_None || value == kAudioSessionOverrideAudioRoute_Speaker else {
          return kAudioSessionUnsupportedPropertyError
        }
        if value != 0 && !Self.allows(id, state.category) { return kAudioSessionIncompatibleCategory }
        state.routeOverride = value
      default:
        if value != 0 && !Self.allows(id, state.category) { return kAudioSessionIncompatibleCategory }
        state.switches[id] = value == 0 ? nil : 1
      }
      if route(state) != former {
        let isCategory = id == kAudioSessionProperty_AudioCategory
        change = (
          former,
          isCategory ? kAudioSessionRouteChangeReason_CategoryChange : kAudioSessionRouteChangeReason_Override
        )
      }
      return noErr
    }
    settleRoute()
    if let change { tellOfRoute(change.former, change.reason) }
    settleOtherAudio()
    return status
  }

  private static func allows(_ id: AudioSessionPropertyID, _ category: UInt32) -> Bool {
    AudioSessionCategory.allowing(id)?.contains(category) ?? true
  }

  /// The preferred buffer, or the microphone's gain.
  private func set(_ id: AudioSessionPropertyID, seconds value: Float) -> OSStatus {
    guard id == kAudioSessionProperty_PreferredHardwareIOBufferDuration else {
      guard !value.isNaN else { return kAudioSessionUnsupportedPropertyError }
      state.withLock { $0.inputGain = min(1, max(0, value)) }
      return noErr
    }
    guard value.isFinite, value >= 0 else { return kAudioSessionUnsupportedPropertyError }
    state.withLock { $0.preferredBufferSeconds = value }
    guard value > 0 else { return noErr }
    // As mobile hardware does: the power of two that is nearest, within what the device can have.
    let range = DeviceConfiguration.bufferFrameCounts
    let wanted = Double(value) * hardware.configuration.sampleRate
    var frames = range.lowerBound
    while frames < range.upperBound && wanted * wanted > Double(frames) * Double(2 * frames) { frames *= 2 }
    return status(try hardware.setBufferFrames(frames))
  }

  private func setPreferredRate(_ rate: Double) -> OSStatus {
    guard rate.isFinite, rate >= 0 else { return kAudioSessionUnsupportedPropertyError }
    state.withLock { $0.preferredSampleRate = rate }
    let former = hardware.configuration.sampleRate
    // A preference: hardware that cannot have the rate takes the nearest of those it has, or keeps its own.
    let nearest = hardware.sampleRates.min { abs($0 - rate) < abs($1 - rate) }
    _ = status(try hardware.setSampleRate(rate == 0 ? hardware.configuration.sampleRate : nearest ?? rate))
    var present = hardware.configuration.sampleRate
    guard present != former else { return noErr }
    // A scenario's hardware takes the rate over with its next cycle.
    if hardware.scenario != nil { state.withLock { $0.toldRate = present } }
    tell(kAudioSessionProperty_CurrentHardwareSampleRate, 8, &present)
    return noErr
  }

  // MARK: Listeners

  package func addListener(
    _ id: AudioSessionPropertyID, _ proc: @escaping AudioSessionPropertyListener, _ userData: UnsafeMutableRawPointer?
  ) -> OSStatus {
    let listener = Listener(id: id, proc: proc, userData: UInt(bitPattern: userData))
    return changeListeners(id) { listeners in
      listeners.removeAll { Self.isSame($0, listener) }
      listeners.append(listener)
    }
  }

  package func removeListener(
    _ id: AudioSessionPropertyID, _ proc: @escaping AudioSessionPropertyListener, _ userData: UnsafeMutableRawPointer?
  ) -> OSStatus {
    let listener = Listener(id: id, proc: proc, userData: UInt(bitPattern: userData))
    return changeListeners(id) { listeners in listeners.removeAll { Self.isSame($0, listener) } }
  }

  package func removeListeners(_ id: AudioSessionPropertyID) -> OSStatus {
    changeListeners(id) { listeners in listeners.removeAll { $0.id == id } }
  }

  private func changeListeners(_ id: AudioSessionPropertyID, _ change: (inout [Listener]) -> Void) -> OSStatus {
    state.withLock { state in
      guard state.isInitialized else { return kAudioSessionNotInitialized }
      guard AudioSessionProperty.named(id)?.hasListeners == true else { return kAudioSessionUnsupportedPropertyError }
      change(&state.listeners)
      return noErr
    }
  }

  private static func isSame(_ one: Listener, _ other: Listener) -> Bool {
    one.id == other.id && one.userData == other.userData
      && functionAddress(one.proc) == functionAddress(other.proc)
  }

  private func tell(_ id: AudioSessionPropertyID, _ size: UInt32, _ data: UnsafeRawPointer?) {
    for listener in state.withLock({ $0.listeners }) where listener.id == id {
      recordedCallback(
        "session property listener", nil,
        CallText.property(id) + (size == 4 ? " = " + CallText.value(id, data, size) : "")
      ) { listener.proc(UnsafeMutableRawPointer(bitPattern: listener.userData), id, size, data) }
    }
  }

  /// Route listeners get the dictionary itself where others get a pointer to a value.
  private func tellOfRoute(_ former: AudioRoute, _ reason: UInt32) {
    let present = route(state.withLock { $0 })
    guard let dictionary = AudioRoute.change(from: former, to: present, reason: reason).makeObject() else { return }
    tell(kAudioSessionProperty_AudioRouteChange, 8, UnsafeRawPointer(dictionary))
    Unmanaged<AnyObject>.fromOpaque(dictionary).release()
  }
}
