// The results of scans, kept between processes. A damaged file is treated as missing.

import AudioCore
import Foundation

/// Verdicts by bundle and codes, each good for as long as the bundle's files stay what they were.
struct ScanCache {
  private struct File: Codable {
    var version: Int
    var bundles: [String: Entry]
  }

  private struct Entry: Codable {
    /// Times and sizes of the property list, of the shared object, and of the scanner.
    var stamp: String
    var verdicts: [String: ScanVerdict]
  }

  /// To be raised whenever scans find out other things than before.
  private static let version = 1
  /// A component takes some hundred bytes.
  private static let maximumBytes = 64 << 20

  private let path: String?
  private let scannerStamp: String
  private var bundles: [String: Entry]

  /// - Parameter scanner: another version of it may find other things.
  init(path: String?, scanner: ComponentScanner) {
    self.path = path
    scannerStamp = FileStamp.of(scanner.program)
    bundles = path.map(Self.read) ?? [:]
  }

  private static func read(_ path: String) -> [String: Entry] {
    guard let bytes = try? FileSystem.contents(of: path, atMost: maximumBytes),
      let file = try? JSONDecoder().decode(File.self, from: Data(bytes)), file.version == version
    else { return [:] }
    return file.bundles
  }

  func verdict(_ bundle: ComponentBundle, _ listing: ComponentBundle.Listing) -> ScanVerdict? {
    guard let entry = bundles[bundle.path], entry.stamp == stamp(bundle) else { return nil }
    return entry.verdicts[key(listing)]
  }

  mutating func set(_ verdict: ScanVerdict, _ bundle: ComponentBundle, _ listing: ComponentBundle.Listing) {
    let stamp = stamp(bundle)
    var entry = bundles[bundle.path] ?? Entry(stamp: stamp, verdicts: [:])
    if entry.stamp != stamp { entry = Entry(stamp: stamp, verdicts: [:]) }
    entry.verdicts[key(listing)] = verdict
    bundles[bundle.path] = entry
  }

  /// Two entries of one list may have the same codes and other functions.
  private func key(_ listing: ComponentBundle.Listing) -> String {
    "\(ComponentCodes(listing.description)) \(listing.factoryName)"
  }

  /// Writes beside the file and renames. If it cannot be written, components are scanned again next time.
  func save() {
    guard let path else { return }
    // Results that other processes have written meanwhile are kept.
    let merged = Self.read(path).merging(bundles) { $1 }
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .prettyPrinted, .withoutEscapingSlashes]
    guard let data = try? encoder.encode(File(version: Self.version, bundles: merged)) else { return }
    guard FileSystem.makeFolders(FileName.folder(of: path)) == 0 else { return }
    try? AtomicFile.write(Array(data), to: path)
  }
}

extension ScanCache {
  /// Changes whenever the property list, the code or the scanner does.
  private func stamp(_ bundle: ComponentBundle) -> String {
    [FileStamp.of(ComponentBundle.propertyList(of: bundle.path)), FileStamp.of(bundle.executable), scannerStamp]
      .joined(separator: "; ")
  }
}

private enum FileStamp {
  static func of(_ file: String?) -> String {
    var status = stat()
    guard let file, FileSystem.status(file, &status) == 0 else { return "none" }
    return "\(file) \(status.st_mtim.tv_sec).\(status.st_mtim.tv_nsec) \(status.st_size)"
  }
}
