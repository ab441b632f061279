import AudioCore
import BatchRender
import FoundationEssentials
import SoundFile
import Tags

/// The request of a batch to a render worker: one task's sound, rendered into a spool. A line of JSON.
struct RenderRequest: Codable {
  struct Setting: Codable {
    var key: String
    var text: String
  }
  struct Input: Codable {
    var node: String
    var path: String
  }
  var graph: String
  var inputs: [Input]
  var settings: [Setting]
  /// Beside which the spool lies.
  var output: String
  var threads: Int

  init(_ task: BatchTask, graph: String, threads: Int) {
    self.graph = graph
    inputs = task.inputs.map { Input(node: $0.node, path: $0.path) }
    settings = task.settings.map { Setting(key: "\($0.node).\($0.parameter)", text: $0.text) }
    output = task.name
    self.threads = threads
  }

  func task() throws(BenchError) -> BatchTask {
    var settings: [WrittenSetting] = []
    for setting in self.settings { settings.append(try WrittenSetting(key: setting.key, text: setting.text)) }
    return BatchTask(
      inputs: inputs.map { ($0.node, $0.path) }, graph: graph, settings: settings,
      outputs: [BatchTask.Output(path: output, cut: nil, tags: [:])], cuePath: nil, coverPath: nil, album: nil)
  }
}

/// The answer of a render worker: its progress, some times a second, and at last the sound or an error. Lines of JSON.
enum RenderAnswer: Codable {
  case progress(share: Double?)
  case sound(RenderedSound)
  case failure(kind: String, place: String, message: String, advice: String?)

  static func failure(_ error: BenchError) -> RenderAnswer {
    .failure(kind: error.kind.rawValue, place: error.place, message: error.message, advice: error.advice)
  }
}

/// A sound in the spool of another process.
struct RenderedSound: Codable {
  /// The process id of the worker, which keeps the file open until the next request.
  var process: Int32
  var descriptor: Int32
  var sampleRate: Double
  var channels: Int
  var frames: Int64
  /// First frame that is loud, and the one behind the last.
  var loud: [Int64]?
  /// dBFS; nil for silence.
  var peakDecibels: [Double?]
  var nonFinite: NonFiniteSamples
  var warnings: [String]
  var tags: WrittenTags
}

/// ``SoundTags`` as JSON.
struct WrittenTags: Codable {
  private struct Picture: Codable {
    var kind: Int
    var mimeType: String
    var text: String
    var bytes: Data
  }
  private var metadata: [String: String]
  private var texts: [String: [String]]
  private var pictures: [Picture]
  private var labels: [UInt32]?
  /// Names of what stays behind.
  private var lost: [String]?

  init(_ tags: SoundTags) {
    metadata = Dictionary(uniqueKeysWithValues: tags.metadata.values.map { ($0.key.rawValue, $0.value) })
    texts = tags.further.texts
    labels = tags.layout?.labels
    lost = tags.extras.lost.isEmpty ? nil : tags.extras.lost
    pictures = tags.further.pictures.map {
      Picture(kind: $0.kind, mimeType: $0.mimeType, text: $0.text, bytes: Data($0.bytes))
    }
  }

  var tags: SoundTags {
    let fields = metadata.compactMap { name, text in SoundFileMetadata.Field(rawValue: name).map { ($0, text) } }
    var tags = SoundTags(
      metadata: SoundFileMetadata(Dictionary(uniqueKeysWithValues: fields)),
      further: FileTags(
        texts: texts,
        pictures: pictures.map {
          TagPicture(kind: $0.kind, mimeType: $0.mimeType, text: $0.text, bytes: Array($0.bytes))
        }), layout: labels.flatMap(ChannelLayout.init(labels:)))
    tags.extras.lost = lost ?? []
    return tags
  }
}
