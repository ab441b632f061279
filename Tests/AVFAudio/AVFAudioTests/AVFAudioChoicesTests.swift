import AVFAudio
import Foundation
import Glibc
import TestSupport
import Testing

@Suite("Choices where Apple is silent")
struct AVFAudioChoicesTests {
  @Test("Each alternative of each choice is read from a text, and written as it was read")
  func texts() throws {
    var all = AVFAudioChoices()
    for row in AVFAudioChoices.rows {
      #expect(row.text(AVFAudioChoices()) == row.alternatives[0], "\(row.name)")
      let isNumber = Double(row.alternatives[0]) != nil
      for text in isNumber ? ["1.5"] : row.alternatives {
        let read = try AVFAudioChoices("\(row.name)=\(text)")
        #expect(row.text(read) == text)
        #expect(try AVFAudioChoices(read.description) == read)
        #expect((read == AVFAudioChoices()) == (text == row.alternatives[0]))
      }
      let last = isNumber ? "2" : try #require(row.alternatives.last)
      #expect(row.set(&all, last))
    }
    #expect(try AVFAudioChoices(all.description) == all)
    #expect(try AVFAudioChoices("") == AVFAudioChoices())
  }

  @Test(
    "A text that names no choice or no alternative is an error that says which there are",
    arguments: [
      "tapBuffer=exact", "tapBuffers", "tapBuffers=", "tapBuffers=small", "=", "reverbWetDryMix=101",
      "reverbWetDryMix=nan", "playerStartDelay=-1", "playerStartDelay=inf", "lateFrames=leftOut=1", "\u{0}",
    ])
  func refusals(_ text: String) throws {
    let error = #expect(throws: NSError.self) { try AVFAudioChoices(text) }
    #expect(error?.code == -50)
    #expect(error?.localizedDescription.contains(text.hasPrefix("tapBuffers") ? "exact, device, slice" : ", ") == true)
  }

  @Test("The environment's choices are the standard of a process, which a program may set, and a wrong one ends it")
  func environment() async {
    await #expect(processExitsWith: .success) {
      setenv("AUBENCH_AVFAUDIO", "tapBuffers=slice reverbWetDryMix=12.5", 1)
      guard AVFAudioChoices.standard.tapBuffers == .slice, AVAudioUnitReverb().wetDryMix == 12.5 else { exit(1) }
      AVFAudioChoices.standard.reverbWetDryMix = 0
      guard AVAudioUnitReverb().wetDryMix == 0 else { exit(2) }
      AVFAudioChoices.standard = AVFAudioChoices()
      exit(AVAudioUnitReverb().wetDryMix == 100 ? 0 : 3)
    }
    await #expect(processExitsWith: .exitCode(EX_CONFIG)) {
      setenv("AUBENCH_AVFAUDIO", "tapBuffers=tiny", 1)
      _ = AVAudioEngine()
    }
  }

  @Test("The guide's table has each choice with all its alternatives, the default first")
  func guide() throws {
    let page = try Repository.text("docs/avfaudio.md")
    for row in AVFAudioChoices.rows {
      let line = try #require(page.split(separator: "\n").first { $0.hasPrefix("| `\(row.name)` |") }, "\(row.name)")
      let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
      #expect(cells[1].hasPrefix("`\(row.alternatives[0])`"), "\(row.name): the default")
      for text in row.alternatives.dropFirst() { #expect(cells[2].contains("`\(text)`"), "\(row.name): \(text)") }
    }
    #expect(
      page.split(separator: "\n").count { $0.wholeMatch(of: /\| `[a-z][A-Za-z]+` \| `[^|]+ \|[^|]+\|[^|]+\|/) != nil }
        == AVFAudioChoices.rows.count)
  }
}
