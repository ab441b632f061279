import AudioCore
import BatchRender
import Glibc
import SoundFile
import Synchronization
import TestSupport
import Testing

@Suite("Blocks on their way to a file")
struct SinkQueueTests {
  /// Keeps its input.
  private final class KeptSink: AudioSink, @unchecked Sendable {
    /// Called before each write, with the number of those before.
    var onWrite: (Int) throws(BenchError) -> Void = { _ in }
    private var count = 0
    private(set) var samples: [Float] = []

    func write(_ planes: FloatPlanes, offset: Int, frames: Int) throws(BenchError) {
      count += 1
      try onWrite(count - 1)
      samples += (planes[0] + offset).prefix(frames).elements
    }

    func end() throws(BenchError) -> SoundFileWriteReport? { nil }
    func publish() throws(BenchError) {}
    func discard() {}
  }

  /// Appends 0, 1, 2 … in pieces that fit no block.
  private func fill(_ queue: SinkQueue, blocks: Int, meanwhile: (Int) -> Void = { _ in }) -> [Float] {
    let frames = 1000
    let count = blocks * SinkQueue.blockFrames / frames
    let buffer = PlanarBuffer(channelCount: 1, frameCapacity: frames)
    for turn in 0..<count {
      for frame in 0..<frames { buffer.planes[0][frame] = Float(turn * frames + frame) }
      queue.append(buffer.planes, offset: 0, frames: frames)
      meanwhile(turn * frames / SinkQueue.blockFrames)
    }
    return (0..<count * frames).map(Float.init)
  }

  @Test(
    "A writing thread that gets no processor is done without: the rendering thread writes everything, in order",
    .timeLimit(.minutes(1)))
  func absentWriter() throws {
    let sink = KeptSink()
    let mayCome = Semaphore()
    let queue = SinkQueue(sink, channelCount: 1, isThreaded: true) { mayCome.wait() }
    // More blocks than may wait for the thread: without writing them itself, the rendering thread would never go on.
    let blocks = 4 * SinkQueue.mostBlocks
    let expected = fill(queue, blocks: blocks)
    // All but those that are not yet late.
    let mostKept = SinkHandOver.mostBlocks + SinkHandOver.lateBlocks
    #expect(queue.ownBlockCount >= blocks - 1 - mostKept)
    // It is called once for each time that it was given up.
    #expect(queue.wakeUpCount <= 1 + blocks / SinkHandOver.blocksAlone)
    for _ in 0..<blocks { mayCome.signal() }
    try queue.finish()
    #expect(sink.samples == expected)
    #expect(queue.peaks.channels == [expected.last ?? 0])
  }

  @Test("A writing thread that comes late, again and again, finds the order as it was", .timeLimit(.minutes(1)))
  func lateWriter() throws {
    let sink = KeptSink()
    let mayCome = Semaphore()
    let queue = SinkQueue(sink, channelCount: 1, isThreaded: true) { mayCome.wait() }
    let expected = fill(queue, blocks: 600) { if $0 % 50 == 0 { mayCome.signal() } }
    for _ in 0..<600 { mayCome.signal() }
    try queue.finish()
    #expect(sink.samples == expected)
  }

  @Test("A writing thread at work is waited for, with all blocks full; the order stays", .timeLimit(.minutes(1)))
  func slowWriter() throws {
    let sink = KeptSink()
    let rendering = pthread_self()
    let mayWrite = Semaphore()
    let isHeld = Atomic<Bool>(false)
    sink.onWrite = { _ throws(BenchError) in
      if pthread_equal(pthread_self(), rendering) == 0, !isHeld.exchange(true, ordering: .relaxed) { mayWrite.wait() }
    }
    let queue = SinkQueue(sink, channelCount: 1, isThreaded: true)
    let expected = fill(queue, blocks: 400) { _ in
      // Nothing is written now, until the last block but one is full.
      if isHeld.load(ordering: .relaxed) { mayWrite.signal() }
    }
    try queue.finish()
    #expect(sink.samples == expected)
  }

  @Test(
    "An error of the disk is told, whichever thread was writing", .timeLimit(.minutes(1)), arguments: [true, false])
  func diskError(isAbsent: Bool) throws {
    let sink = KeptSink()
    sink.onWrite = { count throws(BenchError) in
      if count == 30 { throw BenchError(.output, "no space left") }
    }
    let mayCome = Semaphore()
    let queue = SinkQueue(sink, channelCount: 1, isThreaded: true) { if isAbsent { mayCome.wait() } }
    let expected = fill(queue, blocks: 100)
    for _ in 0..<100 { mayCome.signal() }
    let error = #expect(throws: BenchError.self) { try queue.finish() }
    #expect(error?.message == "no space left")
    #expect(sink.samples == Array(expected[..<(30 * SinkQueue.blockFrames)]))
  }

  @Test("What is handed over takes longer than waking the thread is worth")
  func worth() {
    var handOver = SinkHandOver(ofBlocks: 64)
    #expect(handOver.choose(full: 1, isLast: false) == .write, "the first is measured")
    handOver.noteWriting(of: 0.001)
    #expect(handOver.choose(full: 1, isLast: false) == .wake, "so is the first wake-up")
    handOver.noteArrival(after: 0.0005)
    // Five milliseconds of writing for a wake-up.
    for full in 1...4 { #expect(handOver.choose(full: full, isLast: false) == .keep) }
    #expect(handOver.choose(full: 5, isLast: false) == .wake)
    handOver.noteArrival(after: 1)
    #expect(handOver.blocksOfWorth == 5, "one late arrival is not believed")
    handOver.noteArrival(after: 1)
    #expect(handOver.blocksOfWorth == SinkHandOver.mostBlocks)
    for _ in 0..<2 { handOver.noteWriting(of: 10) }
    #expect(handOver.blocksOfWorth == 1)
  }

  @Test("A thread that is late is not called for a while, then once more")
  func lateness() {
    var handOver = SinkHandOver(ofBlocks: 64)
    handOver.noteWriting(of: 1)
    handOver.noteArrival(after: 0.01)
    for _ in 0..<3 {
      #expect(handOver.choose(full: 1, isLast: false) == .wake)
      for full in 2...SinkHandOver.lateBlocks { #expect(handOver.choose(full: full, isLast: false) == .keep) }
      #expect(handOver.choose(full: 1 + SinkHandOver.lateBlocks, isLast: false) == .write)
      #expect(!handOver.isExpected)
      for _ in 0..<SinkHandOver.blocksAlone { #expect(handOver.choose(full: 1, isLast: false) == .write) }
    }
    // Blocks that are few: the thread is given up as soon as the last is full.
    #expect(handOver.choose(full: 1, isLast: false) == .wake)
    #expect(handOver.choose(full: 2, isLast: true) == .write)
  }
}
