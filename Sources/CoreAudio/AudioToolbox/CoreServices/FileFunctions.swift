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
  let name = UnsafeRawPointer(path).assumingMemoryBound(to: CChar.self)
  let status = FileReferences.fill(ref, path: name)
  if status == noErr, let outIsDirectory { outIsDirectory.pointee = FileFacts(name)?.isFolder ?? false }
  return status
}

/// FSRefMakePath: writes a reference's path, ended by a zero. -1401 for a reference that is none, -2110 where the path
/// is longer than the buffer.
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

/// FSCompareFSRefs: 0 where both are the same file, -1420 where not. -1401 for a reference that is none, -43 where a
/// file is gone.
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
    try ensureSuccess(FileReferences.fill(newRef, path: FileReferences.cString(path)))
  }
  return Int16(truncatingIfNeeded: status)
}

/// Removes a file or an empty folder.
@c(FSDeleteObject)
public func deleteFile(_ ref: UnsafeRawPointer?) -> Int16 {
  guard let path = FileReferences.path(ref) else { return Int16(Carbon.invalidReference) }
  return remove(FileReferences.cString(path)) == 0 ? 0 : Int16(FileReferences.answer(errno))
}

/// CFURLGetFSRef: fills in the reference of a URL's file; false where it does not exist, or the URL is none of a file.
@c(CFURLGetFSRef)
public func fileReference(ofURL url: UnsafeRawPointer?, _ fsRef: UnsafeMutableRawPointer?) -> Bool {
  guard let fsRef, let path = filePath(url) else { return false }
  return ByteText.withCString(path) { FileReferences.fill(fsRef, path: $0) } == noErr
}

/// - Returns: a CFURL that the caller releases; null for a reference that is none.
@c(CFURLCreateFromFSRef)
public func makeURL(ofReference allocator: UnsafeRawPointer?, _ fsRef: UnsafeRawPointer?) -> UnsafeRawPointer? {
  guard let path = FileReferences.path(fsRef) else { return nil }
  let isFolder = FileFacts(path)?.isFolder ?? false
  guard let url = CFURLCreateFromFileSystemRepresentation(nil, path, path.count, isFolder) else { return nil }
  return UnsafeRawPointer(Unmanaged.passRetained(url).toOpaque())
}
