/// About how wide texts are drawn, in pixels: a viewer's own font decides, so it is enough to leave room.
enum TextMetrics {
  static func width(_ text: some StringProtocol, size: Double) -> Double {
    text.unicodeScalars.reduce(0) { $0 + ems($1) } * size
  }

  /// As much of a text as there is room for; nil where that is next to nothing.
  static func fitting(_ text: String, _ room: Double, size: Double) -> String? {
    if width(text, size: size) <= room { return text }
    var cut = text
    while !cut.isEmpty, width(cut + "…", size: size) > room { cut.removeLast() }
    return cut.count > 2 ? cut + "…" : nil
  }

  private static func ems(_ scalar: Unicode.Scalar) -> Double {
    switch scalar.value {
    case 0x300..<0x370, 0x200B...0x200F: 0
    case 0x1100..<0x1160, 0x2E80..<0xD7A4, 0xF900..<0xFB00, 0xFE30..<0xFE50, 0xFF00..<0xFF61, 0x1F000..<0x20000,
      0x20000..<0x40000:
      1.25
    default:
      switch scalar {
      case "i", "j", "l", "I", ".", ",", ":", ";", "'", "|", " ", "!": 0.36
      case "m", "w", "M", "W", "@", "%": 0.97
      case "A"..."Z": 0.72
      default: 0.63
      }
    }
  }

  /// Broken into lines of at most `width` pixels at blanks, or anywhere in a long word; at most so many lines.
  static func wrapped(_ text: String, width limit: Double, size: Double, lines most: Int) -> [String] {
    var lines: [String] = []
    var line = ""
    for word in text.prefix(2000).split(separator: " ") {
      let longer = line.isEmpty ? String(word) : line + " " + word
      if width(longer, size: size) <= limit {
        line = longer
      } else {
        if !line.isEmpty { lines.append(line) }
        line = shortened(String(word), width: limit, size: size)
      }
    }
    if !line.isEmpty { lines.append(line) }
    guard lines.count > most else { return lines }
    return lines[..<(most - 1)] + [shortened(lines[most - 1] + "\u{2026}", width: limit, size: size)]
  }

  /// With an ellipsis in the middle where it is too long: the ends of file names tell them apart.
  static func shortened(_ text: String, width limit: Double, size: Double) -> String {
    guard width(text, size: size) > limit else { return text }
    // No picture is so wide that more of a text could show.
    let all = text.count > 600 ? Array(text.prefix(300)) + Array(text.suffix(300)) : Array(text)
    func cut(_ kept: Int) -> String {
      String(all.prefix(kept - kept / 2)) + "\u{2026}" + String(all.suffix(kept / 2))
    }
    let kept = (3..<max(4, all.count)).last { width(cut($0), size: size) <= limit } ?? 2
    return cut(min(kept, all.count))
  }
}
