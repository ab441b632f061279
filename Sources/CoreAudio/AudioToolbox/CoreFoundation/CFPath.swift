// The one file that reads CoreFoundation's URLs.

import AudioCore
import CoreFoundation

/// The path of a `CFURLRef` of the file system; nil for NULL and for other URLs.
func filePath(_ reference: UnsafeRawPointer?) -> String? {
  guard let reference else { return nil }
  let url = Unmanaged<CFURL>.fromOpaque(reference).takeUnretainedValue()
  var bytes = [UInt8](repeating: 0, count: 4_097)
  guard CFURLGetFileSystemRepresentation(url, true, &bytes, bytes.count - 1) else { return nil }
  return ByteText.string(bytes.prefix { $0 != 0 })
}
