import AVFAudio
import AudioCore
import Foundation
import Glibc
import Hardware
import TestSupport
import Testing

/// Files, rates, routes and scenarios come from outside: whatever they are, a program goes on.
@Suite("No file, rate, route or scenario ends a process")
struct HostileInputTests {
  /// A function that a process ends well behind, within two minutes.
  private static func survive(_ body: () throws -> Void) -> Never {
    Thread.detachNewThread {
      Thread.sleep(forTimeInterval: 120)
      exit(9)
    }
    do { try body() } catch {
      print("an error: \(error)")
      exit(8)
    }
    exit(0)
  }

  @Test("Files with faults are read as far as they go, or refused", arguments: ["wav", "caf", "aiff", "flac"])
  func files(_ suffix: String) async {
    await #expect(processExitsWith: .success) { [suffix = suffix as String] in
      HostileInputTests.survive {
        let harness = try PlayerHarness()
        let path = harness.folder.file("whole.\(suffix)")
        let format = try #require(AVAudioFormat(standardFormatWithSampleRate: 44_100, channels: 2))
        let settings: [String: Any] = [
          AVFormatIDKey: suffix == "flac" ? kAudioFormatFLAC : kAudioFormatLinearPCM, AVSampleRateKey: 44_100,
          AVNumberOfChannelsKey: 2, AVLinearPCMBitDepthKey: 16, AVLinearPCMIsFloatKey: false,
          AVLinearPCMIsBigEndianKey: suffix == "aiff",
        ]
        let file = try AVAudioFile(forWriting: URL(fileURLWithPath: path), settings: settings)
        try file.write(from: EngineHarness.buffer(format, 3000, HardwareHarness.noise))
        try file.finish()
        let whole = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
        var draw = SeededGenerator(seed: 44)
        var read = 0
        for turn in 0..<120 {
          var bytes = whole
          for _ in 0..<Int.random(in: 1...6, using: &draw) {
            // Mostly in the header.
            let place = Int.random(in: 0..<(turn % 3 == 0 ? bytes.count : min(100, bytes.count)), using: &draw)
            bytes[place] =
              turn % 2 == 0 ? UInt8.random(in: 0...255, using: &draw) : [0, 0x7F, 0x80, 0xFF][turn / 2 % 4]
          }
          if turn % 5 == 0 { bytes.removeLast(Int.random(in: 0...bytes.count, using: &draw)) }
          let damaged = URL(fileURLWithPath: harness.folder.file("damaged.\(suffix)"))
          try Data(bytes).write(to: damaged)
          if let opened = try? AVAudioFile(forReading: damaged) {
            let buffer = AVAudioPCMBuffer(pcmFormat: opened.processingFormat, frameCapacity: 1000)
            for _ in 0..<5 { if let buffer, (try? opened.read(into: buffer)) != nil { read += 1 } }
            if opened.length > 1 { opened.framePosition = opened.length - 1 }
          }
          guard let player = try? AVAudioPlayer(data: Data(bytes), on: harness.hardware) else { continue }
          player.currentTime = .infinity
          player.numberOfLoops = turn % 3 - 1
          if player.play() { try harness.advance(0.02) }
          player.stop()
        }
        guard read > 20 else { exit(7) }
      }
    }
  }

  @Test("A session's and an engine's hardware may become anything while they run")
  func hardware() async {
    await #expect(processExitsWith: .success) {
      HostileInputTests.survive {
        var draw = SeededGenerator(seed: 4)
        for _ in 0..<25 {
          let rates = [8000, 11_025, 16_000, 44_100, 48_000, 96_000, 192_000] as [Double]
          var events: [ScenarioEvent] = []
          for step in 1...12 {
            let seconds = Double(step) * 0.03
            switch Int.random(in: 0..<6, using: &draw) {
            case 0: events.append(ScenarioEvent(seconds: seconds, .interruptionBegins))
            case 1:
              events.append(
                ScenarioEvent(
                  seconds: seconds, .interruptionEnds(PlayerHarness.end(resumes: Bool.random(using: &draw)))))
            case 2: events.append(ScenarioEvent(seconds: seconds, .late(0.5)))
            case 3: events.append(ScenarioEvent(seconds: seconds, .volume(0)))
            default:
              var change = ScenarioEvent.RouteChange()
              change.sampleRate = rates.randomElement(using: &draw)
              change.inputChannels = Int.random(in: 0...3, using: &draw)
              change.blockedSeconds = Double.random(in: 0...0.05, using: &draw)
              change.route = DeviceRoute(output: DeviceRoute.outputs.randomElement(using: &draw))
              change.reason = DeviceRoute.Reason.allCases.randomElement(using: &draw) ?? .unknown
              events.append(ScenarioEvent(seconds: seconds, .route(change)))
            }
          }
          var choices = AVFAudioChoices()
          choices.interruptions = AVFAudioChoices.Interruptions.allCases.randomElement(using: &draw) ?? .resume
          choices.tapBuffers = AVFAudioChoices.TapBuffers.allCases.randomElement(using: &draw) ?? .slice
          choices.lostDevice = .pauses
          let harness = try HardwareHarness(choices: choices) { $0.events = events }
          let engine = harness.engine
          let session = AVAudioSession(hardware: harness.hardware, choices: choices)
          let player = harness.player()
          engine.connect(engine.inputNode, to: engine.mainMixerNode, format: nil)
          engine.inputNode.installTap(onBus: 0, bufferSize: 999, format: nil) { _, _ in }
          let sound = try PlayerHarness()
          let other = try AVAudioPlayer(
            contentsOf: sound.file("a.wav", 22_050, frames: 22_050), on: harness.hardware, choices: choices)
          for value in [0, -1, .nan, .infinity, 1e-300, 1e300, 12_345.678] as [Double] {
            try? session.setPreferredSampleRate(value)
            try? session.setPreferredIOBufferDuration(value)
            try? session.setInputGain(Float(value))
          }
          for _ in 0..<15 {
            try? session.setActive(Bool.random(using: &draw))
            if (try? engine.start()) != nil {
              player.scheduleBuffer(try harness.noise(500), at: nil)
              // The program checks, as the page of its system says.
              if engine.isRunning { player.play() }
            }
            _ = other.play()
            try harness.hardware.advance(seconds: 0.03)
          }
          engine.stop()
          other.stop()
        }
      }
    }
  }
}
