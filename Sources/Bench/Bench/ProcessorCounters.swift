import AudioCore
import CRealtime
import Glibc

/// The processor's counters for the calling thread, if the machine lets programs read them: many virtual machines do
/// not.
package final class ProcessorCounters {
  /// One thing that is counted, as perf_event_open(2) names it.
  package struct Event: Sendable {
    package let name: String
    package let type: UInt32
    package let config: UInt64

    package init(_ name: String, type: UInt32, config: UInt64) {
      (self.name, self.type, self.config) = (name, type, config)
    }

    package static let ofProcessor = [
      Event("instructions", type: 0, config: 1), Event("cycles", type: 0, config: 0),
      Event("cache misses", type: 0, config: 3), Event("branch misses", type: 0, config: 5),
    ]
  }

  package let names: [String]
  private let descriptors: [Int32]

  /// - Returns: a failure's reason where not all can be counted.
  package static func open(_ events: [Event] = Event.ofProcessor) -> (counters: ProcessorCounters?, failure: String?) {
    var descriptors: [Int32] = []
    for event in events {
      let descriptor = realtime_counter_open(event.type, event.config)
      guard descriptor >= 0 else {
        for one in descriptors { close(one) }
        return (nil, reason(-descriptor))
      }
      descriptors.append(descriptor)
    }
    return (ProcessorCounters(events.map(\.name), descriptors), nil)
  }

  private static func reason(_ number: Int32) -> String {
    switch number {
    case ENOENT, ENODEV, EOPNOTSUPP: "this machine has none that programs may use"
    case EACCES, EPERM: "the system does not permit it: see /proc/sys/kernel/perf_event_paranoid"
    default: systemMessage(number)
    }
  }

  private init(_ names: [String], _ descriptors: [Int32]) { (self.names, self.descriptors) = (names, descriptors) }

  deinit { for descriptor in descriptors { close(descriptor) } }

  /// Since they were opened.
  package var counts: [UInt64] { descriptors.map { realtime_counter_read($0) } }
}
