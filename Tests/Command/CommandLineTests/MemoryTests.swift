import Foundation
import TestSupport
import Testing

@Suite("A few lines of input cannot take the machine")
struct MemoryTests {
  private func graph(inputs: Int, more nodes: String = "") throws -> TemporaryFolder {
    let folder = TemporaryFolder()
    folder.write(WaveFile.noise(rate: 44_100, frames: 100).bytes, to: "in.wav")
    folder.write(
      """
      {"version": 1, "sampleRate": 48000, "nodes": [
        {"id": "voice", "unit": "filePlayer", "file": "in.wav"},
        {"id": "mix", "unit": "multichannelMixer", "inputs": \(inputs)},\(nodes)
        {"id": "out", "unit": "genericOutput"}], "connections": ["voice -> mix", "mix -> out"]}
      """, to: "g.json")
    return folder
  }

  /// Every input had a converter of its own, though nothing fed it: 22 GB, where 64 Ki times 4 KiB are 256 MiB.
  @Test func aMixerOfVeryManyInputsFitsInAGibibyte() throws {
    let folder = try graph(inputs: 65_536)
    let result = try Program.shell("ulimit -v 1048576; exec \"$AUBENCH\" describe g.json --memory 700M", in: folder)
    #expect(result.code == 0, "\(result.errors)")
  }

  @Test func whatNeedsMoreThanItMayIsRefusedBeforeItBegins() throws {
    let folder = try graph(inputs: 60_000)
    for command in [["describe", "g.json"], ["render", "g.json", "-o", "x.wav"]] {
      let result = try Program.run(command + ["--memory", "40M"], in: folder)
      #expect(result.code == 3)
      #expect(result.errors.contains("node \"mix\"") || result.errors.contains("\"mix\""), "\(result.errors)")
      #expect(result.errors.contains("of 40 MiB"), "\(result.errors)")
      #expect(!folder.names.contains("x.wav"))
    }
    let fits = try Program.run("describe", "g.json", "--memory", "2G", in: folder)
    #expect(fits.code == 0, "\(fits.errors)")
  }

  @Test func manyMixersAreAddedUp() throws {
    let nodes = (0..<100).map { "{\"id\": \"m\($0)\", \"unit\": \"multichannelMixer\", \"inputs\": 65536}," }.joined()
    let folder = try graph(inputs: 1, more: nodes)
    let result = try Program.shell("ulimit -v 3145728; exec \"$AUBENCH\" describe g.json --memory 1G", in: folder)
    #expect(result.code == 3 && result.errors.contains("--memory"), "\(result.errors)")
  }

  @Test func theEnvironmentSaysHowMuchToo() throws {
    let folder = try graph(inputs: 60_000)
    let refused = try Program.shell("AUBENCH_MEMORY=40M exec \"$AUBENCH\" describe g.json", in: folder)
    #expect(refused.code == 3, "\(refused.errors)")
    let wrong = try Program.shell("AUBENCH_MEMORY=lots exec \"$AUBENCH\" describe g.json", in: folder)
    #expect(wrong.code == 2 && wrong.errors.contains("AUBENCH_MEMORY"), "\(wrong.errors)")
    let option = try Program.run("describe", "g.json", "--memory", "-5", in: folder)
    #expect(option.code == 2 && option.errors.contains("4G"), "\(option.errors)")
  }

  @Test func aStimulusOfAnHourOnAThousandChannelsIsRefused() throws {
    let folder = TemporaryFolder()
    folder.write(
      """
      {"version": 1, "cases": [{"id": "a", "device": {"unit": "lowPassFilter", "channels": 1024},
        "stimulus": {"type": "noise", "seconds": 3600}, "checks": [{"check": "response", "within": 1}]}]}
      """, to: "s.json")
    let result = try Program.run("verify", "s.json", in: folder)
    #expect(result.code == 10, "\(result.output)\(result.errors)")
    #expect((result.output + result.errors).contains("more memory"), "\(result.output)\(result.errors)")
  }

  @Test(
    "The stimuli of measurements are paid for: channels times frames",
    arguments: [
      ["--response-frames", "4194304", "--methods", "impulse"], ["--response-frames", "4194304", "--methods", "sweep"],
      ["--methods", "multitone"], ["--methods", "noise"], ["--what", "distortion"], ["--what", "noise"],
      ["--what", "dynamics"], ["--what", "levels"], ["--what", "crosstalk"], ["--what", "resampler"],
    ])
  func measurements(options: [String]) throws {
    let words = ["measure", "lowPassFilter", "--channels", "1024", "--memory", "500M"] + options
    let line = "ulimit -v 4194304; exec \"$AUBENCH\" \(words.joined(separator: " "))"
    let result = try Program.shell(line, in: TemporaryFolder())
    #expect(result.code == 2, "\(result.code) \(result.errors)")
    #expect(result.errors.contains("1024 channels would need more memory"), "\(result.errors)")
    let stereo = try Program.run(
      "measure", "lowPassFilter", "--memory", "1G", "--what", "levels", in: TemporaryFolder())
    #expect(stereo.code == 0, "\(stereo.errors)")
  }

  @Test("Commands that load what they are given ask first, and only those have the option")
  func option() throws {
    let folder = TemporaryFolder()
    folder.write(WaveFile.noise(channels: 2, frames: 50_000).bytes, to: "a.wav")
    for line in [
      ["compare", "a.wav", "a.wav", "--align"], ["plot", "a.wav", "--segment", "32768"],
      ["plot", "a.wav", "--kind", "spectrogram", "--segment", "8192"],
    ] {
      let refused = try Program.run(line + ["--memory", "1M"], in: folder)
      #expect(refused.code == 2, "\(line): \(refused.code) \(refused.errors)")
      #expect(refused.errors.contains("of 1 MiB; ") && refused.errors.contains("--memory"), "\(refused.errors)")
      let taken = try Program.run(line + ["--memory", "1G"], in: folder)
      #expect(taken.code == 0, "\(line): \(taken.errors)")
    }
    for line in [["convert", "a.wav", "b.wav"], ["units"]] {
      let result = try Program.run(line + ["--memory", "1G"], in: folder)
      #expect(result.code == 2 && result.errors.contains("there is no such option"), "\(result.errors)")
    }
  }

  @Test("What a command gave back is not called unreadable where it is only too large")
  func largeOutput() throws {
    let folder = TemporaryFolder()
    folder.write(WaveFile.noise(channels: 2, frames: 2_000_000).bytes, to: "large.wav")
    let result = try Program.run(
      "measure", "--methods", "impulse", "--memory", "30M", "--", "sh", "-c", "cp large.wav \"$2\"", "sh", "{in}",
      "{out}",
      in: folder)
    #expect(result.code == 2 && result.errors.contains("would need more memory"), "\(result.errors)")
    #expect(!result.errors.contains("no sound file"), "\(result.errors)")
  }

  /// Half of the limit was what a case might plan with, whatever the run itself might.
  @Test("A case plans with the memory of its run, and not with a part of its own limit")
  func cases() throws {
    let folder = try graph(inputs: 60_000)
    folder.write(
      Suites.text([
        Suites.testCase("g", #"{"graph": "g.json"}"#, more: #""limits": {"memoryMegabytes": 430},"#)
      ]), to: "s.json")
    // 60000 inputs take 223 MiB; half of this limit is less.
    let result = try Program.run("verify", "s.json", "--memory", "2G", in: folder)
    #expect(!(result.output + result.errors).contains("would need more memory"), "\(result.output)\(result.errors)")
    let refused = try Program.run("verify", "s.json", "--memory", "40M", in: folder)
    #expect(refused.output.contains("of 40 MiB"), "\(refused.output)\(refused.errors)")
  }
}
