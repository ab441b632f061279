import Foundation
import TestSupport
import Testing

@Suite("C++, old C and Swift programs build against an installed tree")
struct LanguageTests {
  @Test("C++", arguments: ["c++14", "c++17", "c++20"])
  func cPlusPlus(standard: String) throws {
    let run = try Installation.shared().run("cplusplus.cpp", standard: standard)
    #expect(run.errors == "")
    #expect(
      run.lines == [
        "name status 0", "Apple: AULowpass", "name", "set up 0",
        // The cut-off frequency at a resonance of 0 dB: Q = 1, and |H(w0)| = Q.
        "rendered 0, at the cut-off 0.00 dB, 100 notifications",
      ])
  }

  @Test("A host of the Component Manager's years", arguments: ["gnu99", "gnu17"])
  func oldStyle(standard: String) throws {
    let path = try Installation.shared().folder + "/old_style-\(standard).wav"
    let run = try Installation.shared().run("old_style.c", standard: standard, wave: path)
    #expect(run.errors == "")
    #expect(
      run.lines == [
        "components 1", "open 0", "component 0, same 1", "device 0, info 0, 4 bytes", "callback 0", "format 0",
        "initialize 0", "info 0, 40 bytes", "start 0", "waited 0",
        "close 0, played 44100 frames",
      ])
    #expect(try Wave(path).samples == [Float](repeating: 0.25, count: 2 * 44_100))
  }

  static let gcc: [String] = ["gcc", "g++"].filter {
    (try? Finished("/usr/bin/env", [$0, "--version"]).output.contains("Free Software Foundation")) == true
  }

  @Test("gcc and g++ build what needs no CoreFoundation", arguments: gcc)
  func gnu(compiler: String) throws {
    let installation = try Installation.shared()
    let folder = TemporaryFolder()
    let source = folder.write(
      """
      #include <AudioToolbox/AudioToolbox.h>
      int main(void) {
        AudioComponentDescription wanted = {kAudioUnitType_Mixer, kAudioUnitSubType_MultiChannelMixer, 0, 0, 0};
        AudioUnit unit;
        if (AudioComponentInstanceNew(AudioComponentFindNext(NULL, &wanted), &unit) != noErr) return 1;
        return AudioUnitInitialize(unit) == noErr && AudioComponentInstanceDispose(unit) == noErr ? 0 : 2;
      }

      """, to: compiler == "gcc" ? "host.c" : "host.cpp")
    let build = try Finished(
      "/usr/bin/env",
      [compiler, "-Wall", "-Werror", "-Wno-multichar", "-I\(installation.prefix)/include/aubench", source]
        + installation.linkFlags + ["-o", folder.file("host")])
    #expect(build.code == 0, "\(build.errors)")
    #expect(try Finished(folder.file("host")).code == 0)
  }

  /// Builds a Swift program outside of any package; answers its path.
  private func buildSwift(_ name: String) throws -> String {
    let installation = try Installation.shared()
    let swiftc = try #require(Installation.toolchain).appending(path: "swiftc").path
    let program = "\(installation.folder)/\(name)"
    let build = try Finished(
      swiftc,
      [
        "-parse-as-library", "-I\(installation.libraryFolder)/aubench", "-I\(installation.prefix)/include/aubench",
        "-L\(installation.libraryFolder)", "-lAudioToolbox", "-Xlinker", "-rpath", "-Xlinker",
        installation.libraryFolder, "\(Repository.path)/Tests/Clients/\(name).swift", "-o", program,
      ])
    try #require(build.code == 0, "\(build.output)\(build.errors)")
    return program
  }

  @Test("Swift, outside of any package")
  func swift() throws {
    let program = try buildSwift("swift_client")
    #expect(try Finished(program).lines == ["initialize 0", "render 0", "sample 0.75", "dispose 0"])
  }

  @Test("Swift, outside of any package: dispatch queues and URLs as Swift has them")
  func swiftOverloads() throws {
    let program = try buildSwift("swift_queue")
    #expect(
      try Finished(program, ["\(Repository.path)/fixtures/audio/drums.flac"]).lines == [
        "events 0", "add 0", "set 0", "event true 0.25", "heard true", "dispose 0",
        "parameters 0", "add 0", "set 0", "parameter true 0.5", "heard true", "dispose 0", "interval below 0 -50",
        "open 0", "dispose 0", "no file -50 true", "flag true",
      ])
  }
}
