// The path of one slice: out. Between the rendering thread, which fills blocks, and the thread that measures and writes
// them: several at a time, and none while it does not come (`SinkHandOver`); then the rendering thread writes them.
// With one thread in all, blocks are written as soon as they are full.

import AudioCore
import DSPKernels
import Synchronization

/// Blocks of frames on their way to a sink, with the peak of what went through.
package final class SinkQueue: @unchecked Sendable {
  /// Frames of a block: enough that a file is written at the speed of the disk.
  package static let blockFrames = 8192
  /// So many blocks may wait for a thread that writes more slowly than they are filled, before the rendering thread
  /// does. They are made when they are first needed.
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
  /// One of the two threads writes, outside the lock: in order, until no block is full.
  private var isWriting = false
  /// The rendering thread waits for a block.
  private var isWaiting = false
  private var handOver: SinkHandOver
  private var wokenAt = ContinuousClock.now
  /// The blocks that the rendering thread has written though there is another one, and how often it woke that.
  package private(set) var ownBlockCount = 0
  package private(set) var wakeUpCount = 0

  /// Runs on the writing thread before it takes the lock: tests hold it back there.
  private let arrive: @Sendable () -> Void
  private var measured: SamplePeaks
  /// The peaks of everything written, once closed.
  package var peaks: SamplePeaks { measured }

  package init(
    _ sink: any AudioSink, channelCount: Int, isThreaded: Bool, arrive: @escaping @Sendable () -> Void = {}
  ) {
    self.sink = sink
    self.arrive = arrive
    self.channelCount = channelCount
    measured = SamplePeaks(channelCount: channelCount)
    current = Block(channelCount: channelCount)
    let blockBytes = max(1, channelCount) * Self.blockFrames * MemoryLayout<Float>.size
    mostBlocks = max(4, min(Self.mostBlocks, Self.mostBytes / blockBytes))
    handOver = SinkHandOver(ofBlocks: mostBlocks)
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

  /// Hands the current block on, or writes what is full, and takes a free block: the one that was written last.
  private func pass() {
    guard thread != nil else { return write(current) }
    lock.lock()
    full.append(current)
    if !isWriting {
      switch handOver.choose(full: full.count, isLast: free.isEmpty && blockCount == mostBlocks) {
      case .keep: break
      case .wake:
        wakeUpCount += 1
        wokenAt = .now
        lock.signal()
      case .write:
        ownBlockCount += full.count
        writeFull()
      }
    }
    while free.isEmpty && blockCount == mostBlocks {
      isWaiting = true
      lock.wait()
      isWaiting = false
    }
    let next = free.popLast()
    if next == nil { blockCount += 1 }
    lock.unlock()
    current = next ?? Block(channelCount: channelCount)
  }

  private func serve() {
    arrive()
    lock.lock()
    while true {
      while !isClosed && (isWriting || !handOver.isExpected) {
        lock.wait()
        lock.unlock()
        arrive()
        lock.lock()
      }
      guard !isClosed else { break }
      handOver.noteArrival(after: wokenAt.duration(to: .now) / .seconds(1))
      writeFull()
    }
    lock.unlock()
  }

  /// Writes until no block is full. With the lock held, which others have while a block is written.
  private func writeFull() {
    isWriting = true
    while !full.isEmpty {
      let block = full.removeFirst()
      lock.unlock()
      let start = ContinuousClock.now
      write(block)
      let seconds = start.duration(to: .now) / .seconds(1)
      lock.lock()
      handOver.noteWriting(of: seconds)
      free.append(block)
      if isWaiting { lock.signal() }
    }
    isWriting = false
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
    if !isWriting {
      ownBlockCount += full.count
      writeFull()
    }
    isClosed = true
    lock.signal()
    lock.unlock()
    thread.join()
  }
}
