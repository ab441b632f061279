// The old interface to the one audio session that a process has: its settings are the hardware's `AudioSessionModel`. Any
// thread but a render thread: it takes a lock. Listeners are called outside of it, on the thread that made the change.

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
    var interruptionListener: AudioSessionInterruptionListener?
    var interruptionData: UInt = 0
    /// The advice in the end of an interruption, while listeners are called.
    var interruptionType: UInt32?
    var listeners: [Listener] = []
  }

  private let hardware: SimulatedHardware
  private var model: AudioSessionModel { hardware.session }
  private let state = Locked(State())

  package init(_ hardware: SimulatedHardware) {
    self.hardware = hardware
    model.observe { [weak self] in self?.hear($0) }
  }

  // MARK: Life cycle

  /// True where the program has an audio session.
  var isInitialized: Bool { state.withLock { $0.isInitialized } }

  package func initialize(_ listener: AudioSessionInterruptionListener?, _ userData: UnsafeMutableRawPointer?)
    -> OSStatus
  {
    let data = UInt(bitPattern: userData)
    let status: OSStatus = state.withLock { state in
      guard !state.isInitialized else { return kAudioSessionAlreadyInitialized }
      state.isInitialized = true
      state.interruptionListener = listener
      state.interruptionData = data
      return noErr
    }
    model.use()
    return status
  }

  /// '!act' while the hardware is interrupted; 'nohw' for a category that only records where there is no microphone.
  package func setActive(_ isActive: Bool) -> OSStatus {
    guard isInitialized else { return kAudioSessionNotInitialized }
    do throws(AudioSessionModel.Refusal) {
      try model.setActive(isActive)
      return noErr
    } catch {
      switch error {
      case .interrupted: return kAudioSessionNotActiveError
      case .noMicrophone: return kAudioServicesNoHardwareError
      }
    }
  }

  // MARK: Events of the hardware

  private func hear(_ event: AudioSessionModel.Event) {
    switch event {
    case .interruptionBegan: tellOfInterruption(kAudioSessionBeginInterruption)
    case .interruptionEnded(let resumes):
      let type = resumes ? kAudioSessionInterruptionType_ShouldResume : kAudioSessionInterruptionType_ShouldNotResume
      state.withLock { $0.interruptionType = UInt32(type) }
      tellOfInterruption(kAudioSessionEndInterruption)
      state.withLock { $0.interruptionType = nil }
    case .routeChanged(let former, let reason):
      // A category or an override with the same route is no change here.
      if ![.categoryChange, .override].contains(reason) || former != model.route {
        tellOfRoute(AudioRoute(former), reason.rawValue)
      }
    case .sampleRateChanged:
      var rate = hardware.configuration.sampleRate
      tell(kAudioSessionProperty_CurrentHardwareSampleRate, 8, &rate)
    case .microphoneAppeared(let isThere):
      var isAvailable: UInt32 = isThere ? 1 : 0
      tell(kAudioSessionProperty_AudioInputAvailable, 4, &isAvailable)
    case .volumeChanged:
      var volume = Float(hardware.volume)
      tell(kAudioSessionProperty_CurrentHardwareOutputVolume, 4, &volume)
    case .otherAudioChanged: break
    }
  }

  private func tellOfInterruption(_ inState: UInt32) {
    let (listener, data) = state.withLock { ($0.interruptionListener, $0.interruptionData) }
    guard let listener else { return }
    recordedCallback("interruption listener", nil, inState == kAudioSessionBeginInterruption ? "begin" : "end") {
      listener(UnsafeMutableRawPointer(bitPattern: data), inState)
    }
  }

  package var isActive: Bool { model.state.isActive }

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
    guard isInitialized else { return kAudioSessionNotInitialized }
    guard let property = AudioSessionProperty.named(id), property.isReadable else {
      return kAudioSessionUnsupportedPropertyError
    }
    guard Int(size.pointee) >= property.form.byteCount else { return kAudioSessionBadPropertySizeError }
    guard let written = value(id, model.state)?.write(to: data, room: size.pointee) else {
      return kAudioSessionUnsupportedPropertyError
    }
    size.pointee = written
    return noErr
  }

  private var route: AudioRoute { AudioRoute(model.route) }

  private func value(_ id: AudioSessionPropertyID, _ session: SessionState) -> CValue? {
    let configuration = hardware.configuration
    return switch id {
    case kAudioSessionProperty_AudioCategory: .number(AudioSessionCategory.code(of: session.category))
    case kAudioSessionProperty_Mode: .number(AudioSessionCategory.code(of: session.mode))
    case kAudioSessionProperty_CurrentHardwareInputNumberChannels: .number(UInt32(configuration.inputChannelCount))
    case kAudioSessionProperty_CurrentHardwareOutputNumberChannels: .number(UInt32(configuration.channelCount))
    case kAudioSessionProperty_AudioInputAvailable, kAudioSessionProperty_InputGainAvailable:
      .number(hardware.hasMicrophone ? 1 : 0)
    // Only available while listeners are called at the end of an interruption.
    case kAudioSessionProperty_InterruptionType: state.withLock { $0.interruptionType }.map { .number($0) }
    case kAudioSessionProperty_OtherAudioIsPlaying: .number(hardware.otherAudio == .none ? 0 : 1)
    case kAudioSessionProperty_PreferredHardwareIOBufferDuration: CValue(Float(session.preferredBufferSeconds))
    case kAudioSessionProperty_CurrentHardwareIOBufferDuration:
      CValue(Float(Double(configuration.bufferFrames) / configuration.sampleRate))
    case kAudioSessionProperty_CurrentHardwareOutputVolume: CValue(Float(hardware.volume))
    case kAudioSessionProperty_InputGainScalar: CValue(session.inputGain)
    case kAudioSessionProperty_PreferredHardwareSampleRate: CValue(session.preferredSampleRate)
    case kAudioSessionProperty_CurrentHardwareSampleRate: CValue(configuration.sampleRate)
    case kAudioSessionProperty_AudioRoute: .text(route.name)
    case kAudioSessionProperty_AudioRouteDescription: .object(route.description)
    case kAudioSessionProperty_InputSources, kAudioSessionProperty_OutputDestinations: .object(.list([]))
    // There are no sources or destinations to choose from.
    case kAudioSessionProperty_InputSource, kAudioSessionProperty_OutputDestination: nil
    // Switches that are off; the simulated hardware adds no latency of its own.
    default: .number(AudioSessionCategory.option(id).map { session.options.contains($0) } == true ? 1 : 0)
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
    let session = model.state
    let category = AudioSessionCategory.code(of: session.category)
    switch id {
    case kAudioSessionProperty_AudioCategory:
      guard let wanted = AudioSessionCategory.category(of: value) else { return kAudioSessionUnsupportedPropertyError }
      guard wanted != session.category else { return noErr }
      model.change(.categoryChange) { session in
        session.category = wanted
        // The switches belong to a category, and so does the mode.
        session.options.formIntersection(.ducksOthers)
        session.overridesWithSpeaker = false
        if !session.mode.isAllowed(in: wanted) { session.mode = .standard }
      }
    case kAudioSessionProperty_Mode:
      guard let mode = AudioSessionCategory.mode(of: value) else { return kAudioSessionUnsupportedPropertyError }
      guard mode.isAllowed(in: session.category) else { return kAudioSessionIncompatibleCategory }
      model.change(.override) { $0.mode = mode }
    case kAudioSessionProperty_OverrideAudioRoute:
      guard value == kAudioSessionOverrideAudioRoute_None || value == kAudioSessionOverrideAudioRoute_Speaker else {
        return kAudioSessionUnsupportedPropertyError
      }
      if value != 0 && !Self.allows(id, category) { return kAudioSessionIncompatibleCategory }
      model.change(.override) { $0.overridesWithSpeaker = value != 0 }
    default:
      if value != 0 && !Self.allows(id, category) { return kAudioSessionIncompatibleCategory }
      guard let option = AudioSessionCategory.option(id) else { return kAudioSessionUnsupportedPropertyError }
      model.change(.override) { session in
        if value == 0 { session.options.remove(option) } else { session.options.insert(option) }
      }
    }
    return noErr
  }

  private static func allows(_ id: AudioSessionPropertyID, _ category: UInt32) -> Bool {
    AudioSessionCategory.allowing(id)?.contains(category) ?? true
  }

  /// The preferred buffer, or the microphone's gain.
  private func set(_ id: AudioSessionPropertyID, seconds value: Float) -> OSStatus {
    guard id == kAudioSessionProperty_PreferredHardwareIOBufferDuration else {
      guard !value.isNaN else { return kAudioSessionUnsupportedPropertyError }
      model.change(.unknown) { $0.inputGain = min(1, max(0, value)) }
      return noErr
    }
    guard value.isFinite, value >= 0 else { return kAudioSessionUnsupportedPropertyError }
    model.setPreferredBuffer(seconds: Double(value))
    return noErr
  }

  private func setPreferredRate(_ rate: Double) -> OSStatus {
    guard rate.isFinite, rate >= 0 else { return kAudioSessionUnsupportedPropertyError }
    model.setPreferredRate(rate)
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
    guard let dictionary = AudioRoute.change(from: former, to: route, reason: reason).makeObject() else { return }
    tell(kAudioSessionProperty_AudioRouteChange, 8, UnsafeRawPointer(dictionary))
    Unmanaged<AnyObject>.fromOpaque(dictionary).release()
  }
}
