import AudioCore
import AudioUnits
import RenderGraph
import SoundFile

// Title, artist and the like of what a graph renders.
extension Graph {
  /// Those of what the graph puts out.
  package func outputTexts() throws(BenchError) -> SoundFileMetadata { texts(ofNode: try outputIndex()) }

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
