import AudioCore
import AudioUnits
import CAllocationCounter
import TestSupport
import Testing

/// DESIGN.md, rule 3: the render call does not allocate. Counted, per thread, by a malloc of the tests' own.
@Suite struct AllocationTests {
  #if DEBUG
    static let reason: Comment? = "without optimization Swift itself allocates; counts hold in release builds only"
    static let isRelease = false
  #else
    static let reason: Comment? = nil
    static let isRelease = true
  #endif

  @Test("the counter sees an allocation, or no count would mean anything")
  func counterCounts() {
    allocation_counter_start()
    let buffer = PlanarBuffer(channelCount: 2, frameCapacity: 100)
    let count = allocation_counter_stop()
    #expect(count > 0)
    #expect(buffer.frameCapacity == 100)
  }

  @Test(
    "after its first slice no unit allocates in a render call",
    .enabled(if: isRelease, reason), arguments: Configuration.all)
  func renderCalls(_ configuration: Configuration) throws {
    let unit = try configuration.make()
    _ = try unit.render(sampleTime: 0, frames: 100)
    let lengths = Partition.random(seed: 5).lengths(
      total: Configuration.frames, bounds: [100] + configuration.events.map(\.frame))
    var at = 0
    var calls = 0
    for length in lengths {
      for event in configuration.events where event.frame == at { try event.action(unit) }
      if at >= 100 {
        var failure = AudioStatus.noError
        allocation_counter_start()
        do throws(AudioStatus) {
          _ = try unit.render(sampleTime: Int64(at), frames: length)
        } catch {
          failure = error
        }
        let count = allocation_counter_stop()
        #expect(count == 0, "\(count) allocations in the slice of \(length) frames at \(at)")
        #expect(failure == .noError)
        calls += 1
      }
      at += length
    }
    #expect(calls > 20)
  }

  /// The libsoxr qualities are left out: their reset makes a new resampler, as `RateConverter.reset()` says.
  @Test(
    "a reset does not allocate", .enabled(if: isRelease, reason),
    arguments: Configuration.all.filter { !["mastering", "minimum phase"].contains($0.name) })
  func resets(_ configuration: Configuration) throws {
    let unit = try configuration.make()
    _ = try rendered(unit, total: 3000)
    allocation_counter_start()
    unit.reset()
    let count = allocation_counter_stop()
    #expect(count == 0)
  }

  // A render call that throws cannot be counted here: Swift Testing hooks every `throw` and makes a backtrace of it.
}
