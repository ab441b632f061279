import AudioCore
import BatchRender

extension BatchJob {
  /// The names of third-party units in a graph file; none where it cannot be read, which its tasks will say.
  func otherUnits(inGraph path: String) -> [String] {
    guard let data = try? JSONFile.read(path, kind: .graph, what: "graph"),
      let document = try? JSONValue.document(data, kind: .graph), case .array(let nodes) = document["nodes"]
    else { return [] }
    return nodes.compactMap { node in
      if case .string(let name) = node["unit"], graph.registry.named(name) == nil { name } else { nil }
    }
  }
}
