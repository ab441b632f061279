import AudioCore

extension GraphDescription {
  /// For a person to read.
  package var text: String {
    var text =
      "\(VisibleText.name(path)): \(NumberText.count(nodes.count, "node")), \(NumberText.short(sampleRate)) Hz, slices of up to "
      + "\(NumberText.count(maximumFramesPerSlice, "frame"))\n"
    if smoothingFrames > 0 {
      text += "parameters that are set anew move over \(NumberText.count(smoothingFrames, "frame"))\n"
    }
    text += "\nNodes, in the order of rendering:\n"
    text += TextLayout.columns(
      [["node", "unit", "puts out", "latency", "tail", ""]] + nodes.filter(\.isRendered).map(\.row), indent: "  ")
    for node in nodes where !node.isRendered {
      let name = "\(VisibleText.name(node.name)) (\(node.unit.component.shortName))"
      text += "  \(name) does not lead to the output and is not rendered\n"
    }
    let files = nodes.flatMap { node in
      node.source.map { source in [[node.name, source.line]] + source.extras.lines.map { ["", $0] } } ?? []
    }
    if !files.isEmpty { text += "\nFiles:\n" + TextLayout.columns(files, indent: "  ") }
    text += "\nConnections:\n" + TextLayout.columns(connections.map(\.row), indent: "  ")
    return text + "\nLength:\n" + TextLayout.columns(lengthRows, indent: "  ")
  }

  private var lengthRows: [[String]] {
    let rate = output.sampleRate
    func frames(_ count: Int64) -> String {
      "\(NumberText.clockTime(Double(count) / rate)) (\(NumberText.count(count, "frame")))"
    }
    return [
      [
        "sources end",
        end.sources.map(frames)
          ?? (isScripted ? "never: its scenario has no end" : "never: a source has no end, or as good as none"),
      ],
      ["latency", frames(end.latencyFrames)],
      [
        "tail",
        "\(frames(end.tailFrames)), "
          + (end.longTails.isEmpty
            ? "until it has decayed by 120 dB"
            : "and cut there: \(end.longTails.joined(separator: ", ")) may ring longer than a minute"),
      ],
      [
        "a render",
        (renderFrames.map(frames)
          ?? (isScripted ? "needs --seconds or --frames" : "needs --seconds, --frames or --until-silent"))
          + ", \(output.shortText)",
      ],
    ]
  }
}

extension GraphDescription.Node {
  fileprivate var row: [String] {
    var remarks: [String] = []
    if let preset { remarks.append("preset \(preset)") }
    if let bands { remarks.append(NumberText.count(bands, "band")) }
    if converts, let input { remarks.append("converts from \(input.shortText)") }
    return [
      name, unit.component.shortName,
      (output?.shortText ?? "") + (layout.flatMap(\.shown).map { ", \($0)" } ?? ""),
      latencyFrames.map { "\($0)" } ?? "",
      tailFrames.map { "\($0)" } ?? "-", remarks.joined(separator: ", "),
    ]
  }
}

extension GraphDescription.Source {
  fileprivate var line: String {
    var parts = ["\(file.path): \(file.encodingName)"]
    parts.append(
      region == 0..<file.frameCount
        ? "\(NumberText.count(file.frameCount, "frame"))"
        : "frames \(region.lowerBound) to \(region.upperBound) of \(file.frameCount)")
    parts.append("\(NumberText.short(file.sampleRate)) Hz")
    if let convertedRate {
      parts.append("converted to \(NumberText.short(convertedRate)) Hz (\(player.quality.rawValue))")
    }
    if player.startFrame > 0 { parts.append("from frame \(player.startFrame) on") }
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
      (format?.shortText ?? "not rendered")
        + (convertedFormat.map { ", converted to \($0.shortText) in front of the input" } ?? ""),
    ]
  }
}

extension StreamFormat {
  /// Planar Float32 goes without saying.
  var shortText: String {
    isFloatPlanar ? "\(NumberText.short(sampleRate)) Hz, \(channelCount) ch" : "\(self)"
  }
}
