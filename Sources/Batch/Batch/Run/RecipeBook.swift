import AudioCore
import BatchRender
import Digests
import FoundationEssentials
import Journal
import SoundFile

/// The dependencies of each output of a job, as a digest: the program, the options, and the contents of every file that
/// is read. An output whose recipe is unchanged need not be made again.
final class RecipeBook: Sendable {
  private let plan: BatchPlan
  private let journal: Journal
  /// The texts that all outputs share, and those of each graph.
  private let common: [String]
  private let graphs: [String: [String]]
  /// Graphs with third-party units of which it is not known where they lie.
  private let uncertainGraphs: Set<String>
  /// The recipes that are known; an album's are used by each of its tasks.
  private let known: Locked<[Int: Digest]>
  private let albums: [String: [Int]]

  /// - Throws: `.input` for a graph's own files that cannot be read.
  init(_ plan: BatchPlan, _ job: BatchJob, _ journal: Journal) throws(BenchError) {
    (self.plan, self.journal) = (plan, journal)
    common = ["program", try journal.digest(ofFile: "/proc/self/exe").text] + job.identity
    var graphs: [String: [String]] = [:]
    var uncertain: Set<String> = []
    for path in job.graphs {
      var parts = try Self.identity(ofGraph: path, job, journal)
      for unit in job.otherUnits(inGraph: path) {
        guard let folder = job.graph.folderOfOther(unit) else {
          uncertain.insert(path)
          continue
        }
        parts += ["unit", unit] + (try Self.identity(ofFolder: folder, journal))
      }
      graphs[path] = parts
    }
    self.graphs = graphs
    uncertainGraphs = uncertain
    known = Locked([:])
    albums = Dictionary(grouping: plan.tasks.indices.filter { plan.tasks[$0].album != nil }) {
      plan.tasks[$0].album ?? ""
    }
  }

  /// The recipe of each output of a task.
  /// - Throws: `.input` for a file that cannot be read.
  func recipes(ofTask index: Int) throws(BenchError) -> [Digest] {
    var parts = [try own(index).text]
    // Every sound of an album decides the gain of all.
    for member in plan.tasks[index].album.flatMap({ albums[$0] }) ?? [] {
      // One that cannot be read has no part in it, and fails alone.
      parts.append((try? own(member))?.text ?? "unreadable")
    }
    return plan.tasks[index].outputs.map { output in
      let tags = output.tags.sorted { $0.key < $1.key }.flatMap { [$0.key, $0.value] }
      let cut = output.cut.map { ["\($0.start)", $0.end.map { "\($0)" } ?? "end"] } ?? []
      return Self.digest(parts + ["to", FileName.fileExtension(of: output.path) ?? ""] + cut + tags)
    }
  }

  /// The recipe of an output whose album had a sound that could not be measured: it is made again once that can.
  static func recipe(withoutPartOf whole: Digest) -> Digest { digest([whole.text, "without a sound of its album"]) }

  /// True when the recipe of a task covers everything that its outputs depend on.
  func isCertain(ofTask index: Int) -> Bool { plan.tasks[index].graph.map { !uncertainGraphs.contains($0) } ?? true }

  private func own(_ index: Int) throws(BenchError) -> Digest {
    if let known = known.withLock({ $0[index] }) { return known }
    let task = plan.tasks[index]
    var parts = common
    if let graph = task.graph { parts += graphs[graph] ?? [] }
    parts += task.settings.flatMap { ["set", "\($0)"] }
    for input in task.inputs { parts += ["input", input.node, try journal.digest(ofFile: input.path).text] }
    if let cover = task.coverPath { parts += ["cover", try journal.digest(ofFile: cover).text] }
    let digest = Self.digest(parts)
    known.withLock { $0[index] = digest }
    return digest
  }

  /// A graph file, and the files that it names beside those of inputs.
  private static func identity(
    ofGraph path: String, _ job: BatchJob, _ journal: Journal
  ) throws(BenchError) -> [String] {
    let data = try JSONFile.read(path, kind: .graph, what: "graph")
    var parts = ["graph", Fingerprint.of(Array(data))]
    guard let document = try? JSONValue.document(data, kind: .graph) else { return parts }
    let folder = FileName.folderPrefix(of: path)
    for name in document.fileTexts.sorted() {
      let file = FileName.path(name, in: folder)
      guard FileStamp(path: file) != nil else { continue }
      parts += ["file", name, try journal.digest(ofFile: file).text]
    }
    return parts
  }

  /// All files of a bundle, by their names within it.
  private static func identity(ofFolder folder: String, _ journal: Journal) throws(BenchError) -> [String] {
    var parts: [String] = []
    for file in PathPattern(base: folder + "/", names: ["**"]).files() {
      parts += [FileName.below(folder + "/", file.path) ?? file.path, try journal.digest(ofFile: file.path).text]
    }
    return parts
  }

  /// The digest of texts; no two lists share a digest.
  private static func digest(_ parts: [String]) -> Digest {
    var bytes: [UInt8] = []
    for part in parts {
      let text = ByteText.bytes(part)
      bytes += Array("\(text.count):".utf8) + text
    }
    return Fingerprint.digest(of: bytes)
  }
}

extension BatchJob {
  /// All options that the sound or the file depends on.
  fileprivate var identity: [String] {
    let lengths = "\(render.length) \(render.trimsLatency) \(render.keepsMetadata)"
    let rates = [conversion.sampleRate, graph.sampleRate, outputSampleRate].map { $0.map { "\($0)" } ?? "-" }
    let writer = conversion.writer
    return [
      "version", Program.version, "options", optionsText, "format", format.container ?? "-",
      format.encoding ?? "-",
      "\(writer.ditherSeed.map { "\($0)" } ?? "-") \(writer.quality.map { "\($0)" } ?? "-") \(writer.bitRate.map { "\($0)" } ?? "-")",
    ] + rates + [
      "\(conversion.quality) \(conversion.method) \(conversion.channelCount ?? 0)",
      "\(conversion.inputLayout?.labels ?? []) \(conversion.layout?.labels ?? []) \(conversion.effectsGain)",
      "\(conversion.keepsMetadata) \(conversion.allowsTruncated) \(conversion.nonFinite)",
      graph.nonFinite.map { "\($0)" } ?? "-", outputQuality ?? "-", lengths, finishing.identity,
    ] + graph.writtenSettings.map(\.description) + identityOfTags
  }

  private var identityOfTags: [String] {
    let changes = conversion.tags
    let cover =
      switch changes.cover {
      case .kept: "kept"
      case .removed: "removed"
      case .replaced(let picture): Fingerprint.of(picture.bytes)
      }
    return ["cover", cover]
      + changes.texts.sorted { $0.key < $1.key }.flatMap { [$0.key, $0.value] }
  }
}

extension Finishing {
  fileprivate var identity: String {
    let trimmed = trim.map { "\($0.thresholdDecibels) \($0.keptSeconds)" } ?? "-"
    let gain = loudness.map { "\($0.targetLUFS) \($0.limitDecibels) \($0.isAlbum) \($0.limits)" } ?? "-"
    return "\(trimmed) \(fadeInSeconds) \(fadeOutSeconds) \(gain) \(measuresLoudness)"
  }
}
