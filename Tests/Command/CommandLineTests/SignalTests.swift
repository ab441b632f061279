import Glibc
import TestSupport
import Testing

@Suite struct SignalTests {
  /// A render that would go on for hours, into a folder of its own.
  private func start() throws -> (process: Program.Running, output: TemporaryFolder) {
    let folder = TemporaryFolder()
    let output = TemporaryFolder()
    folder.write(WaveFile.noise(channels: 2, frames: 100_000).bytes, to: "in.wav")
    folder.write(GraphText.endless("in.wav"), to: "g.json")
    let line = [
      Program.path, "render", "g.json", "-o", output.file("x.wav"), "--seconds", "360000", "--json", "--tap",
      "p=" + output.file("tap.wav"),
    ]
    return (try Program.Running(line, in: folder), output)
  }

  @Test(arguments: [SIGINT, SIGTERM, SIGHUP])
  func aSignalEndsARenderWithItsCodeAndLeavesNothing(_ signal: Int32) throws {
    let (process, output) = try start()
    #expect(process.waitUntilWriting(in: output))
    kill(process.pid, signal)
    let result = try process.wait()
    #expect(result.code == 128 + signal, "\(result.errors)")
    #expect(result.errors.contains("nothing was written"))
    #expect(try result.value("error.kind") as? String == "interrupted")
    #expect(try result.value("error.exitCode") as? Int32 == 128 + signal)
    #expect(output.names.isEmpty)
  }

  @Test func aKilledRenderLeavesNothingUnderTheNameOfTheOutput() throws {
    let (process, output) = try start()
    output.write("precious", to: "x.wav")
    #expect(process.waitUntilWriting(in: output))
    kill(process.pid, SIGKILL)
    #expect(try process.wait().code == 1000 + SIGKILL)
    #expect(try output.bytes("x.wav") == Array("precious".utf8))
    #expect(!output.exists("tap.wav"))
  }
}
