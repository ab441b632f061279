import AudioCore
import AudioEngine
import BuiltInUnits
import DeviceUnits
import Testing
import TestSupport
import UnitTestSupport

/// The results of every property of every unit for every kind of value, before and after it is initialized.
///
/// New texts: ``HeldText``.
@Suite("Properties answer what they always have")
struct PropertyTableTests {
  static let values: [(name: String, value: PropertyValue)] = [
    ("0", .uint32(0)), ("1", .uint32(1)), ("2", .uint32(2)), ("127", .uint32(127)), ("5 million", .uint32(5_000_000)),
    ("int -1", .int32(-1)), ("int 0", .int32(0)), ("int 3", .int32(3)), ("long -1", .int64(-1)),
    ("long 100", .int64(100)),
    ("double 0", .float64(0)), ("double 22050", .float64(22_050)), ("double -1", .float64(-1)),
    ("double nan", .float64(.nan)),
    ("no floats", .float32s([])), ("floats", .float32s([0.25, 1, 0.5, 0])),
    ("doubles", .float64s([1, 0, 0, 0.5, 0.25])),
    ("no ints", .int32s([])), ("ints", .int32s([1, 0])), ("other ints", .int32s([-1, 7])),
    ("mono", .streamFormat(StreamFormat(sampleRate: 48_000, channelCount: 1))),
    ("four", .streamFormat(StreamFormat(sampleRate: 22_050, channelCount: 4))),
    ("preset", .preset(Preset(number: 1, name: "x"))), ("no preset", .preset(Preset(number: 900, name: ""))),
    ("region", .region(start: 10, count: 20)), ("open region", .region(start: 0, count: -1)),
    ("bad region", .region(start: -1, count: 5)), ("endless region", .region(start: .max, count: 9)),
    ("no file", .text("/none.wav")), ("file", .text(SoundFiles.stereo)),
  ]

  @Test("of every unit, new and initialized")
  func tables() throws {
    var answers = HeldDigests()
    for component in ComponentRegistry.builtIn.components + ComponentRegistry.devices.components {
      for isInitialized in [false, true] {
        let unit = component.make()
        let name = component.shortName + (isInitialized ? " initialized" : "")
        let status = isInitialized ? Self.status { () throws(AudioStatus) in try unit.initialize() } : "new"
        answers.add(name, [status])
        for row in unit.properties { answers.add("\(name) \(row.name)", Self.answers(of: unit, to: row)) }
        for scope in [Scope.global, .input, .output] {
          answers.add("\(name) \(scope)", Self.parameters(of: unit, scope))
        }
        let counts = [unit.elementCount(.input), unit.elementCount(.output), unit.isInitialized ? 1 : 0]
        answers.add("\(name) at last", ["\(counts)"])
      }
    }
    let difference = try answers.difference(from: "properties", leavingOut: Configuration.missingUnits)
    #expect(difference == nil, "\(difference ?? "")")
  }

  private static func answers(of unit: AudioEngine.Unit, to row: PropertyDescriptor) -> [String] {
    var lines: [String] = []
    for scope in [Scope.global, .input, .output] {
      for element in [0, 1, -1] {
        let place = "  \(row.name) \(scope) \(element):"
        let first = text(of: unit, row.id, scope, element)
        lines.append("\(place) \(first)")
        guard element >= 0, row.scopes.contains(scope) else { continue }
        for (name, value) in values {
          let status = status { () throws(AudioStatus) in
            try unit.setProperty(row.id, scope, element: element, to: value)
          }
          if status == "ok" { lines.append("\(place) = \(name): \(text(of: unit, row.id, scope, element))") }
          if status != "ok", status != "\(AudioStatus.invalidPropertyValue)",
            status != "\(AudioStatus.propertyNotWritable)"
          {
            lines.append("\(place) = \(name): \(status)")
          }
        }
      }
    }
    return lines
  }

  private static func parameters(of unit: AudioEngine.Unit, _ scope: Scope) -> [String] {
    (0..<4).flatMap { id -> [String] in
      let address = ParameterAddress(UInt32(id), scope: scope)
      return [Float(0.5), .nan, 1e9, -1e9].map { value in
        let status = status { () throws(AudioStatus) in try unit.setParameter(address, to: value) }
        let now = (try? unit.parameter(address)).map { "\($0)" } ?? "none"
        return "  parameter \(scope) \(id) = \(value): \(status), \(now)"
      }
    }
  }

  private static func status(_ body: () throws(AudioStatus) -> Void) -> String {
    do throws(AudioStatus) {
      try body()
      return "ok"
    } catch {
      return "\(error)"
    }
  }

  private static func text(of unit: AudioEngine.Unit, _ id: PropertyID, _ scope: Scope, _ element: Int) -> String {
    do throws(AudioStatus) {
      let value = try unit.property(id, scope, element: element)
      if case .text(let path) = value { return "text \(path.split(separator: "/").last ?? "")" }
      // Values inside of lists are printed with their module, which had another name when the texts were made.
      return "\(value)".replacing("AudioEngine.", with: "AudioUnits.")
    } catch {
      return "\(error)"
    }
  }
}
