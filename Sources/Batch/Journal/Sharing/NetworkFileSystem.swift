import AudioCore
import CSQLite
import Glibc

/// The file systems that several machines share: SQLite's locks and its shared memory do not reach from one to another.
package enum NetworkFileSystem {
  /// The numbers of statfs(2).
  private static let magics: Set<UInt> = [
    0x6969,  // NFS
    0x517B, 0xFF53_4D42, 0xFE53_4D42,  // SMB, CIFS, SMB2
    0x0BD0_0BD0,  // Lustre
    0x4750_4653,  // GPFS
    0x1983_0326,  // BeeGFS
    0x00C3_6400,  // Ceph
    0x0102_1997,  // 9P
    0x5346_414F, 0x6B41_4653,  // AFS
    0x7375_7245,  // Coda
    0x564C,  // NCP
    0x2003_0528,  // OrangeFS
    0xAAD7_AAEA,  // PanFS
    0x7461_636F, 0x0116_1970,  // OCFS2, GFS2: one disk of several machines
    0xBACB_ACBC, 0x786F_4256, 0x7C7C_6673,  // folders of a virtual machine's host: VMware, VirtualBox, Parallels
  ]
  private static let fuse: UInt = 0x6573_5546

  /// Names of file systems in user space that show a disk or a folder of this machine. Any other may be a network.
  private static let local: Set<String> = [
    "fuseblk", "fuse.gocryptfs", "fuse.encfs", "fuse.cryfs", "fuse.mergerfs", "fuse.bindfs", "fuse.fuse-overlayfs",
    "fuse.ntfs-3g", "fuse.exfat", "fuse.ext2", "fuse.squashfuse", "fuse.portal", "fuse.unionfs",
  ]

  /// - Parameters:
  ///   - magic: as statfs(2) says it.
  ///   - name: as the table of mounts says it; asked for file systems in user space only.
  package static func isShared(magic: UInt, name: () -> String?) -> Bool {
    // 32 bits of it count: on some machines they are extended by their sign.
    let magic = magic & 0xFFFF_FFFF
    guard magic == fuse else { return magics.contains(magic) }
    return name().map { !local.contains($0) } ?? true
  }

  /// The type of a mount in the table of mounts, `/proc/self/mountinfo`: the innermost above a path without links.
  package static func name(of path: String, in table: [UInt8]) -> String? {
    var best: (length: Int, name: String)?
    for line in table.split(separator: 0x0A) {
      let fields = line.split(separator: 0x20)
      guard let dash = fields.firstIndex(of: [0x2D][...]), fields.count > dash + 1, fields.count > 4 else { continue }
      let place = plain(fields[4])
      let isAbove =
        place == [0x2F] || (ByteText.bytes(path) + [0x2F]).starts(with: place + [0x2F])
      // If two are mounted in one place the later one is visible.
      if isAbove, place.count >= best?.length ?? 0 { best = (place.count, ByteText.string(fields[dash + 1])) }
    }
    return best?.name
  }

  /// `\040` is a space.
  private static func plain(_ field: some Sequence<UInt8>) -> [UInt8] {
    var answer: [UInt8] = []
    var rest = Array(field)[...]
    while let byte = rest.popFirst() {
      let digits = rest.prefix(3)
      if byte == UInt8(ascii: "\\"), digits.count == 3, digits.allSatisfy({ (0x30...0x37).contains($0) }) {
        answer.append(digits.reduce(0) { $0 &* 8 &+ ($1 - 0x30) })
        rest = rest.dropFirst(3)
      } else {
        answer.append(byte)
      }
    }
    return answer
  }
}

extension Journal {
  /// True when a file lies, or would lie, on storage that other machines may share.
  package static func isOnNetworkFileSystem(_ path: String) -> Bool {
    // The nearest that is there.
    var place = path
    while FileSystem.realPath(place) == nil {
      let above = FileName.folder(of: place)
      if above == place { return false }
      place = above
    }
    guard let real = FileSystem.realPath(place) else { return false }
    let magic = ByteText.withCString(real) { sqlite_file_system($0) }
    return NetworkFileSystem.isShared(magic: magic) {
      (try? FileSystem.contents(of: "/proc/self/mountinfo", atMost: 1 << 24)).flatMap {
        NetworkFileSystem.name(of: real, in: $0)
      }
    }
  }
}
