import AudioCore

/// A piece of an HTML or SVG document. A text put into one is escaped by its type: only another piece goes in as it is.
package struct Markup: ExpressibleByStringInterpolation {
  package var text: String

  package init(stringLiteral value: String) { text = value }
  package init(stringInterpolation: StringInterpolation) { text = stringInterpolation.text }
  /// Markup that this program made itself.
  package init(trusted text: String) { self.text = text }

  package struct StringInterpolation: StringInterpolationProtocol {
    var text = ""
    package init(literalCapacity: Int, interpolationCount: Int) { text.reserveCapacity(literalCapacity * 2) }
    package mutating func appendLiteral(_ literal: String) { text += literal }
    package mutating func appendInterpolation(_ text: String) { self.text += Markup.escape(text) }
    package mutating func appendInterpolation(_ number: Int) { text += "\(number)" }
    /// Pixels, to a hundredth.
    package mutating func appendInterpolation(_ pixels: Double) { text += Markup.coordinate(pixels) }
    package mutating func appendInterpolation(_ markup: Markup) { text += markup.text }
    package mutating func appendInterpolation(_ pieces: [Markup]) { for piece in pieces { text += piece.text } }
    /// Nothing for nil.
    package mutating func appendInterpolation(_ markup: Markup?) { if let markup { text += markup.text } }
  }

  package static func += (left: inout Markup, right: Markup) { left.text += right.text }
  package static func + (left: Markup, right: Markup) -> Markup { Markup(trusted: left.text + right.text) }

  /// For text and for attributes in double quotes.
  package static func escape(_ text: String) -> String {
    let visible = VisibleText.of(text)
    var bytes: [UInt8] = []
    bytes.reserveCapacity(visible.utf8.count)
    for byte in visible.utf8 {
      switch byte {
      case UInt8(ascii: "&"): bytes.append(contentsOf: "&amp;".utf8)
      case UInt8(ascii: "<"): bytes.append(contentsOf: "&lt;".utf8)
      case UInt8(ascii: ">"): bytes.append(contentsOf: "&gt;".utf8)
      case UInt8(ascii: "\""): bytes.append(contentsOf: "&quot;".utf8)
      case UInt8(ascii: "'"): bytes.append(contentsOf: "&#39;".utf8)
      default: bytes.append(byte)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// A number of pixels with no more digits than show.
  static func coordinate(_ value: Double) -> String {
    let hundredths = value.isFinite ? Int(clamping: (value.clamped(to: -1e6...1e6) * 100).rounded()) : 0
    let (whole, rest) = abs(hundredths).quotientAndRemainder(dividingBy: 100)
    let sign = hundredths < 0 ? "-" : ""
    if rest == 0 { return "\(sign)\(whole)" }
    if rest % 10 == 0 { return "\(sign)\(whole).\(rest / 10)" }
    return "\(sign)\(whole).\(rest < 10 ? "0" : "")\(rest)"
  }
}
