import AudioCore
import Foundation
import GraphMeasurement
import Measurement
import SoundFile
import TestSupport
import Testing

private let noise = AudioSignal(
  sampleRate: 48_000,
  channels: [
    Stimulus.whiteNoise(frames: 3000, amplitude: 0.25, seed: 1),
    Stimulus.whiteNoise(frames: 3000, amplitude: 0.25, seed: 2),
  ]
).roundedToFloat()

private func command(_ line: String, encoding: SoundFileEncoding = .float32) throws -> CommandDevice {
  try CommandDevice(["sh", "-c", line, "sh", "{in}", "{out}"], encoding: encoding)
}

@Suite("Devices under test")
struct DeviceTests {
  @Test("A command gets every float as it is, and gives back what it wrote")
  func commandPassesFloats() throws {
    #expect(try CommandDevice(["cp", "{in}", "{out}"]).process(noise) == noise)
  }

  @Test("A command that gets 16 bits gets the samples rounded to them")
  func commandPassesIntegers() throws {
    let device = try CommandDevice(["cp", "{in}", "{out}"], encoding: .pcm16)
    #expect(device.precision == .integer(bits: 16))
    let expected = noise.channels.map { $0.map { ($0 * 32768).rounded(.toNearestOrEven) / 32768 } }
    #expect(try device.process(noise).channels == expected)
  }

  @Test("The places of the two files may stand inside a word")
  func placesInsideWords() throws {
    let device = try CommandDevice(["sh", "-c", "cat {in} > {out}"])
    #expect(try device.process(noise) == noise)
  }

  @Test("Each way in which a command can fail has a message that says which")
  func commandFailures() throws {
    func failure(_ line: String, seconds: Double = 20) throws -> BenchError {
      var device = try command(line)
      device.timeLimitSeconds = seconds
      return try #require(throws: BenchError.self) { try device.process(noise) }
    }
    let code = try failure("echo no such effect >&2; exit 3")
    #expect(code.kind == .render && code.message.contains("code 3") && code.advice?.contains("no such effect") == true)
    #expect(try failure("kill -SEGV $$").kind == .deviceCrash)
    #expect(try failure("kill -SEGV $$").message.contains("SIGSEGV"))
    #expect(try failure("sleep 100", seconds: 0.2).kind == .deviceTimeout)
    #expect(try failure("true").message.contains("wrote nothing"))
    #expect(try failure("echo rubbish > $2").message.contains("no sound file"))
    #expect(try failure("head -c 300 $1 > $2").message.contains("no sound file"))
    let missing = try CommandDevice(["no-such-program-here", "{in}", "{out}"])
    #expect(try #require(throws: BenchError.self) { try missing.process(noise) }.kind == .usage)
  }

  @Test("What a command has started ends with it when its time is up")
  func processGroup() throws {
    let folder = TemporaryFolder()
    var device = try command("sleep 60 & echo $! > '\(folder.file("pid"))'; wait")
    // A busy machine may need longer until the command has started something.
    var started: Int32?
    for seconds in [0.5, 10, 100] where started == nil {
      device.timeLimitSeconds = seconds
      #expect(throws: BenchError.self) { try device.process(noise) }
      started = Int32(((try? String(contentsOfFile: folder.file("pid"), encoding: .utf8)) ?? "").filter(\.isNumber))
    }
    let pid = try #require(started)
    // The signal is on its way; the kernel's reaping is not ours to hurry.
    #expect(
      eventually {
        kill(pid, 0) != 0
          || (try? String(contentsOfFile: "/proc/\(pid)/stat", encoding: .utf8))?.contains(") Z") ?? true
      })
  }

  @Test("A command without a place for its files is refused", arguments: [["cp", "{in}"], ["cp", "{out}"], []])
  func placesMissing(words: [String]) {
    #expect(throws: BenchError.self) { try CommandDevice(words) }
  }

  @Test("A unit as a device does what it does in a graph; each call starts from rest")
  func unit() throws {
    let device = try GraphDevice(
      unit: #"{"unit": "parametricEQ", "set": {"gain": 6}}"#, named: "parametricEQ", channelCount: 2, sampleRate: 48_000
    )
    let first = try device.process(noise)
    #expect(first.frameCount >= noise.frameCount + Int(try #require(device.reportedTailFrames)))
    #expect(try device.process(noise) == first)
    #expect(try device.process(noise, partition: RenderPartition(sliceFrames: 7, threads: 2)) == first)
    let session = try device.session()
    #expect(try session.process(noise) == first)
    #expect(try session.processAgain() == first)
  }

  @Test("A gain of 0 dB gives back every sample")
  func unity() throws {
    let device = try GraphDevice(
      unit: #"{"unit": "multichannelMixer"}"#, named: "mixer", channelCount: 2, sampleRate: 48_000)
    let output = try device.process(noise)
    #expect(output.channels.map { Array($0.prefix(noise.frameCount)) } == noise.channels)
  }

  @Test("In a graph the stimulus goes into one player, and the others are silent")
  func graph() throws {
    let folder = TemporaryFolder()
    try noise.write(to: folder.file("loud.wav"))
    let graph = """
      {"version": 1, "sampleRate": 48000, "nodes": [
        {"id": "voice", "unit": "filePlayer", "file": "loud.wav", "start": 500, "loops": 2, "region": [10, 100]},
        {"id": "noise", "unit": "filePlayer", "file": "loud.wav"},
        {"id": "mix", "unit": "multichannelMixer"}, {"id": "out", "unit": "genericOutput"}],
       "connections": ["voice -> mix:0", "noise -> mix:1", "mix -> out"]}
      """
    try graph.write(toFile: folder.file("graph.json"), atomically: true, encoding: .utf8)
    let path = folder.file("graph.json")
    let error = #expect(throws: BenchError.self) { try GraphDevice(graphFile: path) }
    #expect(error?.message.contains("2 filePlayers") == true && error?.advice?.contains("voice, noise") == true)
    let device = try GraphDevice(graphFile: path, input: "voice")
    let output = try device.process(noise)
    #expect(output.channels.map { Array($0.prefix(noise.frameCount)) } == noise.channels)
    let itself = try GraphDevice(graphFile: path, playsItself: true)
    let played = try itself.process(AudioSignal(sampleRate: 48_000, channels: [[]]))
    #expect(played.frameCount == noise.frameCount)
    #expect(played.channels[0][600] != noise.channels[0][600])
  }

  @Test("Nodes of a graph can be listened to, each by its name, along the sound")
  func taps() throws {
    let device = try GraphDevice(
      unit: #"{"unit": "parametricEQ", "set": {"gain": 6}}"#, named: "parametricEQ", channelCount: 2, sampleRate: 48_000
    )
    let session = try device.session()
    #expect(try session.nodeOrder() == ["stimulus", "device", "out"])
    session.tappedNodes = ["stimulus", "device"]
    let output = try session.process(noise)
    #expect(session.taps["stimulus"]?.channels.map { Array($0.prefix(noise.frameCount)) } == noise.channels)
    #expect(session.taps["device"] == output)
  }
}
