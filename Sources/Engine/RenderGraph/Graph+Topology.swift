import AudioCore
import AudioEngine
import BuiltInUnits
import DeviceUnits
import Hardware

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

  /// The output unit, where a scenario's hardware pulls it; nil: whoever renders the graph does.
  package var scriptedOutput: (unit: DeviceOutput, scenario: Scenario)? {
    guard let unit = nodes.first(where: { $0.unit.isOutput })?.unit.deviceOutput, let scenario = unit.hardware.scenario
    else { return nil }
    return (unit, scenario)
  }

  /// The nodes that the output reaches against the direction of sound, sources first.
  /// - Throws: `.graph` for a cycle anywhere in the graph, naming its nodes, or where there is no output.
  package func renderOrder() throws(BenchError) -> [Int] {
    var walk = UpstreamWalk<Int>()
    walk.visit(try outputIndex()) { inputs(of: $0).map(\.source) }
    let order = walk.order
    // Nodes that the output does not reach are not rendered; a cycle among them is an error all the same.
    for node in nodes.indices { walk.visit(node) { inputs(of: $0).map(\.source) } }
    guard let circle = walk.circle else { return order }
    throw BenchError(
      .graph, at: "node \"\(nodes[circle[0]].name)\"",
      "the connections form a cycle: " + circle.map { nodes[$0].name }.joined(separator: " -> "),
      advice: "remove one of them")
  }

  /// The names of the nodes that do not lead to the output: nothing pulls them.
  package func idleNodes() throws(BenchError) -> [String] {
    let rendered = Set(try renderOrder())
    return nodes.indices.filter { !rendered.contains($0) }.map { nodes[$0].name }
  }

  /// The longest chain of nodes that a graph may have: each pulls the next from inside its own call.
  package static let maximumDepth = 2000

  /// Throws `.graph` where a chain of nodes is longer than ``maximumDepth``.
  /// - Parameter order: sources first.
  package func checkDepth(_ order: [Int]) throws(BenchError) {
    var depth = [Int](repeating: 0, count: nodes.count)
    for node in order {
      depth[node] = 1 + (inputs(of: node).map { depth[$0.source] }.max() ?? 0)
      guard depth[node] > Self.maximumDepth else { continue }
      throw BenchError(
        .graph, at: "node \"\(nodes[node].name)\"",
        "more than \(Self.maximumDepth) nodes follow one another up to here",
        advice: "render the first part into a file, and play that")
    }
  }

  /// Sets the formats of every unit in `order`: an input has its source's, an output the requested one or the one that
  /// follows from the inputs. Units that are initialized keep theirs, which must fit.
  /// - Throws: `.graph`, naming node, bus, what was expected and what was there.
  package func propagateFormats(_ order: [Int]) throws(BenchError) {
    for index in order {
      let node = nodes[index]
      let place = "node \"\(node.name)\""
      for connection in inputs(of: index) {
        try propagate(connection, into: node)
      }
      guard !node.unit.isInitialized else { continue }
      if node.unit.hasHardwareOutputs {
        guard node.wantedFormat == WantedFormat() else {
          throw BenchError(
            .graph, at: place, "its output has the format of its hardware",
            advice: "leave \"format\" out; the scenario's device says rate and channels")
        }
        continue
      }
      var wanted = node.wantedFormat.applied(to: node.unit.naturalOutputFormat(graphRate: sampleRate))
      for bus in 0..<node.unit.elementCount(.output) {
        wanted = node.wantedFormat.applied(to: node.unit.naturalOutputFormat(ofOutput: bus, graphRate: sampleRate))
        do {
          try node.unit.setStreamFormat(wanted, .output, element: bus)
        } catch {
          throw BenchError(
            .graph, at: "\(place), output bus \(bus)",
            "the unit cannot put out \(wanted): \(error)"
              + (error == .formatNotSupported
                ? "; expected \(node.unit.expectation(insteadOf: wanted, .output, element: bus))" : ""),
            advice: "leave \"format\" out, or put a formatConverter behind it")
        }
        let asked = node.wantedFormat.layout.flatMap { $0.channelCount == wanted.channelCount ? $0 : nil }
        node.unit.setLayout(asked, .output, element: bus)
        if asked == nil, node.unit.outputs.indices.contains(bus) {
          node.unit.outputs[bus].layout = node.unit.naturalOutputLayout(ofOutput: bus)
        }
      }
      let input = try? node.unit.streamFormat(.input)
      if let input, node.unit.refuses(wanted, behind: input) {
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
    do {
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
    let outputs = source.unit.outputs
    let layout = outputs.indices.contains(connection.sourceBus) ? outputs[connection.sourceBus].layout : nil
    node.unit.setLayout(layout, .input, element: connection.destinationBus)
    do {
      try node.unit.connectInput(connection.destinationBus, format: format)
    } catch {
      let taken = (node.unit as? any FormatExplainingUnit)?.inputInWords ?? "Float32, one buffer per channel"
      throw BenchError(
        .graph, at: place,
        "the unit does not take \(format) from \"\(source.name)\", but "
          + "\(node.unit.expectation(insteadOf: format, .input, element: connection.destinationBus)): \(error)",
        advice: "it takes \(taken); put a formatConverter in front of it")
    }
  }
}

extension Unit {
  /// True for effects whose output 0 is to have another format than input 0; other numbers of channels may stand in their list.
  fileprivate func refuses(_ output: StreamFormat, behind input: StreamFormat) -> Bool {
    let type = component.description.type
    guard type == .effect || type == .offlineEffect, output != input else { return false }
    var other = input
    other.channelCount = output.channelCount
    let isListed = channelCapabilities.contains {
      $0 != .equal && ($0.inputChannels < 0 || $0.inputChannels == input.channelCount)
        && ($0.outputChannels < 0 || $0.outputChannels == output.channelCount)
    }
    return other != output || !isListed
  }
}
