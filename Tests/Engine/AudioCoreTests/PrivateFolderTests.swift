import AudioCore
import Foundation
import Glibc
import TestSupport
import Testing

@Suite("Folders and links where everybody may write")
struct PrivateFolderTests {
  @Test(
    "A folder for this user only has mode 700 and the name that was asked for, unless a file, a link or another user has it"
  )
  func privateFolder() throws {
    let folder = TemporaryFolder()
    func mode(_ path: String) -> mode_t {
      var status = stat()
      #expect(lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR && status.st_uid == geteuid())
      return status.st_mode & 0o777
    }
    let path = folder.file("p")
    #expect(FileSystem.privateFolder(path) == path && mode(path) == 0o700)
    #expect(chmod(path, 0o755) == 0)
    #expect(FileSystem.privateFolder(path) == path && mode(path) == 0o700)
    mkdir(folder.file("aim"), 0o755)
    symlink("aim", folder.file("link"))
    folder.write("x", to: "file")
    symlink("nowhere", folder.file("dangling"))
    for name in ["link", "file", "dangling"] {
      let made = try #require(FileSystem.privateFolder(folder.file(name)))
      #expect(made.hasPrefix(folder.file(name) + "-") && mode(made) == 0o700, "\(made)")
    }
    #expect(mode(folder.file("aim")) == 0o755)
  }

  /// Another user's link needs another user: only root can make one.
  @Test("A link of another user in a shared folder is not followed; one's own is", .enabled(if: geteuid() == 0))
  func links() throws {
    let folder = TemporaryFolder()
    for name in ["shared", "own"] { mkdir(folder.file(name), 0o700) }
    #expect(chmod(folder.file("shared"), 0o1777) == 0 && lchown(folder.file("shared"), 4711, 4711) == 0)
    folder.write("precious", to: "victim")
    for name in ["theirs", "mine"] { symlink("../victim", folder.file("shared/\(name)")) }
    #expect(lchown(folder.file("shared/theirs"), 4712, 4712) == 0)
    let error = #expect(throws: BenchError.self) { try AtomicFile.write("new", to: folder.file("shared/theirs")) }
    #expect(error?.kind == .output && error?.message.contains("another user") == true)
    #expect(try folder.bytes("victim") == Array("precious".utf8))
    try AtomicFile.write("new", to: folder.file("shared/mine"))
    #expect(try folder.bytes("victim") == Array("new".utf8))
  }

  @Test("A confined file is written where its folder really lies, through no link, and not outside")
  func confinement() throws {
    let folder = TemporaryFolder()
    for name in ["in", "out"] { mkdir(folder.file(name), 0o700) }
    let root = try #require(FileSystem.realPath(folder.file("in")))
    let confinement = Confinement(root: root)
    symlink("../out", folder.file("in/away"))
    symlink("../out/x", folder.file("in/link"))
    for name in ["in/away/x", "in/link", "out/x", "in/../out/x", "in/none/x"] {
      #expect(throws: BenchError.self, "\(name)") {
        try AtomicFile.write([1], to: folder.file(name), confinement: confinement)
      }
    }
    #expect(!folder.exists("out/x"))
    for content in [[1], [2]] as [[UInt8]] {
      try AtomicFile.write(content, to: folder.file("in/x"), confinement: confinement)
      #expect(try folder.bytes("in/x") == content)
    }
    #expect(throws: BenchError.self) {
      try AtomicFile.write([3], to: folder.file("in/x"), overwrites: false, confinement: confinement)
    }
    // The folder changes after it was looked at: what is written goes to the one that was.
    let file = try AtomicFile(path: folder.file("in/y"), overwrites: true, confinement: confinement)
    rename(folder.file("in"), folder.file("moved"))
    symlink("out", folder.file("in"))
    try file.append([4])
    try file.publish()
    #expect(try folder.bytes("moved/y") == [4] && !folder.exists("out/y"))
    #expect(try #require(FileSystem.names(in: folder.file("out"))).isEmpty)
    #expect(Confinement.place(of: folder.file("moved/new/deep"))?.hasSuffix("/moved/new/deep") == true)
    for name in ["moved/new/../x", "moved/link/x"] {
      #expect(Confinement.place(of: folder.file(name)) == nil, "\(name)")
    }
  }
}
