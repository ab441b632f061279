import AudioCore
import Foundation
import Glibc
import Measurement
import TestSupport
import Testing

import Verification

/// The places of goldens, and the files that a blessing may replace: none but a golden's own.
@Suite("Places of goldens")
struct GoldenPlaceTests {
  private static let check = #"{"check": "golden"}"#
  private static let text =
    #"{"version": 1, "goldens": "PLACE", "cases": [\#(caseText("a", ShellDevice.sound, checks: check))]}"#

  /// A suite in `project/suites` beside which the folder `outside` lies, with a sound that it can bless.
  private func place() throws -> SuiteFolder {
    let folder = try SuiteFolder()
    for name in ["project/suites/inside", "project/suites/.git", "project/golden", "outside", "marked"] {
      #expect(FileSystem.makeFolders(folder.file(name)) == 0)
    }
    try folder.write("", "marked/.goldens")
    for (name, aim) in [
      ("link", "../../outside"), ("nowhere", "../../outside/none"), ("self", "."), ("marked", "../../marked"),
      ("system", "/dev"), ("loop", "loop"),
    ] { symlink(aim, folder.file("project/suites/\(name)")) }
    try folder.write(noiseSignal(frames: 50), "project/suites/sound.wav")
    return folder
  }

  private func bless(_ folder: SuiteFolder, _ place: String) throws -> CaseOutcome {
    let path = try folder.write(Self.text.replacing("PLACE", with: place), "project/suites/s.json")
    let suite = try SuiteFile(path: path)
    var runner = CaseRunner()
    runner.policy = GoldenPolicy(.all, reason: "a test")
    return runner.run(suite.cases[0], of: suite)
  }

  private func expectRefused(_ folder: SuiteFolder, _ place: String) throws {
    let before = try FileManager.default.subpathsOfDirectory(atPath: folder.path).sorted()
    let error = #expect(throws: BenchError.self, "\(place)") { try bless(folder, place) }
    #expect(error?.kind == .suite && error?.place.contains("key \"goldens\"") == true, "\(place): \(error as Any)")
    let after = try FileManager.default.subpathsOfDirectory(atPath: folder.path).sorted()
    #expect(after == Array(Set(before + ["project/suites/s.json"])).sorted(), "\(place)")
  }

  @Test(
    "A folder outside of the suite's project is refused, whatever way leads there; in the project and where it is marked it is not"
  )
  func places() throws {
    let folder = try place()
    let outside = [
      "..", "../x", "../golden", "../../outside", "/dev", "/", "/tmp", "/proc/self/cwd", "link", "link/x", "nowhere",
      "self/../../golden",
      "system", "loop", "inside/../../golden", "new/../../golden", "new/../x", "\(folder.path)/outside",
    ]
    for place in outside { try expectRefused(folder, place) }
    for place in [
      "marked/.", "inside", "self", "new/deep", "\(folder.path)/project/suites/inside/x", "marked", "../../marked",
    ] {
      #expect(try bless(folder, place).verdict == .passed, "\(place)")
    }
    #expect(folder.exists("marked/a.json") && folder.exists("project/suites/inside/x/a.flac"))
    // In a project of version control the whole of it may have goldens, but for what that keeps itself.
    #expect(FileSystem.removeFolder(folder.file("project/suites/.git")) == 0)
    #expect(FileSystem.makeFolders(folder.file("project/.git/hooks")) == 0)
    for place in ["../golden", "..", "../new", "self/../golden"] { _ = try bless(folder, place) }
    #expect(
      folder.exists("project/golden/a.json") && folder.exists("project/a.json") && folder.exists("project/new/a.flac"))
    for place in ["../.git", "../.git/hooks", "../../outside", "link", "system"] { try expectRefused(folder, place) }
    // In a folder that all users may write to, a folder of that name is no proof.
    let shared = try self.place()
    #expect(FileSystem.removeFolder(shared.file("project/suites/.git")) == 0)
    #expect(FileSystem.makeFolders(shared.file(".git")) == 0 && chmod(shared.path, 0o1777) == 0)
    try expectRefused(shared, "../../outside")
    #expect(chmod(shared.path, 0o700) == 0)
    #expect(try bless(shared, "../../outside").verdict == .passed)
  }

  @Test("A file that is no golden's is never replaced: no record, no sound, no curve, no link, no pipe")
  func victims() throws {
    let json = #"{"version": 2, "name": "a", "scripts": {"test": "x"}}"#
    let victims: [(String, (SuiteFolder) throws -> Void)] = [
      ("a.json", { try $0.write("precious", "project/suites/inside/a.json") }),
      ("a.json", { try $0.write(json, "project/suites/inside/a.json") }),
      ("a.json", { try $0.write("", "project/suites/inside/a.json") }),
      ("a.flac", { try $0.write("precious", "project/suites/inside/a.flac") }),
      ("a.json", { mkfifo($0.file("project/suites/inside/a.json"), 0o600) }),
      ("a.flac", { mkfifo($0.file("project/suites/inside/a.flac"), 0o600) }),
      ("a.flac", { mkdir($0.file("project/suites/inside/a.flac"), 0o700) }),
      ("a.json", { symlink("/dev/zero", $0.file("project/suites/inside/a.json")) }),
      ("a.json", { symlink("../../../outside/new", $0.file("project/suites/inside/a.json")) }),
      ("a.flac", { symlink("../../../outside/new", $0.file("project/suites/inside/a.flac")) }),
      ("a.flac", { symlink("../sound.wav", $0.file("project/suites/inside/a.flac")) }),
      (
        "a.json",
        {
          try $0.write("precious", "outside/p")
          link($0.file("outside/p"), $0.file("project/suites/inside/a.json"))
        }
      ),
    ]
    for (index, (name, make)) in victims.enumerated() {
      let folder = try place()
      try make(folder)
      func look() throws -> [String] {
        try FileManager.default.subpathsOfDirectory(atPath: folder.path).sorted().map { name in
          var status = stat()
          lstat(folder.file(name), &status)
          let isFile = status.st_mode & S_IFMT == S_IFREG
          return
            "\(name) \(status.st_mode) \(isFile && !name.hasSuffix("s.json") ? try Data(contentsOf: URL(filePath: folder.file(name))).count : 0)"
        }
      }
      try folder.write("", "project/suites/s.json")
      let before = try look()
      let outcome = try bless(folder, "inside")
      #expect(outcome.verdict == .error, "\(index): \(outcome.checks.map(\.found))")
      let said = (outcome.checks.map(\.found) + [outcome.message ?? ""]).joined()
      #expect(said.contains(name) || said.contains("golden \"a\""), "\(index): \(said)")
      #expect(try look() == before, "\(index)")
    }
  }

  @Test("What a link in a golden's own name leads to is neither read nor written outside of the project")
  func linkedFolders() throws {
    let folder = try place()
    #expect(try bless(folder, "inside").verdict == .passed)
    try FileManager.default.moveItem(atPath: folder.file("project/suites/inside"), toPath: folder.file("outside/moved"))
    #expect(FileSystem.makeFolders(folder.file("project/suites/inside")) == 0)
    symlink("../../../outside/moved", folder.file("project/suites/inside/sub"))
    let text = Self.text.replacing("PLACE", with: "inside").replacing(
      #""id": "a","#, with: #""id": "a", "golden": "sub/a","#)
    let suite = try SuiteFile(path: try folder.write(text, "project/suites/s.json"))
    for mode in [GoldenPolicy.Mode.never, .all] {
      var runner = CaseRunner()
      runner.policy = GoldenPolicy(mode, reason: "a test")
      let outcome = runner.run(suite.cases[0], of: suite)
      #expect(outcome.verdict == .error && outcome.checks[0].found.contains("a link leads to"), "\(outcome.checks)")
    }
  }
}
