import AVFAudio
import AudioCore
import Foundation
import Hardware
import TestSupport
import Testing
import VoiceProcessing

@Suite("Speech into a muted microphone", .enabled(if: VoiceProcessor.isAvailable))
struct MutedSpeechTests {
  private static let rate = 16_000.0

  /// Syllables, four a second: harmonics of a voice that glides, stronger around two formants.
  private static func speech(_ seconds: Double) -> Double {
    let pitch = 120 + 20 * sin(2 * .pi * 0.7 * seconds)
    let loudness = max(0, sin(2 * .pi * 2 * seconds)).squareRoot()
    return loudness
      * (1..<25).reduce(0.0) { sum, k in
        let hertz = Double(k) * pitch
        let formants = 1 + 2 * exp(-pow((hertz - 600) / 200, 2)) + 1.5 * exp(-pow((hertz - 1700) / 300, 2))
        return sum + 0.048 / Double(k) * sin(2 * .pi * hertz * seconds) * formants
      }
  }

  /// The events of an engine with a voice processor, by the time at which they came.
  private func events(
    microphone: @escaping (_ seconds: Double, _ noise: Double) -> Double, muted: ClosedRange<Double>, seconds: Double
  ) throws -> [(seconds: Double, event: AVAudioVoiceProcessingSpeechActivityEvent)] {
    let folder = TemporaryFolder()
    let url = URL(fileURLWithPath: folder.path + "/voice.wav")
    var draw = SeededGenerator(seed: 3)
    do {
      let format = try #require(AVAudioFormat(standardFormatWithSampleRate: Self.rate, channels: 1))
      let file = try AVAudioFile(forWriting: url, settings: format.settings)
      try file.write(
        from: try EngineHarness.buffer(format, Int(clamping: Self.rate * seconds)) { frame, _ in
          Float(microphone(Double(frame) / Self.rate, Double.random(in: -1...1, using: &draw)))
        })
      file.close()
    }
    let harness = try HardwareHarness { scenario in
      (scenario.device.sampleRate, scenario.device.slices) = (Self.rate, [320])
      scenario.microphone = .file(path: url.path, gain: 1, repeats: false)
    }
    let (engine, input) = (harness.engine, harness.engine.inputNode)
    #expect(!input.setMutedSpeechActivityEventListener { _ in }, "without voice processing nobody listens")
    try input.setVoiceProcessingEnabled(true)
    let found = Locked<[(seconds: Double, event: AVAudioVoiceProcessingSpeechActivityEvent)]>([])
    let hardware = harness.hardware
    #expect(
      input.setMutedSpeechActivityEventListener { event in
        found.withLock { $0.append((hardware.scenarioSeconds, event)) }
      })
    input.installTap(onBus: 0, bufferSize: 320, format: nil) { _, _ in }
    _ = engine.mainMixerNode
    try engine.start()
    for step in 0..<Int(clamping: seconds * 10) {
      input.isVoiceProcessingInputMuted = muted.contains(Double(step) / 10)
      try hardware.advance(seconds: 0.1)
    }
    engine.stop()
    return found.withLock { $0 }
  }

  @Test("Its beginning and its end are told, each once, within 0.1 to 0.6 s; the microphone gives silence")
  func speech() throws {
    let told = try events(
      microphone: { seconds, noise in (2..<5).contains(seconds) ? Self.speech(seconds) : 1e-3 * noise }, muted: 0...9,
      seconds: 8)
    #expect(told.map(\.event) == [.started, .ended])
    guard told.count == 2 else { return }
    #expect((2.1...2.3).contains(told[0].seconds) && (5.3...5.7).contains(told[1].seconds), "\(told)")
  }

  @Test("Nothing is told while the input is not muted; a mute in the middle of speech begins with it")
  func unmuted() throws {
    let voice = { (seconds: Double, noise: Double) in seconds > 2 ? Self.speech(seconds) : 1e-3 * noise }
    #expect(try events(microphone: voice, muted: 100...101, seconds: 4).isEmpty)
    let told = try events(microphone: voice, muted: 3...3.5, seconds: 5)
    #expect(told.map(\.event) == [.started], "the end of the mute is no end of speech")
    #expect((3...3.15).contains(told.first?.seconds ?? 0))
  }

  @Test("Noise that goes on, and silence, are no speech")
  func noise() throws {
    #expect(try events(microphone: { _, noise in 0.03 * noise }, muted: 2...9, seconds: 6).isEmpty)
    #expect(try events(microphone: { _, _ in 0 }, muted: 0...9, seconds: 3).isEmpty)
  }
}
