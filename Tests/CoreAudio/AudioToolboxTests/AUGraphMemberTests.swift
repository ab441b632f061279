import AudioCore
import AudioEngine
import CAudioToolbox
import CoreFoundation
import Glibc
import TestSupport
import Testing

import AudioToolbox

/// Graphs inside graphs, what hears of render cycles, nodes with a state, and what CAShow prints.
@Suite struct AUGraphMemberTests {
  // MARK: Graphs inside graphs

  private struct Nested {
    let outer: GraphBench
    let inner: GraphBench
    let node: AUNode
    let mixer: AUNode
    let output: AUNode
    let filter: AUNode

    /// A filter and a generic output inside, into a mixer and an output outside.
    init() throws {
      outer = try GraphBench()
      var node: AUNode = 0
      expectNoError(AUGraphNewNodeSubGraph(outer.graph, &node))
      self.node = node
      inner = try GraphBench(member: node, of: outer)
      mixer = try outer.addMixer()
      output = try outer.addOutput()
      filter = try inner.addEqualizer()
      expectNoError(inner.connect(filter, to: try inner.addOutput()))
      expectNoError(outer.connect(node, to: mixer))
      expectNoError(outer.connect(mixer, to: output))
    }
  }

  @Test("a graph is a node of another, opens, renders and ends with it")
  func nesting() throws {
    let source = GraphSource(3)
    let nested = try Nested()
    expectNoError(nested.inner.feed(nested.filter, source))
    nested.outer.start()
    #expect(nested.inner.flag(AUGraphIsOpen) == true)
    #expect(nested.inner.flag(AUGraphIsInitialized) == true)
    let signal = try render(try nested.outer.unit(nested.output), 0..<600)
    #expect(firstDifference(signal, source.signal(0..<600)) == nil)
    #expect(nested.outer.flag { AUGraphIsNodeSubGraph($0, nested.node, $1) } == true)
    #expect(nested.outer.flag { AUGraphIsNodeSubGraph($0, nested.mixer, $1) } == false)
    #expect(nested.outer.flag { AUGraphIsNodeSubGraph($0, 99, $1) } == nil)
    var graph: AUGraph?
    #expect(AUGraphGetNodeInfoSubGraph(nested.outer.graph, nested.mixer, &graph) == kAUGraphErr_NodeNotFound)
    #expect(DisposeAUGraph(nested.inner.graph) == kAudio_ParamError, "it is the other's")
    expectNoError(AUGraphUninitialize(nested.outer.graph))
    #expect(nested.inner.flag(AUGraphIsInitialized) == false)
    expectNoError(AUGraphClose(nested.outer.graph))
    #expect(nested.inner.flag(AUGraphIsOpen) == false)
    expectNoError(AUGraphRemoveNode(nested.outer.graph, nested.node))
    #expect(nested.inner.flag(AUGraphIsOpen) == nil, "gone with its node")
  }

  @Test("an update of the outer graph carries out what waits inside, at the same edge")
  func nestedUpdate() throws {
    let (source, other) = (GraphSource(3), GraphSource(4))
    let nested = try Nested()
    expectNoError(nested.inner.feed(nested.filter, source))
    nested.outer.start()
    let unit = try nested.outer.unit(nested.output)
    expectNoError(nested.inner.feed(nested.filter, other))
    expectNoError(nested.outer.feed(nested.mixer, input: 1, source))
    #expect(firstDifference(try render(unit, 0..<300), source.signal(0..<300)) == nil)
    expectNoError(nested.outer.update())
    let both = try mixed(other.signal(300..<600), source.signal(300..<600), from: 300)
    #expect(firstDifference(try render(unit, 300..<600), both) == nil)
    expectNoError(AUGraphDisconnectNodeInput(nested.outer.graph, nested.mixer, 1))
    #expect(nested.inner.update() == noErr, "by itself it does its own only")
    let still = try mixed(other.signal(600..<700), source.signal(600..<700), from: 600)
    #expect(firstDifference(try render(unit, 600..<700), still) == nil)
  }

  @Test("a graph that is connected while its outer one is initialized is initialized by the update")
  func lateMember() throws {
    let outer = try GraphBench()
    let (mixer, output) = (try outer.addMixer(), try outer.addOutput())
    expectNoError(outer.connect(mixer, to: output))
    outer.start()
    var node: AUNode = 0
    expectNoError(AUGraphNewNodeSubGraph(outer.graph, &node))
    let inner = try GraphBench(member: node, of: outer)
    #expect(inner.flag(AUGraphIsOpen) == true)
    expectNoError(outer.connect(node, to: mixer))
    #expect(outer.update() == kAUGraphErr_OutputNodeErr, "there is nothing in it to pull")
    var device = GraphBench.description(kAudioUnitType_Output, kAudioUnitSubType_DefaultOutput)
    var added: AUNode = 0
    #expect(AUGraphAddNode(inner.graph, &device, &added) == kAUGraphErr_OutputNodeErr, "a device cannot be inside")
    let source = GraphSource(6)
    expectNoError(inner.feed(try inner.addOutput(), source))
    expectNoError(outer.connect(node, to: mixer))
    expectNoError(outer.update())
    #expect(inner.flag(AUGraphIsInitialized) == true)
    #expect(firstDifference(try render(try outer.unit(output), 0..<64), source.signal(0..<64)) == nil)
    expectNoError(AUGraphRemoveNode(outer.graph, node))
    #expect(inner.flag(AUGraphIsOpen) == true, "until the update")
    expectNoError(outer.update())
    #expect(inner.flag(AUGraphIsOpen) == nil)
  }

  // MARK: What hears of render cycles

  private final class Listener {
    var flags: [UInt32] = []
    var onCall: (() -> Void)?
    static let proc: AURenderCallback = { context, flags, _, _, _, data in
      let listener = Unmanaged<Listener>.fromOpaque(context).takeUnretainedValue()
      listener.flags.append(flags.pointee.rawValue)
      if data == nil { listener.flags.append(999) }
      listener.onCall?()
      flags.pointee = AudioUnitRenderActionFlags(rawValue: 0xFFFF)
      return -1
    }
    var context: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }
  }

  @Test("a graph's listener hears once before and once after each cycle, whenever it was added, and changes nothing")
  func notifies() throws {
    let bench = try GraphBench()
    let (listener, late) = (Listener(), Listener())
    expectNoError(AUGraphAddRenderNotify(bench.graph, Listener.proc, listener.context))
    #expect(AUGraphAddRenderNotify(bench.graph, Listener.proc, listener.context) == noErr, "counts once")
    let (output, mixer) = (try bench.addOutput(), try bench.addMixer())
    expectNoError(bench.connect(mixer, to: output))
    let source = GraphSource(1)
    expectNoError(bench.feed(mixer, source))
    bench.start()
    // The unit's own registration is another one.
    expectNoError(AudioUnitAddRenderNotify(try bench.unit(output), Listener.proc, late.context))
    #expect(firstDifference(try render(try bench.unit(output), 0..<300, slice: 100), source.signal(0..<300)) == nil)
    #expect(listener.flags == [4, 8, 4, 8, 4, 8])
    #expect(late.flags == listener.flags)
    #expect(AUGraphRemoveRenderNotify(bench.graph, Listener.proc, late.context) == noErr, "not the graph's: no effect")
    _ = renderSlice(try bench.unit(output), at: 300, frames: 60_000)
    #expect(listener.flags.count == 6, "too many frames: nothing is rendered, and nobody hears of it")
    #expect(late.flags == listener.flags)
    _ = renderSlice(try bench.unit(mixer), at: 400, frames: 10)
    #expect(listener.flags.count == 6, "a cycle is what the output renders")
    expectNoError(AUGraphClose(bench.graph))
    bench.start()
    _ = try render(try bench.unit(output), 0..<10)
    #expect(listener.flags.count == 8, "it outlives the units")
    expectNoError(AUGraphRemoveRenderNotify(bench.graph, Listener.proc, listener.context))
    _ = try render(try bench.unit(output), 10..<20)
    #expect(listener.flags.count == 8)
  }

  @Test("a listener may ask its graph, and remove itself: that is for the next cycle, as every such change is")
  func busyListener() throws {
    let bench = try GraphBench()
    let output = try bench.addOutput()
    let source = GraphSource(1)
    expectNoError(bench.feed(output, source))
    bench.start()
    let listener = Listener()
    var answers: [OSStatus] = []
    listener.onCall = {
      var load: Float32 = -1
      answers.append(AUGraphGetCPULoad(bench.graph, &load))
      answers.append(AUGraphRemoveRenderNotify(bench.graph, Listener.proc, listener.context))
    }
    expectNoError(AUGraphAddRenderNotify(bench.graph, Listener.proc, listener.context))
    _ = try render(try bench.unit(output), 0..<100, slice: 50)
    #expect(listener.flags == [4, 8])
    #expect(answers == [noErr, noErr, noErr, noErr])
    let late = Listener()
    listener.onCall = { #expect(AUGraphAddRenderNotify(bench.graph, Listener.proc, late.context) == noErr) }
    expectNoError(AUGraphAddRenderNotify(bench.graph, Listener.proc, listener.context))
    _ = try render(try bench.unit(output), 100..<200, slice: 50)
    listener.onCall = nil
    #expect(listener.flags == [4, 8, 4, 8, 4, 8])
    #expect(late.flags.count == 2, "of the second cycle")
  }

  @Test("the load is the time of a cycle over the time that it lasts; the largest is told once")
  func load() throws {
    let bench = try GraphBench()
    let (output, source) = (try bench.addOutput(), GraphSource(1))
    expectNoError(bench.feed(output, source))
    bench.start()
    var load: Float32 = -1
    expectNoError(AUGraphGetCPULoad(bench.graph, &load))
    #expect(load == 0)
    // A cycle of one frame that takes at least a hundred times as long as the frame lasts.
    source.onPull = { _ in
      var (start, now) = (timespec(), timespec())
      clock_gettime(CLOCK_MONOTONIC, &start)
      repeat {
        clock_gettime(CLOCK_MONOTONIC, &now)
      } while (now.tv_sec - start.tv_sec) * 1_000_000_000 + now.tv_nsec - start.tv_nsec < 2_300_000
    }
    _ = try render(try bench.unit(output), 0..<1)
    source.onPull = nil
    var maximum: Float32 = -1
    expectNoError(AUGraphGetMaxCPULoad(bench.graph, &maximum))
    #expect(maximum > 100)
    expectNoError(AUGraphGetCPULoad(bench.graph, &load))
    #expect(load > 0 && load < maximum, "an average with what was before")
    expectNoError(AUGraphGetMaxCPULoad(bench.graph, &maximum))
    #expect(maximum == 0, "since it was last asked for")
    expectNoError(AUGraphStart(bench.graph))
    expectNoError(AUGraphGetCPULoad(bench.graph, &load))
    #expect(load == 0, "since the start")
  }

  // MARK: Nodes of 2003

  @Test("a node can bring the state of its unit, and gives it back")
  func classInfo() throws {
    let bench = try GraphBench()
    let original = try bench.addFilter()
    expectNoError(AUGraphOpen(bench.graph))
    expectNoError(AudioUnitSetParameter(try bench.unit(original), 0, kAudioUnitScope_Global, 0, 1234, 0))
    var info: UnsafeMutableRawPointer?
    var size: UInt32 = 0
    var description = AudioComponentDescription()
    var unit: AudioUnit?
    expectNoError(AUGraphGetNodeInfo(bench.graph, original, &description, &size, &info, &unit))
    #expect(size == 8 && description.componentSubType == kAudioUnitSubType_LowPassFilter)
    #expect(try unit == bench.unit(original))
    let state = try #require(info)
    defer { Unmanaged<AnyObject>.fromOpaque(state).release() }

    for opensFirst in [true, false] {
      let other = try GraphBench()
      if opensFirst { #expect(AUGraphOpen(other.graph) == noErr) }
      var copy: AUNode = 0
      var reference = info
      #expect(AUGraphNewNode(other.graph, &description, 5, &reference, &copy) == kAudio_ParamError)
      expectNoError(AUGraphNewNode(other.graph, &description, size, &reference, &copy))
      if !opensFirst {
        var kept: UnsafeMutableRawPointer?
        expectNoError(AUGraphGetNodeInfo(other.graph, copy, nil, nil, &kept, nil))
        #expect(kept == info)
        if let kept { Unmanaged<AnyObject>.fromOpaque(kept).release() }
        expectNoError(AUGraphOpen(other.graph))
      }
      var value: Float32 = 0
      expectNoError(AudioUnitGetParameter(try other.unit(copy), 0, kAudioUnitScope_Global, 0, &value))
      #expect(value == 1234)
      expectNoError(AUGraphNewNode(other.graph, &description, 0, nil, &copy))
      expectNoError(AUGraphGetNodeInfo(other.graph, copy, nil, &size, nil, nil))
      #expect(size == 8)
    }
  }

  // MARK: CAShow

  @Test("CAShow prints nodes and connections, and only a number of what it does not know")
  func showing() throws {
    let bench = try GraphBench()
    let (output, mixer) = (try bench.addOutput(), try bench.addMixer())
    expectNoError(bench.connect(mixer, to: output))
    expectNoError(bench.feed(mixer, input: 3, GraphSource(1)))
    func shown(_ object: OpaquePointer?) -> String { ShownObject(UnsafeMutableRawPointer(object)).text }
    let closed = shown(bench.graph)
    #expect(closed.contains("node \(output): 'auou' 'genr' 'appl', not open\n"))
    #expect(closed.contains("node \(mixer) bus 0 => node \(output) bus 0\n"))
    bench.start()
    let text = shown(bench.graph)
    let number = String(UInt(bitPattern: try bench.unit(mixer)), radix: 16)
    #expect(text.contains("node \(mixer): 'aumx' 'mcmx' 'appl', instance 0x\(number)\n"))
    #expect(text.contains("node \(mixer) bus 0 => node \(output) bus 0  [44100 Hz, 2 ch, "))
    #expect(text.contains(" => node \(mixer) bus 3  [44100 Hz"))
    #expect(shown(try bench.unit(mixer)).contains("'aumx' 'mcmx' 'appl', Apple: AUMultiChannelMixer, initialized\n"))
    var description = GraphBench.description(kAudioUnitType_Mixer, kAudioUnitSubType_MultiChannelMixer)
    #expect(shown(AudioComponentFindNext(nil, &description)).hasPrefix("AudioComponent 0x"))
    var local = 0
    withUnsafeMutablePointer(to: &local) {
      #expect(shown(OpaquePointer($0)).hasSuffix("not a graph, unit or component\n"))
    }
    #expect(shown(nil) == "0x0: not a graph, unit or component\n")

    let folder = TemporaryFolder()
    let file = try #require(fopen(folder.file("shown"), "w"))
    CAShowFile(UnsafeMutableRawPointer(bench.graph), file)
    fclose(file)
    #expect(String(decoding: bytes(ofFile: folder.file("shown")), as: UTF8.self) == text)
    CAShowFile(UnsafeMutableRawPointer(bench.graph), null())
  }
}
