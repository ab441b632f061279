import Foundation
import Glibc
import TestSupport
import Testing

/// A program on a terminal of its own (a pseudoterminal), as wide as a test likes.
enum Terminal {
  /// The output on the terminal, and the exit code. Ends the program after a while.
  static func run(_ words: [String], columns: UInt16, in folder: TemporaryFolder) throws -> (
    code: Int32, output: String
  ) {
    // As posix_openpt, unlockpt and ptsname do, for which Swift's Glibc has no names: TIOCSPTLCK and TIOCGPTN.
    let outer = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
    var (unlocked, number): (Int32, UInt32) = (0, 0)
    try #require(outer >= 0 && ioctl(outer, 0x4004_5431, &unlocked) == 0 && ioctl(outer, 0x8004_5430, &number) == 0)
    defer { close(outer) }
    var size = winsize(ws_row: 24, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
    try #require(ioctl(outer, UInt(TIOCSWINSZ), &size) == 0)
    let name = "/dev/pts/\(number)"
    // Kept open, so that the last words are there when the program has ended.
    let inner = open(name, O_RDWR | O_NOCTTY | O_CLOEXEC)
    try #require(inner >= 0)
    let line =
      "export TERM=xterm; unset NO_COLOR; cd \"$2\" && shift 2 && exec timeout 60 \"$@\" < \"$0\" > \"$0\" 2> \"$0\""
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/sh")
    process.arguments = ["-c", line, name, "-", folder.path] + words
    try process.run()
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65_536)
    _ = fcntl(outer, F_SETFL, O_NONBLOCK)
    while true {
      let isRunning = process.isRunning
      var wanted = pollfd(fd: outer, events: Int16(POLLIN), revents: 0)
      poll(&wanted, 1, 20)
      let count = read(outer, &buffer, buffer.count)
      if count > 0 { bytes += buffer[..<count] } else if !isRunning { break }
    }
    close(inner)
    return (process.terminationStatus, String(decoding: bytes, as: UTF8.self))
  }
}

@Suite("The progress line")
struct ProgressTests {
  /// The lines that were drawn: each from a carriage return to where the rest is erased.
  private func drawn(_ text: String) -> [String] {
    text.matches(of: /\r([^\r\n]*?)\x1B\[K/).map { String($0.output.1) }.filter { !$0.isEmpty }
  }

  @Test(
    "never reaches the last column, however narrow the terminal", arguments: [0, 1, 2, 5, 10, 20, 30, 40, 60, 80, 200])
  func widths(_ columns: UInt16) throws {
    let folder = TemporaryFolder()
    folder.write(WaveFile.noise(channels: 2, frames: 20_000).bytes, to: "in.wav")
    folder.write(GraphText.endless("in.wav"), to: "g.json")
    // 0: a terminal that does not say how wide it is counts as 80.
    let room = columns == 0 ? 79 : Int(columns) - 1
    let lines = [
      ["render", "g.json", "-o", "x.wav", "--seconds", "60"], ["convert", "in.wav", "y.wav", "--rate", "96k"],
      ["render", "g.json", "-o", "x.wav", "--until-silent", "--cap", "30"],
    ]
    for line in lines {
      let result = try Terminal.run([Program.path] + line, columns: columns, in: folder)
      #expect(result.code == 0, "\(result.output)")
      let drawn = drawn(result.output)
      for one in drawn { #expect(one.count <= room, "\(one.debugDescription)") }
      #expect(!drawn.isEmpty || columns < 5 && columns > 0, "\(result.output.debugDescription)")
    }
  }

  @Test("of verify neither", arguments: [1, 10, 30, 44, 80])
  func verify(_ columns: UInt16) throws {
    let folder = TemporaryFolder()
    folder.write(
      Suites.text((0..<12).map { Suites.testCase("case-\($0)", #"{"unit": "lowPassFilter"}"#) }), to: "s.json")
    let result = try Terminal.run([Program.path, "verify", "s.json"], columns: columns, in: folder)
    #expect(result.code == 0, "\(result.output)")
    // Each begins by erasing the line, in colours that take no room.
    let drawn = result.output.replacing(/\x1B\[[0-9;]*m/, with: "").matches(of: /\r\x1B\[2K([^\r\n]+)(?=\r\x1B)/).map(
      \.output.1)
    #expect(drawn.contains { $0.contains("12/12") } || columns < 10)
    for one in drawn { #expect(one.count < columns, "\(one.debugDescription)") }
  }
}
