import AVFAudioFiles
import Foundation
import Hardware

/// A player of one sound, from a file or from memory, on the simulated hardware: loops, times exact to the frame, volume,
/// pan, rate and meters.
///
/// All players of a hardware share one device and its clock. Methods are safe from any thread; a change holds from the
/// next cycle of the hardware on.
open class AVAudioPlayer: NSObject, @unchecked Sendable {
  /// The rates that ``rate`` may have.
  static let rates: ClosedRange<Float> = 0.5...2

  let control: PlayerControl
  /// The file; nil for a player of data.
  public let url: URL?
  /// The bytes of the sound; nil for a player of a file.
  public let data: Data?
  /// Called when the sound ends, cannot be read, or is interrupted.
  open weak var delegate: (any AVAudioPlayerDelegate)?

  /// A player without a sound, as programs make one to have a value: ``play()`` is false.
  public override init() {
    control = PlayerControl(PlayerSound(), .shared)
    url = nil
    data = nil
    super.init()
    control.owner = self
  }

  /// Opens a file, of any kind that `AVAudioFile` reads.
  /// - Throws: `NSError` in the domain `NSOSStatusErrorDomain`: 'wht?' where there is no such file, 'prm?' where it may
  ///   not be read, 'typ?' where it is no sound, −50 for a URL of no file.
  public convenience init(contentsOf url: URL) throws { try self.init(contentsOf: url, fileTypeHint: nil) }

  /// As ``init(contentsOf:)``.
  /// - Parameters:
  ///   - url: the file.
  ///   - utiString: a type such as `public.mp3`. Not needed: the contents say the type.
  public init(contentsOf url: URL, fileTypeHint utiString: String?) throws {
    control = PlayerControl(try PlayerSound(contentsOf: url), .shared)
    self.url = url
    data = nil
    super.init()
    control.owner = self
  }

  /// Reads sound from memory.
  /// - Throws: `NSError` 'typ?' where it is no sound.
  public convenience init(data: Data) throws { try self.init(data: data, fileTypeHint: nil) }

  /// As ``init(data:)``.
  /// - Parameters:
  ///   - data: the bytes of a file.
  ///   - utiString: a type such as `public.mp3`. Not needed: the contents say the type.
  public init(data: Data, fileTypeHint utiString: String?) throws {
    control = PlayerControl(try PlayerSound(data: data), .shared)
    url = nil
    self.data = data
    super.init()
    control.owner = self
  }

  /// A player on hardware apart from that of the process.
  package init(contentsOf url: URL, on hardware: SimulatedHardware, choices: AVFAudioChoices = .standard) throws {
    control = PlayerControl(try PlayerSound(contentsOf: url), hardware, choices)
    self.url = url
    data = nil
    super.init()
    control.owner = self
  }

  /// The same for data.
  package init(data: Data, on hardware: SimulatedHardware) throws {
    control = PlayerControl(try PlayerSound(data: data), hardware)
    url = nil
    self.data = data
    super.init()
    control.owner = self
  }

  deinit { control.stop() }

  // MARK: Playing

  /// Opens the sound and reads its beginning, so that ``play()`` begins at once.
  /// - Returns: false where it cannot be played.
  @discardableResult
  open func prepareToPlay() -> Bool { control.prepare() }

  /// Plays from ``currentTime`` on, beginning with the next cycle of the hardware; goes on where the player was paused.
  /// While it plays, or waits for its time, nothing changes.
  /// - Returns: false where the sound cannot be played, or the hardware is interrupted.
  @discardableResult
  open func play() -> Bool { control.play(at: nil) }

  /// Plays from a time of the device on, exactly: players with one time begin with one frame.
  /// - Parameter time: ``deviceCurrentTime`` and later, rounded to a frame; a time that has passed is the next cycle's.
  /// - Returns: As ``play()``.
  @discardableResult
  open func play(atTime time: TimeInterval) -> Bool { control.play(at: time) }

  /// Stops where it is; ``play()`` goes on with the next frame. The device's time goes on.
  open func pause() { control.pause() }

  /// Stops where it is, and lets go of what ``prepareToPlay()`` has made. ``currentTime`` stays.
  open func stop() { control.stop() }

  /// True from ``play()`` to the end, a pause, a stop or an interruption; also while it waits for its time.
  open var isPlaying: Bool { control.isPlaying }

  // MARK: Settings

  /// A linear gain, 0 to 1, 1 at first; what lies beyond is taken as the end.
  open var volume: Float {
    get { control.volume }
    set { control.setVolume(newValue, seconds: 0) }
  }

  /// Moves to another volume in a straight line, from the next cycle on; at once where nothing is played. ``volume`` is
  /// the new one from now on.
  /// - Parameters:
  ///   - volume: a linear gain, 0 to 1.
  ///   - duration: seconds, rounded to a frame of the hardware.
  open func setVolume(_ volume: Float, fadeDuration duration: TimeInterval) {
    control.setVolume(volume, seconds: duration)
  }

  /// −1 (left) to 1 (right), 0 at first. The side that it moves away from fades out in a straight line; in the middle a
  /// mono sound comes from both sides as it is.
  open var pan: Float {
    get { control.pan }
    set { control.pan = newValue }
  }

  /// True: ``rate`` counts. Set while the player is stopped; later it holds from the next stop on. False at first.
  open var enableRate: Bool {
    get { control.enableRate }
    set { control.enableRate = newValue }
  }

  /// A factor of the speed at the same pitch, 0.5 to 2, 1 at first; what lies beyond is taken as the end.
  open var rate: Float {
    get { control.rate }
    set { control.rate = newValue }
  }

  /// Passes behind the first one; negative: without end. 0 at first. Set while the sound plays, it counts from the pass
  /// that is played on.
  open var numberOfLoops: Int {
    get { control.numberOfLoops }
    set { control.numberOfLoops = newValue }
  }

  /// The hardware's channel for each of the sound's, in place of ``pan``, as the session's route has them; nil at first:
  /// pan holds. Another number than ``numberOfChannels`` ends the process; channels that the hardware has not are silent.
  open var channelAssignments: [AVAudioSessionChannelDescription]? {
    get { control.assignments }
    set { control.assignments = newValue }
  }

  /// The UID of the device to play on, that of the simulated one; nil: the default device, which is the same. On any
  /// other ``play()`` answers false.
  open var currentDevice: String? {
    get { control.currentDevice }
    set { control.currentDevice = newValue }
  }

  // MARK: Time

  /// Seconds from the beginning of the sound to what is played next; 0 behind the end. It may be set while the sound
  /// plays: to the nearest frame of the file, between its beginning and its end.
  open var currentTime: TimeInterval {
    get { control.currentTime }
    set { control.currentTime = newValue }
  }

  /// Seconds of the device that all players share, of the frame with which its next cycle begins. It goes on while any
  /// of them plays or is paused; otherwise it is 0.
  open var deviceCurrentTime: TimeInterval { control.device.currentTime }

  /// Seconds of one pass at the original rate.
  open var duration: TimeInterval { control.sound.duration }

  // MARK: The sound

  /// The channels of the sound.
  open var numberOfChannels: Int { control.sound.channelCount }

  /// The format of the sound's packets.
  open var format: AVAudioFormat { control.sound.format }

  /// The same as settings.
  open var settings: [String: Any] { format.settings }

  // MARK: Meters

  /// True: levels are measured while the sound plays. False at first.
  open var isMeteringEnabled: Bool {
    get { control.isMetered }
    set { control.isMetered = newValue }
  }

  /// Takes over the levels of this moment, for ``averagePower(forChannel:)`` and ``peakPower(forChannel:)``.
  open func updateMeters() { control.updateMeters() }

  /// RMS over an exponential window of 300 ms of what is read for a channel, in front of rate, volume and pan: dBFS, −160
  /// for silence, for a channel that there is not, and while nothing plays.
  open func averagePower(forChannel channelNumber: Int) -> Float { control.averagePower(channelNumber) }

  /// The largest sample, held for 1 s and then falling by 20 dB a second: dBFS, as ``averagePower(forChannel:)``.
  open func peakPower(forChannel channelNumber: Int) -> Float { control.peakPower(channelNumber) }
}
