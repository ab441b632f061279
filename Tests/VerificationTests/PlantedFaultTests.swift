import AudioUnits
import Foundation
import TestSupport
import Testing

@Suite("Planted faults")
struct PlantedFaultTests {
  struct Row {
    let id: String
    let area: String
    let nodes: [String]
    let shows: String
    let what: String
    let path: String
  }

  static func rows() throws -> [Row] {
    let lines = try Repository.text("Tests/Mutation/faults.tsv").split(separator: "\n")
      .filter { !$0.hasPrefix("#") }.map {
        $0.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
      }
    #expect(lines.first == ["id", "area", "node", "shows", "what", "where"])
    return try lines.dropFirst().map { fields in
      try #require(fields.count == 6, "\(fields)")
      return Row(
        id: fields[0], area: fields[1], nodes: fields[2].split(separator: ",").map(String.init), shows: fields[3],
        what: fields[4], path: fields[5])
    }
  }

  /// Whether each line of a source lies inside `#if PLANTED_FAULTS`, in its first part.
  static func plantedLines(of text: String) -> [(line: Substring, isPlanted: Bool)] {
    var stack: [Bool] = []
    return text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
      let words = line.drop { $0 == " " }
      if words.hasPrefix("#if ") {
        stack.append(words == "#if PLANTED_FAULTS")
      } else if words.hasPrefix("#else"), !stack.isEmpty {
        stack[stack.count - 1] = false
      } else if words.hasPrefix("#endif"), !stack.isEmpty {
        stack.removeLast()
      }
      return (line, stack.contains(true))
    }
  }

  @Test("The list has what the program can plant, and the other way round")
  func listMatchesTheProgram() throws {
    let source = try Repository.text("Sources/AudioCore/PlantedFault.swift")
    let cases = source.matches(of: /(?m)^ +case (\w+)$/).map { String($0.output.1) }
    let ids = try Self.rows().map(\.id)
    #expect(ids == cases)
    #expect(Set(ids).count == ids.count)
    #expect(ids.count >= 40)
  }

  @Test("Every fault is planted where the list says, in one file")
  func faultsHaveTheirPlaces() throws {
    let sources = try Repository.files(below: "Sources", suffix: ".swift")
      .filter { $0 != "Sources/AudioCore/PlantedFault.swift" }.map { ($0, try Repository.text($0)) }
    for row in try Self.rows() {
      let places = sources.filter { $0.1.contains(try! Regex("\\.\(row.id)\\b")) }.map(\.0)
      #expect(places == [row.path], "\(row.id)")
      #expect(row.what.hasSuffix("."), "\(row.id)")
      #expect(["always", "slices", "threads", "reset"].contains(row.shows), "\(row.id)")
    }
  }

  @Test("The list names kinds of units that there are")
  func nodesAreKnown() throws {
    let names = Set(ComponentRegistry.builtIn.components.map(\.shortName)).union(["renderer"])
    for row in try Self.rows() {
      #expect(!row.nodes.isEmpty && row.nodes.allSatisfy { names.contains($0) }, "\(row.id): \(row.nodes)")
    }
  }

  @Test("Nothing of a fault is compiled without the switch")
  func sitesAreInsideTheSwitch() throws {
    var sites = 0
    for file in try Repository.files(below: "Sources", suffix: ".swift") {
      for (line, isPlanted) in Self.plantedLines(of: try Repository.text(file)) where line.contains("PlantedFault") {
        sites += 1
        #expect(isPlanted, "\(file): \(line)")
      }
    }
    #expect(sites > 40)
    // The whole file of the faults themselves.
    let source = try Repository.text("Sources/AudioCore/PlantedFault.swift")
    #expect(source.hasPrefix("#if PLANTED_FAULTS\n") && source.hasSuffix("\n#endif\n"))
  }

  @Test("The manifest switches the faults on for nothing but the program of the mutation score")
  func manifestKeepsTheSwitch() throws {
    let manifest = try Repository.text("Package.swift")
    #expect(manifest.matches(of: /PLANTED_FAULTS"\)/).count == 1)
    #expect(manifest.contains("if Context.environment[\"AUBENCH_PLANTED_FAULTS\"] == \"1\" {"))
  }

  @Test("The program that was built with these tests has no trace of a fault", .enabled(if: !isBuiltWithFaults))
  func programHasNoTrace() throws {
    // The program lies beside the test bundle.
    let bundle = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    let path = URL(filePath: bundle).deletingLastPathComponent().appending(path: "aubench")
    let program = try Data(contentsOf: path, options: .alwaysMapped)
    // What is in a program that has faults: the type as symbols name it, the variable, and each fault. The name of the
    // empty source file is in debug information.
    for trace in ["12PlantedFault", "AUBENCH_FAULT"] + (try Self.rows().map(\.id)) {
      #expect(program.range(of: Data(trace.utf8)) == nil, "\(trace) is in the program")
    }
    // The search finds what is there.
    #expect(program.range(of: Data("maximumFramesPerSlice".utf8)) != nil)
  }

  @Test("A node's name stands for one kind of unit in all graphs of the suites, so that a report can be judged by it")
  func nodeNamesAreTelling() throws {
    var units: [String: String] = [:]
    let files = try Repository.files(below: "fixtures/suites/graphs", suffix: ".json")
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

#if PLANTED_FAULTS
  private let isBuiltWithFaults = true
#else
  private let isBuiltWithFaults = false
#endif
