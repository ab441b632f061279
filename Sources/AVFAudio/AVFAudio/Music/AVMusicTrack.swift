import AVFAudioFiles
import Foundation

/// A time in beats.
public typealias AVMusicTimeStamp = Double

/// A range of beats.
public struct AVBeatRange: Hashable, Sendable {
  /// Its first beat.
  public var start: AVMusicTimeStamp
  /// Its length in beats.
  public var length: AVMusicTimeStamp

  /// From the first beat on, none.
  public init() { (start, length) = (0, 0) }
  /// A range of beats.
  public init(start: AVMusicTimeStamp, length: AVMusicTimeStamp) { (self.start, self.length) = (start, length) }
}

/// A range of beats.
public func AVMakeBeatRange(_ startBeat: AVMusicTimeStamp, _ lengthInBeats: AVMusicTimeStamp) -> AVBeatRange {
  AVBeatRange(start: startBeat, length: lengthInBeats)
}

/// The number of passes of a loop.
public enum AVMusicTrackLoopCount: Int, Sendable {
  /// Without end.
  case forever = -1
}

/// A track of a sequence. It has no events yet, and is not played.
open class AVMusicTrack: NSObject, @unchecked Sendable {
  /// Ticks of a quarter note in a file.
  public let timeResolution: Int
  /// The instrument that plays the track; nil: none. It takes the place of an endpoint.
  public var destinationAudioUnit: AVAudioUnit? { didSet { if destinationAudioUnit != nil { endpoint = 0 } } }
  private var endpoint: UInt32 = 0
  /// The endpoint that the track is sent to; 0: none. It takes the place of an instrument.
  public var destinationMIDIEndpoint: UInt32 {
    get { endpoint }
    set {
      endpoint = newValue
      if newValue != 0 { destinationAudioUnit = nil }
    }
  }

  /// The beats that are repeated; length 0: all.
  public var loopRange = AVBeatRange()
  /// False at first.
  public var isLoopingEnabled = false
  /// Passes of a loop, −1 at first: without end. 0, and less than −1, are left alone.
  public var numberOfLoops = AVMusicTrackLoopCount.forever.rawValue {
    didSet { if numberOfLoops == 0 || numberOfLoops < -1 { numberOfLoops = oldValue } }
  }
  /// Beats by which the track begins later, 0 at first.
  public var offsetTime: AVMusicTimeStamp = 0
  /// True: the track is silent.
  public var isMuted = false
  /// True: of all tracks those that are solo are heard.
  public var isSoloed = false
  /// True: parameters of the instrument are automated.
  public var usesAutomatedParameters = false
  /// Beats, 0 at first; less, and no number, are left alone.
  public var lengthInBeats: AVMusicTimeStamp = 0 { didSet { if !(lengthInBeats >= 0) { lengthInBeats = oldValue } } }
  /// Seconds, at 120 beats a minute.
  public var lengthInSeconds: TimeInterval {
    get { lengthInBeats / 2 }
    set { lengthInBeats = newValue * 2 }
  }

  init(resolution: Int) { timeResolution = resolution }
}
