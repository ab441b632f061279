import AudioCore
import Glibc

/// The files that are being written, finished when the program ends: a global of a program is never deinitialized.
enum UnfinishedFiles {
  private struct Entry {
    weak var file: AVAudioFile?
  }
  private static let entries = Locked<[ObjectIdentifier: Entry]>([:])
  private static let finishesAtExit: Bool =
    atexit {
      for file in UnfinishedFiles.entries.withLock({ $0.values.compactMap(\.file) }) { file.close() }
    } == 0

  /// Has a file finished when the program ends, unless it is closed or deinitialized before.
  static func add(_ file: AVAudioFile) {
    _ = finishesAtExit
    entries.withLock { $0[ObjectIdentifier(file)] = Entry(file: file) }
  }

  static func remove(_ file: AVAudioFile) {
    entries.withLock { _ = $0.removeValue(forKey: ObjectIdentifier(file)) }
  }
}
