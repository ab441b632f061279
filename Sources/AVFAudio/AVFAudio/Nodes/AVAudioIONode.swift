import AVFAudioFiles
import AudioEngine
import AudioUnitV3
import BuiltInUnits
import Foundation
import Hardware

/// Gives so many frames for the input node, in its manual rendering format, in a list that stays as it is until the next
/// call; nil: there is nothing now.
public typealias AVAudioIONodeInputBlock = (AVAudioFrameCount) -> UnsafePointer<AudioBufferList>?

/// The common part of input and output.
open class AVAudioIONode: AVAudioNode, @unchecked Sendable {
  /// Seconds between the host time of a frame and its sound: 0, as the simulated hardware's host times are those of the
  /// sound itself.
  public var presentationLatency: TimeInterval { 0 }

  /// The unit as one of version 3: its device is the engine's, which starts and stops it.
  override func makeAudioUnit() -> AUAudioUnit {
    let made = super.makeAudioUnit()
    made.device = EngineDevice(self)
    return made
  }

  /// The node's unit, for functions of the C interface: as ``AVAudioUnit/audioUnit``, and the number of the device
  /// (`kAudioOutputUnitProperty_CurrentDevice`). Nil in a program that is linked without that.
  public var audioUnit: AudioUnit? { handle.isThere ? handle.unit : nil }
}

/// The head of an engine's graph.
open class AVAudioOutputNode: AVAudioIONode, @unchecked Sendable {
  /// For each channel of the hardware, the engine's channel that it plays; nil: its own. Changed between slices.
  private(set) var hardwareMap: [Int]?

  init() { super.init(unit: GenericOutput()) }

  override func makeAudioUnit() -> AUAudioUnit {
    let made = super.makeAudioUnit()
    made.channelMapDidChange = { [weak self, unowned made] in self?.follow(made.channelMap) }
    return made
  }

  private func follow(_ map: [NSNumber]?) {
    let map = map.map { $0.map(\.intValue) }
    inEngine {
      if let engine { engine.betweenSlices { hardwareMap = map } } else { hardwareMap = map }
    }
  }

  /// The format of manual rendering; without it that of the hardware.
  public override func outputFormat(forBus bus: AVAudioNodeBus) -> AVAudioFormat { engine?.target.format ?? .initial }

  /// The format of what is connected to it; without a connection that of its output.
  public override func inputFormat(forBus bus: AVAudioNodeBus) -> AVAudioFormat {
    guard let engine, engine.locked({ engine.connection(into: self, bus: 0) }) != nil else {
      return outputFormat(forBus: 0).standard
    }
    return super.inputFormat(forBus: bus)
  }
}
