import AudioCore
import BatchRender
import SoundFile

/// The work of a batch: its files, graphs and settings, the names of outputs, and how they are finished before they are
/// written. Job files and the options of `render` and `convert` both become one of these.
package struct BatchJob {
  /// The files for a player.
  package enum Source: Sendable {
    /// Each of them: with several such players, every file of one with every file of the others.
    case files([BatchFile])
    /// The one that is named after the first player's.
    case named(NameTemplate)
  }

  /// Settings of which each output has one: with several axes, every one of one with every one of the others.
  package struct Axis: Sendable {
    /// The place in names of outputs that is replaced by the setting's name.
    package let name: String
    package let settings: [(name: String, values: [WrittenSetting])]

    package init(name: String, settings: [(name: String, values: [WrittenSetting])]) {
      (self.name, self.settings) = (name, settings)
    }
  }

  /// The format of outputs.
  package struct Format: Sendable {
    /// Names as the command line has them; nil: by the name of the output, and for a conversion like its input.
    package var container: String?
    package var encoding: String?

    package init() {}

    func format(of path: String) throws(BenchError) -> SoundFileFormat {
      try SoundFileFormat(path: path, container: container, encoding: encoding)
    }
  }

  /// The folder that relative names in it count from: empty, or ending with a slash. Journals and shards name outputs
  /// without it.
  package var folder = ""
  /// True for a job file, in which keys are written where a line has options.
  package var isOfFile = false
  /// Paths; none: conversions.
  package var graphs: [String] = []
  package var sources: [(node: String, source: Source)] = []
  package var rows: [Row]?
  /// The probable reason why the table's columns are not the expected ones; nil: none is apparent.
  var tableAdvice: String?
  package var axes: [Axis] = []
  /// The place of a pattern over which files are summed: `stem`. For conversions only.
  package var summedPlace: String?
  package var output: NameTemplate
  package var format = Format()
  /// The options of conversions; the writer is that of renders too.
  package var conversion = FileConversion.Options()
  /// The options of renders.
  package var render = OfflineRenderer.Options()
  package var graph = GraphFile.Options()
  /// The output rate of renders: see ``Graph/setOutput(sampleRate:quality:)``.
  package var outputSampleRate: Double?
  package var outputQuality: String?
  package var finishing = Finishing()
  /// The cue sheet or the table that says where each file is cut.
  package var split: NameTemplate?
  /// Tags of the outputs, by name, with places.
  package var tags: [(name: String, text: NameTemplate)] = []
  /// The picture of each output, with places.
  package var cover: NameTemplate?
  /// The options as written, which recipes compare as text only.
  package var optionsText = ""
  /// True when an existing output is made anew; if false, it stays as it is.
  package var replaces = true
  /// The part that is made here; nil: all of it.
  package var shard: BatchShard?
  /// The number of retries of a task that has failed.
  package var retries = 0

  package init(output: NameTemplate) { self.output = output }

  package var isConversion: Bool { graphs.isEmpty }

  /// Gives a player files: those that the texts name, or, for one text with places that earlier players define, the
  /// file that is named after theirs.
  /// - Parameters:
  ///   - node: empty for a conversion.
  ///   - folder: the folder that names count from: empty, or ending with a slash.
  package mutating func addSource(_ node: String, _ texts: [String], folder: String = "") throws(BenchError) {
    if texts.count == 1, let text = texts.first, !sources.isEmpty || rows != nil {
      let template = try NameTemplate(text, in: folder, at: node.isEmpty ? "input" : "input \"\(node)\"")
      if !template.fields.isEmpty, template.fields.allSatisfy(isKnown) {
        sources.append((node, .named(template)))
        return
      }
    }
    var files: [BatchFile] = []
    for text in texts { files += try BatchFile.files(text, in: folder) }
    sources.append((node, .files(files)))
  }

  /// An error with what can be written where this job stands.
  func advised(_ error: BenchError) -> BenchError {
    guard isOfFile, error.advice == SoundFileReader.truncationAdvice else { return error }
    return BenchError(
      error.kind, at: error.place, error.message,
      advice: "copy or render it again; \"allowTruncated\": true in the job keeps what is left of it")
  }

  /// The tags of an output.
  func tags(_ values: NameValues, at place: String) throws(BenchError) -> [String: String] {
    var tags: [String: String] = [:]
    for (name, text) in self.tags { tags[name.uppercased()] = try text.text(values, at: place) }
    return tags
  }

  /// - Throws: `.usage` for a format that no output could have, or a quality or a bit rate that it has not: an error of
  ///   the job, and not of each file.
  package func checkFormat() throws(BenchError) {
    guard let ending = output.fileExtension else { return }
    let format = try format.format(of: "x.\(ending)")
    let writer = conversion.writer
    try format.check(quality: writer.quality, bitRate: writer.bitRate, at: ".\(ending)")
  }

  /// True when a place has a value from the files so far.
  private func isKnown(_ place: String) -> Bool {
    if ["name", "folder", "extension", "path", "index"].contains(place) { return true }
    if rows?.first?.text(of: place) != nil { return true }
    return sources.contains { node, source in
      guard case .files(let files) = source, let first = files.first else { return false }
      return first.captures[place] != nil || place.hasPrefix(node + ".")
    }
  }
}
