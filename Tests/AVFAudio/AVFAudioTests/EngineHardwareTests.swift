import AVFAudio
import AudioCore
import AudioEngine
import Foundation
import Hardware
import TestSupport
import Testing

@Suite("AVAudioEngine: on simulated hardware")
struct EngineHardwareTests {
  private typealias Harness = HardwareHarness

  /// Player, reverb and mixer, with a tap, and a noise of 9000 frames.
  private static func song(
    _ engine: AVAudioEngine, _ format: AVAudioFormat
  ) throws -> AVAudioPlayerNode {
    let (player, reverb) = (AVAudioPlayerNode(), AVAudioUnitReverb())
    engine.attach(player)
    engine.attach(reverb)
    reverb.loadFactoryPreset(.largeHall)
    reverb.wetDryMix = 50
    engine.connect(player, to: reverb, format: format)
    engine.connect(reverb, to: engine.mainMixerNode, format: format)
    player.scheduleBuffer(try EngineHarness.buffer(format, 9000, HardwareHarness.noise))
    return player
  }

  @Test(
    "The loudspeaker plays the bits of manual rendering, whatever the slices",
    arguments: [[480], [93, 93, 92], [4096], [1, 1023]])
  func bits(slices: [Int]) throws {
    let harness = try Harness { $0.device.slices = slices }
    let player = try Self.song(harness.engine, harness.format)
    try harness.engine.start()
    #expect(harness.engine.isRunning)
    player.play()
    try harness.hardware.advance(seconds: 0.4)
    harness.engine.stop()
    #expect(!harness.engine.isRunning)
    let found = harness.loudspeaker.samples()

    let manual = AVAudioEngine()
    let other = try Self.song(manual, harness.format)
    try manual.enableManualRenderingMode(.offline, format: harness.format, maximumFrameCount: 512)
    try manual.start()
    other.play()
    var expected: [[Float]] = [[], []]
    let buffer = try #require(AVAudioPCMBuffer(pcmFormat: harness.format, frameCapacity: 512))
    while expected[0].count < found[0].count {
      _ = try manual.renderOffline(AVAudioFrameCount(min(512, found[0].count - expected[0].count)), to: buffer)
      let samples = try #require(buffer.floatChannelData)
      for channel in 0..<2 {
        expected[channel] += UnsafeBufferPointer(start: samples[channel], count: Int(buffer.frameLength))
      }
    }
    #expect(found[0].count >= 19_200)
    for channel in 0..<2 { #expect(firstDifference(found[channel], expected[channel]) == nil) }
    #expect(expected[0].contains { abs($0) > 0.1 })
  }

  @Test("Formats are the hardware's; the nodes' times are frames and host times of its clock")
  func times() throws {
    let harness = try Harness()
    let engine = harness.engine
    #expect(harness.format.sampleRate == 48_000 && harness.format.channelCount == 2)
    #expect(engine.mainMixerNode.outputFormat(forBus: 0).sampleRate == 48_000)
    #expect(engine.inputNode.inputFormat(forBus: 0).channelCount == 1)
    let player = harness.player()
    try engine.start()
    #expect(engine.outputNode.lastRenderTime == nil)
    player.play()
    try harness.hardware.advance(seconds: 0.1)
    let time = try #require(engine.outputNode.lastRenderTime)
    #expect(time.sampleTime == 4320)
    #expect(time.isHostTimeValid)
    let next = try #require(player.lastRenderTime)
    #expect(next.sampleTime == 4320)
    #expect(player.playerTime(forNodeTime: next)?.sampleTime == 4320)
    try harness.hardware.advance(seconds: 0.05)
    let later = try #require(engine.outputNode.lastRenderTime)
    #expect(later.hostTime - time.hostTime == 50_000_000)
    #expect(later.sampleTime - time.sampleTime == 2400)
    // A pause stops the clock of frames; what has been scheduled goes on.
    engine.pause()
    #expect(engine.outputNode.lastRenderTime == nil)
    try harness.hardware.advance(seconds: 0.05)
    try engine.start()
    try harness.hardware.advance(seconds: 0.01)
    #expect(engine.outputNode.lastRenderTime?.sampleTime == 7200)
    engine.stop()
    try engine.start()
    try harness.hardware.advance(seconds: 0.01)
    #expect(engine.outputNode.lastRenderTime?.sampleTime == 0)
  }

  /// A cycle is heard at its end: where cycles have other lengths, host times of frames have other distances.
  @Test(
    "A player begins at a host time, to the frame; so do buffers",
    arguments: [(48_000.0, [480], 0), (48_000, [93, 93, 92], 1), (44_100, [480], 1)])
  func hostTimes(rate: Double, slices: [Int], tolerance: Int) throws {
    let harness = try Harness { $0.device.slices = slices }
    let engine = harness.engine
    let format = try #require(AVAudioFormat(standardFormatWithSampleRate: rate, channels: 2))
    let player = AVAudioPlayerNode()
    engine.attach(player)
    engine.connect(player, to: engine.mainMixerNode, format: format)
    try engine.start()
    try harness.hardware.advance(seconds: 0.02)
    let anchor = try #require(engine.outputNode.lastRenderTime)
    let start = anchor.hostTime + 100_000_000
    player.scheduleBuffer(try EngineHarness.buffer(format, 20_000) { _, _ in 1 })
    player.play(at: AVAudioTime(hostTime: start))
    try harness.hardware.advance(seconds: 0.3)
    let heard = harness.loudspeaker.samples()[0]
    let expected = Int(anchor.sampleTime) + 4800
    let first = try #require(heard.firstIndex { $0 > 0.5 })
    #expect(abs(first - expected) <= tolerance)
    player.stop()
    let now = try #require(engine.outputNode.lastRenderTime)
    player.scheduleBuffer(
      try EngineHarness.buffer(format, 2000) { _, _ in 1 }, at: AVAudioTime(hostTime: now.hostTime + 50_000_000))
    player.play()
    try harness.hardware.advance(seconds: 0.2)
    let again = harness.loudspeaker.samples()[0]
    let second = try #require(again[Int(now.sampleTime + 1200)...].firstIndex { $0 > 0.5 })
    #expect(abs(second - (Int(now.sampleTime) + 2400)) <= tolerance)
  }

  @Test("Handlers and taps are called at the same places of each run, by a told clock and by a free one")
  func calls() throws {
    func run(_ clock: DeviceConfiguration.Clock) throws -> [String] {
      let harness = try Harness { scenario in
        scenario.device.clock = clock
        scenario.device.slices = [93, 93, 92]
        scenario.seconds = 0.3
      }
      let engine = harness.engine
      let player = harness.player()
      let log = Locked<[String]>([])
      func note(_ text: String) {
        let time = engine.outputNode.lastRenderTime?.sampleTime ?? -1
        log.withLock { $0.append("\(text) \(time)") }
      }
      player.installTap(onBus: 0, bufferSize: 1024, format: nil) { buffer, time in
        note("tap \(buffer.frameLength) \(time.sampleTime) \(time.isHostTimeValid)")
      }
      for length in [1000, 3000, 10] {
        player.scheduleBuffer(try harness.noise(length)) { [weak player] in
          note("end \(length)")
          // A buffer scheduled from a handler is in time for the next slice.
          if length == 3000, let buffer = try? harness.noise(100) { player?.scheduleBuffer(buffer) }
        }
      }
      // The hardware waits for handlers: the first call begins at the same place by any clock.
      let hasBegun = Locked(false)
      engine.mainMixerNode.installTap(onBus: 0, bufferSize: 93, format: nil) { [weak player] _, _ in
        guard
          hasBegun.withLock({ isSet in
            defer { isSet = true }
            return !isSet
          })
        else { return }
        player?.play(at: AVAudioTime(sampleTime: 2400, atRate: 48_000))
      }
      try engine.start()
      if clock == .told { try harness.hardware.advance(seconds: 0.3) }
      #expect(eventually { harness.hardware.scenarioSeconds >= 0.3 })
      engine.stop()
      #expect(harness.loudspeaker.samples()[0].contains { $0 != 0 })
      return log.withLock { $0 }
    }
    let told = try run(.told)
    #expect(told.filter { $0.hasPrefix("end") }.count == 3)
    #expect(told.filter { $0.hasPrefix("tap 1024") }.count == 14)
    #expect(told == (try run(.told)))
    #expect(told == (try run(.free)))
  }

  @Test("The microphone's frames reach taps and the loudspeaker within their cycle")
  func microphone() throws {
    let harness = try Harness { scenario in
      scenario.device.slices = [93, 93, 92]
      scenario.microphone = .tone(hertz: 997, amplitude: 0.5)
    }
    let engine = harness.engine
    let format = engine.inputNode.outputFormat(forBus: 0)
    #expect(format.channelCount == 1 && format.sampleRate == 48_000)
    let heard = Locked<[Float]>([])
    engine.inputNode.installTap(onBus: 0, bufferSize: 480, format: format) { buffer, _ in
      guard let samples = buffer.floatChannelData else { return }
      heard.withLock { $0 += UnsafeBufferPointer(start: samples[0], count: Int(buffer.frameLength)) }
    }
    engine.connect(engine.inputNode, to: engine.outputNode, format: format)
    try engine.start()
    try harness.hardware.advance(seconds: 0.2)
    engine.stop()
    let tone = (0..<9600).map { Float(0.5 * sin(2 * Double.pi * 997 * Double($0) / 48_000)) }
    let taken = heard.withLock { $0 }
    #expect(taken.count >= 9600)
    #expect(zip(taken, tone).allSatisfy { abs($0 - $1) < 1e-5 })
    let played = harness.loudspeaker.samples()
    #expect(firstDifference(Array(played[0].prefix(9600)), Array(taken.prefix(9600))) == nil)
  }

  @Test("A tap alone has the microphone heard")
  func tapAlone() throws {
    let harness = try Harness { $0.microphone = .tone(hertz: 480, amplitude: 0.5) }
    let count = Locked(0)
    harness.engine.inputNode.installTap(onBus: 0, bufferSize: 4800, format: nil) { buffer, time in
      count.withLock { $0 += Int(buffer.frameLength) }
      #expect(time.isHostTimeValid && time.sampleTime % 4800 == 0)
      #expect(buffer.floatChannelData?[0][25] == Float(0.5 * sin(2 * Double.pi * 480 * 25 / 48_000)))
    }
    try harness.engine.start()
    try harness.hardware.advance(seconds: 0.5)
    #expect(count.withLock { $0 } == 24_000)
  }

  @Test("Without a microphone the input has no channels, and an engine that needs it does not start")
  func noMicrophone() throws {
    let harness = try Harness { $0.device.inputChannels = 0 }
    let engine = harness.engine
    #expect(engine.inputNode.inputFormat(forBus: 0).channelCount == 0)
    #expect(engine.inputNode.outputFormat(forBus: 0).sampleRate == 0)
    _ = harness.player()
    try engine.start()
    engine.stop()
    engine.connect(engine.inputNode, to: engine.mainMixerNode, format: harness.format)
    #expect(throws: NSError.self) { try engine.start() }
    #expect(!engine.isRunning)
  }

  @Test("Hardware without a scenario is played to until it is stopped")
  func plainHardware() throws {
    let folder = TemporaryFolder()
    var configuration = DeviceConfiguration()
    configuration.clock = .free
    configuration.sampleRate = 48_000
    configuration.seconds = 0.25
    configuration.wavePath = folder.file("heard.wav")
    let engine = AVAudioEngine(hardware: SimulatedHardware(configuration))
    let source = AVAudioSourceNode { _, time, frames, list in
      for buffer in UnsafeMutableAudioBufferListPointer(list) {
        for frame in 0..<Int(frames) {
          buffer.mData?.assumingMemoryBound(to: Float.self)[frame] =
            Float(time.pointee.mSampleTime + Double(frame)) / 32_768
        }
      }
      return 0
    }
    engine.attach(source)
    engine.connect(source, to: engine.mainMixerNode, format: engine.outputNode.outputFormat(forBus: 0))
    let frames = Locked<Int64>(0)
    engine.mainMixerNode.installTap(onBus: 0, bufferSize: 512, format: nil) { buffer, time in
      frames.withLock { $0 = time.sampleTime + Int64(buffer.frameLength) }
    }
    try engine.start()
    #expect(eventually { frames.withLock { $0 } >= 11_776 })
    engine.stop()
    let file = try AVAudioFile(forReading: URL(fileURLWithPath: folder.file("heard.wav")))
    let buffer = try #require(AVAudioPCMBuffer(pcmFormat: file.processingFormat, frameCapacity: 20_000))
    try file.read(into: buffer)
    #expect(buffer.frameLength == 12_000)
    let samples = try #require(buffer.floatChannelData)
    #expect((0..<12_000).allSatisfy { samples[0][$0] == Float($0) / 32_768 && samples[1][$0] == samples[0][$0] })
  }

  @Test("By the wall clock an engine renders, and its host times are the machine's")
  func wallClock() throws {
    let harness = try Harness { $0.device.clock = .real }
    let player = harness.player()
    try harness.engine.start()
    player.scheduleBuffer(try harness.noise(480), at: nil, options: .loops)
    player.play()
    #expect(eventually { (harness.engine.outputNode.lastRenderTime?.sampleTime ?? 0) >= 4800 })
    let one = try #require(harness.engine.outputNode.lastRenderTime)
    #expect(eventually { (harness.engine.outputNode.lastRenderTime?.sampleTime ?? 0) >= one.sampleTime + 960 })
    let other = try #require(harness.engine.outputNode.lastRenderTime)
    let seconds = AVAudioTime.seconds(forHostTime: other.hostTime - one.hostTime)
    #expect(seconds >= 0.02)
    harness.engine.stop()
  }
}
