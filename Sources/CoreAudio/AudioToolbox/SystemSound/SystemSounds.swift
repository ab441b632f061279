// The system sounds of a process and those that play. Each play is an audio queue of its own, so sounds are summed. Any
// thread; functions of the program's are called without a lock.

import AudioCore
import CAudioToolbox
import CoreFoundation
import Hardware
import Transcripts

/// The function that is called when a sound has ended, and the run loop on which it is.
final class SoundCompletion: @unchecked Sendable {
  private let sound: SystemSoundID
  private let proc: AudioServicesSystemSoundCompletionProc
  private let userData: UInt
  private let place: LoopPlace
  /// Calls that are due.
  private let due = Locked(0)

  /// - Parameter loop: a `CFRunLoopRef`; null: the main thread's. `mode`: a `CFStringRef`; null: the default mode.
  init(
    _ sound: SystemSoundID, _ proc: @escaping AudioServicesSystemSoundCompletionProc,
    _ userData: UnsafeMutableRawPointer?, loop: UnsafeRawPointer?, mode: UnsafeRawPointer?
  ) {
    self.sound = sound
    self.proc = proc
    self.userData = UInt(bitPattern: userData)
    let main = UnsafeRawPointer(Unmanaged.passUnretained(CFRunLoopGetMain()).toOpaque())
    let usual = kCFRunLoopDefaultMode.map { UnsafeRawPointer(Unmanaged.passUnretained($0).toOpaque()) }
    place = LoopPlace(loop: loop ?? main, mode: mode ?? usual)
    place.begin { [weak self] in self?.makeCalls() }
  }

  deinit { place.end() }

  func call() {
    due.withLock { $0 += 1 }
    place.requestCalls { [weak self] in self?.makeCalls() }
  }

  private func makeCalls() {
    let count = due.withLock { due in
      defer { due = 0 }
      return due
    }
    for _ in 0..<count {
      recordedCallback("system sound completion", nil, "\(sound)") {
        proc(sound, UnsafeMutableRawPointer(bitPattern: userData))
      }
    }
  }
}

/// One play of a sound. It keeps itself until its queue has ended.
private final class SoundPlay: @unchecked Sendable {
  let sound: SystemSoundID
  let queue: AudioQueueRef
  private let end: (SoundPlay) -> Void
  private let hasEnded = Locked(false)

  init(_ sound: SystemSoundID, _ queue: AudioQueueRef, _ end: @escaping (SoundPlay) -> Void) {
    self.sound = sound
    self.queue = queue
    self.end = end
  }

  /// Ends once, whoever says so first.
  func finish() {
    let isFirst = hasEnded.withLock { hasEnded in
      defer { hasEnded = true }
      return !hasEnded
    }
    guard isFirst else { return }
    _ = withQueue(queue) { (queue) throws(AudioStatus) in try queue.dispose(immediately: true) }
    end(self)
  }
}

/// The sounds that `AudioServices…` knows.
final class SystemSounds: @unchecked Sendable {
  static let shared = SystemSounds(.shared)

  private struct Entry {
    let sound: SystemSound
    var completion: SoundCompletion?
    var isUISound: UInt32 = 1
    var outlivesProgram: UInt32 = 0
  }

  private struct State {
    var entries: [SystemSoundID: Entry] = [:]
    var lastID = kSystemSoundID_UserPreferredAlert
    /// The completion of the user's alert.
    var alertCompletion: SoundCompletion?
    var plays: [ObjectIdentifier: SoundPlay] = [:]
  }

  private let hardware: SimulatedHardware
  private let state = Locked(State())

  init(_ hardware: SimulatedHardware) { self.hardware = hardware }

  // MARK: Sounds

  func add(path: String) throws(AudioStatus) -> SystemSoundID {
    let sound = try SystemSound(path: path)
    return state.withLock { state in
      state.lastID += 1
      state.entries[state.lastID] = Entry(sound: sound)
      return state.lastID
    }
  }

  /// Forgets a sound, and ends it where it plays.
  /// - Throws: -1500 for one that is unknown.
  func remove(_ id: SystemSoundID) throws(AudioStatus) {
    let (entry, plays) = state.withLock {
      ($0.entries.removeValue(forKey: id), $0.plays.values.filter { $0.sound == id })
    }
    guard entry != nil else { throw SystemSound.unspecified }
    for play in plays { play.finish() }
  }

  // MARK: Playing

  /// Plays a sound; one that is unknown is none.
  /// - Parameters:
  ///   - isAlert: with what a device does beside the sound of an alert.
  ///   - completion: called when it has ended; at once where nothing can be heard.
  func play(_ id: SystemSoundID, isAlert: Bool, completion: (@Sendable () -> Void)?) {
    if isAlert || id == kSystemSoundID_Vibrate { note("vibration") }
    if id == kSystemSoundID_FlashScreen { note("flash of the screen") }
    let sound = id == kSystemSoundID_UserPreferredAlert ? .alert : state.withLock { $0.entries[id]?.sound }
    let end: @Sendable () -> Void = { [self] in
      completionFunction(of: id)?.call()
      completion?()
    }
    guard let sound, begin(sound, id, end) else {
      if completion != nil || completionFunction(of: id) != nil, !DetachedThread.run(end) { end() }
      return
    }
  }

  private func note(_ event: String) {
    CallRecorder.shared?.note(.event, "device event", arguments: event)
  }

  private func completionFunction(of id: SystemSoundID) -> SoundCompletion? {
    state.withLock { id == kSystemSoundID_UserPreferredAlert ? $0.alertCompletion : $0.entries[id]?.completion }
  }

  /// - Returns: false where the hardware cannot play: it is interrupted, or there is no memory.
  private func begin(_ sound: SystemSound, _ id: SystemSoundID, _ end: @escaping @Sendable () -> Void) -> Bool {
    do throws(AudioStatus) {
      let queue = try AudioQueueObject.make(sound.format, .output { _, _ in }, at: OwnPlace(), on: hardware)
      let play = SoundPlay(id, queue) { [self] play in
        state.withLock { $0.plays[ObjectIdentifier(play)] = nil }
        end()
      }
      state.withLock { $0.plays[ObjectIdentifier(play)] = play }
      let answer = withQueue(queue) { (queue) throws(AudioStatus) in try Self.start(queue, sound, play) }
      if answer == noErr { return true }
      state.withLock { $0.plays[ObjectIdentifier(play)] = nil }
      _ = withQueue(queue) { (queue) throws(AudioStatus) in try queue.dispose(immediately: true) }
    } catch {}
    return false
  }

  private static func start(_ queue: AudioQueueObject, _ sound: SystemSound, _ play: SoundPlay) throws(AudioStatus) {
    let bytes = sound.samples.count * MemoryLayout<Float>.size
    let buffer = try queue.allocate(bytes: UInt32(clamping: bytes), descriptions: 0)
    sound.samples.withUnsafeBytes { samples in
      if let start = samples.baseAddress { buffer.pointee.mAudioData.copyMemory(from: start, byteCount: bytes) }
    }
    buffer.pointee.mAudioDataByteSize = UInt32(clamping: bytes)
    _ = try queue.enqueue(buffer, AudioQueueObject.EnqueueOptions())
    // The list of plays keeps the object until it has ended.
    try queue.addListener(
      kAudioQueueProperty_IsRunning,
      { context, queue, _ in
        guard let context else { return }
        let play = Unmanaged<SoundPlay>.fromOpaque(context).takeUnretainedValue()
        var isRunning: UInt32 = 1
        _ = withQueue(queue) { (queue) throws(AudioStatus) in
          var size: UInt32 = 4
          try queue.value(kAudioQueueProperty_IsRunning).write(
            to: &isRunning, size: &size, partly: false, orThrow: SystemSound.unspecified)
        }
        if isRunning == 0 { play.finish() }
      }, Unmanaged.passUnretained(play).toOpaque())
    try queue.start(nil)
    try queue.stop(immediately: false)
  }

  // MARK: Completions and properties

  /// - Throws: -1500 for a sound that is unknown.
  func setCompletion(_ id: SystemSoundID, _ completion: SoundCompletion?) throws(AudioStatus) {
    let isKnown = state.withLock { state in
      if id == kSystemSoundID_UserPreferredAlert {
        state.alertCompletion = completion
        return true
      }
      state.entries[id]?.completion = completion
      return state.entries[id] != nil
    }
    if !isKnown { throw SystemSound.unspecified }
  }

  /// The value of a property: of a sound.
  /// - Throws: 'pty?' for one that is unknown, '!spc' for a sound that is unknown.
  func value(_ property: AudioServicesPropertyID, of id: SystemSoundID) throws(AudioStatus) -> UInt32 {
    guard let entry = state.withLock({ $0.entries[id] }) else {
      throw AudioStatus(kAudioServicesBadSpecifierSizeError)
    }
    switch property {
    case kAudioServicesPropertyIsUISound: return entry.isUISound
    case kAudioServicesPropertyCompletePlaybackIfAppDies: return entry.outlivesProgram
    default: throw AudioStatus(kAudioServicesUnsupportedPropertyError)
    }
  }

  func setValue(_ value: UInt32, _ property: AudioServicesPropertyID, of id: SystemSoundID) throws(AudioStatus) {
    _ = try self.value(property, of: id)
    state.withLock { state in
      if property == kAudioServicesPropertyIsUISound {
        state.entries[id]?.isUISound = value
      } else {
        state.entries[id]?.outlivesProgram = value
      }
    }
  }
}
