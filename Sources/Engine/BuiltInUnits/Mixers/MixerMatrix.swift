// Between the edit side, which sets levels on any thread, and the render side, which takes them over once a slice.

import AudioEngine
import HandOver
import Synchronization

/// The matrix and the meter switch of one mixer input.
final class MixerMatrix: Sendable {
  let isMetered = Atomic<Bool>(false)

  /// All levels of a matrix: handed over whole, so that it is never half old and half new.
  private final class Levels: Parcel {
    /// None: pan holds.
    let values: [Float]
    init(_ values: [Float]) { self.values = values }
  }

  private let count: Int
  private let mailbox = Mailbox(Levels([]))

  /// - Parameter count: input channels × output channels.
  init(count: Int) { self.count = count }

  /// Levels for the next slice, or nil: pan holds again. Edit side only.
  func set(_ values: [Float]?) {
    mailbox.send(Levels(values.flatMap { $0.count == count ? $0 : nil } ?? []))
  }

  // MARK: Render side

  /// Takes over what was set last.
  func latch() { _ = mailbox.adopt() }

  /// True when the matrix is used in the present slice, in place of pan.
  var isInUse: Bool { levels { !$0.values.isEmpty } }

  /// A level of the present slice.
  func level(_ index: Int) -> Double { levels { Double($0.values[index]) } }

  private func levels<Result>(_ body: (Levels) -> Result) -> Result {
    mailbox.present._withUnsafeGuaranteedRef { body(unsafeDowncast($0, to: Levels.self)) }
  }
}
