import AudioCore
import Foundation
import TestSupport
import Testing

@Suite("What `make install` leaves is what a C program's owner needs")
struct InstallationTests {
  @Test("Every header is installed, under a root of its own")
  func headers() throws {
    let prefix = try Installation.shared().prefix
    let sources = try Repository.files(below: "Sources/CoreAudio/CAudioToolbox/include", suffix: "")
      .map { $0.dropFirst("Sources/CoreAudio/CAudioToolbox/include/".count) }
      .filter { $0.hasSuffix(".h") || $0.hasSuffix(".modulemap") }
    #expect(sources.count > 25)
    for header in sources {
      let installed = try String(contentsOfFile: "\(prefix)/include/aubench/\(header)", encoding: .utf8)
      let source = try Repository.text("Sources/CoreAudio/CAudioToolbox/include/\(header)")
      #expect(installed == source, "\(header)")
    }
    // <TargetConditionals.h> must not be found by who only has the prefix on the path.
    #expect(try FileManager.default.contentsOfDirectory(atPath: prefix + "/include") == ["aubench"])
  }

  @Test("pkg-config knows the flags by both names", arguments: ["AudioToolbox", "audiotoolbox"])
  func packageDescription(name: String) throws {
    let installation = try Installation.shared()
    let run = try Finished(
      "/usr/bin/env", ["pkg-config", "--cflags", "--libs", name],
      ["PKG_CONFIG_PATH": installation.libraryFolder + "/pkgconfig"])
    let flags = run.output.split(whereSeparator: \.isWhitespace)
    for flag in [
      "-I\(installation.prefix)/include/aubench", "-fblocks", "-fcf-runtime-abi=swift", "-D_GNU_SOURCE",
      "-L\(installation.libraryFolder)", "-lAudioToolbox", "-lFoundation", "-ldispatch", "-lBlocksRuntime", "-lm",
      "-Wl,-rpath,\(installation.libraryFolder)",
    ] {
      #expect(flags.contains { $0 == flag }, "\(flag) in \(run.output)")
    }
  }

  /// The version stands in one place.
  @Test("pkg-config knows the version that the program tells")
  func version() throws {
    let installation = try Installation.shared()
    let run = try Finished(
      "/usr/bin/env", ["pkg-config", "--modversion", "AudioToolbox"],
      ["PKG_CONFIG_PATH": installation.libraryFolder + "/pkgconfig"])
    #expect(run.output == AudioCore.Program.version + "\n")
    #expect(!AudioCore.Program.version.isEmpty)
  }

  @Test("The README's command compiles a host")
  func readmeCommand() throws {
    let installation = try Installation.shared()
    let toolchain = try #require(Installation.toolchain, "no swiftc on the path")
    let command = try #require(try Repository.text("README.md").firstMatch(of: /`(clang host\.c [^`]+)`/)).output.1
    let folder = TemporaryFolder()
    for (source, name) in [("hosting_fundamentals.c", "host.c"), ("client.h", "client.h")] {
      folder.write(try Repository.text("Tests/Clients/\(source)"), to: name)
    }
    let path = toolchain.path + ":" + (ProcessInfo.processInfo.environment["PATH"] ?? "")
    let run = try Finished(
      "/bin/sh", ["-c", "cd \"$1\" && \(command) && ./host", "sh", folder.path],
      ["PATH": path, "PKG_CONFIG_PATH": installation.libraryFolder + "/pkgconfig"])
    #expect(run.code == 0 && !run.output.isEmpty, "\(run.errors)")
  }

  @Test("A package is staged below DESTDIR and speaks of PREFIX; uninstalling leaves nothing")
  func staging() throws {
    let folder = TemporaryFolder()
    let stage = folder.file("stage")
    defer { try? FileManager.default.removeItem(atPath: stage) }
    let script = "\(Repository.path)/Scripts/install-library"
    let install = try Finished(script, [Installation.buildFolder.path, "/opt/elsewhere", stage])
    #expect(install.code == 0, "\(install.errors)")
    let description = try String(
      contentsOfFile: stage + "/opt/elsewhere/lib/pkgconfig/AudioToolbox.pc", encoding: .utf8)
    #expect(description.contains("prefix=/opt/elsewhere\n"))
    #expect(!description.contains(stage))
    #expect(FileManager.default.fileExists(atPath: stage + "/opt/elsewhere/lib/libAudioToolbox.so"))
    #expect(try Finished(script, ["--uninstall", "", "/opt/elsewhere", stage]).code == 0)
    let left = try FileManager.default.subpathsOfDirectory(atPath: stage).filter { name in
      var isFolder: ObjCBool = false
      return !FileManager.default.fileExists(atPath: "\(stage)/\(name)", isDirectory: &isFolder) || !isFolder.boolValue
    }
    #expect(left == [])
  }

  @Test("Pages and schemas are installed where the manual page says, and taken away again")
  func pages() throws {
    let folder = TemporaryFolder()
    let stage = folder.file("stage")
    defer { try? FileManager.default.removeItem(atPath: stage) }
    let script = "\(Repository.path)/Scripts/install-pages"
    let install = try Finished(script, ["/opt/some where", stage])
    #expect(install.code == 0, "\(install.errors)")
    let pages = stage + "/opt/some where/share/doc/aubench"
    for name in [
      "graph-file.md", "batch.md", "stability.md", "job-file.schema.json", "graph-file.schema.json",
      "suite-file.schema.json",
    ] {
      #expect(
        try String(contentsOfFile: "\(pages)/\(name)", encoding: .utf8) == Repository.text("docs/\(name)"), "\(name)")
    }
    #expect(FileManager.default.fileExists(atPath: pages + "/CHANGELOG.md"))
    let manual = try String(contentsOfFile: stage + "/opt/some where/share/man/man1/aubench.1", encoding: .utf8)
    // Dashes and blanks of roff aside: the folder of this installation, and not the usual one.
    let isNamed = try Repository.text("docs/aubench.1").contains("/usr/local/share/doc/aubench")
    #expect(manual.contains("/opt/some where/share/doc/aubench") == isNamed && !manual.contains("/usr/local/share/doc"))
    try "mine".write(toFile: pages + "/notes.txt", atomically: true, encoding: .utf8)
    #expect(try Finished(script, ["--uninstall", "/opt/some where", stage]).code == 0)
    #expect(try FileManager.default.contentsOfDirectory(atPath: pages) == ["notes.txt"])
    let makefile = try Repository.text("Makefile")
    #expect(makefile.contains("Scripts/install-pages $(PREFIX)"))
    #expect(makefile.contains("Scripts/install-pages --uninstall $(PREFIX)"))
  }

  @Test("What cannot be installed is refused, and said")
  func refusals() throws {
    let script = "\(Repository.path)/Scripts/install-library"
    let folder = TemporaryFolder()
    let nothingBuilt = try Finished(script, [folder.path, folder.file("prefix")])
    #expect(nothingBuilt.code == 1 && nothingBuilt.errors.contains("make library"))
    let relative = try Finished(script, [Installation.buildFolder.path, "prefix"])
    #expect(relative.code == 2 && relative.errors.contains("absolute"))
    #expect(folder.names == [])
  }
}
