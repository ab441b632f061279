import Glibc

/// Waits for what another thread, a process or the clock brings about: by giving way, then by short sleeps. The only
/// sleep of the tests in Swift, but for programs whose work is to run for some time.
///
/// - Parameter limit: the longest time to wait. A busy machine needs more time than a test expects.
/// - Returns: true if it has come about.
public func eventually(within limit: Duration = .seconds(100), _ condition: () throws -> Bool) rethrows -> Bool {
  let end = ContinuousClock.now + limit
  var turns = 0
  while try !condition() {
    guard ContinuousClock.now < end else { return false }
    turns += 1
    if turns < 200 { sched_yield() } else { usleep(100) }
  }
  return true
}
