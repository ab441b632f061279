import AudioCore
import Measurement
import Reporting

extension GraphDescription {
  /// For a person to read.
  var text: String {
    var text =
      "\(VisibleText.name(path)): \(NumberText.count(nodes.count, "node")), \(NumberText.short(sampleRateHertz)) Hz, slices of up to "
      + "\(maximumFramesPerSlice) frames\n"
    if smoothingFrames > 0 { text += "parameters that are set anew move over \(smoothingFrames) frames\n" }
    text += "\nNodes, in the order of rendering:\n"
    text += TextLayout.columns(
      [["node", "unit", "puts out", "latency", "tail", ""]] + nodes.filter(\.isRendered).map(\.row), indent: "  ")
    for node in nodes where !node.isRendered {
      text += "  \(VisibleText.name(node.id)) (\(node.unit)) does not lead to the output and is not rendered\n"
    }
    let players = nodes.compactMap { node in node.source.map { (node, $0) } }
    if !players.isEmpty {
      text += "\nFiles:\n"
      text += TextLayout.columns(players.map { [$0.id, $1.line(on: $0)] }, indent: "  ")
    }
    text += "\nConnections:\n" + TextLayout.columns(connections.map(\.row), indent: "  ")
    return text + "\nLength:\n" + TextLayout.columns(lengthRows, indent: "  ")
  }

  private var lengthRows: [[String]] {
    let rate = output.sampleRateHertz
    func frames(_ count: Int64) -> String { "\(NumberText.clockTime(Double(count) / rate)) (\(count) frames)" }
    return [
      ["sources end", sourcesEndFrame.map(frames) ?? "never: a source loops for ever, or as good as"],
      ["latency", frames(latencyFrames)],
      ["tail", "\(frames(tailFrames)), until it has decayed by 120 dB"],
      [
        "a render",
        (renderFrames.map(frames) ?? "needs --seconds, --frames or --until-silent") + ", \(output.description)",
      ],
    ]
  }
}

extension GraphDescription.Node {
  fileprivate var row: [String] {
    var remarks: [String] = []
    if let preset { remarks.append("preset \(preset)") }
    if let bands { remarks.append(NumberText.count(bands, "band")) }
    if converts, let inputFormat { remarks.append("converts from \(inputFormat.description)") }
    return [
      id, unit, outputFormat?.description ?? "", latencyFrames.map { "\($0)" } ?? "", tailFrames.map { "\($0)" } ?? "-",
      remarks.joined(separator: ", "),
    ]
  }
}

extension GraphDescription.Source {
  fileprivate func line(on node: GraphDescription.Node) -> String {
    var parts = ["\(path): \(encoding)"]
    let isWhole = regionStartFrame == 0 && regionFrames == fileFrames
    parts.append(
      isWhole
        ? "\(fileFrames) frames" : "frames \(regionStartFrame) to \(regionStartFrame + regionFrames) of \(fileFrames)")
    parts.append("\(NumberText.short(fileSampleRateHertz)) Hz")
    if let conversionQuality, let rate = node.outputFormat?.sampleRateHertz {
      parts.append("converted to \(NumberText.short(rate)) Hz (\(conversionQuality))")
    }
    if startFrame > 0 { parts.append("from frame \(startFrame) on") }
    if let passes { if passes > 1 { parts.append("\(passes) times") } } else { parts.append("for ever") }
    if let endFrame { parts.append("ends at frame \(endFrame)") }
    return parts.joined(separator: ", ")
  }
}

extension GraphDescription.Connection {
  fileprivate var row: [String] {
    let from = sourceBus == 0 ? source : "\(source):\(sourceBus)"
    let to = destinationBus == 0 ? destination : "\(destination):\(destinationBus)"
    return [
      "\(from) -> \(to)",
      (format?.description ?? "not rendered")
        + (convertedFormat.map { ", converted to \($0.description) in front of the input" } ?? ""),
    ]
  }
}
