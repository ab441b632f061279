import AudioCore
import AudioEngine
import BuiltInUnits
import Glibc
import RenderGraph
import Synchronization
import Testing
import TestSupport

/// Callbacks on the inputs of mixers, among connections, in formats that are converted, with one thread and with two.
@Suite struct GraphCompileInputTests {
  /// The source of an input.
  private enum Feed: CaseIterable { case nothing, callback, integers, source, both }

  private let sources = (0..<8).map { index in FunctionSource(mayRunBesideOthers: index % 2 == 0, steps(Int64(index))) }

  /// A mixer of random inputs, whose sum is exact.
  private func graph(_ feeds: [Feed], threads: Int) throws -> (graph: Graph, expected: (Int64, Int) -> Float) {
    let graph = Graph()
    let mix = try graph.add(MultichannelMixer(inputs: feeds.count), as: "mix")
    var heard: [Int] = []
    for (bus, feed) in feeds.enumerated() {
      var format = StreamFormat(sampleRate: graph.sampleRate, channelCount: 2)
      switch feed {
      case .nothing: break
      case .callback:
        try mix.setRenderCallback(sources[bus].callback, input: bus)
        heard.append(bus)
      case .integers:
        format.encoding = .int16
        format.isInterleaved = true
        try mix.setStreamFormat(format, .input, element: bus)
        try mix.setRenderCallback(integers(of: bus), input: bus)
        heard.append(bus)
      case .source, .both:
        if feed == .both { try mix.setRenderCallback(sources[(bus + 1) % 8].callback, input: bus) }
        try graph.connect(try graph.addSource(sources[bus], as: "source \(bus)"), to: mix, input: bus)
        heard.append(bus)
      }
    }
    try graph.connect(mix, to: try graph.add(GenericOutput(), as: "out"))
    return (graph, { frame, channel in heard.reduce(0) { $0 + steps(Int64($1))(frame, channel) } })
  }

  /// The same values as integers of 16 bits, interleaved.
  private func integers(of seed: Int) -> RenderCallback {
    RenderCallback(mayRunBesideOthers: seed % 2 == 0) { time, _, frames, buffer in
      let samples = buffer.buffers[0].assumingMemoryBound(to: Int16.self)
      for frame in 0..<frames {
        for channel in 0..<2 {
          samples[2 * frame + channel] = Int16(
            clamping:
              max(-32_768, min(32_767, steps(Int64(seed))(time + Int64(frame), channel) * 32_768)))
        }
      }
      return .noError
    }
  }

  @Test("a mixer is the sum of what feeds it, whatever that is", arguments: 1...24)
  func sum(seed: Int) throws {
    var random = SeededGenerator(seed: UInt64(seed))
    let feeds = (0..<Int.random(in: 1...8, using: &random)).map { _ in
      Feed.allCases[Int.random(in: 0..<Feed.allCases.count, using: &random)]
    }
    for threads in [1, 2] {
      let (graph, expected) = try graph(feeds, threads: threads)
      let signal = try graph.renderer(threads: threads).renderedSignal(total: 1500)
      for channel in 0..<2 {
        let wrong = signal[channel].indices.first { signal[channel][$0] != expected(Int64($0), channel) }
        #expect(wrong == nil, "\(feeds), \(threads) threads, frame \(wrong ?? 0)")
      }
    }
  }

  @Test("a callback that may not run beside others is called on the thread that renders")
  func threadOfCallbacks() throws {
    let caller = pthread_self()
    let strangers = Atomic<Int>(0)
    for source in sources where source.callback.mayRunBesideOthers == false {
      source.onPull = { if pthread_equal(caller, pthread_self()) == 0 { strangers.add(1, ordering: .relaxed) } }
    }
    for feeds in [[Feed.callback, .callback, .source, .source], [.source, .source, .source, .source, .callback]] {
      _ = try graph(feeds, threads: 2).graph.renderer(threads: 2).renderedSignal(total: 4000)
    }
    #expect(strangers.load(ordering: .relaxed) == 0)
  }
}
