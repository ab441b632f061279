import AVFAudio
import AudioCore
import Foundation
import Hardware
import TestSupport
import Testing

@Suite("AVAudioPlayer: frames, loops, times")
struct AVAudioPlayerTests {
  private typealias Harness = PlayerHarness

  @Test("A sound is played to its last frame, whatever the slices; then the delegate is called once")
  func whole() throws {
    for slices in [[441], [93, 93, 92], [4096], [16, 2000]] {
      let harness = try Harness(slices: slices)
      let player = try AVAudioPlayer(contentsOf: harness.file(channels: 2, frames: 10_000), on: harness.hardware)
      let calls = PlayerCalls()
      player.delegate = calls
      #expect(player.play())
      #expect(player.isPlaying)
      try harness.advance(0.5)
      #expect(!player.isPlaying)
      #expect(calls.all == ["finished true at 0.0, plays false"])
      let heard = try harness.heard()
      for channel in 0...1 {
        let expected = Harness.passes(1, of: 10_000, channel: channel) + Harness.silence(heard[channel].count - 10_000)
        #expect(firstDifference(heard[channel], expected) == nil, "\(slices)")
      }
    }
  }

  @Test("A mono sound in the middle comes from both sides as it is; data plays as its file does")
  func monoAndData() throws {
    let harness = try Harness()
    let place = try harness.file(frames: 3000)
    let data = try Data(contentsOf: place)
    let player = try AVAudioPlayer(data: data, on: harness.hardware)
    #expect(player.url == nil)
    #expect(player.data == data)
    #expect(player.numberOfChannels == 1)
    #expect(player.duration == 3000 / 44_100.0)
    #expect(player.settings[AVSampleRateKey] as? Double == 44_100)
    #expect(player.format.channelCount == 1)
    #expect(player.play())
    try harness.advance(0.1)
    let heard = try harness.heard()
    let expected = Harness.passes(1, of: 3000) + Harness.silence(heard[0].count - 3000)
    #expect(firstDifference(heard[0], expected) == nil)
    #expect(heard[1] == heard[0])
  }

  @Test("Loops follow one another without a seam, also where the rate is converted", arguments: [44_100.0, 32_000])
  func loops(rate: Double) throws {
    let harness = try Harness()
    let player = try AVAudioPlayer(
      contentsOf: harness.file("short.wav", rate, frames: 700), on: harness.hardware)
    player.numberOfLoops = 3
    let calls = PlayerCalls()
    player.delegate = calls
    player.play()
    try harness.advance(0.2)
    #expect(calls.all == ["finished true at 0.0, plays false"])
    let heard = try harness.heard()[0]
    // The four passes as one file.
    let second = try Harness()
    let whole = try AVAudioPlayer(
      contentsOf: second.file("long.wav", rate, frames: 2800) { frame, _ in Harness.value(frame % 700, 0) },
      on: second.hardware)
    whole.play()
    try second.advance(0.2)
    #expect(firstDifference(heard, try second.heard()[0]) == nil)
    if rate == 44_100 { #expect(firstDifference(Array(heard.prefix(2800)), Harness.passes(4, of: 700)) == nil) }
  }

  @Test("Endless loops end with the pass in which their number is set to 0; more count from there")
  func changedLoops() throws {
    for (loops, passes) in [(0, 3), (2, 5)] {
      let harness = try Harness(slices: [100])
      let player = try AVAudioPlayer(contentsOf: harness.file(frames: 1000), on: harness.hardware)
      player.numberOfLoops = -1
      player.play()
      // 23 cycles: in the third pass.
      try harness.advance(2250 / 44_100)
      #expect(player.currentTime == 300 / 44_100.0)
      player.numberOfLoops = loops
      try harness.advance(4000 / 44_100)
      #expect(!player.isPlaying)
      let heard = try harness.heard()[0]
      let expected = Harness.passes(passes, of: 1000) + Harness.silence(heard.count - 1000 * passes)
      #expect(firstDifference(heard, expected) == nil)
    }
  }

  @Test("The present time is the frame that comes next; setting it while it plays goes on there with the next cycle")
  func seeking() throws {
    let harness = try Harness(slices: [441])
    let player = try AVAudioPlayer(contentsOf: harness.file(frames: 8820), on: harness.hardware)
    player.numberOfLoops = 1
    player.currentTime = 0.05
    #expect(player.currentTime == 0.05)
    player.play()
    try harness.advance(0.02)
    #expect(player.currentTime == (2205 + 882) / 44_100.0)
    player.currentTime = 0.1
    #expect(player.currentTime == 0.1)
    #expect(player.isPlaying)
    try harness.advance(0.01)
    #expect(player.currentTime == (4410 + 441) / 44_100.0)
    player.currentTime = -1
    #expect(player.currentTime == 0)
    try harness.advance(0.01)
    player.currentTime = .infinity
    player.currentTime = .nan
    #expect(player.isPlaying)
    try harness.advance(0.3)
    #expect(!player.isPlaying)
    let heard = try harness.heard()[0]
    var expected = (2205..<3087).map { Harness.value($0, 0) } + (4410..<4851).map { Harness.value($0, 0) }
    expected += (0..<441).map { Harness.value($0, 0) }
    // From the end: the pass behind it.
    expected += Harness.passes(1, of: 8820)
    #expect(firstDifference(heard, expected + Harness.silence(heard.count - expected.count)) == nil)
  }

  @Test("Two players with one time begin with its frame; the device's time counts frames and ends with the last player")
  func together() throws {
    let harness = try Harness(slices: [93, 93, 92])
    let (long, short) = try (
      harness.file("a.wav", frames: 2000) { _, _ in 0.25 }, harness.file("b.wav", frames: 1000) { _, _ in 0.5 }
    )
    let first = try AVAudioPlayer(contentsOf: long, on: harness.hardware)
    let second = try AVAudioPlayer(contentsOf: short, on: harness.hardware)
    #expect(first.prepareToPlay())
    #expect(first.deviceCurrentTime == 0)
    let time = first.deviceCurrentTime + 0.01
    #expect(first.play(atTime: time))
    #expect(second.play(atTime: time))
    #expect(second.isPlaying)
    try harness.advance(278 / 44_100)
    #expect(first.deviceCurrentTime == 278 / 44_100.0)
    #expect(second.deviceCurrentTime == first.deviceCurrentTime)
    #expect(first.currentTime == 0)
    try harness.advance(0.1)
    #expect(!first.isPlaying)
    #expect(first.deviceCurrentTime == 0)
    let heard = try harness.heard()[0]
    let expected: [Float] =
      Harness.silence(441) + [Float](repeating: 0.75, count: 1000) + [Float](repeating: 0.25, count: 1000)
    #expect(firstDifference(heard, expected + Harness.silence(heard.count - expected.count)) == nil)
  }

  @Test("A time that has passed is the next cycle's; while a player waits it plays, and can be paused")
  func waiting() throws {
    let harness = try Harness(slices: [441])
    let file = try harness.file(frames: 441)
    let player = try AVAudioPlayer(contentsOf: file, on: harness.hardware)
    let clock = try AVAudioPlayer(contentsOf: harness.file("s.wav", frames: 44_100) { _, _ in 0 }, on: harness.hardware)
    clock.play()
    try harness.advance(0.1)
    #expect(player.play(atTime: 0.2))
    try harness.advance(0.05)
    #expect(player.isPlaying)
    player.pause()
    #expect(!player.isPlaying)
    try harness.advance(0.15)
    #expect(player.play(atTime: 0.1))
    #expect(!player.play(atTime: .nan) == false)
    try harness.advance(0.1)
    let heard = try harness.heard()[0]
    let expected = Harness.silence(30 * 441) + Harness.passes(1, of: 441)
    #expect(firstDifference(heard, expected + Harness.silence(heard.count - expected.count)) == nil)
  }

  @Test("Pause and stop keep the place, and sound goes on bit for bit; the device's time goes on over a pause only")
  func pausing() throws {
    for rate in [44_100.0, 48_000] {
      let harness = try Harness(slices: [441])
      let whole = try Harness(slices: [441])
      let player = try AVAudioPlayer(contentsOf: harness.file("x.wav", rate, frames: 9000), on: harness.hardware)
      let reference = try AVAudioPlayer(contentsOf: whole.file("x.wav", rate, frames: 9000), on: whole.hardware)
      reference.play()
      try whole.advance(0.3)
      player.play()
      try harness.advance(0.05)
      player.pause()
      #expect(player.currentTime == 0.05)
      try harness.advance(0.02)
      #expect(abs(player.deviceCurrentTime - 0.07) < 1e-12)
      player.play()
      try harness.advance(0.03)
      #expect(player.isPlaying)
      player.stop()
      #expect(abs(player.currentTime - 0.08) < 1e-12)
      #expect(player.deviceCurrentTime == 0)
      try harness.advance(0.01)
      player.play()
      try harness.advance(0.3)
      let sound = try whole.heard()[0]
      let heard = try harness.heard()[0]
      #expect(firstDifference(Array(heard[..<2205]), Array(sound[..<2205])) == nil)
      #expect(heard[2205..<3087].allSatisfy { $0 == 0 })
      #expect(firstDifference(Array(heard[3087..<4410]), Array(sound[2205..<3528])) == nil)
      #expect(heard[4410..<4851].allSatisfy { $0 == 0 })
      #expect(firstDifference(Array(heard[4851..<10_000]), Array(sound[3528..<8677])) == nil)
    }
  }

  @Test("A delegate may play on: the next sound begins with the next cycle, and the device's clock goes on")
  func playOn() throws {
    let harness = try Harness(slices: [441])
    let next = try AVAudioPlayer(contentsOf: harness.file("n.wav", frames: 500) { _, _ in 0.5 }, on: harness.hardware)
    let calls = PlayerCalls { _ in next.play() }
    let player = try AVAudioPlayer(contentsOf: harness.file(frames: 1000), on: harness.hardware)
    player.delegate = calls
    player.play()
    try harness.advance(0.05)
    let heard = try harness.heard()[0]
    let expected = Harness.passes(1, of: 1000) + Harness.silence(323) + [Float](repeating: 0.5, count: 500)
    #expect(firstDifference(heard, expected + Harness.silence(heard.count - expected.count)) == nil)
  }

  @Test("A player that is gone is silent")
  func gone() throws {
    let harness = try Harness(slices: [441])
    var player: AVAudioPlayer? = try AVAudioPlayer(contentsOf: harness.file(frames: 4410), on: harness.hardware)
    player?.play()
    try harness.advance(0.02)
    player = nil
    try harness.advance(0.03)
    let heard = try harness.heard()[0]
    let expected = Array(Harness.passes(1, of: 4410)[..<882])
    #expect(firstDifference(heard, expected + Harness.silence(heard.count - 882)) == nil)
  }

  @Test("What cannot be opened is an error with the documented code")
  func errors() throws {
    let folder = TemporaryFolder()
    func code(_ body: () throws -> Void) -> Int {
      do { try body() } catch {
        #expect((error as NSError).domain == "NSOSStatusErrorDomain")
        return (error as NSError).code
      }
      return 0
    }
    let text = URL(fileURLWithPath: folder.file("text.mp3"))
    try Data("no sound at all, whatever the name says".utf8).write(to: text)
    #expect(code { _ = try AVAudioPlayer(contentsOf: URL(fileURLWithPath: folder.file("none.wav"))) } == 2_003_334_207)
    #expect(code { _ = try AVAudioPlayer(contentsOf: text, fileTypeHint: "public.mp3") } == 1_954_115_647)
    #expect(code { _ = try AVAudioPlayer(data: Data()) } == 1_954_115_647)
    #expect(code { _ = try AVAudioPlayer(data: Data([1, 2, 3])) } == 1_954_115_647)
    #expect(code { _ = try AVAudioPlayer(contentsOf: try #require(URL(string: "http://example.org/a.mp3"))) } == -50)
  }
}
