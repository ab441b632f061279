// Files.h: the functions about references to files. CoreFoundation's classes cannot be parameters of a function that
// implements a header on Linux: those of URLs come in as plain pointers.

import AudioCore
import CAudioToolbox
import CoreFoundation
import Glibc

/// - Parameter outIsDirectory: may be null.
@c(FSPathMakeRef)
public func makeFileReference(
  _ path: UnsafePointer<UInt8>?, _ ref: UnsafeMutableRawPointer?, _ outIsDirectory: UnsafeMutablePointer<Bool>?
) -> OSStatus {
  guard let path, let ref else { return Carbon.parameter }
  return path.withMemoryRebound(
    to: CChar.self, capacity: strlen(UnsafeRawPointer(path).assumingMemoryBound(to: CChar.self)) + 1
  ) { path in
    let status = FileReferences.fill(ref, path: path)
    if status == noErr, let outIsDirectory { outIsDirectory.pointee = FileFacts(path)?.isFolder ?? false }
    return status
  }
}

/// FSRefMakePath: writes a reference's path, ended by a zero. -1401 for a reference that is none, -2110 where the path is
/// longer than the buffer.
@c(FSRefMakePath)
public func makePath(
  _ ref: UnsafeRawPointer?, _ path: UnsafeMutablePointer<UInt8>?, _ pathBufferSize: UInt32
) -> OSStatus {
  guard let path, pathBufferSize > 0 else { return Carbon.parameter }
  guard let bytes = FileReferences.path(ref) else { return Carbon.invalidReference }
  guard bytes.count < Int(pathBufferSize) else { return Carbon.pathTooLong }
  for (index, byte) in bytes.enumerated() { path[index] = byte }
  path[bytes.count] = 0
  return noErr
}

/// FSCompareFSRefs: 0 where both are the same file, -1420 where not. -1401 for a reference that is none, -43 where a file
/// is gone.
@c(FSCompareFSRefs)
public func compareFileReferences(_ ref1: UnsafeRawPointer?, _ ref2: UnsafeRawPointer?) -> Int16 {
  guard let first = FileReferences.path(ref1), let second = FileReferences.path(ref2) else {
    return Int16(Carbon.invalidReference)
  }
  if first == second { return 0 }
  guard let one = FileFacts(first), let other = FileFacts(second) else { return Int16(Carbon.fileNotFound) }
  return one.isSame(as: other) ? 0 : Int16(Carbon.differentFiles)
}

/// A reference to a file that is there, by its name in a folder.
@c(FSMakeFSRefUnicode)
public func makeFileReferenceInFolder(
  _ parentRef: UnsafeRawPointer?, _ nameLength: UInt, _ name: UnsafePointer<UInt16>?, _ textEncodingHint: UInt32,
  _ newRef: UnsafeMutableRawPointer?
) -> Int16 {
  guard let name, let newRef, nameLength <= 255 else { return Int16(Carbon.parameter) }
  let text = String(decoding: UnsafeBufferPointer(start: name, count: Int(nameLength)), as: UTF16.self)
  let status = status { () throws(AudioStatus) in
    let path = try FileReferences.path(parentRef, Array(text.utf8))
    let answer = (path + [0]).withUnsafeBytes { bytes in
      bytes.baseAddress.map { FileReferences.fill(newRef, path: $0.assumingMemoryBound(to: CChar.self)) }
    }
    guard answer == noErr else { throw AudioStatus(rawValue: answer ?? Carbon.parameter) }
  }
  return Int16(truncatingIfNeeded: status)
}

/// Removes a file or an empty folder.
@c(FSDeleteObject)
public func deleteFile(_ ref: UnsafeRawPointer?) -> Int16 {
  guard let path = FileReferences.path(ref) else { return Int16(Carbon.invalidReference) }
  let answer = (path + [0]).withUnsafeBytes { bytes in
    bytes.baseAddress.map { remove($0.assumingMemoryBound(to: CChar.self)) } ?? -1
  }
  return answer == 0 ? 0 : Int16(FileReferences.answer(errno))
}

/// CFURLGetFSRef: fills in the reference of a URL's file; false where it does not exist, or the URL is none of a file.
@c(CFURLGetFSRef)
public func fileReference(ofURL url: UnsafeRawPointer?, _ fsRef: UnsafeMutableRawPointer?) -> Bool {
  guard let url, let fsRef else { return false }
  let reference = Unmanaged<CFURL>.fromOpaque(url).takeUnretainedValue()
  var bytes = [UInt8](repeating: 0, count: 4_097)
  guard CFURLGetFileSystemRepresentation(reference, true, &bytes, bytes.count - 1) else { return false }
  return bytes.withUnsafeBytes { bytes in
    bytes.baseAddress.map { FileReferences.fill(fsRef, path: $0.assumingMemoryBound(to: CChar.self)) } == noErr
  }
}

/// - Returns: a CFURL that the caller releases; null for a reference that is none.
@c(CFURLCreateFromFSRef)
public func makeURL(ofReference allocator: UnsafeRawPointer?, _ fsRef: UnsafeRawPointer?) -> UnsafeRawPointer? {
  guard let path = FileReferences.path(fsRef) else { return nil }
  let isFolder = FileFacts(path)?.isFolder ?? false
  guard let url = CFURLCreateFromFileSystemRepresentation(nil, path, path.count, isFolder) else { return nil }
  return UnsafeRawPointer(Unmanaged.passRetained(url).toOpaque())
}
