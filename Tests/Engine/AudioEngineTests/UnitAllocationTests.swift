import AudioCore
import AudioEngine
import BuiltInUnits
import CAllocationCounter
import Synchronization
import Testing
import TestSupport
import UnitTestSupport

/// docs/design/rules.md, rule 3: the render call does not allocate. Counted, per thread, by a malloc of the tests' own.
@Suite struct UnitAllocationTests {
  @Test("the counter sees an allocation, or no count would mean anything")
  func counterCounts() {
    allocation_counter_start()
    let buffer = PlanarBuffer(channelCount: 2, frameCapacity: 100)
    let count = allocation_counter_stop()
    #expect(count > 0)
    #expect(buffer.frameCapacity == 100)
  }

  /// The time pitch units are left out: the library in them allocates, and `TimePitchTests` counts how often.
  @Test(
    "after its first slice no unit allocates in a render call",
    .enabled(if: isRelease, "counts hold in release builds only"),
    arguments: Configuration.all.filter { !["timePitch", "newTimePitch"].contains($0.component) })
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

  @Test(
    "scheduling from a pre-render notify, and rendering what was scheduled, do not allocate",
    .enabled(if: isRelease, "counts hold in release builds only"))
  func scheduling() throws {
    let unit = try fed(MultichannelMixer(inputs: 1), noise(2, frames: 4096))
    let volume = ParameterAddress(0, scope: .input)
    let events: [ParameterEvent] = [
      .ramp(volume, startOffset: -5, durationFrames: 700, from: 0, to: 1),
      .immediate(ParameterAddress(2, scope: .input), offset: 100, value: 0.5),
      .immediate(ParameterAddress(2, scope: .input), offset: 50, value: -0.5),
    ]
    let failures = UnsafeMutablePointer<Int>.allocate(capacity: 1)
    failures.pointee = 0
    defer { failures.deallocate() }
    nonisolated(unsafe) let failed = failures
    _ = unit.addRenderNotify { [unowned unit] phase, _, _, _ in
      guard case .before = phase else { return }
      do throws(AudioStatus) { try unit.scheduleParameters(events) } catch { failed.pointee += 1 }
    }
    _ = try unit.render(sampleTime: 0, frames: 256)
    for slice in 1..<10 {
      allocation_counter_start()
      _ = try unit.render(sampleTime: Int64(slice * 256), frames: 256)
      let count = allocation_counter_stop()
      #expect(count == 0)
    }
    #expect(failures.pointee == 0)
    #expect(try unit.parameter(volume) == Float(261.0 / 700))
  }

  @Test(
    "following a schedule of regions does not allocate", .enabled(if: isRelease, "counts hold in release builds only"))
  func regions() throws {
    let unit = ScheduledFilePlayer()
    try unit.setFiles([SoundFiles.stereo])
    try unit.initialize()
    let count = PlayCount()
    for region in 0..<20 {
      try unit.scheduleRegion(
        ScheduledRegion(startFrame: Int64(region), frameCount: 300, sampleTime: Int64(region * 310)) { _ in
          count.value.add(1, ordering: .relaxed)
        })
    }
    unit.setStartTime(sampleTime: nil)
    // The first slice of a process may make metadata of types: as above, it is not counted.
    _ = try unit.render(sampleTime: 0, frames: 256)
    for slice in 1..<25 {
      try unit.prime()
      allocation_counter_start()
      _ = try unit.render(sampleTime: Int64(slice * 256), frames: 256)
      let allocations = allocation_counter_stop()
      #expect(allocations == 0, "slice \(slice)")
    }
    #expect(count.value.load(ordering: .relaxed) == 20)
  }

  private final class PlayCount: Sendable { let value = Atomic<Int>(0) }

  /// The libsoxr qualities are left out: their reset makes a new resampler, as `RateConverter.reset()` says.
  @Test(
    "a reset does not allocate", .enabled(if: isRelease, "counts hold in release builds only"),
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
