import AVFAudio
import AudioCore
import Foundation
import Hardware
import TestSupport
import Testing

@Suite("AVAudioPlayer: volume, pan, rate, meters, what happens to the hardware")
struct AVAudioPlayerSettingsTests {
  private typealias Harness = PlayerHarness

  @Test("Volume and pan: the far side fades out in a straight line, for mono and stereo")
  func volumeAndPan() throws {
    for channels in [1, 2] {
      for (pan, left, right) in [(0, 1, 1), (-1, 1, 0), (1, 0, 1), (0.25, 0.75, 1), (-0.5, 1, 0.5), (7, 0, 1)]
        as [(Float, Float, Float)]
      {
        let harness = try Harness()
        let player = try AVAudioPlayer(contentsOf: harness.file(channels: channels, frames: 2000), on: harness.hardware)
        player.pan = pan
        player.volume = 0.3
        player.play()
        try harness.advance(0.1)
        let heard = try harness.heard()
        for (channel, gain) in [left, right].enumerated() {
          let expected = Harness.passes(1, of: 2000, channel: channel % channels).map { $0 * gain * 0.3 }
          #expect(firstDifference(Array(heard[channel][..<2000]), expected) == nil, "pan \(pan), \(channels) channels")
        }
      }
    }
  }

  @Test("Settings beyond their range are the end of it, and no number changes nothing")
  func ranges() throws {
    let harness = try Harness()
    let player = try AVAudioPlayer(contentsOf: harness.file(frames: 100), on: harness.hardware)
    (player.volume, player.pan, player.rate) = (3, -9, 100)
    #expect((player.volume, player.pan, player.rate) == (1, -1, 2))
    (player.volume, player.pan, player.rate) = (-1, .infinity, 0)
    #expect((player.volume, player.pan, player.rate) == (0, 1, 0.5))
    (player.volume, player.pan, player.rate) = (.nan, .nan, .nan)
    #expect((player.volume, player.pan, player.rate) == (0, 1, 0.5))
    #expect(!player.enableRate)
    #expect(player.numberOfLoops == 0)
  }

  @Test("A silent player goes on: its time runs at volume 0")
  func silent() throws {
    let harness = try Harness(slices: [441])
    let player = try AVAudioPlayer(contentsOf: harness.file(frames: 4410), on: harness.hardware)
    player.volume = 0
    player.play()
    try harness.advance(0.05)
    #expect(player.currentTime == 0.05)
    player.volume = 1
    try harness.advance(0.1)
    #expect(!player.isPlaying)
    let heard = try harness.heard()[0]
    let expected = Harness.silence(2205) + (2205..<4410).map { Harness.value($0, 0) }
    #expect(firstDifference(heard, expected + Harness.silence(heard.count - 4410)) == nil)
  }

  @Test("A fade is a straight line over its frames, whatever the slices; another goes on from where it was")
  func fades() throws {
    for slices in [[441], [93, 93, 92], [1470]] {
      let harness = try Harness(slices: slices)
      let player = try AVAudioPlayer(contentsOf: harness.file(frames: 20_000) { _, _ in 1 }, on: harness.hardware)
      player.play()
      try harness.advance(1470 / 44_100)
      let start = Int(clamping: (player.deviceCurrentTime * 44_100).rounded())
      player.setVolume(0, fadeDuration: 4410 / 44_100)
      #expect(player.volume == 0)
      try harness.advance(2205 / 44_100 - 1e-6)
      let turn = Int(clamping: (player.deviceCurrentTime * 44_100).rounded()) - start
      player.setVolume(1, fadeDuration: 1000 / 44_100)
      try harness.advance(0.1)
      let heard = try harness.heard()[0]
      let low = 1 - Double(turn) / 4410
      for frame in 0..<8000 {
        let expected: Double =
          if frame < start {
            1
          } else if frame < start + turn {
            1 - Double(frame - start) / 4410
          } else {
            min(1, low + (1 - low) * Double(frame - start - turn) / 1000)
          }
        guard abs(Double(heard[frame]) - expected) > 2e-6 else { continue }
        Issue.record("frame \(frame) of \(slices): \(heard[frame]), expected \(expected)")
        break
      }
    }
  }

  @Test("Meters are RMS and peak of what is read, in front of volume and pan; silence is −160")
  func meters() throws {
    let harness = try Harness(slices: [441])
    // A square wave of −6.02 dB left, a fourth of it right.
    let file = try harness.file(channels: 2, frames: 100_000) { frame, channel in
      (frame % 100 < 50 ? 0.5 : -0.5) / (channel == 0 ? 1 : 4)
    }
    let player = try AVAudioPlayer(contentsOf: file, on: harness.hardware)
    player.volume = 0.1
    player.play()
    player.updateMeters()
    #expect(player.averagePower(forChannel: 0) == -160)
    player.isMeteringEnabled = true
    try harness.advance(0.6)
    #expect(player.averagePower(forChannel: 0) == -160)
    player.updateMeters()
    // The window of 300 ms has seen two of its lengths.
    let frames = 60.0 * 441
    let share = 1 - exp(-frames / (0.3 * 44_100))
    for (channel, amplitude) in [0.5, 0.125].enumerated() {
      let average = 20 * log10(amplitude * share.squareRoot())
      #expect(abs(Double(player.averagePower(forChannel: channel)) - average) < 1e-3)
      #expect(abs(Double(player.peakPower(forChannel: channel)) - 20 * log10(amplitude)) < 1e-4)
    }
    #expect(player.averagePower(forChannel: 2) == -160)
    #expect(player.peakPower(forChannel: -1) == -160)
    player.stop()
    player.updateMeters()
    #expect(player.peakPower(forChannel: 0) == -160)
  }

  @Test("At rate 1 a sound passes as it is; at 2 and 0.5 it takes half and twice as long, at the same pitch")
  func rate() throws {
    for rate in [1, 2, 0.5] as [Float] {
      let harness = try Harness(slices: [441])
      let file = try harness.file(frames: 44_100) { frame, _ in Float(sin(2 * Double.pi * 441 * Double(frame) / 44_100))
      }
      let player = try AVAudioPlayer(contentsOf: file, on: harness.hardware)
      let calls = PlayerCalls()
      player.delegate = calls
      player.enableRate = true
      player.rate = rate
      player.play()
      try harness.advance(0.25)
      #expect(abs(player.currentTime - 0.25 * Double(rate)) < 0.001)
      try harness.advance(3)
      #expect(calls.all == ["finished true at 0.0, plays false"])
      let heard = try harness.heard()[0]
      let end = Int(clamping: (44_100 / rate).rounded())
      #expect(heard[end...].allSatisfy { $0 == 0 })
      #expect(heard[..<end].suffix(200).contains { abs($0) > 0.1 })
      if rate == 1 {
        let expected = (0..<44_100).map { Float(sin(2 * Double.pi * 441 * Double($0) / 44_100)) }
        #expect(firstDifference(Array(heard[..<44_100]), expected) == nil)
      }
      // Crossings of zero upwards in the middle half of the sound.
      let middle = Array(heard[(end / 4)..<(3 * end / 4)])
      let crossings = zip(middle, middle.dropFirst()).count { $0 < 0 && $1 >= 0 }
      #expect(abs(Double(crossings) - 441 * Double(middle.count) / 44_100) < 4)
    }
  }

  @Test("Assigned channels take the place of pan: each of the sound's goes to its own of the hardware")
  func assignments() throws {
    let harness = try Harness(channels: 4) { $0.device.inputChannels = 3 }
    let session = AVAudioSession(hardware: harness.hardware)
    let outputs = try #require(session.currentRoute.outputs.first?.channels)
    #expect(outputs.map(\.channelNumber) == [1, 2, 3, 4])
    let player = try AVAudioPlayer(contentsOf: harness.file(channels: 2, frames: 4410), on: harness.hardware)
    #expect(player.channelAssignments == nil)
    player.pan = 1
    player.channelAssignments = [outputs[3], outputs[1]]
    player.play()
    try harness.advance(0.05)
    player.channelAssignments = nil
    try harness.advance(0.1)
    let heard = try harness.heard()
    for (channel, source) in [nil, 1, nil, 0].enumerated() {
      let expected = source.map { Array(Harness.passes(1, of: 4410, channel: $0)[..<2205]) } ?? Harness.silence(2205)
      #expect(firstDifference(Array(heard[channel][..<2205]), expected) == nil, "channel \(channel)")
    }
    // Behind that two channels go straight through.
    #expect(firstDifference(Array(heard[1][2205..<4410]), (2205..<4410).map { Harness.value($0, 1) }) == nil)
    #expect(heard[3][2205...].allSatisfy { $0 == 0 })
  }

  @Test("A rate that was set without being enabled counts for nothing")
  func rateNotEnabled() throws {
    let harness = try Harness(slices: [441])
    let player = try AVAudioPlayer(contentsOf: harness.file(frames: 4410), on: harness.hardware)
    player.rate = 2
    player.play()
    try harness.advance(0.2)
    let heard = try harness.heard()[0]
    #expect(firstDifference(Array(heard[..<4410]), Harness.passes(1, of: 4410)) == nil)
  }

  @Test("An interruption pauses where it was; play() fails until its end, and then goes on with the next frame")
  func interruption() throws {
    let harness = try Harness(
      slices: [441],
      events: [
        ScenarioEvent(seconds: 0.05, .interruptionBegins),
        ScenarioEvent(seconds: 0.09, .interruptionEnds(PlayerHarness.end(resumes: true))),
      ])
    let player = try AVAudioPlayer(contentsOf: harness.file(frames: 8820), on: harness.hardware)
    let paused = try AVAudioPlayer(contentsOf: harness.file(frames: 8820), on: harness.hardware)
    let (calls, others) = (PlayerCalls(), PlayerCalls())
    player.delegate = calls
    paused.delegate = others
    player.play()
    paused.play()
    paused.volume = 0
    try harness.advance(0.03)
    paused.pause()
    try harness.advance(0.04)
    #expect(calls.all == ["interrupted, plays false"])
    #expect(player.currentTime == 0.05)
    #expect(!player.play())
    #expect(player.deviceCurrentTime == 0.05)
    try harness.advance(0.03)
    #expect(calls.all == ["interrupted, plays false", "ended 1"])
    #expect(!player.isPlaying)
    #expect(player.play())
    try harness.advance(0.2)
    #expect(calls.all.last == "finished true at 0.0, plays false")
    #expect(others.all.isEmpty)
    let heard = try harness.heard()[0]
    let sound = Harness.passes(1, of: 8820)
    let expected = Array(sound[..<2205]) + Harness.silence(2205) + Array(sound[2205...])
    #expect(firstDifference(heard, expected + Harness.silence(heard.count - expected.count)) == nil)
  }

  @Test("A change of route: the sound goes on with the frame it had come to, at the new rate, bit for bit")
  func route() throws {
    var change = ScenarioEvent.RouteChange()
    (change.blockedSeconds, change.sampleRate) = (0.02, 48_000)
    let harness = try Harness(slices: [441], events: [ScenarioEvent(seconds: 0.1, .route(change))])
    let player = try AVAudioPlayer(contentsOf: harness.file(channels: 2, frames: 22_050), on: harness.hardware)
    player.play()
    try harness.advance(0.11)
    // Nothing is asked for while the route changes.
    #expect(player.currentTime == 0.1)
    #expect(player.isPlaying)
    try harness.advance(0.6)
    #expect(!player.isPlaying)
    // The whole sound at 48 kHz.
    let other = try Harness(48_000, slices: [441])
    let reference = try AVAudioPlayer(contentsOf: other.file(channels: 2, frames: 22_050), on: other.hardware)
    reference.play()
    try other.advance(0.6)
    let whole = try other.heard()
    try harness.hardware.follow(nil)
    let first = try Harness.samples(harness.folder.file("heard.wav"))
    let second = try Harness.samples(harness.folder.file("heard-2.wav"))
    for channel in 0...1 {
      let begin = Array(Harness.passes(1, of: 22_050, channel: channel)[..<4410])
      #expect(firstDifference(Array(first[channel][..<4410]), begin) == nil)
      let rest = Array(whole[channel][4800..<24_000])
      #expect(firstDifference(Array(second[channel][..<rest.count]), rest) == nil)
    }
  }

  @Test("A sound that is damaged further on is played up to there, and then the delegate has the error")
  func damage() throws {
    let harness = try Harness(slices: [441])
    let place = URL(fileURLWithPath: harness.folder.file("sound.flac"))
    let format = try #require(AVAudioFormat(standardFormatWithSampleRate: 44_100, channels: 1))
    let written = try AVAudioFile(
      forWriting: place,
      settings: [AVFormatIDKey: kAudioFormatFLAC, AVSampleRateKey: 44_100, AVNumberOfChannelsKey: 1])
    try written.write(
      from: try EngineHarness.buffer(format, 88_200) { frame, _ in
        Float((frame * 7919) % 32_768 - 16_384) / 32_768
      })
    try written.finish()
    var bytes = try Data(contentsOf: place)
    for index in (bytes.count * 2 / 3)..<(bytes.count * 2 / 3 + 4000) { bytes[index] = 0 }
    let player = try AVAudioPlayer(data: bytes, on: harness.hardware)
    let calls = PlayerCalls()
    player.delegate = calls
    player.play()
    try harness.advance(3)
    #expect(calls.all.count == 2, "\(calls.all)")
    #expect(calls.all.first?.hasPrefix("error ") == true)
    #expect(calls.all.last == "finished false at 0.0, plays false")
    let heard = try harness.heard()[0]
    let sounding = try #require(heard.lastIndex { $0 != 0 })
    #expect(sounding > 22_050 && sounding < 88_199, "\(sounding)")
    let expected = (0..<22_050).map { Float(($0 * 7919) % 32_768 - 16_384) / 32_768 }
    #expect(firstDifference(Array(heard[..<22_050]), expected) == nil)
  }
}
