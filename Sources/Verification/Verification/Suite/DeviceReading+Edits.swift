import AudioCore
import BatchRender

extension DeviceReading {
  /// Reads the edits of a unit or a graph while it is rendered: `"edits": [{"frame": 4096, "node": "eq", "preset":
  /// "Rock"}]`.
  /// - Parameter node: the only node that there is; nil: each edit names one.
  /// - Returns: the definition that a golden is made from.
  mutating func readEdits(_ object: inout JSONObject, node: String?) throws(BenchError) -> [JSONValue]? {
    guard let written = try object.list("edits") else { return nil }
    guard !written.isEmpty else { throw object.error("edits", "the list is empty: nothing would change") }
    for (index, value) in written.enumerated() {
      var edit = try object.part(value, at: "edits[\(index)]")
      add(try Self.edit(&edit, node: node))
      try edit.finish()
    }
    return written
  }

  private static func edit(_ object: inout JSONObject, node: String?) throws(BenchError) -> RenderEdit {
    guard let frame = try object.integer("frame", in: 0...(1 << 40)) else {
      throw object.error("frame", "the key is missing", advice: "the first frame of the output that has the change")
    }
    var edit = RenderEdit(frame: frame, node: node)
    if node == nil { edit.node = try object.string("node") }
    edit.settings = try settings(&object, form: "parameter@scope:element") { key, value in
      (try? ParameterName(key)).map { ($0, value) }
    }
    switch object.take("preset") {
    case nil: break
    case .string(let name): edit.preset = .name(name)
    case .number(let number):
      guard let whole = Int32(exactly: number) else {
        throw object.error("preset", "no preset has the number \(number)")
      }
      edit.preset = .number(whole)
    case .some(let value): throw object.error("preset", "expected a name or a number, found \(value.kind)")
    }
    edit.bypass = try object.bool("bypass")
    edit.resets = try object.bool("reset") ?? false
    if let frames = try object.integer("ramp", in: 1...Int64(Int32.max)) { edit.rampFrames = Int(frames) }
    edit.isScheduled = try object.bool("scheduled") ?? false
    if edit.rampFrames > 0, !edit.isScheduled {
      throw object.error("ramp", "goes with \"scheduled\": true", advice: "or write a \"ramp\" in the node")
    }
    if node == nil {
      edit.disconnections = try texts(try object.list("disconnect") ?? [], of: "disconnect", object)
      edit.connections = try texts(try object.list("connect") ?? [], of: "connect", object)
    }
    let switches = edit.preset != nil || edit.bypass != nil || edit.resets
    if edit.isScheduled, edit.settings.isEmpty || switches || edit.changesWiring {
      throw object.error("scheduled", "only parameters can be scheduled", advice: "give \"set\" alone, or leave it out")
    }
    let changesNode = switches || !edit.settings.isEmpty
    guard changesNode || edit.changesWiring else {
      throw object.error(
        "set", "the edit changes nothing", advice: "give set, preset, bypass, reset, connect or disconnect")
    }
    if edit.node == nil, changesNode {
      throw object.error("node", "the key is missing", advice: "the id of the node that changes")
    }
    return edit
  }

  /// The parameters under `set`.
  /// - Parameters:
  ///   - form: the form of their names, for the error.
  ///   - read: nil for what is no name.
  static func settings<Setting>(
    _ object: inout JSONObject, form: String, _ read: (_ name: String, _ value: Float) -> Setting?
  ) throws(BenchError) -> [Setting] {
    guard var list = try object.object("set") else { return [] }
    var settings: [Setting] = []
    for (key, value) in list.takeAll() {
      guard case .number(let number) = value, Float(number).isFinite, let setting = read(key, Float(number)) else {
        throw object.error("set", "expected \"\(form)\": number, found \"\(excerpt(key))\": \(excerpt(value.text))")
      }
      settings.append(setting)
    }
    return settings
  }

  /// Reads a list that may contain only texts.
  /// - Parameter expected: the text for the error about the key.
  static func texts(
    _ list: [JSONValue], of key: String, _ object: JSONObject, expected: String = "a list of texts"
  ) throws(BenchError) -> [String] {
    var texts: [String] = []
    for value in list {
      guard case .string(let text) = value else {
        throw object.error(key, "expected \(expected), found \(value.kind) in it")
      }
      texts.append(text)
    }
    return texts
  }
}
