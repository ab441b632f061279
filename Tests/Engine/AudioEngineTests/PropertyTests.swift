import AudioCore
import AudioEngine
import BuiltInUnits
import Testing
import UnitTestSupport

/// The tables of properties.
@Suite struct PropertyTests {
  static let components = ComponentRegistry.builtIn.components

  @Test("every readable property reads, or says that it has no value; every other refuses", arguments: components)
  func readable(_ component: Component) throws {
    let unit = component.make()
    #expect(unit.properties.count >= 11)
    for row in unit.properties {
      for scope in row.scopes where unit.elementCount(scope) > 0 {
        let answer = status { () throws(AudioStatus) in _ = try unit.property(row.id, scope) }
        if row.get == nil {
          #expect(answer == .invalidProperty, "\(row.name)")
        } else {
          #expect([.noError, .propertyNotInUse, .invalidProperty].contains(answer), "\(row.name): \(answer)")
        }
      }
      #expect(row.get != nil || row.set != nil, "\(row.name) is neither readable nor writable")
    }
  }

  @Test("what a writable property answers can be written back, and read again", arguments: components)
  func writable(_ component: Component) throws {
    let unit = component.make()
    var written = 0
    for row in unit.properties where row.get != nil && row.set != nil {
      for scope in row.scopes where unit.elementCount(scope) > 0 {
        guard let value = try? unit.property(row.id, scope) else { continue }
        let answer = status { () throws(AudioStatus) in try unit.setProperty(row.id, scope, to: value) }
        let isFixedCount = row.id == .elementCount && unit.elementCountRange(scope).count == 1
        #expect(answer == (isFixedCount ? .propertyNotWritable : .noError), "\(row.name) on \(scope.name)")
        #expect(try unit.property(row.id, scope) == value)
        let wrong = status { () throws(AudioStatus) in try unit.setProperty(row.id, scope, to: .float32s([])) }
        #expect(wrong == .invalidPropertyValue, "\(row.name) takes a value of another kind: \(wrong)")
        written += 1
      }
    }
    #expect(written >= 5)
  }

  @Test("properties without a setter are not writable, in either state", arguments: components)
  func readOnly(_ component: Component) throws {
    let unit = component.make()
    let rows = unit.properties.filter { $0.set == nil }
    #expect(rows.count >= 5)
    for row in rows {
      for scope in row.scopes where unit.elementCount(scope) > 0 {
        let answer = status { () throws(AudioStatus) in try unit.setProperty(row.id, scope, to: .uint32(0)) }
        #expect(answer == .propertyNotWritable, "\(row.name)")
      }
    }
  }

  @Test("ids and names of properties are unique", arguments: components)
  func uniqueProperties(_ component: Component) {
    let rows = component.make().properties
    #expect(Set(rows.map(\.id)).count == rows.count)
    #expect(Set(rows.map(\.name)).count == rows.count)
    #expect(rows.allSatisfy { !$0.type.isEmpty && !$0.scopes.isEmpty })
  }
}
