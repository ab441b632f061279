import AudioCore
import FoundationEssentials

/// The kinds of picture that can be written.
public enum PictureFormat: String, Hashable, Sendable, CaseIterable {
  case svg
  case png
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

  /// The command that chooses gnuplot's output, of a size in CSS pixels.
  func terminal(width: Double, height: Double) -> String {
    let (w, h) = (Int(width), Int(height))
    switch self {
    case .svg:
      return
        "set terminal svg noenhanced size \(w),\(h) dynamic rounded dashlength 1.5 font 'DejaVu Sans,14' background '#FFFFFF'"
    case .png:
      return
        "set terminal pngcairo noenhanced rounded size \(2 * w),\(2 * h) font 'DejaVu Sans,14' fontscale 1.5 linewidth 2 dashlength 2.2 "
        + "pointscale 2 background '#FFFFFF'"
    case .pdf:
      return "set terminal pdfcairo noenhanced rounded size \(width / 96)in,\(height / 96)in font 'DejaVu Sans,14' "
        + "fontscale 0.5625 dashlength 2.2 background '#FFFFFF'"
    }
  }

  /// Whether bytes begin as such a file does.
  package func isBegunBy(_ bytes: Data) -> Bool {
    let start: String =
      switch self {
      case .svg: "<?xml"
      case .png: "\u{89}PNG"
      case .pdf: "%PDF-"
      }
    return bytes.starts(with: start.unicodeScalars.map { UInt8($0.value) })
  }

  /// Takes out what differs from run to run or says nothing of the figure.
  func tidied(_ bytes: Data, title: String) -> Data {
    switch self {
    case .png: return bytes
    case .svg:
      var text = String(decoding: bytes, as: UTF8.self)
      guard let start = text.firstRange(of: "<title>"), let end = text.firstRange(of: "</desc>") else { return bytes }
      text.replaceSubrange(start.lowerBound..<end.upperBound, with: "<title>\(Self.escaped(title))</title>")
      text.replace("font-family=\"DejaVu Sans:Bold\"", with: "font-family=\"DejaVu Sans\" font-weight=\"bold\"")
      // Where that font is not there, a viewer takes one of about the same width.
      text.replace("font-family=\"DejaVu Sans\"", with: "font-family=\"DejaVu Sans,Verdana,Arial,sans-serif\"")
      // The one sequence that XML forbids in texts and gnuplot leaves in them.
      return Data(
        text.utf8.split(separator: "]]>".utf8, omittingEmptySubsequences: false).joined(separator: "]]&gt;".utf8))
    case .pdf:
      // The one date in it, in its own length, for a PDF has tables of byte positions.
      var bytes = bytes
      let key = Data("/CreationDate (D:".utf8)
      guard let found = bytes.firstRange(of: key) else { return bytes }
      for (index, digit) in "20000101000000".utf8.enumerated() {
        let position = found.upperBound + index
        guard position < bytes.endIndex, (0x30...0x39).contains(bytes[position]) else { break }
        bytes[position] = digit
      }
      return bytes
    }
  }

  private static func escaped(_ text: String) -> String {
    var escaped = ""
    // By scalars: Swift sees a sign with an accent on it as another one.
    for scalar in GnuplotText.clean(text).unicodeScalars {
      switch scalar {
      case "&": escaped += "&amp;"
      case "<": escaped += "&lt;"
      case ">": escaped += "&gt;"
      default: escaped.unicodeScalars.append(scalar)
      }
    }
    return escaped
  }
}
