import AudioToolbox
import Glibc
import Synchronization
import TestSupport

/// A graph that plays: two callbacks into a mixer, one of them now and then through an equalizer that passes it
/// unchanged, and two mixers without inputs, which may render on other threads, into a generic output.
final class Stage: @unchecked Sendable {
  let slices = Atomic<Int>(0)
  let updates = Atomic<Int>(0)
  let calls = Atomic<Int>(0)
  let failures = Atomic<Int>(0)

  private var graph: AUGraph
  private var mixerNode: AUNode = 0
  private var mixer: AudioUnit
  private var head: AudioUnit
  private var equalizerNode: AUNode?
  private var time = AudioTimeStamp()
  private let list = AudioBufferList.allocate(maximumBuffers: 2)
  private let memory = UnsafeMutablePointer<Float>.allocate(capacity: 2 * 4096)

  /// Input 0 always gives 1/4; input 1 gives 1/2, or nothing while it is not connected.
  private static func source(_ value: Float) -> AURenderCallback {
    value == 0.25
      ? { _, _, _, _, frames, data in Stage.fill(data, frames, 0.25) }
      : { _, _, _, _, frames, data in Stage.fill(data, frames, 0.5) }
  }

  private static func fill(_ data: UnsafeMutablePointer<AudioBufferList>?, _ frames: UInt32, _ value: Float) -> OSStatus
  {
    guard let list = UnsafeMutableAudioBufferListPointer(data) else { return kAudio_ParamError }
    for buffer in list {
      buffer.mData?.assumingMemoryBound(to: Float.self).update(repeating: value, count: Int(frames))
    }
    return noErr
  }

  init() {
    var graph: AUGraph?
    NewAUGraph(&graph)
    guard let graph else { fatalError("no graph") }
    self.graph = graph
    func add(_ type: UInt32, _ subType: UInt32) -> AUNode {
      var description = AudioComponentDescription(
        componentType: type, componentSubType: subType, componentManufacturer: kAudioUnitManufacturer_Apple,
        componentFlags: 0, componentFlagsMask: 0)
      var node: AUNode = 0
      AUGraphAddNode(graph, &description, &node)
      return node
    }
    mixerNode = add(kAudioUnitType_Mixer, kAudioUnitSubType_MultiChannelMixer)
    let headNode = add(kAudioUnitType_Output, kAudioUnitSubType_GenericOutput)
    let silentNodes = (0..<2).map { _ in add(kAudioUnitType_Mixer, kAudioUnitSubType_MultiChannelMixer) }
    AUGraphOpen(graph)
    var unit: AudioUnit?
    AUGraphNodeInfo(graph, mixerNode, nil, &unit)
    guard let mixer = unit else { fatalError("no mixer") }
    AUGraphNodeInfo(graph, headNode, nil, &unit)
    guard let head = unit else { fatalError("no head") }
    self.mixer = mixer
    self.head = head
    AUGraphConnectNodeInput(graph, mixerNode, 0, headNode, 0)
    for (place, node) in silentNodes.enumerated() {
      AUGraphConnectNodeInput(graph, node, 0, mixerNode, UInt32(2 + place))
    }
    for (bus, value) in [Float(0.25), 0.5].enumerated() {
      var callback = AURenderCallbackStruct(inputProc: Self.source(value), inputProcRefCon: nil)
      AUGraphSetNodeInputCallback(graph, mixerNode, UInt32(bus), &callback)
    }
    require(AUGraphInitialize(graph), "AUGraphInitialize")
    time.mFlags = .sampleTimeValid
  }

  func close() { require(DisposeAUGraph(graph), "DisposeAUGraph") }

  private func require(_ status: OSStatus, _ what: String, or others: OSStatus...) {
    guard status != noErr, !others.contains(status) else { return }
    if failures.add(1, ordering: .relaxed).oldValue < 20 { print("\(what): \(status)") }
  }

  // MARK: The thread that renders

  func renderSlice() {
    let frames = 64 + (slices.add(1, ordering: .relaxed).oldValue * 37) % 448
    for channel in 0..<2 {
      list[channel] = AudioBuffer(
        mNumberChannels: 1, mDataByteSize: UInt32(frames * 4), mData: memory + channel * 4096)
    }
    var flags = AudioUnitRenderActionFlags()
    require(AudioUnitRender(head, &flags, &time, 0, UInt32(frames), list.unsafeMutablePointer), "AudioUnitRender")
    time.mSampleTime += Double(frames)
    // One slice, one state of the graph: all frames are alike, and one of the sums there can be.
    let first = memory[0]
    let isKnown = first == 0.25 || first == 0.75
    let isEven = (0..<2).allSatisfy { channel in (0..<frames).allSatisfy { memory[channel * 4096 + $0] == first } }
    if !isKnown || !isEven { require(-1, "a slice of \(first) … \(memory[frames - 1])") }
  }

  // MARK: The thread that edits the graph

  /// Now and then some slices pass in peace: while something changes in each, no branches render on other threads.
  func rest(_ dice: inout SeededGenerator) {
    guard dice.roll(4) == 0 else { return }
    usleep(UInt32(dice.roll(20_000)))
  }

  func editGraph(_ dice: inout SeededGenerator) {
    var callback = AURenderCallbackStruct(inputProc: Self.source(0.5), inputProcRefCon: nil)
    switch dice.roll(4) {
    case 0:
      insertEqualizer(&callback)
    case 1:
      if let node = equalizerNode {
        require(AUGraphDisconnectNodeInput(graph, mixerNode, 1), "disconnect")
        require(AUGraphRemoveNode(graph, node), "remove")
        require(AUGraphSetNodeInputCallback(graph, mixerNode, 1, &callback), "set callback")
        equalizerNode = nil
      }
    case 2:
      if equalizerNode == nil {
        require(AUGraphDisconnectNodeInput(graph, mixerNode, 1), "disconnect")
        require(AUGraphUpdate(graph, nil), "update")
        require(AUGraphSetNodeInputCallback(graph, mixerNode, 1, &callback), "set callback")
      }
    default:
      var count: UInt32 = 0
      require(AUGraphGetNumberOfInteractions(graph, &count), "interactions")
      var load: Float32 = 0
      require(AUGraphGetCPULoad(graph, &load), "load")
    }
    require(AUGraphUpdate(graph, nil), "update")
    updates.add(1, ordering: .relaxed)
  }

  /// The six calls of the hosting guide.
  private func insertEqualizer(_ callback: inout AURenderCallbackStruct) {
    guard equalizerNode == nil else { return }
    var description = AudioComponentDescription(
      componentType: kAudioUnitType_Effect, componentSubType: kAudioUnitSubType_AUiPodEQ,
      componentManufacturer: kAudioUnitManufacturer_Apple, componentFlags: 0, componentFlagsMask: 0)
    var node: AUNode = 0
    require(AUGraphDisconnectNodeInput(graph, mixerNode, 1), "disconnect")
    require(AUGraphAddNode(graph, &description, &node), "add")
    var unit: AudioUnit?
    require(AUGraphNodeInfo(graph, node, nil, &unit), "node info")
    guard let equalizer = unit else { return }
    var format = AudioStreamBasicDescription()
    var size = UInt32(MemoryLayout<AudioStreamBasicDescription>.size)
    require(
      AudioUnitGetProperty(mixer, kAudioUnitProperty_StreamFormat, kAudioUnitScope_Input, 1, &format, &size), "format")
    for scope in [kAudioUnitScope_Input, kAudioUnitScope_Output] {
      require(AudioUnitSetProperty(equalizer, kAudioUnitProperty_StreamFormat, scope, 0, &format, size), "set format")
    }
    require(AudioUnitInitialize(equalizer), "initialize")
    require(AUGraphSetNodeInputCallback(graph, node, 0, &callback), "set callback")
    require(AUGraphConnectNodeInput(graph, node, 0, mixerNode, 1), "connect")
    equalizerNode = node
  }

  // MARK: The thread that calls units

  func callProperties(_ dice: inout SeededGenerator) {
    calls.add(1, ordering: .relaxed)
    switch dice.roll(12) {
    case 0:
      var value: Float32 = 0
      require(AudioUnitSetParameter(mixer, kMultiChannelMixerParam_Volume, kAudioUnitScope_Input, 5, 0.5, 0), "set")
      require(AudioUnitGetParameter(mixer, kMultiChannelMixerParam_Volume, kAudioUnitScope_Input, 5, &value), "get")
    case 1:
      let notify: AURenderCallback = { _, _, _, _, _, _ in noErr }
      require(AudioUnitAddRenderNotify(mixer, notify, nil), "add notify")
      require(AudioUnitRemoveRenderNotify(mixer, notify, nil), "remove notify")
    case 2:
      var event = AudioUnitParameterEvent()
      event.scope = kAudioUnitScope_Input
      event.element = 6
      event.parameter = kMultiChannelMixerParam_Volume
      event.eventType = .parameterEvent_Immediate
      event.eventValues.immediate.value = 0.5
      require(AudioUnitScheduleParameters(mixer, &event, 1), "schedule", or: kAudio_MemFullError)
    case 3:
      // A bus of its own that gives zeros: what sounds stays the same.
      var callback = AURenderCallbackStruct(
        inputProc: { _, _, _, _, frames, data in Stage.fill(data, frames, 0) }, inputProcRefCon: nil)
      if dice.roll(2) == 0 { callback.inputProc = nil }
      require(
        AudioUnitSetProperty(
          mixer, kAudioUnitProperty_SetRenderCallback, kAudioUnitScope_Input, 4, &callback,
          UInt32(MemoryLayout<AURenderCallbackStruct>.size)), "swap callback")
    case 4:
      var count: UInt32 = 0
      var size: UInt32 = 4
      require(
        AudioUnitGetProperty(mixer, kAudioUnitProperty_ElementCount, kAudioUnitScope_Input, 0, &count, &size), "count")
    case 5:
      var on: UInt32 = UInt32(dice.roll(2))
      require(
        AudioUnitSetProperty(mixer, kAudioUnitProperty_MeteringMode, kAudioUnitScope_Input, 0, &on, 4), "metering")
      var level: Float32 = 0
      require(
        AudioUnitGetParameter(mixer, kMultiChannelMixerParam_PostAveragePower, kAudioUnitScope_Input, 0, &level),
        "level")
    case 6:
      let listener: AudioUnitPropertyListenerProc = { _, _, _, _, _ in }
      require(AudioUnitAddPropertyListener(mixer, kAudioUnitProperty_StreamFormat, listener, nil), "listen")
      require(
        AudioUnitRemovePropertyListenerWithUserData(mixer, kAudioUnitProperty_StreamFormat, listener, nil), "unlisten")
    case 7:
      require(AudioUnitReset(mixer, kAudioUnitScope_Global, 0), "reset")
    case 8:
      makeAndDispose()
    case 9:
      var info: Unmanaged<CFDictionary>?
      var size = UInt32(MemoryLayout<UnsafeRawPointer>.size)
      require(
        AudioUnitGetProperty(mixer, kAudioUnitProperty_ClassInfo, kAudioUnitScope_Global, 0, &info, &size), "state")
      info?.release()
    case 10:
      var error: OSStatus = 0
      var size: UInt32 = 4
      require(
        AudioUnitGetProperty(head, kAudioUnitProperty_LastRenderError, kAudioUnitScope_Global, 0, &error, &size),
        "error")
      require(error, "the last render")
    default:
      // A handle that was disposed of, or never was one.
      if let stale = AudioUnit(bitPattern: 0x81_0000_0770_0001) { _ = AudioUnitInitialize(stale) }
    }
  }

  private func makeAndDispose() {
    var description = AudioComponentDescription(
      componentType: kAudioUnitType_Effect, componentSubType: kAudioUnitSubType_LowPassFilter,
      componentManufacturer: kAudioUnitManufacturer_Apple, componentFlags: 0, componentFlagsMask: 0)
    var instance: AudioUnit?
    guard let component = AudioComponentFindNext(nil, &description) else { return require(-1, "find") }
    require(AudioComponentInstanceNew(component, &instance), "new")
    guard let instance else { return }
    require(AudioUnitInitialize(instance), "initialize")
    require(AudioUnitUninitialize(instance), "uninitialize")
    require(AudioComponentInstanceDispose(instance), "dispose")
  }
}
