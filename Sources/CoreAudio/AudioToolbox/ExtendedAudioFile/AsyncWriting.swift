// ExtAudioFileWriteAsync: a ring that the caller's thread fills, without locks, allocations or waiting, and a thread of
// its own that empties it into the file. Made off the render thread, by the priming call. If the hardware's clock is
// not the real one, waiting is not audible, and lost frames would differ from run to run: then it waits.

import AudioCore
import AudioEngine
import CAudioToolbox
import Glibc
import Hardware
import Synchronization

final class AsyncWriting: @unchecked Sendable {
  private let writing: ClientWriting
  private let ring: StreamBuffer
  private let buffers: ClientBuffers
  /// Frames ever put in and taken out; only the caller's thread moves the one, only the other thread the other.
  private let putIn = Atomic<Int>(0)
  private let takenOut = Atomic<Int>(0)
  private let failure = Atomic<Int32>(0)
  private let isEnding = Atomic<Bool>(false)
  /// A thread is putting frames in: there is room for one.
  private let isBusy = Atomic<Bool>(false)
  private let wake = Semaphore()
  /// True while the caller waits for room, and the semaphore for that.
  private let isWaiting = Atomic<Bool>(false)
  private let hasRoom = Semaphore()
  private let paces: SimulatedHardware
  /// The thread that empties the ring: it does not wait.
  private let writer = Atomic<UInt>(0)
  private var thread: JoinedThread?

  /// Frames that may wait: 2.7 seconds at 48 kHz; fewer of very many channels.
  static func capacity(_ format: StreamFormat) -> Int {
    max(8_192, min(131_072, (64 << 20) / (format.bytesPerFrame * format.bufferCount)))
  }
  private let capacity: Int

  /// - Throws: 'wht?' where no thread can be had.
  init(_ writing: ClientWriting, at hardware: SimulatedHardware = .shared) throws(AudioStatus) {
    self.writing = writing
    paces = hardware
    capacity = Self.capacity(writing.clientFormat)
    ring = StreamBuffer(format: writing.clientFormat, frameCapacity: capacity)
    buffers = ClientBuffers(format: writing.clientFormat)
    thread = JoinedThread { self.run() }
    guard thread != nil else { throw .fileUnspecified }
  }

  /// Takes frames over, on a render thread.
  /// - Throws: −66569 for more than ever fit, −66570 where the file is too slow or another thread is writing, and what
  ///   an earlier write ended in.
  func write(_ frames: Int, from data: UnsafePointer<AudioBufferList>) throws(AudioStatus) {
    guard !isBusy.exchange(true, ordering: .acquiring) else { throw .extAsyncOverflow }
    defer { isBusy.store(false, ordering: .releasing) }
    try ensureSuccess(failure.load(ordering: .acquiring))
    guard !isEnding.load(ordering: .acquiring) else { throw .extOperationOrder }
    guard frames <= capacity else { throw .extAsyncTooLarge }
    let at = putIn.load(ordering: .relaxed)
    while at - takenOut.load(ordering: .acquiring) > capacity - frames {
      guard paces.configuration.clock != .real, writer.load(ordering: .relaxed) != UInt(pthread_self()) else {
        throw .extAsyncOverflow
      }
      isWaiting.store(true, ordering: .sequentiallyConsistent)
      if at - takenOut.load(ordering: .sequentiallyConsistent) > capacity - frames { hasRoom.wait() }
      isWaiting.store(false, ordering: .relaxed)
    }
    try ensureSuccess(failure.load(ordering: .acquiring))
    guard try buffers.attach(UnsafeMutablePointer(mutating: data)) >= frames else { throw .parameterError }
    let first = min(frames, capacity - at % capacity)
    copy(from: 0, to: at % capacity, frames: first)
    if first < frames { copy(from: first, to: 0, frames: frames - first) }
    putIn.store(at + frames, ordering: .releasing)
    wake.signal()
  }

  /// Waits until everything is in the file; nothing can be written afterwards.
  /// - Throws: the error of a write.
  func finish() throws(AudioStatus) {
    guard let thread else { return }
    isEnding.store(true, ordering: .releasing)
    wake.signal()
    self.thread = nil
    // A client's function that the thread itself calls does not wait for it.
    thread.join()
    try ensureSuccess(failure.load(ordering: .acquiring))
  }

  private func copy(from source: Int, to target: Int, frames: Int) {
    ring.bus.copy(
      from: buffers.bus, sourceFrame: source, toFrame: target, frames: frames,
      bytesPerFrame: ring.format.bytesPerFrame)
  }

  private func run() {
    writer.store(UInt(pthread_self()), ordering: .relaxed)
    // The name of this thread in debuggers.
    let name = FileSystem.open("/proc/thread-self/comm", O_WRONLY)
    if name >= 0 {
      writeAll("aubench-ring", to: name)
      close(name)
    }
    let bytes = ring.format.bytesPerFrame
    let pointers = StreamPointers(count: ring.bus.count)
    while true {
      let isLast = isEnding.load(ordering: .acquiring)
      let end = putIn.load(ordering: .acquiring)
      var at = takenOut.load(ordering: .relaxed)
      while at < end {
        let frames = min(end - at, capacity - at % capacity)
        let place = pointers.bus(ring.bus, from: at % capacity, bytesPerFrame: bytes)
        if failure.load(ordering: .relaxed) == 0 {
          do throws(AudioStatus) {
            try writing.write(frames, from: place) { frames in place.advance(by: frames * bytes) }
          } catch {
            failure.store(error.rawValue, ordering: .releasing)
          }
        }
        at += frames
        takenOut.store(at, ordering: .sequentiallyConsistent)
        if isWaiting.exchange(false, ordering: .sequentiallyConsistent) { hasRoom.signal() }
      }
      if isLast { return }
      wake.wait()
    }
  }
}
