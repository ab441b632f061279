import AudioCore
import CProcess
import Glibc

/// The output of a child process, of which the end is kept: a program that prints without end fills neither a disk nor
/// this process's memory.
final class OutputPipe {
  private let readingEnd: Int32
  private(set) var writingEnd: Int32
  private let limit: Int
  private var kept: [UInt8] = []
  private var isOpen = true

  init(keeping limit: Int) throws(ChildProcess.StartFailure) {
    var ends: [Int32] = [-1, -1]
    let failure = process_make_pipe(&ends)
    guard failure == 0 else { throw ChildProcess.StartFailure(number: failure) }
    (readingEnd, writingEnd) = (ends[0], ends[1])
    self.limit = limit
    _ = fcntl(readingEnd, F_SETFL, O_NONBLOCK)
  }

  deinit {
    closeWritingEnd()
    close(readingEnd)
  }

  var bytes: [UInt8] { Array(kept.suffix(limit)) }

  /// The next line that is complete, without its end; it is taken away.
  func takeLine() -> [UInt8]? {
    guard let end = kept.firstIndex(of: UInt8(ascii: "\n")) else { return nil }
    defer { kept.removeFirst(end + 1) }
    return Array(kept[..<end])
  }

  /// All that is there; it is taken away.
  func takeAll() -> [UInt8] {
    defer { kept = [] }
    return bytes
  }

  func closeWritingEnd() {
    if writingEnd >= 0 { close(writingEnd) }
    writingEnd = -1
  }

  /// Takes what is there without waiting for more.
  func drain() {
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while isOpen {
      let count = read(readingEnd, &buffer, buffer.count)
      if count > 0 {
        kept += buffer[..<count]
        if kept.count > 2 * limit { kept.removeFirst(kept.count - limit) }
      } else if count == 0 {
        isOpen = false
      } else if errno != EINTR {
        return
      }
    }
  }

  /// Waits until one of the pipes has something or `ended` is readable.
  static func wait(for pipes: [OutputPipe], _ ended: Int32, milliseconds: Int32) {
    var watched = pipes.filter(\.isOpen).map { pollfd(fd: $0.readingEnd, events: Int16(POLLIN), revents: 0) }
    if ended >= 0 { watched.append(pollfd(fd: ended, events: Int16(POLLIN), revents: 0)) }
    poll(&watched, nfds_t(watched.count), ended >= 0 ? milliseconds : min(milliseconds, 10))
  }
}
