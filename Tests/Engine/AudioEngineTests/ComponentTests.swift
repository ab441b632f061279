import AudioCore
import AudioEngine
import BuiltInUnits
import Testing

/// The registry of units.
@Suite struct ComponentTests {
  @Test("components are found by short name, by three codes, by subtype, and by what is near")
  func registry() throws {
    let registry = ComponentRegistry.builtIn
    #expect(registry.components.count >= 12)
    for component in registry.components {
      #expect(registry.named(component.shortName)?.description == component.description)
      #expect(registry.named(component.description.description)?.shortName == component.shortName)
      #expect(registry.named(component.description.subType.description)?.shortName == component.shortName)
      #expect(component.make().component.description == component.description)
      // A unit that is not Apple's has a maker of its own.
      let maker = component.description.manufacturer == "appl" ? "Apple: " : "aubench: "
      #expect(!component.summary.isEmpty && component.name.hasPrefix(maker))
    }
    #expect(Set(registry.components.map(\.shortName)).count == registry.components.count)
    #expect(Set(registry.components.map(\.description)).count == registry.components.count)
    #expect(registry.named("nothing") == nil)
    #expect(registry.suggestions(for: "nBandEq").first == "nBandEQ")
    let any = FourCharCode(rawValue: 0)
    let effects = registry.matching(ComponentDescription(type: .effect, subType: any, manufacturer: any))
    #expect(effects.count >= 8 && effects.allSatisfy { $0.description.type == .effect })
  }
}
