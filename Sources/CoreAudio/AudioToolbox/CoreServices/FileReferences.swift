// Files.h: references to files (FSRef), which interfaces from before URLs take. As a path does not fit into its 80
// bytes, a reference has a number here, and the library keeps the path that belongs to it for as long as the process
// runs.

import AudioCore
import Glibc

/// The paths of references. Any thread.
enum FileReferences {
  /// Bytes of an FSRef.
  static let size = 80
  /// At the beginning of each: 'aubF' in this machine's order.
  private static let mark: UInt64 = 0x6175_6246
  /// The most bytes of paths that are kept.
  private static let maximumBytes = 256 << 20

  private struct Known {
    var paths: [[UInt8]] = []
    var numbers: [[UInt8]: UInt64] = [:]
    var bytes = 0
  }
  private static let known = Locked(Known())

  /// Fills in a reference to a file or folder that exists.
  /// - Returns: 0, or the number of what is wrong with the path.
  static func fill(_ reference: UnsafeMutableRawPointer, path: UnsafePointer<CChar>) -> OSStatus {
    guard let real = realpath(path, nil) else { return answer(errno) }
    defer { free(real) }
    let bytes = UnsafeBufferPointer(start: real, count: strlen(real)).map { UInt8(bitPattern: $0) }
    let number: UInt64? = known.withLock { known in
      if let number = known.numbers[bytes] { return number }
      // With what the tables take for each.
      guard known.bytes + bytes.count + 128 <= maximumBytes else { return nil }
      known.bytes += bytes.count + 128
      known.paths.append(bytes)
      known.numbers[bytes] = UInt64(known.paths.count)
      return UInt64(known.paths.count)
    }
    guard let number else { return Carbon.memoryFull }
    reference.initializeMemory(as: UInt8.self, repeating: 0, count: size)
    reference.storeBytes(of: mark, as: UInt64.self)
    reference.storeBytes(of: number, toByteOffset: 8, as: UInt64.self)
    return noErr
  }

  /// The path of a reference, its bytes as the file system has them; nil for null and for memory that none was filled
  /// into.
  static func path(_ reference: UnsafeRawPointer?) -> [UInt8]? {
    guard let reference, reference.loadUnaligned(as: UInt64.self) == mark else { return nil }
    let number = reference.loadUnaligned(fromByteOffset: 8, as: UInt64.self)
    return known.withLock { known in
      guard number > 0, number <= UInt64(known.paths.count) else { return nil }
      return known.paths[Int(number) - 1]
    }
  }

  /// The path of something called `name` in the folder of a reference.
  /// - Throws: -50 where the reference is none, -37 for a name that no file can have.
  static func path(_ parent: UnsafeRawPointer?, _ name: [UInt8]) throws(AudioStatus) -> [UInt8] {
    guard let folder = path(parent) else { throw .parameterError }
    guard !name.isEmpty, name.count <= 255, !name.contains(0), name != Array(".".utf8), name != Array("..".utf8) else {
      throw AudioStatus(Carbon.badName)
    }
    // Names of the Finder may have slashes; the file system has colons in their place.
    let plain = name.map { $0 == UInt8(ascii: "/") ? UInt8(ascii: ":") : $0 }
    return folder + (folder.last == UInt8(ascii: "/") ? [] : [UInt8(ascii: "/")]) + plain
  }

  /// A path as C has it, ended by a zero.
  static func cString(_ path: [UInt8]) -> [CChar] { path.map(CChar.init(bitPattern:)) + [0] }

  /// The status for a number of `errno`.
  static func answer(_ number: Int32) -> OSStatus {
    switch number {
    case ENOENT: Carbon.fileNotFound
    case ENOTDIR: Carbon.folderNotFound
    case ENOMEM: Carbon.memoryFull
    case ENAMETOOLONG: Carbon.badName
    case EACCES, EPERM: Carbon.permission
    case EBUSY, ENOTEMPTY: Carbon.busy
    case EROFS: Carbon.locked
    case EEXIST: Carbon.duplicateName
    default: Carbon.inputOutput
    }
  }
}

/// Numbers of MacTypes.h and Files.h.
enum Carbon {
  static let inputOutput: OSStatus = -36
  static let badName: OSStatus = -37
  static let fileNotFound: OSStatus = -43
  static let locked: OSStatus = -46
  static let busy: OSStatus = -47
  static let duplicateName: OSStatus = -48
  static let parameter: OSStatus = -50
  static let permission: OSStatus = -54
  static let memoryFull: OSStatus = -108
  static let folderNotFound: OSStatus = -120
  static let invalidReference: OSStatus = -1401
  static let differentFiles: OSStatus = -1420
  static let pathTooLong: OSStatus = -2110
}
