import AVFAudioFiles
import AudioCore
import AudioUnitV3
import Foundation
import Hardware

/// The hardware of an engine, as the units of its input and output nodes see it. In manual rendering there is none.
final class EngineDevice: AudioUnitDevice {
  private weak var node: AVAudioIONode?

  init(_ node: AVAudioIONode) { self.node = node }

  /// The engine, where it plays to hardware.
  private var engine: AVAudioEngine? {
    guard let engine = node?.engine, !engine.isInManualRenderingMode else { return nil }
    return engine
  }

  var canPerformInput: Bool { engine?.hardware.hasMicrophone ?? false }
  var canPerformOutput: Bool { engine != nil }
  /// Follows the connections of the input node.
  var isInputEnabled: Bool {
    get { engine.map { engine in engine.locked { engine.link?.output.isInputEnabled ?? false } } ?? false }
    set {}
  }
  var isOutputEnabled: Bool {
    get { engine != nil }
    set {}
  }
  var isRunning: Bool { engine?.isRunning ?? false }
  var deviceID: UInt32 { engine == nil ? 0 : SimulatedHardware.deviceID }
  func setDeviceID(_ deviceID: UInt32) throws { try check(deviceID) }
  /// The engine renders itself.
  var outputProvider: AURenderPullInputBlock? {
    get { nil }
    set {}
  }
  var inputHandler: AUInputHandler? {
    get { nil }
    set {}
  }
  func start() throws {
    throw NSError(AudioStatus.cannotDoInCurrentContext, "the engine starts and stops the unit of its node")
  }
  func stop() {}
}
