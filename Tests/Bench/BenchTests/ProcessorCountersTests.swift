import Bench
import Testing

/// Counters of the processor are read in the same way as those of the system, which every machine has.
@Suite("Counters of a thread")
struct ProcessorCountersTests {
  @Test func eventsAreCounted() throws {
    // Software events: the thread's clock in nanoseconds, and page faults.
    let (counters, failure) = ProcessorCounters.open([
      ProcessorCounters.Event("clock", type: 1, config: 1), ProcessorCounters.Event("faults", type: 1, config: 2),
    ])
    guard let counters else {
      // A system without counters for programs reports that.
      #expect(failure?.isEmpty == false)
      return
    }
    #expect(counters.names == ["clock", "faults"])
    let before = counters.counts
    let memory = [UInt8](unsafeUninitializedCapacity: 64 << 20) { bytes, count in
      for page in stride(from: 0, to: 64 << 20, by: 4096) { bytes[page] = 1 }
      count = 64 << 20
    }
    let after = counters.counts
    #expect(memory[4096] == 1)
    #expect(after[0] > before[0] && after[1] > before[1], "\(before) \(after)")
  }

  @Test func eventsThatAreNotThereHaveAReason() {
    let (counters, failure) = ProcessorCounters.open([ProcessorCounters.Event("none", type: 1, config: 1 << 40)])
    #expect(counters == nil && failure?.isEmpty == false)
  }
}
