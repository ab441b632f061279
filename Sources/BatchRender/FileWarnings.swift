import AudioCore
import SoundFile

// What a user must know of an output that was made: never silent, not even with `--quiet`.

extension RenderReport {
  package var warnings: [String] { file.map { warnings(at: $0.path) } ?? [] }

  /// - Parameter path: of the output, also where what was rendered is not in the file yet.
  package func warnings(at path: String) -> [String] {
    var warnings =
      (file?.clippingWarning(channelCount: channelCount) ?? []) + taps.flatMap { $0.clippingWarning() }
    if hasNonFiniteSamples {
      warnings.append(
        "\(path): infinities or not-a-numbers came out of the graph; look for a gain or feedback that runs away")
    }
    warnings += clippingNodes.map {
      "node \"\($0.name)\": \(NumberText.count($0.samples, "sample")) clipped to the range of its format"
    }
    warnings += idleNodes.map(Self.idleWarning)
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
  package var warnings: [String] { written?.clippingWarning(channelCount: channelCount) ?? [] }
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
