import AudioCore
import BatchRender
import SoundFile

// Sound files that were read and written, for programs.

extension SoundFileInfo: JSONRepresentable {
  package var json: JSONValue {
    JSONValue([
      "path": path, "frames": frameCount, "sampleRateHertz": sampleRate, "channels": channelCount,
      "layout": layout.flatMap(\.shown), "container": container?.rawValue, "encoding": encoding?.rawValue,
      "remarks": remarks.isEmpty ? nil : remarks,
    ])
  }
}

extension SoundFileWriteReport: JSONRepresentable {
  package var json: JSONValue {
    JSONValue([
      "path": path, "frames": frames, "bytes": bytes, "container": container.rawValue, "encoding": encoding.rawValue,
      "layout": layout.flatMap(\.shown), "layoutRemark": layoutRemark, "clippedSamples": clippedSamples,
    ])
  }

  fileprivate func json(sampleRate: Double, channelCount: Int) -> JSONValue {
    json.adding(["sampleRateHertz": sampleRate, "channels": channelCount])
  }
}

extension NonFiniteSamples: JSONRepresentable {
  /// Numbers, and where the first is.
  package var json: JSONValue {
    JSONValue([
      "notNumbers": notNumbers, "infinities": infinities, "firstFrame": firstFrame, "firstChannel": firstChannel,
    ])
  }
}

extension NonFiniteFile: JSONRepresentable {
  package var json: JSONValue {
    samples.json.adding(["path": path, "node": node, "became": policy == .keep ? "kept" : "silence"])
  }
}

extension RenderReport {
  /// The report of a render into a file.
  /// - Parameters:
  ///   - taps: the nodes that were listened to, as many as the report has files of them.
  ///   - threads: that rendered.
  package func json(taps names: [String], threads: Int) -> JSONValue {
    JSONValue([
      "file": file?.json(sampleRate: sampleRate, channelCount: channelCount), "elapsedSeconds": elapsedSeconds,
      "realtimeFactor": realtimeFactor, "peakDecibels": peakDecibels, "hasNonFiniteSamples": hasNonFiniteSamples,
      "nonFiniteSamples": hasNonFiniteSamples ? nonFiniteSamples.json.adding(["firstNode": firstNonFiniteNode]) : nil,
      "nonFiniteInputs": nonFiniteFiles.isEmpty ? nil : nonFiniteFiles,
      "inputRemarks": inputWarnings.isEmpty ? nil : inputWarnings,
      "reachedCap": reachedCap,
      "cutTail": cutTail.map { JSONValue(["nodes": $0.nodes, "levelDecibels": $0.levelDecibels]) }, "threads": threads,
      "taps": zip(names, taps).map { $1.json.adding(["node": $0]) }, "durationSeconds": durationSeconds,
      "droppedMetadata": file?.allDropped,
    ])
  }
}

extension FileConversion.Report {
  /// - Parameter threads: that converted.
  package func json(threads: Int) -> JSONValue {
    JSONValue([
      "input": input, "file": file.json(sampleRate: sampleRate, channelCount: channelCount),
      "elapsedSeconds": elapsedSeconds, "realtimeFactor": realtimeFactor, "peakDecibels": peakDecibels,
      "nonFiniteSamples": nonFiniteSamples.isEmpty ? nil : nonFiniteSamples,
      "nonFiniteInputs": nonFiniteFiles.isEmpty ? nil : nonFiniteFiles, "threads": threads,
      "durationSeconds": Double(file.frames) / sampleRate,
      "droppedMetadata": file.allDropped,
    ])
  }
}
