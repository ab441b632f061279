import Foundation
import Reporting
import TestSupport
import Testing

@Suite("Bench: a history as a page")
struct CostHistoryTests {
  /// A run whose costs are a share above 100 ns and 50,000 instructions.
  private static func run(_ unixTimeSeconds: Double, _ share: Double, version: String = "0.1.0") -> String {
    let (time, count) = (100 * (1 + share), 50_000 * (1 + share))
    return """
      {"unixTimeSeconds": \(unixTimeSeconds), "subject": "song.json",
      "machine": {"processor": "<b>Processor</b>", "version": "\(version)"}, "cases": [{"name": "512 frames",
      "nanosecondsPerFrame": {"median": \(time), "lower": \(time), "upper": \(time)}, "instructionsPerFrame": \(count)}]}
      """.replacing("\n", with: " ") + "\n"
  }

  private func page(_ runs: [String]) throws -> String {
    let folder = TemporaryFolder()
    return CostPage(try CostHistory(folder.write(runs.joined(), to: "h.jsonl"))).text
  }

  private func labels(_ kind: String, of drawing: Substring) -> [String] {
    drawing.matches(of: /<text class="(\w+)" [^>]*>([^<]*)</).filter { $0.output.1 == kind }.map { String($0.output.2) }
  }

  private func drawings(_ page: String) -> [Substring] {
    page.split(separator: "<svg class=\"figure\"").dropFirst().map { $0 }
  }

  @Test("The axis has the days of the runs, a point for each, and the version from which it is another")
  func days() throws {
    // 1234567890 is 2009-02-13 23:31:30, 1600000000 2020-09-13 12:26:40, 1700000000 2023-11-14 22:13:20.
    let page = try page([
      Self.run(1_234_567_890, 0), Self.run(1_600_000_000, 0.5), Self.run(1_700_000_000, 0.25, version: "1.2.3"),
    ])
    #expect(drawings(page).count == 2)
    for drawing in drawings(page) {
      #expect(labels("middle", of: drawing).filter { $0.contains("-") } == ["2009-02-13", "2020-09-13", "2023-11-14"])
      #expect(drawing.contains(">1.2.3<"))
      #expect(drawing.contains(">ns a frame<") || drawing.contains(">instructions a frame<"), "the whole label")
      // The circles in the panel; one more is in the legend.
      #expect(drawing.matches(of: /M[\d.]+ [\d.]+m-4\.2 0a4\.2/).count == 4)
    }
    #expect(!page.contains("<b>Processor"))
  }

  @Test("Of runs of one day the axis has the times too; times that no calendar has do no harm")
  func times() throws {
    let page = try page([
      Self.run(1_234_567_890, 0), Self.run(1_234_567_800, 0), Self.run(1e300, 0), Self.run(-1e300, 0),
    ])
    let shown = labels("middle", of: try #require(drawings(page).first))
    #expect(shown.contains("2009-02-13 23:30") && shown.contains("2009-02-13 23:31"), "\(shown)")
  }

  @Test(
    "A change of 0.003 % does not fill the panel: an axis shows 10 % of a time, 2 % of a count",
    arguments: [0.00003, 0])
  func smallChanges(_ share: Double) throws {
    let page = try page([Self.run(1_234_567_890, 0), Self.run(1_600_000_000, share), Self.run(1_700_000_000, 0)])
    for (drawing, (cost, least)) in zip(drawings(page), [(100.0, 0.1), (50_000, 0.02)]) {
      let values = labels("end", of: drawing).compactMap(Double.init)
      let span = (values.max() ?? 0) - (values.min() ?? 0)
      // The outermost ticks lie somewhat within the ends.
      #expect(span > 0.7 * least * cost && span < 2 * least * cost, "\(values)")
    }
  }
}
