import AudioCore
import AudioUnits

/// What the environment sets for units that programs make through the C interface.
package struct InterfaceDefaults: Sendable {
  /// The longest slice of a fresh unit that drives no graph; nil: what the unit itself begins with.
  ///
  /// Apple's base class begins with 1156, and so does the mixer of iPhones by what they log; the guides of iOS say 1024.
  package private(set) var maximumFrames: Int?

  package static let frameCounts = 1...(1 << 20)
  static let shared = InterfaceDefaults(variable: FileSystem.environment, complain: ErrorLine.write)

  /// - Parameters:
  ///   - variable: the value of an environment variable; empty counts as not there.
  ///   - complain: hears of a value that cannot be used and is left out of account.
  package init(variable: (String) -> String?, complain: (String) -> Void) {
    let name = "AUBENCH_MAXIMUM_FRAMES"
    guard let text = variable(name), !text.isEmpty else { return }
    if let frames = Int(text), Self.frameCounts.contains(frames) {
      maximumFrames = frames
    } else {
      complain(
        "\(name)=\"\(text)\" is not a number of \(Self.frameCounts.lowerBound) to \(Self.frameCounts.upperBound) "
          + "frames, and is left out of account")
    }
  }

  /// Sets up a fresh unit.
  func apply(to unit: Unit) {
    // What drives a graph is made for the longest cycles of its device.
    guard let maximumFrames, !unit.isOutput else { return }
    try? unit.setMaximumFramesPerSlice(maximumFrames)
  }
}
