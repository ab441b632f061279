// Blesses goldens. A golden is several files, and no two of them can be renamed at once; so that one that was whole is
// whole at any moment, the record goes first, with the record that it replaces inside: whichever file lies beside it
// then fits one of the two. When the file is in place, the record is written without the old one. A first blessing does
// the same, replacing nothing: a file that no record names is never replaced, as it may belong to anyone.

import AudioCore
import BatchRender
import Digests
import Foundation
import Measurement
import SoundFile

extension GoldenStore {
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
    var kept = signal.mapped { $0 / scale }
    kept.sampleRate = Self.rateOfFile(signal.sampleRate)
    let path = path(name, Self.soundEnding)
    try checkReplaceable(try read(name), name, Self.soundEnding)
    try makeFolder(path)
    let file = try kept.staged(
      to: path, as: SoundFileFormat(container: .flac, encoding: bits == 24 ? .pcm24 : .pcm16), confinement: confinement)
    let digest: String
    do {
      digest = try Fingerprint.of(descriptor: file.descriptor)
    } catch {
      throw BenchError(.output, at: path, "what was written \(error.clause)")
    }
    try replace(Self.soundEnding, digest: digest, of: golden, policy: policy) { record in
      record.audio = GoldenRecord.Audio(
        sampleRate: signal.sampleRate, channels: signal.channelCount, frames: signal.frameCount,
        digest: SampleDigest(signal), file: digest, bits: bits, scale: scale, nodes: nodes)
    } publish: { (replaces) throws(BenchError) in
      try file.publish(replaces: replaces)
    }
  }

  /// Writes a curve of a golden, with the answer in closed form beside it where there is one, and its record.
  package func write(
    _ curve: Curve, analytic: [Double]?, of golden: GoldenIdentity, policy: GoldenPolicy
  ) throws(BenchError) {
    let ending = Self.ending(ofCurve: curve.id)
    let path = path(golden.name, ending)
    try checkReplaceable(try read(golden.name), golden.name, ending)
    try makeFolder(path)
    let text = Array(CurveFile(curve, analytic: analytic).text.utf8)
    let digest = Fingerprint.of(text: text)
    try replace(ending, digest: digest, of: golden, policy: policy) { record in
      record.curves.removeAll { $0.id == curve.id }
      record.curves.append(GoldenRecord.Table(id: curve.id, file: digest))
      record.curves.sort { $0.id < $1.id }
    } publish: { (replaces) throws(BenchError) in
      try AtomicFile.write(text, to: path, overwrites: replaces, confinement: confinement)
    }
  }

  /// Puts a file of a golden in its place, and the record that holds it. The golden is whole before, after, and
  /// wherever the process is ended between: if it was there and whole, as the old one or as the new one.
  /// - Parameters:
  ///   - ending: the ending of the file.
  ///   - digest: the digest of the new file.
  ///   - change: puts the new file into the record.
  ///   - publish: gives the new file its name; false: only where nothing has that name.
  package func replace(
    _ ending: String, digest: String, of golden: GoldenIdentity, policy: GoldenPolicy,
    change: (inout GoldenRecord) -> Void, publish: (Bool) throws(BenchError) -> Void
  ) throws(BenchError) {
    try GoldenLock.hold(FileName.folder(of: path(golden.name, ending)), isExclusive: true) { () throws(BenchError) in
      try replaceAlone(ending, digest: digest, of: golden, policy: policy, change: change, publish: publish)
    }
  }

  private func replaceAlone(
    _ ending: String, digest: String, of golden: GoldenIdentity, policy: GoldenPolicy,
    change: (inout GoldenRecord) -> Void, publish: (Bool) throws(BenchError) -> Void
  ) throws(BenchError) {
    let recordPath = path(golden.name, "json")
    let stored = try read(golden.name)
    try checkReplaceable(stored, golden.name, ending)
    var record = next(after: stored?.kept, golden, policy)
    change(&record)
    let stale = (stored?.endings ?? []).subtracting(record.endings).filter { FileSystem.exists(path(golden.name, $0)) }
    record.stale = stale.isEmpty ? nil : stale.sorted()
    if (try? self.digest(ofFile: path(golden.name, ending), ending)) != digest {
      var both = record
      // The files of one that is damaged are none of a golden that could be had back.
      if stored == nil { both.replaced = GoldenRecord.nothing }
      if let stored, stored.isWhole, let former = stored.record { both.replaced = former.sealed }
      try write(both, to: recordPath)
      do {
        try publish(stored?.endings.contains(ending) ?? false)
      } catch {
        if stored == nil { FileSystem.unlink(recordPath) }
        throw error
      }
    }
    try write(record, to: recordPath)
  }

  /// - Throws: `.suite` where something else than the golden's own record or file would be replaced.
  private func checkReplaceable(_ stored: StoredGolden?, _ name: String, _ ending: String) throws(BenchError) {
    if let stored, !stored.isRecord {
      throw BenchError(
        .suite, at: "golden \"\(name)\"",
        "only the record of a golden is replaced: \(stored.damage.joined(separator: "; "))",
        advice: "restore it from version control, move it away, or choose another folder by \"goldens\"")
    }
    let path = path(name, ending)
    var status = stat()
    guard FileSystem.linkStatus(path, &status) == 0 else { return }
    if status.st_mode & S_IFMT == S_IFREG, stored?.endings.contains(ending) ?? false { return }
    throw BenchError(
      .suite, at: path,
      status.st_mode & S_IFMT == S_IFREG
        ? "is there already, and no golden's record names it: it is not replaced"
        : "is \(kindOfFile(status.st_mode)), which a golden does not replace",
      advice: "move it away, or choose another folder by \"goldens\"")
  }

  /// The record of a blessing, with the files of the former one that still belong to it.
  private func next(after former: GoldenRecord?, _ golden: GoldenIdentity, _ policy: GoldenPolicy) -> GoldenRecord {
    var record =
      former ?? GoldenRecord(name: Self.fileName(golden.name), id: golden.id, definition: golden.definition)
    let making = GoldenRecord.Making(
      date: Date().formatted(.iso8601), reason: policy.reason, program: Machine.program, machine: Machine.facts)
    // Sound and curves of one blessing are one entry.
    if let last = record.history.last, last.reason == making.reason, last.date.prefix(10) == making.date.prefix(10) {
      record.history[record.history.count - 1] = making
    } else {
      record.history.append(making)
    }
    record.version = GoldenRecord.currentVersion
    record.name = Self.fileName(golden.name)
    record.id = golden.id
    if record.definition != golden.definition {
      record.definition = golden.definition
      record.audio = nil
      record.curves = []
    }
    return record
  }

  private func write(_ record: GoldenRecord, to path: String) throws(BenchError) {
    try AtomicFile.write(Array(record.sealed.indentedText.utf8), to: path, confinement: confinement)
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
