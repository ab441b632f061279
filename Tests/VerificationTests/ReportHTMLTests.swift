import Foundation
import TestSupport
import Testing
import Verification

@Suite("Reports: the page")
struct ReportHTMLTests {
  @Test("dump")
  func dump() throws {
    let folder = TemporaryFolder()
    try HTMLReport.write(
      ReportFixture.everything(files: ReportFixture.files(in: folder)), to: "/tmp/rep/everything.html")
    try HTMLReport.write(ReportFixture.allPassed(1000), to: "/tmp/rep/many.html")
    try JUnitReport.write(ReportFixture.everything(), to: "/tmp/rep/junit.xml")
    try JSONReport.write(ReportFixture.everything(), to: "/tmp/rep/run.json")
    for width in [100, 60] {
      let terminal = TerminalReport(width: width, isColored: width == 100, isVerbose: true)
      let run = ReportFixture.everything()
      let text = run.cases.map { terminal.caseFinished($0) }.joined() + terminal.summary(run)
      try text.write(toFile: "/tmp/rep/terminal-\(width).txt", atomically: true, encoding: .utf8)
      let many = terminal.summary(ReportFixture.allPassed())
      try many.write(toFile: "/tmp/rep/many-\(width).txt", atomically: true, encoding: .utf8)
    }
  }
}
