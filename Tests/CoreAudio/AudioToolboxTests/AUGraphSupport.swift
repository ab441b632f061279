// Helpers that the tests of graphs share: a graph that goes with its test, sources that know their frames, and the
// render loop.

import AudioCore
import AudioEngine
import BuiltInUnits
import CAudioToolbox
import Glibc
import TestSupport
import Testing

import AudioToolbox

/// A graph of the C interface, disposed of with the object.
final class GraphBench: @unchecked Sendable {
  let graph: AUGraph
  private let isMember: Bool
  /// Kept; threads of a test may add theirs at once.
  private let sources = Locked<[GraphSource]>([])
  static let stereo = StreamFormat(sampleRate: 44_100, channelCount: 2)

  init(_ branchRunner: (any BranchRunner)? = nil) throws {
    var made: AUGraph?
    #expect((branchRunner == nil ? NewAUGraph(&made) : newAUGraph(&made, branchRunner: branchRunner)) == noErr)
    graph = try #require(made)
    isMember = false
  }

  /// A graph inside another, which is the other's to dispose of.
  init(member: AUNode, of outer: GraphBench) throws {
    var made: AUGraph?
    expectNoError(AUGraphGetNodeInfoSubGraph(outer.graph, member, &made))
    graph = try #require(made)
    isMember = true
  }

  deinit { if !isMember { DisposeAUGraph(graph) } }

  static func description(_ type: OSType, _ subType: OSType) -> AudioComponentDescription {
    AudioComponentDescription(
      componentType: type, componentSubType: subType, componentManufacturer: kAudioUnitManufacturer_Apple,
      componentFlags: 0, componentFlagsMask: 0)
  }

  func add(_ type: OSType, _ subType: OSType) throws -> AUNode {
    var description = Self.description(type, subType)
    var node: AUNode = 0
    try #require(AUGraphAddNode(graph, &description, &node) == noErr)
    return node
  }

  func addOutput() throws -> AUNode { try add(kAudioUnitType_Output, kAudioUnitSubType_GenericOutput) }
  func addMixer() throws -> AUNode { try add(kAudioUnitType_Mixer, kAudioUnitSubType_MultiChannelMixer) }
  func addEqualizer() throws -> AUNode { try add(kAudioUnitType_Effect, kAudioUnitSubType_AUiPodEQ) }
  func addFilter() throws -> AUNode { try add(kAudioUnitType_Effect, kAudioUnitSubType_LowPassFilter) }

  func unit(_ node: AUNode) throws -> AudioUnit {
    var unit: AudioUnit?
    try #require(AUGraphNodeInfo(graph, node, nil, &unit) == noErr)
    return try #require(unit)
  }

  func isInitialized(_ node: AUNode) throws -> Bool {
    // The format of an output can be set until the unit is initialized.
    var isWritable = false
    let status = AudioUnitGetPropertyInfo(
      try unit(node), kAudioUnitProperty_StreamFormat, kAudioUnitScope_Output, 0, nil, &isWritable)
    try #require(status == noErr)
    return !isWritable
  }

  func connect(_ source: AUNode, to node: AUNode, input: UInt32 = 0) -> OSStatus {
    AUGraphConnectNodeInput(graph, source, 0, node, input)
  }

  func feed(_ node: AUNode, input: UInt32 = 0, _ source: GraphSource) -> OSStatus {
    var callback = callback(of: source)
    return AUGraphSetNodeInputCallback(graph, node, input, &callback)
  }

  /// The callback of a source, which lives as long as the graph.
  func callback(of source: GraphSource) -> AURenderCallbackStruct {
    sources.withLock { $0.append(source) }
    return source.callback
  }

  /// Gives an input of a unit a callback past the graph.
  func feedDirectly(_ node: AUNode, _ source: GraphSource) throws -> OSStatus {
    var callback = callback(of: source)
    return AudioUnitSetProperty(
      try unit(node), kAudioUnitProperty_SetRenderCallback, kAudioUnitScope_Input, 0, &callback,
      UInt32(MemoryLayout<AURenderCallbackStruct>.size))
  }

  func set(_ format: StreamFormat, _ node: AUNode, _ scope: AudioUnitScope, _ bus: UInt32 = 0) throws -> OSStatus {
    var description = AudioStreamBasicDescription()
    description.mSampleRate = format.sampleRate
    description.mFormatID = kAudioFormatLinearPCM
    description.mFormatFlags = 0x29  // Float32, native, packed, a buffer per channel
    description.mBytesPerPacket = 4
    description.mFramesPerPacket = 1
    description.mBytesPerFrame = 4
    description.mChannelsPerFrame = UInt32(format.channelCount)
    description.mBitsPerChannel = 32
    return AudioUnitSetProperty(
      try unit(node), kAudioUnitProperty_StreamFormat, scope, bus, &description,
      UInt32(MemoryLayout<AudioStreamBasicDescription>.size))
  }

  func select(preset: Int32, _ node: AUNode) throws {
    var preset = AUPreset(presetNumber: preset, presetName: nil)
    try #require(
      AudioUnitSetProperty(
        try unit(node), kAudioUnitProperty_PresentPreset, kAudioUnitScope_Global, 0, &preset,
        UInt32(MemoryLayout<AUPreset>.size)) == noErr)
  }

  /// Opens and initializes.
  func start() {
    expectNoError(AUGraphOpen(graph))
    expectNoError(AUGraphInitialize(graph))
  }

  func update() -> OSStatus { AUGraphUpdate(graph, nil) }

  var interactionCount: UInt32 {
    var count: UInt32 = .max
    expectNoError(AUGraphGetNumberOfInteractions(graph, &count))
    return count
  }

  func flag(_ question: (AUGraph, UnsafeMutablePointer<Bool>) -> OSStatus) -> Bool? {
    var flag = false
    return question(graph, &flag) == noErr ? flag : nil
  }
}

/// A source of noise: each frame depends on its number alone, so that a frame too few or too many shows.
final class GraphSource: @unchecked Sendable {
  private let seed: UInt64
  private(set) var pulls = 0
  private(set) var buses: Set<UInt32> = []
  /// Runs on the render thread, at the first frame of each pull.
  var onPull: ((Int) -> Void)?

  init(_ seed: UInt64) { self.seed = seed }

  func sample(_ frame: Int, channel: Int) -> Float {
    var generator = SeededGenerator(seed: seed &* 1_000_003 &+ UInt64(frame) &* 2 &+ UInt64(channel))
    return Float(generator.next() >> 40) / Float(1 << 25) - 0.25
  }

  func signal(_ frames: Range<Int>) -> [[Float]] {
    (0..<2).map { channel in frames.map { sample($0, channel: channel) } }
  }

  var callback: AURenderCallbackStruct {
    AURenderCallbackStruct(
      inputProc: { context, _, timeStamp, bus, frames, data in
        let source = Unmanaged<GraphSource>.fromOpaque(context).takeUnretainedValue()
        source.pulls += 1
        source.buses.insert(bus)
        let start = Int(clamping: timeStamp.pointee.mSampleTime)
        source.onPull?(start)
        guard let list = UnsafeMutableAudioBufferListPointer(data) else { return kAudio_ParamError }
        for (channel, buffer) in list.enumerated() {
          guard let samples = buffer.mData?.assumingMemoryBound(to: Float.self) else { return kAudio_ParamError }
          for frame in 0..<Int(frames) { samples[frame] = source.sample(start + frame, channel: channel) }
        }
        return noErr
      }, inputProcRefCon: Unmanaged.passUnretained(self).toOpaque())
  }
}

/// Renders one slice of two channels into memory of the caller.
func renderSlice(
  _ unit: AudioUnit, at frame: Int, frames: Int, bus: UInt32 = 0
) -> (status: OSStatus, signal: [[Float]]) {
  var left = [Float](repeating: .nan, count: frames)
  var right = left
  var stamp = AudioTimeStamp()
  stamp.mSampleTime = Double(frame)
  stamp.mFlags = .sampleTimeValid
  var flags = AudioUnitRenderActionFlags(rawValue: 0)
  let list = AudioBufferList.allocate(maximumBuffers: 2)
  defer { free(list.unsafeMutablePointer) }
  let status = left.withUnsafeMutableBytes { left in
    right.withUnsafeMutableBytes { right in
      list[0] = AudioBuffer(mNumberChannels: 1, mDataByteSize: UInt32(left.count), mData: left.baseAddress)
      list[1] = AudioBuffer(mNumberChannels: 1, mDataByteSize: UInt32(right.count), mData: right.baseAddress)
      return AudioUnitRender(unit, &flags, &stamp, bus, UInt32(frames), list.unsafeMutablePointer)
    }
  }
  return (status, [left, right])
}

/// Renders frames in slices; a status other than noErr ends it.
func render(_ unit: AudioUnit, _ frames: Range<Int>, slice: Int = 512) throws -> [[Float]] {
  var signal: [[Float]] = [[], []]
  var at = frames.lowerBound
  while at < frames.upperBound {
    let length = min(slice, frames.upperBound - at)
    let result = renderSlice(unit, at: at, frames: length)
    try #require(result.status == noErr)
    for channel in 0..<2 { signal[channel] += result.signal[channel] }
    at += length
  }
  return signal
}

/// The output of a unit of the engine for signals that begin with it, without any graph.
func processed(_ unit: AudioEngine.Unit, _ inputs: [[[Float]]], from start: Int) throws -> [[Float]] {
  let total = inputs[0][0].count
  try unit.setMaximumFramesPerSlice(4096)
  for (bus, input) in inputs.enumerated() {
    try unit.setRenderCallback(
      RenderCallback { time, _, frames, buffer in
        for channel in 0..<2 {
          let samples = buffer.buffers[channel].assumingMemoryBound(to: Float.self)
          for frame in 0..<frames { samples[frame] = input[channel][Int(time) - start + frame] }
        }
        return .noError
      }, input: bus)
  }
  try unit.initialize()
  var signal: [[Float]] = [[], []]
  var at = 0
  while at < total {
    let frames = min(1000, total - at)
    let bus = try unit.render(sampleTime: Int64(start + at), frames: frames)
    for channel in 0..<2 {
      let samples = bus.buffers[channel].assumingMemoryBound(to: Float.self)
      signal[channel] += UnsafeBufferPointer(start: samples, count: frames)
    }
    at += frames
  }
  return signal
}

/// The engine's mixer, fed with two signals.
func mixed(_ first: [[Float]], _ second: [[Float]], from start: Int) throws -> [[Float]] {
  try processed(MultichannelMixer(inputs: 2), [first, second], from: start)
}

/// The engine's iPod equalizer with a fresh state at the signal's first frame.
func equalized(_ signal: [[Float]], preset: Int, from start: Int) throws -> [[Float]] {
  try processed(IPodEQ(preset: preset), [signal], from: start)
}

/// A pointer or function that is not there, where the header promises one.
func null<Pointer>(_ type: Pointer.Type = Pointer.self) -> Pointer { unsafeBitCast(UInt(0), to: type) }
