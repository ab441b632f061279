import AudioCore
import BatchRender
import Foundation
import Measurement
import SoundFile
import Testing

import Verification

/// A golden is what was blessed: any other record, sound or curve fails, also where the output lies within the limits.
@Suite("Seals of goldens")
struct GoldenSealTests {
  private static let filter = #"{"unit": "lowPassFilter", "channels": 1}"#
  private static let noise = #""stimulus": {"type": "noise", "frames": 600},"#
  /// Limits so wide that the comparison itself passes.
  private static let wide = #"{"check": "golden", "peak": -30, "bits": 24}"#
  private static let exact = #"{"check": "golden"}"#
  private static let response = #"{"check": "response", "against": "golden", "within": 1}"#

  private static func text(_ id: String, _ checks: String...) -> String {
    #"{"id": "\#(id)", "device": \#(filter), \#(noise) "checks": [\#(checks.joined(separator: ", "))]}"#
  }
  private static let sealed = text("a", wide)
  private static let curve = text("a", response)

  private static let record = "golden/suite/a.json"
  private static let sound = "golden/suite/a.flac"
  private static let table = "golden/suite/a.magnitude.tsv"

  private func blessed() throws -> SuiteFolder {
    let folder = try SuiteFolder()
    let text = Self.text("a", Self.wide, Self.response)
    #expect(try folder.run(text, blessing: .missing, reason: "first").verdict == .passed)
    #expect(try folder.run(text).verdict == .passed)
    return folder
  }

  private func bytes(_ folder: SuiteFolder, _ name: String) throws -> [UInt8] {
    Array(try Data(contentsOf: URL(filePath: folder.file(name))))
  }
  private func write(_ bytes: [UInt8], _ folder: SuiteFolder, _ name: String) throws {
    try Data(bytes).write(to: URL(filePath: folder.file(name)))
  }
  private func document(_ folder: SuiteFolder, _ name: String = record) throws -> JSONValue {
    try JSONValue.document(Data(contentsOf: URL(filePath: folder.file(name))), kind: .suite)
  }

  /// Runs a case whose golden was changed, and holds that it fails and names the file.
  private func expectFailure(
    _ folder: SuiteFolder, _ text: String, names file: String, says words: [String] = [], verdict: Verdict = .failed,
    _ comment: Comment
  ) throws {
    let outcome = try folder.run(text)
    #expect(outcome.verdict == verdict, comment)
    let found = try #require(outcome.checks.first?.found)
    for word in words + [folder.file(file)] { #expect(found.contains(word), "\(comment): \(found)") }
  }

  /// A blessing of missing goldens does not replace one that is there, damaged as it is.
  private func expectNothingWritten(_ folder: SuiteFolder, _ text: String) throws {
    let before = try folder.contents()
    #expect(try folder.run(text, blessing: .missing).verdict == .failed)
    var after = try folder.contents()
    after["suite.json"] = before["suite.json"]
    #expect(after == before)
  }

  // MARK: The record

  /// Every document that differs from a value in one place.
  private static func edits(of value: JSONValue, at place: String = "") -> [(name: String, value: JSONValue)] {
    var edits: [(name: String, value: JSONValue)] = []
    switch value {
    case .null: edits.append(("\(place) = 0", .number(0)))
    case .bool(let value): edits.append(("\(place) inverted", .bool(!value)))
    case .number(let value):
      edits.append(("\(place) + 1", .number(value + 1)))
      edits.append(("\(place) next", .number(value.nextUp)))
      edits.append(("\(place) as a text", .string("\(value)")))
    case .string(let text):
      edits.append(("\(place) longer", .string(text + " ")))
      if !text.isEmpty { edits.append(("\(place) without its first", .string(String(text.dropFirst())))) }
    case .array(let list):
      edits.append(("\(place) longer", .array(list + [.null])))
      for index in list.indices {
        var (shorter, swapped) = (list, list)
        shorter.remove(at: index)
        edits.append(("\(place)[\(index)] removed", .array(shorter)))
        for (name, edit) in Self.edits(of: list[index], at: "\(place)[\(index)]") {
          var edited = list
          edited[index] = edit
          edits.append((name, .array(edited)))
        }
        guard index > 0, list[index] != list[index - 1] else { continue }
        swapped.swapAt(index, index - 1)
        edits.append(("\(place)[\(index)] swapped", .array(swapped)))
      }
    case .object(let object):
      edits.append(("\(place).more", .object(object.merging(["more": .bool(true)]) { $1 })))
      let keys = object.keys.sorted()
      for (index, key) in keys.enumerated() {
        guard let inside = object[key] else { continue }
        edits.append(("\(place).\(key) removed", .object(object.filter { $0.key != key })))
        for (name, edit) in Self.edits(of: inside, at: "\(place).\(key)") {
          edits.append((name, .object(object.merging([key: edit]) { $1 })))
        }
        guard index > 0, let former = object[keys[index - 1]], former != inside else { continue }
        edits.append(
          ("\(place).\(key) swapped", .object(object.merging([key: former, keys[index - 1]: inside]) { $1 })))
      }
    }
    return edits
  }

  @Test("Every key of a record that is changed, removed, added or swapped fails, and names the record")
  func everyKey() throws {
    let folder = try blessed()
    let whole = try document(folder)
    let edits = Self.edits(of: whole)
    let places = [
      "audio.digest", "audio.file", "audio.scale", "curves[0].file", "history[0].reason", "definition", "id",
    ]
    for place in places { #expect(edits.contains { $0.name.contains(place) }, "\(place)") }
    #expect(edits.count > 100 && edits.allSatisfy { $0.value != whole })
    for (name, edit) in edits {
      try folder.write(edit.text, Self.record)
      // A record of another version is not judged by this one's rules.
      let isOther = name == ".version + 1" || name == ".version next"
      try expectFailure(
        folder, Self.sealed, names: Self.record, says: isOther ? ["this program reads records"] : [],
        verdict: isOther ? .error : .failed, "\(name)")
    }
    try folder.write(try #require(edits.first).value.text, Self.record)
    try expectNothingWritten(folder, Self.sealed)
    try folder.write(whole.text, Self.record)
    #expect(try folder.run(Self.sealed).verdict == .passed)
  }

  @Test("A record may be indented otherwise, have other ends of lines and another order of keys")
  func layout() throws {
    let folder = try blessed()
    let text = try folder.text(Self.record)
    guard case .object(let object) = try document(folder) else { return #expect(Bool(false)) }
    let backwards = object.sorted { $0.key > $1.key }.map { "\(JSONValue.string($0.key).text): \($0.value.text)" }
    for layout in [
      text.replacing("\n", with: "\r\n"), text.replacing("  ", with: "\t"), try document(folder).text,
      "{\(backwards.joined(separator: ",\n"))}", text.replacing(" : 600", with: " : 6.00e2"),
    ] {
      try folder.write(layout, Self.record)
      #expect(try folder.run(Self.sealed).verdict == .passed, "\(layout)")
    }
    // A key twice is what a merge by hand leaves.
    try folder.write(text.replacing("  \"version\"", with: "  \"version\" : 2,\n  \"version\""), Self.record)
    try expectFailure(folder, Self.sealed, names: Self.record, says: ["version"], "a key twice")
  }

  // MARK: The sound

  @Test(
    "A sound with any bit flipped, cut off, or gone fails within any limit and bit for bit", arguments: [true, false])
  func soundFile(_ isExact: Bool) throws {
    let folder = try blessed()
    let text = isExact ? Self.text("a", Self.exact) : Self.sealed
    let whole = try bytes(folder, Self.sound)
    // Every byte of the headers, and some everywhere.
    for offset in Array(0..<60) + Array(stride(from: 60, to: whole.count, by: 41)) {
      var changed = whole
      changed[offset] ^= 1 << UInt8(offset % 8)
      try write(changed, folder, Self.sound)
      try expectFailure(folder, text, names: Self.sound, says: ["not the file that was blessed"], "byte \(offset)")
    }
    for count in [0, 1, 42, whole.count / 2, whole.count - 1] {
      try write(Array(whole[..<count]), folder, Self.sound)
      try expectFailure(folder, text, names: Self.sound, "\(count) bytes")
    }
    try write(whole + [0], folder, Self.sound)
    try expectFailure(folder, text, names: Self.sound, "one byte more")
    try expectNothingWritten(folder, text)
    try FileManager.default.removeItem(atPath: folder.file(Self.sound))
    try expectFailure(folder, text, names: Self.sound, says: ["is not there"], "no file")
    try FileManager.default.createDirectory(atPath: folder.file(Self.sound), withIntermediateDirectories: false)
    #expect(try folder.run(text).verdict == .failed)
    try FileManager.default.removeItem(atPath: folder.file(Self.sound))
    try write(whole, folder, Self.sound)
    #expect(try folder.run(text).verdict == .passed)
  }

  @Test("A sample that is one step off, in a file that is whole as such, fails and says how far off it is")
  func oneStep() throws {
    let folder = try blessed()
    let kept = try AudioSignal(contentsOf: folder.file(Self.sound))
    for frame in [0, 1, 299, kept.frameCount - 1] {
      var changed = kept
      changed.channels[0][frame] += (changed.channels[0][frame] > 0 ? -1 : 1) / 8_388_608
      try changed.write(
        to: folder.file(Self.sound), as: SoundFileFormat(container: .flac, encoding: .pcm24))
      // 2^−23 is −138.5 dBFS; the output lies beside it by up to half a step more.
      try expectFailure(
        folder, Self.sealed, names: Self.sound,
        says: ["the output against the sound that is there", "dBFS", "it has the bits that the record says"], "\(frame)"
      )
    }
  }

  @Test("Sounds, curves, and whole goldens of two cases that are swapped fail in both")
  func swapped() throws {
    let folder = try SuiteFolder()
    let texts = ["a", "b"].map { Self.text($0, Self.wide, Self.response) }
    /// Two cases that differ in their filters by less than their limits.
    func run(_ blessing: GoldenPolicy.Mode = .never) throws -> [CaseOutcome] {
      let b = texts[1].replacing("\"channels\": 1", with: "\"channels\": 1, \"set\": {\"cutoffFrequency\": 6901}")
      return try [folder.run(texts[0], b, blessing: blessing), folder.run(b, texts[0], blessing: blessing)]
    }
    #expect(try run(.missing).allSatisfy { $0.verdict == .passed })
    #expect(try run().allSatisfy { $0.verdict == .passed })
    func swap(_ endings: String...) throws {
      for ending in endings {
        let (a, b) = (folder.file("golden/suite/a.\(ending)"), folder.file("golden/suite/b.\(ending)"))
        try FileManager.default.moveItem(atPath: a, toPath: a + "x")
        try FileManager.default.moveItem(atPath: b, toPath: a)
        try FileManager.default.moveItem(atPath: a + "x", toPath: b)
      }
    }
    func expectFailures(_ ending: String, _ words: String) throws {
      for (outcome, name) in zip(try run(), ["a", "b"]) {
        let found = try #require(outcome.checks.first?.found)
        #expect(outcome.verdict == .failed && found.contains("\(name).\(ending): \(words)"), "\(found)")
      }
    }
    for ending in ["flac", "magnitude.tsv"] {
      try swap(ending)
      try expectFailures(ending, "this is not the file that was blessed")
      try swap(ending)
    }
    try swap("json")
    try expectFailures("json", "this is the record of another golden")
    try swap("flac", "magnitude.tsv")
    try expectFailures("json", "this is the record of another golden")
    try swap("json", "flac", "magnitude.tsv")
    #expect(try run().allSatisfy { $0.verdict == .passed })
  }

  // MARK: Curves

  @Test("A curve with any number changed, a line less, or another head fails, whichever check asks")
  func curveFile() throws {
    let folder = try blessed()
    let whole = try folder.text(Self.table)
    var edits = ["", whole + "\n", String(whole.dropLast()), whole.replacing("Hz", with: "hz")]
    let lines = whole.split(separator: "\n").map(String.init)
    for index in [1, 2, lines.count / 2, lines.count - 1] {
      edits.append((lines[..<index] + lines[(index + 1)...]).joined(separator: "\n") + "\n")
      for column in 0..<3 {
        var fields = lines[index].split(separator: "\t").map(String.init)
        fields[column] += "1"
        edits.append(
          (lines[..<index] + [fields.joined(separator: "\t")] + lines[(index + 1)...]).joined(separator: "\n") + "\n")
      }
    }
    for (index, edit) in edits.enumerated() {
      #expect(edit != whole)
      try folder.write(edit, Self.table)
      // The measurement takes its time: one that is damaged fails whichever check asks.
      let text = index % 6 == 0 ? Self.curve : Self.sealed
      try expectFailure(folder, text, names: Self.table, says: ["not the file that was blessed"], "edit \(index)")
    }
    try expectNothingWritten(folder, Self.curve)
    try FileManager.default.removeItem(atPath: folder.file(Self.table))
    try expectFailure(folder, Self.curve, names: Self.table, says: ["is not there"], "no file")
    // Other ends of lines are the same curve.
    for text in [whole.replacing("\n", with: "\r\n"), whole] {
      try folder.write(text, Self.table)
      #expect(try folder.run(Self.curve).verdict == .passed)
    }
    // The distance of the new curve from the present one is still reported.
    var fields = lines[lines.count / 2].split(separator: "\t").map(String.init)
    fields[1] = "\(try #require(Double(fields[1])) + 0.25)"
    var changed = lines
    changed[lines.count / 2] = fields.joined(separator: "\t")
    try folder.write(changed.joined(separator: "\n") + "\n", Self.table)
    try expectFailure(
      folder, Self.curve, names: Self.table, says: ["against the curve that is there: largest difference −0.25"], "0.25"
    )
  }

  // MARK: Blessing

  @Test("What is damaged is whole again when it is blessed again, with the history that it had")
  func repair() throws {
    let text = Self.text("a", Self.wide, Self.response)
    for (name, damage) in [
      (Self.record, { (text: String) in text.replacing("first", with: "other") }),
      (Self.record, { (text: String) in text.replacing("\"id\" : \"suite/a\",", with: "") }),
      (Self.table, { (text: String) in text + "1" }), (Self.sound, { (_: String) in "x" }),
    ] {
      for mode in name == Self.sound ? [GoldenPolicy.Mode.failed, .all] : [.failed] {
        let folder = try blessed()
        try folder.write(damage((try? folder.text(name)) ?? ""), name)
        #expect(try folder.run(text).verdict == .failed)
        let outcome = try folder.run(text, blessing: mode, reason: "again")
        #expect(outcome.verdict == .passed && outcome.checks[0].found.contains("blessed: it was"), "\(name)")
        #expect(try folder.run(text).verdict == .passed)
        let record = try #require(try GoldenStore(folder: folder.file("golden/suite")).golden("a")?.record)
        // Without its id a record cannot be read, nor its history.
        let reasons = record.history.map(\.reason)
        #expect(reasons == ["first", "again"] || reasons == ["other", "again"] || reasons == ["again"], "\(reasons)")
        #expect(record.curves.map(\.id) == ["magnitude"] && record.audio != nil && record.replaced == nil)
      }
    }
  }

  /// Takes the seal and the digests of the files away, as records of version 1 were.
  private func unseal(_ folder: SuiteFolder) throws {
    guard case .object(var object) = try document(folder), case .object(var audio)? = object["audio"] else {
      return #expect(Bool(false))
    }
    audio["file"] = nil
    object.merge(["version": .number(1), "audio": .object(audio), "curves": .array([.string("magnitude")])]) { $1 }
    for key in ["seal", "name"] { object[key] = nil }
    try folder.write(JSONValue.object(object).text, Self.record)
  }

  @Test("A golden of version 1 is unblessed until it is sealed, and what differs from it is not sealed by the way")
  func version1() throws {
    let text = Self.text("a", Self.wide, Self.response)
    let folder = try blessed()
    let before = try folder.contents()
    try unseal(folder)
    let outcome = try folder.run(text)
    #expect(outcome.verdict == .unblessed && outcome.checks.map(\.verdict) == [.unblessed, .unblessed])
    for check in outcome.checks {
      #expect(check.found.contains("has no seal") && check.found.contains("bless it again"))
    }
    #expect(try folder.run(text, blessing: .missing, reason: "sealed").verdict == .passed)
    #expect(try folder.run(text).verdict == .passed)
    let record = try #require(try GoldenStore(folder: folder.file("golden/suite")).golden("a")?.record)
    #expect(record.history.map(\.reason) == ["first", "sealed"])
    for name in [Self.sound, Self.table] { #expect(try folder.contents()[name] == before[name]) }
    // A sound or a curve that differs fails, and is not taken for one that is missing.
    for name in [Self.sound, Self.table] {
      let folder = try blessed()
      try unseal(folder)
      if name == Self.sound {
        var signal = try AudioSignal(contentsOf: folder.file(name))
        signal.channels[0][100] += 0.25
        try signal.write(to: folder.file(name), as: SoundFileFormat(container: .flac, encoding: .pcm24))
      } else {
        try folder.write(try folder.text(name).replacing("\t-", with: "\t"), name)
      }
      #expect(try folder.run(text).verdict == .failed)
      #expect(try folder.run(text, blessing: .missing).verdict == .failed)
      #expect(try folder.run(text).verdict == .failed, "\(name)")
      #expect(try folder.run(text, blessing: .failed).verdict == .passed)
      #expect(try folder.run(text).verdict == .passed)
    }
  }

  /// A copy of the folder of goldens at a moment of a blessing.
  private func copy(_ folder: SuiteFolder) throws -> SuiteFolder {
    let copy = try SuiteFolder()
    try FileManager.default.copyItem(atPath: folder.file("golden"), toPath: copy.file("golden"))
    return copy
  }

  @Test(
    "A blessing that is ended between any two of its steps leaves a golden that is whole: the old one or the new one")
  func interrupted() throws {
    let text = caseText("a", ShellDevice.sound, checks: Self.exact)
    let (old, new) = (noiseSignal(frames: 300), noiseSignal(frames: 300, seed: 2))
    let source = try SuiteFolder()
    try source.write(new, "sound.wav")
    #expect(try source.run(text, blessing: .missing).verdict == .passed)
    let audio = try #require(try GoldenStore(folder: source.file("golden/suite")).golden("a")?.record?.audio)
    let digest = try #require(audio.file)
    let newBytes = try bytes(source, Self.sound)

    /// The verdicts of the old and of the new sound against what a moment left.
    func verdicts(_ folder: SuiteFolder) throws -> [Verdict] {
      try [old, new].map { sound in
        try folder.write(sound, "sound.wav")
        return try folder.run(text).verdict
      }
    }
    for hasFormer in [true, false] {
      let folder = try SuiteFolder()
      try folder.write(old, "sound.wav")
      if hasFormer { #expect(try folder.run(text, blessing: .missing).verdict == .passed) }
      let suite = try folder.suite(text)
      let golden = GoldenIdentity(id: "suite/a", name: "a", definition: suite.cases[0].definition)
      let store = suite.goldens
      #expect(FileSystem.makeFolders(store.folder) == 0)
      var moments = [try copy(folder)]
      try store.replace(
        "flac", digest: digest, of: golden, policy: GoldenPolicy(.all, reason: "2"), change: { $0.audio = audio }
      ) { (_) throws(BenchError) in
        do {
          moments.append(try copy(folder))
          try write(newBytes, folder, Self.sound)
          moments.append(try copy(folder))
        } catch {
          Issue.record(error)
        }
      }
      moments.append(try copy(folder))
      let found = try moments.map(verdicts)
      // Before the sound is in its place it is the old golden, or none; then the new one.
      let before: [Verdict] = hasFormer ? [.passed, .failed] : [.unblessed, .unblessed]
      let after: [Verdict] = [.failed, .passed]
      #expect(found == [before, before, after, after], "\(hasFormer)")
      // Blessing goes on from any of them.
      for moment in moments {
        try moment.write(new, "sound.wav")
        #expect(try moment.run(text, blessing: .all).verdict == .passed)
        #expect(try verdicts(moment) == after)
        #expect(try !moment.text(Self.record).contains("replaced"))
      }
    }
  }
}
