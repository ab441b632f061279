import AudioCore
import SoundFile

// The warnings about an output that was made: printed even with `--quiet`.

extension RenderReport {
  package var warnings: [String] { file.map { warnings(at: $0.path) } ?? [] }

  /// - Parameter path: the path of the output, even if the sound is not in the file yet.
  package func warnings(at path: String) -> [String] {
    var warnings =
      inputWarnings + (file?.clippingWarning(channelCount: channelCount) ?? [])
      + taps.flatMap { $0.clippingWarning() } + (file?.layoutWarning ?? []) + taps.flatMap(\.layoutWarning)
    warnings += nonFiniteFiles.map(\.warning)
    if !nonFiniteSamples.isEmpty {
      let node = firstNonFiniteNode.map { "; the first node that puts out such is \"\($0)\"" } ?? ""
      let advice = nonFiniteFiles.firstNode == nil ? ": look for a gain or feedback that runs away" : ""
      warnings.append(nonFiniteSamples.warning(at: path, file: file) + node + advice)
    }
    warnings += nonFiniteNodes.map {
      "node \"\($0.name)\": \(NumberText.count($0.samples, "sample")) that were NaN or infinite became integers: 0, or the end of the range"
    }
    warnings += clippingNodes.map {
      "node \"\($0.name)\": \(NumberText.count($0.samples, "sample")) clipped to the range of its format"
    }
    warnings += levelsNotSet.map { "node \"\($0.name)\": it leaves its sound at its level: \($0.reason)" }
    warnings += idleNodes.map(Self.idleWarning)
    if let cutTail {
      let nodes = cutTail.nodes.map { "\"\($0)\"" }.joined(separator: ", ")
      warnings.append(
        "\(path): its tail is cut, with up to \(NumberText.fixed(cutTail.levelDecibels, 1)) dBFS in its last 2 s: "
          + "a minute of one is rendered, and \(nodes) \(cutTail.nodes.count == 1 ? "rings" : "ring") longer; "
          + "--until-silent with --cap, or --seconds, renders more")
    }
    if reachedCap {
      warnings.append("\(path): the output had not become silent when the cap was reached; see --cap")
    }
    return warnings
  }

  package static func idleWarning(_ node: String) -> String {
    "node \"\(node)\" does not lead to the output and is not rendered"
  }
}

extension FileConversion.Report {
  package var warnings: [String] { warnings(at: written?.path) }

  /// - Parameter path: the path of the output; nil if it has none to report.
  package func warnings(at path: String?) -> [String] {
    var warnings = input.warnings + tagRemarks.map { "\(input.path): \($0)" } + (written?.layoutWarning ?? [])
    warnings += written?.clippingWarning(channelCount: channelCount) ?? []
    warnings += nonFiniteFiles.map(\.warning)
    if let path, !nonFiniteSamples.isEmpty {
      let cause = nonFiniteFiles.contains { $0.policy == .keep } ? "" : "; they came of the conversion: lower the level"
      warnings.append(nonFiniteSamples.warning(at: path, file: written) + cause)
    }
    return warnings
  }
}

extension SoundFileWriteReport {
  /// - Parameter channelCount: nil where the share of the file is not told.
  package func clippingWarning(channelCount: Int? = nil) -> [String] {
    guard clippedSamples > 0 else { return [] }
    let share = channelCount.map { channels -> String in
      let part = Double(clippedSamples) / Double(max(1, frames * Int64(channels))) * 100
      return part < 0.01 ? " (less than 0.01 %)" : " (\(NumberText.fixed(part, 2)) %)"
    }
    let samples = NumberText.count(clippedSamples, "sample")
    return ["\(path): \(samples) clipped\(share ?? ""): lower the volume or use --encoding float32"]
  }
}

extension NonFiniteSamples {
  /// The warning about an output that has them.
  /// - Parameters:
  ///   - path: the path of the output.
  ///   - file: as it was written; nil: it is not in a file yet.
  package func warning(at path: String, file: SoundFileWriteReport?) -> String {
    let isInteger = file.map { !$0.encoding.isFloat } ?? false
    return "\(path): \(self)\(isInteger ? " (written as 0, or the end of the range)" : "")"
  }
}
