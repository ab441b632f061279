import BatchRender
import Foundation

/// The record of a golden: its definition, date, author and reason, and the digests of its files. A JSON file beside
/// the sound and the curves.
package struct GoldenRecord: Codable, Sendable {
  /// Version 1 had no seal and no digests of files.
  package static let currentVersion = 2

  package var version = Self.currentVersion
  /// The name of its files in the store, without their endings: a golden under another name is not this one.
  package var name: String
  /// The case that it belongs to, `suite/case`.
  package var id: String
  /// Device and stimulus as the suite wrote them when it was made: a golden of another definition is out of date.
  package var definition: JSONValue
  /// Every time it was written, the last one last.
  package var history: [Making] = []
  package var audio: Audio?
  /// The curves that lie beside it.
  package var curves: [Table] = []
  /// The record of the golden that this one takes the place of; there only until the files of this one are in place.
  package var replaced: JSONValue?
  /// Endings of files beside it that belonged to it and are no part of it any more: they may be replaced.
  package var stale: [String]?
  /// ``GoldenSeal`` of all other keys.
  package var seal = ""

  package struct Making: Codable, Sendable {
    /// UTC, ISO 8601.
    package var date: String
    package var reason: String
    package var program: String
    /// Processor, instruction set, libraries.
    package var machine: [String: String]
  }

  package struct Audio: Codable, Sendable {
    package var sampleRate: Double
    package var channels: Int
    package var frames: Int
    package var digest: SampleDigest
    /// Digest of the bytes of the FLAC file; nil where a record of version 1 had none.
    package var file: String?
    /// Bits that the sound is kept with: for looking at differences; the digest knows the exact samples.
    package var bits: Int
    /// The kept sound times this is the real one: a power of two, so that what is beyond full scale fits the file.
    package var scale: Double
    /// The output of each node, as digests, beside the sound.
    package var nodes: [Node] = []
  }

  package struct Node: Codable, Sendable {
    package var name: String
    package var digest: SampleDigest
  }

  package struct Table: Codable, Sendable {
    package var id: String
    /// Digest of the text, with LF at the ends of lines; nil where a record of version 1 had none.
    package var file: String?
  }
}

extension GoldenRecord {
  /// Nil where the keys and values are not those of a record.
  init?(_ value: JSONValue) {
    guard let record = try? JSONDecoder().decode(GoldenRecord.self, from: Data(value.text.utf8)) else { return nil }
    self = record
  }

  /// A record of version 1, whose files have no digests; nil for what is none.
  init?(version1 value: JSONValue, name: String) {
    guard case .object(var object) = value, case .array(let curves)? = object["curves"] else { return nil }
    object["version"] = .number(Double(Self.currentVersion))
    object["name"] = .string(name)
    object["curves"] = .array(
      curves.map { curve in
        if case .object(let table) = curve { return .object(["id": table["id"] ?? .null]) }
        return .object(["id": curve])
      })
    object[GoldenSeal.key] = ""
    self.init(.object(object))
    // Whatever the record says of its files, nothing holds it to that.
    audio?.file = nil
  }

  /// As it is written: with its seal.
  var sealed: JSONValue {
    var record = JSONMessage.value(JSONValue.self, from: JSONMessage.data(self)) ?? .null
    record[GoldenSeal.key] = .string(GoldenSeal.text(of: record))
    return record
  }

  /// The value for "replaces nothing": a first blessing has it in its record until its file is in place.
  static let nothing = JSONValue.object([:])

  /// True where these are the keys of a record, which may have been edited so that it cannot be read: no other document
  /// has them.
  static func hasKeys(_ object: [String: JSONValue]) -> Bool {
    guard case .array? = object["history"], object["definition"] != nil, case .number? = object["version"] else {
      return false
    }
    return ["seal", "id", "name"].contains { if case .string? = object[$0] { true } else { false } }
  }

  /// The endings of the files that a record names, whatever else is wrong with it.
  static func endings(in object: [String: JSONValue]) -> Set<String> {
    var endings: Set<String> = []
    if case .object? = object["audio"] { endings.insert(GoldenStore.soundEnding) }
    if case .array(let curves)? = object["curves"] {
      for curve in curves {
        // A record of version 1 has the names alone.
        switch curve {
        case .string(let id): endings.insert(GoldenStore.ending(ofCurve: id))
        case .object(let table):
          if case .string(let id)? = table["id"] { endings.insert(GoldenStore.ending(ofCurve: id)) }
        default: break
        }
      }
    }
    if case .array(let stale)? = object["stale"] {
      for case .string(let ending) in stale { endings.insert(ending) }
    }
    if case .object(let former)? = object["replaced"] { endings.formUnion(Self.endings(in: former)) }
    return endings
  }

  /// The endings of its files.
  var endings: Set<String> {
    Set(curves.map { GoldenStore.ending(ofCurve: $0.id) } + (audio == nil ? [] : [GoldenStore.soundEnding]))
  }
}
