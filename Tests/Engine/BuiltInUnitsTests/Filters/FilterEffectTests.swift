import AudioCore
import AudioEngine
import BuiltInUnits
import Testing
import UnitTestSupport

/// The single filters in Swift: values and parameters by name are those of the parameter table.
@Suite struct FilterEffectTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let component: Component
    /// With the values 110, 3 and so on.
    let make: @Sendable () throws -> Unit
    /// With defaults for all but the last value, given as that of the table.
    let makeDefault: @Sendable () throws -> Unit
    var testDescription: String { component.shortName }
  }

  static let cases: [Case] = [
    Case(component: LowPassFilter.component) {
      try LowPassFilter(cutoffHertz: 110, resonanceDecibels: 3)
    } makeDefault: {
      try LowPassFilter(resonanceDecibels: 0)
    },
    Case(component: HighPassFilter.component) {
      try HighPassFilter(cutoffHertz: 110, resonanceDecibels: 3)
    } makeDefault: {
      try HighPassFilter(resonanceDecibels: 0)
    },
    Case(component: BandPassFilter.component) {
      try BandPassFilter(centerHertz: 110, bandwidthCents: 3)
    } makeDefault: {
      try BandPassFilter(bandwidthCents: 600)
    },
    Case(component: LowShelfFilter.component) {
      try LowShelfFilter(cutoffHertz: 110, gainDecibels: 3)
    } makeDefault: {
      try LowShelfFilter(gainDecibels: 0)
    },
    Case(component: HighShelfFilter.component) {
      try HighShelfFilter(cutoffHertz: 110, gainDecibels: 3)
    } makeDefault: {
      try HighShelfFilter(gainDecibels: 0)
    },
    Case(component: ParametricEQ.component) {
      try ParametricEQ(centerHertz: 110, q: 3, gainDecibels: 7)
    } makeDefault: {
      try ParametricEQ(gainDecibels: 0)
    },
  ]

  private func values(_ unit: Unit) throws -> [Float] {
    try unit.allParameters.map { row throws(AudioStatus) in try unit.parameter(row.address) }
  }

  @Test("a filter made with values has them, and the defaults are the table's", arguments: cases)
  func initializers(_ test: Case) throws {
    let rows = test.component.make().allParameters
    let expected = test.component.make()
    for (row, value) in zip(rows, [110, 3, 7] as [Float]) { try expected.setParameter(row.address, to: value) }
    #expect(try values(test.make()) == values(expected))
    #expect(try values(test.makeDefault()) == rows.map(\.descriptor.initial))
  }

  @Test("a parameter is set by its name, and what is no number is refused")
  func setters() throws {
    let filter = ParametricEQ()
    try filter.set(.centerFrequency, to: 333)
    try filter.set(.q, to: 2)
    try filter.set(.gain, to: -5)
    #expect(try values(filter) == [333, 2, -5])
    let shelf = HighShelfFilter()
    try shelf.set(.cutoffFrequency, to: 12_000)
    #expect(try values(shelf) == [12_000, 0])
    #expect(throws: AudioStatus.self) { try shelf.set(.gain, to: .nan) }
    #expect(throws: AudioStatus.self) { _ = try LowPassFilter(cutoffHertz: .infinity) }
  }
}
