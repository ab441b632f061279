import AVFAudio
import Foundation
import TestSupport
import Testing

@Suite("Parameters and presets in archives")
struct ParameterCodingTests {
  private func copy<Value: NSObject & NSSecureCoding>(_ value: Value) throws -> Value {
    let data = try NSKeyedArchiver.archivedData(withRootObject: value, requiringSecureCoding: true)
    return try #require(try NSKeyedUnarchiver.unarchivedObject(ofClass: Value.self, from: data))
  }

  private func parameter(_ name: String, _ address: AUParameterAddress, value: AUValue = 0) -> AUParameter {
    let made = AUParameterTree.createParameter(
      withIdentifier: name, name: "The \(name)", address: address, min: -2, max: 0.1, unit: .customUnit,
      unitName: "furlongs", flags: [.flag_IsReadable, .flag_CanRamp], valueStrings: ["a", "ä\u{0}"],
      dependentParameters: [NSNumber(value: UInt64.max), 3])
    made.value = value
    return made
  }

  private func expectEqual(_ one: AUParameter, _ other: AUParameter) {
    #expect(one.identifier == other.identifier && one.displayName == other.displayName && one.address == other.address)
    #expect(one.minValue == other.minValue && one.maxValue == other.maxValue && one.unit == other.unit)
    #expect(one.unitName == other.unitName && one.flags == other.flags && one.valueStrings == other.valueStrings)
    #expect(one.dependentParameters?.map(\.uint64Value) == other.dependentParameters?.map(\.uint64Value))
    #expect(one.value.bitPattern == other.value.bitPattern)
  }

  @Test("A parameter comes back with each field, and the value that was set last, whatever that is")
  func parameters() throws {
    for value in [0, -1.7, .leastNonzeroMagnitude, .infinity, -.infinity, .nan, -0.0] as [AUValue] {
      let made = parameter("p", .max, value: value)
      expectEqual(try copy(made), made)
    }
  }

  @Test("A group and a tree come back with all that is in them, and are found by path and address")
  func trees() throws {
    let inner = AUParameterTree.createGroup(
      withIdentifier: "inner", name: "Inner", children: [parameter("q", 2, value: -1), parameter("r", 3)])
    let group = AUParameterTree.createGroup(
      withIdentifier: "outer", name: "Outer", children: [parameter("p", 1), inner])
    let groupBack = try copy(group)
    #expect(
      groupBack.identifier == "outer"
        && groupBack.allParameters.map(\.keyPath) == ["outer.p", "outer.inner.q", "outer.inner.r"])
    let tree = AUParameterTree.createTree(withChildren: [group, parameter("s", 1 << 40, value: 0.05)])
    let back = try copy(tree)
    #expect(back.allParameters.map(\.keyPath) == tree.allParameters.map(\.keyPath))
    for (one, other) in zip(back.allParameters, tree.allParameters) { expectEqual(one, other) }
    #expect(back.parameter(withAddress: 2)?.value == -1)
    #expect((back.value(forKeyPath: "outer.inner.q") as? AUParameter)?.address == 2)
    #expect(try copy(AUParameterTree.createTree(withChildren: [])).allParameters.isEmpty)
  }

  @Test("A preset comes back")
  func presets() throws {
    for (number, name) in [(-1, "Mine"), (0, ""), (Int.max, "ö\u{0}")] {
      let preset = AUAudioUnitPreset()
      (preset.number, preset.name) = (number, name)
      let back = try copy(preset)
      #expect(back.number == number && back.name == name)
    }
  }

  @Test("An archive that holds none gives none, whatever its bytes or its property list")
  func refusals() throws {
    func read(_ bytes: [UInt8]) throws -> [Any?] {
      let archiver = NSKeyedArchiver(requiringSecureCoding: true)
      archiver.encodeBytes(bytes, length: bytes.count, forKey: "AUParameterNode")
      archiver.finishEncoding()
      let reader = try NSKeyedUnarchiver(forReadingFrom: archiver.encodedData)
      return [
        AUParameter(coder: reader), AUParameterGroup(coder: reader), AUParameterTree(coder: reader),
        AUAudioUnitPreset(coder: reader),
      ]
    }
    func list(_ value: Any) throws -> [UInt8] {
      [UInt8](try PropertyListSerialization.data(fromPropertyList: value, format: .binary, options: 0))
    }
    let one: [String: Any] = [
      "identifier": "a", "name": "A", "address": "1", "unit": "0", "flags": "0", "values": ["0", "0", "0"],
    ]
    #expect(try read(list(one))[0] != nil)
    let group: [String: Any] = ["identifier": "", "name": "", "children": [one]]
    #expect(try read(list(group)).map { $0 != nil } == [false, true, true, false])
    // Two of one name; two of one address; a node that is none; numbers that are none.
    var other = one
    other["identifier"] = "b"
    #expect(try read(list(group.merging(["children": [one, one]]) { $1 })).allSatisfy { $0 == nil })
    #expect(
      try read(list(group.merging(["children": [one, other]]) { $1 })).map { $0 != nil } == [false, true, false, false])
    #expect(try read(list(group.merging(["children": ["x"]]) { $1 })).allSatisfy { $0 == nil })
    for (key, value) in [
      ("address", "-1"), ("unit", "4300000000"), ("flags", "x"), ("values", ["0"]), ("identifier", 7), ("name", [:]),
    ] as [(String, Any)] {
      #expect(try read(list(one.merging([key: value]) { $1 })).allSatisfy { $0 == nil }, "\(key)")
    }
    var deep = group
    for _ in 0..<200 { deep = ["identifier": "", "name": "", "children": [deep]] }
    #expect(try read(list(deep)).allSatisfy { $0 == nil })
    // Bytes with faults.
    let whole = try list(group)
    var draw = SeededGenerator(seed: 5)
    for _ in 0..<500 {
      var bytes = whole
      for _ in 0..<Int.random(in: 1...4, using: &draw) {
        bytes[Int.random(in: bytes.indices, using: &draw)] = UInt8.random(in: 0...255, using: &draw)
      }
      _ = try read(Array(bytes.prefix(Int.random(in: 0...bytes.count, using: &draw))))
    }
  }
}
