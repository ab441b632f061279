// What a node costs in each slice, whatever it does: `node-cost [FRAMES]...`. Prints nanoseconds per node and slice, for chains
// of nodes in which nothing changes and for the inputs of a mixer, through the engine and through the C interface.
// `node-cost --count KIND NODES SLICES` renders so many slices of one chain, ten before them, and ends: for callgrind.

import AudioCore
import AudioEngine
import AudioToolbox
import BuiltInUnits
import DSPKernels
import Glibc
import RenderGraph

@main
struct NodeCost {
  static func main() throws {
    let words = Array(CommandLine.arguments.dropFirst())
    if words.count == 4, words[0] == "--count", let nodes = Int(words[2]), let slices = Int(words[3]) {
      if words[1] == "AUGraph" {
        let chain = HostChain(nodes: nodes)
        for _ in 0..<10 { chain.render(64) }
        count { for _ in 0..<slices { chain.render(64) } }
      } else {
        let chain = try Chain(words[1], nodes: nodes)
        for _ in 0..<10 { chain.render(64) }
        count { for _ in 0..<slices { chain.render(64) } }
      }
      return
    }
    let lengths = words.isEmpty ? [64, 512, 4096] : words.compactMap { Int($0) }
    print("case                          " + lengths.map { "\($0) frames".leftPadded(12) }.joined())
    for kind in Chain.kinds {
      let long = try Chain(kind, nodes: 1001)
      let short = try Chain(kind, nodes: 1)
      row(kind, lengths) { frames in (long.nanoseconds(frames) - short.nanoseconds(frames)) / 1000 }
    }
    let fan = try Fan(inputs: 256)
    row("mixer input", lengths) { frames in fan.nanosecondsPerInput(frames) }
    let long = HostChain(nodes: 1001)
    let short = HostChain(nodes: 1)
    row("AUGraph, EQ without bands", lengths) { frames in (long.nanoseconds(frames) - short.nanoseconds(frames)) / 1000
    }
  }

  static func row(_ name: String, _ lengths: [Int], _ cost: (Int) -> Double) {
    print(name.padded(30) + lengths.map { String(format(cost($0))).leftPadded(12) }.joined())
  }

  static func format(_ value: Double) -> String { String((value * 10).rounded() / 10) }
}

/// What callgrind counts, of slices behind the first ones: it looks for functions with this in their names, as the compiler makes
/// some of this one.
@_silgen_name("node_cost_slices") @inline(never)
func count(_ slices: () -> Void) { slices() }

/// The fastest of some rounds, in nanoseconds a call: what disturbs a round only makes it longer.
func fastest(calls: Int, rounds: Int = 15, _ body: () -> Void) -> Double {
  func now() -> UInt64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
  }
  body()
  var least = Double.infinity
  for _ in 0..<rounds {
    let start = now()
    for _ in 0..<calls { body() }
    least = min(least, Double(now() - start) / Double(calls))
  }
  return least
}

/// Nodes of one kind in a row behind a callback that leaves its buffers as they are, 44.1 kHz stereo.
final class Chain {
  static let kinds = ["converter that passes", "EQ without bands", "mixer of one input", "filter in bypass"]

  private let renderer: GraphRenderer
  private var time: Int64 = 0

  init(_ kind: String, nodes: Int) throws {
    let graph = Graph(sampleRate: 44_100)
    var last: Unit?
    for _ in 0..<nodes {
      let unit = try graph.add(try Self.make(kind))
      if let last {
        try graph.connect(last, to: unit)
      } else {
        try unit.setRenderCallback(RenderCallback { _, _, _, _ in .noError }, input: 0)
      }
      last = unit
    }
    let output = try graph.add(GenericOutput())
    if let last { try graph.connect(last, to: output) }
    renderer = GraphRenderer(try graph.compile(parallel: false))
  }

  private static func make(_ kind: String) throws -> Unit {
    switch kind {
    case "converter that passes": return FormatConverterUnit()
    case "EQ without bands": return NBandEQ()
    case "mixer of one input":
      let mixer = MultichannelMixer()
      try mixer.setElementCount(1, .input)
      return mixer
    default:
      let filter = LowPassFilter()
      try filter.setProperty(.bypassEffect, to: .uint32(1))
      return filter
    }
  }

  func render(_ frames: Int) {
    try? renderer.render(sampleTime: time, frames: frames) { _, _, _ in }
    time += Int64(frames)
  }

  func nanoseconds(_ frames: Int) -> Double { fastest(calls: max(3, 4000 / frames)) { render(frames) } }
}

/// Constant sources into one mixer.
final class Fan {
  private let renderer: GraphRenderer
  private let inputs: Int
  private let planes: PlanarBuffer
  private var time: Int64 = 0

  init(inputs: Int) throws {
    self.inputs = inputs
    planes = PlanarBuffer(channelCount: 2 * inputs + 2, frameCapacity: 4096)
    let graph = Graph(sampleRate: 44_100)
    let mixer = try graph.add(MultichannelMixer())
    try mixer.setElementCount(inputs, .input)
    for bus in 0..<inputs { try mixer.setRenderCallback(RenderCallback { _, _, _, _ in .noError }, input: bus) }
    let output = try graph.add(GenericOutput())
    try graph.connect(mixer, to: output)
    renderer = GraphRenderer(try graph.compile(parallel: false))
  }

  /// Less the sums themselves, on buffers of their own.
  func nanosecondsPerInput(_ frames: Int) -> Double {
    let whole = fastest(calls: max(3, 4000 / frames)) {
      try? renderer.render(sampleTime: time, frames: frames) { _, _, _ in }
      time += Int64(frames)
    }
    let bare = fastest(calls: max(3, 4000 / frames)) {
      for start in stride(from: 0, to: frames, by: 512) {
        let count = min(512, frames - start)
        for channel in 0..<2 * inputs {
          if channel < 2 {
            MixKernels.scale(planes[2 * inputs + channel] + start, planes[channel] + start, gain: 1, frames: count)
          } else {
            MixKernels.accumulate(
              planes[2 * inputs + channel % 2] + start, planes[channel] + start, gain: 1, frames: count)
          }
        }
      }
    }
    return (whole - bare) / Double(inputs)
  }
}

/// N-band EQs without a band in an AUGraph.
final class HostChain {
  private var graph: AUGraph?
  private var output: AudioUnit?
  private var stamp = AudioTimeStamp()
  private let list = AudioBufferList.allocate(maximumBuffers: 2)
  private let memory = PlanarBuffer(channelCount: 2, frameCapacity: 4096)

  init(nodes: Int) {
    NewAUGraph(&graph)
    guard let graph else { return }
    var last: AUNode = 0
    for index in 0...nodes {
      let isOutput = index == nodes
      var wanted = AudioComponentDescription(
        componentType: isOutput ? kAudioUnitType_Output : kAudioUnitType_Effect,
        componentSubType: isOutput ? kAudioUnitSubType_GenericOutput : kAudioUnitSubType_NBandEQ,
        componentManufacturer: kAudioUnitManufacturer_Apple, componentFlags: 0, componentFlagsMask: 0)
      var node: AUNode = 0
      AUGraphAddNode(graph, &wanted, &node)
      if index > 0 { AUGraphConnectNodeInput(graph, last, 0, node, 0) }
      if index == 0 {
        var callback = AURenderCallbackStruct(inputProc: { _, _, _, _, _, _ in noErr }, inputProcRefCon: nil)
        AUGraphSetNodeInputCallback(graph, node, 0, &callback)
      }
      last = node
    }
    AUGraphOpen(graph)
    var count: UInt32 = 0
    AUGraphGetNodeCount(graph, &count)
    for index in 0..<count {
      var node: AUNode = 0
      var unit: AudioUnit?
      AUGraphGetIndNode(graph, index, &node)
      AUGraphNodeInfo(graph, node, nil, &unit)
      var most: UInt32 = 4096
      if let unit {
        AudioUnitSetProperty(unit, kAudioUnitProperty_MaximumFramesPerSlice, kAudioUnitScope_Global, 0, &most, 4)
      }
    }
    AUGraphInitialize(graph)
    AUGraphNodeInfo(graph, last, nil, &output)
    stamp.mFlags = .sampleTimeValid
    for index in 0..<2 { list[index] = AudioBuffer(mNumberChannels: 1, mDataByteSize: 0, mData: memory[index].start) }
  }

  func render(_ frames: Int) {
    guard let output else { return }
    for index in 0..<2 { list[index].mDataByteSize = UInt32(4 * frames) }
    AudioUnitRender(output, nil, &stamp, 0, UInt32(frames), list.unsafeMutablePointer)
    stamp.mSampleTime += Double(frames)
  }

  func nanoseconds(_ frames: Int) -> Double { fastest(calls: max(3, 4000 / frames)) { render(frames) } }
}

extension String {
  func padded(_ width: Int) -> String { self + String(repeating: " ", count: max(0, width - count)) }
  func leftPadded(_ width: Int) -> String { String(repeating: " ", count: max(0, width - count)) + self }
}
