import AudioCore
import CAudioToolbox
import Testing

import AudioToolbox

/// Units of several outputs as C programs use them: elements that are channels, and a graph that reads each output.
@Suite struct MatrixMixerInterfaceTests {
  private func mixer(inputs: UInt32 = 2, outputs: UInt32 = 1) throws -> OpenedUnit {
    let mixer = try OpenedUnit(type: kAudioUnitType_Mixer, kAudioUnitSubType_MatrixMixer)
    expectNoError(mixer.set(kAudioUnitProperty_ElementCount, kAudioUnitScope_Input, to: inputs))
    expectNoError(mixer.set(kAudioUnitProperty_ElementCount, kAudioUnitScope_Output, to: outputs))
    return mixer
  }

  @Test("a fresh mixer has 64 inputs and 4 outputs, and cannot be initialized before anything is said of its buses")
  func fresh() throws {
    let mixer = try OpenedUnit(type: kAudioUnitType_Mixer, kAudioUnitSubType_MatrixMixer)
    #expect(mixer.get(kAudioUnitProperty_ElementCount, kAudioUnitScope_Input, as: UInt32.self).value == 64)
    #expect(mixer.get(kAudioUnitProperty_ElementCount, kAudioUnitScope_Output, as: UInt32.self).value == 4)
    #expect(AudioUnitInitialize(mixer.unit) == kAudioUnitErr_FailedInitialization)
    expectNoError(mixer.set(kAudioUnitProperty_ElementCount, kAudioUnitScope_Input, to: UInt32(2)))
    expectNoError(AudioUnitInitialize(mixer.unit))
  }

  @Test("levels by the addresses that programs use, and the whole of them")
  func levels() throws {
    let mixer = try mixer()
    func set(_ scope: AudioUnitScope, _ element: UInt32, _ value: Float) -> OSStatus {
      AudioUnitSetParameter(mixer.unit, AudioUnitParameterID(kMatrixMixerParam_Volume), scope, element, value, 0)
    }
    expectNoError(set(kAudioUnitScope_Global, 0xFFFF_FFFF, 0.5))
    #expect(set(kAudioUnitScope_Global, 3 << 16 | 1, 0.25) == noErr)
    expectNoError(set(kAudioUnitScope_Input, 3, 0.75))
    expectNoError(set(kAudioUnitScope_Output, 1, 2))
    #expect(set(kAudioUnitScope_Global, 4 << 16 | 1, 1) == kAudioUnitErr_InvalidElement)
    #expect(set(kAudioUnitScope_Input, 4, 1) == kAudioUnitErr_InvalidElement)
    #expect(mixer.value(AudioUnitParameterID(kMatrixMixerParam_Volume), kAudioUnitScope_Global, 0xFFFF_FFFF) == 0.5)
    #expect(mixer.value(AudioUnitParameterID(kMatrixMixerParam_Enable), kAudioUnitScope_Input, 1) == 1)
    var size: UInt32 = 0
    #expect(
      AudioUnitGetPropertyInfo(mixer.unit, kAudioUnitProperty_MatrixLevels, kAudioUnitScope_Global, 0, &size, nil)
        == noErr)
    #expect(size == 5 * 3 * 4)
    var levels = [Float](repeating: -1, count: 15)
    #expect(
      AudioUnitGetProperty(mixer.unit, kAudioUnitProperty_MatrixLevels, kAudioUnitScope_Global, 0, &levels, &size)
        == noErr)
    #expect(levels == [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0.25, 0.75, 0, 2, 0.5])
    let other = (0..<15).map { Float($0) }
    #expect(
      AudioUnitSetProperty(mixer.unit, kAudioUnitProperty_MatrixLevels, kAudioUnitScope_Global, 0, other, 60) == noErr)
    #expect(mixer.value(0, kAudioUnitScope_Global, 2 << 16) == 6)
    #expect(
      AudioUnitSetProperty(mixer.unit, kAudioUnitProperty_MatrixLevels, kAudioUnitScope_Global, 0, other, 56)
        == kAudioUnitErr_InvalidPropertyValue)
    var dimensions: (UInt32, UInt32) = (0, 0)
    size = 8
    #expect(
      AudioUnitGetProperty(
        mixer.unit, kAudioUnitProperty_MatrixDimensions, kAudioUnitScope_Global, 0, &dimensions, &size) == noErr)
    #expect(dimensions == (4, 2))
  }

  @Test("the state of a mixer brings back every level")
  func state() throws {
    let (former, later) = (try mixer(), try mixer())
    let levels = (0..<15).map { Float($0 + 1) }
    #expect(
      AudioUnitSetProperty(former.unit, kAudioUnitProperty_MatrixLevels, kAudioUnitScope_Global, 0, levels, 60) == noErr
    )
    let state = former.get(kAudioUnitProperty_ClassInfo, as: UnsafeRawPointer?.self)
    expectNoError(state.status)
    expectNoError(later.set(kAudioUnitProperty_ClassInfo, to: try #require(state.value)))
    var read = [Float](repeating: 0, count: 15)
    var size: UInt32 = 60
    #expect(
      AudioUnitGetProperty(later.unit, kAudioUnitProperty_MatrixLevels, kAudioUnitScope_Global, 0, &read, &size)
        == noErr)
    #expect(read == levels)
  }

  /// Two sources through a splitter each way, and a mixer whose two outputs are read by another mixer.
  @Test("a graph reads every output of a unit, and each source is pulled once a slice")
  func graph() throws {
    let bench = try GraphBench()
    let source = GraphSource(5)
    let splitter = try bench.add(kAudioUnitType_FormatConverter, kAudioUnitSubType_Splitter)
    let matrix = try bench.add(kAudioUnitType_Mixer, kAudioUnitSubType_MatrixMixer)
    let sum = try bench.addMixer()
    let output = try bench.addOutput()
    expectNoError(AUGraphOpen(bench.graph))
    var count: UInt32 = 2
    for scope in [kAudioUnitScope_Input, kAudioUnitScope_Output] {
      #expect(
        AudioUnitSetProperty(try bench.unit(matrix), kAudioUnitProperty_ElementCount, scope, 0, &count, 4) == noErr)
    }
    expectNoError(bench.feed(splitter, source))
    for bus in [UInt32(0), 1] {
      expectNoError(AUGraphConnectNodeInput(bench.graph, splitter, bus, matrix, bus))
      expectNoError(AUGraphConnectNodeInput(bench.graph, matrix, bus, sum, bus))
    }
    expectNoError(bench.connect(sum, to: output))
    expectNoError(AUGraphInitialize(bench.graph))
    // Input channels 0 and 1 to the first output at 0.5, 2 and 3 to the second at 0.25.
    var levels = [Float](repeating: 0, count: 25)
    for (input, out, gain) in [(0, 0, Float(0.5)), (1, 1, 0.5), (2, 2, 0.25), (3, 3, 0.25)] {
      levels[input * 5 + out] = gain
    }
    for index in 0..<4 {
      levels[index * 5 + 4] = 1
      levels[20 + index] = 1
    }
    levels[24] = 1
    #expect(
      AudioUnitSetProperty(
        try bench.unit(matrix), kAudioUnitProperty_MatrixLevels, kAudioUnitScope_Global, 0, levels, 100) == noErr)
    let heard = try render(try bench.unit(output), 0..<512 * 6)
    let expected = source.signal(0..<512 * 6)
    for channel in 0..<2 {
      #expect(heard[channel] == expected[channel].map { $0 * 0.5 + $0 * 0.25 }, "channel \(channel)")
    }
    #expect(source.pulls == 6)
  }
}
