import Foundation

/// The calls of a player, on the thread that runs the program's functions behind a cycle of the hardware; those about
/// interruptions on the hardware's own, between two cycles. Under a scenario whose clock is not the wall's, time stands
/// still meanwhile. All have an empty default.
public protocol AVAudioPlayerDelegate: NSObjectProtocol {
  /// The last frame of the last pass has been played. Not called behind `stop()` or `pause()`, nor at an interruption.
  /// - Parameters:
  ///   - player: the player that calls.
  ///   - flag: false where the sound could not be read to its end.
  func audioPlayerDidFinishPlaying(_ player: AVAudioPlayer, successfully flag: Bool)
  /// The sound could not be read on; ``audioPlayerDidFinishPlaying(_:successfully:)`` follows.
  func audioPlayerDecodeErrorDidOccur(_ player: AVAudioPlayer, error: (any Error)?)
  /// The hardware was taken away; the player is paused where it was.
  func audioPlayerBeginInterruption(_ player: AVAudioPlayer)
  /// The hardware is there again; `play()` goes on.
  /// - Parameters:
  ///   - player: the player that calls.
  ///   - flags: 1 where the system advises to resume, else 0.
  func audioPlayerEndInterruption(_ player: AVAudioPlayer, withOptions flags: Int)
}

extension AVAudioPlayerDelegate {
  /// Does nothing.
  public func audioPlayerDidFinishPlaying(_ player: AVAudioPlayer, successfully flag: Bool) {}
  /// Does nothing.
  public func audioPlayerDecodeErrorDidOccur(_ player: AVAudioPlayer, error: (any Error)?) {}
  /// Does nothing.
  public func audioPlayerBeginInterruption(_ player: AVAudioPlayer) {}
  /// Does nothing.
  public func audioPlayerEndInterruption(_ player: AVAudioPlayer, withOptions flags: Int) {}
}
