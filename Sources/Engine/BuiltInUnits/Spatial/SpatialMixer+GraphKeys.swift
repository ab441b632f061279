import AudioCore
import AudioEngine

// The keys of a spatial mixer in graph files beside parameters: for all inputs at once, and for single ones under
// "sources".
extension SpatialMixer {
  static let graphKeyTable = inputKeys.map(\.ofAllInputs) + [sources]

  /// A key for the settings of inputs.
  private struct InputKey: Sendable {
    let name: String
    let meaning: String
    let schema: [String: JSONValue]
    let choices: [String]?
    /// Sets what is written for some inputs.
    let apply: @Sendable (SpatialMixer, inout JSONObject, Range<Int>) throws(BenchError) -> Void

    init<Value: Equatable>(
      _ name: String, _ meaning: String, _ path: WritableKeyPath<SpatialInputSettings, Value> & Sendable,
      _ form: JSONForm<Value>
    ) {
      (self.name, self.meaning, schema, choices) = (name, meaning, form.schema, form.choices)
      apply = { (mixer, object, buses) throws(BenchError) in
        guard let value = try form.take(&object, name) else { return }
        for bus in buses {
          do { try mixer.setInput(bus, path, to: value) } catch {
            throw object.error(name, "the unit refuses it: \(error)")
          }
        }
      }
    }

    /// The key of a node.
    var ofAllInputs: GraphKey {
      let apply = apply
      return GraphKey(name, "\(meaning), of all inputs", of: SpatialMixer.self, schema: schema, choices: choices) {
        (mixer, node, _) throws(BenchError) in
        try apply(mixer, &node, 0..<mixer.elementCount(.input))
      }
    }
  }

  private static let inputKeys = [
    InputKey("algorithm", "the method by which a direction is rendered", \.algorithm, .choice),
    InputKey("sourceMode", "the treatment of the input's channels", \.sourceMode, .choice),
    InputKey("attenuationCurve", "the fall of the level with distance", \.curve, .choice),
    InputKey(
      "distances", "{reference, maximum, attenuation}: metres between which level falls, and by how many dB",
      \.distances, .distances),
    InputKey("renderingFlags", "the effects that are rendered", \.flags, .flags),
  ]

  private static let sources = GraphKey(
    "sources", "settings of single inputs, a list from input 0 on: [{\"algorithm\": \"hrtf\"}, {}]",
    of: SpatialMixer.self,
    schema: [
      "type": "array",
      "items": [
        "type": "object", "additionalProperties": false,
        "properties": .object(Dictionary(uniqueKeysWithValues: inputKeys.map { ($0.name, .object($0.schema)) })),
      ],
    ]
  ) { (mixer, node, _) throws(BenchError) in
    guard let list = try node.list("sources") else { return }
    guard list.count <= mixer.elementCount(.input) else {
      throw node.error(
        "sources",
        "\(NumberText.count(list.count, "source")), but the unit has \(NumberText.count(mixer.elementCount(.input), "input"))"
      )
    }
    for (bus, value) in list.enumerated() {
      var source = try node.part(value, at: "source \(bus)")
      for key in inputKeys { try key.apply(mixer, &source, bus..<bus + 1) }
      try source.finish()
    }
  }
}

extension JSONForm where Value == DistanceRange {
  fileprivate static let distances = JSONForm(
    [
      "type": "object", "additionalProperties": false,
      "properties": [
        "reference": .object(JSONValue.quantitySchema(.above(0))),
        "maximum": .object(JSONValue.quantitySchema(.above(0))),
        "attenuation": .object(JSONValue.quantitySchema(.from(0))),
      ],
    ]
  ) { (object, key) throws(BenchError) in
    guard var inner = try object.object(key) else { return nil }
    let standard = DistanceRange.standard
    let reference = try inner.floatQuantity("reference", .metres) ?? standard.reference
    let maximum = try inner.floatQuantity("maximum", .metres) ?? standard.maximum
    let attenuation = try inner.floatQuantity("attenuation", .decibels) ?? standard.attenuationDecibels
    try inner.finish()
    do {
      return try DistanceRange(reference: reference, maximum: maximum, attenuationDecibels: attenuation)
    } catch {
      throw object.error(
        key,
        "expected 0 < reference < maximum and an attenuation of 0 dB or more, found \(reference) m, \(maximum) m, "
          + "\(attenuation) dB")
    }
  }
}

extension JSONForm where Value == SpatialRenderingFlags {
  fileprivate static let flags = JSONForm(
    [
      "type": "array", "items": ["enum": .array(SpatialRenderingFlags.names.map { .string($0.name) })],
    ]
  ) { (object, key) throws(BenchError) in
    guard let list = try object.list(key) else { return nil }
    var flags: SpatialRenderingFlags = []
    for value in list {
      guard case .string(let name) = value,
        let known = SpatialRenderingFlags.names.first(where: { $0.name == name })
      else {
        let names = SpatialRenderingFlags.names.map(\.name).joined(separator: ", ")
        throw object.error(key, "expected a list of \(names)")
      }
      flags.insert(known.flag)
    }
    return flags
  }
}
