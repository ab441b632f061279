import Foundation
import TestSupport
import Testing

@Suite("Random calls of the whole C interface neither crash, hang nor leave anything behind", .serialized)
struct InterfaceFuzzTests {
  /// Some of what `make fuzz` does; a seed that has once found something stays in the list.
  @Test("with one thread and with four", arguments: [(1, 1, 30_000), (2, 1, 30_000), (21, 4, 60_000), (22, 4, 60_000)])
  func calls(seed: Int, threads: Int, calls: Int) throws {
    let program = Installation.buildFolder.appending(path: "interface-fuzz").path
    let files = ["drums.flac", "guitar.flac"].map { "\(Repository.path)/fixtures/audio/\($0)" }
    let run = try Finished(program, ["\(seed)", "\(calls)", "\(threads)"] + files)
    #expect(run.code == 0, "\(run.errors.suffix(4000))")
    #expect(run.output.contains("seed \(seed): \(calls) calls"), "\(run.output)")
  }

  @Test("the calls are those of the headers")
  func isNew() throws {
    let run = try Finished("\(Repository.path)/Scripts/make-function-client", ["--check"])
    #expect(run.code == 0, "\(run.errors)")
  }
}
