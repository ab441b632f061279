import AudioCore
/// A parameter's value as text, without its unit.
///
/// Apple publishes no rule; ours: as many decimals as leave the digits asked for in all, a leading 0 counted; digits
/// before the point are never cut off. Values of parameters that are indices or switches have no decimals. A decimal
/// point in every locale, no minus before a zero.
enum ParameterText {
  /// The longest text, so that it fits into the buffer of 32 bytes that callers have at least.
  static let longest = 31

  static func text(_ value: Double, digits: Int, isWhole: Bool) -> String {
    guard value.isFinite, value.magnitude < 0x1p53 else { return "\(value)" }
    let wanted = min(max(digits, 1), 15)
    var decimals = isWhole ? 0 : max(0, wanted - wholeDigits(value.magnitude))
    var scaled = (value.magnitude * power(decimals)).rounded()
    // 9.996 in three digits is 10.0.
    if decimals > 0, wholeDigits(scaled / power(decimals)) + decimals > wanted {
      decimals -= 1
      scaled = (value.magnitude * power(decimals)).rounded()
    }
    let figures = String(UInt64(clamping: scaled))
    let padded = String(repeating: "0", count: max(0, decimals + 1 - figures.count)) + figures
    let sign = value < 0 && scaled != 0 ? "-" : ""
    return sign + padded.dropLast(decimals) + (decimals > 0 ? "." + padded.suffix(decimals) : "")
  }

  private static func wholeDigits(_ value: Double) -> Int { String(UInt64(clamping: value)).count }
  private static func power(_ exponent: Int) -> Double { (0..<exponent).reduce(1) { product, _ in product * 10 } }
}
