// Step 10 of the path of one slice: out. Between the rendering thread, which fills blocks, and the thread that measures
// and writes them. With one thread in all, blocks are written as soon as they are full.

import AudioCore
import DSPKernels
import Synchronization

/// Blocks of frames on their way to a sink, with the peak of what went through.
final class SinkQueue: @unchecked Sendable {
  /// Frames of a block: enough that a file is written at the speed of the disk.
  static let blockFrames = 8192
  private static let blockCount = 4

  private let sink: any AudioSink
  private let channelCount: Int
  private let blocks: [PlanarBuffer]
  /// Frames in each block: written by one side at a time, as the semaphores say.
  private let counts = FlatMemory(repeating: 0, count: SinkQueue.blockCount)
  private var current = 0
  private var filled = 0
  private let free = Semaphore(count: SinkQueue.blockCount)
  private let full = Semaphore()
  private var thread: JoinedThread?
  private let failure = Locked<BenchError?>(nil)
  private let hasFailed = Atomic<Bool>(false)
  private let isClosed = Atomic<Bool>(false)
  private var next = 0

  private var measured: SamplePeaks
  /// Of what has gone through, once closed.
  var peaks: SamplePeaks { measured }

  init(_ sink: any AudioSink, channelCount: Int, isThreaded: Bool) {
    self.sink = sink
    self.channelCount = channelCount
    measured = SamplePeaks(channelCount: channelCount)
    blocks = (0..<Self.blockCount).map { _ in
      PlanarBuffer(channelCount: channelCount, frameCapacity: Self.blockFrames)
    }
    if isThreaded { thread = JoinedThread(of: self) { $0.serve() } }
    free.wait()
  }

  deinit { close() }

  /// Takes frames of planes, from frame `offset` of each on. May wait and write: never part of a render call.
  func append(_ planes: FloatPlanes, offset: Int, frames: Int) {
    var done = 0
    while done < frames {
      let count = min(frames - done, Self.blockFrames - filled)
      for channel in 0..<channelCount {
        MixKernels.copy(
          blocks[current].planes[channel] + filled, planes[channel] + offset + done, frames: count)
      }
      filled += count
      done += count
      if filled == Self.blockFrames { pass() }
    }
  }

  /// Throws what the sink has thrown, as soon as that is known.
  func check() throws(BenchError) {
    guard hasFailed.load(ordering: .acquiring), let error = failure.withLock({ $0 }) else { return }
    throw error
  }

  /// Writes what is left and ends the thread. Afterwards the peaks are final.
  func finish() throws(BenchError) {
    if filled > 0 { pass() }
    close()
    try check()
  }

  /// Hands the current block on and takes a free one.
  private func pass() {
    counts.start[current] = filled
    filled = 0
    if thread != nil {
      full.signal()
      free.wait()
    } else {
      write(current)
    }
    current = (current + 1) % Self.blockCount
  }

  private func serve() {
    while true {
      full.wait()
      if isClosed.load(ordering: .acquiring) && next == current && counts.start[next] == 0 { return }
      write(next)
      next = (next + 1) % Self.blockCount
      free.signal()
    }
  }

  private func write(_ index: Int) {
    let block = blocks[index]
    let frames = counts.start[index]
    counts.start[index] = 0
    guard !hasFailed.load(ordering: .acquiring) else { return }
    measured.measure(block.planes, frames: frames)
    do throws(BenchError) {
      try sink.write(block.planes, offset: 0, frames: frames)
    } catch {
      failure.withLock { $0 = error }
      hasFailed.store(true, ordering: .releasing)
    }
  }

  private func close() {
    guard let thread else { return }
    self.thread = nil
    isClosed.store(true, ordering: .releasing)
    full.signal()
    thread.join()
  }
}
