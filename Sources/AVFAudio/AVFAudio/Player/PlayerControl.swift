import AVFAudioFiles
import AudioCore
import Foundation
import Hardware

/// The state of a player: whether it plays, where it is, and its settings. Any thread; all under the device's lock.
final class PlayerControl: SharedDeviceClient, @unchecked Sendable {
  private enum State {
    case stopped, playing
    /// By the program, or by an interruption.
    case paused(isInterrupted: Bool)
  }

  let sound: PlayerSound
  let hardware: SimulatedHardware
  let device: SharedDevice
  /// Set once, when the player is made.
  weak var owner: AVAudioPlayer?
  private let choices: AVFAudioChoices

  private var state = State.stopped
  /// The voice that plays, or was prepared or paused; nil: `place` says where to begin.
  private var voice: PlayerVoice?
  /// The frame of the file to begin with.
  private var place: Int64 = 0
  /// True behind the end of the sound, until it plays or is set to another place.
  private var hasFinished = false
  private var settings = PlayerVoice.Settings()
  private var loopCount = 0
  private var wantedRate: Float = 1
  private var allowsRate = false
  private var meters = PlayerMeters()
  private var deviceName: String?
  private var channels: [AVAudioSessionChannelDescription]?

  init(_ sound: PlayerSound, _ hardware: SimulatedHardware, _ choices: AVFAudioChoices = .standard) {
    self.sound = sound
    self.choices = choices
    self.hardware = hardware
    device = SharedDevice.of(hardware)
  }

  // MARK: Playing

  var isPlaying: Bool { device.locked { if case .playing = state { true } else { false } } }

  /// With the device's lock held.
  var holdsDevice: Bool { if case .stopped = state { false } else { true } }

  /// Opens and reads ahead.
  func prepare() -> Bool { device.locked { readyVoice() != nil } }

  /// - Parameter time: seconds by the device's clock; nil: the next cycle.
  /// - Returns: false where the sound cannot be played or the hardware cannot run.
  func play(at time: TimeInterval?) -> Bool {
    let isStarted = device.locked { () -> Bool in
      if case .playing = state { return true }
      // The device may have another rate when it runs.
      guard time.map({ !$0.isNaN }) ?? true, deviceName == nil || deviceName == SimulatedHardware.uniqueID,
        readyVoice() != nil, device.begin(for: self), let voice = readyVoice()
      else { return false }
      let time = time ?? delayedStart
      voice.startSeconds = time
      voice.startFrame = time.flatMap { device.frame(at: $0) }
      state = .playing
      hasFinished = false
      device.add(voice)
      return true
    }
    if !isStarted { device.releaseUnused() }
    return isStarted
  }

  /// The device's time at which a sound begins that is to begin at once; nil: with the next cycle.
  private var delayedStart: TimeInterval? {
    choices.playerStartDelay > 0 ? device.currentTime + min(10, choices.playerStartDelay) : nil
  }

  func pause() {
    device.locked {
      guard case .playing = state else { return }
      if let voice { device.remove(voice) }
      state = .paused(isInterrupted: false)
    }
  }

  /// - Parameter place: the frame to begin with next; nil: where it is.
  func stop(at place: Int64? = nil) {
    device.locked { halt(at: place) }
    device.releaseUnused()
  }

  private func halt(at place: Int64?) {
    if let voice { device.remove(voice) }
    self.place = place ?? present.frame
    voice = nil
    state = .stopped
  }

  /// The voice, made where there is none for the present hardware; nil: the sound cannot be played.
  private func readyVoice() -> PlayerVoice? {
    let format = device.format
    if let voice, voice.format == format { return voice }
    var settings = settings
    settings.rate = voice.map { $0.hasRate ? wantedRate : nil } ?? (allowsRate ? wantedRate : nil)
    do throws(BenchError) {
      let fresh: PlayerVoice
      if let voice {
        // On at the same frame, at another rate.
        let rest = voice.volumeRest
        settings.volume = rest.volume
        let origin = FrameCount.converted(voice.place, from: voice.format.sampleRate, to: format.sampleRate)
        fresh = try PlayerVoice(sound, format, settings, loops: voice.loops, from: origin)
        fresh.setVolume(rest.target, seconds: rest.seconds)
        fresh.startSeconds = voice.startSeconds
      } else {
        fresh = try PlayerVoice(sound, format, settings, loops: loopCount, from: origin(of: place, format))
      }
      voice = fresh
      return fresh
    } catch { return nil }
  }

  private func origin(of frame: Int64, _ format: PlayerVoice.Format) -> Int64 {
    FrameCount.converted(frame, from: sound.sampleRate, to: format.sampleRate)
  }

  // MARK: Time

  /// The frame of the file that is heard next, and the passes that are done.
  private var present: (frame: Int64, passes: Int64) {
    guard let voice else { return (place, 0) }
    let frame = FrameCount.converted(voice.place, from: voice.format.sampleRate, to: sound.sampleRate)
    guard sound.frameCount > 0 else { return (0, 0) }
    return (frame % sound.frameCount, frame / sound.frameCount)
  }

  var currentTime: TimeInterval {
    get {
      device.locked {
        if hasFinished, choices.timeAtEnd == .duration { return sound.duration }
        return sound.sampleRate > 0 ? Double(present.frame) / sound.sampleRate : 0
      }
    }
    set {
      guard let frame = sound.frame(at: newValue) else { return }
      device.locked {
        place = frame
        hasFinished = false
        guard let voice else { return }
        guard holdsDevice else {
          self.voice = nil
          return
        }
        // The passes that are left stay.
        let loops = voice.loops < 0 ? -1 : max(0, voice.loops - Int(clamping: present.passes))
        do throws(BenchError) { try voice.seek(to: origin(of: frame, voice.format), loops: loops) } catch {}
      }
    }
  }

  // MARK: Settings

  var numberOfLoops: Int {
    get { device.locked { loopCount } }
    set {
      device.locked {
        loopCount = newValue
        guard let voice else { return }
        guard holdsDevice else {
          self.voice = nil
          return
        }
        // From the pass that is played on.
        let (loops, isTooMany) = newValue.addingReportingOverflow(Int(clamping: present.passes))
        do throws(BenchError) { try voice.setLoops(newValue < 0 || isTooMany ? -1 : loops) } catch {}
      }
    }
  }

  var volume: Float { device.locked { settings.volume } }
  func setVolume(_ volume: Float, seconds: TimeInterval) {
    guard !volume.isNaN else { return }
    device.locked {
      settings.volume = min(1, max(0, volume))
      // A way begins with the sound.
      voice?.setVolume(settings.volume, seconds: isPlaying && seconds > 0 ? seconds : 0)
    }
  }

  var pan: Float {
    get { device.locked { settings.pan } }
    set {
      guard !newValue.isNaN else { return }
      device.locked {
        settings.pan = min(1, max(-1, newValue))
        voice?.setPlace(settings)
      }
    }
  }

  var rate: Float {
    get { device.locked { wantedRate } }
    set {
      guard !newValue.isNaN else { return }
      device.locked {
        wantedRate = min(AVAudioPlayer.rates.upperBound, max(AVAudioPlayer.rates.lowerBound, newValue))
        voice?.setRate(wantedRate)
      }
    }
  }

  var assignments: [AVAudioSessionChannelDescription]? {
    get { device.locked { channels } }
    set {
      require(
        newValue.map { $0.count == sound.channelCount } ?? true,
        "channelAssignments.count == numberOfChannels (\(newValue?.count ?? 0), \(sound.channelCount))")
      device.locked {
        channels = newValue
        settings.assignments = newValue?.map { $0.channelNumber - 1 }
        voice?.setPlace(settings)
      }
    }
  }

  /// The device that is asked for; nil: the one that there is.
  var currentDevice: String? {
    get { device.locked { deviceName } }
    set { device.locked { deviceName = newValue } }
  }

  var enableRate: Bool {
    get { device.locked { allowsRate } }
    set {
      device.locked {
        guard allowsRate != newValue else { return }
        allowsRate = newValue
        // A voice that plays or is paused stays as it is until it is stopped.
        if !holdsDevice { voice = nil }
      }
    }
  }

  // MARK: Meters

  var isMetered: Bool {
    get { device.locked { settings.isMetered } }
    set {
      device.locked {
        settings.isMetered = newValue
        voice?.source.isMetered.store(newValue, ordering: .relaxed)
      }
    }
  }

  func updateMeters() {
    device.locked { meters.update(settings.isMetered && isPlaying ? voice?.source.meters : nil) }
  }
  func averagePower(_ channel: Int) -> Float { device.locked { meters.average(channel) } }
  func peakPower(_ channel: Int) -> Float { device.locked { meters.peak(channel) } }

  // MARK: From the device

  func cycleDidEnd() {
    guard let voice = device.locked({ isPlaying ? self.voice : nil }) else { return }
    guard voice.hasEnded else { return voice.prefetch() }
    let failure = voice.failure
    let hasFinished = device.locked {
      guard self.voice === voice, isPlaying else { return false }
      halt(at: 0)
      self.hasFinished = true
      return true
    }
    guard hasFinished else { return }
    call { owner, delegate in
      if let failure {
        delegate.audioPlayerDecodeErrorDidOccur(
          owner, error: NSError(.invalidFile, failure.description, domain: statusErrorDomain))
      }
      delegate.audioPlayerDidFinishPlaying(owner, successfully: failure == nil)
    }
    device.releaseUnused()
  }

  func formatDidChange() {
    guard isPlaying, let former = voice else { return }
    device.remove(former)
    guard let voice = readyVoice() else { return state = .paused(isInterrupted: false) }
    voice.startFrame = voice.startSeconds.flatMap { device.frame(at: $0) }
    device.add(voice)
  }

  func deviceDidStop(isInterruption: Bool) {
    let wasPlaying = device.locked {
      defer { if isPlaying { state = .paused(isInterrupted: isInterruption) } }
      return isPlaying
    }
    if wasPlaying, isInterruption { call { $1.audioPlayerBeginInterruption($0) } }
  }

  func interruptionDidEnd(resumes: Bool) {
    let wasInterrupted = device.locked {
      guard case .paused(isInterrupted: true) = state else { return false }
      state = .paused(isInterrupted: false)
      return true
    }
    if wasInterrupted { call { $1.audioPlayerEndInterruption($0, withOptions: resumes ? 1 : 0) } }
  }

  func outputWasLost() { if choices.lostDevice == .pauses { pause() } }

  /// Calls the delegate, here or on the main queue.
  private func call(_ body: @escaping (AVAudioPlayer, any AVAudioPlayerDelegate) -> Void) {
    guard let owner else { return }
    choices.delegateCalls.run { if let delegate = owner.delegate { body(owner, delegate) } }
  }
}
