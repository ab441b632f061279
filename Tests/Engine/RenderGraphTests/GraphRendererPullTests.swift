import AudioCore
import AudioEngine
import BuiltInUnits
import Glibc
import RenderGraph
import SoundFile
import Synchronization
import Testing
import TestSupport

/// The calls for sound: to whom, how often, on which thread, and how errors there are reported.
@Suite struct GraphRendererPullTests {
  @Test("a node that several others pull renders once per sample time", arguments: [1, 2, 4], [false, true])
  func once(threads: Int, safe: Bool) throws {
    let graph = Graph()
    let source = FunctionSource(mayRunBesideOthers: safe, steps(1))
    let shared = try graph.addSource(source, as: "shared")
    let mix = try graph.add(MultichannelMixer(inputs: 3), as: "mix")
    for bus in 0..<2 {
      let low = try graph.add(LowPassFilter(), as: "low\(bus)")
      try graph.connect(shared, to: low)
      try graph.connect(low, to: mix, input: bus)
    }
    try graph.connect(shared, to: mix, input: 2)
    try graph.connect(mix, to: try graph.add(GenericOutput(), as: "out"))
    let renderer = try graph.renderer(threads: threads)
    _ = try renderer.rendered(total: 1000, in: .slices(of: 100))
    #expect(source.pulls == 10)
    // The same sample time again makes no call: the present frames are delivered again.
    let last = try renderer.rendered(total: 100, from: 1000)
    let again = try renderer.rendered(total: 100, from: 1000)
    #expect(source.pulls == 11)
    #expect(last == again)
  }

  @Test("inputs that are switched off or at volume 0 are not pulled", arguments: [1, 2])
  func notPulled(threads: Int) throws {
    let graph = Graph()
    let sources = (0..<4).map { FunctionSource(mayRunBesideOthers: true, steps(Int64($0))) }
    let mix = try graph.add(MultichannelMixer(inputs: 4), as: "mix")
    for bus in 0..<4 {
      let low = try graph.add(NBandEQ(numberOfBands: 0), as: "tone\(bus)")
      try graph.connect(try graph.addSource(sources[bus], as: "source\(bus)"), to: low)
      try graph.connect(low, to: mix, input: bus)
    }
    try graph.connect(mix, to: try graph.add(GenericOutput(), as: "out"))
    try mix.setVolume(0, input: 1)
    try mix.setEnabled(false, input: 2)
    let renderer = try graph.renderer(threads: threads)
    _ = try renderer.rendered(total: 1000, in: .slices(of: 100))
    #expect(sources.map(\.pulls) == [10, 0, 0, 10])
    // Their clock is the puller's: an input that comes back continues where the others are.
    try mix.setVolume(1, input: 1)
    try mix.setVolume(0, input: 0)
    try mix.setVolume(0, input: 3)
    let signal = try renderer.renderedSignal(total: 100, from: 1000)
    #expect(signal[0] == (1000..<1100).map { steps(1)($0, 0) })
    #expect(sources.map(\.pulls) == [10, 1, 0, 10])
  }

  @Test("callbacks that are not declared safe run on the calling thread, in the order of buses, even with four threads")
  func callingThread() throws {
    let graph = Graph()
    let mix = try graph.add(MultichannelMixer(inputs: 8), as: "mix")
    final class Log: @unchecked Sendable {
      var entries: [(bus: Int, thread: pthread_t)] = []
    }
    let log = Log()
    for bus in 0..<6 {
      let source = FunctionSource(steps(Int64(bus)))
      source.onPull = { log.entries.append((bus, pthread_self())) }
      let low = try graph.add(LowPassFilter(), as: "low\(bus)")
      try graph.connect(try graph.addSource(source, as: "source\(bus)"), to: low)
      try graph.connect(low, to: mix, input: bus)
    }
    // Branches without such callbacks do run elsewhere beside them.
    for bus in 6..<8 {
      let source = FunctionSource(mayRunBesideOthers: true, steps(Int64(bus)))
      try graph.connect(try graph.addSource(source, as: "safe\(bus)"), to: mix, input: bus)
    }
    try graph.connect(mix, to: try graph.add(GenericOutput(), as: "out"))
    let plan = try graph.compile(parallel: true)
    #expect(plan.branchCount == 2)
    let renderer = GraphRenderer(plan, threads: 4, rule: .always)
    _ = try renderer.rendered(total: 2000, in: .slices(of: 200))
    #expect(log.entries.map(\.bus) == (0..<10).flatMap { _ in Array(0..<6) })
    #expect(log.entries.allSatisfy { pthread_equal($0.thread, pthread_self()) != 0 })
  }

  @Test("callbacks that are declared safe can be under way at the same time")
  func together() throws {
    let graph = Graph()
    let mix = try graph.add(MultichannelMixer(inputs: 2), as: "mix")
    // Each says that it has begun, then waits for the other one: alone, neither would come to an end in time.
    nonisolated(unsafe) let meeting = UnsafeMutablePointer<sem_t>.allocate(capacity: 2)
    for index in 0..<2 { sem_init(meeting + index, 0, 0) }
    let met = Mutex(0)
    for bus in 0..<2 {
      let source = FunctionSource(mayRunBesideOthers: true, steps(Int64(bus)))
      source.onPull = {
        sem_post(meeting + bus)
        var limit = timespec()
        clock_gettime(CLOCK_REALTIME, &limit)
        limit.tv_sec += 60
        if sem_timedwait(meeting + 1 - bus, &limit) == 0 { met.withLock { $0 += 1 } }
      }
      try graph.connect(try graph.addSource(source, as: "source\(bus)"), to: mix, input: bus)
    }
    try graph.connect(mix, to: try graph.add(GenericOutput(), as: "out"))
    let signal = try graph.renderer(threads: 2).renderedSignal(total: 100)
    #expect(met.withLock { $0 } == 2)
    #expect(signal[0] == (0..<100).map { steps(0)($0, 0) + steps(1)($0, 0) })
    meeting.deallocate()
  }

  @Test("render notifies hear of every slice before and after, on the calling thread", arguments: [1, 3])
  func notifies(threads: Int) throws {
    let graph = Graph()
    let mix = try graph.add(MultichannelMixer(inputs: 3), as: "mix")
    final class Log: @unchecked Sendable {
      var lines: [String] = []
      var isElsewhere = false
    }
    let log = Log()
    var tokens: [(LowPassFilter, Int)] = []
    for bus in 0..<3 {
      let low = try graph.add(LowPassFilter(), as: "low\(bus)")
      let source = FunctionSource(mayRunBesideOthers: true, steps(1))
      try graph.connect(try graph.addSource(source, as: "source\(bus)"), to: low)
      try graph.connect(low, to: mix, input: bus)
      let caller = pthread_self()
      let token = low.addRenderNotify { phase, time, frames, output in
        if pthread_equal(caller, pthread_self()) == 0 { log.isElsewhere = true }
        log.lines.append("\(bus) \(phase) \(time)+\(frames)\(output == nil ? "" : " sound")")
      }
      tokens.append((low, token))
    }
    try graph.connect(mix, to: try graph.add(GenericOutput(), as: "out"))
    let renderer = try graph.renderer(threads: threads)
    _ = try renderer.rendered(total: 50)
    #expect(log.lines == (0..<3).flatMap { ["\($0) before 0+50", "\($0) after 0+50 sound"] })
    #expect(!log.isElsewhere)
    for (unit, token) in tokens { unit.removeRenderNotify(token) }
    _ = try renderer.rendered(total: 50, from: 50)
    #expect(log.lines.count == 6)
  }

  @Test("what a callback answers ends the render, and its node is named", arguments: [1, 2], [false, true])
  func callbackFails(threads: Int, safe: Bool) throws {
    let graph = Graph()
    let mix = try graph.add(MultichannelMixer(inputs: 3), as: "mix")
    let sources = (0..<3).map { FunctionSource(mayRunBesideOthers: safe, steps(Int64($0))) }
    var heard: [String] = []
    for bus in 0..<3 {
      let unit = try graph.addSource(sources[bus], as: "source\(bus)")
      try graph.connect(unit, to: mix, input: bus)
      if bus == 1 && !safe {
        _ = unit.addRenderNotify { phase, _, _, _ in heard.append("\(phase)") }
      }
    }
    try graph.connect(mix, to: try graph.add(GenericOutput(), as: "out"))
    let renderer = try graph.renderer(threads: threads)
    _ = try renderer.rendered(total: 100)
    heard = []
    sources[1].status = AudioStatus(rawValue: -4711)
    do {
      _ = try renderer.rendered(total: 100, from: 100)
      Issue.record("the render went on")
    } catch {
      let status = try #require(error as? AudioStatus)
      #expect(status.rawValue == -4711)
      let failure = renderer.failure(for: status)
      #expect(failure.kind == .render)
      #expect("\(failure)".contains("node \"source1\"") && "\(failure)".contains("-4711"), "\(failure)")
    }
    if !safe { #expect(heard == ["before", "failed(\(AudioStatus(rawValue: -4711)))"]) }
    // The next slices are none the worse for it.
    sources[1].status = .noError
    let signal = try renderer.renderedSignal(total: 100, from: 200)
    #expect(signal[0] == (200..<300).map { frame in (0..<3).reduce(0) { $0 + steps(Int64($1))(frame, 0) } })
  }

  @Test("a file that breaks off while rendering is named with its node", arguments: [1, 2])
  func fileFails(threads: Int) throws {
    let folder = TemporaryFolder()
    let path = folder.file("cut.wav")
    let frames = 200_000
    let writer = try SoundFileWriter(
      path: path, format: try SoundFileFormat(path: path), sampleRate: 44_100, channelCount: 2,
      expectedFrames: Int64(frames))
    let sound = PlanarBuffer(channelCount: 2, frameCapacity: frames)
    for frame in 0..<frames { sound[0][frame] = steps(1)(Int64(frame), 0) }
    try writer.write(sound.planes, frames: frames)
    _ = try writer.finish()

    let graph = Graph()
    let mix = try graph.add(MultichannelMixer(inputs: 2), as: "mix")
    let whole = try FilePlayer(Fixtures.path("audio/piano.flac"))
    try graph.connect(try graph.add(whole, as: "whole"), to: mix, input: 0)
    try graph.connect(try graph.add(try FilePlayer(path), as: "cut"), to: mix, input: 1)
    try graph.connect(mix, to: try graph.add(GenericOutput(), as: "out"))
    let renderer = try graph.renderer(threads: threads)
    _ = try renderer.rendered(total: 1000)
    #expect(truncate(path, 44 + 4 * 50_000) == 0)
    do {
      _ = try renderer.rendered(total: 100_000, from: 1000)
      Issue.record("the render went on")
    } catch {
      let failure = renderer.failure(for: try #require(error as? AudioStatus))
      #expect(failure.kind == .input, "\(failure)")
      #expect("\(failure)".contains("node \"cut\"") && "\(failure)".contains(path), "\(failure)")
    }
  }

  @Test("a slice longer than the graph's maximum is refused, and nobody is pulled")
  func tooLong() throws {
    let graph = Graph(maximumFramesPerSlice: 128)
    let source = FunctionSource(steps(1))
    try graph.connect(try graph.addSource(source, as: "source"), to: try graph.add(GenericOutput(), as: "out"))
    let renderer = try graph.renderer()
    #expect(throws: AudioStatus.tooManyFramesToProcess) {
      try renderer.render(sampleTime: 0, frames: 129) { _, _, _ in }
    }
    #expect(source.pulls == 0)
    #expect(try renderer.renderedSignal(total: 128, in: .slices(of: 128))[0].count == 128)
    #expect(source.pulls == 1)
  }
}
