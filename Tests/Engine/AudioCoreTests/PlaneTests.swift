import AudioCore
import Foundation
import TestSupport
import Testing

@Suite("Planes")
struct PlaneTests {
  private let buffer = PlanarBuffer([[0, 1, 2, 3, 4, 5, 6, 7, 8, 9], Array(repeating: 1, count: 10)])

  @Test("A part of a plane is a view of the same memory, with its own beginning and count")
  func parts() {
    let plane = buffer[0]
    let rest = (plane + 6).prefix(3)
    #expect((plane.count, rest.count) == (10, 3))
    rest[1] = 70
    #expect(plane[7] == 70)
    #expect(Array(rest.elements) == [6, 70, 8])
    #expect((plane + 10).count == 0)
    withExtendedLifetime(buffer) {}
  }

  @Test("Copies may overlap, in both directions; what lies behind the count stays")
  func copies() {
    let plane = buffer[0]
    plane.update(from: plane + 2, count: 5)
    #expect(Array(plane.elements) == [2, 3, 4, 5, 6, 5, 6, 7, 8, 9])
    (plane + 3).update(from: plane, count: 6)
    #expect(Array(plane.elements) == [2, 3, 4, 2, 3, 4, 5, 6, 5, 9])
    plane.update(repeating: 1, count: 2)
    (plane + 8).update(from: [30, 40])
    #expect(Array(plane.elements) == [1, 1, 4, 2, 3, 4, 5, 6, 30, 40])
    plane.fill(-1)
    #expect(plane.elements.allSatisfy { $0 == -1 } && buffer[1].elements.allSatisfy { $0 == 1 })
  }

  @Test("Eight elements are read and written at any place")
  func eight() {
    let plane = buffer[0]
    #expect(plane[eight: 1] == SIMD8(1, 2, 3, 4, 5, 6, 7, 8))
    plane[eight: 2] = SIMD8(repeating: 3)
    #expect(Array(plane.elements) == [0, 1, 3, 3, 3, 3, 3, 3, 3, 3])
    withExtendedLifetime(buffer) {}
  }

  @Test("Planes of some channels, and from some frame on, are views too")
  func planes() {
    let second = buffer.planes[1..<2]
    second[0][0] = 5
    #expect((second.channelCount, second.frameCount, buffer[1][0]) == (1, 10, 5))
    let addresses = PlaneAddresses<Float>(channelCount: 2)
    let later = addresses.planes(buffer.planes, from: 4)
    #expect((later[0][0], later[1].count, later.frameCount) == (4, 6, 6))
    let swapped = addresses.planes([buffer[1], buffer[0] + 1])
    #expect((swapped[0][0], swapped[1][0], swapped.frameCount) == (5, 1, 9))
  }

  /// Accesses that lie outside, by name.
  private static let outside = [
    "plane[10]", "plane[-1]", "memory[4]", "memory[-1]", "plane + 11", "plane + -1", "(plane + 4)[6]",
    "plane.prefix(11)", "plane.prefix(-1)", "plane.start(of: 11)", "plane[eight: 3]",
    "plane.update(from: memory.all, count: 5)",
    "memory.all.update(from: plane, count: 5)", "plane.update(repeating: 0, count: 11)",
    "plane.update(from: [Float](repeating: 0, count: 11))", "planes[2]", "planes[-1]", "planes[1..<3]",
    "planes.starts(of: 3, frames: 1)", "planes.starts(of: 2, frames: 11)",
  ]
  /// The last that lie inside.
  private static let inside = [
    "plane[9]", "memory[3]", "plane + 10", "(plane + 4)[5]", "plane.prefix(10)", "plane.start(of: 10)",
    "plane[eight: 2]",
    "plane.update(from: memory.all, count: 4)", "memory.all.update(from: plane, count: 4)", "planes[1]",
    "planes[0..<2]",
    "planes.starts(of: 2, frames: 10)",
  ]

  // The tests are built as a release, in which nothing is checked: so a program is compiled in which planes are.
  @Test("A program that is built to check planes ends where an access lies outside, and goes on where it lies inside")
  func checks() throws {
    let folder = TemporaryFolder()
    let accesses = Self.inside + Self.outside
    let cases = accesses.enumerated().map { "case \($0): _ = \($1)" }.joined(separator: "\n")
    let source = """
      @main struct Probe {
        static func main() {
          let buffer = PlanarBuffer(channelCount: 2, frameCapacity: 10)
          let memory = FlatMemory<Float>(repeating: 0, count: 4)
          let (planes, plane) = (buffer.planes, buffer[0])
          switch Int(CommandLine.arguments[1]) {
          \(cases)
          default: fatalError()
          }
          withExtendedLifetime(buffer) {}
        }
      }
      """
    try source.write(toFile: folder.file("Probe.swift"), atomically: true, encoding: .utf8)
    let sources = ["Plane", "FlatMemory", "PlanarBuffer"].map {
      "\(Repository.path)/Sources/Engine/AudioCore/\($0).swift"
    }
    let toolchain = try #require(TestComponent.toolchain)
    let compiled = try run(
      toolchain.appending(path: "swiftc").path,
      ["-O", "-assert-config", "Debug", "-parse-as-library", "-package-name", "probe", "-module-name", "Probe"]
        + ["-suppress-warnings", "-o", folder.file("probe"), folder.file("Probe.swift")] + sources)
    try #require(compiled.status == 0, "\(compiled.text)")
    for (index, access) in accesses.enumerated() {
      let result = try run(folder.file("probe"), ["\(index)"])
      if index < Self.inside.count {
        #expect(result.status == 0, "\(access): \(result.text)")
      } else {
        #expect(result.reason == .uncaughtSignal, "\(access) is not refused")
      }
    }
  }

  private func run(
    _ program: String, _ arguments: [String]
  ) throws -> (status: Int32, reason: Process.TerminationReason, text: String) {
    let process = Process()
    process.executableURL = URL(filePath: program)
    process.arguments = arguments
    // A crash writes no report: it would take a second.
    process.environment = ProcessInfo.processInfo.environment.merging(["SWIFT_BACKTRACE": "enable=no"]) { $1 }
    let output = Pipe()
    process.standardOutput = output
    process.standardError = output
    try process.run()
    let data = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return (process.terminationStatus, process.terminationReason, String(decoding: data, as: UTF8.self))
  }
}
