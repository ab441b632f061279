import AudioCore
import AudioUnits

extension Graph {
  /// The index of the output node.
  /// - Throws: `.graph` where there is none.
  package func outputIndex() throws(BenchError) -> Int {
    guard let index = nodes.firstIndex(where: { $0.unit.isOutput }) else {
      throw BenchError(
        .graph, "the graph has no output unit",
        advice: "add a node of unit \"\(GenericOutput.component.shortName)\" and connect the last unit to it")
    }
    return index
  }

  /// The nodes that the output reaches against the direction of sound, sources first.
  /// - Throws: `.graph` for a cycle, naming its nodes, or where there is no output.
  package func renderOrder() throws(BenchError) -> [Int] {
    let inputs = connectionsByDestination
    var order: [Int] = []
    var state = [Visit](repeating: .unseen, count: nodes.count)
    // A stack of its own: a chain of many thousand nodes must not overflow the thread's.
    var stack: [(node: Int, inputs: [Int])] = []
    func enter(_ node: Int) {
      state[node] = .open
      stack.append((node, (inputs[node] ?? []).map(\.source)))
    }
    enter(try outputIndex())
    while let top = stack.last {
      if let next = top.inputs.first {
        stack[stack.count - 1].inputs.removeFirst()
        switch state[next] {
        case .unseen: enter(next)
        case .done: continue
        case .open:
          let start = stack.firstIndex { $0.node == next } ?? 0
          // The stack runs against the sound; a person reads a cycle along with it.
          let cycle = stack[start...].reversed().map { nodes[$0.node].name }
          throw BenchError(
            .graph, at: "node \"\(nodes[next].name)\"",
            "the connections form a cycle: " + ([nodes[next].name] + cycle).joined(separator: " -> "),
            advice: "remove one of them")
        }
      } else {
        state[top.node] = .done
        order.append(top.node)
        stack.removeLast()
      }
    }
    return order
  }

  private enum Visit { case unseen, open, done }

  /// The connections into a node, in bus order.
  package func inputs(of node: Int) -> [Connection] {
    connections.filter { $0.destination == node }.sorted { $0.destinationBus < $1.destinationBus }
  }

  private var connectionsByDestination: [Int: [Connection]] {
    Dictionary(grouping: connections, by: \.destination).mapValues {
      $0.sorted { $0.destinationBus < $1.destinationBus }
    }
  }

  /// Gives every unit in `order` its formats: an input takes that of its source, an output what was asked for or what
  /// follows from the inputs. Units that are initialized keep theirs, which must fit.
  /// - Throws: `.graph`, naming node, bus, what was expected and what was there.
  package func propagateFormats(_ order: [Int]) throws(BenchError) {
    let inputsByNode = connectionsByDestination
    for index in order {
      let node = nodes[index]
      let place = "node \"\(node.name)\""
      for connection in inputsByNode[index] ?? [] {
        try propagate(connection, into: node)
      }
      guard !node.unit.isInitialized else { continue }
      let natural = node.unit.naturalOutputFormat(graphRate: sampleRate)
      let wanted = node.wantedFormat.applied(to: natural)
      for bus in 0..<node.unit.elementCount(.output) {
        do {
          try node.unit.setStreamFormat(wanted, .output, element: bus)
        } catch {
          throw BenchError(
            .graph, at: "\(place), output bus \(bus)", "the unit cannot put out \(wanted): \(error)",
            advice: "leave \"format\" out, or put a formatConverter behind it")
        }
      }
      let input = try? node.unit.streamFormat(.input)
      if let input, node.unit.needsEqualFormats, input != wanted {
        throw BenchError(
          .graph, at: place,
          "the unit works in one format, but its input is \(input) and its output was asked to be "
            + "\(wanted)", advice: "put a formatConverter in front of it or behind it")
      }
    }
  }

  private func propagate(_ connection: Connection, into node: Node) throws(BenchError) {
    let source = nodes[connection.source]
    let place = "node \"\(node.name)\", input bus \(connection.destinationBus)"
    let format: StreamFormat
    do throws(AudioStatus) {
      format = try source.unit.streamFormat(.output, element: connection.sourceBus)
    } catch {
      throw BenchError(.graph, at: "node \"\(source.name)\", output bus \(connection.sourceBus)", "\(error)")
    }
    if node.unit.isInitialized {
      let present = try? node.unit.streamFormat(.input, element: connection.destinationBus)
      guard present == format else {
        let taken = present.map(String.init(describing:)) ?? "nothing here"
        throw BenchError(
          .graph, at: place, "\"\(source.name)\" puts out \(format), but the running unit takes \(taken)",
          advice: "put a formatConverter between them")
      }
      return
    }
    do throws(AudioStatus) {
      try node.unit.connectInput(connection.destinationBus, format: format)
    } catch {
      throw BenchError(
        .graph, at: place, "the unit does not take \(format) from \"\(source.name)\": \(error)",
        advice: node.unit.advice(forInput: connection.destinationBus))
    }
  }
}

extension Unit {
  /// Whether input 0 and output 0 must have the same format.
  package var needsEqualFormats: Bool {
    component.description.type == .effect
  }

  fileprivate func advice(forInput bus: Int) -> String {
    component.description == IPodEQ.component.description
      ? "it takes mono and stereo Float32; put a formatConverter in front of it"
      : "it takes Float32, one buffer per channel; put a formatConverter in front of it"
  }
}
