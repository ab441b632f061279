import AVFAudioFiles
import AudioCore
import AudioEngine
import AudioUnitV3
import Foundation
import Hardware

/// The handle of the C interface to a node's unit, for as long as the node lives.
final class NodeHandle: @unchecked Sendable {
  let unit: AudioUnit
  /// False in a program that is linked without the C interface.
  var isThere: Bool { unit != CInterfaceHandles.none }

  init(_ node: AVAudioNode) {
    unit = CInterfaceHandles.maker?.makeHandle(of: node.unit, NodeHandleHost(node)) ?? CInterfaceHandles.none
  }

  deinit {
    if isThere { CInterfaceHandles.maker?.endHandle(unit) }
  }
}

/// The engine of a node as the handle sees it.
private final class NodeHandleHost: UnitHandleHost, @unchecked Sendable {
  private weak var node: AVAudioNode?

  init(_ node: AVAudioNode) { self.node = node }

  private var engine: AVAudioEngine? { node?.engine }
  var isRenderingHere: Bool { engine?.domain.isRenderingHere ?? false }
  func edit(_ body: () -> Void) { if let engine { engine.locked(body) } else { body() } }
  func betweenSlices(_ body: () -> Void) { if let engine { engine.betweenSlices(body) } else { body() } }
  func unitDidChange() { engine?.noteEdit() }

  /// The engine, where it plays to hardware by this node.
  private var playing: AVAudioEngine? {
    guard node is AVAudioIONode, let engine, !engine.isInManualRenderingMode else { return nil }
    return engine
  }
  var deviceID: UInt32? { playing == nil ? nil : SimulatedHardware.deviceID }
  var isRunning: Bool { playing?.isRunning ?? false }
}
