import AudioCore
import AudioEngine
import CAudioToolbox
import TestSupport
import Testing

import AudioToolbox

/// The states of a graph, what each call needs, and the error where it is not there.
@Suite struct AUGraphStateTests {
  @Test("a new graph is closed and empty, and states follow one another")
  func states() throws {
    let bench = try GraphBench()
    func states() -> [Bool?] {
      [bench.flag(AUGraphIsOpen), bench.flag(AUGraphIsInitialized), bench.flag(AUGraphIsRunning)]
    }
    var count: UInt32 = 9
    expectNoError(AUGraphGetNodeCount(bench.graph, &count))
    #expect(count == 0)
    #expect(states() == [false, false, false])
    _ = try bench.addOutput()
    expectNoError(AUGraphOpen(bench.graph))
    #expect(states() == [true, false, false])
    expectNoError(AUGraphInitialize(bench.graph))
    #expect(states() == [true, true, false])
    expectNoError(AUGraphStart(bench.graph))
    #expect(states() == [true, true, true])
    expectNoError(AUGraphStop(bench.graph))
    #expect(states() == [true, true, false])
    expectNoError(AUGraphUninitialize(bench.graph))
    #expect(states() == [true, false, false])
    expectNoError(AUGraphClose(bench.graph))
    #expect(states() == [false, false, false])
  }

  @Test("what needs a state says so without it, and a state that is there already is no error")
  func preconditions() throws {
    let bench = try GraphBench()
    #expect(AUGraphInitialize(bench.graph) == kAUGraphErr_CannotDoInCurrentContext, "not open")
    #expect(AUGraphStart(bench.graph) == kAUGraphErr_CannotDoInCurrentContext, "not initialized")
    #expect(AUGraphStop(bench.graph) == kAUGraphErr_CannotDoInCurrentContext, "not initialized")
    expectNoError(AUGraphUninitialize(bench.graph))
    expectNoError(AUGraphClose(bench.graph))
    expectNoError(bench.update())
    expectNoError(AUGraphOpen(bench.graph))
    expectNoError(AUGraphOpen(bench.graph))
    expectNoError(AUGraphInitialize(bench.graph))
    expectNoError(AUGraphInitialize(bench.graph))
    #expect(AUGraphStart(bench.graph) == kAUGraphErr_OutputNodeErr, "no output")
    let output = try bench.addOutput()
    #expect(try bench.isInitialized(output) == false)
    expectNoError(AUGraphStart(bench.graph))
    #expect(try bench.isInitialized(output), "part of no interaction, but what is started")
    expectNoError(AUGraphStart(bench.graph))
    #expect(AUGraphRemoveNode(bench.graph, output) == kAUGraphErr_OutputNodeErr, "it runs")
    expectNoError(AUGraphStop(bench.graph))
    expectNoError(AUGraphStop(bench.graph))
    expectNoError(AUGraphRemoveNode(bench.graph, output))
  }

  @Test("a unit started by itself runs as far as the graph can see, and closing stops it")
  func runningIsAsked() throws {
    let bench = try GraphBench()
    let output = try bench.addOutput()
    bench.start()
    expectNoError(AudioOutputUnitStart(try bench.unit(output)))
    #expect(bench.flag(AUGraphIsRunning) == true)
    expectNoError(AUGraphClose(bench.graph))
    #expect(bench.flag(AUGraphIsRunning) == false)
  }

  @Test("nodes are numbered once and for all, and unknown ones are said to be unknown")
  func nodes() throws {
    let bench = try GraphBench()
    let output = try bench.addOutput()
    let mixer = try bench.addMixer()
    var node: AUNode = 0
    expectNoError(AUGraphGetIndNode(bench.graph, 1, &node))
    #expect(node == mixer)
    #expect(AUGraphGetIndNode(bench.graph, 2, &node) == kAudio_ParamError)
    expectNoError(AUGraphRemoveNode(bench.graph, mixer))
    #expect(AUGraphRemoveNode(bench.graph, mixer) == kAUGraphErr_NodeNotFound)
    let other = try bench.addMixer()
    #expect(![output, mixer].contains(other))
    var description = AudioComponentDescription()
    var unit: AudioUnit?
    expectNoError(AUGraphNodeInfo(bench.graph, other, &description, &unit))
    #expect(description.componentType == kAudioUnitType_Mixer)
    #expect(description.componentSubType == kAudioUnitSubType_MultiChannelMixer)
    #expect(unit == nil, "not open")
    expectNoError(AUGraphNodeInfo(bench.graph, other, nil, nil))
    #expect(AUGraphNodeInfo(bench.graph, mixer, nil, nil) == kAUGraphErr_NodeNotFound)
    #expect(bench.connect(mixer, to: output) == kAUGraphErr_NodeNotFound)
    #expect(bench.connect(other, to: mixer) == kAUGraphErr_NodeNotFound)
    #expect(bench.feed(mixer, GraphSource(1)) == kAUGraphErr_NodeNotFound)
    #expect(AUGraphDisconnectNodeInput(bench.graph, mixer, 0) == kAUGraphErr_NodeNotFound)
    var count: UInt32 = 0
    #expect(AUGraphCountNodeInteractions(bench.graph, mixer, &count) == kAUGraphErr_NodeNotFound)
    expectNoError(AUGraphOpen(bench.graph))
    #expect(try bench.unit(other) != bench.unit(output))
    // A node of an open graph has its unit at once, not initialized.
    let late = try bench.addFilter()
    #expect(try bench.isInitialized(late) == false)
  }

  @Test("a second output is refused at once, and so is what no component matches")
  func addingErrors() throws {
    let bench = try GraphBench()
    _ = try bench.addOutput()
    var node: AUNode = 0
    var second = GraphBench.description(kAudioUnitType_Output, kAudioUnitSubType_GenericOutput)
    #expect(AUGraphAddNode(bench.graph, &second, &node) == kAUGraphErr_OutputNodeErr)
    var unknown = GraphBench.description(kAudioUnitType_Effect, 0x3F3F_3F3F)
    #expect(AUGraphAddNode(bench.graph, &unknown, &node) == kAUGraphErr_InvalidAudioUnit)
    var count: UInt32 = 0
    expectNoError(AUGraphGetNodeCount(bench.graph, &count))
    #expect(count == 1)
  }

  @Test("stale, foreign and null handles and missing room for answers are errors, never a crash")
  func handles() throws {
    var made: AUGraph?
    expectNoError(NewAUGraph(&made))
    let stale = try #require(made)
    expectNoError(DisposeAUGraph(stale))
    let other = try GraphBench()
    let node = try other.addFilter()
    expectNoError(AUGraphOpen(other.graph))
    for graph in [stale, try other.unit(node), null(AUGraph.self)] {
      var number: UInt32 = 0
      var flag = false
      #expect(DisposeAUGraph(graph) == kAudio_ParamError)
      #expect(AUGraphOpen(graph) == kAudio_ParamError)
      #expect(AUGraphClose(graph) == kAudio_ParamError)
      #expect(AUGraphInitialize(graph) == kAudio_ParamError)
      #expect(AUGraphUninitialize(graph) == kAudio_ParamError)
      #expect(AUGraphStart(graph) == kAudio_ParamError)
      #expect(AUGraphStop(graph) == kAudio_ParamError)
      #expect(AUGraphUpdate(graph, &flag) == kAudio_ParamError)
      #expect(AUGraphGetNodeCount(graph, &number) == kAudio_ParamError)
      #expect(AUGraphIsOpen(graph, &flag) == kAudio_ParamError)
      #expect(AUGraphClearConnections(graph) == kAudio_ParamError)
      #expect(AUGraphRemoveNode(graph, 1) == kAudio_ParamError)
    }
    #expect(NewAUGraph(null()) == kAudio_ParamError)
    #expect(AUGraphIsOpen(other.graph, null()) == kAudio_ParamError)
    #expect(AUGraphSetNodeInputCallback(other.graph, node, 0, null()) == kAudio_ParamError)
    #expect(AUGraphAddRenderNotify(other.graph, null(), nil) == kAudio_ParamError)
  }

  @Test("only what takes part is initialized, sources before what they feed; the output always")
  func participants() throws {
    let bench = try GraphBench()
    let source = GraphSource(1)
    let output = try bench.addOutput()
    let (fed, idle, direct) = (try bench.addFilter(), try bench.addFilter(), try bench.addFilter())
    #expect(AUGraphInitialize(bench.graph) == kAUGraphErr_CannotDoInCurrentContext)
    expectNoError(AUGraphOpen(bench.graph))
    expectNoError(bench.connect(fed, to: output))
    expectNoError(bench.feed(fed, source))
    // Past the graph, by the unit's own property.
    expectNoError(try bench.feedDirectly(direct, source))
    // The output's input takes over the rate of what feeds it, so the rate has to be there first.
    expectNoError(try bench.set(GraphBench.stereo.at(sampleRate: 48_000), fed, kAudioUnitScope_Input))
    expectNoError(try bench.set(GraphBench.stereo.at(sampleRate: 48_000), fed, kAudioUnitScope_Output))
    expectNoError(try bench.set(GraphBench.stereo.at(sampleRate: 48_000), output, kAudioUnitScope_Output))
    expectNoError(AUGraphInitialize(bench.graph))
    #expect(try [output, fed, idle, direct].map { try bench.isInitialized($0) } == [true, true, false, true])
    var format = AudioStreamBasicDescription()
    var size = UInt32(MemoryLayout<AudioStreamBasicDescription>.size)
    #expect(
      AudioUnitGetProperty(
        try bench.unit(output), kAudioUnitProperty_StreamFormat, kAudioUnitScope_Input, 0, &format, &size) == noErr)
    #expect(format.mSampleRate == 48_000)
    expectNoError(AUGraphUninitialize(bench.graph))
    #expect(try [output, fed, idle, direct].map { try bench.isInitialized($0) } == [false, false, false, false])
  }

  @Test("a graph of its output alone renders what a callback on that unit delivers")
  func outputAlone() throws {
    let bench = try GraphBench()
    let source = GraphSource(5)
    let output = try bench.addOutput()
    expectNoError(AUGraphOpen(bench.graph))
    expectNoError(try bench.feedDirectly(output, source))
    expectNoError(AUGraphInitialize(bench.graph))
    expectNoError(bench.update())
    let signal = try render(try bench.unit(output), 0..<1000)
    #expect(firstDifference(signal, source.signal(0..<1000)) == nil)
    // Disconnecting that input by name takes the source away, whoever has set it; clearing does not.
    expectNoError(AUGraphClearConnections(bench.graph))
    expectNoError(bench.update())
    expectNoError(renderSlice(try bench.unit(output), at: 1000, frames: 8).status)
    expectNoError(AUGraphDisconnectNodeInput(bench.graph, output, 0))
    expectNoError(bench.update())
    #expect(renderSlice(try bench.unit(output), at: 1008, frames: 8).status == kAudioUnitErr_NoConnection)
  }

  @Test("a failing initialization names its error and leaves nothing initialized")
  func failingInitialization() throws {
    let bench = try GraphBench()
    let (output, mixer, filter) = (try bench.addOutput(), try bench.addMixer(), try bench.addFilter())
    expectNoError(AUGraphOpen(bench.graph))
    expectNoError(bench.feed(filter, GraphSource(1)))
    expectNoError(bench.connect(filter, to: mixer, input: 100))
    expectNoError(bench.connect(mixer, to: output))
    #expect(AUGraphInitialize(bench.graph) == kAudioUnitErr_InvalidElement, "input 100")
    #expect(bench.flag(AUGraphIsInitialized) == false)
    #expect(try [output, mixer, filter].contains { try bench.isInitialized($0) } == false)
    expectNoError(AUGraphDisconnectNodeInput(bench.graph, mixer, 100))
    expectNoError(AUGraphConnectNodeInput(bench.graph, filter, 3, mixer, 0))
    #expect(AUGraphInitialize(bench.graph) == kAudioUnitErr_InvalidElement, "output 3")
    // An equalizer has two channels at most.
    let equalizer = try bench.addEqualizer()
    expectNoError(try bench.set(StreamFormat(sampleRate: 44_100, channelCount: 4), filter, kAudioUnitScope_Input))
    expectNoError(try bench.set(StreamFormat(sampleRate: 44_100, channelCount: 4), filter, kAudioUnitScope_Output))
    expectNoError(bench.connect(filter, to: equalizer))
    expectNoError(bench.connect(equalizer, to: mixer))
    #expect(AUGraphInitialize(bench.graph) == kAudioUnitErr_FormatNotSupported)
    #expect(try [output, mixer, filter, equalizer].contains { try bench.isInitialized($0) } == false)
    // Mended, it works.
    expectNoError(try bench.set(GraphBench.stereo, filter, kAudioUnitScope_Input))
    expectNoError(try bench.set(GraphBench.stereo, filter, kAudioUnitScope_Output))
    expectNoError(AUGraphInitialize(bench.graph))
    expectNoError(renderSlice(try bench.unit(output), at: 0, frames: 16).status)
  }

  @Test("a closed graph keeps its nodes and interactions, and renders the same when it is opened again")
  func reopening() throws {
    let bench = try GraphBench()
    let source = GraphSource(2)
    let (output, mixer) = (try bench.addOutput(), try bench.addMixer())
    expectNoError(bench.connect(mixer, to: output))
    expectNoError(bench.feed(mixer, input: 1, source))
    bench.start()
    let unit = try bench.unit(output)
    let first = try render(unit, 0..<700)
    expectNoError(AUGraphClose(bench.graph))
    #expect(AudioUnitUninitialize(unit) == kAudio_ParamError, "its handle is stale")
    #expect(bench.interactionCount == 2)
    bench.start()
    let second = try render(try bench.unit(output), 0..<700)
    #expect(firstDifference(first, second) == nil)
    #expect(firstDifference(first, source.signal(0..<700)) == nil, "a mixer at volume 1")
  }

  @Test("graphs end in any state and order, and their units with them")
  func endings() throws {
    for steps in 0...4 {
      var made: AUGraph?
      expectNoError(NewAUGraph(&made))
      let graph = try #require(made)
      var description = GraphBench.description(kAudioUnitType_Output, kAudioUnitSubType_GenericOutput)
      var node: AUNode = 0
      expectNoError(AUGraphAddNode(graph, &description, &node))
      var unit: AudioUnit?
      if steps > 0 { #expect(AUGraphOpen(graph) == noErr) }
      expectNoError(AUGraphNodeInfo(graph, node, nil, &unit))
      if steps > 1 { #expect(AUGraphInitialize(graph) == noErr) }
      if steps > 2 { #expect(AUGraphStart(graph) == noErr) }
      if steps > 3 { #expect(AudioComponentInstanceDispose(try #require(unit)) == noErr, "behind the graph's back") }
      expectNoError(DisposeAUGraph(graph))
      #expect(DisposeAUGraph(graph) == kAudio_ParamError)
      if let unit { #expect(AudioUnitInitialize(unit) == kAudio_ParamError) }
    }
    let bench = try GraphBench()
    bench.start()
    expectNoError(AUGraphUninitialize(bench.graph))
    expectNoError(AUGraphUninitialize(bench.graph))
    expectNoError(AUGraphClose(bench.graph))
    expectNoError(AUGraphUninitialize(bench.graph))
    #expect(AUGraphStop(bench.graph) == kAUGraphErr_CannotDoInCurrentContext)
  }
}
