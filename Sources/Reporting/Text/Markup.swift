import AudioCore
import Verification

/// A piece of an HTML document. A text put into one is escaped by its type: only another piece goes in as it is.
struct Markup: ExpressibleByStringInterpolation {
  var html: String

  init(stringLiteral value: String) { html = value }
  init(stringInterpolation: StringInterpolation) { html = stringInterpolation.html }
  /// Markup that this program made itself.
  init(trusted html: String) { self.html = html }

  struct StringInterpolation: StringInterpolationProtocol {
    var html = ""
    init(literalCapacity: Int, interpolationCount: Int) { html.reserveCapacity(literalCapacity * 2) }
    mutating func appendLiteral(_ literal: String) { html += literal }
    mutating func appendInterpolation(_ text: String) { html += Markup.escape(text) }
    mutating func appendInterpolation(_ number: Int) { html += "\(number)" }
    mutating func appendInterpolation(_ markup: Markup) { html += markup.html }
    mutating func appendInterpolation(_ pieces: [Markup]) { for piece in pieces { html += piece.html } }
    /// Nothing for nil.
    mutating func appendInterpolation(_ markup: Markup?) { if let markup { html += markup.html } }
  }

  static func += (left: inout Markup, right: Markup) { left.html += right.html }

  /// For text and for attributes in double quotes.
  static func escape(_ text: String) -> String {
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
}
