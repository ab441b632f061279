// Programs written against AVFAudio, each as it was reported with a fault, and as it was mended: the suite `programs`
// expects the fault of the one and none of the other. The fault is the only difference between the two.

import AVFoundation

/// Sound files of a program: its input, and the output that is judged.
struct SoundFiles {
  let input: URL
  let output: URL
}

/// A program, with its fault or without.
typealias EngineProgram = @Sendable (_ isMended: Bool, _ files: SoundFiles) throws -> Void

@main struct EnginePrograms {
  static let programs: [String: EngineProgram] = [
    "bytes": bigEndianBytes, "frames": estimatedFrames, "input": converterInput, "loop": loopByHandler,
    "restart": interruptedEngine, "slices": assumedSlice, "start": configurationChange, "tap": tapFormat,
    "twice": scheduledTwice,
  ]

  static func main() {
    let words = CommandLine.arguments
    guard words.count == 5, let program = programs[words[1]], ["faulty", "mended"].contains(words[2]) else {
      FileHandle.standardError.write(
        Data("usage: engine-programs \(programs.keys.sorted().joined(separator: "|")) faulty|mended IN OUT\n".utf8))
      exit(2)
    }
    do {
      try program(
        words[2] == "mended", SoundFiles(input: URL(filePath: words[3]), output: URL(filePath: words[4])))
    } catch {
      FileHandle.standardError.write(Data("\(words[1]): \(error)\n".utf8))
      exit(1)
    }
  }
}

/// Why a program cannot begin.
struct ProgramFailure: Error, CustomStringConvertible {
  let description: String
  init(_ description: String) { self.description = description }
}

/// The value, or the end of the program with what was expected.
func need<Value>(_ value: Value?, _ expected: String) throws -> Value {
  guard let value else { throw ProgramFailure("\(expected): expected, and not there") }
  return value
}

/// Calls of other threads at which a program's main thread waits.
final class Arrivals: @unchecked Sendable {
  private let semaphore = DispatchSemaphore(value: 0)
  func arrive() { semaphore.signal() }
  /// - Parameter seconds: of the wall clock; a program with its fault need not be given long.
  /// - Throws: where nothing arrives.
  func wait(for expected: String, seconds: Double) throws {
    guard semaphore.wait(timeout: .now() + seconds) == .success else {
      throw ProgramFailure("\(expected) did not come")
    }
  }
}
