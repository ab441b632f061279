import Foundation
import TestSupport
import Testing

@Suite("A traced program cannot end the one that traces it")
struct ForgedTraceTests {
  @Test(
    "it cannot cut the memory that both share, and calls inside of 30,000 others or random bytes in it are drawn and written"
  )
  func forged() throws {
    let folder = TemporaryFolder()
    try TestComponent.compile("forger.c", options: [], to: folder.file("forger"))
    // 5 where the memory could be cut.
    let cut = try Program.run("trace", "-o", "cut.txt", "./forger", "cut", in: folder)
    #expect(cut.code == 0, "\(cut.errors)")
    let deep = try Program.run("trace", "-o", "deep.txt", "./forger", "deep", in: folder)
    #expect(deep.code == 0, "\(deep.errors)")
    let text = String(decoding: try folder.bytes("deep.txt"), as: UTF8.self)
    #expect(text.hasSuffix("\n\n29488 calls more, inside of 512 others or more\n"), "\(text.suffix(200))")
    #expect(text.split(separator: "\n").count == 1 + 1 + 512 + 1)
    let odd = try Program.run("trace", "-o", "odd.txt", "--plot", "odd.svg", "./forger", "odd", in: folder)
    #expect(odd.code == 0, "\(odd.errors)")
    #expect(folder.exists("odd.txt") && folder.exists("odd.svg"))
  }
}
