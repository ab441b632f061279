import AudioCore
import BatchRender
import FoundationEssentials
import Glibc

/// The other side of ``RenderWorkers``: reads requests from standard input, renders, and answers on descriptor 3.
package struct RenderWorker {
  private let job: BatchJob
  private static let answers: Int32 = 3

  package init(_ job: BatchJob) { self.job = job }

  /// Serves requests until standard input ends.
  package func serve() {
    // Held until the next request: who has asked opens its file meanwhile.
    var spool: SoundSpool?
    while let line = readLine(strippingNewline: true) {
      guard let request = JSONMessage.value(RenderRequest.self, from: Data(line.utf8)) else { continue }
      spool = nil
      do throws(BenchError) {
        let (sound, made) = try render(request)
        spool = made
        answer(.sound(rendered(sound, made)))
      } catch {
        answer(.failure(error))
      }
    }
    withExtendedLifetime(spool) {}
  }

  private func render(_ request: RenderRequest) throws(BenchError) -> (TaskRun.Sound, SoundSpool) {
    let task = try request.task()
    var spool: SoundSpool?
    // Some times a second; a render that takes long says more often that it is alive than anyone waits.
    let run = TaskRun(job: job, task: task, threads: request.threads) { share in answer(.progress(share: share)) }
    let sound = try run.make { (format, _, _, _) throws(BenchError) -> any AudioSink in
      let made = try SoundSpool(beside: task.name, format, thresholdDecibels: job.finishing.trim?.thresholdDecibels)
      spool = made
      return made
    }
    guard let spool else { preconditionFailure("a sound goes into the sink that was made for it") }
    return (sound, spool)
  }

  private func rendered(_ sound: TaskRun.Sound, _ spool: SoundSpool) -> RenderedSound {
    RenderedSound(
      process: getpid(), descriptor: spool.descriptor, sampleRate: spool.format.sampleRate,
      channels: spool.format.channelCount, frames: spool.frames,
      loud: spool.loud.map { [$0.lowerBound, $0.upperBound] },
      peakDecibels: sound.peakDecibels.map { $0.isFinite ? $0 : nil }, nonFinite: sound.nonFinite,
      warnings: sound.warnings,
      tags: WrittenTags(sound.tags))
  }

  private func answer(_ answer: RenderAnswer) {
    _ = writeAll(Array(JSONMessage.data(answer)) + [UInt8(ascii: "\n")], to: Self.answers)
  }
}
