// The one file that makes and reads CoreFoundation's arrays, dictionaries, numbers and data.

import CoreFoundation
import Glibc

enum CFList {
  /// An array of strings that the caller owns.
  static func makeStrings(_ texts: [String]) -> Unmanaged<CFArray>? {
    let strings = texts.compactMap { CFText.make($0) }
    defer { for string in strings { string.release() } }
    var pointers = strings.map { Optional(UnsafeRawPointer($0.toOpaque())) }
    return withUnsafePointer(to: kCFTypeArrayCallBacks) { callbacks in
      CFArrayCreate(nil, &pointers, pointers.count, callbacks).map { Unmanaged.passRetained($0) }
    }
  }
}

/// A dictionary with strings as keys, as presets and file tags are.
struct CFTable {
  private let dictionary: CFMutableDictionary?

  init() {
    dictionary = withUnsafePointer(to: kCFTypeDictionaryKeyCallBacks) { keys in
      withUnsafePointer(to: kCFTypeDictionaryValueCallBacks) { values in
        CFDictionaryCreateMutable(nil, 0, keys, values)
      }
    }
  }

  /// The dictionary itself, the caller's to release.
  func take() -> UnsafeMutableRawPointer? { dictionary.map { Unmanaged.passRetained($0).toOpaque() } }

  func set(_ key: String, _ value: Int32) {
    var value = value
    guard let type = CFNumberType(rawValue: 3) else { return }  // 32 bits, signed
    add(key, CFNumberCreate(nil, type, &value).map { Unmanaged.passRetained($0).toOpaque() })
  }

  func set(_ key: String, _ value: String) { add(key, CFText.make(value)?.toOpaque()) }

  func set(_ key: String, _ bytes: [UInt8]) {
    add(key, CFDataCreate(nil, bytes, bytes.count).map { Unmanaged.passRetained($0).toOpaque() })
  }

  /// Takes over one reference to the value.
  private func add(_ key: String, _ value: UnsafeMutableRawPointer?) {
    guard let dictionary, let name = CFText.make(key), let value else { return }
    CFDictionarySetValue(dictionary, name.toOpaque(), value)
    name.release()
    Unmanaged<AnyObject>.fromOpaque(value).release()
  }

  // MARK: Reading

  private static func value(_ key: String, in dictionary: CFDictionary) -> UnsafeRawPointer? {
    guard let name = CFText.make(key) else { return nil }
    defer { name.release() }
    return CFDictionaryGetValue(dictionary, name.toOpaque())
  }

  static func contains(_ key: String, in dictionary: CFDictionary) -> Bool { value(key, in: dictionary) != nil }

  static func number(_ key: String, in dictionary: CFDictionary) -> Int32? {
    guard let value = value(key, in: dictionary) else { return nil }
    let object = Unmanaged<CFNumber>.fromOpaque(value).takeUnretainedValue()
    guard CFGetTypeID(object) == CFNumberGetTypeID() else { return nil }
    var number: Int64 = 0
    guard let type = CFNumberType(rawValue: 4), CFNumberGetValue(object, type, &number) else { return nil }
    return Int32(truncatingIfNeeded: number)
  }

  static func text(_ key: String, in dictionary: CFDictionary) -> String? {
    guard let value = value(key, in: dictionary) else { return nil }
    let object = Unmanaged<CFString>.fromOpaque(value).takeUnretainedValue()
    return CFGetTypeID(object) == CFStringGetTypeID() ? CFText.string(object) : nil
  }

  static func bytes(_ key: String, in dictionary: CFDictionary) -> [UInt8]? {
    guard let value = value(key, in: dictionary) else { return nil }
    let object = Unmanaged<CFData>.fromOpaque(value).takeUnretainedValue()
    guard CFGetTypeID(object) == CFDataGetTypeID(), let start = CFDataGetBytePtr(object) else { return nil }
    return Array(UnsafeBufferPointer(start: start, count: CFDataGetLength(object)))
  }
}
