/// Numbers as people write them on a command line, and as texts in graph files, with a unit or without: `48k`, `3kHz`,
/// `-3dB`, `250ms`, `1:30`. The one reader of them.
///
/// A number without a unit is in the unit that is expected. Units may be in capitals or not, but for MHz, and one blank
/// may stand in front.
package enum Quantity {
  /// The kind of number.
  package enum Kind: Sendable {
    /// A number without a unit.
    case plain
    /// Hertz.
    case frequency
    /// Decibels, also those of a level against full scale.
    case level
    /// LUFS.
    case loudness
    /// Seconds.
    case time
    /// A factor of amplitude; decibels too.
    case gain
    case octaves
    case cents
    /// Parts per million.
    case drift
    /// Hundredths.
    case percent
    case degrees
    /// A length.
    case metres
    case milliseconds
    /// 0 or 1.
    case onOff
    /// Bytes; units are powers of 1024.
    case memory
    /// Kilobits per second.
    case bitRate
    /// Decibels between two things: of no level.
    case decibels
    /// dBTP.
    case truePeak
    /// Loudness units between two sounds.
    case loudnessDifference
  }

  /// Why a text is no such number; empty where there is nothing to add to that it is none.
  package struct Problem: Error {
    package let text: String
  }

  /// A finite number in the unit of `kind`.
  package static func value(_ text: String, _ kind: Kind) throws(Problem) -> Double {
    let text = text.replacing("\u{2212}", with: "-")
    if let number = Double(text) {
      guard number.isFinite else { throw Problem(text: "") }
      return number
    }
    if text.utf8.contains(UInt8(ascii: ":")), let seconds = try clock(text) {
      guard kind == .time else { throw Problem(text: "a time is not what is expected; \(kind.expectation)") }
      return seconds
    }
    if kind == .onOff, let value = words[text.lowercased()] { return value }
    let number = text.utf8.prefix(numberLength(text))
    guard !number.isEmpty else { throw Problem(text: "") }
    let digits = String(Substring(number))
    var unit = String(Substring(text.utf8.dropFirst(number.count)))
    if unit.first == " " { unit.removeFirst() }
    guard let scale = kind.scale(of: unit) else { throw Problem(text: kind.complaint(about: unit)) }
    let answer: Double? =
      switch scale {
      // By the decimal exponent, so that 44.1k is 44100 and no neighbour of it.
      case .power(let exponent) where !digits.lowercased().contains("e"): Double("\(digits)e\(exponent)")
      case .power(let exponent): Double("\(digits)").flatMap { number in Double("1e\(exponent)").map { number * $0 } }
      case .factor(let factor): Double(digits).map { $0 * factor }
      case .decibels: Double(digits).map(Decibels.amplitude)
      }
    guard let answer, answer.isFinite else { throw Problem(text: "") }
    return answer
  }

  /// True when a text begins as numbers do: no name does.
  package static func beginsAsNumber(_ text: String) -> Bool {
    numberLength(text.replacing("\u{2212}", with: "-")) > 0
  }

  private static let words = ["on": 1.0, "off": 0, "true": 1, "false": 0, "yes": 1, "no": 0]

  /// The length of a decimal number at the beginning, bytes.
  private static func numberLength(_ text: String) -> Int {
    let bytes = Array(text.utf8)
    func digits(_ start: Int) -> Int { bytes[start...].prefix { (0x30...0x39).contains($0) }.count }
    func isSign(_ index: Int) -> Bool { index < bytes.count && (bytes[index] == 0x2B || bytes[index] == 0x2D) }
    var end = isSign(0) ? 1 : 0
    var count = digits(end)
    end += count
    if end < bytes.count, bytes[end] == UInt8(ascii: ".") {
      let behind = digits(end + 1)
      count += behind
      end += 1 + behind
    }
    guard count > 0 else { return 0 }
    if end < bytes.count, bytes[end] | 0x20 == UInt8(ascii: "e") {
      let start = end + (isSign(end + 1) ? 2 : 1)
      if start <= bytes.count, digits(start) > 0 { end = start + digits(start) }
    }
    return end
  }

  /// Seconds of `1:30`, `0:00.250`, `1:02:03.5`; nil for what is not written so.
  private static func clock(_ text: String) throws(Problem) -> Double? {
    let isNegative = text.hasPrefix("-")
    let parts = text.dropFirst(isNegative || text.hasPrefix("+") ? 1 : 0)
      .split(separator: ":", omittingEmptySubsequences: false)
    guard (2...3).contains(parts.count), let seconds = Double(parts[parts.count - 1]),
      parts.dropLast().allSatisfy({ !$0.isEmpty && $0.utf8.allSatisfy { (0x30...0x39).contains($0) } }),
      parts[parts.count - 1].utf8.allSatisfy({ (0x30...0x39).contains($0) || $0 == UInt8(ascii: ".") })
    else { return nil }
    let whole = parts.dropLast().compactMap { Double($0) }
    guard seconds < 60, whole.dropFirst().allSatisfy({ $0 < 60 }) else {
      throw Problem(text: "behind a colon stand 0 to 59, as 1:30 or 1:02:03.5")
    }
    let value = whole.reduce(0) { ($0 + $1) * 60 } + seconds
    guard value.isFinite else { throw Problem(text: "") }
    return isNegative ? -value : value
  }
}

extension Quantity.Kind {
  fileprivate enum Scale {
    case power(Int)
    case factor(Double)
    case decibels
  }

  fileprivate func scale(of unit: String) -> Scale? {
    let small = unit.lowercased()
    return switch (self, small) {
    case (.frequency, "hz"): .power(0)
    case (.frequency, "k"), (.frequency, "khz"): .power(3)
    case (.frequency, "mhz"): unit.hasPrefix("M") ? .power(6) : nil
    case (.decibels, "db"), (.level, "db"), (.level, "dbfs"), (.truePeak, "db"), (.truePeak, "dbtp"): .power(0)
    case (.loudness, "lufs"), (.loudness, "lkfs"), (.loudnessDifference, "lu"): .power(0)
    case (.bitRate, "k"), (.bitRate, "kbps"), (.bitRate, "kbit/s"), (.bitRate, "kb/s"): .power(0)
    case (.gain, "db"): .decibels
    case (.time, "s"), (.time, "sec"): .power(0)
    case (.time, "ms"): .power(-3)
    case (.time, "us"), (.time, "\u{B5}s"), (.time, "\u{3BC}s"): .power(-6)
    case (.time, "min"): .factor(60)
    case (.time, "h"): .factor(3600)
    case (.octaves, "oct"), (.octaves, "octave"), (.octaves, "octaves"): .power(0)
    case (.cents, "ct"), (.cents, "cent"), (.cents, "cents"): .power(0)
    case (.drift, "ppm"): .power(0)
    case (.percent, "%"), (.metres, "m"), (.milliseconds, "ms"): .power(0)
    case (.degrees, "\u{B0}"), (.degrees, "deg"), (.degrees, "degrees"): .power(0)
    case (.metres, "cm"): .power(-2)
    case (.metres, "km"), (.milliseconds, "s"): .power(3)
    case (.milliseconds, "us"), (.milliseconds, "\u{B5}s"), (.milliseconds, "\u{3BC}s"): .power(-3)
    case (.memory, "b"): .power(0)
    case (.memory, "k"), (.memory, "kb"), (.memory, "kib"): .factor(0x1p10)
    case (.memory, "m"), (.memory, "mb"), (.memory, "mib"): .factor(0x1p20)
    case (.memory, "g"), (.memory, "gb"), (.memory, "gib"): .factor(0x1p30)
    case (.memory, "t"), (.memory, "tb"), (.memory, "tib"): .factor(0x1p40)
    default: nil
    }
  }

  /// The notation that is expected, with examples.
  package var expectation: String {
    switch self {
    case .plain: "expected a number without a unit"
    case .frequency: "expected hertz: 3000, 3000Hz, 3k or 3kHz"
    case .level: "expected decibels: -3, -3dB or -3dBFS"
    case .decibels: "expected decibels: -3 or -3dB"
    case .truePeak: "expected a true peak: -1, -1dB or -1dBTP"
    case .loudness: "expected a loudness: -16, -16LUFS or -16LKFS"
    case .loudnessDifference: "expected loudness units: 0.5 or 0.5LU"
    case .time: "expected a time: 90, 90s, 250ms, 1.5min, 2h or 1:30"
    case .gain: "expected a factor, or decibels: 0.5 or -6dB"
    case .octaves: "expected octaves: 0.5 or 0.5oct"
    case .cents: "expected cents: 50 or 50ct"
    case .drift: "expected parts per million: 20 or 20ppm"
    case .percent: "expected per cent: 50 or 50%"
    case .degrees: "expected degrees: 90, 90deg or 90\u{B0}"
    case .metres: "expected metres: 2, 2m or 150cm"
    case .milliseconds: "expected milliseconds: 8, 8ms or 0.008s"
    case .onOff: "expected 0 or 1, on or off"
    case .memory: "expected a size of memory: 4G, 512M or 1.5GiB"
    case .bitRate: "expected kilobits per second: 192, 192k or 192kbps"
    }
  }

  fileprivate func complaint(about unit: String) -> String {
    if self == .time && unit.lowercased() == "m" { return "m may be minutes or milliseconds; write min or ms" }
    if unit.hasPrefix(",") { return "decimals stand behind a point; \(expectation)" }
    return "\"\(unit)\" is not its unit; \(expectation)"
  }
}
