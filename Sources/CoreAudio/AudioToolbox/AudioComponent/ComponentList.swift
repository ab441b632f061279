import AudioCore
import AudioEngine
import AudioUnits
import BuiltInUnits
import CAudioToolbox
import DeviceUnits

/// All components that the process can make, in the order in which a search finds them: those of this package, bundles
/// from disk, and what the program has registered. It only grows.
///
/// The default output comes first: a program that searches for any output unit, or leaves its description empty by
/// mistake, gets one that can be heard and that renders without a source.
///
/// Bundles are looked for, and looked at, only when a search gets as far as them.
final class ComponentList: Sendable {
  static let shared = ComponentList(installed: .shared)

  private let builtIn: [ComponentEntry]
  private let installed: InstalledComponents
  private let ownEntries = Locked(OwnEntries())

  /// The components that the program has registered: by the C interface, and in Swift.
  private struct OwnEntries {
    var list: [ComponentEntry] = []
    /// The number of ``ComponentRegistry/registered`` that are among them.
    var adoptedUnits = 0
  }

  init(installed: InstalledComponents) {
    self.installed = installed
    let own = ComponentRegistry.builtIn.components
    // The players that programs schedule stand behind those of graph files, which they replace where they have their
    // codes.
    let units =
      ComponentRegistry.devices.components + own
      + ComponentRegistry.hosted.components.filter { hosted in !own.contains { $0.description == hosted.description } }
    builtIn = units.map { unit in
      ComponentEntry(ComponentRegistry.hosted.components.first { $0.description == unit.description } ?? unit)
    }
    for entry in builtIn { entry.register() }
  }

  /// Adds a component of the program's own. The same description again replaces nothing: the first stays findable
  /// first.
  func add(_ entry: ComponentEntry) {
    entry.register()
    ownEntries.withLock { $0.list.append(entry) }
  }

  private var registered: [ComponentEntry] {
    ownEntries.withLock { own in
      for unit in ComponentRegistry.registered.components.dropFirst(own.adoptedUnits) {
        let entry = ComponentEntry(unit)
        entry.register()
        own.list.append(entry)
        own.adoptedUnits += 1
      }
      return own.list
    }
  }

  /// The first match behind `former`, or of all.
  func next(after former: ComponentEntry?, matching wanted: AudioComponentDescription) -> ComponentEntry? {
    var start = 0
    if let former { start = builtIn.firstIndex { $0 === former }.map { $0 + 1 } ?? builtIn.count }
    if let found = builtIn[start...].first(where: { $0.matches(wanted) }) { return found }
    let others = installed.entries + registered
    let passed = former.flatMap { former in others.firstIndex { $0 === former } }
    let candidates = others[(passed.map { $0 + 1 } ?? 0)...].filter { $0.matches(wanted) }
    // Called even where no bundle matches: the log then says why a bundle that might match cannot be used.
    let healthy = installed.healthy(matching: wanted)
    return candidates.first { candidate in !candidate.isFromBundle || healthy.contains { $0 === candidate } }
  }

  /// The entry of a unit of this process, by all its codes; bundles are not looked for.
  func entry(of description: ComponentDescription) -> ComponentEntry? {
    let wanted = AudioComponentDescription(description)
    return (builtIn + registered).first {
      ($0.description.componentType, $0.description.componentSubType, $0.description.componentManufacturer)
        == (wanted.componentType, wanted.componentSubType, wanted.componentManufacturer)
    }
  }

  func count(matching wanted: AudioComponentDescription) -> Int {
    builtIn.count { $0.matches(wanted) } + installed.healthy(matching: wanted).count
      + registered.count { $0.matches(wanted) }
  }
}

extension ComponentEntry {
  fileprivate var isFromBundle: Bool {
    if case .bundle = origin { return true }
    return false
  }
}
