import Foundation
import TestSupport
import Testing

@Suite("System sounds")
struct SystemSoundTests {
  @Test("a sound plays whole, its completion is called on the run loop, a block's elsewhere; no sound is silence")
  func playing() throws {
    let folder = TemporaryFolder()
    let sound = "\(Repository.path)/fixtures/audio/drums.flac"
    let (program, said) = try Installation.shared().build("system_sound.c")
    try #require(said == "")
    let run = try Finished(
      program, [sound],
      [
        "AUBENCH_DEVICE_CLOCK": "free", "AUBENCH_DEVICE_RATE": "44100", "AUBENCH_DEVICE_WAV": folder.file("out.wav"),
        "AUBENCH_TRACE": folder.file("calls.txt"),
      ])
    #expect(run.errors == "")
    #expect(
      run.lines == [
        "create 0, above the alert's 1", "completion 0, of an unknown sound -1500", "completed 1, data 1",
        "info 0 4 1, get 0 1, set 0 0, unknown 1", "block 1", "block 1", "block 1", "dispose 0, again -1500",
        "missing -1500 0",
      ])
    // On the device from its first cycle on: the file's own samples, then silence to the end of a cycle.
    let (source, heard) = (try Wave(sound), try Wave(folder.file("out.wav")))
    try #require(source.sampleRate == 44_100 && heard.channelCount == 2)
    for channel in 0..<2 {
      let expected = source.channel(min(channel, source.channelCount - 1))
      let samples = heard.channel(channel)
      try #require(samples.count >= expected.count)
      #expect(samples.prefix(expected.count).elementsEqual(expected))
      #expect(samples.dropFirst(expected.count).allSatisfy { $0 == 0 })
    }
    let calls = try String(contentsOfFile: folder.file("calls.txt"), encoding: .utf8)
    #expect(calls.contains("AudioServicesPlaySystemSound: 4097") && calls.contains("device event: vibration"))
  }
}

@Suite("The programs of the page on services")
struct ServicePageTests {
  private static let page = "docs/which-service.md"

  @Test("the one with a system sound plays a file whole, and ends with it")
  func systemSound() throws {
    let folder = TemporaryFolder()
    let sound = "\(Repository.path)/fixtures/audio/drums.flac"
    let run = try Installation.shared().runProgram(
      ofPage: Self.page, arguments: [sound], wave: folder.file("out.wav"))
    #expect(run.code == 0 && run.errors == "", "\(run.errors)")
    let (source, heard) = (try Wave(sound), try Wave(folder.file("out.wav")))
    #expect(heard.samples.prefix(source.samples.count).elementsEqual(source.samples))
    #expect(heard.samples.count - source.samples.count < 4096)
  }

  @Test("the one with a unit plays its second of sound on both sides")
  func unit() throws {
    let folder = TemporaryFolder()
    let run = try Installation.shared().runProgram(ofPage: Self.page, 1, wave: folder.file("out.wav"))
    #expect(run.code == 0 && run.errors == "", "\(run.errors)")
    let wave = try Wave(folder.file("out.wav"))
    try #require(wave.frameCount >= 44_100)
    for channel in 0..<2 {
      let samples = wave.channel(channel)
      #expect((0..<44_100).allSatisfy { samples[$0] == Float($0 % 100 * 200) / 32_768 })
    }
  }
}
