import AudioCore
import CAudioToolbox
import Foundation

/// A moment: a frame at a rate, a host time, or both. Immutable.
///
/// Host times are nanoseconds here; programs convert them with ``hostTime(forSeconds:)`` and ``seconds(forHostTime:)``.
open class AVAudioTime: NSObject, @unchecked Sendable {
  /// True where ``hostTime`` means something.
  public let isHostTimeValid: Bool
  /// Ticks of the host's clock.
  public let hostTime: UInt64
  /// True where ``sampleTime`` and ``sampleRate`` mean something.
  public let isSampleTimeValid: Bool
  /// The frame.
  public let sampleTime: AVAudioFramePosition
  /// Hertz; 0 without a sample time.
  public let sampleRate: Double

  private init(host: UInt64?, sample: AVAudioFramePosition?, rate: Double) {
    isHostTimeValid = host != nil
    hostTime = host ?? 0
    isSampleTimeValid = sample != nil
    sampleTime = sample ?? 0
    sampleRate = sample == nil ? 0 : rate
  }

  /// From a time stamp: what its flags say is valid. Fractions of a frame are dropped.
  public convenience init(audioTimeStamp: UnsafePointer<AudioTimeStamp>, sampleRate: Double) {
    let stamp = audioTimeStamp.pointee
    let hasSample = stamp.mFlags.rawValue & AudioTimeStampFlags.sampleTimeValid.rawValue != 0
    let hasHost = stamp.mFlags.rawValue & AudioTimeStampFlags.hostTimeValid.rawValue != 0
    self.init(
      host: hasHost ? stamp.mHostTime : nil,
      sample: hasSample ? AVAudioFramePosition(exactly: stamp.mSampleTime.rounded(.down)) : nil, rate: sampleRate)
  }

  /// A host time alone.
  public convenience init(hostTime: UInt64) { self.init(host: hostTime, sample: nil, rate: 0) }

  /// A frame alone.
  public convenience init(sampleTime: AVAudioFramePosition, atRate sampleRate: Double) {
    self.init(host: nil, sample: sampleTime, rate: sampleRate)
  }

  /// A frame, and the host time at which it is.
  public convenience init(hostTime: UInt64, sampleTime: AVAudioFramePosition, atRate sampleRate: Double) {
    self.init(host: hostTime, sample: sampleTime, rate: sampleRate)
  }

  /// Ticks of the host's clock for seconds; 0 for what is negative or no number.
  public static func hostTime(forSeconds seconds: TimeInterval) -> UInt64 {
    UInt64(exactly: (seconds * ticksPerSecond).rounded()) ?? (seconds > 0 ? .max : 0)
  }

  /// Seconds for ticks of the host's clock.
  public static func seconds(forHostTime hostTime: UInt64) -> TimeInterval { Double(hostTime) / ticksPerSecond }

  private static let ticksPerSecond = 1e9

  /// As a C structure, with the flags of what is valid.
  public var audioTimeStamp: AudioTimeStamp {
    var stamp = AudioTimeStamp()
    stamp.mSampleTime = Double(sampleTime)
    stamp.mHostTime = hostTime
    var flags: UInt32 = 0
    if isSampleTimeValid { flags |= AudioTimeStampFlags.sampleTimeValid.rawValue }
    if isHostTimeValid { flags |= AudioTimeStampFlags.hostTimeValid.rawValue }
    stamp.mFlags = AudioTimeStampFlags(rawValue: flags)
    return stamp
  }

  /// This time with what it lacks worked out from an anchor that has both: its rate, and one moment by both clocks.
  ///
  /// Nil where the anchor lacks one of them, or this time has neither. The sample time that is worked out is at the
  /// anchor's rate.
  public func extrapolateTime(fromAnchor anchor: AVAudioTime) -> AVAudioTime? {
    guard anchor.isHostTimeValid, anchor.isSampleTimeValid, anchor.sampleRate > 0 else { return nil }
    if isHostTimeValid, isSampleTimeValid { return self }
    if isHostTimeValid {
      let ticks = Double(Int64(bitPattern: hostTime &- anchor.hostTime))
      let frames = (ticks * anchor.sampleRate / Self.ticksPerSecond).rounded()
      guard let sample = Int64(exactly: frames).map({ anchor.sampleTime &+ $0 }) else { return nil }
      return AVAudioTime(hostTime: hostTime, sampleTime: sample, atRate: anchor.sampleRate)
    }
    guard isSampleTimeValid, sampleRate > 0 else { return nil }
    let seconds = Double(sampleTime) / sampleRate - Double(anchor.sampleTime) / anchor.sampleRate
    guard let ticks = Int64(exactly: (seconds * Self.ticksPerSecond).rounded()) else { return nil }
    return AVAudioTime(
      hostTime: anchor.hostTime &+ UInt64(bitPattern: ticks), sampleTime: sampleTime, atRate: sampleRate)
  }

  /// For people.
  public override var description: String {
    let parts = [
      isHostTimeValid ? "host \(Self.seconds(forHostTime: hostTime)) s" : nil,
      isSampleTimeValid ? "sample \(sampleTime) at \(sampleRate) Hz" : nil,
    ]
    return "<AVAudioTime: " + parts.compactMap { $0 }.joined(separator: ", ") + ">"
  }
}
