import AudioCore

/// A storage that remembers the first read that failed: who looks for the parts of a file takes bytes that cannot be
/// read for bytes that are not there.
final class ExaminedStorage: ByteStorage {
  private let base: any ByteStorage
  private(set) var failure: StorageError?

  init(_ base: any ByteStorage) { self.base = base }

  var length: Int64 { base.length }

  func read(_ bytes: UnsafeMutableRawPointer, count: Int, at offset: Int64) throws(StorageError) -> Int {
    do throws(StorageError) { return try base.read(bytes, count: count, at: offset) } catch {
      failure = failure ?? error
      throw error
    }
  }

  func write(_ bytes: UnsafeRawPointer, count: Int, at offset: Int64) throws(StorageError) {
    try base.write(bytes, count: count, at: offset)
  }

  func setLength(_ length: Int64) throws(StorageError) { try base.setLength(length) }

  /// The error of a file of which something could not be read; nil: all could.
  func refusal(_ path: String) -> BenchError? {
    failure.map { BenchError(.input, at: path, "cannot be read: \(systemMessage($0.errorNumber))") }
  }
}
