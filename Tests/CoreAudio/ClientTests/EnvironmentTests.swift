import CSndfile
import Foundation
import TestSupport
import Testing

@Suite("What the environment changes, and what a killed writer leaves")
struct EnvironmentTests {
  private static let program: Result<String, any Error> = Result {
    let (program, said) = try Installation.shared().build("environment.c")
    try #require(said == "")
    return program
  }

  static let statuses = ["six channels -10868", "mono in, stereo out 0", "initialize -10868", "graph -10868"]

  @Test("Without variables: 1156 frames, 4096 for what drives a graph, and nothing on standard error")
  func none() throws {
    let run = try Finished(try Self.program.get(), [], ["AUBENCH_LOG": "", "AUBENCH_MAXIMUM_FRAMES": ""])
    #expect(run.errors == "")
    #expect(
      run.lines == [
        "mixer 1156", "equalizer 1156", "converter 1156", "generic output 4096", "device output 4096",
      ] + Self.statuses)
  }

  @Test("AUBENCH_MAXIMUM_FRAMES is the longest slice of fresh units that drive no graph")
  func maximumFrames() throws {
    var run = try Finished(try Self.program.get(), [], ["AUBENCH_MAXIMUM_FRAMES": "1024"])
    #expect(
      run.lines == [
        "mixer 1024", "equalizer 1024", "converter 1024", "generic output 4096", "device output 4096",
      ] + Self.statuses)
    run = try Finished(try Self.program.get(), [], ["AUBENCH_MAXIMUM_FRAMES": "a few"])
    #expect(run.lines.first == "mixer 1156")
    #expect(run.errors.split(separator: "\n").count == 1 && run.errors.contains("AUBENCH_MAXIMUM_FRAMES=\"a few\""))
  }

  @Test("AUBENCH_LOG=1 says of each format that is refused which channels were found and which expected")
  func log() throws {
    let run = try Finished(try Self.program.get(), [], ["AUBENCH_LOG": "1"])
    #expect(run.lines.suffix(4) == Self.statuses)
    let bus = "of 32-bit float, a buffer for each"
    #expect(
      run.errors.split(separator: "\n").map(String.init) == [
        "aubench: iPodEQ, input bus 0: stream format refused (-10868): found 44100 Hz, 6 ch, float32, planar, expected "
          + "1 or 2 channels \(bus)",
        "aubench: iPodEQ: not initialized (-10868): found 44100 Hz, 1 ch, float32 in and 44100 Hz, 2 ch, float32, planar "
          + "out, expected the same format on both sides, 1 in and 1 out, or 2 in and 2 out",
        "aubench: iPodEQ, input bus 0: connection refused (-10868): found 48000 Hz, 5 ch, float32, planar, expected "
          + "1 or 2 channels \(bus)",
      ])
  }

  @Test("What a device plays first is heard, though its unit was rendered before it had a source")
  func late() throws {
    let run = try Finished(try Self.program.get(), ["late"], ["AUBENCH_DEVICE_CLOCK": "free"])
    #expect(run.lines == ["initialize 0", "render 0", "start 0"])
    #expect(run.errors == "")
  }

  @Test("AUBENCH_LOG=1 says what would have needed the memory that was refused, and which variable allows more")
  func shortage() throws {
    let run = try Finished(try Self.program.get(), ["poor"], ["AUBENCH_LOG": "1", "AUBENCH_MEMORY": "1"])
    #expect(run.lines == ["initialize -108"])
    #expect(
      run.errors.hasPrefix("aubench: iPodEQ, not initialized (-108): the unit would need more memory "), "\(run.errors)"
    )
    #expect(run.errors.hasSuffix(" of 1 bytes; set AUBENCH_MEMORY to allow more\n"), "\(run.errors)")
    #expect(run.errors.filter { $0 == "\n" }.count == 1)
  }

  @Test("A device with nothing to play plays silence, and says so at its end")
  func unfed() throws {
    let run = try Finished(try Self.program.get(), ["unfed"], ["AUBENCH_DEVICE_CLOCK": "free"])
    #expect(run.lines == ["initialize 0", "start 0", "stop 0", "after the render 0x18"])
    #expect(run.errors.hasPrefix("aubench: simulated hardware: buffers that could not be rendered and are silence: "))
    #expect(run.errors.hasSuffix("; the last: an input has no source (-10876)\n"))
  }

  /// libsndfile does not open BW64 by that name.
  @Test(
    "A file whose writer is killed has its length", arguments: ["packets", "extended"],
    ["WAVE", "RF64", "W64f", "AIFF", "AIFC", "caff", "NeXT"])
  func killed(interface: String, type: String) throws {
    let folder = TemporaryFolder()
    let path = folder.file("sound")
    let run = try Finished(try Self.program.get(), [interface, path, type])
    #expect(run.code == 1009)
    var info = SF_INFO()
    let file = try #require(sf_open(path, Int32(SFM_READ), &info))
    defer { sf_close(file) }
    #expect(info.frames == 1_000 && info.samplerate == 48_000 && info.channels == 2)
    var samples = [Int16](repeating: -1, count: 2_400)
    #expect(sf_readf_short(file, &samples, 1_200) == 1_000)
    // As packets the program's own samples lie in the file, whatever order that has.
    let isSwapped = interface == "packets" && ["AIFF", "NeXT"].contains(type)
    let piece = (0..<200).map { isSwapped ? Int16($0 * 100).byteSwapped : Int16($0 * 100) }
    #expect(samples[..<2_000].enumerated().allSatisfy { $0.element == piece[$0.offset % 200] })
  }
}
