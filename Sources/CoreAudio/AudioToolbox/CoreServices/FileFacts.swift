// Files.h: FSGetCatalogInfo, and what the file system says of a file.

import AudioCore
import CAudioToolbox
import Glibc

/// The facts about a file or folder.
struct FileFacts {
  let status: stat

  init?(_ path: UnsafePointer<CChar>) {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    self.status = status
  }

  init?(_ path: [UInt8]) { self.init(FileReferences.cString(path)) }

  var isFolder: Bool { status.st_mode & S_IFMT == S_IFDIR }
  func isSame(as other: FileFacts) -> Bool {
    status.st_dev == other.status.st_dev && status.st_ino == other.status.st_ino
  }

  /// The number of entries in the folder.
  static func count(in path: [UInt8]) -> UInt32 {
    guard let folder = opendir(FileReferences.cString(path)) else { return 0 }
    defer { closedir(folder) }
    var count: UInt32 = 0
    while readdir(folder) != nil { count += 1 }
    // Itself and the folder around it.
    return count < 2 ? 0 : count - 2
  }

  /// Seconds since 1904 and 1/65536 of them, in 64 bits, of which the upper 16 lie first.
  static func carbonTime(_ time: timespec) -> UTCDateTime {
    let seconds = UInt64(clamping: time.tv_sec + 2_082_844_800)
    return UTCDateTime(
      highSeconds: UInt16(truncatingIfNeeded: seconds >> 32), lowSeconds: UInt32(truncatingIfNeeded: seconds),
      fraction: UInt16(time.tv_nsec * 65_536 / 1_000_000_000))
  }
}

/// Asks about a file.
///
/// Fields that only a Mac has (types and creators, resource forks, backups) are 0.
/// - Parameter whichInfo: ignored: all known fields are filled in.
/// - Returns: -50 for a place for an old FSSpec, which is none here.
@c(FSGetCatalogInfo)
public func catalogInfo(
  _ ref: UnsafeRawPointer?, _ whichInfo: UInt32, _ catalogInfo: UnsafeMutablePointer<FSCatalogInfo>?,
  _ outName: UnsafeMutablePointer<HFSUniStr255>?, _ fsSpec: UnsafeMutableRawPointer?,
  _ parentRef: UnsafeMutableRawPointer?
) -> Int16 {
  guard fsSpec == nil else { return Int16(Carbon.parameter) }
  guard let path = FileReferences.path(ref) else { return Int16(Carbon.invalidReference) }
  guard let facts = FileFacts(path) else { return Int16(Carbon.fileNotFound) }
  let slash = path.lastIndex(of: UInt8(ascii: "/")) ?? 0
  let name = Array(path[(slash + 1)...])
  let folder = slash == 0 ? [UInt8(ascii: "/")] : Array(path[..<slash])
  if let catalogInfo {
    var info = FSCatalogInfo()
    let isWritable = facts.status.st_mode & (S_IWUSR | S_IWGRP | S_IWOTH) != 0
    info.nodeFlags = (facts.isFolder ? 0x10 : 0) | (isWritable ? 0 : 1)
    info.nodeID = UInt32(truncatingIfNeeded: facts.status.st_ino)
    info.parentDirID = UInt32(truncatingIfNeeded: FileFacts(folder)?.status.st_ino ?? 0)
    // Linux tells no time of creation here; nothing is older than its last change.
    info.createDate = FileFacts.carbonTime(facts.status.st_mtim)
    info.contentModDate = FileFacts.carbonTime(facts.status.st_mtim)
    info.attributeModDate = FileFacts.carbonTime(facts.status.st_ctim)
    info.accessDate = FileFacts.carbonTime(facts.status.st_atim)
    info.permissions = (facts.status.st_uid, facts.status.st_gid, facts.status.st_mode & 0o7777, 0)
    if facts.isFolder {
      info.valence = FileFacts.count(in: path)
    } else {
      info.dataLogicalSize = UInt64(clamping: facts.status.st_size)
      info.dataPhysicalSize = UInt64(clamping: facts.status.st_blocks) * 512
    }
    catalogInfo.pointee = info
  }
  if let outName {
    // As FSMakeFSRefUnicode takes it: slashes for the file system's colons. UTF-16 has nothing for bytes that are no
    // UTF-8: such a name can be shown, but leads to no file.
    let units = String(decoding: name, as: UTF8.self).utf16.prefix(255).map { $0 == 0x3A ? 0x2F : $0 }
    outName.pointee.length = UInt16(units.count)
    withUnsafeMutableBytes(of: &outName.pointee.unicode) { bytes in
      for (index, unit) in units.enumerated() { bytes.storeBytes(of: unit, toByteOffset: 2 * index, as: UInt16.self) }
    }
  }
  guard let parentRef else { return 0 }
  return Int16(truncatingIfNeeded: FileReferences.fill(parentRef, path: FileReferences.cString(folder)))
}
