import AudioCore
import BatchRender
import Foundation
import Measurement
import SoundFile

/// A folder of goldens: for each a record (`name.json`), sound (`name.flac`) and curves (`name.magnitude.tsv`).
public struct GoldenStore: Sendable {
  /// Ends without a slash.
  public let folder: String

  public init(folder: String) { self.folder = folder }

  package func path(_ name: String, _ ending: String) -> String { "\(folder)/\(Self.fileName(name)).\(ending)" }

  /// Names of cases as names of files: blanks and the like become hyphens.
  private static func fileName(_ name: String) -> String {
    String(name.map { $0.isLetter || $0.isNumber || "._-+/".contains($0) ? $0 : "-" })
  }

  /// Whether there is a golden of this name already.
  package func isGolden(_ name: String) -> Bool { ((try? record(name)) ?? nil) != nil }

  // MARK: Reading

  /// Far above any record: one of a graph of a thousand nodes takes 100 KiB.
  private static let maximumRecordBytes = 16 << 20

  /// The record of a golden; nil where there is none, and where it is damaged and may be written anew.
  /// - Throws: `.suite` for one that is damaged or of a later version.
  package func record(_ name: String, _ policy: GoldenPolicy = GoldenPolicy()) throws(BenchError) -> GoldenRecord? {
    let path = path(name, "json")
    guard FileSystem.exists(path) else { return nil }
    let data = (try? FileSystem.contents(of: path, atMost: Self.maximumRecordBytes)).map { Data($0) }
    // The version first: a later one may have other keys.
    struct Version: Decodable { let version: Int }
    if let data, let version = (try? JSONDecoder().decode(Version.self, from: data))?.version, version != 1 {
      throw BenchError(.suite, at: path, "this program reads records of version 1, this one has \(version)")
    }
    guard let data, let record = try? JSONDecoder().decode(GoldenRecord.self, from: data) else {
      if policy.replacesDamaged { return nil }
      throw BenchError(
        .suite, at: path, "this is not the record of a golden", advice: "restore it, or make it again with --bless")
    }
    return record
  }

  /// The sound of a golden, as kept: rounded to its bits.
  package func audio(_ name: String, _ record: GoldenRecord.Audio) throws(BenchError) -> AudioSignal {
    var signal: AudioSignal
    do throws(BenchError) {
      signal = try AudioSignal(contentsOf: path(name, "flac"))
    } catch {
      throw BenchError(
        .suite, at: path(name, "flac"), "the sound of the golden cannot be read: \(error.message)",
        advice: "restore it, or make it again with --bless")
    }
    guard signal.frameCount == record.frames, signal.channelCount == record.channels else {
      throw BenchError(
        .suite, at: path(name, "flac"),
        "has \(signal.frameCount) frames of \(signal.channelCount) channels, where its record says \(record.frames) of "
          + "\(record.channels)", advice: "restore it, or make it again with --bless")
    }
    signal.sampleRate = record.sampleRate
    if record.scale != 1 { signal.channels = signal.channels.map { $0.map { $0 * record.scale } } }
    return signal
  }

  /// - Throws: `.suite` where there is no sound beside the record.
  package func requireAudio(_ name: String) throws(BenchError) {
    guard FileSystem.exists(path(name, "flac")) else {
      throw BenchError(
        .suite, at: path(name, "flac"), "the golden has a record, but its sound is not there",
        advice: "restore it, or make it again with --bless")
    }
  }

  /// A curve of a golden; nil where there is none.
  package func curve(_ name: String, id: String) throws(BenchError) -> CurveFile? {
    let path = path(name, "\(id).tsv")
    return FileSystem.exists(path) ? try CurveFile(contentsOf: path) : nil
  }

  // MARK: Writing

  /// Writes the sound of a golden and its record.
  package func write(
    _ signal: AudioSignal, bits: Int, nodes: [GoldenRecord.Node], of golden: GoldenIdentity, policy: GoldenPolicy
  ) throws(BenchError) {
    let name = golden.name
    guard (1...8).contains(signal.channelCount) else {
      throw BenchError(
        .suite, at: "golden \"\(golden.name)\"",
        "a golden holds 1 to 8 channels, the output has \(signal.channelCount)",
        advice: "compare it with a file by sameAs")
    }
    guard signal.frameCount > 0 else {
      throw BenchError(
        .suite, at: "golden \"\(golden.name)\"", "the output has no frames: it cannot be a golden")
    }
    guard signal.channels.allSatisfy({ $0.allSatisfy(\.isFinite) }) else {
      throw BenchError(
        .suite, at: "golden \"\(golden.name)\"",
        "the output has samples that are no finite numbers: it cannot be a golden")
    }
    let peak = signal.channels.joined().reduce(0) { max($0, abs($1)) }
    var scale = 1.0
    while peak / scale >= 1 - exp2(Double(1 - bits)) { scale *= 2 }
    var kept = signal
    kept.channels = signal.channels.map { $0.map { $0 / scale } }
    // FLAC knows whole rates up to 655350 Hz only; the record has the real one.
    kept.sampleRate = min(max(1, signal.sampleRate.rounded()), 655_350)
    try makeFolder(path(name, "flac"))
    try kept.write(
      to: path(name, "flac"), as: SoundFileFormat(container: .flac, encoding: bits == 24 ? .pcm24 : .pcm16))
    try update(golden, policy: policy) { record in
      record.audio = GoldenRecord.Audio(
        sampleRate: signal.sampleRate, channels: signal.channelCount, frames: signal.frameCount,
        digest: SampleDigest(signal), bits: bits, scale: scale, nodes: nodes)
    }
  }

  /// Writes a curve of a golden, with the answer in closed form beside it where there is one, and its record.
  package func write(
    _ curve: Curve, analytic: [Double]?, of golden: GoldenIdentity, policy: GoldenPolicy
  ) throws(BenchError) {
    let path = path(golden.name, "\(curve.id).tsv")
    try makeFolder(path)
    try WholeFile.write(CurveFile(curve, analytic: analytic).text, to: path)
    try update(golden, policy: policy) { record in
      if !record.curves.contains(curve.id) { record.curves = (record.curves + [curve.id]).sorted() }
    }
  }

  private func update(
    _ golden: GoldenIdentity, policy: GoldenPolicy, _ change: (inout GoldenRecord) -> Void
  ) throws(BenchError) {
    let former = try? self.record(golden.name)
    var record = former ?? GoldenRecord(id: golden.id, definition: golden.definition, history: [])
    let making = GoldenRecord.Making(
      date: Date().formatted(.iso8601), reason: policy.reason, program: Machine.program, machine: Machine.facts)
    // Sound and curves of one blessing are one entry.
    if let last = record.history.last, last.reason == making.reason, last.date.prefix(10) == making.date.prefix(10) {
      record.history[record.history.count - 1] = making
    } else {
      record.history.append(making)
    }
    record.id = golden.id
    if record.definition != golden.definition {
      record.definition = golden.definition
      record.audio = nil
      record.curves = []
    }
    change(&record)
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .prettyPrinted, .withoutEscapingSlashes]
    guard let data = try? encoder.encode(record) else { preconditionFailure("a record can be written") }
    try WholeFile.write(String(decoding: data, as: UTF8.self) + "\n", to: path(golden.name, "json"))
  }

  private func makeFolder(_ path: String) throws(BenchError) {
    let folder = FileName.folder(of: path)
    let failure = FileSystem.makeFolders(folder)
    guard failure == 0 else {
      throw BenchError(
        .output, at: folder, "the folder of the goldens cannot be made: \(systemMessage(failure))")
    }
  }
}
