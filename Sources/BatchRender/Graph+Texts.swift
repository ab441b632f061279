import AudioUnits
import RenderGraph
import SoundFile

// Title, artist and the like of what a graph renders.
extension Graph {
  /// The texts of what a node puts out: those that all files have in common, letter by letter, whose players lead to it. With
  /// one player these are all texts of its file. Nodes that make sound of their own have none, and do not count.
  func texts(ofNode index: Int) -> SoundFileMetadata {
    var seen: Set<Int> = [index]
    var waiting = [index]
    var common: SoundFileMetadata?
    while let node = waiting.popLast() {
      if let file = (nodes[node].unit as? FilePlayer)?.file {
        common = common.map { $0.common(with: file.metadata) } ?? file.metadata
      }
      for connection in connections where connection.destination == node {
        if seen.insert(connection.source).inserted { waiting.append(connection.source) }
      }
    }
    return common ?? SoundFileMetadata()
  }
}

extension SoundFileMetadata {
  /// The texts that are the same in another file.
  fileprivate func common(with other: SoundFileMetadata) -> SoundFileMetadata {
    SoundFileMetadata(values.filter { field, value in other[field].map { $0.utf8.elementsEqual(value.utf8) } ?? false })
  }
}
