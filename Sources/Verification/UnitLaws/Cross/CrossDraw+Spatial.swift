extension CrossDraw {
  /// Inputs of all kinds around a head or among loudspeakers.
  mutating func spatialCase(_ law: any SpatialLaw.Type) {
    let output = random.pick([1, 2, 2, 2, 4, 5, 6])
    // Inputs at different speeds cannot come from one splitter.
    let buses = random.pick([1, 1, 2, 3])
    var node: LawValue = ["unit": .text(law.unit), "id": "device"]
    if output != 2 { node["format"] = ["channels": .whole(output)] }
    let widths = fanIn(buses: buses, widths: [1, 1, 1, 2, 2, 3, 4, 5, 6], into: "device")
    node["sources"] = .list(widths.map { _ in source(outputs: output, canMove: buses == 1) })
    if random.chance(0.2) {
      node["usesInternalReverb"] = true
      node["reverbRoom"] = .text(random.pick(ReverbLaw.presets).name)
    }
    var parameters = law.globals
    for bus in 0..<buses {
      parameters += law.parameters(ofBus: bus).filter { buses == 1 || !$0.name.hasPrefix("playbackRate") }
    }
    mixerCase(node, parameters)
    guard random.chance(0.3) else { return }
    // A low pass that goes out of use and begins anew; the other one and the sound go on.
    let name = random.pick(["occlusionAttenuation@input:0", "obstructionAttenuation@input:0"])
    var edits = (device["edits"]?.list ?? []).filter { $0["set"]?[name] == nil && $0["reset"] == nil }
    var frame = 20.0
    for value in [-60.0, 0, -30, 0] {
      frame += Double(random.whole(1...50))
      edits.append(["node": "device", "frame": .number(frame), "set": .object([name: .number(value)])])
    }
    device["edits"] = .list(edits)
  }

  private mutating func source(outputs: Int, canMove: Bool) -> LawValue {
    var source: LawValue = [:]
    let algorithms = ["equalPowerPanning", "soundField", "vectorBasedPanning", "stereoPassThrough"]
    source["algorithm"] = .text(random.pick(outputs == 2 ? algorithms + ["sphericalHead"] : algorithms))
    source["sourceMode"] = .text(random.pick(["spatializeIfMono", "bypass", "pointSource", "ambienceBed"]))
    source["attenuationCurve"] = .text(random.pick(["power", "exponential", "inverse", "linear"]))
    if random.chance(0.7) {
      let reference = value(of: LawParameter("reference", 0.1...100, initial: 1, form: .geometric))
      let maximum = value(of: LawParameter("maximum", 101...10_000, initial: 101, form: .geometric))
      source["distances"] = [
        "reference": .number(reference), "maximum": .number(maximum),
        "attenuation": .number(value(of: LawParameter("attenuation", 0...90, initial: 80))),
      ]
    }
    let flags = [
      "interAuralDelay", "distanceAttenuation", "dopplerShift", "distanceFilter", "linearAttenuation", "reverbSend",
      "constantReverbBlend",
    ]
    source["renderingFlags"] = .list(
      flags.filter { random.chance(0.5) && (canMove || $0 != "dopplerShift") }.map { .text($0) })
    return source
  }
}
