import AudioCore
import BatchRender
import FoundationEssentials
import Processes

/// What a bench worker is to measure: a line of JSON. A worker of another build of this program reads the same, so keys are added
/// and not changed.
package struct BenchSubject: Codable, Hashable, Sendable {
  package struct Setting: Codable, Hashable, Sendable {
    package var key: String
    package var text: String

    package init(key: String, text: String) { (self.key, self.text) = (key, text) }
  }

  package var version = 1
  /// The text of a graph file.
  package var graph: String
  /// What names in it are relative to: empty, or ending with a slash.
  package var folder: String
  /// Files of players, by node.
  package var inputs: [String: String] = [:]
  package var settings: [Setting] = []
  /// Hertz; nil: the graph's own.
  package var sampleRate: Double?
  /// Where the sound is cut off, and rendered from its beginning to there each time; nil: it is rendered on and on.
  package var lengthSeconds: Double?
  /// Frames of a slice.
  package var slice: Int
  package var threads: Int
  /// The processor that it is to run on, where one thread renders; nil: any.
  package var processor: Int?

  package init(graph: String, folder: String, slice: Int, threads: Int) {
    (self.graph, self.folder, self.slice, self.threads) = (graph, folder, slice, threads)
  }
}

/// What a worker is asked for, once it has its subject.
package enum BenchRequest: Codable, Sendable {
  /// Render so many slices, and say how long that took.
  case block(slices: Int, metersNodes: Bool)
  /// Render the first frames from the beginning, into a file of Float32 samples, interleaved.
  case sound(frames: Int64, path: String)
}

/// What a worker answers.
package enum BenchAnswer: Codable, Sendable {
  /// Ready; what it is and what it renders.
  case ready(BenchFacts)
  case block(BenchBlock)
  case sound(channels: Int)
  case watched(WatchReport)
  case failure(kind: String, place: String, message: String, advice: String?)

  static func failure(_ error: BenchError) -> BenchAnswer {
    .failure(kind: error.kind.rawValue, place: error.place, message: error.message, advice: error.advice)
  }

  /// Waits for a worker's next answer.
  /// - Parameter program: what the worker is.
  /// - Throws: what it says has failed; `.deviceCrash` where it has ended.
  static func from(
    _ worker: WorkerProcess, _ patienceSeconds: Double, at program: String
  ) throws(BenchError) -> BenchAnswer {
    switch worker.answer(patienceSeconds: patienceSeconds) {
    case .line(let line):
      guard let answer = JSONMessage.value(BenchAnswer.self, from: Data(line)) else {
        throw BenchError(.render, at: program, "its answer is not that of a bench worker")
      }
      if case .failure(let kind, let place, let message, let advice) = answer {
        throw BenchError(BenchError.Kind(rawValue: kind) ?? .render, at: place, message, advice: advice)
      }
      return answer
    case .ended(let end):
      let text = worker.takeErrors().split(separator: "\n").last.map { ": \(excerpt(String($0)))" } ?? ""
      if case .exited(code: 0) = end, text.isEmpty {
        throw BenchError(.render, at: program, "has ended without an answer: it is no aubench with \"bench\"")
      }
      throw BenchError(.deviceCrash, at: program, "the process that rendered \(end.text)\(text)")
    }
  }
}

/// What a worker is, and what it renders.
package struct BenchFacts: Codable, Hashable, Sendable {
  /// Of the program.
  package var version: String
  package var isReleaseBuild: Bool
  /// Of the graph's output, hertz.
  package var sampleRate: Double
  package var channels: Int
  /// After so many frames it begins anew.
  package var lengthFrames: Int64
  /// Of a render call; nil in builds before this was told.
  package var maximumFrames: Int?
  /// What the processor counts, by name; nil: `countersFailure` says why not.
  package var counters: [String]?
  package var countersFailure: String?
  /// Names of nodes in render order, as errors have them.
  package var nodes: [String]
  /// By node, what its unit says of itself that its render calls do and a realtime thread must not; nil in builds before this was told.
  package var realtimeExceptions: [String: String]?
  /// Whether a scenario's hardware would pull it: the bench asks for slices of its own, and the microphone is silent. Nil: not.
  package var leavesHardwareOut: Bool?
}

/// Some slices in a row, rendered.
package struct BenchBlock: Codable, Hashable, Sendable {
  package var frames: Int
  /// Of the render calls alone, nanoseconds: by the clock on the wall, and of the calling thread's work.
  package var wallNanoseconds: Double
  package var threadNanoseconds: Double
  /// Reading of files between the calls.
  package var readingNanoseconds: Double
  /// Each render call.
  package var sliceNanoseconds: [Float]
  /// Of each node itself, where they were measured, and of how many frames: without slices in which the system took the processor
  /// away.
  package var nodeNanoseconds: [Double]
  package var nodeFrames: Int
  /// What the processor has counted, with the reading of files.
  package var counts: [UInt64]?

  /// Nil where nothing was measured of it.
  func nodeNanosecondsPerFrame(_ node: Int) -> Double? {
    nodeFrames > 0 && nodeNanoseconds.indices.contains(node) ? nodeNanoseconds[node] / Double(nodeFrames) : nil
  }
}
