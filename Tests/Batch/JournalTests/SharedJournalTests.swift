import AudioCore
import Digests
import Glibc
import Journal
import TestSupport
import Testing

@Suite("A journal on shared storage")
struct SharedJournalTests {
  private let folder = TemporaryFolder()
  private let shared: String
  private let path: String

  init() {
    shared = folder.file("shared")
    path = shared + "/journal"
    for name in ["shared", "disk", "other"] { mkdir(folder.file(name), 0o700) }
  }

  /// As a machine with a disk of its own opens it.
  private func open(on disk: String = "disk") throws -> Journal {
    let shared = shared
    return try Journal.opened(at: path, workFolder: folder.file(disk), isShared: { $0.hasPrefix(shared) })
  }

  private func names(_ name: String) -> [String] { (FileSystem.names(in: folder.file(name)) ?? []).sorted() }

  @Test("is worked on as a copy, and published whole")
  func published() throws {
    do {
      let journal = try open()
      try journal.record(madeUp("a"))
      #expect(names("shared") == ["journal-lock"])
      try journal.publish()
      try journal.record(madeUp("b"))
      #expect(try journal.all == [madeUp("a"), madeUp("b")])
      #expect(names("shared") == ["journal", "journal-lock"])
    }
    #expect(names("shared") == ["journal"] && names("disk").count == 1)
    // The file alone is a journal.
    #expect(try Journal(path: path).all == [madeUp("a")])
  }

  @Test("goes on with the copy of a killed run, published or not")
  func goesOn() throws {
    do { try open().record(madeUp("a")) }
    do {
      let journal = try open()
      #expect(try journal.all == [madeUp("a")])
      try journal.publish()
      try journal.publish()
      try journal.record(madeUp("b"))
    }
    let journal = try open()
    #expect(try journal.all == [madeUp("a"), madeUp("b")])
  }

  @Test("goes on with what another machine has published since")
  func otherMachine() throws {
    do {
      let journal = try open()
      try journal.record(madeUp("a"))
      try journal.publish()
      try journal.record(madeUp("never published"))
    }
    do {
      let journal = try open(on: "other")
      #expect(try journal.all == [madeUp("a")])
      try journal.record(madeUp("b"))
      try journal.publish()
    }
    do { #expect(try open().all == [madeUp("a"), madeUp("b")]) }
    // If it was removed, it is begun anew.
    do { try open().publish() }
    FileSystem.unlink(path)
    #expect(try open().all == [])
  }

  @Test("is held by one run at a time, on any machine")
  func oneRun() throws {
    let journal = try open()
    let error = error { _ = try open(on: "other") }
    #expect(error.place == path && error.message == "this process has this journal open")
    try journal.publish()
  }

  @Test("needs a folder that is not shared, and a whole file")
  func refusals() throws {
    let (shared, path) = (shared, path)
    let noDisk = error { _ = try Journal.opened(at: path, workFolder: shared, isShared: { $0.hasPrefix(shared) }) }
    #expect(noDisk.kind == .usage && noDisk.place == shared)
    folder.write("words", to: "shared/journal")
    let foreign = error { _ = try open() }
    #expect(foreign.place == path && foreign.message == "is no journal" && names("disk") == [])
    #expect(bytes(ofFile: path) == Array("words".utf8))
  }

  @Test("On a disk of this machine, a journal is opened where it is")
  func local() throws {
    let path = folder.file("journal")
    #expect(!Journal.isOnNetworkFileSystem(path) && !Journal.isOnNetworkFileSystem(folder.file("none/of/these")))
    let journal = try Journal.opened(at: path, workFolder: folder.file("disk"))
    try journal.publish()
    #expect(names("disk") == [] && folder.exists("journal"))
  }
}

@Suite("Which file systems are shared")
struct NetworkFileSystemTests {
  /// Numbers of `linux/magic.h`, and of the sources of Lustre, Spectrum Scale and BeeGFS.
  @Test("Those of networks and clusters are, those of disks and memory are not")
  func magic() {
    for shared: UInt in [
      0x6969, 0xFF53_4D42, 0xFE53_4D42, 0x0BD0_0BD0, 0x4750_4653, 0x1983_0326, 0x00C3_6400, 0x0102_1997,
      0xFFFF_FFFF_FF53_4D42,
    ] { #expect(NetworkFileSystem.isShared(magic: shared) { nil }) }
    // ext4, XFS, btrfs, tmpfs, overlayfs, ZFS, F2FS, FAT.
    for own: UInt in [
      0xEF53, 0x5846_5342, 0x9123_683E, 0x0102_1994, 0x794C_7630, 0x2FC1_2FC1, 0xF2F5_2010, 0x4D44, 0,
    ] { #expect(!NetworkFileSystem.isShared(magic: own) { nil }) }
  }

  @Test("Of those in user space, the table of mounts says what they are; one that nobody knows may be a network")
  func userSpace() {
    for (name, isShared) in [
      ("fuse.sshfs", true), ("fuse.glusterfs", true), ("fuse.s3fs", true), ("fuse", true), ("virtiofs", true),
      ("fuseblk", false), ("fuse.gocryptfs", false), (nil, true),
    ] { #expect(NetworkFileSystem.isShared(magic: 0x6573_5546) { name } == isShared) }
  }

  @Test("A path is in the innermost mount above it")
  func mounts() {
    let table = Array(
      #"""
      21 1 8:1 / / rw,relatime shared:1 - ext4 /dev/sda1 rw
      30 21 0:40 / /mnt/a\040b rw - fuse.sshfs host:/ rw
      31 21 0:41 / /mnt rw shared:5 master:2 - nfs4 host:/ rw
      32 31 0:42 / /mnt rw - xfs /dev/sdb rw
      """#.utf8)
    for (path, name) in [
      ("/", "ext4"), ("/mntx/file", "ext4"), ("/mnt", "xfs"), ("/mnt/a", "xfs"), ("/mnt/a b", "fuse.sshfs"),
      ("/mnt/a b/c/d", "fuse.sshfs"),
    ] { #expect(NetworkFileSystem.name(of: path, in: table) == name, "\(path)") }
    #expect(NetworkFileSystem.name(of: "/", in: []) == nil)
  }
}
