import AudioCore
import CAudioToolbox

/// A component on disk, made by others.
final class ComponentBundle: @unchecked Sendable {
  struct Listing {
    let bundle: ComponentBundle
    let description: AudioComponentDescription
    let name: String
    let version: UInt32
  }
  let components: [Listing] = []

  /// All bundles of the search path.
  static func installed() -> [ComponentBundle] { [] }

  /// Loads the bundle and finds its factory.
  func factory() throws(AudioStatus) -> AudioComponentFactoryFunction { throw .invalidFile }
}
