import AudioCore
import CForeign
import Processes

/// Third-party code in a process, seen from a process that watches it: what has ended it, and which component.
///
/// A component can end the process that it is in by more ways than a process can see: `_exit`, a signal that it sends,
/// `exit` in the middle of a call. So a program may do its work in a second process that says when it has come to its
/// own end.
package enum ForeignCode {
  private static let loading = Locked<(@Sendable () -> Void)?>(nil)

  /// Sets what is called before third-party code is loaded for the first time: it may have another process do the work,
  /// and not return.
  package static func beforeLoading(_ body: @escaping @Sendable () -> Void) { loading.withLock { $0 = body } }

  private static let loaded = Locked(false)
  /// True where there is any in this process.
  package static var wasLoaded: Bool { loaded.withLock { $0 } }

  static func willLoad(_ path: String) {
    // None of its code runs yet, if another process does the work.
    let notice = foreign_enter(nil)
    loading.withLock { $0 }?()
    _ = foreign_enter(notice)
    loaded.withLock { $0 = true }
    ByteText.withCString(path) { foreign_board_load($0) }
  }

  /// In the process that is watched: what was loaded and is under way is written down from now on. False where that
  /// cannot be.
  /// - Parameter descriptor: the descriptor of the memory that the watcher has made.
  package static func isWatched(by descriptor: Int32) -> Bool { foreign_board_use(descriptor) != 0 }

  /// In the process that is watched: it ends by itself with this exit code.
  package static func settle(_ code: Int32) { foreign_board_settle(code) }

  /// The watcher's view of the process.
  package final class Watch: ProcessWitness, @unchecked Sendable {
    private let board: OpaquePointer
    /// For the process that is watched.
    package let descriptor: Int32

    /// Nil where there is no memory for it.
    package init?() {
      var made: Int32 = -1
      guard let board = foreign_board_make(&made) else { return nil }
      (self.board, descriptor) = (board, made)
    }

    deinit { foreign_board_free(board, descriptor) }

    package var culprit: String? {
      settledCode == nil && !hasTold ? running : nil
    }

    /// The components whose code was running; where none was, the ones that were there; nil without any.
    package var running: String? {
      if !subjects.isEmpty { return subjects.joined(separator: " or ") }
      return bundles.isEmpty ? nil : "third-party code of \(bundles.joined(separator: " or ")), or this program,"
    }

    /// The exit code with which the process has come to its own end; nil where it has not.
    package var settledCode: Int32? {
      let code = foreign_board_code(board)
      return code < 0 ? nil : code
    }

    /// True where the process has said which component crashed.
    package var hasTold: Bool { foreign_board_has_told(board) != 0 }

    /// The process itself; nil until it has begun.
    package var process: Int32? {
      let process = foreign_board_process(board)
      return process > 1 ? process : nil
    }

    /// The components whose code was running, as `node "eq": the component …`.
    package var subjects: [String] {
      var subjects: [String] = []
      var index: Int32 = 0
      while let text = foreign_board_inside(board, index) {
        let subject = CrashNotice.subject(of: ByteText.string(cString: text))
        if !subjects.contains(subject) { subjects.append(subject) }
        index += 1
      }
      return subjects
    }

    /// The bundles whose code was in the process.
    package var bundles: [String] {
      var bundles: [String] = []
      while let path = foreign_board_loaded(board, Int32(bundles.count)) {
        bundles.append(ByteText.string(cString: path))
      }
      return bundles
    }
  }
}
