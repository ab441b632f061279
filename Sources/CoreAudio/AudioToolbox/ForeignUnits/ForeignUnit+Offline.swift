import AudioCore
import AudioEngine
import BuiltInUnits
import CAudioToolbox
import Synchronization

/// The flags of each render call for an offline unit of a third party; other kinds get none.
final class OfflineAction: Sendable {
  private let bits: Atomic<UInt32>
  let isOffline: Bool

  init(_ component: Component) {
    isOffline = component.description.type == .offlineEffect
    bits = Atomic(isOffline ? AudioUnitRenderActionFlags.offlineUnitRenderAction_Render.rawValue : 0)
  }

  var flags: AudioUnitRenderActionFlags { AudioUnitRenderActionFlags(rawValue: bits.load(ordering: .relaxed)) }
  func set(_ flags: AudioUnitRenderActionFlags) { bits.store(flags.rawValue, ordering: .relaxed) }
}

extension ForeignUnit: OfflineUnit {
  public var wantsPreflight: Bool { offlineAction.isOffline && facts?.wantsPreflight ?? false }
  public var preflightName: String { facts?.preflightName ?? "Preflight" }

  public func setInput(frames: Int64) throws(AudioStatus) {
    guard offlineAction.isOffline, frames > 0, let instance else { return }
    let status = instance.write(kAudioUnitOfflineProperty_InputSize, kAudioUnitScope_Global, 0, UInt64(frames))
    // One that does not want to know.
    if status == kAudioUnitErr_InvalidProperty { return }
    try ensureSuccess(status)
  }

  public func beginPreflight() { offlineAction.set(.offlineUnitRenderAction_Preflight) }
  public func endPreflight() { offlineAction.set(.offlineUnitRenderAction_Render) }
}
