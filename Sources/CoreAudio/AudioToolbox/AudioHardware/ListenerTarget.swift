import AudioCore
import CAudioToolbox
import CForeign

/// The function or block that hears of a property of the hardware.
package enum ListenerTarget {
  case function(AudioObjectPropertyListenerProc, UInt)
  case block(ListenerBlock)

  func isSame(as other: ListenerTarget) -> Bool {
    switch (self, other) {
    case (.function(let proc, let userData), .function(let otherProc, let otherData)):
      userData == otherData && functionAddress(proc) == functionAddress(otherProc)
    case (.block(let block), .block(let other)): block.isSame(as: other)
    default: false
    }
  }

  /// Calls it: a block on its queue, else at once.
  func call(_ object: AudioObjectID, _ address: AudioObjectPropertyAddress) {
    switch self {
    case .function(let proc, let userData):
      recorded(object, address) {
        withUnsafePointer(to: address) { _ = proc(object, 1, $0, UnsafeMutableRawPointer(bitPattern: userData)) }
      }
    case .block(let block):
      guard let queue = block.queue else {
        recorded(object, address) { block.call(address) }
        return
      }
      queue.async { recorded(object, address) { block.call(address) } }
    }
  }
}

private func recorded(_ object: AudioObjectID, _ address: AudioObjectPropertyAddress, _ call: () -> Void) {
  recordedCallback("hardware property listener", nil, CallText.property(object, address, nil, 0), call)
}

/// A listener's block with the queue on which it is called.
package final class ListenerBlock: Sendable {
  let queue: CDispatchQueue?
  private let block: HeldBlock
  private let queueAddress: UInt
  /// The block that was given: its copy is another one where it lay on the stack.
  private let given: UInt

  /// Nil without a block.
  package init?(_ block: UnsafeRawPointer?, _ queue: UnsafeMutableRawPointer?) {
    guard let held = HeldBlock(block) else { return nil }
    self.block = held
    self.queue = CDispatchQueue(queue)
    queueAddress = UInt(bitPattern: queue)
    given = UInt(bitPattern: block)
  }

  func isSame(as other: ListenerBlock) -> Bool {
    queueAddress == other.queueAddress && (given == other.given || block.copy == other.block.copy)
  }

  func call(_ address: AudioObjectPropertyAddress) {
    withUnsafePointer(to: address) { foreign_call_property_block(block.copy, 1, $0) }
  }
}
