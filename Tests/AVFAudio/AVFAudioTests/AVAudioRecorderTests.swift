import AVFAudio
import AudioCore
import Foundation
import Glibc
import Hardware
import TestSupport
import Testing

@Suite("AVAudioRecorder on simulated hardware")
struct AVAudioRecorderTests {
  private typealias Harness = PlayerHarness

  /// Calls of a recorder.
  private final class Calls: NSObject, AVAudioRecorderDelegate, @unchecked Sendable {
    private let state = Locked<[String]>([])
    var all: [String] { state.withLock { $0 } }
    private func note(_ call: String) { state.withLock { $0.append(call) } }
    func audioRecorderDidFinishRecording(_ recorder: AVAudioRecorder, successfully flag: Bool) {
      note("finished \(flag), records \(recorder.isRecording)")
    }
    func audioRecorderEncodeErrorDidOccur(_ recorder: AVAudioRecorder, error: (any Error)?) {
      note("error \((error as NSError?)?.domain ?? "none")")
    }
    func audioRecorderBeginInterruption(_ recorder: AVAudioRecorder) { note("interrupted") }
    func audioRecorderEndInterruption(_ recorder: AVAudioRecorder, withOptions flags: Int) { note("ended \(flags)") }
  }

  /// Hardware whose microphone gives a file of ``Harness/value(_:_:)``, from its first cycle on.
  private func harness(
    _ rate: Double = 44_100, slices: [Int] = [441], channels: Int = 1, events: [ScenarioEvent] = []
  ) throws -> PlayerHarness {
    let source = try Harness(rate)
    let file = try source.file("microphone.wav", rate, channels: channels, frames: 88_200)
    let harness = try Harness(rate, slices: slices, events: events) { scenario in
      scenario.device.inputChannels = channels
      scenario.microphone = .file(path: file.path, gain: 1, repeats: false)
    }
    return harness
  }

  private static var floats: [String: Any] {
    [AVFormatIDKey: kAudioFormatLinearPCM, AVLinearPCMIsFloatKey: true, AVLinearPCMBitDepthKey: 32]
  }

  private static func heard(_ frames: Range<Int>, channel: Int = 0) -> [Float] {
    frames.map { Harness.value($0, channel) }
  }

  @Test("What is recorded is the microphone's sound, bit for bit, in containers of each kind")
  func recording() throws {
    for (name, slices) in [("a.wav", [441]), ("a.caf", [93, 93, 92]), ("a.aiff", [4096]), ("a.w64", [16, 2000])] {
      let harness = try harness(slices: slices, channels: 2)
      let place = URL(fileURLWithPath: harness.folder.file(name))
      let recorder = try AVAudioRecorder(url: place, settings: Self.floats, on: harness.hardware)
      let calls = Calls()
      recorder.delegate = calls
      #expect(recorder.format.channelCount == 2)
      #expect(recorder.settings[AVSampleRateKey] as? Double == 44_100)
      #expect(recorder.prepareToRecord())
      #expect(recorder.record())
      #expect(recorder.isRecording)
      try harness.advance(0.2)
      let frames = Int(clamping: (recorder.currentTime * 44_100).rounded())
      #expect(frames >= 8820 && frames < 8820 + 4096)
      #expect(recorder.deviceCurrentTime == recorder.currentTime)
      #expect(!FileManager.default.fileExists(atPath: place.path))
      recorder.stop()
      #expect(calls.all == ["finished true, records false"])
      #expect(recorder.currentTime == 0)
      let samples = try Harness.samples(place.path)
      for channel in 0...1 {
        #expect(firstDifference(samples[channel], Self.heard(0..<frames, channel: channel)) == nil, "\(name)")
      }
      #expect(recorder.deleteRecording())
      #expect(!FileManager.default.fileExists(atPath: place.path))
      #expect(!recorder.deleteRecording())
    }
  }

  @Test("A time and a duration are exact; the delegate is called once, behind the cycle with the last frame")
  func timed() throws {
    let harness = try harness()
    let place = URL(fileURLWithPath: harness.folder.file("r.wav"))
    let recorder = try AVAudioRecorder(url: place, settings: Self.floats, on: harness.hardware)
    let calls = Calls()
    recorder.delegate = calls
    #expect(recorder.record(atTime: 1000 / 44_100, forDuration: 2000 / 44_100))
    try harness.advance(0.06)
    #expect(recorder.isRecording)
    #expect(abs(recorder.currentTime - 1646 / 44_100) < 1e-9)
    try harness.advance(0.02)
    #expect(!recorder.isRecording)
    #expect(calls.all == ["finished true, records false"])
    #expect(recorder.deviceCurrentTime == 0)
    #expect(firstDifference(try Harness.samples(place.path)[0], Self.heard(1000..<3000)) == nil)
    #expect(recorder.record(forDuration: -1) == false)
    #expect(recorder.record(atTime: .nan) == false)
  }

  @Test("A pause leaves out what is said meanwhile, and its duration counts what is recorded; a stop begins anew")
  func pausing() throws {
    let harness = try harness()
    let place = URL(fileURLWithPath: harness.folder.file("r.wav"))
    let recorder = try AVAudioRecorder(url: place, settings: Self.floats, on: harness.hardware)
    recorder.record(forDuration: 0.05)
    try harness.advance(0.02)
    recorder.pause()
    #expect(!recorder.isRecording)
    #expect(recorder.currentTime == 0.02)
    try harness.advance(0.03)
    #expect(recorder.record())
    try harness.advance(0.05)
    #expect(!recorder.isRecording)
    #expect(firstDifference(try Harness.samples(place.path)[0], Self.heard(0..<882) + Self.heard(2205..<3528)) == nil)
    #expect(recorder.record())
    try harness.advance(0.01)
    recorder.stop()
    #expect(firstDifference(try Harness.samples(place.path)[0], Self.heard(4410..<4851)) == nil)
  }

  @Test("Other channels and rates are converted: mono to both sides, both to their mean, rates as by a converter")
  func converted() throws {
    let mono = try harness(channels: 2)
    let place = URL(fileURLWithPath: mono.folder.file("mono.wav"))
    var settings = Self.floats
    settings[AVNumberOfChannelsKey] = 1
    let first = try AVAudioRecorder(url: place, settings: settings, on: mono.hardware)
    first.record(forDuration: 0.1)
    try mono.advance(0.2)
    let mean = (0..<4410).map { 0.5 * Harness.value($0, 0) + 0.5 * Harness.value($0, 1) }
    #expect(firstDifference(try Harness.samples(place.path)[0], mean) == nil)

    let stereo = try harness(slices: [93, 93, 92])
    let other = URL(fileURLWithPath: stereo.folder.file("stereo.wav"))
    (settings[AVNumberOfChannelsKey], settings[AVSampleRateKey]) = (2, 16_000.0)
    let second = try AVAudioRecorder(url: other, settings: settings, on: stereo.hardware)
    second.record(forDuration: 0.5)
    try stereo.advance(0.6)
    let samples = try Harness.samples(other.path)
    #expect(samples[0].count == 8000)
    #expect(samples[0] == samples[1])
    let from = try #require(AVAudioFormat(standardFormatWithSampleRate: 44_100, channels: 1))
    let to = try #require(AVAudioFormat(standardFormatWithSampleRate: 16_000, channels: 1))
    let converter = try #require(AVAudioConverter(from: from, to: to))
    let input = try EngineHarness.buffer(from, 22_050) { frame, _ in Harness.value(frame, 0) }
    let output = try #require(AVAudioPCMBuffer(pcmFormat: to, frameCapacity: 9000))
    var isGiven = false
    converter.convert(to: output, error: nil) { _, status in
      status.pointee = isGiven ? .endOfStream : .haveData
      defer { isGiven = true }
      return isGiven ? nil : input
    }
    let expected = Array(
      UnsafeBufferPointer(start: try #require(output.floatChannelData)[0], count: Int(output.frameLength)))
    #expect(firstDifference(samples[0], expected) == nil)
  }

  @Test("A change of rate while it records: the file keeps its rate, and its length is that of the time recorded")
  func route() throws {
    var change = ScenarioEvent.RouteChange()
    (change.blockedSeconds, change.sampleRate) = (0.02, 48_000)
    let harness = try harness(events: [ScenarioEvent(seconds: 0.1, .route(change))])
    let place = URL(fileURLWithPath: harness.folder.file("r.wav"))
    let recorder = try AVAudioRecorder(url: place, settings: Self.floats, on: harness.hardware)
    recorder.record(forDuration: 0.3)
    try harness.advance(0.5)
    #expect(!recorder.isRecording)
    let samples = try Harness.samples(place.path)[0]
    #expect(firstDifference(Array(samples[..<4410]), Self.heard(0..<4410)) == nil)
    #expect(abs(samples.count - 13_230) <= 1)
  }

  @Test("An interruption pauses; behind it the same file goes on")
  func interruption() throws {
    let harness = try harness(events: [
      ScenarioEvent(seconds: 0.02, .interruptionBegins),
      ScenarioEvent(seconds: 0.05, .interruptionEnds(PlayerHarness.end(resumes: false))),
    ])
    let place = URL(fileURLWithPath: harness.folder.file("r.wav"))
    let recorder = try AVAudioRecorder(url: place, settings: Self.floats, on: harness.hardware)
    let calls = Calls()
    recorder.delegate = calls
    recorder.record()
    try harness.advance(0.03)
    #expect(!recorder.isRecording)
    #expect(!recorder.record())
    try harness.advance(0.03)
    #expect(calls.all == ["interrupted", "ended 0"])
    #expect(recorder.record())
    try harness.advance(0.01)
    recorder.stop()
    #expect(firstDifference(try Harness.samples(place.path)[0], Self.heard(0..<882) + Self.heard(2646..<3087)) == nil)
  }

  @Test("Assigned channels are the microphone's that the file gets")
  func assignments() throws {
    let harness = try harness(channels: 2)
    let session = AVAudioSession(hardware: harness.hardware)
    try session.setCategory(.record)
    let inputs = try #require(session.currentRoute.inputs.first?.channels)
    let place = URL(fileURLWithPath: harness.folder.file("r.wav"))
    let recorder = try AVAudioRecorder(url: place, settings: Self.floats, on: harness.hardware)
    recorder.channelAssignments = [inputs[1], inputs[1]]
    recorder.record(forDuration: 0.05)
    try harness.advance(0.1)
    let samples = try Harness.samples(place.path)
    #expect(firstDifference(samples[0], Self.heard(0..<2205, channel: 1)) == nil)
    #expect(samples[1] == samples[0])
  }

  @Test("Meters follow the microphone")
  func meters() throws {
    let harness = try Harness(48_000, slices: [480]) { scenario in
      scenario.microphone = .tone(hertz: 1000, amplitude: 0.25)
    }
    let recorder = try AVAudioRecorder(
      url: URL(fileURLWithPath: harness.folder.file("r.wav")), settings: Self.floats, on: harness.hardware)
    recorder.isMeteringEnabled = true
    recorder.record()
    try harness.advance(3)
    recorder.updateMeters()
    #expect(abs(Double(recorder.averagePower(forChannel: 0)) - 20 * log10(0.25 / 2.0.squareRoot())) < 0.01)
    #expect(abs(Double(recorder.peakPower(forChannel: 0)) - 20 * log10(0.25)) < 0.01)
    #expect(recorder.averagePower(forChannel: 1) == -160)
    recorder.stop()
    recorder.updateMeters()
    #expect(recorder.averagePower(forChannel: 0) == -160)
  }

  @Test("Without a microphone nothing is recorded; settings that no file has are errors")
  func refused() throws {
    let harness = try Harness { $0.device.inputChannels = 0 }
    let place = URL(fileURLWithPath: harness.folder.file("r.wav"))
    let recorder = try AVAudioRecorder(url: place, settings: Self.floats, on: harness.hardware)
    #expect(!recorder.record())
    #expect(!recorder.isRecording)
    func code(_ name: String, _ settings: [String: Any]) -> Int {
      do {
        _ = try AVAudioRecorder(url: URL(fileURLWithPath: harness.folder.file(name)), settings: settings)
        return 0
      } catch {
        #expect((error as NSError).domain == "NSOSStatusErrorDomain")
        return (error as NSError).code
      }
    }
    #expect(code("r.xyz", [:]) == 1_954_115_647)
    #expect(code("r.caf", [AVFormatIDKey: kAudioFormatMPEG4AAC]) == 1_718_449_215)
    #expect(code("r.wav", [AVSampleRateKey: -1.0]) == 1_718_449_215)
    let nowhere = try AVAudioRecorder(
      url: URL(fileURLWithPath: harness.folder.file("none/r.wav")), settings: Self.floats, on: harness.hardware)
    #expect(!nowhere.prepareToRecord())
    #expect(!nowhere.record())
  }

  @Test("A full disk ends the recording: the delegate has the error, and nothing is left of the file")
  func fullDisk() throws {
    try FileSizeLimit.alone { try recordBeyondTheLimit() }
  }

  private func recordBeyondTheLimit() throws {
    let harness = try Harness(192_000, slices: [4096]) { scenario in
      scenario.microphone = .tone(hertz: 1000, amplitude: 0.25)
    }
    let place = URL(fileURLWithPath: harness.folder.file("r.caf"))
    try Data("before".utf8).write(to: place)
    var settings = Self.floats
    (settings[AVNumberOfChannelsKey], settings[AVLinearPCMBitDepthKey]) = (2, 64)
    let recorder = try AVAudioRecorder(url: place, settings: settings, on: harness.hardware)
    let calls = Calls()
    recorder.delegate = calls
    signal(SIGXFSZ, SIG_IGN)
    let resource = __rlimit_resource_t(1)  // RLIMIT_FSIZE
    var old = rlimit()
    getrlimit(resource, &old)
    // Other tests write smaller files meanwhile.
    var new = old
    new.rlim_cur = 64 << 20
    setrlimit(resource, &new)
    defer { setrlimit(resource, &old) }
    // 3 MB a second.
    recorder.record()
    try harness.advance(20)
    #expect(recorder.isRecording)
    try harness.advance(4)
    #expect(!recorder.isRecording)
    #expect(calls.all == ["error NSOSStatusErrorDomain", "finished false, records false"])
    #expect(try Data(contentsOf: place) == Data("before".utf8))
    let left = try FileManager.default.contentsOfDirectory(atPath: harness.folder.path).filter { $0.contains("r.caf") }
    #expect(left == ["r.caf"])
  }

  @Test("What a player plays is recorded where the loudspeaker is heard: both follow one clock")
  func together() throws {
    let harness = try Harness(slices: [441]) { $0.echo = [EchoPath(delaySeconds: 0.01, gainDecibels: 0)] }
    let player = try AVAudioPlayer(contentsOf: harness.file(frames: 2000), on: harness.hardware)
    let place = URL(fileURLWithPath: harness.folder.file("r.wav"))
    let recorder = try AVAudioRecorder(url: place, settings: Self.floats, on: harness.hardware)
    player.play(atTime: 0.02)
    recorder.record(atTime: 0.02, forDuration: 0.1)
    try harness.advance(0.2)
    let samples = try Harness.samples(place.path)[0]
    let expected = Harness.silence(441) + Harness.passes(1, of: 2000) + Harness.silence(4410 - 2441)
    #expect(firstDifference(samples, expected) == nil)
  }
}
