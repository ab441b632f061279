import CoreFoundation

/// CoreFoundation's strings, for tests.
enum TestText {
  private static let utf8: CFStringEncoding = 0x0800_0100

  static func make(_ text: String) -> Unmanaged<CFString>? {
    CFStringCreateWithCString(nil, text, utf8).map { Unmanaged.passRetained($0) }
  }

  static func string(_ text: CFString) -> String? {
    var bytes = [CChar](repeating: 0, count: 256)
    guard CFStringGetCString(text, &bytes, bytes.count, utf8) else { return nil }
    return String(decoding: bytes.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}
