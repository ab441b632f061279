import AudioCore
import AudioUnits
import CAudioToolbox

/// All components that the process can make, in the order in which a search finds them: those of this package, bundles
/// from disk, and what the program has registered. It only grows.
final class ComponentList: Sendable {
  static let shared = ComponentList()

  private let entries: Locked<[ComponentEntry]>

  private init() {
    let units = ComponentRegistry.builtIn.components + ComponentRegistry.devices.components
    // In C a file player is one that is scheduled while it plays.
    let builtIn = units.map {
      ComponentEntry($0.description == FilePlayer.component.description ? ScheduledFilePlayer.component : $0)
    }
    let bundles = ComponentBundle.installed().flatMap { bundle in
      bundle.components.map {
        ComponentEntry($0.description, name: $0.name, version: $0.version, origin: .bundle($0.bundle))
      }
    }
    let all = builtIn + bundles
    for entry in all { entry.register() }
    entries = Locked(all)
  }

  /// Adds a component of the program's own. The same description again replaces nothing: the first stays findable first.
  func add(_ entry: ComponentEntry) {
    entry.register()
    entries.withLock { $0.append(entry) }
  }

  /// The first match behind `former`, or of all.
  func next(after former: ComponentEntry?, matching wanted: AudioComponentDescription) -> ComponentEntry? {
    entries.withLock { entries in
      let start = former.flatMap { former in entries.firstIndex { $0 === former } }.map { $0 + 1 } ?? 0
      return entries[start...].first { $0.matches(wanted) }
    }
  }

  func count(matching wanted: AudioComponentDescription) -> Int {
    entries.withLock { entries in entries.count { $0.matches(wanted) } }
  }
}
