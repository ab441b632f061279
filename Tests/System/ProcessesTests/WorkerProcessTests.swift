import AudioCore
import Glibc
import Processes
import TestSupport
import Testing

@Suite("A program that is given one piece of work after another")
struct WorkerProcessTests {
  private func worker(_ script: String) throws -> WorkerProcess { try WorkerProcess(["sh", "-c", script]) }

  private func text(_ answer: WorkerProcess.Answer) -> String {
    switch answer {
    case .line(let line): ByteText.string(line)
    case .ended(let end): "\(end)"
    }
  }

  @Test func answersEachInTurn() throws {
    let worker = try worker("while read -r line; do echo \"log $line\" >&2; echo \"$line!\" >&3; echo out; done")
    // More than a pipe holds.
    for word in ["one", String(repeating: "x", count: 200_000), "two"] {
      worker.send(Array(word.utf8))
      #expect(text(worker.answer(patienceSeconds: 30)) == word + "!")
      if word == "one" { #expect(worker.takeErrors() == "log one\n") }
    }
    // The end of it is kept.
    #expect(worker.takeErrors().hasSuffix("xxx\nlog two\n"))
  }

  @Test func thatEndsIsToldWithItsLastWords() throws {
    let worker = try worker("read -r line; echo half >&3; echo why >&2; kill -SEGV $$")
    worker.send(Array("go".utf8))
    #expect(text(worker.answer(patienceSeconds: 30)) == "half")
    guard case .ended(.signalled(let number, let name)) = worker.answer(patienceSeconds: 30) else {
      Issue.record("it has not ended by a signal")
      return
    }
    #expect(number == SIGSEGV && name == "SIGSEGV" && worker.takeErrors() == "why\n")
    // No process is there to take it, which ends none.
    worker.send(Array("more".utf8))
  }

  @Test func thatSaysNothingIsEndedWithAllThatItHasStarted() throws {
    let folder = TemporaryFolder()
    let worker = try worker("sleep 1000 & echo $! > '\(folder.file("pid"))'; echo ready >&3; sleep 1000")
    #expect(text(worker.answer(patienceSeconds: 30)) == "ready")
    guard case .ended(.timedOut) = worker.answer(patienceSeconds: 0.2) else {
      Issue.record("it was not ended")
      return
    }
    let pid = try #require(Int32(String(decoding: folder.bytes("pid"), as: UTF8.self).dropLast()))
    #expect(kill(pid, 0) != 0)
  }

  @Test func goesWithItsOwner() throws {
    var pid: Int32 = 0
    do {
      let worker = try worker("echo $$ >&3; sleep 1000")
      pid = try #require(Int32(text(worker.answer(patienceSeconds: 30))))
      #expect(kill(pid, 0) == 0)
    }
    #expect(kill(pid, 0) != 0)
  }

  @Test func thatIsNotThereIsAnError() {
    #expect(throws: ChildProcess.StartFailure.self) { try WorkerProcess(["/no/such/program"]) }
  }
}
