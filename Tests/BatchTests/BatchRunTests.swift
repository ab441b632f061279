import AudioCore
import Synchronization
import TestSupport
import Testing

import Batch

@Suite("Many outputs side by side")
struct BatchRunTests {
  private let folder = TemporaryFolder()

  private func plan(_ count: Int) throws -> BatchPlan {
    let files = (0..<count).map { BatchFile(path: folder.file("in\($0)"), folder: "") }
    return try BatchPlan(
      [("", .files(files))], output: NameTemplate(folder.path + "/out/{index}", at: "here"), beside: OutputFiles())
  }

  /// Writes a file that has the input's name in it; every third fails half way.
  private static func work(
    _ task: BatchTask, _ outputs: OutputFiles, _ threads: Int
  ) throws(BenchError) -> BatchRun.Report {
    let file = try AtomicFile(path: task.output, overwrites: true)
    try file.append(Array(task.inputs[0].path.utf8))
    guard !task.inputs[0].path.hasSuffix("3") else {
      file.discard()
      throw BenchError(.input, at: task.inputs[0].path, "is bad")
    }
    try outputs.add(file)
    return BatchRun.Report(seconds: 1, warnings: [], json: .null)
  }

  private func count(_ outcomes: [BatchRun.Outcome]) -> (made: Int, failed: Int, present: Int, left: Int) {
    var count = (made: 0, failed: 0, present: 0, left: 0)
    for outcome in outcomes {
      switch outcome {
      case .made: count.made += 1
      case .failed: count.failed += 1
      case .present: count.present += 1
      case .left: count.left += 1
      }
    }
    return count
  }

  @Test(arguments: [1, 2, 7]) func oneThatFailsLeavesTheOthers(_ threads: Int) throws {
    let told = Atomic(0)
    let run = BatchRun(
      try plan(40), threads: threads, endsAtFailure: false, replaces: true, work: Self.work,
      told: { _, _ in told.add(1, ordering: .relaxed) })
    #expect(count(run.run()) == (36, 4, 0, 0))
    #expect(told.load(ordering: .relaxed) == 40)
    for index in 0..<40 {
      let name = "out/\(index + 1)"
      #expect(folder.exists(name) == !"\(index)".hasSuffix("3"))
      guard folder.exists(name) else { continue }
      #expect(try folder.bytes(name) == Array(folder.file("in\(index)").utf8))
    }
  }

  @Test func theFirstFailureMayBeTheLast() throws {
    let run = BatchRun(
      try plan(40), threads: 1, endsAtFailure: true, replaces: true, work: Self.work, told: { _, _ in })
    #expect(count(run.run()) == (3, 1, 0, 36))
  }

  @Test func whatIsThereMayStay() throws {
    _ = FileSystem.makeFolders(folder.file("out"))
    folder.write("mine", to: "out/1")
    let run = BatchRun(
      try plan(3), threads: 2, endsAtFailure: false, replaces: false, work: Self.work, told: { _, _ in })
    #expect(count(run.run()) == (2, 0, 1, 0))
    #expect(try folder.bytes("out/1") == Array("mine".utf8))
  }

  @Test func fewTasksHaveSeveralThreads() throws {
    let given = Locked<[Int]>([])
    let run = BatchRun(
      try plan(2), threads: 7, endsAtFailure: false, replaces: true,
      work: { (_, _, threads) throws(BenchError) in
        given.withLock { $0.append(threads) }
        return BatchRun.Report(seconds: 0, warnings: [], json: .null)
      }, told: { _, _ in })
    _ = run.run()
    #expect(given.withLock { $0 } == [3, 3])
  }

  @Test func anOutputFolderThatCannotBeMadeFailsItsTasks() throws {
    folder.write("", to: "out")
    let run = BatchRun(
      try plan(2), threads: 1, endsAtFailure: false, replaces: true, work: Self.work, told: { _, _ in })
    #expect(count(run.run()) == (0, 2, 0, 0))
  }
}
