import AudioCore
import AudioEngine
import DSPKernels
import RenderGraph

// Finds the node that first puts out samples that are not finite. Nothing is checked inside a graph while it renders;
// if such samples have come out, the graph renders once more, up to the first of them, and each node's output is
// checked.

extension OfflineRenderer {
  /// The first node, from the sources on, whose output has such samples when the first comes out of the graph.
  /// - Parameters:
  ///   - report: the report of the render, which is over.
  ///   - skip: frames that it has dropped from the beginning.
  /// - Returns: nil where there are none, or they cannot be looked for: an edit cannot be made twice, and a state that
  ///   is to be kept may not be used up.
  func firstNonFiniteNode(_ report: RenderReport, _ options: Options, skip: Int64) -> String? {
    guard report.hasNonFiniteSamples else { return nil }
    if let node = report.nonFiniteFiles.firstNode { return node }
    guard options.edits == nil, !options.keepsUnitsInitialized else { return nil }
    return try? NonFiniteSearch(graph).firstNode(
      frames: skip + report.nonFiniteSamples.firstFrame + 1,
      slice: options.sliceFrames ?? graph.maximumFramesPerSlice, options)
  }
}

extension Graph {
  /// Files with samples that are not finite, of those that its players have read.
  var nonFiniteFiles: [NonFiniteFile] {
    filePlayers.compactMap { name, player in
      let samples = player.nonFiniteSamples
      guard !samples.isEmpty, let path = player.file?.path else { return nil }
      return NonFiniteFile(path: path, node: name, samples: samples, policy: player.nonFinite)
    }
  }
}

extension Graph {
  /// The warnings about the files that its players have, and about layouts that are mixed, each once.
  package var inputWarnings: [String] {
    let ofFiles = filePlayers.compactMap(\.player.file?.warnings).joined()
    return (ofFiles + mixedLayouts).reduce(into: []) { all, warning in
      if !all.contains(warning) { all.append(warning) }
    }
  }
}

/// Renders a graph again, and looks at the output of every node.
private struct NonFiniteSearch {
  private struct Listener {
    let node: String
    let tap: TapBuffer
    let planar: PlanarView
    var hasFound = false
  }
  private let graph: Graph

  init(_ graph: Graph) { self.graph = graph }

  /// - Parameter frames: the length to render, from the beginning on.
  func firstNode(frames: Int64, slice: Int, _ options: OfflineRenderer.Options) throws(BenchError) -> String? {
    let names = try graph.renderOrder().map { graph.nodes[$0].name }
    graph.reset()
    let plan = try graph.compile(parallel: false, taps: Set(names))
    var listeners: [Listener] = []
    for name in names {
      guard let format = try? graph.node(named: name)?.unit.streamFormat(.output) else { continue }
      // As for taps into files: a conversion of rates asks for more than a slice at once.
      let ratio = max(1, format.sampleRate / plan.headFormat.sampleRate)
      let capacity = Int(clamping: Double(4 * graph.maximumFramesPerSlice) * ratio) + 65_536
      let tap = TapBuffer(format: format, frameCapacity: capacity)
      plan.setTap(tap, ofNode: name)
      listeners.append(Listener(node: name, tap: tap, planar: try PlanarView(format, maximumFrames: capacity)))
    }
    let renderer = GraphRenderer(plan)
    var time: Int64 = 0
    while time < frames {
      let count = Int(min(Int64(slice), frames - time))
      renderer.prefetch(sampleTime: time, frames: count)
      do throws(AudioStatus) {
        try renderer.render(sampleTime: time, frames: count) { _, _, _ in }
      } catch {
        throw renderer.failure(for: error)
      }
      for index in listeners.indices { Self.listen(&listeners[index]) }
      time += Int64(count)
    }
    return listeners.first(where: \.hasFound)?.node
  }

  private static func listen(_ listener: inout Listener) {
    let tap = listener.tap
    if !listener.hasFound {
      let planes = listener.planar.planes(of: tap.buffer.bus, frames: tap.frames)
      listener.hasFound = (0..<tap.buffer.format.channelCount).contains {
        !LevelKernels.isFinite(planes[$0], frames: tap.frames)
      }
    }
    tap.removeFirst(tap.frames)
  }
}
