/// Numbers as people read them.
package enum NumberText {
  /// "1 case", "212 cases".
  package static func count(_ number: some BinaryInteger, _ noun: String) -> String {
    count("\(number)", noun)
  }

  /// The count for a number that is written already: "1 frame", "0.25 frames", "1 or 2 channels", "3 processes".
  package static func count(_ text: String, _ noun: String) -> String {
    guard text != "1" else { return "\(text) \(noun)" }
    let plural =
      noun.hasSuffix("s") || noun.hasSuffix("x")
      ? noun + "es" : noun.hasSuffix("cy") ? noun.dropLast() + "ies" : noun + "s"
    return "\(text) \(plural)"
  }

  /// With a verb: "1 sample is", "3 samples are".
  package static func count(
    _ number: some BinaryInteger, _ noun: String, _ one: String, _ several: String
  ) -> String { "\(count(number, noun)) \(number == 1 ? one : several)" }

  /// Without zeros at the end of a fraction.
  package static func withoutZeros(_ text: String) -> String {
    guard text.contains(".") else { return text }
    var text = Substring(text)
    while text.last == "0" { text.removeLast() }
    if text.last == "." { text.removeLast() }
    return String(text)
  }

  /// With so many digits behind the point.
  package static func fixed(_ value: Double, _ digits: Int) -> String {
    guard value.isFinite else { return value.isNaN ? "nan" : value < 0 ? "-inf" : "inf" }
    var scale = 1.0
    for _ in 0..<digits { scale *= 10 }
    let scaled = (abs(value) * scale).rounded()
    guard scaled < 1e18 else { return "\(value)" }
    let whole = String(Int64(clamping: scaled / scale))
    let sign = value < 0 && scaled > 0 ? "-" : ""
    guard digits > 0 else { return sign + whole }
    return "\(sign)\(whole).\(padded(Int64(clamping: scaled) % Int64(clamping: scale), digits))"
  }

  /// Without a fraction that is zero: 48000, 0.25, 22050.5.
  package static func short(_ value: Double) -> String {
    value == value.rounded() && abs(value) < 1e15 ? String(Int64(clamping: value)) : "\(value)"
  }

  package static func short(_ value: Float) -> String {
    value == value.rounded() && abs(value) < 1e9 ? String(Int64(clamping: value)) : "\(value)"
  }

  /// Three figures: 0.42, 7.31, 103.
  package static func factor(_ value: Double) -> String { fixed(value, value < 10 ? 2 : value < 100 ? 1 : 0) }

  /// 0:41.000, 1:02:03.500; an ellipsis for what is none, or longer than 30 000 years.
  package static func clockTime(_ seconds: Double) -> String {
    guard (0..<longestSeconds).contains(seconds) else { return "…" }
    let milliseconds = Int64(clamping: (seconds * 1000).rounded())
    return clock(milliseconds / 1000) + "." + padded(milliseconds % 1000, 3)
  }

  /// 0:41, 1:02:03; an ellipsis as in ``clockTime(_:)``.
  package static func clock(_ seconds: Double) -> String {
    (0..<longestSeconds).contains(seconds) ? clock(Int64(clamping: seconds)) : "…"
  }

  private static let longestSeconds = 1e12

  private static func clock(_ seconds: Int64) -> String {
    let (hours, minutes) = (seconds / 3600, seconds / 60 % 60)
    return (hours > 0 ? "\(hours):\(padded(minutes, 2))" : "\(minutes)") + ":" + padded(seconds % 60, 2)
  }

  /// A number of bytes: `512 bytes`, `640 KiB`, `22.4 GiB`.
  package static func bytes(_ count: some BinaryInteger) -> String {
    var value = Double(count)
    var unit = "bytes"
    for next in ["KiB", "MiB", "GiB", "TiB", "PiB", "EiB"] where value >= 1024 {
      value /= 1024
      unit = next
    }
    let tenths = (value * 10).rounded() / 10
    return "\(short(unit == "bytes" || tenths >= 100 ? value.rounded() : tenths)) \(unit)"
  }

  private static func padded(_ number: Int64, _ digits: Int) -> String { padded(String(number), digits) }

  /// With zeros in front, as many as make so many digits.
  package static func padded(_ number: String, _ digits: Int) -> String {
    String(repeating: "0", count: max(0, digits - number.count)) + number
  }
}
