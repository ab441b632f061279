import AudioCore
import AudioEngine

extension Graph {
  /// Refuses or clamps values of parameters, and of their timelines, that are beyond the parameters' ranges, by the
  /// node's policy. Ranges may end at half the rate, so formats must be known.
  /// - Throws: `.graph`, naming node, parameter, value and range; `.usage` for a value that was set from outside.
  package func checkValues(_ order: [Int]) throws(BenchError) {
    for index in order {
      let node = nodes[index]
      guard node.rangePolicy != .keeps, !node.unit.isInitialized else { continue }
      let rate = (try? node.unit.streamFormat(.output).sampleRate) ?? sampleRate
      for (address, descriptor) in node.unit.allParameters where !descriptor.isReadOnly {
        let range = descriptor.acceptedRange(atSampleRate: rate)
        guard let value = node.unit.value(of: address, outside: range) else { continue }
        guard node.rangePolicy == .clamps else {
          // A timeline takes the place of what was set.
          let outside = node.unit.hasTimeline(address) ? nil : node.outsideSettings[address]
          let clamping = clampAdvice ?? (outside == nil ? "write \"clamp\": true in the node" : nil)
          throw BenchError(
            outside == nil ? .graph : .usage, at: outside ?? "node \"\(node.name)\"",
            "\(descriptor.name)\(Self.place(of: address)) is \(NumberText.short(value)), outside its range of "
              + "\(NumberText.short(range.lowerBound)) to \(NumberText.short(range.upperBound))\(descriptor.unit.symbol.isEmpty ? "" : " \(descriptor.unit.symbol)")",
            advice: "choose a value within it" + (clamping.map { ", or \($0) to have the nearest one taken" } ?? ""))
        }
        node.unit.clamp(address, to: range)
      }
    }
  }

  private static func place(of address: ParameterAddress) -> String {
    address.scope == .global ? "" : "@\(address.scope.name):\(address.element)"
  }
}
