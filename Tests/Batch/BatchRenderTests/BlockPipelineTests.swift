import AudioCore
import BatchRender
import Synchronization
import Testing

/// Work that writes down what is done with each block, and holds every promise that the pipeline makes to it.
private final class WatchedWork: BlockWork, @unchecked Sendable {
  let partCount: Int
  let hasOrderedParts: Bool
  let slotCount: Int
  let failsReading: Int?
  let failsWriting: Int?
  private let log: Locked<Log>

  struct Log {
    var read: [Int] = []
    var written: [Int] = []
    var parts: [Int: [Int]] = [:]
    var isReading = false
    var isWriting = false
    var broken: [String] = []
  }

  init(parts: Int, ordered: Bool, slots: Int, failsReading: Int? = nil, failsWriting: Int? = nil) {
    partCount = parts
    hasOrderedParts = ordered
    slotCount = slots
    self.failsReading = failsReading
    self.failsWriting = failsWriting
    log = Locked(Log())
  }

  var result: Log { log.withLock { $0 } }

  private func pause(_ block: Int) {
    for _ in 0..<(block * 7919 % 13 * 200) { _ = Atomic<Int>(0).load(ordering: .relaxed) }
  }

  func read(_ block: Int) throws(BenchError) {
    log.withLock { log in
      if log.isReading { log.broken.append("two read at once") }
      if block != log.read.count { log.broken.append("read \(block) behind \(log.read.count) blocks") }
      if block - log.written.count >= slotCount {
        log.broken.append("block \(block) overwrites one that is not written")
      }
      log.isReading = true
    }
    pause(block)
    log.withLock { log in
      log.isReading = false
      log.read.append(block)
    }
    if block == failsReading { throw BenchError(.input, "cannot read \(block)") }
  }

  func work(_ block: Int, part: Int) {
    log.withLock { log in
      if !log.read.contains(block) { log.broken.append("worked on \(block) before it was read") }
      if hasOrderedParts, block > 0, log.parts[block - 1]?.contains(part) != true {
        log.broken.append("part \(part) of \(block) before that of \(block - 1)")
      }
      if log.parts[block]?.contains(part) == true { log.broken.append("part \(part) of \(block) twice") }
    }
    pause(block + part)
    log.withLock { $0.parts[block, default: []].append(part) }
  }

  func write(_ block: Int) throws(BenchError) {
    log.withLock { log in
      if log.isWriting { log.broken.append("two write at once") }
      if block != log.written.count { log.broken.append("wrote \(block) behind \(log.written.count) blocks") }
      if log.parts[block, default: []].count != partCount { log.broken.append("wrote \(block) before all its parts") }
      log.isWriting = true
    }
    pause(block)
    if block == failsWriting { throw BenchError(.output, "cannot write \(block)") }
    log.withLock { log in
      log.isWriting = false
      log.written.append(block)
    }
  }
}

@Suite("Blocks go through a pipeline")
struct BlockPipelineTests {
  @Test("each is read, worked on and written once, in order, by any number of threads", arguments: [1, 2, 3, 7])
  func order(threads: Int) throws {
    for blocks in [0, 1, 2, 40] {
      for parts in [0, 1, 2, 5] {
        for ordered in [false, true] {
          let slots = BlockPipeline.slotCount(threads: threads)
          let work = WatchedWork(parts: parts, ordered: ordered, slots: slots)
          var progress: [Int] = []
          try BlockPipeline(work, blocks: blocks, slots: slots, threads: threads).run { progress.append($0) }
          let log = work.result
          #expect(log.broken.isEmpty)
          #expect(log.read == Array(0..<blocks) && log.written == Array(0..<blocks))
          #expect(log.parts.values.allSatisfy { $0.sorted() == Array(0..<parts) })
          #expect(progress == progress.sorted() && progress.allSatisfy { $0 < max(1, blocks) })
        }
      }
    }
  }

  @Test("the first error ends it, wherever it comes from", arguments: [1, 2, 4])
  func errors(threads: Int) {
    let slots = BlockPipeline.slotCount(threads: threads)
    for failing in [0, 1, 9] {
      for place in ["reading", "writing", "progress"] {
        let work = WatchedWork(
          parts: 2, ordered: false, slots: slots, failsReading: place == "reading" ? failing : nil,
          failsWriting: place == "writing" ? failing : nil)
        let error = #expect(throws: BenchError.self) {
          try BlockPipeline(work, blocks: 10, slots: slots, threads: threads).run { (written) throws(BenchError) in
            if place == "progress" { throw BenchError(.interrupted, "enough at \(written)") }
          }
        }
        #expect(error?.kind == (place == "reading" ? .input : place == "writing" ? .output : .interrupted))
        #expect(work.result.written.count <= (place == "progress" ? 10 : failing))
        #expect(work.result.broken.isEmpty)
      }
    }
  }
}
