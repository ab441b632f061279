import Foundation

/// Serializes tests that change the largest size of the process's files: one that lowers it and one that needs large
/// files must not run together.
public enum FileSizeLimit {
  private static let lock = NSLock()

  public static func alone<Result>(_ body: () throws -> Result) rethrows -> Result {
    lock.lock()
    defer { lock.unlock() }
    return try body()
  }
}
