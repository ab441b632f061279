import AudioCore
import AudioEngine
import Testing
import UnitTestSupport

/// Any finite value of a parameter gives a finite output and a finite tail.
@Suite struct UnitExtremeTests {
  /// At these rates: one that is far too low for every unit, the usual one, and the highest.
  @Test(
    "every parameter of every unit takes any finite number, and its tail stays within two minutes",
    arguments: Configuration.components, [1.0, 44_100, 3_000_000])
  func anyNumber(_ component: Component, _ rate: Double) throws {
    // Units with much memory take long to initialize.
    let isLarge =
      component.make().elementCount(.input) > 0
      && (try? fed(component.make(), noise(frames: 600), sampleRate: rate)).map { $0.memoryBytes > 1 << 20 } ?? false
    let values = isLarge || rate > 44_100 ? [-1e30, 1e30] : extremeFloats
    let addresses = component.make().allParameters.filter { !$0.descriptor.isReadOnly && $0.address.element == 0 }
      .map(\.address)
    for address in addresses {
      for value in values {
        let unit = component.make()
        try unit.setParameter(address, to: value)
        guard unit.elementCount(.input) > 0, unit.elementCount(.output) > 0 else {
          // A generator, or an output unit.
          try? unit.initialize()
          continue
        }
        // A unit may refuse the rate; it must not end the process.
        guard (try? fed(unit, noise(frames: 600), sampleRate: rate)) != nil else { continue }
        let note = "\(component.shortName), parameter \(address.id) at \(value), \(rate) Hz"
        #expect((0...Int64(clamping: 120 * rate) + 65_536).contains(unit.tailFrames ?? 0), "\(note)")
        #expect(unit.latencyFrames >= 0 && unit.processorBytes >= 0, "\(note)")
        if rate <= 44_100 { _ = try? renderedSignal(unit, total: 512) }
      }
    }
  }
}
