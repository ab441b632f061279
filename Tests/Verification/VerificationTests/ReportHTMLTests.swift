import Foundation
import FoundationXML
import Measurement
import TestSupport
import Reporting
import Testing
import Verification

@Suite("Reports: the page")
struct ReportHTMLTests {
  /// The texts of some that are in a page: a failed expectation must not print the page.
  private func present(_ texts: [String], in page: String) -> [String] { texts.filter { page.contains($0) } }
  private func missing(_ texts: [String], in page: String) -> [String] { texts.filter { !page.contains($0) } }

  @Test("hostile texts are escaped wherever they stand: the page has one script, no picture and no handler of theirs")
  func hostileTexts() {
    let page = HTMLReport.text(ReportFixture.everything())
    let tags = page.matches(of: /<(script|img|audio|iframe|object|embed|link)\b/).map { String($0.output.1) }
    #expect(tags == ["script"])
    #expect(present([ReportFixture.script, ReportFixture.image], in: page) == [])
    #expect(missing(["&lt;script&gt;document", "&quot;&gt;&lt;img src=x"], in: page) == [])
    let controls = page.unicodeScalars.filter { $0.value < 0x20 && $0 != "\n" }
    #expect(controls.isEmpty)
  }

  @Test("a browser runs the page's own script and no other: the policy names it by what it is")
  func policy() throws {
    let page = HTMLReport.text(ReportFixture.everything())
    let script = try #require(page.firstMatch(of: /<script>((?s).*?)<\/script>/)).output.1
    let folder = TemporaryFolder()
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["sha256sum", folder.write(String(script), to: "script")]
    let pipe = Pipe()
    process.standardOutput = pipe
    try process.run()
    let digits = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self).prefix(64)
    process.waitUntilExit()
    let bytes = stride(from: 0, to: digits.count, by: 2).compactMap { UInt8(digits.dropFirst($0).prefix(2), radix: 16) }
    try #require(bytes.count == 32)
    let hash = "sha256-" + Data(bytes).base64EncodedString()
    #expect(page.contains("script-src '\(hash)';"), "write this to HTMLPage.scriptHash: \(hash)")
    #expect(!page.contains("nonce") && !page.contains("script-src 'unsafe"))
    #expect(page == HTMLReport.text(ReportFixture.everything()), "the same run makes the same page")
  }

  @Test("the page needs nothing from a network: no address in it leads out")
  func isSelfContained() {
    let page = HTMLReport.text(ReportFixture.everything())
    let outside = page.matches(of: /(?:src|href)="(?!data:|#|file:|\.\/)/).map {
      page[$0.range.lowerBound...].prefix(60)
    }
    #expect(outside == [])
    #expect(present(["http:", "https:", "@import", "url("], in: page) == [])
    #expect(missing(["default-src 'none'"], in: page) == [])
  }

  @Test("sounds and pictures of a failure are in the page, and what was done to the sounds is said")
  func embedsFiles() throws {
    let folder = TemporaryFolder()
    let page = HTMLReport.text(
      ReportFixture.everything(files: ReportFixture.files(in: folder)), path: folder.file("report.html"))
    let sounds = page.matches(of: /src="data:audio\/flac;base64,([^"]+)"/)
    #expect(sounds.count == 3)
    for sound in sounds {
      let bytes = try #require(Data(base64Encoded: String(sound.output.1)))
      #expect(Array(bytes.prefix(4)) == Array("fLaC".utf8))
    }
    let pictures = page.matches(of: /src="data:image\/svg\+xml;base64,/).count
    #expect(pictures == 1)
    // 1.5 is 3.52 dB over full scale; 0.00001 is −100 dBFS, and −12.04 dBFS is where differences are brought to.
    #expect(missing(["softened by 3.5 dB", "amplified by 87 dB"], in: page) == [])
    #expect(missing(["href=\"./difference%20%3C1%3E.wav\""], in: page) == [], "a link is relative to the page")
  }

  @Test("a file that is missing, or is none that can be shown, is a link with the reason")
  func missingFiles() {
    let folder = TemporaryFolder()
    var files = CaseOutcome.Files()
    files.actual = folder.write("no sound", to: "actual.wav")
    files.expected = folder.file("missing.wav")
    files.pictures = [("text", folder.write("no picture", to: "a.png")), ("none", folder.file("b.png"))]
    let page = HTMLReport.text(ReportFixture.everything(files: files), path: folder.file("report.html"))
    #expect(present(["src=\"data:"], in: page) == [])
    let links = ["./actual.wav", "./missing.wav", "./a.png", "./b.png"].map { "href=\"\($0)\"" }
    #expect(missing(links + ["no picture that a browser shows", "the file is missing"], in: page) == [])
  }

  @Test("a page of a thousand cases with curves stays below eight megabytes, and what failed is drawn all the same")
  func manyCases() {
    var outcome = ReportFixture.allPassed(1000)
    outcome.cases.append(ReportFixture.failed())
    let page = HTMLReport.text(outcome)
    let byteCount = page.utf8.count
    #expect(byteCount < 8 << 20)
    let count = page.matches(of: /<details class="case\s/).count
    #expect(count == 1001)
    #expect(missing(["The curves are in the JSON report"], in: page) == [])
    let start = page.range(of: "id=\"case-equalizers/lowPass-1k\"")?.lowerBound ?? page.endIndex
    #expect(missing(["<svg class=\"figure\""], in: String(page[start...].prefix(20_000))) == [])
  }

  @Test("what did not pass comes first, and open")
  func order() throws {
    let page = HTMLReport.text(ReportFixture.everything())
    let verdicts = page.matches(of: /data-verdict="(\w+)"( open)?/).map { ("\($0.output.1)", $0.output.2 != nil) }
    #expect(
      verdicts.map(\.0) == ["failed", "failed", "crashed", "timedOut", "error", "unblessed", "passed", "skipped"])
    #expect(verdicts.map(\.1) == [true, true, true, true, true, true, false, false])
  }

  static let chromium: String? = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"]
    .first { FileManager.default.isExecutableFile(atPath: $0) }

  /// The root element of a page after its script has run.
  private func root(of page: String, address: String = "") throws -> [String: String] {
    let folder = TemporaryFolder()
    let path = folder.write(page, to: "report.html")
    let profile = NSTemporaryDirectory() + "/aubench-chromium-\(UUID().uuidString)"
    defer { try? FileManager.default.removeItem(atPath: profile) }
    let process = Process()
    process.executableURL = URL(fileURLWithPath: try #require(Self.chromium))
    process.arguments = [
      "--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--user-data-dir=\(profile)", "--dump-dom",
      "file://\(path)\(address)",
    ]
    // It makes a socket in its temporary folder, whose path may have 107 bytes.
    process.environment = ProcessInfo.processInfo.environment.merging(["TMPDIR": "/tmp"]) { $1 }
    let output = Pipe()
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    let tag = try #require(text.firstMatch(of: /<html[^>]*>/)?.output, "chromium printed no page: \(text.prefix(200))")
    let attributes = tag.matches(of: /data-(\w+)="([^"]*)"/).map { ("\($0.output.1)", "\($0.output.2)") }
    return Dictionary(attributes, uniquingKeysWith: { first, _ in first })
  }

  @Test(
    "a browser runs the page's script without an error, and shows what the address asks for",
    .enabled(if: chromium != nil, "chromium is not installed"),
    arguments: [("", "8"), ("#show=failed", "2"), ("#find=mixers%20ramp", "1"), ("#show=passed&find=nothing", "0")])
  func inBrowser(address: String, visible: String) throws {
    let folder = TemporaryFolder()
    let page = HTMLReport.text(ReportFixture.everything(files: ReportFixture.files(in: folder)))
    #expect(
      try root(of: page, address: address) == ["cases": "8", "visible": visible, "ready": "yes"],
      "nothing of a hostile text ran, and no error was met")
  }

  @Test("a browser opens a page of a thousand cases", .enabled(if: chromium != nil, "chromium is not installed"))
  func manyInBrowser() throws {
    #expect(
      try root(of: HTMLReport.text(ReportFixture.allPassed(1000)))
        == ["cases": "1000", "visible": "1000", "ready": "yes"])
  }
}
