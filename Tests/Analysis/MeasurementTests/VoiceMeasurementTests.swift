import AudioCore
import Foundation
import GraphMeasurement
import Measurement
import Testing

/// Devices whose answers are known, and the voice processor itself held to what was wanted of it.
@Suite("What a voice processor does to echo and to speech")
struct VoiceMeasurementTests {
  private func findings(
    _ device: any Device, scenes: Int = 1, rate: Double = 16_000
  ) throws -> Findings {
    var measurement = VoiceMeasurement()
    measurement.sampleRate = rate
    measurement.sceneCount = scenes
    return try measurement.measure(device)
  }

  private func value(_ findings: Findings, _ id: String) throws -> Double {
    try #require(findings.reading(id), "there is no \(id)").value
  }

  private func device(_ body: @escaping @Sendable (_ microphone: [Double], _ far: [Double]) -> [Double])
    -> FunctionDevice
  {
    FunctionDevice("device", inputChannelCount: 2) { (input) throws(BenchError) in
      AudioSignal(sampleRate: input.sampleRate, channels: [body(input.channels[0], input.channels[1])])
    }
  }

  @Test("all 30 dB down: a loss of 30 dB at once, and speech that is 30 dB too quiet")
  func attenuated() throws {
    let gain = Decibels.amplitude(-30)
    let findings = try findings(device { microphone, _ in microphone.map { $0 * gain } })
    for id in ["Speech", "Noise", "Music", "Path", "Delay", "Distortion", "RoomNoise", "Drift"] {
      #expect(abs(try value(findings, "echoReturnLoss\(id)") - 30) < 0.01, "\(id)")
    }
    #expect(try value(findings, "convergenceNoise") < 0.15)
    #expect(abs(try value(findings, "speechDamage") - 30) < 0.01)
    #expect(abs(try value(findings, "doubleTalkBias") + 30) < 0.01)
    #expect(try value(findings, "voiceLatency") == 0)
  }

  @Test("nothing done: no loss, no convergence, speech as it was")
  func untouched() throws {
    let findings = try findings(device { microphone, _ in microphone })
    #expect(abs(try value(findings, "echoReturnLossSpeech")) < 0.001)
    #expect(try value(findings, "convergenceSpeech").isNaN)
    #expect(try value(findings, "reconvergence").isNaN)
    #expect(abs(try value(findings, "speechDamage")) < 0.001)
    #expect(abs(try value(findings, "doubleTalkBias")) < 0.001)
    #expect(findings.reading("gainControlLow") == nil)
  }

  @Test("the rest of the echo is not taken for speech: half of it left, and speech 20 dB down, reads -20 dB")
  func restOfEcho() throws {
    // The far end plays; its echo is at the microphone 6 dB lower. What is left of it is told apart by its sign alone.
    let findings = try findings(
      device { microphone, far in zip(microphone, far).map { 0.1 * $0 + 0.25 * $1 } })
    #expect(abs(try value(findings, "doubleTalkBias") + 20) < 0.01)
    #expect(abs(try value(findings, "doubleTalkDamage") - 20) < 0.01)
  }

  @Test("late by 700 frames, and 40 dB down from 2 s on: both are read")
  func late() throws {
    let findings = try findings(
      device { microphone, _ in
        let output = microphone.enumerated().map { $0.offset < 32_000 ? $0.element : $0.element * 0.01 }
        return Array(([Double](repeating: 0, count: 700) + output).prefix(microphone.count))
      })
    #expect(abs(try value(findings, "voiceLatency") - 700) <= 1)
    // The mean of 100 ms is 20 dB down when 99 of them are.
    let convergence = try value(findings, "convergenceNoise")
    #expect(abs(convergence - 2.1) <= 0.02, "\(convergence)")
    #expect(abs(try value(findings, "echoReturnLossNoise") - 40) < 0.1)
  }

  @Test("a gain control that holds a level: both ends and the times are read")
  func gainControl() throws {
    struct Leveller: VoiceDevice {
      let name = "leveller"
      let inputChannelCount: Int? = 2
      let reportedLatencyFrames: Double? = nil
      let reportedTailFrames: Int64? = nil
      let precision = SamplePrecision.float64
      var isOn = false
      var setting: String { "gain \(isOn ? "on" : "off")" }
      func controllingGain(_ isOn: Bool) -> (any VoiceDevice)? {
        var device = self
        device.isOn = isOn
        return device
      }
      func process(_ input: AudioSignal) throws(BenchError) -> AudioSignal {
        guard isOn else { return AudioSignal(sampleRate: input.sampleRate, channels: [input.channels[0]]) }
        // −40 and −16 dBFS become −24: the gain follows each step after 2 s.
        let frames = input.channels[0].indices
        let output = frames.map { frame in
          let seconds = Double(frame) / input.sampleRate
          let gain = (14..<26).contains(seconds) ? -8.0 : 16
          return input.channels[0][frame] * Decibels.amplitude(gain)
        }
        return AudioSignal(sampleRate: input.sampleRate, channels: [output])
      }
    }
    let findings = try findings(Leveller())
    #expect(abs(try value(findings, "gainControlLow") + 24) < 1.5)
    #expect(abs(try value(findings, "gainControlHigh") + 24) < 1.5)
    #expect(abs(try value(findings, "gainControlFall") - 2) <= 1)
    #expect(abs(try value(findings, "gainControlRise") - 2) <= 1)
    #expect(findings.remarks[0].hasPrefix("16000 Hz; gain off; "))
  }

  @Test(
    "the voice processor: 30 dB and more on a path of 100 ms, less than 3 dB of damage", arguments: [16_000.0, 48_000])
  func unit(_ rate: Double) throws {
    let findings = try findings(try VoiceUnitDevice(), scenes: 2, rate: rate)
    #expect(try value(findings, "echoReturnLossSpeech") >= 30)
    #expect(try value(findings, "echoReturnLossNoise") >= 40)
    #expect(try value(findings, "doubleTalkDamage") < 3)
    #expect(findings.remarks[0].contains("Hz; suppressor on, gain control off, quality 96"))
    // Louder in, not louder out.
    let (high, low) = (try value(findings, "gainControlHigh"), try value(findings, "gainControlLow"))
    #expect(abs(high - low) < 6)
  }

  @Test("the voice processor bypassed takes nothing away, and its canceller bare takes less")
  func settings() throws {
    let bypassed = try findings(try VoiceUnitDevice([("bypassVoiceProcessing", "1")]))
    #expect(abs(try value(bypassed, "echoReturnLossSpeech")) < 0.1)
    let whole = try findings(try VoiceUnitDevice())
    let bare = try findings(try VoiceUnitDevice([("residualEchoSuppression", "0")]))
    let (less, more) = (try value(bare, "echoReturnLossSpeech"), try value(whole, "echoReturnLossSpeech"))
    #expect(less < more - 3)
    #expect(throws: BenchError.self) { try VoiceUnitDevice([("loudness", "1")]) }
    #expect(throws: BenchError.self) { try VoiceUnitDevice([("voiceProcessingQuality", "128")]) }
    #expect(throws: BenchError.self) { try VoiceUnitDevice([("voiceProcessingQuality", "high")]) }
    #expect(throws: BenchError.self) { try VoiceUnitDevice([("voiceProcessingQuality", "-1")]) }
    for name in ["gainControl", "voiceProcessingEnableAGC"] {
      #expect {
        _ = try VoiceUnitDevice([(name, "true")])
      } throws: {
        "\($0)".contains("is set by the measurement")
      }
    }
  }

  @Test("a device of one channel, and one that gives nothing, are told")
  func refused() throws {
    let mono = FunctionDevice("mono", inputChannelCount: 1) { (input) throws(BenchError) in input }
    #expect { try findings(mono) } throws: {
      ($0 as? BenchError)?.message == "takes 1 channel, and a voice processor two"
    }
    let silent = device { microphone, _ in [Double](repeating: 0, count: microphone.count) }
    #expect { try findings(silent) } throws: { "\($0)".contains("gives nothing of who speaks") }
    let short = device { microphone, _ in Array(microphone.prefix(microphone.count / 2)) }
    #expect { try findings(short) } throws: { "\($0)".contains("gives 52000 frames of 104000, and at least 96000") }
    let wide = FunctionDevice("wide", inputChannelCount: 2) { (input) throws(BenchError) in input }
    #expect { try findings(wide) } throws: { "\($0)".contains("gives 2 channels at 16000 Hz, and one") }
  }

  @Test("of digital silence no more is said than that the loss is 80 dB")
  func silenced() throws {
    let findings = try findings(device { microphone, _ in microphone.indices.map { $0 < 24_000 ? microphone[$0] : 0 } })
    #expect(try value(findings, "echoReturnLossSpeech") == 80)
    #expect(try value(findings, "echoReturnLossNoise") == 80)
  }

  // MARK: What the scenes are made of

  @Test("an echo is the loudspeaker's sound through the room, as loud as is said, and no sooner than is said")
  func echo() throws {
    var far = [Double](repeating: 0, count: 16_000)
    far[1000] = 1
    var path = EchoScene.Path()
    path.gainDecibels = -12
    let scene = EchoScene(far: far, path: path, sampleRate: 16_000, seed: 3)
    let first = try #require(scene.echo.firstIndex { abs($0) > 1e-9 })
    #expect(first == 1000 + 320)
    #expect(scene.echo[(1000 + 1600)...].allSatisfy { abs($0) < 1e-9 })
    let ratio = VoiceFigures.rms(scene.echo) / VoiceFigures.rms(far)
    #expect(abs(Decibels.of(amplitude: ratio) + 12) < 1e-6)
    // 60 dB down at its end: its last tenth against its first.
    let decay = VoiceFigures.rms(scene.echo[1320..<1448]) / VoiceFigures.rms(scene.echo[2472..<2600])
    #expect(abs(Decibels.of(amplitude: decay) - 54) < 4)
  }

  @Test(
    "a loudspeaker with 5 % of harmonics has them at the level that is said, and a clock that drifts stretches a tone")
  func distortionAndDrift() throws {
    let rate = 16_000.0
    // The rms at which the peak of the tone is that of the definition: three times it and √2.
    let tone = (0..<32_000).map { 0.1 * sin(2 * .pi * 1000 * Double($0) / rate) }
    var path = EchoScene.Path()
    path.seconds = 0.02 + 1 / rate
    path.driftPartsPerMillion = 1000
    let scene = EchoScene(far: tone, path: path, sampleRate: rate, seed: 1)
    // One frame of a room, and 1001 Hz in place of 1000.
    func power(_ hertz: Double) -> Double {
      var (real, imaginary) = (0.0, 0.0)
      for frame in 8000..<24_000 {
        real += scene.echo[frame] * cos(2 * .pi * hertz * Double(frame) / rate)
        imaginary += scene.echo[frame] * sin(2 * .pi * hertz * Double(frame) / rate)
      }
      return real * real + imaginary * imaginary
    }
    #expect(power(1001) > 1000 * power(1000))
  }
}
