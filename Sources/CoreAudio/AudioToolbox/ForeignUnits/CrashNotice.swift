// Runs on render threads too: nothing here allocates or waits but `init`.

import AudioCore
import CForeign
import Glibc

/// The last words about a component that takes the program down with it: prepared beforehand, written by a signal
/// handler.
final class CrashNotice: @unchecked Sendable {
  private let text: UnsafeMutablePointer<CChar>?

  /// - Parameter subject: the crashed component, as `node "eq": the component …`; the signal's name follows.
  init(_ subject: String) {
    foreign_report_crashes()
    text = strdup(ErrorLine.text("\(subject)\(Self.end)"))
  }

  deinit { free(text) }

  private static let end = " crashed: "

  /// The subject of a notice's text.
  static func subject(of text: String) -> String {
    let start = ErrorLine.text("")
    return String(text.dropFirst(text.hasPrefix(start) ? start.count : 0).dropLast(text.hasSuffix(end) ? end.count : 0))
  }

  /// From here to ``leave(_:)`` a crash of the calling thread is the component's; returns what was in force before.
  func enter() -> UnsafePointer<CChar>?? { .some(foreign_enter(text)) }
  static func leave(_ former: UnsafePointer<CChar>?) { _ = foreign_enter(former) }

  /// Runs `body` as the component's code.
  /// - Parameter catchesExits: false in render calls: to catch what comes behind a component's own handlers takes
  ///   memory.
  func around<R>(catchesExits: Bool = true, _ body: () -> R) -> R {
    if catchesExits { foreign_catch_exits() }
    let former = foreign_enter(text)
    defer { _ = foreign_enter(former) }
    return body()
  }

  /// The same where there may be no notice.
  static func around<R>(_ notice: CrashNotice?, catchesExits: Bool = true, _ body: () -> R) -> R {
    if let notice { notice.around(catchesExits: catchesExits, body) } else { body() }
  }
}
