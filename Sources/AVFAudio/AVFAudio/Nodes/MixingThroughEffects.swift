import AVFAudioFiles

// A source talks to the mixers downstream of it, also where effects lie in between, which have no volume and place of
// their own: player.volume counts in player → equalizer → mixer.

extension AVAudioNode {
  /// True for a node that passes on the volume and the place of its source.
  private var isTransparentToMixing: Bool { self is AVAudioUnit && !(self is any AVAudioMixing) }

  /// The node whose volume and place count where this one is connected: itself, or what an effect has as its input.
  var mixingSource: AVAudioNode {
    var node = self
    // A ring of effects is refused when it is compiled, and may still be asked.
    var left = engine?.nodes.count ?? 0
    while left > 0, node.isTransparentToMixing, let input = engine?.connection(into: node, bus: 0) {
      node = input.source
      left -= 1
    }
    return node
  }

  /// The connections at whose ends the node's volume and place count: its own, and those of the effects behind it.
  var mixedConnections: [NodeConnection] {
    guard let engine else { return [] }
    var found: [NodeConnection] = []
    var sources: [AVAudioNode] = [self]
    var next = 0
    while next < sources.count {
      for connection in engine.connections where connection.source === sources[next] {
        found.append(connection)
        let destination = connection.destination
        if destination.isTransparentToMixing, !sources.contains(where: { $0 === destination }) {
          sources.append(destination)
        }
      }
      next += 1
    }
    return found
  }
}
