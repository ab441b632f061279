import AudioCore
import AudioEngine
import BuiltInUnits
import Testing

/// The tables of parameters.
@Suite struct ParameterTests {
  static let components = ComponentRegistry.builtIn.components

  @Test("each parameter has minimum ≤ default ≤ maximum, and a name of its own on its element", arguments: components)
  func parameters(_ component: Component) throws {
    let unit = component.make()
    var names: [String: Int] = [:]
    for (address, row) in unit.allParameters {
      let maximum = row.maximum(atSampleRate: 44_100)
      #expect(row.minimum <= row.initial && row.initial <= maximum && row.minimum < maximum, "\(row.name)")
      #expect(try unit.parameter(address) == row.initial)
      #expect(try unit.descriptor(of: address) == row)
      names["\(row.name)@\(address.scope):\(address.element)", default: 0] += 1
      if row.unit == .indexed { #expect(row.valueNames.count == Int(clamping: row.maximum - row.minimum) + 1) }
      if row.unit == .indexed || row.unit == .boolean || row.isReadOnly { #expect(!row.canRamp) }
    }
    #expect(names.values.allSatisfy { $0 == 1 })
    for scope in [Scope.global, .input, .output] {
      for element in 0..<unit.elementCount(scope) {
        let ids = unit.allParameters.filter { $0.address.scope == scope && $0.address.element == element }.map(
          \.address.id)
        #expect(try unit.property(.parameterList, scope, element: element) == .parameterIDs(ids))
      }
    }
  }

  /// As on the systems that they come from: id, unit, minimum, maximum (∞: half the rate), default.
  static let published: [String: [(id: UInt32, unit: ParameterUnit, minimum: Float, maximum: Float, initial: Float)]] =
    [
      "bandPassFilter": [(0, .hertz, 20, .infinity, 5000), (1, .cents, 100, 12_000, 600)],
      "highPassFilter": [(0, .hertz, 10, .infinity, 6900), (1, .decibels, -20, 40, 0)],
      "lowPassFilter": [(0, .hertz, 10, .infinity, 6900), (1, .decibels, -20, 40, 0)],
      "highShelfFilter": [(0, .hertz, 10_000, .infinity, 10_000), (1, .decibels, -40, 40, 0)],
      "lowShelfFilter": [(0, .hertz, 10, 200, 80), (1, .decibels, -40, 40, 0)],
      "parametricEQ": [(0, .hertz, 20, .infinity, 2000), (1, .generic, 0.1, 20, 1), (2, .decibels, -20, 20, 0)],
      "delay": [
        (0, .equalPowerCrossfade, 0, 100, 50), (1, .seconds, 0, 2, 1), (2, .percent, -100, 100, 50),
        (3, .hertz, 10, .infinity, 15_000),
      ],
      // The default of decimation is not published.
      "distortion": [
        (0, .milliseconds, 0.1, 500, 0.1), (1, .rate, 0.1, 50, 1), (2, .percent, 0, 100, 50),
        (3, .percent, 0, 100, 50), (4, .percent, 0, 100, 0), (5, .percent, 0, 100, 50), (6, .linearGain, 0, 1, 1),
        (7, .linearGain, 0, 20, 0), (8, .linearGain, 0, 20, 0), (9, .percent, 0, 100, 50), (10, .hertz, 0.5, 8000, 100),
        (11, .hertz, 0.5, 8000, 100), (12, .percent, 0, 100, 50), (13, .percent, 0, 100, 0),
        (14, .decibels, -80, 20, -6), (15, .percent, 0, 100, 50),
      ],
      "peakLimiter": [
        (0, .seconds, 0.001, 0.03, 0.012), (1, .seconds, 0.001, 0.06, 0.024), (2, .decibels, -40, 40, 0),
      ],
      "varispeed": [(0, .rate, 0.25, 4, 1), (1, .cents, -2400, 2400, 0)],
      "timePitch": [(0, .rate, 1 / 32, 32, 1), (1, .cents, -2400, 2400, 0), (2, .percent, 0, 100, 100)],
      "newTimePitch": [
        (0, .rate, 1 / 32, 32, 1), (1, .cents, -2400, 2400, 0), (4, .generic, 3, 32, 8), (6, .boolean, 0, 1, 1),
        (7, .boolean, 0, 1, 1),
      ],
      "normalizer": [
        (0, .indexed, 0, 1, 0), (1, .decibels, -70, 0, -14), (2, .decibels, -60, 0, -1),
      ],
      "splitter": [], "multiSplitter": [], "merger": [], "iPodEQ": [], "filePlayer": [], "formatConverter": [],
      "genericOutput": [],
    ]

  @Test("ids, units, ranges and defaults are the published ones", arguments: published.keys.sorted())
  func publishedTables(_ name: String) throws {
    let unit = try #require(ComponentRegistry.builtIn.named(name)).make()
    let rows = try #require(Self.published[name])
    #expect(unit.allParameters.count == rows.count)
    for ((address, row), expected) in zip(unit.allParameters, rows) {
      #expect(address == ParameterAddress(expected.id) && row.unit == expected.unit)
      #expect(row.minimum == expected.minimum && row.maximum == expected.maximum && row.initial == expected.initial)
    }
  }
}
