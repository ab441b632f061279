import Foundation
import TestSupport
import Testing

@Suite("The page of a batch")
struct BatchPageTests {
  private static let hostile = "<img src=x onerror=alert(1)>\"'&"

  /// Four sounds of 2, 0.5, 1 and 1 s and one file that is none, with a name that would do harm where it was not
  /// escaped.
  private func page(in folder: TemporaryFolder) throws -> String {
    // Lengths that are no whole milliseconds: 1.0000208 s is 1.000.
    for (name, frames) in [("long", 96_001), ("short", 24_001), ("whole", 48_000), (Self.hostile, 48_001)] {
      folder.write(WaveFile.samples([Int16](repeating: 16_384, count: frames), rate: 48_000).bytes, to: "\(name).wav")
    }
    folder.write("nothing", to: "bad.wav")
    let line = #""$AUBENCH" convert '*.wav' -o 'o/{name}.flac' --html page.html"#
    let result = try Program.shell(line, in: folder)
    try #require(result.code == 4, "\(result.errors)")
    return String(decoding: try folder.bytes("page.html"), as: UTF8.self)
  }

  private func rows(_ page: String) -> [(kind: String, cells: [String])] {
    page.matches(of: /<tr class="(\w+)">(.*?)<\/tr>/).map { row in
      (String(row.output.1), row.output.2.matches(of: /<td[^>]*>(.*?)<\/td>/).map { String($0.output.1) })
    }
  }

  @Test(
    "What failed stands first with its reason; job, program and time are told, seconds are rounded, names are escaped")
  func content() throws {
    let folder = TemporaryFolder()
    let page = try page(in: folder)
    let rows = rows(page)
    #expect(rows.map(\.kind) == ["failed", "made", "made", "made", "made"])
    let failed = try #require(rows.first).cells
    #expect(failed[0] == "o/bad.flac" && failed[2].contains("bad.wav: ") && failed.count == 3, "\(failed)")
    #expect(rows.dropFirst().map(\.cells[2]).sorted() == ["0:00.500", "0:01.000", "0:01.000", "0:02.000"])
    let heads = page.matches(of: /<th scope="col"[^>]*>(.*?)<\/th>/).map { String($0.output.1) }
    #expect(
      heads == ["output", "status", "length", "Hz", "channels", "format", "size", "peak dBFS"],
      "what is empty is left out")
    #expect(page.contains("<title>1 FAILED: Batch aubench convert &#39;*.wav&#39; -o &#39;o/{name}.flac&#39;"))
    #expect(page.contains("4 of 5 files made, 1 failed"))
    #expect(page.firstMatch(of: /aubench \d+\.\d+\.\d+ · begun \d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ · took/) != nil)
    #expect(!page.contains("<img") && page.contains("&lt;img src=x onerror=alert(1)&gt;&quot;&#39;&amp;.flac"))
    #expect(
      page.matches(of: /<[^>]*(?:src|href)=/).isEmpty && !page.contains("http:") && !page.contains("https:"),
      "nothing from outside")
  }

  @Test("A browser runs the page's own script and no other: the policy names it by what it is")
  func policy() throws {
    let folder = TemporaryFolder()
    let page = try page(in: folder)
    let script = try #require(page.firstMatch(of: /<script>((?s).*?)<\/script>/)).output.1
    folder.write(String(script), to: "script")
    let digits = try Program.shell("sha256sum script", in: folder).output.prefix(64)
    let bytes = stride(from: 0, to: digits.count, by: 2).compactMap { UInt8(digits.dropFirst($0).prefix(2), radix: 16) }
    let hash = "sha256-" + Data(bytes).base64EncodedString()
    #expect(page.contains("script-src '\(hash)';"), "write this to SortableTable.scriptHash: \(hash)")
    #expect(page.matches(of: /<script/).count == 1 && !page.contains("script-src 'unsafe"))
  }

  static let chromium: String? = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"]
    .first { FileManager.default.isExecutableFile(atPath: $0) }

  @Test(
    "A browser sorts the rows by a column, up or down; what has no value comes last",
    .enabled(if: chromium != nil, "chromium is not installed"))
  func sorting() throws {
    let folder = TemporaryFolder()
    _ = try page(in: folder)
    func lengths(_ address: String) throws -> [String] {
      // The browser makes a socket in its temporary folder, whose path may have 107 bytes.
      let line = """
        TMPDIR=/tmp "\(try #require(Self.chromium))" --headless --no-sandbox --disable-gpu --no-first-run \
        --user-data-dir="$PWD/profile" --dump-dom "file://$PWD/page.html\(address)" 2>/dev/null
        """
      let page = try Program.shell(line, in: folder).output
      #expect(page.contains("data-ready=\"yes\""), "the script ran to its end")
      return rows(page).map { $0.kind == "failed" ? "-" : $0.cells[2] }
    }
    let rising = ["0:00.500", "0:01.000", "0:01.000", "0:02.000"]
    #expect(try lengths("#sort=length") == rising + ["-"])
    #expect(try lengths("#sort=-length") == rising.reversed() + ["-"])
    #expect(try lengths("").first == "-")
  }
}
