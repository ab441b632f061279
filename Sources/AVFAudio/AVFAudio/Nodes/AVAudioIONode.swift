import AVFAudioFiles
import AudioEngine
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
}

/// The head of an engine's graph.
open class AVAudioOutputNode: AVAudioIONode, @unchecked Sendable {
  init() { super.init(unit: GenericOutput()) }

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
