import AudioCore
import AudioEngine
import BatchRender
import BuiltInUnits
import Measurement
import Testing
import Verification
import VerificationTesting

@Suite("Checks of suites as expectations")
struct ExpectationCheckTests {
  let folder: ExpectationFolder
  init() throws { folder = try ExpectationFolder() }

  private static let device = FunctionDevice.identity(.float32)
  private static let needSlices: Set = ["slices", "reset", "silence"]

  @Test("Every check that suites know is an expectation by its name", arguments: CheckReader.kinds.map(\.name))
  func every(name: String) throws {
    let passing: [String: [String: Any]] = [
      "response": ["against": "nothing", "mask": [[20, -1, 1], [500, -3, 1]]],
      "measure": ["reading": "gainMaximum", "value": 0, "within": 0.1],
      "sameAs": ["device": ["formula": "in(c)"]], "slices": ["frames": [7, 512]], "reset": [:],
      "silence": ["below": -100], "length": ["frames": 24_000, "channels": 2],
    ]
    let keys = passing[name] ?? Self.others[name] ?? [:]
    let found = folder.recorded {
      if Self.needSlices.contains(name) {
        expect(OnePole.device(), check: name, keys)
      } else {
        expect(Self.device, check: name, keys, golden: name == "golden" ? "kept" : nil)
      }
    }
    if passing[name] != nil {
      #expect(found.issues.isEmpty, "\(found.text)")
    } else {
      // These want a golden, a suite, a unit, or an error: what they say is their own.
      let words = try #require(Self.says[name], "a new check: write its keys above")
      #expect(found.failures == 1 && found.text.contains(words), "\(found.text)")
    }
  }

  private static let others: [String: [String: any Sendable]] = [
    "parameter": ["parameter": "cutoffFrequency", "frames": 10, "value": 800, "within": 1],
    "fails": ["says": ["no such node"]],
  ]
  private static let says = [
    "golden": "to bless", "order": "no other case", "parameter": "parameter", "instructionSets": "nothing was checked",
    "fails": "it renders 24000 frames", "law": "only units and graphs have laws",
  ]

  @Test("A length that is another fails with both")
  func length() {
    let found = folder.recorded { expect(Self.device, check: "length", ["frames": 512]) }
    #expect(found.failures == 1 && found.text.contains("24000 frames") && found.text.contains("512"))
  }

  @Test("A device that fails as it should passes")
  func fails() {
    let device = FunctionDevice("broken") { (_) throws(BenchError) in
      throw BenchError(.graph, at: "nodes[3]", "no such node")
    }
    #expect(folder.recorded { expect(device, check: "fails", ["says": ["no such node"]]) }.issues.isEmpty)
    #expect(folder.recorded { expect(device, check: "fails", ["says": ["no input bus"]]) }.failures == 1)
  }

  @Test("Unknown checks and keys are told with those that there are")
  func mistakes() {
    let check = folder.recorded { expect(Self.device, check: "lenght") }
    #expect(check.failures == 1 && check.text.contains("choose from golden, "))
    let key = folder.recorded { expect(Self.device, check: "length", ["frame": 512]) }
    #expect(key.failures == 1 && key.text.contains("frames"), "\(key.text)")
    let value = folder.recorded { expect(Self.device, check: "length", ["frames": Double.nan]) }
    #expect(value.failures == 1 && value.text.contains("not what JSON can hold"))
  }
}
