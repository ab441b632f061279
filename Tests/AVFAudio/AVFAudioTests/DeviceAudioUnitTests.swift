import AVFAudio
import AudioCore
import AudioEngine
import DeviceUnits
import Foundation
import Hardware
import TestSupport
import Testing

@Suite("Audio units of version 3 that play a device")
struct DeviceAudioUnitTests {
  /// A unit on the harness's hardware.
  private func unit(_ kind: DeviceOutput.Kind, _ harness: HardwareHarness) -> AUAudioUnit {
    EngineAudioUnits.audioUnit(of: DeviceOutput(kind, hardware: harness.hardware))
  }

  private func code(_ body: () throws -> Void) -> Int? {
    do { try body() } catch { return (error as NSError).code }
    return nil
  }

  @Test("It plays what its provider gives, each frame once, from its start to its stop, with the host's times")
  func output() throws {
    let harness = try HardwareHarness { $0.device.slices = [480, 100] }
    let unit = unit(.remoteIO, harness)
    #expect(unit.canPerformOutput && unit.canPerformInput && unit.isOutputEnabled && !unit.isInputEnabled)
    #expect(code { try unit.startHardware() } == Int(kAudioUnitErr_Uninitialized))
    let format = unit.inputBusses[0].format
    #expect(format.sampleRate == 48_000 && format.channelCount == 2)
    let calls = Locked<[(time: Double, host: UInt64, frames: Int)]>([])
    unit.outputProvider = { _, stamp, frames, bus, list in
      #expect(bus == 0)
      let start = stamp.pointee.mSampleTime
      calls.withLock { $0.append((start, stamp.pointee.mHostTime, Int(frames))) }
      for (channel, buffer) in UnsafeMutableAudioBufferListPointer(list).enumerated() {
        let samples = buffer.mData?.assumingMemoryBound(to: Float.self)
        for frame in 0..<Int(frames) {
          samples?[frame] = Float(channel + 1) * (Float(start) + Float(frame + 1)) / 65_536
        }
      }
      return noErr
    }
    try unit.allocateRenderResources()
    #expect(!unit.isRunning)
    try unit.startHardware()
    try unit.startHardware()
    #expect(unit.isRunning)
    try harness.hardware.advance(seconds: 0.1)
    unit.stopHardware()
    unit.stopHardware()
    #expect(!unit.isRunning)
    try harness.hardware.advance(seconds: 0.1)
    let made = calls.withLock { $0 }
    let frames = made.map(\.frames).reduce(0, +)
    #expect(frames >= 4800 && made.prefix(4).map(\.frames) == [480, 100, 480, 100])
    var next = 0
    for (index, call) in made.enumerated() {
      #expect(call.time == Double(next))
      let passed = Double(call.host - made[0].host)
      // The frames of a cycle are heard when its time is over.
      let heard = Double(next + call.frames - made[0].frames) / 48_000 * 1e9
      #expect(abs(passed - heard) < 2, "call \(index)")
      next += call.frames
    }
    let heard = harness.loudspeaker.samples()
    for channel in 0..<2 {
      #expect(
        Array(heard[channel].prefix(frames)) == (0..<frames).map { Float(channel + 1) * Float($0 + 1) / 65_536 })
      #expect(heard[channel].dropFirst(frames).allSatisfy { $0 == 0 })
    }
    unit.deallocateRenderResources()
  }

  @Test("Its handler pulls the microphone's frames from bus 1, in front of the output of the same cycle")
  func input() throws {
    let harness = try HardwareHarness { $0.microphone = .tone(hertz: 997, amplitude: 0.5) }
    let unit = unit(.remoteIO, harness)
    unit.isInputEnabled = true
    #expect(unit.isInputEnabled)
    let recorded = Locked<[Float]>([])
    let order = Locked<[String]>([])
    try unit.allocateRenderResources()
    // It holds while resources are allocated.
    unit.isInputEnabled = false
    #expect(unit.isInputEnabled)
    let (render, channels) = (unit.renderBlock, unit.outputBusses[1].format.channelCount)
    #expect(channels == 1)
    let piece = try #require(
      AVAudioPCMBuffer(pcmFormat: unit.outputBusses[1].format, frameCapacity: 4096))
    unit.inputHandler = { flags, stamp, frames, bus in
      order.withLock { $0.append("in") }
      #expect(bus == 1 && stamp.pointee.mFlags.contains(.hostTimeValid))
      piece.frameLength = frames
      #expect(render(flags, stamp, frames, bus, piece.mutableAudioBufferList, nil) == noErr)
      guard let samples = piece.floatChannelData else { return }
      recorded.withLock { $0 += UnsafeBufferPointer(start: samples[0], count: Int(frames)) }
    }
    unit.outputProvider = { _, _, frames, _, list in
      order.withLock { $0.append("out") }
      for buffer in UnsafeMutableAudioBufferListPointer(list) {
        for frame in 0..<Int(frames) { buffer.mData?.assumingMemoryBound(to: Float.self)[frame] = 0.25 }
      }
      return noErr
    }
    try unit.startHardware()
    try harness.hardware.advance(seconds: 0.1)
    unit.stopHardware()
    #expect(order.withLock { $0 } == (0..<10).flatMap { _ in ["in", "out"] })
    // The same as an engine's tap hears on hardware of its own.
    let other = try HardwareHarness { $0.microphone = .tone(hertz: 997, amplitude: 0.5) }
    let tapped = Locked<[Float]>([])
    other.engine.inputNode.installTap(onBus: 0, bufferSize: 480, format: nil) { buffer, _ in
      guard let samples = buffer.floatChannelData else { return }
      tapped.withLock { $0 += UnsafeBufferPointer(start: samples[0], count: Int(buffer.frameLength)) }
    }
    try other.engine.start()
    try other.hardware.advance(seconds: 0.1)
    other.engine.stop()
    let expected = tapped.withLock { $0 }
    #expect(expected.count == 4800 && expected.contains { abs($0) > 0.4 })
    #expect(firstDifference(recorded.withLock { $0 }, expected) == nil)
    let tone = (0..<4800).map { Float(0.5 * sin(2 * Double.pi * 997 * Double($0) / 48_000)) }
    #expect(zip(expected, tone).allSatisfy { abs($0 - $1) < 1e-5 })
    #expect(harness.loudspeaker.samples()[0].prefix(4800).allSatisfy { $0 == 0.25 })
  }

  @Test("An interruption stops it, and it starts when that is over; the microphone may be absent, or none of its kind")
  func states() throws {
    let harness = try HardwareHarness { scenario in
      scenario.device.inputChannels = 0
      scenario.events = [
        ScenarioEvent(seconds: 0.1, .interruptionBegins),
        ScenarioEvent(seconds: 0.2, .interruptionEnds(PlayerHarness.end(resumes: true))),
      ]
    }
    let unit = unit(.remoteIO, harness)
    #expect(!unit.canPerformInput)
    #expect(!self.unit(.defaultOutput, try HardwareHarness()).canPerformInput)
    unit.outputProvider = { _, _, _, _, _ in noErr }
    try unit.allocateRenderResources()
    try unit.startHardware()
    try harness.hardware.advance(seconds: 0.15)
    #expect(!unit.isRunning)
    #expect(code { try unit.startHardware() } == Int(kAudioUnitErr_CannotDoInCurrentContext))
    try harness.hardware.advance(seconds: 0.1)
    try unit.startHardware()
    #expect(unit.isRunning)
    unit.deallocateRenderResources()
    #expect(!unit.isRunning)
    #expect(unit.deviceID == SimulatedHardware.deviceID)
    try unit.setDeviceID(SimulatedHardware.deviceID)
    #expect(code { try unit.setDeviceID(1) } == 0x2164_6576)
  }

  @Test("Units of no device say so; those of an engine's input and output follow the engine")
  func others() throws {
    let delay = AVAudioUnitDelay().auAudioUnit
    #expect(code { try delay.startHardware() } == Int(kAudio_UnimplementedError))
    #expect(code { try delay.setDeviceID(0) } == Int(kAudio_UnimplementedError))
    delay.stopHardware()
    delay.isInputEnabled = true
    delay.outputProvider = { _, _, _, _, _ in noErr }
    #expect(!delay.isInputEnabled && !delay.isOutputEnabled && !delay.canPerformInput && !delay.canPerformOutput)
    #expect(delay.deviceID == 0 && delay.outputProvider == nil && delay.inputHandler == nil && !delay.isRunning)
    let harness = try HardwareHarness { $0.microphone = .tone(hertz: 997, amplitude: 0.5) }
    let engine = harness.engine
    let (input, output) = (engine.inputNode.auAudioUnit, engine.outputNode.auAudioUnit)
    engine.connect(engine.inputNode, to: engine.mainMixerNode, format: nil)
    for unit in [input, output] {
      #expect(unit.deviceID == SimulatedHardware.deviceID && unit.canPerformInput && unit.canPerformOutput)
      #expect(!unit.isRunning && unit.isOutputEnabled && !unit.isInputEnabled)
      try unit.setDeviceID(SimulatedHardware.deviceID)
      #expect(code { try unit.setDeviceID(7) } == 0x2164_6576)
      #expect(code { try unit.startHardware() } == Int(kAudioUnitErr_CannotDoInCurrentContext))
    }
    try engine.start()
    #expect(input.isRunning && input.isInputEnabled && output.isRunning)
    engine.stop()
    #expect(!input.isRunning)
    try engine.enableManualRenderingMode(.offline, format: harness.format, maximumFrameCount: 512)
    #expect(output.deviceID == 0 && !output.canPerformOutput)
  }
}
