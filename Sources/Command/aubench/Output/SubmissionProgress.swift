import AudioCore
import Slurm

/// The progress of submitted shards: a line on the terminal, and a line for each that is submitted again.
final class SubmissionProgress {
  private let bar: ProgressBar
  private let isQuiet: Bool
  private let start = ContinuousClock.now

  init(_ arguments: Arguments) {
    bar = ProgressBar("watching", arguments)
    isQuiet = arguments.has(.quiet)
  }

  func erase() { bar.erase() }

  func tell(_ event: ShardArray.Event) {
    switch event {
    case .submitted(let job, let shards):
      say("\(NumberText.count(shards.count, "shard")) submitted as Slurm's job \(job)")
    case .foundAgain(let jobs):
      say("shards were submitted before, as Slurm's job \(jobs.joined(separator: " ")): watching")
    case .lost(let shard, let how, let isSubmittedAgain):
      bar.erase()
      ErrorOutput.warn("shard \(shard) was lost (\(how))" + (isSubmittedAgain ? ", and is submitted again" : ""))
    case .unknown:
      bar.erase()
      ErrorOutput.warn("Slurm's controller does not answer: it is asked again")
    case .counted(let waiting, let running, let ended):
      bar.show(
        ["shards: \(ended) ended, \(running) running, \(waiting) waiting"], at: start.duration(to: .now) / .seconds(1))
    }
  }

  private func say(_ text: String) {
    guard !isQuiet else { return }
    bar.erase()
    ErrorLine.write(text)
  }
}
