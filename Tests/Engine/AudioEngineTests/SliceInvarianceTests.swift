import AudioCore
import AudioEngine
import Testing
import TestSupport
import UnitTestSupport

/// docs/design/rules.md, rule 1: the sound depends on the graph alone, and not on slice length.
@Suite struct SliceInvarianceTests {
  @Test("every built-in unit is among the configurations")
  func coverage() {
    let covered = Set(Configuration.all.map(\.component))
    #expect(covered == Set(Configuration.components.map(\.shortName)))
  }

  @Test("slices of any length give the same bits", arguments: Configuration.all)
  func slices(_ configuration: Configuration) throws {
    let unit = try configuration.make()
    let expected = try rendered(unit, total: Configuration.frames, events: configuration.events)
    let bytesPerFrame = try unit.streamFormat(.output).bytesPerFrame
    #expect(expected[0].count == Configuration.frames * bytesPerFrame)
    for (index, buffer) in expected.enumerated() {
      // A converter that has no source for its last channels is the one exception to "every channel sounds".
      if configuration.component == "multichannelMixer" && index >= 2 { continue }
      #expect(Set(buffer).count > 100, "buffer \(index) is next to silent, so it proves nothing")
    }
    for partition in Partition.all {
      let bits = try rendered(
        try configuration.make(), total: Configuration.frames, in: partition, events: configuration.events)
      let difference = firstDifference(bits, expected, bytesPerFrame: bytesPerFrame)
      #expect(difference == nil, "\(partition): \(difference ?? "")")
    }
  }

  /// The host's changes persist through a reset, so the new unit is given them before it begins.
  @Test("after a reset a unit gives the bits of a new one", arguments: Configuration.all)
  func reset(_ configuration: Configuration) throws {
    let total = Configuration.frames
    let fresh = try configuration.make()
    for event in configuration.events { try event.action(fresh) }
    let expected = try rendered(fresh, total: total)

    let used = try configuration.make()
    let before = try rendered(used, total: 4567, in: .slices(of: 512), events: configuration.events)
    for event in configuration.events where event.frame >= 4567 { try event.action(used) }
    used.reset()
    let after = try rendered(used, total: total)
    let bytesPerFrame = try used.streamFormat(.output).bytesPerFrame
    let difference = firstDifference(after, expected, bytesPerFrame: bytesPerFrame)
    #expect(difference == nil, "\(difference ?? "")")
    #expect(before[0].count == 4567 * bytesPerFrame)
  }

  @Test("uninitializing and initializing again gives the bits of a new unit", arguments: Configuration.all)
  func again(_ configuration: Configuration) throws {
    let unit = try configuration.make()
    let expected = try rendered(unit, total: 3000)
    unit.uninitialize()
    try unit.initialize()
    let again = try rendered(unit, total: 3000)
    #expect(firstDifference(again, expected, bytesPerFrame: 1) == nil)
    #expect(Set(again[0]).count > 50)
  }

  @Test("every unit renders at negative times, and slices do not matter there", arguments: Configuration.all)
  func negativeTimes(_ configuration: Configuration) throws {
    let start: Int64 = -1234
    let unit = try configuration.make()
    let expected = try rendered(unit, total: 4000, from: start)
    let bytesPerFrame = try unit.streamFormat(.output).bytesPerFrame
    for partition in [Partition.slices(of: 64), .slices(of: 1), .random(seed: 4)] {
      let bits = try rendered(try configuration.make(), total: 4000, from: start, in: partition)
      let difference = firstDifference(bits, expected, bytesPerFrame: bytesPerFrame)
      #expect(difference == nil, "\(partition): \(difference ?? "")")
    }
    // At many times its speed a stretcher plays one piece of each second: this signal lies between them.
    if !configuration.component.lowercased().hasSuffix("timepitch") { #expect(Set(expected[0]).count > 50) }
  }
}
