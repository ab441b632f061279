import AudioCore
import BatchRender
import FoundationEssentials
import Glibc
import Processes

/// Processes that render graphs with third-party units for a batch: one that crashes, or never ends, costs the file
/// that it had. Each renders one task after another; those that are idle are kept for the next.
package final class RenderWorkers: Sendable {
  private let words: [String]
  private let idle = Locked<[WorkerProcess]>([])
  /// The longest time without an answer.
  private let patienceSeconds: Double

  /// - Parameter words: the command that starts a worker.
  package init(_ words: [String], patienceSeconds: Double = 120) {
    (self.words, self.patienceSeconds) = (words, patienceSeconds)
  }

  /// Renders a task's sound into a spool.
  /// - Throws: `.deviceCrash` and `.deviceTimeout` where the worker has ended; whatever it says else.
  func render(_ run: TaskRun) throws(BenchError) -> (TaskRun.Sound, SoundSpool) {
    guard let graph = run.task.graph else { preconditionFailure("graphs alone have third-party units") }
    let worker: WorkerProcess
    if let known = idle.withLock({ $0.popLast() }) { worker = known } else { worker = try start() }
    worker.send(Array(JSONMessage.data(RenderRequest(run.task, graph: graph, threads: run.threads))))
    while true {
      switch worker.answer(patienceSeconds: patienceSeconds) {
      case .ended(let end):
        throw error(end, worker, at: run.task.place)
      case .line(let line):
        guard let answer = JSONMessage.value(RenderAnswer.self, from: Data(line)) else { continue }
        switch answer {
        case .progress(let share): run.share(share)
        case .failure(let kind, let place, let message, let advice):
          passOn(worker)
          idle.withLock { $0.append(worker) }
          throw BenchError(BenchError.Kind(rawValue: kind) ?? .render, at: place, message, advice: advice)
        case .sound(let rendered):
          passOn(worker)
          let spool = try open(rendered, run.task.name)
          idle.withLock { $0.append(worker) }
          let sound = TaskRun.Sound(
            format: spool.format, tags: rendered.tags.tags, input: nil, file: nil,
            peakDecibels: rendered.peakDecibels.map { $0 ?? -.infinity }, nonFinite: rendered.nonFinite,
            warnings: rendered.warnings)
          return (sound, spool)
        }
      }
    }
  }

  private func start() throws(BenchError) -> WorkerProcess {
    do throws(ChildProcess.StartFailure) {
      return try WorkerProcess(words)
    } catch {
      throw BenchError(.render, at: words[0], "no process can be started for third-party units: \(error.reason)")
    }
  }

  /// Opens the file that the worker has written, which has no name.
  private func open(_ sound: RenderedSound, _ output: String) throws(BenchError) -> SoundSpool {
    // The worker has third-party code in it: none of its numbers is taken as it is.
    let format = StreamFormat(sampleRate: sound.sampleRate, channelCount: sound.channels)
    let loud = sound.loud ?? [0, 0]
    guard format.isValid, (0...1 << 48).contains(sound.frames), loud.count == 2,
      0 <= loud[0], loud[0] <= loud[1], loud[1] <= sound.frames
    else {
      throw BenchError(.deviceCrash, at: output, "the process that rendered it answers numbers that no sound has")
    }
    let descriptor = FileSystem.open("/proc/\(sound.process)/fd/\(sound.descriptor)", O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw AtomicFile.failure(errno, at: output, "cannot be read between two passes") }
    return SoundSpool(
      reading: descriptor, for: output, format, frames: sound.frames, loud: sound.loud.map { _ in loud[0]..<loud[1] })
  }

  /// Passes on the text that units have printed.
  private func passOn(_ worker: WorkerProcess) {
    let text = worker.takeErrors()
    if !text.isEmpty { ErrorLine.passOn(log: text) }
  }

  private func error(_ end: ChildProcess.End, _ worker: WorkerProcess, at place: String) -> BenchError {
    var lines = worker.takeErrors().split(separator: "\n").map { String($0) }
    // One of this program's own says which component it was; the language's report of a crash may stand behind it.
    let start = ErrorLine.text("")
    let notice = lines.lastIndex { $0.hasPrefix(start) }.map { lines.remove(at: $0) }
    if !lines.isEmpty { ErrorLine.passOn(log: lines.joined(separator: "\n")) }
    let culprit = worker.culprit
    if case .timedOut = end {
    } else if let culprit, notice == nil {
      return BenchError(.deviceCrash, at: place, end.text(by: culprit))
    }
    let what = notice.map { ": " + $0.trimmingPrefix(start) } ?? ""
    switch end {
    case .timedOut, .stopped:
      return BenchError(
        .deviceTimeout, at: place,
        "the process that rendered it has said nothing for \(NumberText.short(patienceSeconds)) s, and was ended"
          + (culprit.map { "; \($0) was running" } ?? ""))
    case .signalled(_, let name):
      return BenchError(.deviceCrash, at: place, "the process that rendered it has ended by \(name)\(what)")
    case .exited(let code):
      return BenchError(.deviceCrash, at: place, "the process that rendered it has ended with exit code \(code)\(what)")
    }
  }
}
