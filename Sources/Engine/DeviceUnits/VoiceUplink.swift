// The way of a voice processor's microphone: what the unit itself has played is taken out of it. Runs on the hardware's
// thread; allocates nothing after init.

import AudioCore
import AudioEngine
import Hardware
import Synchronization
import VoiceProcessing

/// Echo cancellation between the hardware's cycle and the app's pull, with what the unit plays as the reference.
final class VoiceUplink {
  private let processor: VoiceProcessor
  private let channelCount: Int
  private static let capacity = DeviceConfiguration.bufferFrameCounts.upperBound
  private let heard = FlatMemory<Float>(repeating: 0, count: capacity)
  private let reference = FlatMemory<Float>(repeating: 0, count: capacity)
  private let output: FlatMemory<Float>
  /// The loudspeaker's signal, in a ring: the frames read lie a cycle before the microphone's, as no echo comes sooner.
  private let played = FlatMemory<Float>(repeating: 0, count: 4 * capacity)
  private var readPlace: Int
  private var writePlace = 0
  private var noise = SplitMix64(seed: 1)
  /// True while the user speaks, as of the last cycle.
  var hearsSpeech: Bool { processor.hearsSpeech }

  // Set by any thread.
  private let isBypassed = Atomic<Bool>(false)
  private let controlsGain = Atomic<Bool>(true)
  private let suppresses = Atomic<Bool>(true)

  /// - Parameters:
  ///   - cycleFrames: the longest cycle that is expected.
  ///   - quality: 0 to 127: echoes of 20 to 126 ms; 96 is 100 ms. Apple publishes no meaning of the number.
  /// - Throws: `.render` where voice processing is not built, or does not take the rate.
  init(sampleRate: Double, channelCount: Int, cycleFrames: Int, quality: UInt32) throws(BenchError) {
    processor = try VoiceProcessor(sampleRate: sampleRate, tailSeconds: 0.02 + Double(quality) / 1200)
    self.channelCount = channelCount
    output = FlatMemory(repeating: 0, count: Self.capacity * channelCount)
    readPlace = -cycleFrames
  }

  func set(_ state: VoiceProcessingState) {
    isBypassed.store(state.isBypassed != 0, ordering: .relaxed)
    controlsGain.store(state.enablesAGC != 0, ordering: .relaxed)
    suppresses.store(state.suppressesResidual != 0, ordering: .relaxed)
  }

  /// The microphone's signal after echo cancellation: one voice, on all of its channels.
  /// - Parameter defect: the signal in its place.
  func process(
    _ input: Plane<Float>, frames: Int, defect: SimulatedHardware.VoiceDefect = .none
  ) -> Plane<Float> {
    processor.controlsGain = controlsGain.load(ordering: .relaxed)
    processor.suppresses = suppresses.load(ordering: .relaxed)
    for frame in 0..<frames {
      var sum: Float = 0
      for channel in 0..<channelCount { sum += input[frame * channelCount + channel] }
      heard[frame] = sum / Float(channelCount)
      let place = readPlace + frame
      reference[frame] = place < 0 || place >= writePlace ? 0 : played[place % played.count]
    }
    readPlace += frames
    processor.process(
      heard.all, reference: reference.all, output: heard.all, frames: frames,
      bypasses: isBypassed.load(ordering: .relaxed))
    switch defect {
    case .none: break
    case .silence: heard.all.update(repeating: 0, count: frames)
    case .noise: for frame in 0..<frames { heard[frame] = Float.random(in: -0.05...0.05, using: &noise) }
    }
    for frame in 0..<frames {
      for channel in 0..<channelCount { output[frame * channelCount + channel] = heard[frame] }
    }
    return output.all
  }

  /// The unit's output in the cycle; nil: silence.
  func play(_ samples: Plane<Float>?, channelCount: Int, frames: Int) {
    for frame in 0..<frames {
      var sum: Float = 0
      if let samples { for channel in 0..<channelCount { sum += samples[frame * channelCount + channel] } }
      played[(writePlace + frame) % played.count] = sum / Float(channelCount)
    }
    writePlace += frames
  }
}
