import AudioCore
import BatchRender
import SoundFile
import TestSupport
import Testing

@Suite("Blocks on their way to a file")
struct SinkQueueTests {
  /// Writes nothing until the test allows it, then keeps its input.
  private final class HeldSink: AudioSink, @unchecked Sendable {
    let mayWrite = Semaphore()
    private var isFirst = true
    private(set) var samples: [Float] = []

    func write(_ planes: FloatPlanes, offset: Int, frames: Int) throws(BenchError) {
      if isFirst { mayWrite.wait() }
      isFirst = false
      samples += UnsafeBufferPointer(start: planes[0] + offset, count: frames)
    }

    func end() throws(BenchError) -> SoundFileWriteReport? { nil }
    func publish() throws(BenchError) {}
    func discard() {}
  }

  @Test(
    "A writing thread that gets no processor for a while does not hold up the rendering thread; the order stays",
    .timeLimit(.minutes(1)))
  func lateWriter() throws {
    let sink = HeldSink()
    let queue = SinkQueue(sink, channelCount: 1, isThreaded: true)
    let frames = 1000
    let count = (SinkQueue.mostBlocks - 2) * SinkQueue.blockFrames / frames
    let buffer = PlanarBuffer(channelCount: 1, frameCapacity: frames)
    for turn in 0..<count {
      for frame in 0..<frames { buffer.planes[0][frame] = Float(turn * frames + frame) }
      queue.append(buffer.planes, offset: 0, frames: frames)
    }
    sink.mayWrite.signal()
    try queue.finish()
    #expect(sink.samples == (0..<count * frames).map(Float.init))
    #expect(queue.peaks.channels == [Float(count * frames - 1)])
  }
}
