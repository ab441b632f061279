import AudioCore
import BatchRender
import RenderGraph
import SoundFile
import Tags

/// One task, rendered or converted into whatever sink.
struct TaskRun {
  /// Called with the format, the length where it is known, the tags, and the input of a conversion.
  typealias MakeSink =
    (StreamFormat, Int64?, SoundTags, SoundFileInfo?) throws(BenchError) -> any AudioSink

  struct Sound {
    var format: StreamFormat
    var tags: SoundTags
    var input: SoundFileInfo?
    var file: SoundFileWriteReport?
    var peakDecibels: [Double]
    var nonFinite = NonFiniteSamples()
    var warnings: [String]
  }

  let job: BatchJob
  let task: BatchTask
  let threads: Int
  /// Graphs to be used again; nil: there are none.
  var graphs: GraphStore?
  /// Called some times a second with what is done of it, 0 to 1; nil where that is not known.
  let share: (Double?) -> Void

  func make(_ makeSink: MakeSink) throws(BenchError) -> Sound {
    if let graph = task.graph { return try render(graph, makeSink) }
    // The plan has refused it already.
    guard !task.inputs.isEmpty else {
      throw BenchError(.usage, at: task.name, "there is no input to be converted", advice: "name one")
    }
    do throws(BenchError) {
      var sound = try convert(makeSink)
      if let input = sound.input {
        sound.warnings += [job.conversion.layoutWarning(of: input)].compactMap { $0 }
        sound.warnings += job.conversion.channelWarning(of: input, outputChannelCount: sound.format.channelCount)
      }
      return sound
    } catch {
      throw job.advised(error)
    }
  }

  private func tell(_ progress: RenderProgress) -> Bool {
    share(progress.framesTotal.map { Double(progress.framesDone) / Double(max(1, $0)) })
    return true
  }

  private func convert(_ makeSink: MakeSink) throws(BenchError) -> Sound {
    var options = job.conversion
    options.threads = threads
    options.progress = tell
    let source: any FrameSource =
      task.inputs.count > 1
      ? try SummedFiles(
        task.inputs.map(\.path), allowsTruncated: options.allowsTruncated, nonFinite: options.nonFinite)
      : try file(options)
    var tags = SoundTags()
    let (report, _) = try FileConversion.convert(source, options: options) {
      (format, frames, kept) throws(BenchError) in
      tags = kept
      return try makeSink(format, frames, kept, source.info)
    }
    return Sound(
      format: StreamFormat(sampleRate: report.sampleRate, channelCount: report.channelCount), tags: tags,
      input: source.info, file: report.written, peakDecibels: report.peakDecibels, nonFinite: report.nonFiniteSamples,
      warnings: report.warnings(at: task.outputs[0].path))
  }

  private func file(_ options: FileConversion.Options) throws(BenchError) -> SoundFileReader {
    let reader = try SoundFileReader(path: task.inputs[0].path, allowTruncated: options.allowsTruncated)
    reader.nonFinitePolicy = options.nonFinite
    return reader
  }

  /// The graph with the task's files and settings.
  func graph(_ path: String) throws(BenchError) -> Graph {
    var reading = job.graph
    reading.inputs.merge(task.inputs.map { ($0.node, $0.path) }) { $1 }
    reading.writtenSettings += task.settings
    let graph = try GraphFile.load(path, options: reading)
    try graph.setOutput(sampleRate: job.outputSampleRate, quality: job.outputQuality)
    return graph
  }

  private func render(_ path: String, _ makeSink: MakeSink) throws(BenchError) -> Sound {
    let kept = try graphs?.take(for: task, path)
    let graph = if let kept { kept } else { try graph(path) }
    var options = job.render
    options.threads = threads
    options.progress = tell
    do throws(BenchError) {
      var tags = SoundTags()
      let (report, _) = try OfflineRenderer(graph).render(options: options) {
        (format, frames) throws(BenchError) in
        tags = try options.tags(of: graph)
        return try makeSink(format, frames, tags, nil)
      }
      graphs?.giveBack(graph, of: task, path)
      return Sound(
        format: StreamFormat(sampleRate: report.sampleRate, channelCount: report.channelCount), tags: tags,
        input: nil, file: report.file, peakDecibels: report.peakDecibels, nonFinite: report.nonFiniteSamples,
        warnings: report.warnings(at: task.outputs[0].path))
    } catch {
      throw error.kind == .graph ? error.inside(path) : error
    }
  }
}
