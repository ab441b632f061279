// The one file that makes CoreFoundation's objects but for plain strings.

import CoreFoundation

/// A value as property lists have it, before it becomes a CoreFoundation object.
package indirect enum PropertyTree {
  case text(String)
  /// 32 bits, signed.
  case integer(Int32)
  case flag(Bool)
  case bytes([UInt8])
  case list([PropertyTree])
  case table([(key: String, value: PropertyTree)])

  static func texts(_ texts: [String]) -> PropertyTree { .list(texts.map { .text($0) }) }

  /// The value as an object that the caller owns; nil where there is no memory.
  func makeObject() -> UnsafeMutableRawPointer? {
    switch self {
    case .text(let text): CFText.make(text)?.toOpaque()
    case .integer(let number): Self.make(number)
    case .flag(let isOn): Self.retained(isOn ? kCFBooleanTrue : kCFBooleanFalse)
    case .bytes(let bytes): Self.retained(CFDataCreate(nil, bytes, bytes.count))
    case .list(let values): Self.make(values)
    case .table(let entries): Self.make(entries)
    }
  }

  private static func retained<Object: AnyObject>(_ object: Object?) -> UnsafeMutableRawPointer? {
    object.map { Unmanaged.passRetained($0).toOpaque() }
  }

  private static func make(_ number: Int32) -> UnsafeMutableRawPointer? {
    var number = number
    return retained(CFNumberCreate(nil, .sInt32Type, &number))
  }

  private static func make(_ values: [PropertyTree]) -> UnsafeMutableRawPointer? {
    let objects = values.compactMap { $0.makeObject() }
    defer { for object in objects { release(object) } }
    var pointers = objects.map { Optional(UnsafeRawPointer($0)) }
    return withUnsafePointer(to: kCFTypeArrayCallBacks) { callbacks in
      retained(CFArrayCreate(nil, &pointers, pointers.count, callbacks))
    }
  }

  private static func make(_ entries: [(key: String, value: PropertyTree)]) -> UnsafeMutableRawPointer? {
    let dictionary = withUnsafePointer(to: kCFTypeDictionaryKeyCallBacks) { keys in
      withUnsafePointer(to: kCFTypeDictionaryValueCallBacks) { values in
        CFDictionaryCreateMutable(nil, 0, keys, values)
      }
    }
    guard let dictionary else { return nil }
    for (key, value) in entries {
      guard let name = CFText.make(key), let object = value.makeObject() else { continue }
      CFDictionarySetValue(dictionary, name.toOpaque(), object)
      name.release()
      release(object)
    }
    return retained(dictionary)
  }

  private static func release(_ object: UnsafeMutableRawPointer) { Unmanaged<AnyObject>.fromOpaque(object).release() }
}
