import CForeign

/// A program's block, which is called later: a copy, for as long as this object lives. Raw: see `block.c`.
final class HeldBlock: @unchecked Sendable {
  let copy: UnsafeRawPointer

  /// Nil without a block.
  init?(_ block: UnsafeRawPointer?) {
    guard let copy = block.flatMap({ foreign_copy_block($0) }) else { return nil }
    self.copy = copy
  }

  deinit { foreign_release_block(copy) }
}
