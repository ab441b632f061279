import AudioCore
import AudioEngine
import BatchRender
import BuiltInUnits
import RenderGraph

/// Graphs that have rendered a task and may render the next one, with other files: reading and making them is a
/// twentieth of the time of a short file.
///
/// Only the settings are reused. Processors, which have a state, are made anew for each render. Graphs with third-party
/// units, which may keep other state, are not kept; nor is a graph given files of another rate or number of channels
/// than it was made for.
final class GraphStore: Sendable {
  private let idle = Locked<[String: [Graph]]>([:])

  /// The key that graphs must share to be reused: the file, the settings, and which players get files.
  private static func key(_ task: BatchTask, _ path: String) -> String {
    ([path] + task.settings.map(\.description) + [""] + task.inputs.map(\.node)).joined(separator: "\0")
  }

  /// A graph that plays the task's files; nil where there is none that could.
  /// - Throws: `.input` for a file that cannot be read.
  func take(for task: BatchTask, _ path: String) throws(BenchError) -> Graph? {
    guard let graph = idle.withLock({ $0[Self.key(task, path)]?.popLast() }) else { return nil }
    for (node, file) in task.inputs {
      guard let player = graph.node(named: node)?.unit.filePlayer, player.region == nil, let former = player.file else {
        return nil
      }
      do throws(BenchError) { try player.open(file) } catch { throw error.inside("node \"\(node)\"") }
      guard let present = player.file, present.sampleRate == former.sampleRate,
        present.channelCount == former.channelCount
      else { return nil }
    }
    return graph
  }

  /// - Parameter graph: has rendered the task without a failure.
  func giveBack(_ graph: Graph, of task: BatchTask, _ path: String) {
    idle.withLock { $0[Self.key(task, path), default: []].append(graph) }
  }
}
