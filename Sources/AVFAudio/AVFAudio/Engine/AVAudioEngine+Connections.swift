import AVFAudioFiles
import Foundation

/// A bus of a node.
open class AVAudioConnectionPoint: NSObject {
  /// The node; nil when it is gone.
  public private(set) weak var node: AVAudioNode?
  /// Its bus.
  public let bus: AVAudioNodeBus

  /// A bus of a node.
  public init(node: AVAudioNode, bus: AVAudioNodeBus) {
    self.node = node
    self.bus = bus
  }
}

extension AVAudioEngine {
  /// Connects output bus 0 of a node to input bus 0 of another, of a mixer to the next one that is free.
  ///
  /// - Parameters:
  ///   - node1: the source.
  ///   - node2: the destination.
  ///   - format: the format from now on of both buses; nil: that which the source has.
  public func connect(_ node1: AVAudioNode, to node2: AVAudioNode, format: AVAudioFormat?) {
    locked {
      checkAttached(node1, node2)
      connections.removeAll { $0.source === node1 && $0.sourceBus == 0 }
      let bus = (node2 as? any SourceMixer)?.firstFreeInput ?? 0
      connect(node1, to: node2, fromBus: 0, toBus: bus, format: format)
    }
  }

  /// Connects one bus to another, in place of what either was connected to.
  ///
  /// Nodes that are not attached, buses that they do not have, and formats that are not PCM end the process.
  public func connect(
    _ node1: AVAudioNode, to node2: AVAudioNode, fromBus bus1: AVAudioNodeBus, toBus bus2: AVAudioNodeBus,
    format: AVAudioFormat?
  ) {
    connect(node1, to: [AVAudioConnectionPoint(node: node2, bus: bus2)], fromBus: bus1, format: format)
  }

  /// Connects an output bus to several input buses, in place of all that it was connected to.
  public func connect(
    _ sourceNode: AVAudioNode, to destNodes: [AVAudioConnectionPoint], fromBus sourceBus: AVAudioNodeBus,
    format: AVAudioFormat?
  ) {
    locked {
      require(format.map { $0.stream?.isValid ?? false } ?? true, "format is valid PCM")
      require((0..<sourceNode.numberOfOutputs).contains(sourceBus), "bus1 < node1.numberOfOutputs (\(sourceBus))")
      connections.removeAll { $0.source === sourceNode && $0.sourceBus == sourceBus }
      for point in destNodes {
        guard let node = point.node else { continue }
        checkAttached(sourceNode, node)
        require(node.inputRange.contains(point.bus), "bus2 < node2.numberOfInputs (\(point.bus))")
        join(sourceNode, sourceBus, node, point.bus)
      }
      if let format { sourceNode.setOutputFormat(format) }
      noteEdit()
    }
  }

  private func checkAttached(_ node1: AVAudioNode, _ node2: AVAudioNode) {
    require(node1.engine === self && node2.engine === self, "node1 and node2 are attached to this engine")
  }

  /// Makes a connection, in place of that into the same bus.
  func join(
    _ source: AVAudioNode, _ sourceBus: AVAudioNodeBus, _ destination: AVAudioNode, _ bus: AVAudioNodeBus
  ) {
    connections.removeAll { $0.destination === destination && $0.destinationBus == bus }
    connections.append(
      NodeConnection(source: source, sourceBus: sourceBus, destination: destination, destinationBus: bus))
    noteEdit()
  }

  /// The connection into an input bus.
  func connection(into node: AVAudioNode, bus: AVAudioNodeBus) -> NodeConnection? {
    connections.first { $0.destination === node && $0.destinationBus == bus }
  }

  /// Disconnects an input bus.
  public func disconnectNodeInput(_ node: AVAudioNode, bus: AVAudioNodeBus) {
    disconnect(node) { $0.destination === node && $0.destinationBus == bus }
  }

  /// Disconnects all inputs of a node.
  public func disconnectNodeInput(_ node: AVAudioNode) { disconnect(node) { $0.destination === node } }

  /// Disconnects an output bus.
  public func disconnectNodeOutput(_ node: AVAudioNode, bus: AVAudioNodeBus) {
    disconnect(node) { $0.source === node && $0.sourceBus == bus }
  }

  /// Disconnects all outputs of a node.
  public func disconnectNodeOutput(_ node: AVAudioNode) { disconnect(node) { $0.source === node } }

  private func disconnect(_ node: AVAudioNode, _ isOne: (NodeConnection) -> Bool) {
    locked {
      require(node.engine === self, "the node is attached to this engine")
      connections.removeAll(where: isOne)
      noteEdit()
    }
  }

  /// The bus that feeds an input bus; nil: none.
  public func inputConnectionPoint(for node: AVAudioNode, inputBus bus: AVAudioNodeBus) -> AVAudioConnectionPoint? {
    locked {
      connection(into: node, bus: bus).map { AVAudioConnectionPoint(node: $0.source, bus: $0.sourceBus) }
    }
  }

  /// The buses that an output bus feeds.
  public func outputConnectionPoints(
    for node: AVAudioNode, outputBus bus: AVAudioNodeBus
  ) -> [AVAudioConnectionPoint] {
    locked {
      connections.filter { $0.source === node && $0.sourceBus == bus }
        .map { AVAudioConnectionPoint(node: $0.destination, bus: $0.destinationBus) }
    }
  }

  /// Seconds of all nodes between one and the loudspeaker, on the slowest way; nil where none leads there.
  func latency(behind node: AVAudioNode) -> TimeInterval? {
    var known: [ObjectIdentifier: TimeInterval?] = [:]
    func seconds(_ node: AVAudioNode) -> TimeInterval? {
      if let output = node as? AVAudioOutputNode { return output.presentationLatency }
      if let found = known[ObjectIdentifier(node)] { return found }
      // A ring leads nowhere.
      known[ObjectIdentifier(node)] = .some(nil)
      let ways = connections.filter { $0.source === node }.compactMap { connection in
        seconds(connection.destination).map { $0 + connection.destination.latency }
      }
      known[ObjectIdentifier(node)] = .some(ways.max())
      return ways.max()
    }
    return seconds(node)
  }
}
