import AudioCore
import BatchRender
import Digests
import Foundation
import Glibc
import Measurement

/// A folder of goldens: for each a record (`name.json`), sound (`name.flac`) and curves (`name.magnitude.tsv`).
public struct GoldenStore: Sendable {
  /// Ends without a slash.
  public let folder: String
  /// The real folder of its files: links may lead there, and no further.
  let confinement: Confinement

  /// A folder without a slash at its end; it need not exist.
  public init(folder: String) { self.init(folder: folder, confinement: Confinement(root: nil)) }

  init(folder: String, confinement: Confinement) {
    self.folder = folder
    self.confinement = confinement
  }

  static let soundEnding = "flac"
  static func ending(ofCurve id: String) -> String { "\(id).tsv" }

  package func path(_ name: String, _ ending: String) -> String { "\(folder)/\(Self.fileName(name)).\(ending)" }

  /// Names of cases as names of files: blanks and the like become hyphens.
  static func fileName(_ name: String) -> String {
    FileName.plain(name, keeping: "._-+/")
  }

  /// True when there is a golden of this name already.
  package func isGolden(_ name: String) -> Bool { ((try? read(name)) ?? nil)?.record != nil }

  // MARK: Reading

  /// - Throws: `.suite` where a link leads the file of a golden out of the folders in which it may lie.
  private func checkPlace(_ path: String) throws(BenchError) {
    for path in [FileName.folder(of: path), path] {
      guard let real = FileSystem.realPath(path), !confinement.holds(real) else { continue }
      throw BenchError(
        .suite, at: path,
        "a link leads to \(excerpt(real)), outside of \(confinement.root ?? "/"): goldens do not lie there",
        advice: "put the files themselves there")
    }
  }

  /// Far above any record: one of a graph of a thousand nodes takes 100 KiB.
  private static let maximumRecordBytes = 16 << 20

  /// A golden, held to its seal; nil where there is none.
  /// - Throws: `.suite` for one of a later version.
  package func golden(_ name: String) throws(BenchError) -> StoredGolden? {
    let stored = try read(name)
    guard let stored, !stored.isWhole else { return stored }
    // Another case may have been about to bless it: between two of its files.
    return try GoldenLock.hold(FileName.folder(of: path(name, "json")), isExclusive: false) {
      () throws(BenchError) in try read(name)
    }
  }

  /// As ``golden(_:)``, also while other processes write.
  func read(_ name: String) throws(BenchError) -> StoredGolden? {
    let path = path(name, "json")
    try checkPlace(path)
    guard FileSystem.exists(path) else { return nil }
    func unreadable(_ clause: String) -> StoredGolden {
      StoredGolden(damage: ["\(path): \(clause)"], isRecord: false)
    }
    let bytes: [UInt8]
    do {
      bytes = try FileSystem.contents(of: path, atMost: Self.maximumRecordBytes)
    } catch {
      return unreadable(error.clause)
    }
    let value: JSONValue
    do {
      value = try JSONValue.document(Data(bytes), kind: .suite)
    } catch {
      let isUnmerged = bytes.split(separator: UInt8(ascii: "\n")).contains { $0.starts(with: "<<<<<<< ".utf8) }
      return unreadable(
        "this is not the record of a golden: "
          + (isUnmerged ? "it has the marks of a merge that is not resolved" : error.message))
    }
    guard case .object(let object) = value, case .number(let version)? = object["version"] else {
      return unreadable("this is not the record of a golden: it has no version")
    }
    if version == 1, object[GoldenSeal.key] == nil {
      guard let record = GoldenRecord(version1: value, name: Self.fileName(name)) else {
        return unreadable("this is not the record of a golden")
      }
      return StoredGolden(whole: record, endings: GoldenRecord.endings(in: object))
    }
    // A later version may have other keys. Version 1 with a seal was edited.
    guard version == 1 || version == Double(GoldenRecord.currentVersion) else {
      throw BenchError(
        .suite, at: path,
        "this program reads records of version 1 and 2, this one has \(JSONValue.number(version).text)",
        advice: "use the program that wrote it, or delete it and bless it again")
    }
    var stored = held(value, seal: object[GoldenSeal.key], name, path)
    // A first blessing that was ended before its file was in place has made nothing yet.
    if let record = stored.record, record.replaced == GoldenRecord.nothing, !stored.isWhole { return nil }
    stored.isRecord = GoldenRecord.hasKeys(object)
    stored.endings = GoldenRecord.endings(in: object)
    return stored
  }

  /// A record of the current version, held to its seal and its files to it.
  private func held(_ value: JSONValue, seal: JSONValue?, _ name: String, _ path: String) -> StoredGolden {
    let record = GoldenRecord(value)
    var outdated = record
    // Nothing that the record says of its files can be believed, but the history is better than none.
    outdated?.audio = nil
    outdated?.curves = []
    outdated?.replaced = nil
    func damaged(_ clause: String) -> StoredGolden {
      StoredGolden(record: record, damage: ["\(path): \(clause)"], kept: outdated)
    }
    guard case .string(let seal)? = seal else { return damaged("the record has no seal, which it must have") }
    let found = GoldenSeal.text(of: value)
    guard seal == found else {
      return damaged(
        "the record is not as it was blessed: the seal in it is \(Self.short(seal)), that of what it holds "
          + Self.short(found))
    }
    guard let record else { return damaged("this is not the record of a golden") }
    guard record.name == Self.fileName(name) else {
      return damaged("this is the record of another golden, \"\(excerpt(record.name))\"")
    }
    // After a blessing that was interrupted, the files are still those of the record to be replaced, or already those
    // of the new one: either is whole.
    var candidates = [record]
    if let former = record.replaced.flatMap({ GoldenRecord($0) }) { candidates.append(former) }
    let damages = candidates.map { damage(of: $0, name) }
    if let whole = damages.firstIndex(where: \.isEmpty) {
      var record = candidates[whole]
      record.replaced = nil
      return StoredGolden(record: record, kept: record)
    }
    var kept = record
    kept.replaced = nil
    if damages[0][Self.soundEnding] != nil { kept.audio = nil }
    kept.curves.removeAll { damages[0][Self.ending(ofCurve: $0.id)] != nil }
    return StoredGolden(record: record, damage: damages[0].sorted { $0.key < $1.key }.map(\.value), kept: kept)
  }

  /// The damage of a golden's files, by their endings.
  private func damage(of record: GoldenRecord, _ name: String) -> [String: String] {
    var expected = record.curves.map { (ending: Self.ending(ofCurve: $0.id), digest: $0.file) }
    if let audio = record.audio { expected.append((Self.soundEnding, audio.file)) }
    var damage: [String: String] = [:]
    for case (let ending, let digest?) in expected {
      let path = path(name, ending)
      do { try checkPlace(path) } catch {
        damage[ending] = "\(path): \(error.message)"
        continue
      }
      do {
        let found = try self.digest(ofFile: path, ending)
        if found != digest {
          damage[ending] =
            "\(path): this is not the file that was blessed: its digest is \(Self.short(found)), the record says "
            + Self.short(digest)
        }
      } catch .system(ENOENT) {
        damage[ending] = "\(path): the golden has a record, but this file is not there"
      } catch {
        damage[ending] = "\(path): \(error.clause)"
      }
    }
    return damage
  }

  func digest(ofFile path: String, _ ending: String) throws(FileSystem.ReadFailure) -> String {
    ending == Self.soundEnding
      ? try Fingerprint.of(file: path)
      : Fingerprint.of(text: try FileSystem.contents(of: path, atMost: CurveFile.maximumBytes))
  }

  /// The digests of messages: as many digits as tell two apart.
  private static func short(_ digest: String) -> String { "\(excerpt(String(digest.prefix(12))))…" }

  /// The sound of a golden, as kept: rounded to its bits.
  package func audio(_ name: String, _ record: GoldenRecord.Audio) throws(BenchError) -> AudioSignal {
    var signal: AudioSignal
    do {
      signal = try AudioSignal(contentsOf: path(name, Self.soundEnding))
    } catch {
      throw BenchError(
        .suite, at: path(name, Self.soundEnding), "the sound of the golden cannot be read: \(error.message)",
        advice: "restore it, or make it again with --bless")
    }
    guard signal.frameCount == record.frames, signal.channelCount == record.channels else {
      throw BenchError(
        .suite, at: path(name, Self.soundEnding),
        "has \(NumberText.count(signal.frameCount, "frame")) of \(NumberText.count(signal.channelCount, "channel")), where its record says \(record.frames) of "
          + "\(record.channels)", advice: "restore it, or make it again with --bless")
    }
    signal.sampleRate = record.sampleRate
    return record.scale == 1 ? signal : signal.mapped { $0 * record.scale }
  }

  /// The sound that lies under the name of a golden, which may not be the one that was blessed; nil where none can be
  /// read.
  /// - Parameter record: believed where it fits: it may be what is damaged.
  package func soundAsFound(_ name: String, _ record: GoldenRecord.Audio?) -> AudioSignal? {
    let path = path(name, Self.soundEnding)
    guard (try? checkPlace(path)) != nil, var signal = try? AudioSignal(contentsOf: path) else { return nil }
    guard let record else { return signal }
    if Self.rateOfFile(record.sampleRate) == signal.sampleRate { signal.sampleRate = record.sampleRate }
    return record.scale == 1 ? signal : signal.mapped { $0 * record.scale }
  }

  /// FLAC knows whole rates up to 655350 Hz only; the record has the real one.
  static func rateOfFile(_ sampleRate: Double) -> Double { min(max(1, sampleRate.rounded()), 655_350) }

  /// A curve of a golden; nil where there is none.
  package func curve(_ name: String, id: String) throws(BenchError) -> CurveFile? {
    let path = path(name, Self.ending(ofCurve: id))
    try checkPlace(path)
    return FileSystem.exists(path) ? try CurveFile(contentsOf: path) : nil
  }
}
