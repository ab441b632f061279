// Step 10 of the path of one slice: out. Between the rendering thread, which fills blocks, and the thread that measures
// and writes them. With one thread in all, blocks are written as soon as they are full.

import AudioCore
import DSPKernels
import Synchronization

/// Blocks of frames on their way to a sink, with the peak of what went through.
package final class SinkQueue: @unchecked Sendable {
  /// Frames of a block: enough that a file is written at the speed of the disk.
  package static let blockFrames = 8192
  /// A busy machine may keep the writing thread waiting for some milliseconds: so many blocks may wait for it before
  /// the rendering thread does. They are made when they are first needed.
  package static let mostBlocks = 64
  private static let mostBytes = 16 << 20

  private final class Block {
    let planes: PlanarBuffer
    var frames = 0

    init(channelCount: Int) { planes = PlanarBuffer(channelCount: channelCount, frameCapacity: SinkQueue.blockFrames) }
  }

  private let sink: any AudioSink
  private let channelCount: Int
  private let mostBlocks: Int
  private var current: Block
  private var thread: JoinedThread?
  private let failure = Locked<BenchError?>(nil)
  private let hasFailed = Atomic<Bool>(false)

  private let lock = ConditionLock()
  // Under the lock.
  private var full: [Block] = []
  private var free: [Block] = []
  private var blockCount = 1
  private var isClosed = false

  private var measured: SamplePeaks
  /// The peaks of everything written, once closed.
  package var peaks: SamplePeaks { measured }

  package init(_ sink: any AudioSink, channelCount: Int, isThreaded: Bool) {
    self.sink = sink
    self.channelCount = channelCount
    measured = SamplePeaks(channelCount: channelCount)
    current = Block(channelCount: channelCount)
    let blockBytes = max(1, channelCount) * Self.blockFrames * MemoryLayout<Float>.size
    mostBlocks = max(4, min(Self.mostBlocks, Self.mostBytes / blockBytes))
    if isThreaded { thread = JoinedThread(of: self) { $0.serve() } }
  }

  deinit { close() }

  /// Takes frames of planes, from frame `offset` of each on. May wait and write: never part of a render call.
  package func append(_ planes: FloatPlanes, offset: Int, frames: Int) {
    var done = 0
    while done < frames {
      let count = min(frames - done, Self.blockFrames - current.frames)
      for channel in 0..<channelCount {
        MixKernels.copy(
          current.planes.planes[channel] + current.frames, planes[channel] + offset + done, frames: count)
      }
      current.frames += count
      done += count
      if current.frames == Self.blockFrames { pass() }
    }
  }

  /// Throws what the sink has thrown, as soon as that is known.
  func check() throws(BenchError) {
    guard hasFailed.load(ordering: .acquiring), let error = failure.withLock({ $0 }) else { return }
    throw error
  }

  /// Writes what is left and ends the thread. Afterwards the peaks are final.
  package func finish() throws(BenchError) {
    if current.frames > 0 { pass() }
    close()
    try check()
  }

  /// Hands the current block on and takes a free one: the one that was written last, as long as the writing thread
  /// keeps up.
  private func pass() {
    guard thread != nil else { return write(current) }
    lock.lock()
    full.append(current)
    lock.signal()
    while free.isEmpty && blockCount == mostBlocks { lock.wait() }
    let next = free.popLast()
    if next == nil { blockCount += 1 }
    lock.unlock()
    current = next ?? Block(channelCount: channelCount)
  }

  private func serve() {
    lock.lock()
    while true {
      while full.isEmpty && !isClosed { lock.wait() }
      guard !full.isEmpty else { break }
      let block = full.removeFirst()
      lock.unlock()
      write(block)
      lock.lock()
      free.append(block)
      lock.signal()
    }
    lock.unlock()
  }

  private func write(_ block: Block) {
    let frames = block.frames
    block.frames = 0
    guard !hasFailed.load(ordering: .acquiring) else { return }
    measured.measure(block.planes.planes, frames: frames)
    do throws(BenchError) {
      try sink.write(block.planes.planes, offset: 0, frames: frames)
    } catch {
      failure.withLock { $0 = error }
      hasFailed.store(true, ordering: .releasing)
    }
  }

  private func close() {
    guard let thread else { return }
    self.thread = nil
    lock.lock()
    isClosed = true
    lock.signal()
    lock.unlock()
    thread.join()
  }
}
