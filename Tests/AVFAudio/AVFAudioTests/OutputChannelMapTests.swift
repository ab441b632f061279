import AVFAudio
import AudioCore
import AudioToolbox
import Foundation
import Hardware
import TestSupport
import Testing

@Suite("AVAudioEngine: the channel map of its output")
struct OutputChannelMapTests {
  @Test(
    "The hardware plays the channels that the output's map names, from the next slice on",
    arguments: [[1, 0], [1, 1], [-1, 0], [1], [], [0, 2], [Int.min, Int.max], [1, 0, 7]])
  func channelMap(map: [Int]) throws {
    let harness = try HardwareHarness()
    let engine = harness.engine
    let player = harness.player()
    player.scheduleBuffer(try harness.noise(4800))
    try engine.start()
    player.play()
    let unit = engine.outputNode.auAudioUnit
    #expect(unit.channelMap == nil)
    for value in [nil, map.map { NSNumber(value: $0) }, nil] {
      unit.channelMap = value
      #expect(unit.channelMap == value)
      try harness.hardware.advance(seconds: 0.02)
    }
    engine.stop()
    let heard = harness.loudspeaker.samples()
    #expect(heard[0].count >= 2880)
    for channel in 0..<2 {
      let expected = (0..<2880).map { frame in
        let from = !(960..<1920).contains(frame) ? channel : channel < map.count ? map[channel] : -1
        return (0..<2).contains(from) ? HardwareHarness.noise(frame, from) : 0
      }
      #expect(firstDifference(Array(heard[channel].prefix(2880)), expected) == nil)
    }
  }

  @Test("A map that was set in front of the start holds, and behind a new start too; manual rendering knows none")
  func channelMapStays() throws {
    let harness = try HardwareHarness()
    let engine = harness.engine
    let player = harness.player()
    engine.outputNode.auAudioUnit.channelMap = [1, -1]
    for _ in 0..<2 {
      player.scheduleBuffer(try harness.noise(480))
      try engine.start()
      player.play()
      try harness.hardware.advance(seconds: 0.02)
      engine.stop()
    }
    let heard = harness.loudspeaker.samples()
    let noise = (0..<480).map { HardwareHarness.noise($0, 1) }
    #expect(Array(heard[0].prefix(480)) == noise)
    #expect(heard[0].filter { $0 != 0 }.count == 2 * noise.filter { $0 != 0 }.count)
    #expect(heard[1].allSatisfy { $0 == 0 })

    try engine.enableManualRenderingMode(.offline, format: harness.format, maximumFrameCount: 480)
    player.scheduleBuffer(try harness.noise(480))
    try engine.start()
    player.play()
    let buffer = try #require(AVAudioPCMBuffer(pcmFormat: harness.format, frameCapacity: 480))
    #expect(try engine.renderOffline(480, to: buffer) == .success)
    let samples = try #require(buffer.floatChannelData)
    for channel in 0..<2 {
      #expect((0..<480).allSatisfy { samples[channel][$0] == HardwareHarness.noise($0, channel) })
    }
    let unit = try #require(engine.outputNode.audioUnit)
    var (device, size) = (UInt32(0), UInt32(4))
    #expect(
      AudioUnitGetProperty(
        unit, kAudioOutputUnitProperty_CurrentDevice, kAudioUnitScope_Global, 0, &device, &size)
        == kAudioUnitErr_InvalidProperty)
  }
}
