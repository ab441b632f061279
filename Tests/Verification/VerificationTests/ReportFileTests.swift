import AudioCore
import Foundation
import TestSupport
import Reporting
import Testing
import Verification

@Suite("Reports: files, whole or not at all")
struct ReportFileTests {
  private let run = ReportFixture.everything()

  @Test("all three are written, nothing is left beside them, and a file that was there is replaced")
  func writes() throws {
    let folder = TemporaryFolder()
    folder.write("old", to: "run.json")
    chmod(folder.file("run.json"), 0o640)
    try JSONReport.write(run, to: folder.file("run.json"))
    try JUnitReport.write(run, to: folder.file("junit.xml"))
    try HTMLReport.write(run, to: folder.file("report.html"))
    #expect(folder.names == ["junit.xml", "report.html", "run.json"])
    #expect(String(decoding: bytes(ofFile: folder.file("run.json")), as: UTF8.self) == JSONReport.text(run))
    var status = stat()
    #expect(stat(folder.file("run.json"), &status) == 0 && status.st_mode & 0o777 == 0o640)
  }

  @Test("a link stays a link: what it leads to is replaced")
  func links() throws {
    let folder = TemporaryFolder()
    folder.write("old", to: "real.json")
    symlink("real.json", folder.file("link.json"))
    try JSONReport.write(run, to: folder.file("link.json"))
    #expect(String(decoding: bytes(ofFile: folder.file("real.json")), as: UTF8.self) == JSONReport.text(run))
    #expect(folder.names == ["link.json", "real.json"])
  }

  @Test("a place that cannot be written to is an error that says where and how to fix it, and leaves nothing")
  func errors() throws {
    let folder = TemporaryFolder()
    let missing = #expect(throws: BenchError.self) { try JSONReport.write(run, to: folder.file("no/run.json")) }
    #expect(missing?.kind == .output && missing?.description.contains("there is no folder") == true)
    #expect(missing?.place == folder.file("no/run.json") && missing?.advice != nil)
    let isFolder = #expect(throws: BenchError.self) { try HTMLReport.write(run, to: folder.path) }
    #expect(isFolder?.message == "is a folder")
    #expect(throws: BenchError.self) { try JUnitReport.write(run, to: "") }
    #expect(folder.names.isEmpty)
  }

  @Test("a full disk is an error", .enabled(if: access("/dev/full", W_OK) == 0, "no /dev/full"))
  func fullDisk() {
    let error = #expect(throws: BenchError.self) { try JSONReport.write(run, to: "/dev/full") }
    #expect(error?.kind == .output && error?.advice?.contains("space") == true)
  }

  @Test("a file is replaced, never written over: who has the old one open reads on")
  func replaces() throws {
    let folder = TemporaryFolder()
    folder.write("old", to: "run.json")
    link(folder.file("run.json"), folder.file("second name"))
    try JSONReport.write(run, to: folder.file("run.json"))
    #expect(bytes(ofFile: folder.file("second name")) == Array("old".utf8))
  }
}
