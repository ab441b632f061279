/// The things of this process that must not stay behind if it is ended from outside: hidden names of files, temporary
/// folders, child processes.
///
/// Code that begins such a thing does so while it holds ``list``, and adds how it is undone; code that ends the process
/// holds the list for good. So nothing is begun unseen, and files get their names all or none.
package struct Unfinished {
  package typealias Token = Int

  package static let list = Locked(Unfinished())

  private var undos: [(token: Token, undo: @Sendable () -> Void)] = []
  private var lastToken = 0
  /// True when the end of the process is decided: all its outputs have their names, or an error has been reported. A
  /// signal that comes now is too late.
  package var isSettled = false

  package mutating func add(_ undo: @escaping @Sendable () -> Void) -> Token {
    lastToken += 1
    undos.append((lastToken, undo))
    return lastToken
  }

  package mutating func remove(_ token: Token) { undos.removeAll { $0.token == token } }

  /// Undoes one thing, where that has not happened yet.
  package mutating func undo(_ token: Token) {
    guard let index = undos.firstIndex(where: { $0.token == token }) else { return }
    undos.remove(at: index).undo()
  }

  /// Undoes everything, the newest first.
  package mutating func undoAll() {
    while let (_, undo) = undos.popLast() { undo() }
  }
}
