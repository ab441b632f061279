import AudioCore
import UnitLaws

extension LawTrial {
  /// Renders at most so often for a smaller case.
  private static let most = 60

  /// The device with all left out that the failure does not need: edits, ramps and start values, one at a time.
  /// - Returns: the device, and the first difference with it; nil where nothing can be left out.
  func smallest(slices: [Int]) -> (device: JSONValue, found: String?) {
    var device = description.written
    var found: String?
    var renders = 0
    var isSmaller = true
    while isSmaller {
      isSmaller = false
      for candidate in Self.smaller(device) where renders < Self.most {
        renders += 1
        guard let failure = failure(of: candidate, slices: slices) else { continue }
        (device, found) = (candidate, failure)
        isSmaller = true
        break
      }
    }
    return (device, found)
  }

  private func failure(of device: JSONValue, slices: [Int]) -> String? {
    do {
      let object = try JSONObject(device, at: "", folder: description.folder, kind: .suite)
      let trial = LawTrial(
        try DeviceDescription(object, sampleRate: description.sampleRate), input: input, withinDecibels: withinDecibels)
      let judgement = try trial.judgement(of: trial.rendered(slices: slices))
      return judgement.isGood ? nil : judgement.found
    } catch {
      return nil
    }
  }

  /// The device without one edit, ramp or start value, in each way.
  private static func smaller(_ device: JSONValue) -> [JSONValue] {
    var found = without(one: "edits", of: device) + without(one: "ramp", of: device) + without(one: "set", of: device)
    guard case .array(let nodes) = device["graph"]["nodes"] else { return found }
    for (index, node) in nodes.enumerated() {
      for smaller in without(one: "ramp", of: node) + without(one: "set", of: node) {
        var (changed, all) = (device, nodes)
        all[index] = smaller
        changed["graph"]["nodes"] = .array(all)
        found.append(changed)
      }
    }
    return found
  }

  private static func without(one key: String, of object: JSONValue) -> [JSONValue] {
    guard case .object(var members) = object, let value = members[key] else { return [] }
    switch value {
    case .array(let list):
      return list.indices.map { index in
        var rest = list
        rest.remove(at: index)
        members[key] = rest.isEmpty ? nil : .array(rest)
        return .object(members)
      }
    case .object(let set):
      return set.keys.sorted().map { name in
        var rest = set
        rest[name] = nil
        members[key] = rest.isEmpty ? nil : .object(rest)
        return .object(members)
      }
    default: return []
    }
  }
}

extension LawValue {
  init(_ value: JSONValue) {
    switch value {
    case .number(let number): self = .number(number)
    case .string(let text): self = .text(text)
    case .bool(let flag): self = .flag(flag)
    case .array(let list): self = .list(list.map(LawValue.init))
    case .object(let members): self = .object(members.mapValues(LawValue.init))
    case .null: self = .text("")
    }
  }
}

extension JSONValue {
  init(_ value: LawValue) {
    switch value {
    case .number(let number): self = .number(number)
    case .text(let text): self = .string(text)
    case .flag(let flag): self = .bool(flag)
    case .list(let list): self = .array(list.map(JSONValue.init))
    case .object(let members): self = .object(members.mapValues(JSONValue.init))
    }
  }
}
