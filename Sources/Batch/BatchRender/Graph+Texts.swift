import AudioCore
import AudioEngine
import BuiltInUnits
import RenderGraph
import Tags

// Title, artist, cover and the like of what a graph renders.
extension Graph {
  /// The tags of what a node puts out: those that all files have in common, letter by letter, whose players lead to it.
  /// With one player these are all tags of its file, but for what was measured of its sound. Nodes that make sound of
  /// their own have none, and do not count. Markers and chunks stay behind: frames of a render are no frames of a file.
  func tags(ofNode index: Int) -> SoundTags {
    var walk = UpstreamWalk<Int>()
    walk.visit(index) { inputs(of: $0).map(\.source) }
    var seenFiles: Set<[UInt8]> = []
    var common: SoundTags?
    for node in walk.order {
      guard let file = nodes[node].unit.filePlayer?.file, seenFiles.insert(Array(file.path.utf8)).inserted else {
        continue
      }
      let tags = SoundTags(of: file)
      common = common.map { $0.common(with: tags) } ?? tags
    }
    guard var tags = common?.ofAnotherSound else { return SoundTags() }
    tags.extras = tags.extras.leftOut
    return tags
  }
}

// Loudspeakers of what a graph renders.
extension Graph {
  /// The warnings about mixers that add up channels of different loudspeakers, as they go by the channels' numbers.
  var mixedLayouts: [String] {
    nodes.compactMap { node in
      guard node.unit is MultichannelMixer, let count = node.unit.outputs.first?.format.channelCount else { return nil }
      let layouts = node.unit.inputs.compactMap { $0.layout?.channelCount == count ? $0.layout : nil }
      guard let first = layouts.first, let other = layouts.first(where: { !$0.isSame(as: first) }) else { return nil }
      return "node \"\(node.name)\": it adds up \(first) and \(other) channel by channel; a formatConverter with "
        + "\"format\": {\"layout\": ...} in front of it makes one of the other"
    }
  }
}
