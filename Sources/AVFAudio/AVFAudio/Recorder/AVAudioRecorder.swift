import AVFAudioFiles
import Foundation
import Hardware

/// A recorder of the microphone of the simulated hardware into a file of any kind that `AVAudioFile` writes.
///
/// It shares the device and its clock with all players and recorders of the hardware. The microphone's channels and rate
/// are converted where the file has others: mono goes to every channel, anything into mono is the mean. The file appears
/// under its name, whole, with ``stop()``: a program that ends before leaves none, and a file that was there before stays.
open class AVAudioRecorder: NSObject, @unchecked Sendable {
  let control: RecorderControl
  /// Called when the recording ends, cannot be written, or is interrupted.
  open weak var delegate: (any AVAudioRecorderDelegate)?

  /// A recorder of a file. The extension of its name says the kind, unless the settings have `AVAudioFileTypeKey`; rate
  /// and channels are the microphone's where the settings have none.
  /// - Throws: `NSError` in the domain `NSOSStatusErrorDomain`: 'typ?' for a kind of file that cannot be written, 'fmt?'
  ///   for an encoding that it cannot hold, −50 for a URL of no file.
  public init(url: URL, settings: [String: Any]) throws {
    control = try RecorderControl(url, settings: settings, .shared)
    super.init()
    control.owner = self
  }

  /// As ``init(url:settings:)``, with the settings of a format.
  public init(url: URL, format: AVAudioFormat) throws {
    control = try RecorderControl(url, settings: format.settings, .shared)
    super.init()
    control.owner = self
  }

  /// A recorder on hardware apart from that of the process.
  package init(url: URL, settings: [String: Any], on hardware: SimulatedHardware) throws {
    control = try RecorderControl(url, settings: settings, hardware)
    super.init()
    control.owner = self
  }

  deinit { control.stop(isCalling: false) }

  // MARK: Recording

  /// Begins the file beside its name.
  /// - Returns: false where the place cannot be written to.
  @discardableResult
  open func prepareToRecord() -> Bool { control.prepare() }

  /// Records from the next cycle of the hardware on, or goes on behind ``pause()``; behind ``stop()`` into a new file of
  /// the same name. While it records nothing changes.
  /// - Returns: false where there is no microphone, the hardware is interrupted, or the file cannot be begun.
  @discardableResult
  open func record() -> Bool { control.record(at: nil, for: nil) }

  /// Records from a time of the device on, exactly.
  /// - Parameter time: ``deviceCurrentTime`` and later, rounded to a frame; a time that has passed is the next cycle's.
  /// - Returns: As ``record()``.
  @discardableResult
  open func record(atTime time: TimeInterval) -> Bool { control.record(at: time, for: nil) }

  /// Records so many seconds and stops; pauses do not count.
  /// - Parameter duration: above 0, rounded to a frame of the hardware.
  /// - Returns: As ``record()``.
  @discardableResult
  open func record(forDuration duration: TimeInterval) -> Bool { control.record(at: nil, for: duration) }

  /// Records so many seconds from a time of the device on, and stops.
  @discardableResult
  open func record(atTime time: TimeInterval, forDuration duration: TimeInterval) -> Bool {
    control.record(at: time, for: duration)
  }

  /// Stops where it is; ``record()`` goes on in the same file.
  open func pause() { control.pause() }

  /// Ends the recording and gives the file its name. The delegate is called on this thread, before it returns.
  open func stop() { control.stop() }

  /// Removes the file of a recording that was stopped.
  /// - Returns: false where there is none, and before ``stop()``.
  @discardableResult
  open func deleteRecording() -> Bool { control.deleteRecording() }

  /// True from ``record()`` to the end, a pause, a stop or an interruption; also while it waits for its time.
  open var isRecording: Bool { control.isRecording }

  // MARK: Time and format

  /// Seconds recorded so far; 0 behind ``stop()``.
  open var currentTime: TimeInterval { control.currentTime }

  /// Seconds of the device that all players and recorders share, see ``AVAudioPlayer/deviceCurrentTime``.
  open var deviceCurrentTime: TimeInterval { control.device.currentTime }

  /// The file.
  open var url: URL { control.url }

  /// The settings of the file, with the rate and the channels that it gets.
  open var settings: [String: Any] { control.settings }

  /// The format of the file's packets.
  open var format: AVAudioFormat { control.format }

  /// The microphone's channel for each of the file's, as the session's route has them; nil at first: they are mixed as
  /// said above. It holds from the next ``prepareToRecord()`` on. Another number than the file's channels ends the
  /// process; channels that the microphone has not are silent.
  open var channelAssignments: [AVAudioSessionChannelDescription]? {
    get { control.assignments }
    set { control.assignments = newValue }
  }

  // MARK: Meters

  /// True: levels are measured while it records. False at first.
  open var isMeteringEnabled: Bool {
    get { control.isMetered }
    set { control.isMetered = newValue }
  }

  /// Takes over the levels of this moment.
  open func updateMeters() { control.updateMeters() }

  /// RMS over an exponential window of 300 ms of a channel of the microphone: dBFS, −160 for silence, for a channel that
  /// there is not, and while nothing is recorded.
  open func averagePower(forChannel channelNumber: Int) -> Float { control.averagePower(channelNumber) }

  /// The largest sample, held for 1 s and then falling by 20 dB a second: dBFS.
  open func peakPower(forChannel channelNumber: Int) -> Float { control.peakPower(channelNumber) }
}
