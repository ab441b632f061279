// The value of a property of the C interface, and how it is written into the caller's memory.

import AudioCore
import CAudioToolbox

/// The value of a property.
package enum CValue {
  /// A number or a structure.
  case bytes([UInt8])
  /// A list, of which a caller may get fewer elements than there are.
  case list([UInt8], elementBytes: Int)
  /// A CoreFoundation object, which is made when it is handed over: the caller owns it.
  case object(PropertyTree)
  /// A structure with objects in it, which are made when it is handed over: the caller owns them.
  case made(size: Int, () -> [UInt8])

  init<T: BitwiseCopyable>(_ value: T) { self = .bytes(withUnsafeBytes(of: value) { Array($0) }) }

  init<T: BitwiseCopyable>(array: [T]) {
    self = .list(array.withUnsafeBytes { Array($0) }, elementBytes: MemoryLayout<T>.stride)
  }

  /// One number of 32 bits.
  static func number(_ number: UInt32) -> CValue { CValue(number) }
  /// A list of such numbers.
  static func numbers(_ list: [UInt32]) -> CValue { CValue(array: list) }
  /// A CFString.
  static func text(_ text: String) -> CValue { .object(.text(text)) }

  /// In bytes.
  package var size: Int {
    switch self {
    case .bytes(let bytes), .list(let bytes, _): bytes.count
    case .object: MemoryLayout<UnsafeRawPointer>.size
    case .made(let size, _): size
    }
  }

  /// As it lies in memory: an object is made, and belongs to the caller.
  var taken: [UInt8] {
    switch self {
    case .bytes(let bytes), .list(let bytes, _): bytes
    case .object(let tree): withUnsafeBytes(of: tree.makeObject()) { Array($0) }
    case .made(_, let make): make()
    }
  }

  /// Writes to `memory`, which has room for `room` bytes.
  /// - Parameter partly: as many elements of a list as there is room for will do.
  /// - Returns: the bytes written; nil where there is too little room, and nothing was written.
  package func write(to memory: UnsafeMutableRawPointer, room: UInt32, partly: Bool = false) -> UInt32? {
    var count = size
    if count > Int(room) {
      guard partly, case .list(_, let elementBytes) = self else { return nil }
      count = Int(room) / elementBytes * elementBytes
    }
    memory.copyMemory(from: taken, byteCount: count)
    return UInt32(count)
  }

  /// As ``write(to:room:partly:)``; the size comes in as the room and goes out as what was written.
  /// - Throws: `error` where there is too little room.
  func write(
    to memory: UnsafeMutableRawPointer, size: inout UInt32, partly: Bool = false, orThrow error: AudioStatus
  ) throws(AudioStatus) {
    guard let written = write(to: memory, room: size, partly: partly) else { throw error }
    size = written
  }
}
