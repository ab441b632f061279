// AudioUnitProcess and AudioUnitProcessMultiple: what AudioUnitRender gives with a callback that delivers the same
// frames, bit for bit, for every built-in unit there is, and the errors that the reference has for them.

import AudioCore
import AudioEngine
import AudioToolbox
import CAllocationCounter
import Glibc
import TestSupport
import Testing
import TimeStretch

@Suite("AudioUnitProcess and AudioUnitProcessMultiple")
struct ProcessTests {
  /// A unit by its codes.
  struct Codes: Sendable, CustomTestStringConvertible {
    let type: OSType
    let subType: OSType
    let manufacturer: OSType
    var testDescription: String { "\(FourCharCode(rawValue: type)) \(FourCharCode(rawValue: subType))" }

    /// A new unit, with its own formats set: some need one set before they are initialized.
    func open() throws -> OpenedUnit {
      let unit = try OpenedUnit(type: type, subType, manufacturer: manufacturer)
      let format = unit.get(
        kAudioUnitProperty_StreamFormat, kAudioUnitScope_Output, as: AudioStreamBasicDescription.self)
      if let format = format.value { _ = unit.set(kAudioUnitProperty_StreamFormat, kAudioUnitScope_Output, to: format) }
      return unit
    }
  }

  /// All units of this package, as a host finds them.
  static let all: [Codes] = {
    var codes: [Codes] = []
    var any = AudioComponentDescription()
    var component = AudioComponentFindNext(nil, &any)
    while let found = component {
      var description = AudioComponentDescription()
      if AudioComponentGetDescription(found, &description) == noErr,
        description.componentManufacturer != four("test")
      {
        codes.append(
          Codes(
            type: description.componentType, subType: description.componentSubType,
            manufacturer: description.componentManufacturer))
      }
      component = AudioComponentFindNext(found, &any)
    }
    return codes
  }()
  private static func four(_ text: StaticString) -> OSType {
    text.withUTF8Buffer { $0.reduce(0) { $0 << 8 | OSType($1) } }
  }

  static func canDo(_ codes: Codes, _ selector: UInt32) -> Bool {
    guard let opened = try? codes.open() else { return false }
    return AudioComponentInstanceCanDo(opened.unit, Int16(selector))
  }
  static let processing = all.filter { canDo($0, kAudioUnitProcessSelect) }
  static let processingMultiple = all.filter { codes in
    let isStretch = [kAudioUnitSubType_TimePitch, kAudioUnitSubType_NewTimePitch].contains(codes.subType)
    return canDo(codes, kAudioUnitProcessMultipleSelect) && (TimeStretcher.isAvailable || !isStretch)
  }

  private static func elements(_ unit: OpenedUnit, _ scope: AudioUnitScope) -> Int {
    Int(unit.get(kAudioUnitProperty_ElementCount, scope, as: UInt32.self).value ?? 0)
  }

  /// Another value for each parameter than it begins with, where that is a number that moves.
  private func turn(_ unit: OpenedUnit) {
    openMatrix(unit)
    var size: UInt32 = 0
    let id = kAudioUnitProperty_ParameterList
    guard AudioUnitGetPropertyInfo(unit.unit, id, kAudioUnitScope_Global, 0, &size, nil) == noErr, size > 0 else {
      return
    }
    var ids = [UInt32](repeating: 0, count: Int(size) / 4)
    expectNoError(AudioUnitGetProperty(unit.unit, id, kAudioUnitScope_Global, 0, &ids, &size))
    for id in ids {
      var info = AudioUnitParameterInfo()
      var size = UInt32(MemoryLayout<AudioUnitParameterInfo>.size)
      let status = AudioUnitGetProperty(
        unit.unit, kAudioUnitProperty_ParameterInfo, kAudioUnitScope_Global, id, &info, &size)
      guard status == noErr, info.flags.contains(.flag_IsWritable) else { continue }
      let value = info.defaultValue + 0.3 * (min(info.maxValue, 20_000) - info.defaultValue)
      expectNoError(AudioUnitSetParameter(unit.unit, id, kAudioUnitScope_Global, 0, value, 0))
    }
  }

  /// Lets every input of a matrix mixer be heard: its levels begin at 0.
  private func openMatrix(_ unit: OpenedUnit) {
    let size = unit.get(kAudioUnitProperty_MatrixDimensions, as: SIMD2<UInt32>.self)
    guard size.status == noErr, let size = size.value else { return }
    let levels = [Float](repeating: 0.5, count: Int((size[0] + 1) * (size[1] + 1)))
    let status = levels.withUnsafeBytes {
      AudioUnitSetProperty(
        unit.unit, kAudioUnitProperty_MatrixLevels, kAudioUnitScope_Global, 0, $0.baseAddress, UInt32($0.count))
    }
    expectNoError(status)
  }

  /// A ramp of the first parameter that takes one, within the slice to come.
  private func schedule(_ unit: OpenedUnit, frames: UInt32, from: Float) {
    var id: UInt32 = 0
    var size: UInt32 = 4
    let list = kAudioUnitProperty_ParameterList
    guard AudioUnitGetProperty(unit.unit, list, kAudioUnitScope_Global, 0, &id, &size) == noErr, size == 4 else {
      return
    }
    var info = AudioUnitParameterInfo()
    size = UInt32(MemoryLayout<AudioUnitParameterInfo>.size)
    let status = AudioUnitGetProperty(
      unit.unit, kAudioUnitProperty_ParameterInfo, kAudioUnitScope_Global, id, &info, &size)
    guard status == noErr, info.flags.contains(.flag_CanRamp) else { return }
    var event = AudioUnitParameterEvent()
    event.scope = kAudioUnitScope_Global
    event.parameter = id
    event.eventType = .parameterEvent_Ramped
    event.eventValues.ramp.startBufferOffset = Int32(frames / 4)
    event.eventValues.ramp.durationInFrames = frames / 2
    event.eventValues.ramp.startValue = info.minValue + from * (min(info.maxValue, 10_000) - info.minValue)
    event.eventValues.ramp.endValue = info.defaultValue
    expectNoError(AudioUnitScheduleParameters(unit.unit, &event, 1))
  }

  // Longer than any delay that the units are set to.
  private static let total = 13_500
  private static func sample(_ frame: Int, _ channel: Int, _ bus: Int) -> Float {
    var random = SplitMix64(seed: UInt64(frame * 31 + channel * 7 + bus * 1_000_003))
    return Float(random.next() >> 40) / Float(1 << 23) - 1
  }

  /// The channels of the first buses of a side.
  private static func channels(_ unit: OpenedUnit, _ scope: AudioUnitScope, _ count: Int) -> [Int] {
    (0..<count).map { bus in
      let format = unit.get(
        kAudioUnitProperty_StreamFormat, scope, UInt32(bus), as: AudioStreamBasicDescription.self)
      return Int(format.value?.mChannelsPerFrame ?? 0)
    }
  }

  /// The lists of one side, for each bus one of its channels.
  private static func lists(_ channels: [Int], frames: Int, at time: Int?) -> [RenderBuffers] {
    channels.indices.map { bus in
      let list = RenderBuffers(channels: channels[bus], frames: frames)
      guard let time else { return list }
      for (channel, buffer) in list.list.enumerated() {
        guard let samples = buffer.mData?.assumingMemoryBound(to: Float.self) else { continue }
        for frame in 0..<frames { samples[frame] = sample(time + frame, channel, bus) }
      }
      return list
    }
  }

  private static func stamp(_ time: Int) -> AudioTimeStamp {
    var stamp = AudioTimeStamp()
    stamp.mSampleTime = Double(time)
    stamp.mFlags = .sampleTimeValid
    return stamp
  }

  private static let source: AURenderCallback = { _, _, timeStamp, bus, frames, data in
    guard let data else { return kAudio_ParamError }
    for (channel, buffer) in UnsafeMutableAudioBufferListPointer(data).enumerated() {
      guard let samples = buffer.mData?.assumingMemoryBound(to: Float.self) else { continue }
      for frame in 0..<Int(frames) {
        samples[frame] = ProcessTests.sample(Int(clamping: timeStamp.pointee.mSampleTime) + frame, channel, Int(bus))
      }
    }
    return noErr
  }

  private func feed(_ unit: OpenedUnit, inputs: Int) {
    for bus in 0..<inputs {
      let callback = AURenderCallbackStruct(inputProc: Self.source, inputProcRefCon: nil)
      expectNoError(unit.set(kAudioUnitProperty_SetRenderCallback, kAudioUnitScope_Input, UInt32(bus), to: callback))
    }
  }

  private static func append(_ list: RenderBuffers, frames: Int, to sound: inout [[UInt32]]) {
    for (channel, buffer) in list.list.enumerated() {
      guard let samples = buffer.mData?.assumingMemoryBound(to: UInt32.self) else { continue }
      sound[channel] += UnsafeBufferPointer(start: samples, count: frames)
    }
  }

  /// The output of `AudioUnitRender`, bus by bus and channel by channel, as bits.
  private func rendered(_ codes: Codes, inputs: Int, outputs: Int, seed: UInt64) throws -> [[[UInt32]]] {
    let unit = try codes.open()
    turn(unit)
    feed(unit, inputs: inputs)
    try #require(AudioUnitInitialize(unit.unit) == noErr)
    let channels = Self.channels(unit, kAudioUnitScope_Output, outputs)
    var sound = channels.map { [[UInt32]](repeating: [], count: $0) }
    var time = 0
    for frames in Partition.random(seed: seed).lengths(total: Self.total) {
      schedule(unit, frames: UInt32(frames), from: Float(time) / Float(Self.total))
      for bus in 0..<outputs {
        let list = RenderBuffers(channels: channels[bus], frames: frames)
        var stamp = Self.stamp(time)
        var flags = AudioUnitRenderActionFlags(rawValue: 0)
        try #require(AudioUnitRender(unit.unit, &flags, &stamp, UInt32(bus), UInt32(frames), list.pointer) == noErr)
        Self.append(list, frames: frames, to: &sound[bus])
      }
      time += frames
    }
    return sound
  }

  @Test(
    "there are effects, mixers and converters among those that can; reverbs and mixers do not process in place")
  func those() {
    func names(_ list: [Codes]) -> Set<String> { Set(list.map(\.testDescription)) }
    #expect(names(Self.processing).isSuperset(of: ["aufx lpas", "aufx nbeq", "aufx dely", "aufx dcmp", "aufx lmtr"]))
    #expect(names(Self.processing).isDisjoint(with: ["aufx rvb2", "aumx mcmx", "auou genr", "aufc conv", "augn afpl"]))
    #expect(names(Self.processingMultiple).isSuperset(of: ["aufx rvb2", "aufx lpas", "aumx mcmx", "aufc conv"]))
    #expect(names(Self.processingMultiple).isDisjoint(with: ["auou genr", "auou rioc", "augn afpl"]))
    for codes in Self.all where !Self.canDo(codes, kAudioUnitProcessSelect) {
      guard let unit = try? codes.open() else { continue }
      let list = RenderBuffers(frames: 8)
      var stamp = Self.stamp(0)
      #expect(AudioUnitProcess(unit.unit, nil, &stamp, 8, list.pointer) == -4, "\(codes.testDescription)")
    }
  }

  @Test(
    "in place as through a callback, bit for bit, with ramps, without an allocation", arguments: processing,
    [UInt64(1), 2])
  func inPlace(codes: Codes, seed: UInt64) throws {
    let wanted = try rendered(codes, inputs: 1, outputs: 1, seed: seed)[0]
    let unit = try codes.open()
    turn(unit)
    try #require(AudioUnitInitialize(unit.unit) == noErr)
    var sound: [[UInt32]] = [[], []]
    var time = 0
    for (slice, frames) in Partition.random(seed: seed).lengths(total: Self.total).enumerated() {
      schedule(unit, frames: UInt32(frames), from: Float(time) / Float(Self.total))
      let list = Self.lists([2], frames: frames, at: time)[0]
      var stamp = Self.stamp(time)
      allocation_counter_start()
      let status = AudioUnitProcess(unit.unit, nil, &stamp, UInt32(frames), list.pointer)
      let count = allocation_counter_stop()
      try #require(status == noErr)
      #if !DEBUG
        if slice > 1 { #expect(count == 0, "\(count) allocations in slice \(slice)") }
      #endif
      Self.append(list, frames: frames, to: &sound)
      time += frames
    }
    #expect(sound == wanted)
    // A sound that is there, and that the unit has changed.
    #expect(wanted[0].contains { $0 << 1 != 0 })
  }

  @Test(
    "from lists into lists as through callbacks, bit for bit",
    arguments: processingMultiple, [UInt64(1), 2])
  func multiple(codes: Codes, seed: UInt64) throws {
    let there = try codes.open()
    let inputs = min(3, Self.elements(there, kAudioUnitScope_Input))
    let outputs = Self.elements(there, kAudioUnitScope_Output)
    try #require(AudioUnitInitialize(there.unit) == noErr, "\(codes.testDescription)")
    let from = Self.channels(there, kAudioUnitScope_Input, inputs)
    let into = Self.channels(there, kAudioUnitScope_Output, outputs)
    let (probe, probed) = (Self.lists(from, frames: 8, at: 0), Self.lists(into, frames: 8, at: nil))
    let answer = withExtendedLifetime((probe, probed)) {
      push(there, 8, at: 0, probe.map(\.pointer), probed.map(\.pointer))
    }
    if answer == -10868 {
      // A unit that does not render frame by frame has other frames to pull.
      #expect(codes.type == kAudioUnitType_FormatConverter && codes.subType != kAudioUnitSubType_AUConverter)
      return
    }
    let wanted = try rendered(codes, inputs: inputs, outputs: outputs, seed: seed)
    let unit = try codes.open()
    turn(unit)
    try #require(AudioUnitInitialize(unit.unit) == noErr)
    var sound = into.map { [[UInt32]](repeating: [], count: $0) }
    var time = 0
    for frames in Partition.random(seed: seed).lengths(total: Self.total) {
      schedule(unit, frames: UInt32(frames), from: Float(time) / Float(Self.total))
      let given = Self.lists(from, frames: frames, at: time)
      let taken = Self.lists(into, frames: frames, at: nil)
      let status = withExtendedLifetime((given, taken)) {
        push(unit, frames, at: time, given.map(\.pointer), taken.map(\.pointer))
      }
      try #require(status == noErr)
      for bus in 0..<outputs { Self.append(taken[bus], frames: frames, to: &sound[bus]) }
      // The given frames are unchanged.
      #expect(given[0].samples(frames: frames) == (0..<frames).map { Self.sample(time + $0, 0, 0) })
      time += frames
    }
    #expect(sound == wanted)
    #expect(wanted.allSatisfy { $0.contains { $0.contains { $0 << 1 != 0 } } })
  }

  private func push(
    _ unit: OpenedUnit, _ frames: Int, at time: Int, _ inputs: [UnsafeMutablePointer<AudioBufferList>?],
    _ outputs: [UnsafeMutablePointer<AudioBufferList>?], count: Int? = nil
  ) -> OSStatus {
    var stamp = Self.stamp(time)
    var inputs = inputs + [nil]
    var outputs = outputs + [nil]
    let (inputCount, outputCount) = (count ?? inputs.count - 1, outputs.count - 1)
    return inputs.withUnsafeMutableBytes { inputs in
      outputs.withUnsafeMutableBytes { outputs in
        guard let from = inputs.baseAddress, let to = outputs.baseAddress else { return -1 }
        return AudioUnitProcessMultiple(
          unit.unit, nil, &stamp, UInt32(frames), UInt32(inputCount),
          from.assumingMemoryBound(to: UnsafePointer<AudioBufferList>.self), UInt32(outputCount),
          to.assumingMemoryBound(to: UnsafeMutablePointer<AudioBufferList>.self))
      }
    }
  }

  @Test(
    "a mixer sums what it is given: 0.5 of one input, 0.25 of another, and nothing of a list that is null")
  func mixer() throws {
    let unit = try OpenedUnit(.mixer)
    expectNoError(AudioUnitSetParameter(unit.unit, 0, kAudioUnitScope_Input, 0, 0.5, 0))
    expectNoError(AudioUnitSetParameter(unit.unit, 0, kAudioUnitScope_Input, 2, 0.25, 0))
    expectNoError(AudioUnitInitialize(unit.unit))
    let given = Self.lists([2, 2, 2], frames: 64, at: 0)
    // Over an input, as in place.
    expectNoError(push(unit, 64, at: 0, [given[0].pointer, nil, given[2].pointer], [given[0].pointer]))
    let wanted = (0..<64).map { 0.5 * Self.sample($0, 0, 0) + 0.25 * Self.sample($0, 0, 2) }
    #expect(zip(given[0].samples(frames: 64), wanted).allSatisfy { abs($0 - $1) < 1e-7 })
    // An output that has no memory gets the unit's.
    let none = RenderBuffers(frames: 64, ownMemory: false)
    let status = withExtendedLifetime(given) { push(unit, 64, at: 64, [given[1].pointer], [none.pointer]) }
    expectNoError(status)
    let second = none.samples(frames: 64)
    #expect(second.isEmpty == false && second[5] == 0.5 * Self.sample(5, 0, 1))
  }

  @Test("each error in its order, kept as the last render error")
  func errors() throws {
    let unit = try OpenedUnit(type: kAudioUnitType_Effect, kAudioUnitSubType_Reverb2)
    let (one, other, wide) = (
      RenderBuffers(frames: 64), RenderBuffers(frames: 64), RenderBuffers(channels: 3, frames: 64)
    )
    let short = RenderBuffers(frames: 64, bytes: 63 * 4)
    func status(
      _ inputs: [RenderBuffers?], _ outputs: [RenderBuffers?], frames: Int = 64, count: Int? = nil
    ) -> OSStatus {
      let status = push(unit, frames, at: 0, inputs.map { $0?.pointer }, outputs.map { $0?.pointer }, count: count)
      #expect(unit.get(kAudioUnitProperty_LastRenderError, as: OSStatus.self).value == status)
      return status
    }
    expectStatus(-10867, status([one], [other]))
    expectNoError(AudioUnitInitialize(unit.unit))
    #expect(status([one, one], [wide], frames: 1 << 20) == -10874)
    // As a Mac's AUReverb2: one list and no other.
    expectStatus(-10877, status([one, other], [other]))
    expectStatus(-10877, status([one], [other, one]))
    #expect(status([one], [other], count: 1 << 30) == -10877)
    expectStatus(-50, status([wide], [other]))
    expectStatus(-50, status([one], [wide]))
    expectStatus(-50, status([short], [other]))
    expectStatus(-50, status([one], [short]))
    expectStatus(-50, status([RenderBuffers(frames: 64, ownMemory: false)], [other]))
    expectStatus(-10876, status([nil], [other]))
    expectNoError(status([one], [nil]))
    expectNoError(status([one], []))
    expectNoError(status([one], [other]))
    var stamp = Self.stamp(0)
    #expect(AudioUnitProcess(unit.unit, nil, &stamp, 64, one.pointer) == -4)
    stamp.mSampleTime = .nan
    let effect = try OpenedUnit(.lowPass)
    expectNoError(AudioUnitInitialize(effect.unit))
    expectStatus(-50, AudioUnitProcess(effect.unit, nil, &stamp, 64, one.pointer))
  }

  @Test("a converter takes lists of two formats of one rate, and refuses two rates")
  func converter() throws {
    let unit = try OpenedUnit(.converter)
    let whole = StreamFormat(sampleRate: 44_100, channelCount: 2, encoding: .int16, isInterleaved: true)
    let id = kAudioUnitProperty_StreamFormat
    expectNoError(unit.set(id, kAudioUnitScope_Output, to: whole.audioStreamBasicDescription))
    expectNoError(AudioUnitInitialize(unit.unit))
    let given = Self.lists([2], frames: 64, at: 0)[0]
    let taken = RenderBuffers(channels: 1, frames: 64)
    taken.list[0].mNumberChannels = 2
    expectNoError(push(unit, 64, at: 0, [given.pointer], [taken.pointer]))
    let data = try #require(taken.list[0].mData)
    for frame in 0..<64 {
      let wanted = (Self.sample(frame, 1, 0) * 32768).rounded(.toNearestOrEven)
      #expect(
        data.load(fromByteOffset: frame * 4 + 2, as: Int16.self) == Int16(clamping: max(-32768, min(32767, wanted))))
    }
    expectNoError(AudioUnitUninitialize(unit.unit))
    expectNoError(unit.set(id, kAudioUnitScope_Output, to: whole.at(sampleRate: 48_000).audioStreamBasicDescription))
    expectNoError(AudioUnitInitialize(unit.unit))
    expectStatus(-10868, push(unit, 64, at: 0, [given.pointer], [taken.pointer]))
  }

  @Test("render notifies are not called, the input's source is not pulled, the same time twice is two slices")
  func alone() throws {
    let host = try RenderHost(.lowPass)
    host.signal = { _ in 1 }
    #expect(host.process() == noErr && host.process() == noErr)
    #expect(host.notes.isEmpty && host.pulls.isEmpty)
    let list = RenderBuffers(frames: 64)
    var stamp = Self.stamp(0)
    var last: [Float] = []
    for _ in 0..<2 {
      for buffer in list.list {
        buffer.mData?.assumingMemoryBound(to: Float.self).update(repeating: 1, count: 64)
      }
      expectNoError(AudioUnitProcess(host.unit, nil, &stamp, 64, list.pointer))
      #expect(list.samples(frames: 64) != last)
      last = list.samples(frames: 64)
    }
  }

  /// A unit that is pulled directly stays wired to the unit in front of it.
  @Test(
    "in a graph a unit renders what it is given, whatever it is connected to, and goes on with its source afterwards")
  func connected() throws {
    let bench = try GraphBench()
    let (output, first, second) = (try bench.addOutput(), try bench.addEqualizer(), try bench.addFilter())
    expectNoError(bench.connect(first, to: second))
    expectNoError(bench.connect(second, to: output))
    expectNoError(AUGraphOpen(bench.graph))
    var callback = AURenderCallbackStruct(inputProc: Self.source, inputProcRefCon: nil)
    expectNoError(AUGraphSetNodeInputCallback(bench.graph, first, 0, &callback))
    expectNoError(AUGraphInitialize(bench.graph))
    let unit = try bench.unit(second)
    func pull(_ time: Int) -> [Float] {
      let list = RenderBuffers(frames: 64)
      var stamp = Self.stamp(time)
      expectNoError(AudioUnitRender(unit, nil, &stamp, 0, 64, list.pointer))
      return list.samples(frames: 64)
    }
    for slice in 0..<4 { #expect(pull(slice * 64) != [Float](repeating: 0, count: 64)) }
    expectNoError(AudioUnitReset(unit, kAudioUnitScope_Global, 0))
    let list = RenderBuffers(frames: 64)
    var stamp = Self.stamp(1000)
    expectNoError(AudioUnitProcess(unit, nil, &stamp, 64, list.pointer))
    // A filter without history of zeros, and not of what the equalizer gives.
    #expect(list.samples(frames: 64) == [Float](repeating: 0, count: 64))
    #expect(pull(2000) != [Float](repeating: 0, count: 64))
  }
}
