import AudioCore
import AudioEngine
import BuiltInUnits
import SoundFile

/// The key `sampleRate` of a graph: hertz, or `"input"`.
enum GraphSampleRate {
  /// The value for the rate of the file that the first file player plays.
  static let ofInput = "input"

  /// - Parameter nodes: as they are written.
  /// - Throws: `.graph` where there is no player whose rate it could be, `.input` for its file.
  static func take(
    from top: inout JSONObject, nodes: [JSONValue], folder: String, options: GraphFile.Options
  ) throws(BenchError) -> Double? {
    guard case .string(let text) = top.peek("sampleRate"), !Quantity.beginsAsNumber(text) else {
      return try SampleRateKey.take(from: &top)
    }
    guard text == ofInput else {
      throw top.error("sampleRate", "\"\(excerpt(text))\" is no rate", advice: "write hertz, or \"\(ofInput)\"")
    }
    _ = top.take("sampleRate")
    // An option's rate goes before the graph's, whatever that is.
    if let given = options.sampleRate { return given }
    for node in nodes {
      guard case .string(let unit) = node["unit"], case .string(let id) = node["id"],
        options.registry.named(unit)?.description == FilePlayer.component.description
      else { continue }
      var path = options.inputs[id]
      if path == nil, case .string(let file) = node["file"] { path = FileName.path(file, in: folder) }
      // Without a file its node will complain.
      guard let path else { return nil }
      do throws(BenchError) {
        return try SoundFileReader(path: path).info.sampleRate
      } catch {
        throw error.inside("node \"\(excerpt(id))\"")
      }
    }
    throw top.error(
      "sampleRate", "no file is played whose rate it could be", advice: "write hertz, or add a filePlayer")
  }
}
