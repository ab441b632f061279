// Sources with a closed form: what a callback delivers follows from the sample time alone.

import AudioCore
import AudioEngine
import BuiltInUnits
import Glibc
import RenderGraph
import Synchronization
import Testing
import TestSupport

/// Foundation has a `Unit` of its own.
typealias Unit = AudioEngine.Unit

/// A callback that delivers `value(frame, channel)`, and counts its calls.
final class FunctionSource: @unchecked Sendable {
  private let value: (Int64, Int) -> Float
  private let mayRunBesideOthers: Bool
  private let pullCount = Atomic<Int>(0)
  var pulls: Int { pullCount.load(ordering: .sequentiallyConsistent) }
  /// The status of the next pull instead of sound.
  var status = AudioStatus.noError
  /// Called at the beginning of each pull.
  var onPull: (() -> Void)?

  init(mayRunBesideOthers: Bool = false, _ value: @escaping (_ frame: Int64, _ channel: Int) -> Float) {
    self.value = value
    self.mayRunBesideOthers = mayRunBesideOthers
  }

  var callback: RenderCallback {
    RenderCallback(mayRunBesideOthers: mayRunBesideOthers) { [self] time, _, frames, buffer in
      pullCount.add(1, ordering: .sequentiallyConsistent)
      onPull?()
      guard status == .noError else { return status }
      for channel in 0..<buffer.count {
        for frame in 0..<frames { buffer.planes[channel][frame] = value(time + Int64(frame), channel) }
      }
      return .noError
    }
  }
}

/// Multiples of 1/128 between −1 and 1, another sequence for each seed: sums of a few of them are exact in Float32.
func steps(_ seed: Int64) -> (_ frame: Int64, _ channel: Int) -> Float {
  { frame, channel in
    let word = (frame &* 31 &+ Int64(channel) &* 17 &+ seed &* 101) &* 2_654_435_761
    return Float((word >> 8) & 0xFF) / 128 - 1
  }
}

extension Graph {
  /// A node that passes a callback's sound on: an equalizer without bands.
  @discardableResult
  func addSource(_ source: FunctionSource, as name: String, channels: Int = 2) throws -> NBandEQ {
    let unit = try add(NBandEQ(numberOfBands: 0), as: name)
    let format = StreamFormat(sampleRate: sampleRate, channelCount: channels)
    try unit.setStreamFormat(format, .input)
    try unit.setRenderCallback(source.callback, input: 0)
    return unit
  }
}

/// The error that `body` throws.
func failure(_ body: () throws -> Void) -> BenchError? {
  do {
    try body()
    return nil
  } catch {
    return error as? BenchError
  }
}

/// Expects an error of a graph with these words.
func expectRefusal(_ error: BenchError?, _ words: String..., place: SourceLocation = #_sourceLocation) {
  guard let error else {
    Issue.record("nothing was thrown", sourceLocation: place)
    return
  }
  #expect(error.kind == .graph, "\(error)", sourceLocation: place)
  for word in words { #expect("\(error)".contains(word), "no \"\(word)\" in: \(error)", sourceLocation: place) }
}

/// A node that gives silence.
func silence(_ graph: Graph, as name: String, channels: Int = 2) throws -> NBandEQ {
  try graph.addSource(FunctionSource(mayRunBesideOthers: true) { _, _ in 0 }, as: name, channels: channels)
}
