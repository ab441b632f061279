import AudioCore
import CProcess
import Glibc

/// Ends a program early: by a signal, or because its output cannot be written.
///
/// It is the same for all commands, and none of them polls whether it is to stop. Signals are blocked in every thread
/// but one, which waits for them; it undoes what is ``Unfinished`` and ends the process, wherever the other threads
/// are.
package enum ProgramEnd {
  /// The longest time for undoing and reporting.
  private static let graceMilliseconds: Int32 = 800

  /// Gives a signal to the process that does the work of this one, and answers whether that one has said that it was
  /// stopped.
  package static let forwarding = Locked<(@Sendable (_ number: Int32) -> Bool)?>(nil)
  /// Called with the exit code when all is undone and said: may end the process in its own way.
  package static let atEnd = Locked<(@Sendable (_ code: Int32) -> Void)?>(nil)

  /// Takes signals from now on. Call before the program starts a thread. Both threads that this needs start here: at a
  /// signal there may be no room for another. If they cannot start, signals keep their default meaning.
  /// - Parameter told: says on the standard streams that the program was stopped by a signal of this name.
  package static func takeSignals(_ told: @escaping @Sendable (_ number: Int32, _ name: String) -> Void) {
    process_hold_signals()
    let signal = SignalNumber()
    let undo: @Sendable () -> Void = {
      let number = signal.take()
      // The process that does this one's work says what has become of it.
      let isTold = forwarding.withLock { $0 }?(number) ?? false
      end(128 + number, unlessSettled: true) { if !isTold { told(number, signalName(number)) } }
    }
    let wait: @Sendable () -> Void = {
      var number: Int32 = 0
      while number == 0 { number = process_await_signal(-1) }
      signal.give(number)
      // The reader of standard output may have stopped to read, and the other thread may wait for it.
      _ = poll(nil, 0, graceMilliseconds)
      _exit(128 + number)
    }
    if !DetachedThread.run(undo) || !DetachedThread.run(wait) { process_leave_signals() }
  }

  /// Leaves signals their default meaning, but that broken pipes and limits of file sizes are errors of the write.
  package static func leaveSignals() { process_leave_signals() }

  /// Undoes what is unfinished and ends the process. The first to call this decides how it ends.
  package static func end(_ code: Int32, last: () -> Void = {}) -> Never {
    end(code, unlessSettled: false, last)
    fatalError("the process has ended")
  }

  /// Settles that the program ends by itself, before it says how. Does not return where a signal has come before.
  package static func settle() { Unfinished.list.withLock { $0.isSettled = true } }

  /// The ordinary end: undoes what is unfinished, and no signal changes the exit code any more.
  package static func leave(_ code: Int32) -> Never {
    Unfinished.list.withLock { list in
      list.undoAll()
      list.isSettled = true
    }
    atEnd.withLock { $0 }?(code)
    exit(code)
  }

  /// Undoes unfinished work and ends by a signal, without a core file: the crash has been reported.
  package static func die(by number: Int32) -> Never {
    Unfinished.list.withLock { list in
      list.undoAll()
      list.isSettled = true
    }
    process_die(number)
  }

  /// - Parameter unlessSettled: does nothing where all that was to be done is done.
  private static func end(_ code: Int32, unlessSettled: Bool, _ last: () -> Void) {
    Unfinished.list.withLock { list in
      if unlessSettled && list.isSettled { return }
      list.undoAll()
      last()
      atEnd.withLock { $0 }?(code)
      _exit(code)
    }
  }

  /// `SIGINT` of 2.
  package static func signalName(_ number: Int32) -> String {
    process_signal_name(number).map { "SIG" + String(cString: $0) } ?? "signal \(number)"
  }
}

/// The number of a signal, which one thread waits for and another gives, once.
private final class SignalNumber: @unchecked Sendable {
  private let given = Semaphore()
  private var number: Int32 = 0

  func give(_ number: Int32) {
    self.number = number
    given.signal()
  }

  func take() -> Int32 {
    given.wait()
    return number
  }
}
