import Glibc

/// Tells speech from what is none, in pieces of 20 ms of a microphone and of what is left of it behind echo cancellation.
///
/// A piece is speech where libspeexdsp says so by more than 90 %, where the microphone is 12 dB above the quietest piece of the
/// last two to four seconds, and where no more than 12 dB of it was an echo. Speech begins with 100 ms of such pieces in a
/// row, and ends with 600 ms without one. The library alone takes any new sound for speech for a second or two, and goes on
/// for as long behind the last word.
public struct SpeechDetector: Sendable {
  /// True from the beginning of speech to its end.
  public private(set) var hearsSpeech = false
  private var pieces = 0
  /// The quietest pieces of these two seconds and of the two before, decibels of full scale.
  private var (quietest, quietestBefore): (Float, Float) = (.infinity, .infinity)
  private var piecesOfWindow = 0

  private static let windowPieces = 100
  private static let margin: Float = 12
  /// Decibels of a quiet room: no floor is lower.
  private static let leastFloor: Float = -75

  /// A detector that has heard nothing.
  public init() {}

  /// Takes the next 20 ms.
  /// - Parameters:
  ///   - percent: the library's probability of speech.
  ///   - heard: the mean power of the microphone, of full scale.
  ///   - left: the mean power of what is left of it.
  public mutating func note(percent: Int32, heard: Float, left: Float) {
    let (heard, left) = (Self.decibels(heard), Self.decibels(left))
    quietest = min(quietest, heard)
    let floor = max(Self.leastFloor, min(quietest, quietestBefore))
    piecesOfWindow += 1
    if piecesOfWindow == Self.windowPieces {
      (quietestBefore, quietest, piecesOfWindow) = (quietest, .infinity, 0)
    }
    let isSpeech = percent > 90 && heard > floor + Self.margin && left > heard - Self.margin
    pieces = isSpeech == hearsSpeech ? 0 : pieces + 1
    guard pieces == (hearsSpeech ? 30 : 5) else { return }
    hearsSpeech.toggle()
    pieces = 0
  }

  private static func decibels(_ power: Float) -> Float { 10 * log10(max(power, 1e-12)) }
}
