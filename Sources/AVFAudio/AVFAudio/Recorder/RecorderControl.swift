import AVFAudioFiles
import AudioCore
import Foundation
import Hardware

/// The state of a recorder. Any thread; all under the device's lock.
final class RecorderControl: SharedDeviceClient, @unchecked Sendable {
  private enum State {
    case stopped, recording
    /// By the program, or by an interruption.
    case paused(isInterrupted: Bool)
  }

  let url: URL
  let settings: [String: Any]
  let format: AVAudioFormat
  let hardware: SimulatedHardware
  let device: SharedDevice
  /// Set once, when the recorder is made.
  weak var owner: AVAudioRecorder?
  private let choices: AVFAudioChoices

  private var state = State.stopped
  /// The file that is recorded, or was prepared.
  private var file: RecordingFile?
  /// Takes frames since the last start; nil: nothing does.
  private var ring: MicrophoneRing?
  /// Seconds recorded by rings before it.
  private var secondsBefore = 0.0
  /// Seconds to record in all; nil: until it is stopped.
  private var duration: TimeInterval?
  private var startSeconds: TimeInterval?
  private var isMetering = false
  private var channels: [AVAudioSessionChannelDescription]?
  private var meters = PlayerMeters()

  /// - Throws: `NSError` for settings of which no file can be made.
  init(
    _ url: URL, settings: [String: Any], _ hardware: SimulatedHardware, _ choices: AVFAudioChoices = .standard
  ) throws {
    self.url = url
    self.choices = choices
    self.hardware = hardware
    device = SharedDevice.of(hardware)
    // Rate and channels that are not said are those of the microphone.
    let input = hardware.configuration.inputFormat
    var settings = settings
    if settings[AVSampleRateKey] == nil { settings[AVSampleRateKey] = input.sampleRate }
    if settings[AVNumberOfChannelsKey] == nil { settings[AVNumberOfChannelsKey] = input.channelCount }
    self.settings = settings
    do { format = try AVAudioFile.fileFormat(forWriting: url, settings: settings) } catch {
      throw Self.statusError(error)
    }
  }

  /// The same error in the domain of recorders.
  private static func statusError(_ error: any Error) -> NSError {
    let error = error as NSError
    return NSError(domain: statusErrorDomain, code: error.code, userInfo: error.userInfo)
  }

  // MARK: Recording

  var isRecording: Bool { device.locked { if case .recording = state { true } else { false } } }
  var holdsDevice: Bool { if case .stopped = state { false } else { true } }

  /// Begins the file.
  func prepare() -> Bool {
    device.locked {
      if file != nil { return true }
      file = try? RecordingFile(url, settings: settings, channels: channels?.map { $0.channelNumber - 1 })
      return file != nil
    }
  }

  /// - Parameters:
  ///   - time: seconds by the device's clock; nil: the next cycle.
  ///   - duration: seconds; nil: until it is stopped, or as it was asked for in front of a pause.
  /// - Returns: false where there is no microphone, the hardware cannot run, or the file cannot be begun.
  func record(at time: TimeInterval?, for duration: TimeInterval?) -> Bool {
    let isStarted = device.locked { () -> Bool in
      if case .recording = state { return true }
      guard hardware.hasMicrophone, time.map({ !$0.isNaN }) ?? true, duration.map({ $0 > 0 }) ?? true, prepare(),
        device.begin(for: self)
      else { return false }
      if let duration { self.duration = secondsBefore + duration }
      startSeconds = time
      state = .recording
      beginRing()
      return true
    }
    if !isStarted { device.releaseUnused() }
    return isStarted
  }

  private func beginRing() {
    let rate = device.format.sampleRate
    let ring = MicrophoneRing(
      sampleRate: rate, channelCount: hardware.configuration.inputFormat.channelCount,
      startFrame: startSeconds.flatMap { device.frame(at: $0) },
      frames: duration.flatMap { FrameCount.from(seconds: max(0, $0 - secondsBefore), sampleRate: rate) })
    ring.isMetered.store(isMetering, ordering: .relaxed)
    self.ring = ring
    device.add(ring)
  }

  /// Takes the ring out, with its seconds counted.
  private func endRing() -> MicrophoneRing? {
    guard let ring else { return nil }
    device.remove(ring)
    secondsBefore += Double(ring.framesTaken) / ring.sampleRate
    self.ring = nil
    return ring
  }

  func pause() {
    device.locked {
      guard case .recording = state else { return }
      state = .paused(isInterrupted: false)
      write(endRing())
    }
  }

  /// Errors come with the file's end.
  private func write(_ ring: MicrophoneRing?) { if let ring { try? file?.take(ring) } }

  /// - Parameter isCalling: false: the delegate is not called, as the recorder goes.
  func stop(isCalling: Bool = true) {
    let ended: (file: RecordingFile, ring: MicrophoneRing?)? = device.locked {
      defer { (file, secondsBefore, duration, state) = (nil, 0, nil, .stopped) }
      guard holdsDevice, let file else { return nil }
      return (file, endRing())
    }
    guard let ended else { return }
    var failure: NSError?
    do {
      if let ring = ended.ring { try ended.file.take(ring) }
      if ended.ring?.hasOverflowed ?? false {
        failure = NSError(.memoryFull, "\(url.path): frames were lost, as the file was not written in time")
      }
      try ended.file.finish()
    } catch { failure = error as NSError }
    if isCalling {
      call { [failure] owner, delegate in
        if let failure { delegate.audioRecorderEncodeErrorDidOccur(owner, error: Self.statusError(failure)) }
        delegate.audioRecorderDidFinishRecording(owner, successfully: failure == nil)
      }
    }
    device.releaseUnused()
  }

  func deleteRecording() -> Bool {
    guard !device.locked({ holdsDevice }) else { return false }
    device.locked { file = nil }
    return FileSystem.unlink(url.path) == 0
  }

  var currentTime: TimeInterval {
    device.locked { secondsBefore + (ring.map { Double($0.framesTaken) / $0.sampleRate } ?? 0) }
  }

  var assignments: [AVAudioSessionChannelDescription]? {
    get { device.locked { channels } }
    set {
      require(
        newValue.map { $0.count == Int(format.channelCount) } ?? true,
        "channelAssignments.count == format.channelCount (\(newValue?.count ?? 0), \(format.channelCount))")
      device.locked { channels = newValue }
    }
  }

  // MARK: Meters

  var isMetered: Bool {
    get { device.locked { isMetering } }
    set {
      device.locked {
        isMetering = newValue
        ring?.isMetered.store(newValue, ordering: .relaxed)
      }
    }
  }

  func updateMeters() { device.locked { meters.update(isMetering ? ring?.meters : nil) } }
  func averagePower(_ channel: Int) -> Float { device.locked { meters.average(channel) } }
  func peakPower(_ channel: Int) -> Float { device.locked { meters.peak(channel) } }

  // MARK: From the device

  func cycleDidEnd() {
    guard let (file, ring) = device.locked({ isRecording ? file.flatMap { file in ring.map { (file, $0) } } : nil })
    else { return }
    let hasFailed: Bool
    do {
      try file.take(ring)
      hasFailed = ring.hasOverflowed
    } catch { hasFailed = true }
    if hasFailed || ring.hasAll { stop() }
  }

  func formatDidChange() {
    guard isRecording else { return }
    write(endRing())
    beginRing()
  }

  func deviceDidStop(isInterruption: Bool) {
    let wasRecording = device.locked {
      guard isRecording else { return false }
      state = .paused(isInterrupted: isInterruption)
      write(endRing())
      return true
    }
    if wasRecording, isInterruption { call { $1.audioRecorderBeginInterruption($0) } }
  }

  func interruptionDidEnd(resumes: Bool) {
    let wasInterrupted = device.locked {
      guard case .paused(isInterrupted: true) = state else { return false }
      state = .paused(isInterrupted: false)
      return true
    }
    if wasInterrupted { call { $1.audioRecorderEndInterruption($0, withOptions: resumes ? 1 : 0) } }
  }

  func outputWasLost() {}

  /// Calls the delegate, here or on the main queue.
  private func call(_ body: @escaping (AVAudioRecorder, any AVAudioRecorderDelegate) -> Void) {
    guard let owner else { return }
    choices.delegateCalls.run { if let delegate = owner.delegate { body(owner, delegate) } }
  }
}
