import AudioCore

/// A unit that may ring longer than the longest tail that a unit reports, which is a minute.
package protocol LongTailUnit: Unit {
  /// True when it rings on behind ``Unit/tailFrames``.
  var tailIsCut: Bool { get }
}

extension LongTailUnit {
  /// True when the tail is the longest that is reported.
  package var tailIsCut: Bool {
    guard let tail = tailFrames, let rate = try? streamFormat(.output).sampleRate else { return false }
    return Double(tail) >= (LongestTail.seconds * rate).rounded(.down)
  }
}

package enum LongestTail {
  /// The longest tail that a unit reports, seconds.
  package static let seconds = 60.0
}
