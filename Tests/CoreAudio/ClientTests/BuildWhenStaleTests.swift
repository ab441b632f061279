import Foundation
import TestSupport
import Testing

@Suite("A product is built again only where something has changed")
struct BuildWhenStaleTests {
  /// A package of one file beside the script, and a `swift` that makes the product and counts its calls.
  private final class Place {
    let tree: TemporaryTree
    var calls: Int { ((try? String(contentsOfFile: tree.path + "/calls", encoding: .utf8)) ?? "").count }

    init() throws {
      tree = try TemporaryTree()
      for folder in ["Sources/Core", "Scripts", "benchmarks", "tools"] {
        try FileManager.default.createDirectory(
          atPath: "\(tree.path)/\(folder)", withIntermediateDirectories: true)
      }
      try write("package", to: "Package.swift")
      try write("one", to: "Sources/Core/One.swift")
      try write("two", to: "Sources/Core/Two.swift")
      try write("{};", to: "Scripts/interface.symbols")
      try write("echo Swift 1", to: "tools/swiftc", isProgram: true)
      try write(
        "printf x >> calls; mkdir -p .build/release; printf new > .build/release/tool; [ ! -e failing ]",
        to: "tools/swift", isProgram: true)
    }

    func write(_ text: String, to name: String, isProgram: Bool = false) throws {
      let path = "\(tree.path)/\(name)"
      try (isProgram ? "#!/bin/sh\n\(text)\n" : text).write(toFile: path, atomically: true, encoding: .utf8)
      if isProgram { try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path) }
    }

    func remove(_ name: String) throws { try FileManager.default.removeItem(atPath: "\(tree.path)/\(name)") }

    @discardableResult
    func run(_ options: String = "", product: String = "tool") throws -> Int32 {
      let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
      return try Finished(
        "/bin/sh",
        ["-c", "cd '\(tree.path)' && '\(Repository.path)/Scripts/build-when-stale' release \(product) \(options)"],
        ["PATH": "\(tree.path)/tools:\(path)"]
      ).code
    }
  }

  @Test("Nothing has changed: no build is begun, so none is waited for")
  func nothingChanged() throws {
    let place = try Place()
    #expect(try place.run() == 0 && place.calls == 1)
    #expect(try place.run() == 0 && place.calls == 1)
    // Were it asked again, it would never end.
    try place.write("while :; do :; done", to: "tools/swift", isProgram: true)
    #expect(try place.run() == 0)
  }

  @Test("A changed, new or removed source, another manifest, compiler or option, or a product that is gone")
  func changes() throws {
    let place = try Place()
    try place.run()
    var calls = 1
    func isBuilt(_ what: String, options: String = "", _ change: () throws -> Void) throws {
      try change()
      #expect(try place.run(options) == 0)
      calls += 1
      #expect(place.calls == calls, "\(what)")
      #expect(try place.run(options) == 0 && place.calls == calls, "after: \(what)")
    }
    try isBuilt("changed") { try place.write("one more", to: "Sources/Core/One.swift") }
    try isBuilt("new") { try place.write("three", to: "Sources/Core/Three.swift") }
    try isBuilt("removed") { try place.remove("Sources/Core/Two.swift") }
    try isBuilt("manifest") { try place.write("another package", to: "Package.swift") }
    try isBuilt("compiler") { try place.write("echo Swift 2", to: "tools/swiftc", isProgram: true) }
    try isBuilt("product gone") { try place.remove(".build/release/tool") }
    try isBuilt("product changed by another") { try place.write("other", to: ".build/release/tool") }
    try isBuilt("option", options: "-Xlinker -soname=tool.so") {}
  }

  @Test("A build that fails is tried again, and its failure is told")
  func failure() throws {
    let place = try Place()
    try place.write("", to: "failing")
    #expect(try place.run() != 0 && place.calls == 1)
    #expect(try place.run() != 0 && place.calls == 2)
    try place.remove("failing")
    #expect(try place.run() == 0 && place.calls == 3)
    #expect(try place.run() == 0 && place.calls == 3)
  }

  @Test("`make install` builds by no other way")
  func makefile() throws {
    let makefile = try Repository.text("Makefile")
    for (target, products) in [("build: setup\n", 7), ("library: setup\n", 3)] {
      let start = try #require(makefile.range(of: "\n" + target)).upperBound
      let recipe = makefile[start...].split(separator: "\n", omittingEmptySubsequences: false)
        .prefix { $0.hasPrefix("\t") }
      #expect(recipe.count == products)
      #expect(recipe.allSatisfy { $0.hasPrefix("\tScripts/build-when-stale $(CONFIGURATION) ") })
    }
    #expect(makefile.contains("install: build library\n"))
  }
}
