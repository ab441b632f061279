// CoreFoundation objects as properties hand them out, and as callers hand them in.

import CAudioToolbox
import CoreFoundation

func makeString(_ text: String) -> CFString {
  CFStringCreateWithCString(kCFAllocatorDefault, text, CFStringBuiltInEncodings.UTF8.rawValue)
}

func makeArray(_ texts: [String]) -> CFArray {
  var callbacks = kCFTypeArrayCallBacks
  let strings = texts.map { makeString($0) }
  let array = CFArrayCreateMutable(kCFAllocatorDefault, 0, &callbacks)
  for string in strings { CFArrayAppendValue(array, Unmanaged.passUnretained(string).toOpaque()) }
  return CFArrayCreateCopy(kCFAllocatorDefault, array)
}

func makeDictionary(_ texts: [(key: String, value: String)]) -> CFDictionary {
  var keyCallbacks = kCFTypeDictionaryKeyCallBacks
  var valueCallbacks = kCFTypeDictionaryValueCallBacks
  let dictionary = CFDictionaryCreateMutable(kCFAllocatorDefault, 0, &keyCallbacks, &valueCallbacks)
  for (key, value) in texts {
    let (key, value) = (makeString(key), makeString(value))
    CFDictionarySetValue(
      dictionary, Unmanaged.passUnretained(key).toOpaque(), Unmanaged.passUnretained(value).toOpaque())
  }
  return CFDictionaryCreateCopy(kCFAllocatorDefault, dictionary)
}

/// The text of a string; nil where it is no UTF-8 of at most 4 KiB.
func text(_ string: CFString) -> String? {
  var bytes = [CChar](repeating: 0, count: 4_096)
  guard CFStringGetCString(string, &bytes, bytes.count, CFStringBuiltInEncodings.UTF8.rawValue) else { return nil }
  return String(decoding: bytes.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
}

/// The path of a `CFURLRef` of the file system; nil for NULL and for other URLs.
func filePath(_ reference: UnsafeRawPointer?) -> String? {
  guard let reference else { return nil }
  let url = Unmanaged<CFURL>.fromOpaque(reference).takeUnretainedValue()
  var bytes = [UInt8](repeating: 0, count: 4_097)
  guard CFURLGetFileSystemRepresentation(url, true, &bytes, bytes.count - 1) else { return nil }
  return String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
}
