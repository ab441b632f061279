// The one file that reads CoreFoundation's dictionaries.

import AudioCore
import CoreFoundation

/// Entries of a dictionary with strings as keys, as presets are; nil for what is missing or of another type.
enum CFTable {
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
