import Foundation

/// The calls of a recorder, on the threads on which a player's come (``AVAudioPlayerDelegate``). All have an empty
/// default.
public protocol AVAudioRecorderDelegate: NSObjectProtocol {
  /// The recording has ended, by a stop or at the end of its duration, and its file has its name.
  /// - Parameters:
  ///   - recorder: the recorder that calls.
  ///   - flag: false where the file could not be written.
  func audioRecorderDidFinishRecording(_ recorder: AVAudioRecorder, successfully flag: Bool)
  /// The file could not be written on, as on a full disk: nothing is left of it.
  /// ``audioRecorderDidFinishRecording(_:successfully:)`` follows.
  func audioRecorderEncodeErrorDidOccur(_ recorder: AVAudioRecorder, error: (any Error)?)
  /// The hardware was taken away; the recorder is paused.
  func audioRecorderBeginInterruption(_ recorder: AVAudioRecorder)
  /// The hardware is there again; `record()` goes on.
  /// - Parameters:
  ///   - recorder: the recorder that calls.
  ///   - flags: 1 where the system advises to resume, else 0.
  func audioRecorderEndInterruption(_ recorder: AVAudioRecorder, withOptions flags: Int)
}

extension AVAudioRecorderDelegate {
  /// Does nothing.
  public func audioRecorderDidFinishRecording(_ recorder: AVAudioRecorder, successfully flag: Bool) {}
  /// Does nothing.
  public func audioRecorderEncodeErrorDidOccur(_ recorder: AVAudioRecorder, error: (any Error)?) {}
  /// Does nothing.
  public func audioRecorderBeginInterruption(_ recorder: AVAudioRecorder) {}
  /// Does nothing.
  public func audioRecorderEndInterruption(_ recorder: AVAudioRecorder, withOptions flags: Int) {}
}
