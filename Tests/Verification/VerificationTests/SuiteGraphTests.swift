import Foundation
import TestSupport
import Testing

@Suite("The graphs of the shipped suites")
struct SuiteGraphTests {
  @Test("A node's name stands for one kind of unit in all graphs, so that a report that names a node names its unit")
  func nodeNamesAreTelling() throws {
    var units: [String: String] = [:]
    let files = try Repository.files(below: "fixtures/suites/graphs", suffix: ".json")
      .filter { !$0.contains("/scenarios/") }
    #expect(files.count >= 15)
    for file in files {
      let graph = try #require(
        try JSONSerialization.jsonObject(with: Data(try Repository.text(file).utf8)) as? [String: Any])
      for node in try #require(graph["nodes"] as? [[String: Any]]) {
        let id = try #require(node["id"] as? String)
        let unit = try #require(node["unit"] as? String)
        #expect(units[id] == nil || units[id] == unit, "\(file): \(id)")
        units[id] = unit
      }
    }
  }
}
