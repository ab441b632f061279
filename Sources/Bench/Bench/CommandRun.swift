import AudioCore
import Processes

/// Runs commands in turn, from start to end.
package enum CommandRun {
  package struct Result: Sendable {
    package let name: String
    package let words: [String]
    /// The time of a whole run, by wall clock, seconds, with the start of a process.
    package let wall: Statistics
    /// The processor time of the command and its children, seconds.
    package let work: Statistics
    package let peakBytes: Int64
    package let warmUpRuns: Int
    /// Runs in which it was as long as it was, in order.
    package let rounds: [Double]
    package let isNoisy: Bool
  }

  /// The command that is run beside them to measure the start of a process.
  private static let nothing = ["true"]

  /// - Parameters:
  ///   - commands: their names, and their words.
  ///   - options: seconds and tolerance are those of all together.
  ///   - progress: called after each round with the share of the time.
  /// - Returns: a result for each, and the seconds that a command takes which does nothing.
  /// - Throws: `.deviceCrash` where one does not end with 0.
  package static func run(
    _ commands: [(name: String, words: [String])], _ options: BenchRun.Options, progress: (Double) -> Void
  ) throws(BenchError) -> (results: [Result], startSeconds: Double) {
    var runs: [[ChildProcess.Result]] = Array(repeating: [], count: commands.count)
    var walls: [[Double]] = Array(repeating: [], count: commands.count)
    var starts: [Double] = []
    let clock = ContinuousClock()
    let begin = clock.now
    var round = 0
    while round < options.rounds.upperBound {
      for index in commands.indices {
        let number = (index + round) % commands.count
        let (seconds, result) = try time(commands[number].words)
        walls[number].append(seconds)
        runs[number].append(result)
      }
      starts.append(try time(nothing).seconds)
      round += 1
      let elapsed = begin.duration(to: clock.now) / .seconds(1)
      progress(elapsed / options.seconds)
      if elapsed >= options.seconds, round >= leastRounds { break }
      if round >= options.rounds.lowerBound, round.isMultiple(of: 5),
        walls.allSatisfy({ Statistics(Array($0[Statistics.warmUp($0)...])).uncertainty <= options.goal })
      {
        break
      }
    }
    let results = commands.indices.map { index -> Result in
      let warmUp = Statistics.warmUp(walls[index])
      let wall = Statistics(Array(walls[index][warmUp...]))
      return Result(
        name: commands[index].name, words: commands[index].words, wall: wall,
        work: Statistics(runs[index][warmUp...].map(\.cpuSeconds)),
        peakBytes: runs[index].map(\.peakBytes).max() ?? 0, warmUpRuns: warmUp, rounds: walls[index],
        isNoisy: wall.uncertainty > options.tolerance)
    }
    return (results, Statistics(starts).median)
  }

  /// Long commands are run so often, however long that takes: fewer have no interval.
  private static let leastRounds = 5
  private static let secondsOfOneRun = 3600.0

  private static func time(_ words: [String]) throws(BenchError) -> (seconds: Double, result: ChildProcess.Result) {
    var child = ChildProcess(words)
    child.limits.seconds = secondsOfOneRun
    let clock = ContinuousClock()
    let start = clock.now
    let result: ChildProcess.Result
    do { result = try child.run() } catch {
      throw BenchError(.input, at: words[0], "cannot be run: \(error.reason)")
    }
    let seconds = start.duration(to: clock.now) / .seconds(1)
    guard case .exited(code: 0) = result.end else {
      throw BenchError(
        .deviceCrash, at: words[0],
        result.end.text + (result.lastErrors.isEmpty ? "" : ": \(excerpt(result.lastErrors))"),
        advice: "run it once by hand")
    }
    return (seconds, result)
  }
}
