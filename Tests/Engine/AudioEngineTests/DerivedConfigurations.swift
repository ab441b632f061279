import AudioCore
import AudioEngine
import AudioUnits
import BuiltInUnits
import TimeStretch
import UnitTestSupport

/// Configurations that follow from a unit's own tables, for every unit that takes an input: a new unit is held to the
/// contract of units by being listed in the registry.
extension Configuration {
  static let derived: [Configuration] = components.filter { $0.make().elementCount(.input) > 0 }.flatMap { component in
    [still(component), ramped(component), changed(component)]
  }

  /// Every unit of a graph file whose library is on this machine.
  static var components: [Component] { ComponentRegistry.ofGraphFiles.components.filter(isBuilt) }

  /// True when the library that a unit needs is on this machine.
  static func isBuilt(_ component: Component) -> Bool {
    TimeStretcher.isAvailable || !(component.make() is TimePitchUnit)
  }

  /// Units that answer otherwise where their library is not on this machine, by their short names.
  static var missingUnits: Set<String> {
    let heads: Set = SpatialMixer.hasHeadResponses ? [] : ["spatialMixer", "mixer3D"]
    return heads.union(ComponentRegistry.builtIn.components.filter { !isBuilt($0) }.map(\.shortName))
  }

  /// Writable parameters, with a value inside the range that is not the default.
  private static func values(_ unit: Unit, seed: Float) -> [(address: ParameterAddress, value: Float)] {
    unit.allParameters.enumerated().compactMap { index, parameter in
      let row = parameter.descriptor
      guard !row.isReadOnly else { return nil }
      // A section's frequency, resonance and gain are held to the middle of their ranges, where nothing overflows.
      let place = 0.3 + 0.4 * (seed * Float(index + 1)).truncatingRemainder(dividingBy: 1)
      let most = min(row.maximum(atSampleRate: 44_100), row.unit == .sampleFrames ? 700 : .infinity)
      let value = row.minimum + place * (most - row.minimum)
      switch row.unit {
      // A switch that lets the sound through.
      case .boolean: return (parameter.address, row.name.hasPrefix("bypass") ? 0 : 1)
      case .indexed: return (parameter.address, value.rounded())
      default: return (parameter.address, value)
      }
    }
  }

  private static func still(_ component: Component) -> Configuration {
    Configuration(component: component.shortName, name: "derived: parameters of its own, stereo") {
      let unit = component.make()
      for (address, value) in values(unit, seed: 0.618) { try unit.setParameter(address, to: value) }
      return try fed(unit, noise(frames: frames))
    }
  }

  private static func ramped(_ component: Component) -> Configuration {
    Configuration(component: component.shortName, name: "derived: every parameter under a timeline, mono") {
      let unit = component.make()
      for ((address, from), (_, to)) in zip(values(unit, seed: 0.618), values(unit, seed: 0.755)) {
        let start = Int64(address.id % 7) * 313
        try unit.setTimeline(.through((start, from), (start + 4001, to), (start + 4001, from)), for: address)
      }
      return try fed(unit, noise(1, frames: frames))
    }
  }

  private static func changed(_ component: Component) -> Configuration {
    let unit = component.make()
    var events = values(unit, seed: 0.382).prefix(6).enumerated().map { index, parameter in
      HostEvent(frame: 700 + 613 * index) { try $0.setParameter(parameter.address, to: parameter.value) }
    }
    if (try? unit.property(.bypassEffect)) != nil {
      for (frame, isOn) in [(5000, UInt32(1)), (5300, 0)] {
        events.append(HostEvent(frame: frame) { try $0.setProperty(.bypassEffect, to: .uint32(isOn)) })
      }
    }
    for (index, preset) in unit.factoryPresets.suffix(2).enumerated() {
      events.append(HostEvent(frame: 6000 + 900 * index) { try $0.select(preset: preset.number) })
    }
    return Configuration(
      component: component.shortName, name: "derived: smoothed, set between slices, bypassed, presets", events: events
    ) {
      let unit = component.make()
      try unit.setSmoothingFrames(301)
      // Its levels are 0 at first.
      if let mixer = unit as? MatrixMixer {
        try mixer.setMatrixLevels([Float](repeating: 0.3, count: mixer.matrixLevels.count))
      }
      return try fed(unit, noise(frames: frames))
    }
  }
}
