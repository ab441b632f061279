import AVFAudio
import AudioCore
import AudioToolbox
import Foundation
import Hardware
import TestSupport
import Testing

@Suite("Handles of the C interface to the units that an engine renders")
struct UnitHandlesTests {
  init() { GainAudioUnit.register() }

  /// A player, an equalizer and the output.
  private struct Chain {
    let harness: EngineHarness
    let player = AVAudioPlayerNode()
    let equalizer = AVAudioUnitEQ(numberOfBands: 2)

    init() throws {
      harness = try EngineHarness()
      for node in [player, equalizer] { harness.engine.attach(node) }
      harness.engine.connect(player, to: equalizer, format: harness.format)
      harness.engine.connect(equalizer, to: harness.engine.outputNode, format: harness.format)
      player.scheduleBuffer(try harness.ramp(5000, from: 1))
      try harness.engine.start()
      player.play()
    }
  }

  private let global = kAudioUnitScope_Global

  @Test(
    "A parameter that is set by the handle is the node's, and heard from the next slice on; and the other way round")
  func parameters() throws {
    let chain = try Chain()
    let unit = chain.equalizer.audioUnit
    #expect(unit == chain.equalizer.audioUnit, "a node has one handle")
    #expect(try chain.harness.render(100)[0] == EngineHarness.ramp(0..<100, from: 1))
    // 20·log10(2) dB.
    #expect(
      AudioUnitSetParameter(unit, AudioUnitParameterID(kAUNBandEQParam_GlobalGain), global, 0, 6.0206, 0) == noErr)
    #expect(chain.equalizer.globalGain == 6.0206)
    let twice = try chain.harness.render(100)[0]
    for frame in 0..<100 { #expect(abs(twice[frame] / Float(101 + frame) - 2) < 1e-5) }
    chain.equalizer.bands[1].frequency = 777
    var value: Float = 0
    #expect(
      AudioUnitGetParameter(unit, AudioUnitParameterID(kAUNBandEQParam_Frequency) + 1, global, 0, &value) == noErr)
    #expect(value == 777)
    #expect(AudioUnitGetParameter(unit, 12_345, global, 0, &value) == kAudioUnitErr_InvalidParameter)
    #expect(AudioUnitSetParameter(unit, 0, global, 0, .nan, 0) != noErr)
  }

  @Test("Properties are those of the unit; formats belong to the engine while it renders, sources and starts always")
  func properties() throws {
    let chain = try Chain()
    let unit = chain.equalizer.audioUnit
    _ = try chain.harness.render(10)
    var format = AudioStreamBasicDescription()
    var size = UInt32(MemoryLayout<AudioStreamBasicDescription>.size)
    let stream = kAudioUnitProperty_StreamFormat
    #expect(AudioUnitGetProperty(unit, stream, kAudioUnitScope_Output, 0, &format, &size) == noErr)
    #expect((format.mSampleRate, format.mChannelsPerFrame, size) == (44_100, 1, 40))
    #expect(AudioUnitSetProperty(unit, stream, kAudioUnitScope_Output, 0, &format, size) == noErr, "no change")
    format.mSampleRate = 48_000
    #expect(
      AudioUnitSetProperty(unit, stream, kAudioUnitScope_Input, 0, &format, size) == kAudioUnitErr_PropertyNotWritable)
    var bands: UInt32 = 0
    var bytes: UInt32 = 4
    #expect(AudioUnitGetProperty(unit, kAUNBandEQProperty_NumberOfBands, global, 0, &bands, &bytes) == noErr)
    #expect(bands == 2)
    var bypass: UInt32 = 1
    #expect(AudioUnitSetProperty(unit, kAudioUnitProperty_BypassEffect, global, 0, &bypass, 4) == noErr)
    #expect(chain.equalizer.bypass)
    #expect(AudioUnitGetPropertyInfo(unit, 0x7FFF, global, 0, nil, nil) == kAudioUnitErr_InvalidProperty)
    let refused = kAudioUnitErr_CannotDoInCurrentContext
    #expect((AudioUnitInitialize(unit), AudioUnitUninitialize(unit)) == (noErr, refused))
    #expect((AudioOutputUnitStart(unit), AudioOutputUnitStop(unit)) == (refused, refused))
    var source = AURenderCallbackStruct(inputProc: { _, _, _, _, _, _ in noErr }, inputProcRefCon: nil)
    let setCallback = kAudioUnitProperty_SetRenderCallback
    #expect(
      AudioUnitSetProperty(
        unit, setCallback, kAudioUnitScope_Input, 0, &source, UInt32(MemoryLayout<AURenderCallbackStruct>.size))
        == refused)
    #expect(AudioUnitReset(unit, global, 0) == noErr)
    chain.equalizer.bypass = false
    #expect(try chain.harness.render(10)[0] == EngineHarness.ramp(10..<20, from: 1))
  }

  /// The calls of a notify, by its reference.
  private final class Seen: @unchecked Sendable {
    var phases: [UInt32] = []
    var frames: [UInt32] = []
    var times: [Double] = []
    var samples: [Float] = []
    var nested: [OSStatus] = []
    let unit: AudioUnit
    init(_ unit: AudioUnit) {
      self.unit = unit
      phases.reserveCapacity(100)
    }
    var reference: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }
  }

  private static var notify: AURenderCallback {
    { reference, flags, stamp, _, frames, list in
      let seen = Unmanaged<Seen>.fromOpaque(reference).takeUnretainedValue()
      seen.phases.append(flags.pointee.rawValue)
      seen.frames.append(frames)
      seen.times.append(stamp.pointee.mSampleTime)
      if let list, list.pointee.mNumberBuffers == 1, let data = list.pointee.mBuffers.mData {
        let samples = data.assumingMemoryBound(to: Float.self)
        seen.samples += UnsafeBufferPointer(start: samples, count: Int(frames))
      }
      var bypass: UInt32 = 1
      seen.nested.append(AudioUnitSetProperty(seen.unit, kAudioUnitProperty_BypassEffect, 0, 0, &bypass, 4))
      return noErr
    }
  }

  @Test("A notify is called in front of each slice and behind it, with the unit's output, until it is removed")
  func notifies() throws {
    let chain = try Chain()
    let seen = Seen(chain.equalizer.audioUnit)
    _ = try chain.harness.render(100)
    #expect(AudioUnitAddRenderNotify(seen.unit, Self.notify, seen.reference) == noErr)
    #expect(AudioUnitAddRenderNotify(seen.unit, Self.notify, seen.reference) == noErr, "once for each reference")
    chain.equalizer.globalGain = 6.0206
    let out = try chain.harness.render(700)
    #expect(seen.samples == out[0], "the equalizer is the last node")
    let (before, after) = (
      AudioUnitRenderActionFlags.unitRenderAction_PreRender.rawValue,
      AudioUnitRenderActionFlags.unitRenderAction_PostRender.rawValue
    )
    #expect(seen.phases == [before, after, before, after])
    #expect(seen.frames == [512, 512, 188, 188] && seen.times == [100, 100, 612, 612])
    #expect(Set(seen.nested) == [kAudioUnitErr_CannotDoInCurrentContext], "an edit does not wait within a slice")
    #expect(AudioUnitRemoveRenderNotify(seen.unit, Self.notify, seen.reference) == noErr)
    _ = try chain.harness.render(100)
    #expect(seen.phases.count == 4)
  }

  @Test("A listener hears what the handle sets, outside of the engine's lock")
  func listeners() throws {
    let chain = try Chain()
    let unit = chain.equalizer.audioUnit
    final class Heard: @unchecked Sendable {
      let engine: AVAudioEngine
      var properties: [UInt32] = []
      init(_ engine: AVAudioEngine) { self.engine = engine }
    }
    let heard = Heard(chain.harness.engine)
    let reference = Unmanaged.passUnretained(heard).toOpaque()
    let proc: AudioUnitPropertyListenerProc = { reference, _, id, _, _ in
      let heard = Unmanaged<Heard>.fromOpaque(reference).takeUnretainedValue()
      // Another thread edits the engine meanwhile.
      let engine = heard.engine
      let done = DispatchSemaphore(value: 0)
      Thread.detachNewThread {
        engine.attach(AVAudioPlayerNode())
        done.signal()
      }
      #expect(done.wait(timeout: .now() + 20) == .success)
      heard.properties.append(id)
    }
    #expect(AudioUnitAddPropertyListener(unit, kAudioUnitProperty_BypassEffect, proc, reference) == noErr)
    var bypass: UInt32 = 1
    #expect(AudioUnitSetProperty(unit, kAudioUnitProperty_BypassEffect, global, 0, &bypass, 4) == noErr)
    #expect(heard.properties == [kAudioUnitProperty_BypassEffect])
    #expect(
      AudioUnitRemovePropertyListenerWithUserData(unit, kAudioUnitProperty_BypassEffect, proc, reference) == noErr)
    #expect(AudioUnitSetProperty(unit, kAudioUnitProperty_BypassEffect, global, 0, &bypass, 4) == noErr)
    #expect(heard.properties.count == 1)
  }

  @Test("A handle ends with its node, or when it is disposed of; the node goes on")
  func ends() throws {
    let chain = try Chain()
    let unit = chain.equalizer.audioUnit
    let seen = Seen(unit)
    #expect(AudioUnitAddRenderNotify(unit, Self.notify, seen.reference) == noErr)
    #expect(AudioComponentInstanceDispose(unit) == noErr)
    var value: Float = 0
    #expect(AudioUnitGetParameter(unit, 0, global, 0, &value) == kAudio_ParamError)
    #expect(try chain.harness.render(100)[0] == EngineHarness.ramp(0..<100, from: 1))
    #expect(seen.phases.isEmpty)
    var stale: AudioUnit?
    do {
      let delay = AVAudioUnitDelay()
      stale = delay.audioUnit
      #expect(
        AudioUnitSetParameter(delay.audioUnit, AudioUnitParameterID(kDelayParam_DelayTime), global, 0, 0.5, 0) == noErr)
      #expect(delay.delayTime == 0.5, "also of a node that is in no engine")
    }
    let gone = try #require(stale)
    #expect(AudioUnitGetParameter(gone, 0, global, 0, &value) == kAudio_ParamError)
  }

  @Test("A unit of the program's own is reached in the same way, and its observers hear of it")
  func own() async throws {
    let node = try await AVAudioUnit.instantiate(with: GainAudioUnit.codes)
    let gain = try #require(node.auAudioUnit as? GainAudioUnit)
    #expect(AudioUnitSetParameter(node.audioUnit, 3, global, 0, 0.25, 0) == noErr)
    #expect(gain.parameterTree?.parameter(withAddress: 3)?.value == 0.25)
    #expect(gain.observed.last == 0.25)
  }

  @Test("Components have the handles that a search finds, and a program's own too")
  func components() throws {
    var codes = AVAudioUnitDelay().audioComponentDescription
    let found = try #require(AudioComponentFindNext(nil, &codes))
    #expect(AVAudioUnitDelay().auAudioUnit.component == found)
    #expect(AVAudioUnitComponentManager.shared().components(matching: codes).first?.audioComponent == found)
    #expect(
      AudioComponentInstanceGetComponent(AVAudioUnitDelay().audioUnit) == nil, "the node has gone, and its handle")
    let delay = AVAudioUnitDelay()
    #expect(AudioComponentInstanceGetComponent(delay.audioUnit) == found)
    var described = AudioComponentDescription()
    let own = try AUAudioUnit(componentDescription: GainAudioUnit.codes).component
    #expect(AudioComponentGetDescription(own, &described) == noErr)
    #expect(described.componentSubType == GainAudioUnit.codes.componentSubType)
  }

  @Test("Input and output node tell of the device that they play to, and take no other")
  func devices() throws {
    let harness = try HardwareHarness()
    _ = harness.engine.mainMixerNode
    try harness.engine.start()
    let id = kAudioOutputUnitProperty_CurrentDevice
    for node in [harness.engine.outputNode, harness.engine.inputNode] as [AVAudioIONode] {
      let unit = try #require(node.audioUnit)
      var device: UInt32 = 0
      var size: UInt32 = 4
      #expect(AudioUnitGetProperty(unit, id, global, 0, &device, &size) == noErr)
      #expect(device == SimulatedHardware.deviceID)
      #expect(AudioUnitSetProperty(unit, id, global, 0, &device, 4) == noErr)
      device += 1
      #expect(AudioUnitSetProperty(unit, id, global, 0, &device, 4) == kAudioHardwareBadDeviceError)
      var isRunning: UInt32 = 0
      #expect(AudioUnitGetProperty(unit, kAudioOutputUnitProperty_IsRunning, global, 0, &isRunning, &size) == noErr)
      #expect(isRunning == 1)
    }
    let offline = try EngineHarness()
    let unit = try #require(offline.engine.outputNode.audioUnit)
    #expect(AudioUnitGetPropertyInfo(unit, id, global, 0, nil, nil) == kAudioUnitErr_InvalidProperty)
  }

  @Test("Edits by handles and by nodes from two threads while a third renders go on side by side")
  func threads() throws {
    let chain = try Chain()
    nonisolated(unsafe) let unit = chain.equalizer.audioUnit
    nonisolated(unsafe) let noop: AURenderCallback = { _, _, _, _, _, _ in noErr }
    let threads = (0..<2).map { number in
      Thread {
        for step in 0..<300 {
          var bypass = UInt32(step % 2)
          _ = AudioUnitSetProperty(unit, kAudioUnitProperty_BypassEffect, 0, 0, &bypass, 4)
          _ = AudioUnitSetParameter(unit, 0, 0, 0, Float(step % 10), 0)
          let reference = UnsafeMutableRawPointer(bitPattern: number + 1)
          _ = AudioUnitAddRenderNotify(unit, noop, reference)
          chain.equalizer.bands[0].frequency = Float(100 + step)
          _ = AudioUnitRemoveRenderNotify(unit, noop, reference)
        }
      }
    }
    threads.forEach { $0.start() }
    while threads.contains(where: { !$0.isFinished }) { _ = try chain.harness.render(64) }
    #expect((0..<10).contains(chain.equalizer.globalGain))
    #expect(chain.equalizer.bands[0].frequency == 399)
  }
}
