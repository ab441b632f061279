import AudioCore
import BatchRender
import Glibc
import RenderGraph
import SoundFile
import Tags

extension TaskMaker {
  /// Finds out what would keep a task from being made, as far as that shows before its first frame: inputs, graph,
  /// cover, pieces, formats and folders. Nothing is written, and third-party units are not loaded.
  /// - Throws: the error that the task would fail with.
  func check(_ task: BatchTask) throws(BenchError) {
    for output in task.outputs { try checkFolder(FileName.folder(of: output.path)) }
    guard let graph = task.graph else { return try checkConversion(task) }
    if graphsOfOwnUnits.contains(graph) {
      _ = try TaskRun(job: job, task: task, threads: 1, share: { _ in }).graph(graph)
    } else {
      for input in task.inputs { _ = try SoundFileReader(path: input.path) }
    }
    for output in task.outputs { _ = try changes(task, output) }
  }

  /// The way of a conversion up to its first frame.
  private func checkConversion(_ task: BatchTask) throws(BenchError) {
    var hasBegun = false
    do throws(BenchError) {
      _ = try TaskRun(job: job, task: task, threads: 1, share: { _ in }).make {
        (format, frames, _, input) throws(BenchError) -> any AudioSink in
        for output in task.outputs {
          _ = try changes(task, output)
          let wanted = try written(output.path, like: input)
          try wanted.validate(at: output.path, sampleRate: format.sampleRate, channelCount: format.channelCount)
          try wanted.check(
            bitRate: job.conversion.writer.bitRate, sampleRate: format.sampleRate, channelCount: format.channelCount,
            at: output.path)
          guard let frames else { continue }
          let range = try range(of: output, kept: 0..<frames, frames: frames, rate: format.sampleRate, task.place)
          try wanted.check(frames: Int64(range.count), at: output.path)
        }
        hasBegun = true
        throw BenchError(.interrupted, "nothing is written in a dry run")
      }
    } catch {
      if !hasBegun { throw error }
    }
  }

  /// Checks that a folder exists and can be written to, or can be made.
  private func checkFolder(_ folder: String) throws(BenchError) {
    var present = folder
    var status = stat()
    while FileSystem.status(present, &status) != 0 {
      let above = FileName.folder(of: present)
      if above == present { break }
      present = above
    }
    let failure = status.st_mode & S_IFMT == S_IFDIR ? FileSystem.access(present, W_OK) == 0 ? 0 : errno : EEXIST
    guard failure == 0 else {
      throw BenchError(.output, at: folder, "the folder cannot be made: \(systemMessage(failure))")
    }
  }
}
