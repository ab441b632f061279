import AudioCore
import BatchRender
import FoundationEssentials
import Processes

/// The subject of a bench worker: a line of JSON. A worker of another build of this program reads the same, so keys are
/// added and not changed.
package struct BenchSubject: Codable, Hashable, Sendable {
  package struct Setting: Codable, Hashable, Sendable {
    package var key: String
    package var text: String

    package init(key: String, text: String) { (self.key, self.text) = (key, text) }
  }

  package var version = 1
  /// The text of a graph file.
  package var graph: String
  /// The folder that names in it count from: empty, or ending with a slash.
  package var folder: String
  /// Files of players, by node.
  package var inputs: [String: String] = [:]
  package var settings: [Setting] = []
  /// Hertz; nil: the graph's own.
  package var sampleRate: Double?
  /// The length at which the sound is cut off, each render beginning at its start; nil: it is rendered on and on.
  package var lengthSeconds: Double?
  /// Frames of a slice.
  package var slice: Int
  package var threads: Int
  /// The processor that it is to run on, where one thread renders; nil: any.
  package var processor: Int?

  package init(graph: String, folder: String, slice: Int, threads: Int) {
    (self.graph, self.folder, self.slice, self.threads) = (graph, folder, slice, threads)
  }

  /// The noise that units are fed with, up to −12 dBFS: always the same.
  package static func noise(channels: Int, frames: Int) -> PlanarBuffer {
    let buffer = PlanarBuffer(channelCount: channels, frameCapacity: frames)
    var generator = SplitMix64(seed: 1)
    for channel in 0..<channels {
      let plane = buffer[channel]
      for frame in 0..<frames { plane[frame] = Float.random(in: -0.25...0.25, using: &generator) }
    }
    return buffer
  }
}

/// The requests to a worker, once it has its subject.
package enum BenchRequest: Codable, Sendable {
  /// Render so many slices, and say how long that took.
  case block(slices: Int, metersNodes: Bool)
  /// Render the first frames from the beginning, into a file of Float32 samples, interleaved.
  case sound(frames: Int64, path: String)
}

/// The answers of a worker.
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
  /// - Parameter program: the name of the worker's program.
  /// - Throws: the error that it reports; `.deviceCrash` if it has ended.
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
      if let culprit = worker.culprit { throw BenchError(.deviceCrash, at: program, end.text(by: culprit)) }
      let text = worker.takeErrors().split(separator: "\n").last.map { ": \(excerpt(String($0)))" } ?? ""
      if case .exited(code: 0) = end, text.isEmpty {
        throw BenchError(.render, at: program, "has ended without an answer: it is no aubench with \"bench\"")
      }
      throw BenchError(.deviceCrash, at: program, "the process that rendered \(end.text)\(text)")
    }
  }
}

/// The facts about a worker, and about its graph.
package struct BenchFacts: Codable, Hashable, Sendable {
  /// The version of the program.
  package var version: String
  package var isReleaseBuild: Bool
  /// The rate of the graph's output, hertz.
  package var sampleRate: Double
  package var channels: Int
  /// After so many frames it begins anew.
  package var lengthFrames: Int64
  /// The most frames of a render call; nil in builds before this was reported.
  package var maximumFrames: Int?
  /// The names of the processor's counters; nil: `countersFailure` has the reason.
  package var counters: [String]?
  package var countersFailure: String?
  /// Names of nodes in render order, as errors have them.
  package var nodes: [String]
  /// The realtime exceptions that units declare for their render calls, by node; nil in builds before this was
  /// reported.
  package var realtimeExceptions: [String: String]?
  /// True when a scenario's hardware would pull it: the bench renders slices of its own, and the microphone is silent.
  /// Nil: false.
  package var leavesHardwareOut: Bool?
}

/// Some slices in a row, rendered.
package struct BenchBlock: Codable, Hashable, Sendable {
  package var frames: Int
  /// The time of the render calls alone, nanoseconds: by wall clock, and of the calling thread's work.
  package var wallNanoseconds: Double
  package var threadNanoseconds: Double
  /// Reading of files between the calls.
  package var readingNanoseconds: Double
  /// Each render call.
  package var sliceNanoseconds: [Float]
  /// The time of each node itself, if measured, and the number of frames: without slices in which the system took the
  /// processor away.
  package var nodeNanoseconds: [Double]
  package var nodeFrames: Int
  /// The counts of the processor, with the reading of files.
  package var counts: [UInt64]?

  /// Nil where nothing was measured of it.
  func nodeNanosecondsPerFrame(_ node: Int) -> Double? {
    nodeFrames > 0 && nodeNanoseconds.indices.contains(node) ? nodeNanoseconds[node] / Double(nodeFrames) : nil
  }
}
