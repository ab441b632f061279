import AudioCore
import AudioEngine
import DeviceUnits
import Glibc
import Hardware
import Synchronization
import Testing

/// A voice processor under a scenario in which its loudspeaker reaches its microphone.
@Suite struct VoiceUplinkTests {
  /// The power of what the unit records in seconds 3 to 5, dB, while it plays noise.
  private func recorded(_ kind: DeviceOutput.Kind, _ change: (DeviceOutput) throws -> Void = { _ in }) throws -> Double
  {
    var scenario = Scenario()
    scenario.device.clock = .told
    scenario.device.sampleRate = 16_000
    scenario.device.slices = [160, 161]
    scenario.echo = [EchoPath(delaySeconds: 0.03, gainDecibels: -6), EchoPath(delaySeconds: 0.05, gainDecibels: -15)]
    let hardware = SimulatedHardware(DeviceConfiguration())
    try hardware.follow(scenario)
    let unit = DeviceOutput(kind, hardware: hardware)
    try unit.setProperty(.enableIO, .input, element: 1, to: .uint32(1))
    let generator = Mutex(SplitMix64(seed: 9))
    try unit.setRenderCallback(
      RenderCallback { _, _, frames, buffer in
        generator.withLock { generator in
          for frame in 0..<frames {
            let sample = Float((2 * generator.unit() - 1) * 0.12)
            for channel in 0..<2 { buffer.planes[channel][frame] = sample }
          }
        }
        return .noError
      }, input: 0)
    let power = Mutex(0.0)
    unit.inputAvailable = { [unowned unit] time, frames in
      guard let bus = try? unit.render(output: 1, sampleTime: time.sampleTime, frames: frames),
        time.sampleTime >= 48_000
      else { return }
      power.withLock { for frame in 0..<frames { $0 += Double(bus.planes[0][frame] * bus.planes[0][frame]) } }
    }
    try change(unit)
    try unit.initialize()
    try unit.start()
    try hardware.advance(seconds: 5)
    unit.stop()
    #expect(unit.device.statistics.failedCycles == 0)
    return 10 * log10(power.withLock { $0 } / 32_000 + 1e-20)
  }

  @Test("the echo of what it plays is gone; bypassed it is as Remote I/O hears it; muted there is nothing")
  func echo() throws {
    let plain = try recorded(.remoteIO)
    #expect(abs(plain - 20 * log10(0.12 / 3.0.squareRoot()) + 5.5) < 0.5)
    let processed = try recorded(.voiceProcessing)
    #expect(plain - processed > 30, "\(plain) dB, \(processed) dB")
    let bypassed = try recorded(.voiceProcessing) { try $0.setProperty(.bypassVoiceProcessing, to: .uint32(1)) }
    #expect(abs(bypassed - plain) < 0.1)
    let muted = try recorded(.voiceProcessing) { try $0.setProperty(.muteOutput, to: .uint32(1)) }
    #expect(muted < -190)
  }

  @Test("a running unit follows another rate and another microphone; the app's formats and its clock stay")
  func route() throws {
    var change = ScenarioEvent.RouteChange()
    (change.sampleRate, change.inputChannels) = (48_000, 2)
    var scenario = Scenario()
    scenario.device.clock = .told
    scenario.device.slices = [441]
    scenario.microphone = .tone(hertz: 441, amplitude: 0.5)
    scenario.events = [ScenarioEvent(seconds: 1, .route(change))]
    let hardware = SimulatedHardware(DeviceConfiguration())
    try hardware.follow(scenario)
    let unit = DeviceOutput(.remoteIO, hardware: hardware)
    try unit.setProperty(.enableIO, .input, element: 1, to: .uint32(1))
    let heard = Mutex<(end: Int64, jumps: [Int64], last: [Float])>((0, [], []))
    unit.inputAvailable = { [unowned unit] time, frames in
      guard let bus = try? unit.render(output: 1, sampleTime: time.sampleTime, frames: frames) else { return }
      heard.withLock {
        if time.sampleTime != $0.end { $0.jumps.append(time.sampleTime - $0.end) }
        $0.end = time.sampleTime + Int64(frames)
        $0.last += bus.planes[0].prefix(frames).elements
      }
    }
    try unit.initialize()
    try unit.start()
    try hardware.advance(seconds: 3)
    unit.stop()
    #expect(try unit.streamFormat(.input, element: 1).sampleRate == 48_000)
    #expect(try unit.streamFormat(.input, element: 1).channelCount == 2)
    #expect(try unit.streamFormat(.output, element: 1).sampleRate == 44_100)
    // 200 ms without callbacks, and nothing else, is missing on the app's clock.
    let (end, jumps, last) = heard.withLock { $0 }
    #expect(jumps == [8_820] && abs(end - 3 * 44_100) <= 441)
    // At 44.1 kHz a period is 100 frames.
    let tail = last.suffix(20_000).map(\.self)
    #expect(zip(tail, tail.dropFirst(100)).allSatisfy { abs($0 - $1) < 1e-3 })
    #expect(tail.contains { $0 > 0.45 })
  }
}
