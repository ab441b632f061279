import AVFAudio
import AudioCore
import CAllocationCounter
import Foundation
import Hardware
import TestSupport
import Testing

@Suite("AVAudioPlayer, AVAudioRecorder: threads and clocks")
struct PlayerThreadTests {
  private typealias Harness = PlayerHarness

  @Test("Playing and recording ask for no memory on the hardware's thread", .enabled(if: isRelease))
  func allocations() throws {
    let harness = try Harness(slices: [441, 100, 1000]) { $0.microphone = .tone(hertz: 440, amplitude: 0.5) }
    let counts = Locked<[Int64]>([])
    let first = SimulatedDevice(harness.hardware)
    try first.start { _ in
      allocation_counter_start()
      return .noError
    }
    let player = try AVAudioPlayer(contentsOf: harness.file("a.wav", 32_000, frames: 700), on: harness.hardware)
    let recorder = try AVAudioRecorder(
      url: URL(fileURLWithPath: harness.folder.file("r.wav")), settings: [:], on: harness.hardware)
    (player.isMeteringEnabled, recorder.isMeteringEnabled) = (true, true)
    player.numberOfLoops = -1
    player.play()
    recorder.record()
    let last = SimulatedDevice(harness.hardware)
    try last.start { _ in
      let count = allocation_counter_stop()
      counts.withLock { $0.append(count) }
      return .noError
    }
    for turn in 0..<20 {
      player.setVolume(Float(turn % 2), fadeDuration: 0.03)
      player.pan = Float(turn % 3) - 1
      if turn % 5 == 4 { player.currentTime = 0.01 }
      if turn == 12 { player.numberOfLoops = 100 }
      try harness.advance(0.05)
    }
    let found = counts.withLock { $0 }
    #expect(found.count > 60)
    // The first cycles may set up what the process has once.
    #expect(found.dropFirst(5).allSatisfy { $0 == 0 }, "\(found)")
    player.stop()
    recorder.stop()
    first.stop()
    last.stop()
  }

  @Test("Without a scenario, by a free clock and by the wall's, a sound is played whole")
  func clocks() throws {
    for clock in [DeviceConfiguration.Clock.free, .real] {
      let folder = try Harness()
      var configuration = DeviceConfiguration()
      configuration.clock = clock
      configuration.wavePath = folder.folder.file("out.wav")
      let hardware = SimulatedHardware(configuration)
      let player = try AVAudioPlayer(contentsOf: folder.file("short.wav", frames: 3000), on: hardware)
      let calls = PlayerCalls()
      player.delegate = calls
      #expect(player.play())
      #expect(eventually { !player.isPlaying && player.deviceCurrentTime == 0 })
      // The file has its name once the device has stopped.
      #expect(eventually { FileManager.default.fileExists(atPath: folder.folder.file("out.wav")) })
      #expect(calls.all == ["finished true at 0.0, plays false"])
      let heard = try Harness.samples(folder.folder.file("out.wav"))[0]
      // The device may have had a cycle before the player came to it.
      let start = try #require(heard.firstIndex { $0 != 0 })
      #expect(start % configuration.bufferFrames == 0)
      #expect(firstDifference(Array(heard[start...].prefix(3000)), Harness.passes(1, of: 3000)) == nil)
      #expect(heard[start...].dropFirst(3000).allSatisfy { $0 == 0 })
    }
  }

  @Test("Calls on four threads at any time leave players that play, pause and stop as before")
  func manyThreads() throws {
    let harness = try Harness { scenario in
      scenario.device.clock = .free
      scenario.loudspeakerPath = nil
      scenario.seconds = 3000
    }
    let players = try (0..<3).map { index in
      try AVAudioPlayer(
        contentsOf: harness.file("\(index).wav", index == 1 ? 32_000 : 44_100, frames: 3000 + index),
        on: harness.hardware)
    }
    let calls = PlayerCalls { $0.play() }
    players[0].delegate = calls
    players[2].enableRate = true
    DispatchQueue.concurrentPerform(iterations: 4) { thread in
      var draw = SeededGenerator(seed: UInt64(thread))
      for _ in 0..<300 {
        let player = players[Int.random(in: 0..<3, using: &draw)]
        let value = Float.random(in: -0.5...1.5, using: &draw)
        switch Int.random(in: 0..<12, using: &draw) {
        case 0: player.play()
        case 1: player.play(atTime: player.deviceCurrentTime + 0.01)
        case 2: player.pause()
        case 3: player.stop()
        case 4: player.currentTime = Double(value) * player.duration
        case 5: player.numberOfLoops = Int(clamping: (value * 4).rounded())
        case 6: player.volume = value
        case 7: player.setVolume(value, fadeDuration: 0.02)
        case 8: player.pan = value
        case 9: player.rate = value + 0.5
        case 10:
          player.isMeteringEnabled = true
          player.updateMeters()
          _ = player.peakPower(forChannel: 0)
        default: player.prepareToPlay()
        }
      }
    }
    players[0].delegate = nil
    for player in players {
      player.stop()
      #expect(!player.isPlaying)
      #expect(player.currentTime >= 0 && player.currentTime <= player.duration)
    }
    #expect(players[0].deviceCurrentTime == 0)
    // And each still plays.
    for player in players {
      (player.numberOfLoops, player.currentTime) = (0, 0)
      #expect(player.play())
      #expect(eventually { !player.isPlaying })
    }
  }
}
