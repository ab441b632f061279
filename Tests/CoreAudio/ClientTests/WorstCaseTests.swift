import Foundation
import TestSupport
import Testing

@Suite("A host's mistakes are errors by number, and never a crash")
struct WorstCaseTests {
  /// The output of the program that makes them all, by section.
  static func sections() throws -> [String: [String]] { try output.get() }
  private static let output: Result<[String: [String]], any Error> = Result {
    let installation = try Installation.shared()
    // Functions that are still to be written answer −4 here.
    let stub = installation.folder + "/stub.c"
    let text = try FunctionTests.undefined().sorted().map { "int \($0)() { return -4; }\n" }.joined()
    try (text + "extern int nothing;\n").write(toFile: stub, atomically: true, encoding: .utf8)
    let object = installation.folder + "/stub.o"
    let clang = try #require(Installation.toolchain).appending(path: "clang").path
    try #require(try Finished(clang, ["-w", "-std=gnu11", "-fno-builtin", "-c", stub, "-o", object]).code == 0)
    let (program, said) = try installation.build("worst_case.c", with: [object])
    try #require(said == "")
    let run = try Finished(program, ["\(Repository.path)/fixtures/audio/drums.flac"])
    try #require(run.code == 0, "ended by \(run.code) after \(run.lines.last ?? "nothing")")
    var sections: [String: [String]] = [:]
    var name = "mistakes"
    for line in run.lines {
      if line.hasPrefix("-- ") { name = String(line.dropFirst(3)) } else { sections[name, default: []].append(line) }
      if line.hasPrefix("-- ") && sections[name] == nil { sections[name] = [] }
    }
    return sections
  }

  /// Names and statuses of a section, without the functions that are not there yet.
  static func statuses(_ section: String) throws -> [(call: String, status: String)] {
    let undefined = try FunctionTests.undefined()
    return try #require(try sections()[section]).compactMap { line in
      guard let blank = line.lastIndex(of: " ") else { return nil }
      let call = String(line[..<blank])
      // CAShow's output begins with no function's name.
      guard let function = call.split(separator: " ").first, !function.contains(":"),
        !undefined.contains(String(function))
      else { return nil }
      return (call, String(line[line.index(after: blank)...]))
    }
  }

  @Test("The program comes to its end")
  func survives() throws {
    #expect(try Self.sections()["survived"] != nil)
  }

  @Test("Rendering and setting what cannot be, and ending what is in use")
  func mistakes() throws {
    #expect(
      try Self.sections()["mistakes"] == [
        "render before Initialize -10867",
        "format 0",
        "callback 0",
        "initialize 0",
        "initialize again 0",
        "render without flags 0",
        // 16384 of 32768: 16 bit and interleaved came in, float planes came out.
        "sample 0.5 -0.5",
        "render without a sample time 0",
        "render without a time stamp -50",
        "render without buffers -50",
        "render bus 7 -10877",
        "render too much -10874",
        "render into one buffer -50",
        "render into too small a buffer -50",
        "render into the unit's buffers 0",
        "lent 1",
        "elements after Initialize -10849",
        "maximum after Initialize -10849",
        "same format after Initialize 0",
        "other format after Initialize -10865",
        "volume not a number -66743",
        "volume of bus 99 -10877",
        "property 54321 -10879",
        "format in three bytes -10851",
        "dispose while initialized 0",
        "render when gone -50",
        "unit before graph: 0",
        "then the graph 0",
        "graph first 0",
        "then its unit -50",
        "render its output -50",
        "graph twice -50",
        "initialize it -50",
        "connect 0",
        "source first 0",
        "its reader fails 1",
        "connect to what is gone -50",
        "reader 0",
        "reader twice -50",
        "a converter as a unit -50",
        "a unit as a converter -50",
        "an address as a unit -50",
      ])
  }

  @Test("Nothing for anything is an error of every function that answers with a status")
  func nothing() throws {
    // These need nothing, or answer with no status: none found, no number, no object, a text of length 0.
    let exceptions: Set<String> = [
      "AudioComponentFindNext", "AudioComponentCount", "AudioComponentInstanceGetComponent",
      "AudioComponentInstanceCanDo", "AudioComponentRegister", "AudioComponentInstantiate",
      "AudioComponentValidateWithResults", "AudioSessionInitialize", "AudioSessionSetActive",
      "AudioSessionSetActiveWithFlags", "AUParameterValueFromLinear", "AUParameterValueToLinear",
      "AudioConverterPrepare", "AUParameterFormatValue", "AudioObjectHasProperty", "AudioObjectShow", "CAShow",
      "CAShowFile",
      "CAShowAudioBufferList", "CAShowChannelLayout", "CAShowComponentDescription",
      "AudioHardwareServiceHasProperty", "CFURLCreateFromFSRef", "CFURLGetFSRef", "AudioServicesPlaySystemSound",
      "AudioServicesPlayAlertSound", "AudioServicesPlaySystemSoundWithCompletion",
      "AudioServicesPlayAlertSoundWithCompletion", "AudioServicesRemoveSystemSoundCompletion",
    ]
    let statuses = try Self.statuses("nothing for anything")
    #expect(statuses.count > 140)
    for (call, status) in statuses where !exceptions.contains(call) {
      #expect(Int32(status) != nil && status != "0", "\(call) \(status)")
    }
  }

  @Test("A handle that has ended is -50 everywhere, -38 for files; it ends once", arguments: [0, 1])
  func staleHandles(number: Int) throws {
    let statuses = try Self.statuses("stale handles, numbers \(number)")
    #expect(statuses.count > 200)
    // These answer with no status: no component, no selector.
    let exceptions: Set<String> = [
      "AudioComponentFindNext", "AudioComponentInstanceGetComponent", "AudioComponentInstanceCanDo",
      "AudioComponentInstantiate", "AudioComponentValidateWithResults",
    ]
    for (call, status) in statuses {
      guard let function = call.split(separator: " ").first, !exceptions.contains(String(function)) else { continue }
      let isFile = function.hasPrefix("AudioFile") && !function.hasPrefix("AudioFileStream")
      #expect(status == (isFile ? "-38" : "-50"), "\(call)")
    }
    #expect(
      try Self.sections()["ends"] == [
        "end once: 0 0 0 0 0 0 0", "end queue once: 0 0 0", "end stream once: 0",
        "end twice: -50 -50 -50 -38 -50 -50 -50", "end queue twice: -50 -50 -50", "end stream twice: -50",
      ])
  }

  @Test("Where a live handle comes alone, only calls that need no pointer succeed", arguments: [0, 1])
  func liveHandles(number: Int) throws {
    let succeed = Set(
      try Self.statuses("live handles, numbers \(number)").filter { $0.status == "0" }.map(\.call)
        .filter { !$0.contains(" without ") })
    let needNothing: Set<String> = [
      "AudioUnitInitialize", "AudioUnitUninitialize", "AudioUnitReset", "AudioUnitSetParameter",
      "AudioUnitGetPropertyInfo", "AudioUnitGetProperty", "AudioOutputUnitStart", "AudioOutputUnitStop",
      "AUGraphClearConnections", "AUGraphUpdate", "AUGraphOpen", "AUGraphClose", "AUGraphInitialize",
      "AUGraphUninitialize", "AUGraphStart", "AUGraphStop", "AudioComponentFindNext", "AudioComponentInstanceCanDo",
      "AudioConverterReset", "AudioFileOptimize", "AudioFileRemoveUserData", "ExtAudioFileSeek",
      "AUGraphDisconnectNodeInput",
      // A listener is identified by its address, also by that of nothing.
      "AudioUnitAddPropertyListener", "AudioUnitRemovePropertyListener", "AudioUnitRemovePropertyListenerWithUserData",
      "AudioUnitRemoveRenderNotify", "AudioQueueStart", "AudioQueuePrime", "AudioQueuePause", "AudioQueueFlush",
      "AudioQueueReset", "AudioQueueStop", "AudioQueueGetCurrentTime",
      // No bytes are none that are missing.
      "AudioFileStreamParseBytes",
    ]
    #expect(succeed.subtracting(needNothing) == [])
    #expect(succeed.contains("AudioUnitReset") && succeed.contains("AudioConverterReset"))
  }
}
