import AudioCore

/// The kinds of picture that can be written.
public enum PictureFormat: String, Hashable, Sendable, CaseIterable {
  /// Scalable Vector Graphics.
  case svg
  /// Portable Network Graphics: pixels.
  case png
  /// Portable Document Format, of one page.
  case pdf

  /// By the extension of a path.
  /// - Throws: `.usage` where it is none of these.
  public init(path: String) throws(BenchError) {
    let ending = FileName.fileExtension(of: path) ?? ""
    guard let format = PictureFormat(rawValue: ending.lowercased()) else {
      throw BenchError(
        .usage, at: path,
        ending.isEmpty ? "the name says no kind of picture" : "no picture can be written as .\(ending)",
        advice: "end the name with .svg, .png or .pdf")
    }
    self = format
  }

  /// True when the bytes begin as such a file does.
  package func isBegunBy(_ bytes: some Sequence<UInt8>) -> Bool {
    let start: String =
      switch self {
      case .svg: "<?xml"
      case .png: "\u{89}PNG"
      case .pdf: "%PDF-"
      }
    return bytes.starts(with: start.unicodeScalars.map { UInt8($0.value) })
  }
}
