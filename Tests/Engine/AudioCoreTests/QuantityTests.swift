import AudioCore
import Testing

@Suite("Numbers with units")
struct QuantityTests {
  static let good: [(text: String, kind: Quantity.Kind, value: Double)] = [
    ("48k", .frequency, 48_000), ("44.1k", .frequency, 44_100), ("3kHz", .frequency, 3000), ("3 khz", .frequency, 3000),
    ("440Hz", .frequency, 440), ("2.8224MHz", .frequency, 2_822_400), ("440", .frequency, 440),
    ("1e3", .frequency, 1000),
    ("-3dB", .level, -3), ("-3.5 dBFS", .level, -3.5), ("\u{2212}3", .level, -3), ("+6db", .level, 6),
    ("0.5LU", .loudnessDifference, 0.5), ("-16 LUFS", .loudness, -16), ("-23lkfs", .loudness, -23),
    ("-1dBTP", .truePeak, -1), ("-1dB", .truePeak, -1), ("3dB", .decibels, 3), ("192kbps", .bitRate, 192),
    ("90s", .time, 90), ("250ms", .time, 0.25), ("10us", .time, 1e-5), ("10µs", .time, 1e-5),
    ("1.5min", .time, 90), ("2h", .time, 7200), ("1:30", .time, 90), ("1:02:03.5", .time, 3723.5),
    ("0:00.250", .time, 0.25),
    ("90:00", .time, 5400), (".5s", .time, 0.5), ("5.s", .time, 5), ("1e1s", .time, 10), ("0.5", .gain, 0.5),
    ("0dB", .gain, 1),
    ("-20dB", .gain, 0.1), ("2oct", .octaves, 2), ("50ct", .cents, 50), ("20ppm", .drift, 20), ("on", .onOff, 1),
    ("off", .onOff, 0), ("1", .onOff, 1), ("-12", .plain, -12),
    ("50%", .percent, 50), ("90°", .degrees, 90), ("-45deg", .degrees, -45), ("2m", .metres, 2),
    ("150cm", .metres, 1.5),
    ("8ms", .milliseconds, 8), ("0.008s", .milliseconds, 8), ("8", .milliseconds, 8), ("500us", .milliseconds, 0.5),
    ("4G", .memory, 0x1p32), ("512 MiB", .memory, 0x1p29), ("1.5gb", .memory, 1.5 * 0x1p30), ("65536", .memory, 65_536),
    ("1TiB", .memory, 0x1p40), ("3k", .memory, 3072), ("7b", .memory, 7),
  ]

  @Test("are read exactly", arguments: good.indices) func values(_ index: Int) throws {
    let (text, kind, value) = Self.good[index]
    #expect(try Quantity.value(text, kind) == value, "\(text)")
    #expect(text.isEmpty || kind == .onOff || Quantity.beginsAsNumber(text))
  }

  static let bad: [(text: String, kind: Quantity.Kind, message: String)] = [
    ("", .frequency, ""), ("k", .frequency, ""), ("nan", .level, ""), ("inf", .level, ""), ("1e999", .level, ""),
    ("1e999k", .frequency, ""), ("-", .level, ""), (".", .level, ""), ("e5", .level, ""), ("abc", .time, ""),
    ("3dB", .frequency, "\"dB\" is not its unit; expected hertz: 3000, 3000Hz, 3k or 3kHz"),
    ("3mhz", .frequency, "\"mhz\" is not its unit"), ("3k", .level, "expected decibels: -3, -3dB or -3dBFS"),
    ("-16dB", .loudness, "\"dB\" is not its unit; expected a loudness: -16, -16LUFS or -16LKFS"),
    ("-16LU", .loudness, "is not its unit"), ("1dB", .loudnessDifference, "expected loudness units: 0.5 or 0.5LU"),
    ("1LUFS", .loudnessDifference, "is not its unit"), ("-1dBFS", .truePeak, "expected a true peak"),
    ("-1LUFS", .truePeak, "is not its unit"), ("-1dBTP", .level, "is not its unit"),
    ("3dBFS", .decibels, "expected decibels: -3 or -3dB"), ("3s", .plain, "expected a number without a unit"),
    ("5m", .time, "m may be minutes or milliseconds; write min or ms"),
    ("1:75", .time, "behind a colon stand 0 to 59"), ("1:60:00", .time, "behind a colon stand 0 to 59"),
    ("1::2", .time, "is not its unit"),
    ("1:30", .frequency, "a time is not what is expected"), ("44,1k", .frequency, "decimals stand behind a point"),
    ("3kk", .frequency, "\"kk\" is not its unit"), ("48k\u{1B}", .frequency, "is not its unit"),
    ("3%", .gain, "expected a factor"),
    ("maybe", .onOff, ""), ("0x10Hz", .frequency, "is not its unit"), ("--3dB", .level, ""),
    ("4Gi", .memory, "expected a size of memory: 4G, 512M or 1.5GiB"),
  ]

  @Test("that are wrong or could mean two things say what is expected", arguments: bad.indices)
  func complaints(_ index: Int) {
    let (text, kind, message) = Self.bad[index]
    do throws(Quantity.Problem) {
      let value = try Quantity.value(text, kind)
      Issue.record("\(text) was read as \(value)")
    } catch {
      #expect(message.isEmpty ? error.text.isEmpty : error.text.contains(message), "\(text): \(error.text)")
    }
  }
}
