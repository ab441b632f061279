// The common parts of offline effects. `render` of the processor runs on the render thread: no allocation, no lock.

import AudioCore
import AudioEngine
import Synchronization

/// A unit that looks at all of its input before it renders: an effect of the type `auol`.
///
/// Whoever renders a graph offline runs it once for each such unit, and then for the result: see ``beginPreflight()``.
package protocol OfflineUnit: Unit {
  /// True when it wants to see its input first.
  var wantsPreflight: Bool { get }
  /// The text for people during a preflight: `Measuring loudness`.
  var preflightName: String { get }
  /// Tells how long the input is, and lets the unit forget what it knows of one, and all signal.
  /// - Parameter frames: 0 or more; 0: not known.
  func setInput(frames: Int64) throws(AudioStatus)
  /// From here to ``endPreflight()`` what the unit renders is its look at the input; what it puts out is its input.
  func beginPreflight()
  /// The input has been seen. While initialized, and not while it renders.
  func endPreflight()
}

/// The common parts of offline effects: an input whose length is set beforehand, and a preflight in which they look at
/// it.
///
/// A host of the C interface sets `PropertyID.offlineInputSize`, renders all of the input with the flag
/// `kAudioOfflineUnitRenderAction_Preflight`, and again with `kAudioOfflineUnitRenderAction_Render`; the unit adds
/// `kAudioOfflineUnitRenderAction_Complete` to the flags of the last slice of either. It answers
/// `.invalidOfflineRender` (−10848) to a preflight of an input of unknown length, and to a render without the preflight
/// that it requires. Rendered by the engine without any, it goes by what it knows.
open class OfflineEffectUnit: EffectUnit, OfflineUnit, @unchecked Sendable {
  /// The need of a unit to look at its input before it renders it: must, may or need not.
  public enum PreflightRequirement: UInt32, Sendable { case notRequired, optional, required }

  /// `.required` unless a subclass says otherwise.
  open var preflightRequirement: PreflightRequirement { .required }
  open var preflightName: String { "Preflight" }
  package final var wantsPreflight: Bool { preflightRequirement != .notRequired && !isBypassed }

  let pass = OfflinePass()

  /// Frames of the input, 0 where it was not told.
  public final var inputFrames: Int64 { pass.inputFrames.load(ordering: .relaxed) }
  /// Frames of the output, about; by default those of the input.
  open var outputFrames: Int64 { inputFrames }

  package final func setInput(frames: Int64) throws(AudioStatus) {
    guard frames >= 0 else { throw .invalidPropertyValue }
    pass.inputFrames.store(frames, ordering: .relaxed)
    pass.isDone.store(false, ordering: .relaxed)
    forgetPreflight()
    edit(OfflineEffectProcessor.self) { $0.requestReset() }
  }

  /// Forgets what a preflight has found: for subclasses.
  open func forgetPreflight() {}

  /// Frames of the last slice that belong to the sound, where it completed a preflight or a render; nil: it did not.
  /// The render side's.
  package final var completingFrames: Int? {
    let frames = pass.completingFrames.load(ordering: .relaxed)
    return frames < 0 ? nil : frames
  }

  package final func beginPreflight() { pass.isPreflight.store(true, ordering: .relaxed) }

  package final func endPreflight() {
    pass.isPreflight.store(false, ordering: .relaxed)
    edit(OfflineEffectProcessor.self) { $0.finishPreflight() }
  }

  /// A subclass adds its own to what this one has.
  open override var ownProperties: [PropertyDescriptor] { super.ownProperties + Self.offlineProperties }

  private static let offlineProperties = [
    PropertyDescriptor(
      .offlineInputSize, "offlineInputSize", .int64("frames, 0: not known", in: 0...Int64.max),
      of: OfflineEffectUnit.self,
      get: { unit, _, _ in unit.inputFrames },
      set: { (unit, _, _, frames) throws(AudioStatus) in try unit.setInput(frames: frames) }),
    PropertyDescriptor(
      .offlineOutputSize, "offlineOutputSize", .int64("frames, about"), of: OfflineEffectUnit.self,
      get: { unit, _, _ in unit.outputFrames }),
    // The input is what the source gives from the slice's time on.
    PropertyDescriptor(
      .offlineStartOffset, "offlineStartOffset", .int64("frames", in: 0...0), of: OfflineEffectUnit.self,
      get: { _, _, _ in 0 }, set: { _, _, _, _ in }),
    PropertyDescriptor(
      .offlinePreflightRequirements, "offlinePreflightRequirements",
      .uint32("0 not required, 1 optional, 2 required"), of: OfflineEffectUnit.self,
      get: { unit, _, _ in Int(unit.preflightRequirement.rawValue) }),
  ]
}

extension PropertyID {
  /// `kAudioUnitOfflineProperty_InputSize`: frames of the input; setting it resets the unit.
  package static let offlineInputSize = PropertyID(3020)
  /// `kAudioUnitOfflineProperty_OutputSize`: frames, about. Read-only.
  package static let offlineOutputSize = PropertyID(3021)
  /// `kAudioUnitOfflineProperty_StartOffset`: 0, as units of this package begin where their source does.
  package static let offlineStartOffset = PropertyID(3022)
  /// `kAudioUnitOfflineProperty_PreflightRequirements`: 0, 1 or 2. Read-only.
  package static let offlinePreflightRequirements = PropertyID(3023)
}

/// The state that an offline effect and its processor share.
final class OfflinePass: Sendable {
  let inputFrames = Atomic<Int64>(0)
  /// True when the engine renders a preflight.
  let isPreflight = Atomic<Bool>(false)
  /// True when a preflight has seen all of the input.
  let isDone = Atomic<Bool>(false)
  /// Frames of the present slice that belong to the input, where it completes a preflight or a render; −1: it does not.
  let completingFrames = Atomic<Int>(-1)
}

/// The render half of an offline effect. Runs on the render thread: no allocation, no lock.
open class OfflineEffectProcessor: EffectProcessor {
  private enum Phase { case preflight, render }

  // The action flags of the C interface.
  private static let preflightFlag: UInt32 = 1 << 5
  private static let renderFlag: UInt32 = 1 << 6
  private static let completeFlag: UInt32 = 1 << 7

  private let pass: OfflinePass
  private let isRequired: Bool
  private let wantsReset = Atomic<Bool>(false)
  /// The phase that is being rendered; nil: none since the beginning, or since a preflight or a render was complete.
  private var phase: Phase?
  /// Frames of the phase.
  private var position: Int64 = 0
  /// True where the phase was completed in the present slice, of which there may be more pieces.
  private var isComplete = false

  public init(_ unit: OfflineEffectUnit) {
    pass = unit.pass
    isRequired = unit.preflightRequirement == .required
  }

  /// Forgets what was seen of an input: a preflight begins.
  open func beginPreflight() {}
  /// Looks at the first `frames` frames of the piece's input: it has no more of those that belong to the preflight.
  open func preflight(_ piece: RenderPiece, frames: Int) {}
  /// All of the input was seen.
  open func endPreflight() {}
  /// Renders the frames of one piece of a slice.
  open func renderOffline(_ piece: RenderPiece) throws(AudioStatus) {}

  public final override func render(_ piece: RenderPiece) throws(AudioStatus) {
    let flags = piece.hostFlags
    let isPreflight =
      flags.map { $0.pointee & Self.preflightFlag != 0 } ?? pass.isPreflight.load(ordering: .relaxed)
    let length = pass.inputFrames.load(ordering: .relaxed)
    beginPiece(piece)
    if isComplete { return isPreflight ? copyInput(piece) : try renderOffline(piece) }
    if isPreflight {
      guard flags == nil || length > 0 else { throw .invalidOfflineRender }
      begin(.preflight)
      let left = length > 0 ? max(0, length - position) : .max
      preflight(piece, frames: Int(min(Int64(piece.frames), left)))
      copyInput(piece)
      guard let flags else {
        position += Int64(piece.frames)
        return
      }
      guard advance(piece, length) else { return }
      finishPreflight()
      flags.pointee |= Self.completeFlag
    } else {
      guard flags == nil || !isRequired || pass.isDone.load(ordering: .relaxed) else { throw .invalidOfflineRender }
      begin(.render)
      try renderOffline(piece)
      guard let flags, flags.pointee & Self.renderFlag != 0, length > 0 else {
        position += Int64(piece.frames)
        return
      }
      guard advance(piece, length) else { return }
      flags.pointee |= Self.completeFlag
      phase = nil
    }
  }

  /// Nothing is complete at the beginning of a slice.
  private func beginPiece(_ piece: RenderPiece) {
    guard piece.offset == 0 else { return }
    isComplete = false
    pass.completingFrames.store(-1, ordering: .relaxed)
  }

  /// Counts the frames of a piece.
  /// - Returns: true if the phase is complete with it.
  private func advance(_ piece: RenderPiece, _ length: Int64) -> Bool {
    let left = max(0, length - position)
    position += Int64(piece.frames)
    guard position >= length else { return false }
    isComplete = true
    pass.completingFrames.store(piece.offset + Int(min(left, Int64(piece.frames))), ordering: .relaxed)
    return true
  }

  /// When bypassed it looks at nothing, but still completes: a host may wait for that. The results of a preflight stay.
  final override func passBypassed(_ piece: RenderPiece) {
    let length = pass.inputFrames.load(ordering: .relaxed)
    guard let flags = piece.hostFlags, length > 0, flags.pointee & (Self.preflightFlag | Self.renderFlag) != 0 else {
      return piece.passInput()
    }
    beginPiece(piece)
    if isComplete { return copyInput(piece) }
    let next = flags.pointee & Self.preflightFlag != 0 ? Phase.preflight : .render
    if phase != next { (phase, position) = (next, 0) }
    copyInput(piece)
    guard advance(piece, length) else { return }
    flags.pointee |= Self.completeFlag
    phase = nil
  }

  /// The input as it is. Not `RenderPiece.passInput(bytesPerFrame:)`: each slice is to come here, as its frames are
  /// counted.
  public final func copyInput(_ piece: RenderPiece) {
    piece.outputs[0].copy(
      from: piece.inputs[0], sourceFrame: piece.offset, toFrame: piece.offset, frames: piece.frames,
      bytesPerFrame: MemoryLayout<Float>.size)
  }

  private func begin(_ next: Phase) {
    guard phase != next else { return }
    phase = next
    position = 0
    guard next == .preflight else { return }
    pass.isDone.store(false, ordering: .relaxed)
    beginPreflight()
  }

  /// A preflight that saw nothing at all ends here, too.
  final func finishPreflight() {
    begin(.preflight)
    endPreflight()
    pass.isDone.store(true, ordering: .relaxed)
    phase = nil
  }

  final func requestReset() { wantsReset.store(true, ordering: .relaxed) }

  /// A subclass that overrides this calls it first.
  open override func latch() {
    super.latch()
    if wantsReset.exchange(false, ordering: .relaxed) { reset() }
  }

  /// A subclass that overrides this calls it first. The results of a preflight stay.
  open override func reset() {
    phase = nil
    position = 0
    isComplete = false
  }
}
