/// Tells speech from what is none, by the probabilities that libspeexdsp gives for each 20 ms of what is left of a microphone
/// behind echo cancellation.
///
/// Speech begins with 100 ms in a row above 90 %, and ends with 300 ms in a row below 35 %. Any sound is speech to the
/// library for the first second or two of it, until it is known as noise.
public struct SpeechDetector: Sendable {
  /// True from the beginning of speech to its end.
  public private(set) var hearsSpeech = false
  private var pieces = 0

  /// A detector that has heard nothing.
  public init() {}

  /// Takes the probability of speech in the next 20 ms, percent.
  public mutating func note(percent: Int32) {
    pieces = (hearsSpeech ? percent < 35 : percent > 90) ? pieces + 1 : 0
    guard pieces == (hearsSpeech ? 15 : 5) else { return }
    hearsSpeech.toggle()
    pieces = 0
  }
}
