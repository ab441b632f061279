// The components of the search path, with what scans say of them. Any thread; searching may wait for scans.

import AudioCore
import CAudioToolbox
import Foundation

/// One component of a bundle, found in a folder of the search path.
package final class InstalledComponent: @unchecked Sendable {
  package let bundlePath: String
  package let codes: ComponentCodes
  package let name: String
  package let version: UInt32
  let entry: ComponentEntry
  let bundle: ComponentBundle
  let listing: ComponentBundle.Listing
  /// Nil until it has been looked at; guarded by the list.
  fileprivate var verdict: ScanVerdict?

  fileprivate init(_ bundle: ComponentBundle, _ listing: ComponentBundle.Listing) {
    self.bundle = bundle
    self.listing = listing
    bundlePath = bundle.path
    codes = ComponentCodes(listing.description)
    name = listing.name
    version = listing.version
    entry = ComponentEntry(
      listing.description, name: listing.name, version: listing.version, origin: .bundle(bundle, listing))
  }
}

/// All bundles of the search path. Folders are read when the list is first asked, and a bundle is scanned only when a
/// search needs it.
package final class InstalledComponents: @unchecked Sendable {
  package static let shared = InstalledComponents(
    folders: .ofProcess,
    scanner: ComponentScanner.installed(environment: ProcessInfo.processInfo.environment),
    log: FileSystem.environment("AUBENCH_COMPONENT_LOG") == "1" ? { ErrorLine.write($0) } : nil)

  private let folders: ComponentFolders
  private let scanner: ComponentScanner?
  private let log: ((String) -> Void)?
  private let lock = RecursiveLock()
  /// Nil until the folders have been read.
  private var components: [InstalledComponent]?
  private var bundleProblems: [(path: String, problem: String)] = []
  /// The problems that the log has not reported yet, with the components that the bundle lists: empty if the list
  /// cannot be read.
  private var unresolved: [(text: String, listed: [AudioComponentDescription])] = []
  /// The number of processes that were started to examine components.
  package private(set) var scanCount = 0

  package init(folders: ComponentFolders, scanner: ComponentScanner?, log: ((String) -> Void)? = nil) {
    self.folders = folders
    self.scanner = scanner
    self.log = log
  }

  /// All of them in path order, whether they have been looked at or not.
  var entries: [ComponentEntry] { lock.withLock { load().map(\.entry) } }

  /// The components that a search for `wanted` may find, in path order, without those that scans have found wanting.
  /// Only what such a search could have found is logged.
  func healthy(matching wanted: AudioComponentDescription) -> [ComponentEntry] {
    lock.withLock {
      let matching = load().filter { $0.entry.matches(wanted) }
      examine(matching)
      let healthy = matching.filter { $0.verdict?.failure == nil }.map(\.entry)
      tell { listed in
        // A bundle whose list cannot be read may be what was looked for in vain.
        listed.isEmpty ? healthy.isEmpty : listed.contains { $0.agrees(with: wanted) }
      }
      return healthy
    }
  }

  /// The components that a search for `wanted` may find, by name.
  package func names(matching wanted: AudioComponentDescription) -> [String] { healthy(matching: wanted).map(\.name) }

  /// Everything that is installed, looked at: each component with its verdict (nil: there is no scanner), and bundles
  /// that are wrong as a whole.
  package func report() -> (
    components: [(component: InstalledComponent, verdict: ScanVerdict?)], problems: [(path: String, problem: String)]
  ) {
    lock.withLock {
      let all = load()
      examine(all)
      tell { _ in true }
      return (all.map { ($0, $0.verdict) }, bundleProblems)
    }
  }

  private func load() -> [InstalledComponent] {
    if let components { return components }
    var seen: Set<ComponentCodes> = []
    var found: [InstalledComponent] = []
    for bundle in folders.bundles() {
      for problem in bundle.problems { complain(bundle.path, problem, bundle.listings.map(\.description)) }
      guard bundle.executable != nil else { continue }
      for listing in bundle.listings {
        let component = InstalledComponent(bundle, listing)
        // The first in the order of the path wins.
        if seen.insert(component.codes).inserted {
          component.entry.register()
          found.append(component)
        } else {
          complain(
            bundle.path, "\(component.codes) is hidden by a component of the same codes in front of it",
            [listing.description])
        }
      }
    }
    components = found
    return found
  }

  private func complain(_ path: String, _ problem: String, _ listed: [AudioComponentDescription]) {
    bundleProblems.append((path, problem))
    if log != nil { unresolved.append(("\(path): \(problem)", listed)) }
  }

  /// Tells the log, once, of the bundles that `isAsked` picks by what they list.
  private func tell(_ isAsked: ([AudioComponentDescription]) -> Bool) {
    for row in unresolved where isAsked(row.listed) { log?(row.text) }
    unresolved.removeAll { isAsked($0.listed) }
  }

  /// Gives a verdict to those that have none: from the cache, or by scans, as many at once as there are cores.
  private func examine(_ components: [InstalledComponent]) {
    guard let scanner, components.contains(where: { $0.verdict == nil }) else { return }
    var cache = ScanCache(path: folders.cacheFile, scanner: scanner)
    var unknown: [InstalledComponent] = []
    let new = components.filter { $0.verdict == nil }
    for component in new {
      component.verdict = cache.verdict(component.bundle, component.listing)
      if component.verdict == nil { unknown.append(component) }
    }
    if !unknown.isEmpty {
      scanCount += unknown.count
      let verdicts = Self.scan(unknown, with: scanner)
      for (component, verdict) in zip(unknown, verdicts) {
        component.verdict = verdict
        if let verdict { cache.set(verdict, component.bundle, component.listing) }
      }
      cache.save()
    }
    for component in new {
      if let failure = component.verdict?.failure {
        log?("\(component.bundlePath): \"\(component.name)\" (\(component.codes)) \(failure)")
      }
    }
  }

  private static func scan(_ components: [InstalledComponent], with scanner: ComponentScanner) -> [ScanVerdict?] {
    let verdicts = UnsafeMutablePointer<ScanVerdict?>.allocate(capacity: components.count)
    verdicts.initialize(repeating: nil, count: components.count)
    defer {
      verdicts.deinitialize(count: components.count)
      verdicts.deallocate()
    }
    // Each turn writes its own place.
    nonisolated(unsafe) let places = verdicts
    DispatchQueue.concurrentPerform(iterations: components.count) { index in
      let component = components[index]
      guard let executable = component.bundle.executable else { return }
      places[index] = scanner.scan(component.listing, executable: executable)
    }
    return (0..<components.count).map { verdicts[$0] }
  }
}
