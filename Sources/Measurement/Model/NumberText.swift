import Foundation

/// Numbers as people read them.
package enum NumberText {
  /// A number with `digits` places at most, none of them an empty zero; the minus is a real one.
  package static func decimal(_ value: Double, digits: Int) -> String {
    guard value.isFinite else { return value.isNaN ? "NaN" : value < 0 ? "−∞" : "∞" }
    var text = String(format: "%.\(digits)f", locale: nil, abs(value))
    if text.contains(".") {
      while text.last == "0" { text.removeLast() }
      if text.last == "." { text.removeLast() }
    }
    return value < 0 && text != "0" ? "−" + text : text
  }

  /// A number with about `digits` significant ones.
  package static func significant(_ value: Double, digits: Int = 5) -> String {
    guard value.isFinite, value != 0 else { return decimal(value, digits: 0) }
    let exponent = Int(log10(abs(value)).rounded(.down))
    if exponent < -6 || exponent > 9 {
      let text = String(format: "%.\(max(0, digits - 1))e", locale: nil, abs(value))
      return (value < 0 ? "−" : "") + text
    }
    return decimal(value, digits: max(0, digits - 1 - exponent))
  }
}
