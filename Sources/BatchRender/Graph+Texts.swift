import AudioUnits
import RenderGraph
import Tags

// Title, artist, cover and the like of what a graph renders.
extension Graph {
  /// The tags of what a node puts out: those that all files have in common, letter by letter, whose players lead to it. With
  /// one player these are all tags of its file, but for what was measured of its sound. Nodes that make sound of their own
  /// have none, and do not count.
  func tags(ofNode index: Int) -> SoundTags {
    var seen: Set<Int> = [index]
    var waiting = [index]
    var seenFiles: Set<[UInt8]> = []
    var common: SoundTags?
    while let node = waiting.popLast() {
      if let file = (nodes[node].unit as? FilePlayer)?.file, seenFiles.insert(Array(file.path.utf8)).inserted {
        let tags = SoundTags(of: file)
        common = common.map { $0.common(with: tags) } ?? tags
      }
      for connection in connections where connection.destination == node {
        if seen.insert(connection.source).inserted { waiting.append(connection.source) }
      }
    }
    return common?.ofAnotherSound ?? SoundTags()
  }
}
