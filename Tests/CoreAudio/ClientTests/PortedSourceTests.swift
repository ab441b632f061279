import Foundation
import TestSupport
import Testing

@Suite("Sources from a Mac find the names, the functions and the habits that they count on")
struct PortedSourceTests {
  /// Builds a client of `Tests/Clients` and runs it.
  static func output(_ source: String, with options: [String] = [], arguments: [String] = []) throws -> [String] {
    let standard = source.hasSuffix(".cpp") ? "c++17" : "gnu17"
    let (program, said) = try Installation.shared().build(source, standard: standard, with: options)
    try #require(said == "", "\(source)")
    let run = try Finished(program, arguments)
    #expect(run.code == 0 && run.errors == "", "\(source): \(run.code) \(run.errors)")
    return run.lines
  }

  @Test(
    "Releasing a constant string too often does nothing, whoever links the program",
    arguments: ["constant_strings.c", "constant_strings.cpp"],
    [[], ["-fuse-ld=lld"], ["-O2", "-ffunction-sections", "-Wl,--gc-sections"], ["-fsanitize=undefined"]])
  func constantStrings(source: String, options: [String]) throws {
    #expect(
      try Self.output(source, with: options) == [
        "file scope \"at file scope\", 13 characters", "accented \"naïve\", 5 characters",
        "function \"in a function\", 13 characters", "equal 1",
      ])
  }

  @Test("A program without a constant string links and runs")
  func noStrings() throws {
    // midi_messages.c has none.
    #expect(try Self.output("midi_messages.c", with: ["-Wl,--gc-sections"]).count == 10)
  }

  @Test("Names of channels, layouts, ports and messages have their numbers", arguments: ["names.c", "names.cpp"])
  func names(source: String) throws {
    #expect(try Self.output(source) == [])
  }

  /// The words are worked out by hand from the tables of the Universal MIDI Packet's specification.
  @Test("MIDI messages, put together and taken apart", arguments: ["midi_messages.c", "midi_messages.cpp"])
  func midi(source: String) throws {
    #expect(
      try Self.output(source) == [
        "20813c40 22b30764 43993c03ffff1234",
        "100 type 2 group 1: note on channel 15, 64 127",
        "100 type 2 group 0: bend channel 0, 0 32 bend 8192",
        "100 type 1 group 0: system f2 position 129",
        "100 type 4 group 3: note on channel 9 note 60 velocity 65535 attribute 3 4660",
        "100 type 4 group 0: program channel 1 program 17 bank 259",
        "100 type 4 group 0: another channel 1 4 5 value 2147483648",
        "100 type 3 group 2: exclusive 1, 6 bytes, 1..6",
        "300 type 8 group 5: words 85000001 12345678",
        "8 messages",
      ])
  }

  @Test("Files are created, found, asked about and read by references to them")
  func references() throws {
    let folder = try TemporaryTree()
    #expect(
      try Self.output("file_references.c", arguments: [folder.path]) == [
        "folder 0", "folder 1",
        "create 0", "write 0", "close 0", "create again 1", "path 0", "called tone.wav", "short -2110", "find 0",
        "compare 0", "compare with the folder -1420", "open 0", "read 0", "3 packets, the same 1", "initialize 1",
        "initialize as AIFF 0",
        "new 0", "write 0", "dispose 0", "find 0", "open 0", "format 0", "read 0", "2 frames, 10 20 30 40", "delete 0",
        "open what is gone 1",
        "make 0", "folder 0", "info 0", "5 bytes, 4 letters, folder 0, parent 0", "time 1", "info of the folder 0",
        "folder 1, 2 things", "url 1, back 1, same 0", "delete 0", "nothing there -43", "a reference that is none -50",
      ])
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["tone.wav"])
  }

  @Test(
    "The porting prelude, by the flag that pkg-config gives",
    arguments: [("porting.c", "gnu99"), ("porting.c", "gnu17"), ("porting.cpp", "c++14"), ("porting.cpp", "c++20")])
  func prelude(source: String, standard: String) throws {
    let installation = try Installation.shared()
    let flag = try Finished(
      "/usr/bin/env", ["pkg-config", "--variable=porting", "AudioToolbox"],
      ["PKG_CONFIG_PATH": installation.libraryFolder + "/pkgconfig"])
    let words = flag.output.split(whereSeparator: \.isWhitespace).map(String.init)
    #expect(words == ["-include", "\(installation.prefix)/include/aubench/aubench/Porting.h"])
    let (program, said) = try installation.build(source, standard: standard, with: words)
    try #require(said == "")
    let run = try Finished(program)
    #expect(
      run.lines == [
        "names 11 12 13 14",
        "copied 8 \"overl\", appended 7 \"abcde\", none 4 \"abcde\"",
        "program \(URL(filePath: program).lastPathComponent)", "grown 1",
        "RIFF 3412 807060504030201", "1 -100000",
        "processors 0 1, by number 0 1", "memory 0 1", "system 0 Linux, too long -1, unknown -1",
        "process 0, debugged 0",
        "policy 0, nothing 4", "thread 0 0 1, named 0 \"a name that is \" 0", "waited 1, main 1",
        "allocate 0 7, free 0", "ring 0 1 7, taken 3, copy 0 7, freed 0 0", "block -33",
        "error \"invalid argument\", clock 1",
        "has 1, size 0 4, get 0, volume 0", "reference 0", "parent 1, here 0, name made.aiff",
      ])
    #expect(run.errors == "" && run.code == 0)
  }
}
