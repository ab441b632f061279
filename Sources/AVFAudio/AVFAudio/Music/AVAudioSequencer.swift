import AVFAudioFiles
import AudioCore
import Foundation

/// The way in which the tracks of a file become tracks of a sequence.
public struct AVMusicSequenceLoadOptions: OptionSet, Sendable {
  public let rawValue: UInt
  /// The options of a number.
  public init(rawValue: UInt) { self.rawValue = rawValue }
  /// A track for each MIDI channel.
  public static let smf_ChannelsToTracks = AVMusicSequenceLoadOptions(rawValue: 1)
}

/// A function that is called with each user event that is played: its track, its data and its beat.
public typealias AVAudioSequencerUserCallback = (AVMusicTrack, Data, AVMusicTimeStamp) -> Void

/// A sequence of tracks of music.
///
/// Nothing is played yet: what would need events or their sound (reading and writing MIDI files, ``start()``) fails with
/// −4, unimplemented. Tracks, positions and the conversion of times are there, at 120 beats a minute.
open class AVAudioSequencer: NSObject, @unchecked Sendable {
  private static let beatsPerSecond = 2.0

  /// A sequence for MIDI endpoints.
  public override init() {}

  /// A sequence for the instruments of an engine.
  public init(audioEngine engine: AVAudioEngine) { self.engine = engine }

  private weak var engine: AVAudioEngine?
  private var callback: AVAudioSequencerUserCallback?

  /// The tracks of music, without ``tempoTrack``.
  public private(set) var tracks: [AVMusicTrack] = []
  /// The track of tempo, in which there is no event.
  public let tempoTrack = AVMusicTrack(resolution: 480)
  /// Texts of a file; none.
  public var userInfo: [String: Any] { [:] }

  /// Seconds; behind 0. What is no number is left alone.
  public var currentPositionInSeconds: TimeInterval {
    get { seconds(forBeats: currentPositionInBeats) }
    set { currentPositionInBeats = beats(forSeconds: newValue) }
  }

  /// Beats; behind 0. What is no number is left alone.
  public var currentPositionInBeats: TimeInterval = 0 {
    didSet { currentPositionInBeats = currentPositionInBeats.isNaN ? oldValue : max(0, currentPositionInBeats) }
  }

  /// False: nothing is played.
  public var isPlaying: Bool { false }

  /// A factor of the speed, 1 at first; 0 and less, and no number, are left alone.
  public var rate: Float = 1 { didSet { if !(rate > 0) { rate = oldValue } } }

  private func unimplemented(_ action: String) -> NSError {
    NSError(.unimplemented, "\(action): music is not played yet, and MIDI files are neither read nor written")
  }

  // MARK: Files

  /// - Throws: `NSError`: −43 where there is no such file, −4 for every other: MIDI files are not read yet.
  public func load(from fileURL: URL, options: AVMusicSequenceLoadOptions = []) throws {
    guard FileSystem.exists(fileURL.path) else {
      throw NSError(AudioStatus(-43), "\(fileURL.path): no such file")
    }
    throw unimplemented(fileURL.path)
  }

  /// - Throws: `NSError` −4: MIDI files are not read yet.
  public func load(from data: Data, options: AVMusicSequenceLoadOptions = []) throws { throw unimplemented("load") }

  /// - Throws: `NSError` −4: MIDI files are not written yet.
  public func write(to fileURL: URL, smpteResolution resolution: Int, replaceExisting replace: Bool) throws {
    throw unimplemented(fileURL.path)
  }

  /// No bytes, and the error −4: MIDI files are not written yet.
  public func data(withSMPTEResolution resolution: Int, error outError: UnsafeMutablePointer<NSError?>?) -> Data {
    outError?.pointee = unimplemented("data")
    return Data()
  }

  // MARK: Tracks

  /// Adds an empty track.
  public func createAndAppendTrack() -> AVMusicTrack {
    let track = AVMusicTrack(resolution: tempoTrack.timeResolution)
    tracks.append(track)
    return track
  }

  /// Takes a track out; false where it is none of these.
  public func removeTrack(_ track: AVMusicTrack) -> Bool {
    let count = tracks.count
    tracks.removeAll { $0 === track }
    return tracks.count < count
  }

  /// Turns the order of events around, of which there are none.
  public func reverseEvents() {}

  /// Sets the function for user events, of which there are none.
  public func setUserCallback(_ userCallback: AVAudioSequencerUserCallback?) { callback = userCallback }

  // MARK: Playing

  /// Does nothing: the error comes from ``start()``.
  public func prepareToPlay() {}

  /// - Throws: `NSError` −4: music is not played yet.
  public func start() throws { throw unimplemented("start") }

  /// Nothing is played, and stays so.
  public func stop() {}

  // MARK: Times

  /// Seconds from the beginning for a beat.
  public func seconds(forBeats beats: AVMusicTimeStamp) -> TimeInterval { beats / Self.beatsPerSecond }

  /// The beat for seconds from the beginning.
  public func beats(forSeconds seconds: TimeInterval) -> AVMusicTimeStamp { seconds * Self.beatsPerSecond }

  /// 0, and the error −10852: a sequence that is not played has no host times.
  public func hostTime(
    forBeats inBeats: AVMusicTimeStamp, error outError: UnsafeMutablePointer<NSError?>?
  ) -> UInt64 {
    outError?.pointee = Self.notPlaying
    return 0
  }

  /// 0, and the error −10852: a sequence that is not played has no host times.
  public func beats(
    forHostTime inHostTime: UInt64, error outError: UnsafeMutablePointer<NSError?>?
  ) -> AVMusicTimeStamp {
    outError?.pointee = Self.notPlaying
    return 0
  }

  private static var notPlaying: NSError { NSError(AudioStatus(-10_852), "the sequence is not played") }
}
