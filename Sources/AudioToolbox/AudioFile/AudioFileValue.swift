// What a property of a file is worth, and how it goes into the caller's memory.

import AudioCore
import CAudioToolbox

enum AudioFileValue {
  case bytes([UInt8])
  /// A CoreFoundation object, which is made when it is handed over: the caller owns it.
  case object(PropertyTree)

  init<T: BitwiseCopyable>(_ value: T) { self = .bytes(withUnsafeBytes(of: value) { Array($0) }) }

  init<T: BitwiseCopyable>(array: [T]) { self = .bytes(array.withUnsafeBytes { Array($0) }) }

  var size: Int {
    switch self {
    case .bytes(let bytes): bytes.count
    case .object: MemoryLayout<UnsafeRawPointer>.size
    }
  }

  /// Copies to `data`, which has room for `room` bytes.
  /// - Returns: the bytes written; nil where there is too little room, and nothing was written.
  func copy(to data: UnsafeMutableRawPointer, room: UInt32) -> UInt32? {
    guard size <= Int(room) else { return nil }
    switch self {
    case .bytes(let bytes): data.copyMemory(from: bytes, byteCount: bytes.count)
    case .object(let tree): data.storeBytes(of: tree.makeObject(), as: UnsafeMutableRawPointer?.self)
    }
    return UInt32(size)
  }
}
