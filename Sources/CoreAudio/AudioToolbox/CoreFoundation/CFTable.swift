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

  /// A value of the type with this number.
  private static func object<Object: AnyObject>(
    _ key: String, in dictionary: CFDictionary, _ type: CFTypeID
  ) -> Object? {
    guard let value = value(key, in: dictionary) else { return nil }
    let object = Unmanaged<Object>.fromOpaque(value).takeUnretainedValue()
    return CFGetTypeID(object) == type ? object : nil
  }

  static func contains(_ key: String, in dictionary: CFDictionary) -> Bool { value(key, in: dictionary) != nil }

  static func number(_ key: String, in dictionary: CFDictionary) -> Int32? {
    guard let object: CFNumber = object(key, in: dictionary, CFNumberGetTypeID()) else { return nil }
    var number: Int64 = 0
    guard let type = CFNumberType(rawValue: 4), CFNumberGetValue(object, type, &number) else { return nil }
    return Int32(truncatingIfNeeded: number)
  }

  static func text(_ key: String, in dictionary: CFDictionary) -> String? {
    guard let object: CFString = object(key, in: dictionary, CFStringGetTypeID()) else { return nil }
    return CFText.string(object)
  }

  static func bytes(_ key: String, in dictionary: CFDictionary) -> [UInt8]? {
    guard let object: CFData = object(key, in: dictionary, CFDataGetTypeID()), let start = CFDataGetBytePtr(object)
    else { return nil }
    return Array(UnsafeBufferPointer(start: start, count: CFDataGetLength(object)))
  }
}
