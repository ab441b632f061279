import AVFAudio
import AudioCore
import AudioEngine
import Foundation
import Hardware
import Testing

/// An engine on hardware of its own, which follows a scenario, with what tests need of it.
struct HardwareHarness {
  /// Everything that the loudspeaker plays, by rate and channel.
  final class Loudspeaker: LoudspeakerListener, @unchecked Sendable {
    private let heard = Locked<[(format: StreamFormat, samples: [[Float]])]>([])

    func begin(_ format: StreamFormat) {
      heard.withLock { $0.append((format, [[Float]](repeating: [], count: format.channelCount))) }
    }

    func append(_ samples: Plane<Float>, frames: Int) {
      heard.withLock { heard in
        let count = heard[heard.count - 1].format.channelCount
        for channel in 0..<count {
          for frame in 0..<frames { heard[heard.count - 1].samples[channel].append(samples[frame * count + channel]) }
        }
      }
    }

    /// The channels at the rate that was played last, or before it.
    func samples(_ part: Int = 0) -> [[Float]] { heard.withLock { part < $0.count ? $0[part].samples : [] } }
    var rates: [Double] { heard.withLock { $0.map(\.format.sampleRate) } }
  }

  let hardware = SimulatedHardware(DeviceConfiguration())
  let engine: AVAudioEngine
  let loudspeaker = Loudspeaker()
  let format: AVAudioFormat

  /// By default 48 kHz, stereo, a microphone of one channel, slices of 480 frames, by a told clock.
  init(choices: AVFAudioChoices = AVFAudioChoices(), _ edit: (inout Scenario) -> Void = { _ in }) throws {
    var scenario = Scenario()
    scenario.device.clock = .told
    scenario.device.sampleRate = 48_000
    scenario.device.slices = [480]
    edit(&scenario)
    hardware.listener = loudspeaker
    try hardware.follow(scenario)
    engine = AVAudioEngine(hardware: hardware, choices: choices)
    format = engine.outputNode.outputFormat(forBus: 0)
  }

  /// A player that is connected to the main mixer.
  func player() -> AVAudioPlayerNode {
    let player = AVAudioPlayerNode()
    engine.attach(player)
    engine.connect(player, to: engine.mainMixerNode, format: format)
    return player
  }

  /// A buffer of the hardware's format with noise in both channels.
  func noise(_ frames: Int) throws -> AVAudioPCMBuffer { try EngineHarness.buffer(format, frames, Self.noise) }

  static func noise(_ frame: Int, _ channel: Int) -> Float {
    Float((frame * 7919 + channel * 131) % 2001 - 1000) / 2000
  }
}
