import AVFAudio
import CAllocationCounter
import Foundation
import Testing

/// A host that renders a unit of version 3 by its render block.
final class UnitHost {
  let unit: AUAudioUnit
  private let block: AURenderBlock
  private let output: AVAudioPCMBuffer
  private var input: (Int64) -> Float
  private(set) var time: Int64 = 0

  init(_ unit: AUAudioUnit, channels: AVAudioChannelCount = 1, input: @escaping (Int64) -> Float = { _ in 1 }) throws {
    self.unit = unit
    self.input = input
    let format = try #require(AVAudioFormat(standardFormatWithSampleRate: 44_100, channels: channels))
    for bus in unit.inputBusses { try bus.setFormat(format) }
    for bus in unit.outputBusses { try bus.setFormat(format) }
    unit.maximumFramesToRender = 512
    try unit.allocateRenderResources()
    block = unit.renderBlock
    output = try #require(AVAudioPCMBuffer(pcmFormat: format, frameCapacity: 512))
  }

  /// The next frames of channel 0, or the status that ends them.
  func render(_ frames: Int) throws -> [Float] {
    output.frameLength = AVAudioFrameCount(frames)
    let samples = try #require(output.floatChannelData)
    let status = renderStatus(frames)
    if status != noErr { throw NSError(domain: NSOSStatusErrorDomain, code: Int(status)) }
    return Array(UnsafeBufferPointer(start: samples[0], count: frames))
  }

  func renderStatus(_ frames: Int) -> OSStatus {
    var flags = AudioUnitRenderActionFlags()
    var stamp = AVAudioTime(sampleTime: time, atRate: 44_100).audioTimeStamp
    let list = UnsafeMutableAudioBufferListPointer(output.mutableAudioBufferList)
    for index in list.indices { list[index].mDataByteSize = UInt32(frames * 4) }
    let input = input
    let status = block(&flags, &stamp, AUAudioFrameCount(frames), 0, list.unsafeMutablePointer) {
      _, stamp, frames, _, data in
      for buffer in UnsafeMutableAudioBufferListPointer(data) {
        guard let samples = buffer.mData?.assumingMemoryBound(to: Float.self) else { return kAudio_ParamError }
        for frame in 0..<Int(frames) { samples[frame] = input(Int64(stamp.pointee.mSampleTime) + Int64(frame)) }
      }
      return noErr
    }
    time += Int64(frames)
    return status
  }
}

@Suite("Audio units of version 3")
struct AUAudioUnitTests {
  private func gain() throws -> GainAudioUnit { try GainAudioUnit(componentDescription: GainAudioUnit.codes) }

  @Test("Scheduled values hold from their frame on, and ramps go on over slices")
  func events() throws {
    let unit = try gain()
    let host = try UnitHost(unit)
    let schedule = unit.scheduleParameterBlock
    schedule(10, 0, 3, 2)
    schedule(100, 200, 3, 4)
    schedule(400, 0, 3, 0.5)
    schedule(400, 0, 3, 0.25)
    let out = try host.render(64) + host.render(100) + host.render(300)
    let expected = (0..<464).map { frame -> Float in
      switch frame {
      case ..<10: 1
      case ..<100: 2
      case ..<300: Float(2 + 2 * (Double(frame - 100) / 200))
      case ..<400: 4
      default: 0.25
      }
    }
    #expect(firstDifference(out, expected) == nil)
    #expect(unit.parameterTree?.parameter(withAddress: 3)?.value == 0.25)
    #expect(unit.observed.isEmpty)
    schedule(AUEventSampleTimeImmediate + 5, 0, 3, 3)
    schedule(2, 0, 3, 7)
    #expect(try host.render(8) == [7, 7, 7, 7, 7, 3, 3, 3])
  }

  @Test("Events are dropped where 256 wait, and by a reset")
  func limits() throws {
    let unit = try gain()
    unit.kernel.keepsEvents = true
    let host = try UnitHost(unit)
    for index in 0..<300 { unit.scheduleParameterBlock(Int64(index), 0, 3, 1) }
    _ = try host.render(512)
    #expect(unit.kernel.events.map(\.time) == Array(0..<256))
    unit.scheduleParameterBlock(512, 0, 3, 5)
    unit.scheduleParameterBlock(9999, 0, 3, 5)
    unit.reset()
    #expect(try host.render(4) == [1, 1, 1, 1])
    #expect(unit.kernel.events.count == 256)
  }

  @Test("Without resources, with too many frames and without an input a render answers the documented status")
  func statuses() throws {
    let unit = try gain()
    let host = try UnitHost(unit)
    #expect(host.renderStatus(513) == kAudioUnitErr_TooManyFramesToProcess)
    unit.deallocateRenderResources()
    #expect(host.renderStatus(5) == kAudioUnitErr_Uninitialized)
    let base = try TestAudioUnit(componentDescription: codes(kAudioUnitType_Effect, 1))
    #expect(try UnitHost(base).renderStatus(5) == kAudio_UnimplementedError)
  }

  @Test("Render observers are called on both sides of a slice, until they are removed")
  func observers() throws {
    let unit = try gain()
    let host = try UnitHost(unit)
    var calls: [String] = []
    let token = unit.token(byAddingRenderObserver: { flags, stamp, frames, bus in
      let side = flags.contains(.unitRenderAction_PreRender) ? "pre" : "post"
      calls.append("\(side) \(stamp.pointee.mSampleTime) \(frames) \(bus)")
    })
    _ = try host.render(32)
    #expect(calls == ["pre 0.0 32 0", "post 0.0 32 0"])
    unit.removeRenderObserver(token)
    _ = try host.render(32)
    #expect(calls.count == 2)
  }

  @Test("A bus refuses formats by count, by the unit and while resources are allocated")
  func formats() throws {
    let unit = try RefusingAudioUnit(componentDescription: RefusingAudioUnit.codes)
    let bus = unit.inputBusses[0]
    func format(_ rate: Double, _ channels: AVAudioChannelCount) throws -> AVAudioFormat {
      try #require(AVAudioFormat(standardFormatWithSampleRate: rate, channels: channels))
    }
    #expect(throws: NSError.self) { try bus.setFormat(try format(8000, 1)) }
    bus.supportedChannelCounts = [2]
    let refused = #expect(throws: NSError.self) { try bus.setFormat(try format(44_100, 1)) }
    #expect(refused?.code == Int(kAudioUnitErr_FormatNotSupported))
    #expect(refused?.localizedDescription == "bus 0 takes 2 channels, not 1")
    bus.supportedChannelCounts = nil
    bus.maximumChannelCount = 1
    #expect(throws: NSError.self) { try bus.setFormat(try format(48_000, 2)) }
    try bus.setFormat(try format(48_000, 1))
    #expect(bus.format.sampleRate == 48_000)
    #expect((bus.index, bus.busType, bus.ownerAudioUnit === unit) == (0, .input, true))
    let gain = try gain()
    _ = try UnitHost(gain)
    let busy = #expect(throws: NSError.self) { try gain.outputBusses[0].setFormat(try format(96_000, 2)) }
    #expect(busy?.code == Int(kAudioUnitErr_Initialized))
    let fixed = #expect(throws: NSError.self) { try gain.inputBusses.setBusCount(2) }
    #expect(fixed?.code == Int(kAudioUnitErr_PropertyNotWritable))
  }

  @Test("A state goes to another unit of the same codes, and to no other")
  func states() throws {
    let (unit, other) = (try gain(), try gain())
    unit.parameterTree?.allParameters[0].value = 2.5
    let state = try #require(unit.fullStateForDocument)
    let data = try PropertyListSerialization.data(fromPropertyList: state, format: .xml, options: 0)
    let read = try #require(try PropertyListSerialization.propertyList(from: data, format: nil) as? [String: Any])
    other.fullStateForDocument = read
    #expect(other.kernel.gain == 2.5)
    #expect(other.observed == [2.5])
    var foreign = read
    foreign[kAUPresetSubtypeKey] = 1
    other.kernel.gain = 1
    other.fullState = foreign
    foreign = read
    foreign[kAUPresetDataKey] = Data([0, 1, 2])
    other.fullState = foreign
    other.fullState = nil
    #expect(other.kernel.gain == 1)
  }

  @Test("Presets of users need a unit that supports them")
  func presets() throws {
    final class Saving: TestAudioUnit { override var supportsUserPresets: Bool { true } }
    let mine = AUAudioUnitPreset()
    (mine.number, mine.name) = (-3, "mine")
    let refusal = #expect(throws: NSError.self) { try gain().saveUserPreset(mine) }
    #expect(refusal?.code == Int(kAudioUnitErr_InvalidProperty))
    let unit = try Saving(componentDescription: codes(kAudioUnitType_Effect, 2))
    let level = AUParameterTree.createParameter(
      withIdentifier: "level", name: "", address: 1 << 33, min: 0, max: 1, unit: .generic, unitName: nil,
      valueStrings: nil, dependentParameters: nil)
    unit.parameterTree = AUParameterTree.createTree(withChildren: [level])
    level.value = 0.75
    try unit.saveUserPreset(mine)
    level.value = 0
    unit.currentPreset = unit.userPresets[0]
    #expect((level.value, unit.currentPreset?.name, unit.userPresets.count) == (0.75, "mine", 1))
    try unit.deleteUserPreset(mine)
    #expect(unit.userPresets.isEmpty)
    #expect(throws: NSError.self) { try unit.presetState(for: mine) }
  }

  @Test("MIDI comes to the frame: short messages, and long ones with their bytes")
  func midi() throws {
    let unit = try NumberInstrument(componentDescription: NumberInstrument.codes)
    let host = try UnitHost(unit)
    let send = try #require(unit.scheduleMIDIEventBlock)
    send(4, 0, 3, [0x90, 60, 100])
    send(6, 0, 3, [0x80, 60, 0])
    send(8, 0, 200, [UInt8](repeating: 0xF0, count: 200))
    send(9, 0, 5000, [UInt8](repeating: 0xF0, count: 5000))
    #expect(try host.render(10) == [0, 0, 0, 0, 60, 60, 0, 0, 200, 200])
    var list = MIDIEventList()
    list.numPackets = 1
    list.packet.wordCount = 1
    list.packet.words.0 = 0x2090_4164
    #expect(unit.scheduleMIDIEventListBlock?(12, 0, &list) == noErr)
    #expect(try host.render(4) == [200, 200, 65, 65])
    #expect((unit.isMusicDeviceOrEffect, unit.virtualMIDICableCount) == (true, 1))
    #expect(try gain().scheduleMIDIEventBlock == nil)
  }

  @Test("A unit that does not bypass itself is bypassed by its host")
  func bypass() throws {
    let unit = try gain()
    let host = try UnitHost(unit)
    unit.parameterTree?.allParameters[0].value = 3
    unit.shouldBypassEffect = true
    #expect(try host.render(2) == [1, 1])
    unit.shouldBypassEffect = false
    #expect(try host.render(2) == [3, 3])
  }

  @Test("A slice with events allocates nothing beside the unit's own function")
  func allocations() throws {
    let unit = try gain()
    let host = try UnitHost(unit)
    _ = unit.token(byAddingRenderObserver: { _, _, _, _ in })
    let schedule = unit.scheduleParameterBlock
    _ = host.renderStatus(64)
    func once() -> Int64 {
      allocation_counter_start()
      for index in 0..<20 { schedule(host.time + Int64(index), index % 2 == 0 ? 0 : 5, 3, 1) }
      _ = host.renderStatus(64)
      return allocation_counter_stop()
    }
    _ = once()
    // The host of the test makes a closure for its input.
    #expect(once() <= 1)
  }
}
