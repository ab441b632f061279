// The one file that makes and reads CoreFoundation's strings.

import AudioCore
import CoreFoundation

enum CFText {
  private static let utf8: CFStringEncoding = 0x0800_0100

  /// A string that the caller owns.
  static func make(_ text: String) -> Unmanaged<CFString>? {
    CFStringCreateWithCString(nil, text, utf8).map { Unmanaged.passRetained($0) }
  }

  /// The text of the string that a `CFStringRef` of a program's points to.
  static func string(at pointer: UnsafeRawPointer?) -> String? {
    string(pointer.map { Unmanaged<CFString>.fromOpaque($0).takeUnretainedValue() })
  }

  /// The text of a string; nil for null and for what is no text.
  static func string(_ text: CFString?) -> String? {
    guard let text, unsafeBitCast(text, to: Int.self) != 0 else { return nil }
    let capacity = CFStringGetMaximumSizeForEncoding(CFStringGetLength(text), utf8) + 1
    return withUnsafeTemporaryAllocation(of: CChar.self, capacity: capacity) { buffer in
      guard let base = buffer.baseAddress, CFStringGetCString(text, base, capacity, utf8) else { return nil }
      return String(cString: base)
    }
  }
}
