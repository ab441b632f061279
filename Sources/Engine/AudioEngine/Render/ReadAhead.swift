// Between the thread that reads a file and the thread that renders: a ring of frames. The render thread only copies
// from it. Offline it waits where it must, and never drops or inserts a frame.

import AudioCore
import Synchronization

/// A ring of frames ahead of a file player, filled by the thread that prefetches, or by its own thread when the player
/// has no frames left.
package final class ReadAhead: @unchecked Sendable {
  private let stream: any FrameStream
  private let ring: PlanarBuffer
  private let mask: Int64
  private let capacity: Int64
  private let channelCount: Int
  private let speed: Double
  /// Frames of the stream before this one are in the ring; written by the filling side.
  private let head = Atomic<Int64>(0)
  /// Frames before this one are free to be overwritten; written by the render thread.
  private let tail = Atomic<Int64>(0)
  /// The frame that the render thread will presumably want next: behind the last one it copied or borrowed.
  private let next = Atomic<Int64>(0)
  /// The frame that the render thread jumps to next, or −1.
  private let seekTarget = Atomic<Int64>(-1)
  private let isStarving = Atomic<Bool>(false)
  private let isFailed = Atomic<Bool>(false)
  private let isClosed = Atomic<Bool>(false)
  private let hasHostCode = Atomic<Bool>(false)
  private let filling = Locked<BenchError?>(nil)
  private let wake = Semaphore()
  private let filled = Semaphore()
  private var thread: JoinedThread?
  /// Pointers into the ring, for ``lend(from:frames:)``.
  private let lent: StreamPointers

  /// Frames that are read at once: enough for the file's sake, few enough to be still in the cache when they are used.
  package static let blockFrames = 4096

  /// Frames that are read beyond a slice: what filters look ahead that stand between the player and the output.
  static let lookAheadFrames = 512

  /// Frames that the ring holds: a power of two, and twice the longest slice at least.
  private static func capacity(_ maximumFrames: Int, speed: Double) -> Int64 {
    let least = 2 * frames(Int64(maximumFrames), speed: speed)
    var capacity = Int64(2 * blockFrames)
    while capacity < least { capacity *= 2 }
    return capacity
  }

  /// At most 2⁴⁸, which no memory holds: conversions to rates of nearly 0 have such speeds.
  private static func frames(_ frames: Int64, speed: Double) -> Int64 {
    Int64(clamping: min(0x1p48, (Double(frames) * speed).rounded(.up)))
  }

  /// About how many bytes a ring takes, with the thread that fills it.
  package static func memoryBytes(channelCount: Int, maximumFrames: Int, speed: Double) -> Int {
    MemoryBudget.sum(
      MemoryBudget.product(channelCount, 4, Int(capacity(maximumFrames, speed: speed)) + 16), 64 << 10)
  }

  /// - Parameters:
  ///   - maximumFrames: the longest slice of the graph's output.
  ///   - speed: the most frames that are pulled for each frame of the output.
  /// - Throws: `.render` where the system gives no more threads.
  package init(_ stream: any FrameStream, maximumFrames: Int, speed: Double) throws(BenchError) {
    self.stream = stream
    self.speed = speed
    channelCount = stream.channelCount
    lent = StreamPointers(count: stream.channelCount)
    capacity = Self.capacity(maximumFrames, speed: speed)
    mask = capacity - 1
    ring = PlanarBuffer(channelCount: channelCount, frameCapacity: Int(capacity))
    thread = JoinedThread(of: self, stackBytes: 1 << 18) { $0.serve() }
    guard thread != nil else {
      throw BenchError(
        .render, "the system gives no more threads for reading ahead",
        advice: "raise the limit (ulimit -u), or play fewer files")
    }
  }

  deinit {
    if let thread {
      isClosed.store(true, ordering: .releasing)
      wake.signal()
      thread.join()
    }
  }

  /// The error of reading, once ``copy(from:frames:into:offset:)`` has failed.
  package var failure: BenchError? { isFailed.load(ordering: .acquiring) ? filling.withLock { $0 } : nil }

  /// True when functions of a host run while the player reads or plays.
  package var runsHostCode: Bool { hasHostCode.load(ordering: .acquiring) }
  /// Says that they will. For good.
  package func noteHostCode() { hasHostCode.store(true, ordering: .releasing) }

  /// The frame behind the last one that was copied. For the render thread: behind a failure, where it begins.
  package var position: Int64 { next.load(ordering: .relaxed) }

  // MARK: The filling side

  /// Reads what a slice of `frames` frames asks for, and what filters look ahead, ahead of the render thread, block by
  /// block. Not for the render thread.
  package func prefetch(frames: Int) {
    let asked = Self.frames(Int64(frames), speed: speed)
    filling.withLock { failure in fill(&failure, frames: asked + Int64(Self.lookAheadFrames)) }
  }

  /// Changes the stream while no thread reads from it. Not for the render thread.
  package func edit<Result>(_ body: () -> Result) -> Result { filling.withLock { _ in body() } }

  /// Forgets what has been read and what went wrong; `body` gets the number of the next frame to be read. Not while the
  /// render thread is in a call.
  package func restart(_ body: (_ position: Int64) -> Void) {
    filling.withLock { failure in
      let position = head.load(ordering: .relaxed)
      seekTarget.store(-1, ordering: .relaxed)
      tail.store(position, ordering: .relaxed)
      next.store(position, ordering: .relaxed)
      failure = nil
      isFailed.store(false, ordering: .releasing)
      body(position)
    }
  }

  private func fill(_ failure: inout BenchError?, frames: Int64) {
    guard failure == nil else { return }
    // The same bits on whichever thread reads: converted rates are sound as well.
    let former = FlushToZero.enter()
    defer { FlushToZero.leave(former) }
    do throws(BenchError) {
      let target = seekTarget.load(ordering: .acquiring)
      if target >= 0 {
        try stream.seek(to: target)
        head.store(target, ordering: .relaxed)
        // Only now: the render thread takes this for word that the head is the new one.
        seekTarget.store(-1, ordering: .releasing)
      }
      var position = head.load(ordering: .relaxed)
      let used = tail.load(ordering: .acquiring)
      let ahead = next.load(ordering: .acquiring)
      let wanted = min(ahead > .max - frames ? .max : ahead + frames, used > .max - capacity ? .max : used + capacity)
      let end = min(wanted, stream.knownEnd)
      while position < end {
        let offset = Int(position & mask)
        let count = min(
          Self.blockFrames, Int(capacity) - offset, Int(capacity - (position - used)),
          Int(clamping: stream.knownEnd - position))
        do throws(BenchError) {
          try stream.produce(into: ring.planes, offset: offset, frames: count)
        } catch {
          head.store(position + Int64(stream.framesBeforeFailure), ordering: .releasing)
          throw error
        }
        position += Int64(count)
        head.store(position, ordering: .releasing)
      }
    } catch {
      failure = error
      isFailed.store(true, ordering: .releasing)
    }
  }

  private func serve() {
    while true {
      wake.wait()
      if isClosed.load(ordering: .acquiring) { return }
      prefetch(frames: Self.blockFrames)
      if isStarving.exchange(false, ordering: .acquiringAndReleasing) { filled.signal() }
    }
  }

  // MARK: The render side

  /// Copies frames `frame` and following; waits until they have been read.
  ///
  /// - Throws: `.invalidFile` where the file could not be read; see ``failure``.
  package func copy(
    from frame: Int64, frames: Int, into planes: FloatPlanes, offset: Int
  ) throws(AudioStatus) {
    if frame != next.load(ordering: .relaxed) { try jump(to: frame) }
    var done = 0
    while done < frames {
      let position = frame + Int64(done)
      let available = head.load(ordering: .acquiring) - position
      guard available > 0 else {
        try waitForFrames()
        continue
      }
      let at = Int(position & mask)
      let count = min(frames - done, Int(available), Int(capacity) - at)
      for channel in 0..<channelCount {
        (planes[channel] + offset + done).update(from: ring.planes[channel] + at, count: count)
      }
      done += count
      tail.store(position + Int64(count), ordering: .releasing)
      next.store(position + Int64(count), ordering: .releasing)
    }
  }

  /// The ring's memory with frames `frame` and following, where they have been read and lie in one piece; nil
  /// otherwise.
  ///
  /// It is not read into again until frames behind it are needed. The same frames are not lent twice: the reader may
  /// have written over them.
  package func lend(from frame: Int64, frames: Int) -> BusBuffer? {
    let at = Int(frame & mask)
    guard frame >= next.load(ordering: .relaxed), head.load(ordering: .acquiring) >= frame + Int64(frames),
      at + frames <= Int(capacity)
    else {
      return nil
    }
    tail.store(frame, ordering: .releasing)
    next.store(frame + Int64(frames), ordering: .releasing)
    return lent.bus(ring.planes, from: at)
  }

  private func jump(to frame: Int64) throws(AudioStatus) {
    let head = head.load(ordering: .acquiring)
    if frame > next.load(ordering: .relaxed) && frame <= head {
      tail.store(frame, ordering: .releasing)
      next.store(frame, ordering: .releasing)
      return
    }
    tail.store(frame, ordering: .relaxed)
    next.store(frame, ordering: .relaxed)
    seekTarget.store(frame, ordering: .releasing)
    while seekTarget.load(ordering: .acquiring) >= 0 { try waitForFrames() }
  }

  private func waitForFrames() throws(AudioStatus) {
    if isFailed.load(ordering: .acquiring) { throw .invalidFile }
    isStarving.store(true, ordering: .releasing)
    wake.signal()
    filled.wait()
    if isFailed.load(ordering: .acquiring) { throw .invalidFile }
  }
}
