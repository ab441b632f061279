import AudioCore
import AudioEngine
import BuiltInUnits
import Testing

/// The tables from which everything else reads: components, properties, parameters.
@Suite struct TableTests {
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

  @Test("the mixer publishes 7 parameters on each input, 5 on the output, none on global")
  func mixerTable() throws {
    let unit = MultichannelMixer()
    func count(_ scope: Scope, _ element: Int) -> Int {
      unit.allParameters.filter { $0.address.scope == scope && $0.address.element == element }.count
    }
    #expect((0..<8).map { count(.input, $0) } == Array(repeating: 7, count: 8))
    #expect(count(.output, 0) == 5 && count(.global, 0) == 0)
    #expect(unit.channelCapabilities == [ChannelCapability(inputChannels: -1, outputChannels: -2)])
  }

  @Test("a fresh N-band equalizer has 8 bands with the published defaults, all bypassed, and is flat")
  func nBandTable() throws {
    let unit = NBandEQ()
    #expect(unit.numberOfBands == 8 && unit.allParameters.count == 1 + 5 * 8)
    func row(_ id: UInt32) throws -> ParameterDescriptor { try unit.descriptor(of: ParameterAddress(id)) }
    for band: UInt32 in 0..<8 {
      #expect(try row(1000 + band).initial == 1)
      #expect(try row(2000 + band).initial == 0 && row(2000 + band).maximum == 10)
      #expect(try row(3000 + band).initial == 1000 && row(3000 + band).minimum == 20)
      #expect(try row(4000 + band).initial == 0 && row(4000 + band).minimum == -96 && row(4000 + band).maximum == 24)
      #expect(try row(5000 + band).initial == 0.5 && row(5000 + band).minimum == 0.05 && row(5000 + band).maximum == 5)
    }
    #expect(try row(0).minimum == -96 && row(0).maximum == 24)
    let signal = noise(2, frames: 1000)
    #expect(try renderedSignal(try fed(unit, signal), total: 1000) == signal)
    #expect(status { () throws(AudioStatus) in try unit.setNumberOfBands(9) } == .initialized)
    unit.uninitialize()
    #expect(status { () throws(AudioStatus) in try unit.setNumberOfBands(1001) } == .invalidPropertyValue)
    try unit.setParameter(ParameterAddress(3002), to: 77)
    try unit.setNumberOfBands(3)
    #expect(try unit.parameter(ParameterAddress(3002)) == 77)
    #expect(status { () throws(AudioStatus) in _ = try unit.parameter(ParameterAddress(3003)) } == .invalidParameter)
  }

  @Test("a band beyond the 1000 ids between two kinds cannot be set")
  func nBandLimits() throws {
    let unit = NBandEQ(numberOfBands: 1000)
    #expect(unit.allParameters.count == 5001)
    #expect(status { () throws(AudioStatus) in try unit.setBand(1000, to: .init()) } == .invalidParameter)
    #expect(status { () throws(AudioStatus) in try unit.setBand(-1, to: .init()) } == .invalidParameter)
    #expect(status { () throws(AudioStatus) in try unit.setBand(999, to: .init()) } == .noError)
  }

  @Test("the iPod equalizer has the 23 presets, Disabled at birth and Flat as number 8")
  func presets() throws {
    let unit = IPodEQ()
    let names = [
      "Disabled", "Acoustic", "Bass Booster", "Bass Reducer", "Classical", "Dance", "Deep", "Electronic", "Flat",
      "Hip-Hop", "Jazz", "Latin", "Loudness", "Lounge", "Piano", "Pop", "R&B", "Rock", "Small Speakers", "Spoken Word",
      "Treble Booster", "Treble Reducer", "Vocal Booster",
    ]
    #expect(unit.factoryPresets == names.enumerated().map { Preset(number: Int32($0), name: $1) })
    #expect(unit.preset == Preset(number: 0, name: "Disabled"))
    for number: Int32 in [-1, 23, .max, .min] {
      #expect(status { () throws(AudioStatus) in try unit.select(preset: number) } == .invalidPropertyValue)
    }
    #expect(unit.preset.number == 0)
    let signal = noise(2, frames: 1000)
    for preset in [0, 8] {
      #expect(try renderedSignal(try fed(IPodEQ(preset: preset), signal), total: 1000) == signal)
    }
  }

  @Test("components are found by short name, by three codes, by subtype, and by what is near")
  func registry() throws {
    let registry = ComponentRegistry.builtIn
    #expect(registry.components.count >= 12)
    for component in registry.components {
      #expect(registry.named(component.shortName)?.description == component.description)
      #expect(registry.named(component.description.description)?.shortName == component.shortName)
      #expect(registry.named(component.description.subType.description)?.shortName == component.shortName)
      #expect(component.make().component.description == component.description)
      // What is no unit of Apple's has a maker of its own.
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
