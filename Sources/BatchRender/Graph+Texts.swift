import AudioCore
import AudioUnits
import RenderGraph
import SoundFile

// Title, artist and the like of what a graph renders.
extension Graph {
  /// The texts of what a node puts out: those that all files have in common, letter by letter, whose players lead to it. With
  /// one player these are all texts of its file. Nodes that make sound of their own have none, and do not count.
  func texts(ofNode index: Int) -> SoundFileMetadata {
    var walk = UpstreamWalk<Int>()
    walk.visit(index) { inputs(of: $0).map(\.source) }
    let texts = walk.order.compactMap { nodes[$0].unit.filePlayer?.file?.metadata }
    return texts.dropFirst().reduce(texts.first ?? SoundFileMetadata()) { $0.common(with: $1) }
  }
}

extension SoundFileMetadata {
  /// The texts that are the same in another file.
  fileprivate func common(with other: SoundFileMetadata) -> SoundFileMetadata {
    SoundFileMetadata(values.filter { field, value in other[field].map { $0.utf8.elementsEqual(value.utf8) } ?? false })
  }
}
