/// A region of a file from a start frame on, so many more times as `loops` says, at the rate of the graph.
struct FilePlayerLaw: UnitLaw {
  static let unit = "filePlayer"
  static let keys: Set = ["file", "region", "loops", "start", "quality"]

  static func outputs(of node: LawNode, _ inputs: [LawSignal?]) throws(LawError) -> [LawSignal] {
    guard let path = node.keys["file"]?.text, let file = node.surroundings.file(path) else {
      throw LawError("the player \(node.id) has no file that can be read")
    }
    let region = node.keys["region"]?.list?.compactMap(\.integer) ?? [0, file.frames]
    guard region.count == 2, region[0] >= 0, region[1] >= 0, region[0] + region[1] <= file.frames,
      let loops = Optional(node.keys["loops"]?.integer ?? 0), loops >= 0
    else { throw LawError("a region beside the file, or without an end, has no law") }
    var played = file
    played.channels = file.channels.map { samples in
      let pass = Array(samples[region[0]..<(region[0] + region[1])])
      return Array((0...loops).map { _ in pass }.joined())
    }
    played = try node.converted(played)
    let start = [Double](repeating: 0, count: node.keys["start"]?.integer ?? 0)
    played.channels = played.channels.map { start + $0 }
    return [played]
  }

  static func draw(_ draw: inout CrossDraw) { draw.playerCase() }
}
