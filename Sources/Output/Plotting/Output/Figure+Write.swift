import AudioCore
import FoundationEssentials
import Glibc

extension Figure {
  /// The picture's bytes: the same for the same figure; PNG and PDF for the same librsvg and fonts.
  /// - Throws: `.output` for PNG or PDF if librsvg's program is missing or fails.
  public func rendered(as format: PictureFormat) throws(BenchError) -> Data {
    let svg = SVGFigure(self).document
    return format == .svg ? svg : try PictureConverter().picture(svg, as: format)
  }

  /// Writes the picture, and its data beside it: `name.svg`, `name.tsv`, `name.json`. Each file appears whole or not at
  /// all.
  /// - Parameter path: its extension says the format: svg, png or pdf.
  /// - Throws: `.usage` for another extension, `.output` where a picture cannot be made or a file cannot be written, or
  ///   where a file that is no data of a picture has the data's name.
  public func write(to path: String, withData: Bool = true) throws(BenchError) {
    try write(to: path, withData: withData, in: nil)
  }

  /// - Parameter outputs: the files whose names are given at commit; nil: they get them at once.
  package func write(to path: String, withData: Bool = true, in outputs: OutputFiles?) throws(BenchError) {
    try Figure.check(path: path, withData: withData)
    let picture = try rendered(as: PictureFormat(path: path))
    if withData {
      let names = Figure.dataPaths(beside: path)
      try AtomicFile.write(tabSeparatedValues, to: names.tsv, in: outputs)
      try AtomicFile.write(Array(try json()), to: names.json, in: outputs)
    }
    try AtomicFile.write(Array(picture), to: path, in: outputs)
  }

  /// Checks that ``write(to:withData:)`` could write there: call before long work.
  public static func check(path: String, withData: Bool = true) throws(BenchError) {
    _ = try PictureFormat(path: path)
    try AtomicFile.check(path)
    if withData { try checkData(dataPaths(beside: path)) }
  }

  /// - Parameter outputs: the program's outputs, so that the data is not written over one of its inputs.
  package static func check(path: String, withData: Bool, in outputs: OutputFiles) throws(BenchError) {
    if withData {
      let data = dataPaths(beside: path)
      for path in [data.tsv, data.json] { try outputs.check(path) }
    }
    try check(path: path, withData: withData)
  }

  /// `out/response.svg`: `out/response.tsv`, `out/response.json`.
  public static func dataPaths(beside path: String) -> (tsv: String, json: String) {
    let stem = FileName.stem(of: path)
    return ("\(stem).tsv", "\(stem).json")
  }

  /// A picture of a graph is likely named as the graph is: `peak.json` must not be overwritten by the data of
  /// `peak.svg`.
  private static func checkData(_ names: (tsv: String, json: String)) throws(BenchError) {
    try AtomicFile.check(names.tsv)
    try AtomicFile.check(names.json)
    let isOurs = startsAsData(names.json)
    for name in [names.json, names.tsv] where FileSystem.exists(name) && !isOurs {
      throw BenchError(
        .output, at: name, "the picture's data would be written here, and this file is something else",
        advice: "give the picture another name, or move the file away")
    }
  }

  private static func startsAsData(_ path: String) -> Bool {
    let descriptor = FileSystem.open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: 64)
    let count = max(0, read(descriptor, &bytes, bytes.count))
    return String(decoding: bytes[..<count], as: UTF8.self).contains("\"\(Figure.dataMark)\"")
  }
}
