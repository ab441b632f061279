import Foundation

/// How large the process's files may become is one setting for all tests: one that lowers it and one that needs large files
/// keep out of each other's way.
public enum FileSizeLimit {
  private static let lock = NSLock()

  public static func alone<Result>(_ body: () throws -> Result) rethrows -> Result {
    lock.lock()
    defer { lock.unlock() }
    return try body()
  }
}
