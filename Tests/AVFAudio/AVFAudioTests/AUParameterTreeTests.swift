import AVFAudio
import Testing

@Suite("Parameter trees")
struct AUParameterTreeTests {
  private func parameter(_ identifier: String, _ address: AUParameterAddress, _ range: ClosedRange<Float> = 0...1)
    -> AUParameter
  {
    AUParameterTree.createParameter(
      withIdentifier: identifier, name: identifier.capitalized, address: address, min: range.lowerBound,
      max: range.upperBound, unit: .generic, unitName: nil, valueStrings: nil, dependentParameters: nil)
  }

  @Test("Nodes are found by address and by path, and a new parameter has 0 or its least value")
  func paths() throws {
    let (rate, depth, mix) = (parameter("rate", 1, 2...9), parameter("depth", 2), parameter("mix", 1 << 40, -1...1))
    let group = AUParameterTree.createGroup(withIdentifier: "motion", name: "Motion", children: [rate, depth])
    let tree = AUParameterTree.createTree(withChildren: [group, mix])
    #expect(tree.allParameters == [rate, depth, mix])
    #expect([rate.value, depth.value, mix.value] == [2, 0, 0])
    #expect(tree.parameter(withAddress: 1 << 40) === mix)
    #expect(tree.parameter(withAddress: 7) == nil)
    #expect(tree.value(forKeyPath: "motion.depth") as? AUParameter === depth)
    #expect(tree.value(forKeyPath: "motion.mix") == nil)
    #expect(tree.value(forKey: "motion") as? AUParameterGroup === group)
    #expect(tree["mix"] === mix)
    #expect([rate.keyPath, group.keyPath, tree.keyPath] == ["motion.rate", "motion", ""])
    #expect(rate.displayName(withLength: 2) == "Ra")
  }

  @Test("A template gives groups whose addresses are larger by the offset")
  func templates() throws {
    let template = AUParameterTree.createGroupTemplate([parameter("level", 0), parameter("pan", 1, -1...1)])
    template.allParameters[0].value = 0.5
    let groups = (0..<3).map {
      AUParameterTree.createGroup(
        fromTemplate: template, identifier: "osc\($0)", name: "Oscillator", addressOffset: UInt64(10 * $0))
    }
    let tree = AUParameterTree.createTree(withChildren: groups)
    #expect(tree.allParameters.map(\.address) == [0, 1, 10, 11, 20, 21])
    #expect(tree.allParameters.map(\.value) == [0.5, 0, 0.5, 0, 0.5, 0])
    #expect(tree.parameter(withAddress: 21)?.keyPath == "osc2.pan")
  }

  @Test("Setting a value tells the implementation, then the observers of the node and above, but not its origin")
  func observers() throws {
    let (rate, depth) = (parameter("rate", 1), parameter("depth", 2))
    let group = AUParameterTree.createGroup(withIdentifier: "motion", name: "Motion", children: [rate])
    let tree = AUParameterTree.createTree(withChildren: [group, depth])
    var calls: [String] = []
    tree.implementorValueObserver = { calls.append("implementation \($0.identifier) \($1)") }
    _ = rate.token(byAddingParameterObserver: { calls.append("rate \($0) \($1)") })
    let token = tree.token(byAddingParameterObserver: { calls.append("tree \($0) \($1)") })
    _ = tree.token(byAddingParameterRecordingObserver: { calls.append("recorded \($0) \($1.pointee.hostTime)") })
    _ = group.token(byAddingParameterAutomationObserver: { calls.append("\($1.pointee.eventType == .touch)") })
    rate.value = 0.5
    #expect(calls == ["implementation rate 0.5", "rate 1 0.5", "false", "tree 1 0.5", "recorded 1 0"])
    calls = []
    rate.setValue(0.25, originator: token, atHostTime: 12, eventType: .touch)
    #expect(calls == ["implementation rate 0.25", "rate 1 0.25", "true", "recorded 1 12"])
    calls = []
    tree.removeParameterObserver(token)
    depth.value = 1
    #expect(calls == ["implementation depth 1.0", "recorded 1 0"])
    group.implementorValueObserver = { _, _ in calls.append("group") }
    calls = []
    rate.setValue(1, originator: nil)
    #expect(calls.first == "group")
  }

  @Test("A provider gives values, and callbacks give and read texts; without them names and numbers do")
  func texts() throws {
    let shape = AUParameterTree.createParameter(
      withIdentifier: "shape", name: "Shape", address: 0, min: 0, max: 2, unit: .indexed, unitName: nil,
      flags: [.flag_IsReadable, .flag_IsWritable], valueStrings: ["sine", "saw", "square"], dependentParameters: [1])
    let level = parameter("level", 1, -60...0)
    let tree = AUParameterTree.createTree(withChildren: [shape, level])
    var value: AUValue = 2
    #expect(shape.string(fromValue: &value) == "square")
    shape.value = 1
    #expect(shape.string(fromValue: nil) == "saw")
    #expect(shape.value(from: "square") == 2)
    level.value = -6
    #expect((level.string(fromValue: nil), level.value(from: "-12.5"), level.value(from: "loud")) == ("-6", -12.5, -6))
    tree.implementorStringFromValueCallback = { parameter, value in "\(value?.pointee ?? parameter.value) dB" }
    tree.implementorValueFromStringCallback = { _, text in AUValue(text.dropLast(3)) ?? 0 }
    #expect(level.string(fromValue: nil) == "-6.0 dB")
    #expect(level.value(from: "-3 dB") == -3)
    tree.implementorValueProvider = { $0.address == 1 ? -9 : 0 }
    #expect((level.value, shape.value) == (-9, 0))
  }

  @Test("Two parameters of one address end the process")
  func addressTwice() async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let twice = ["a", "b"].map {
        AUParameterTree.createParameter(
          withIdentifier: $0, name: "", address: 5, min: 0, max: 1, unit: .generic, unitName: nil, valueStrings: nil,
          dependentParameters: nil)
      }
      _ = AUParameterTree.createTree(withChildren: twice)
    }
    let text = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
    #expect(text.contains("addresses are unique in the tree (5)"))
  }
}
