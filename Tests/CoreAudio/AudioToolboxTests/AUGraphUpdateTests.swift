import AudioCore
import AudioEngine
import CAudioToolbox
import TestSupport
import Testing

import AudioToolbox

/// The list of things to do of an initialized graph: what waits for an update, what fails in it, and what it undoes.
@Suite struct AUGraphUpdateTests {
  private let bench: GraphBench
  private let output: AUNode
  private let mixer: AUNode
  private let sources = [GraphSource(11), GraphSource(12)]

  /// A mixer into an output, initialized, with nothing to mix.
  init() throws {
    bench = try GraphBench()
    output = try bench.addOutput()
    mixer = try bench.addMixer()
    expectNoError(bench.connect(mixer, to: output))
    bench.start()
  }

  private func rendered(_ frames: Range<Int>) throws -> [[Float]] { try render(try bench.unit(output), frames) }
  private let silence: [[Float]] = Array(repeating: Array(repeating: 0, count: 512), count: 2)

  @Test("an edit of an initialized graph is not heard before the update, and is afterwards")
  func queued() throws {
    expectNoError(bench.feed(mixer, sources[0]))
    #expect(firstDifference(try rendered(0..<512), silence) == nil)
    #expect(sources[0].pulls == 0)
    var isUpdated = false
    expectNoError(AUGraphUpdate(bench.graph, &isUpdated))
    #expect(isUpdated, "nothing renders, so nothing is waited for")
    #expect(firstDifference(try rendered(512..<1024), sources[0].signal(512..<1024)) == nil)
    expectNoError(AUGraphDisconnectNodeInput(bench.graph, mixer, 0))
    #expect(firstDifference(try rendered(1024..<1536), sources[0].signal(1024..<1536)) == nil)
    expectNoError(bench.update())
    #expect(firstDifference(try rendered(1536..<2048), silence) == nil)
    expectNoError(AUGraphUpdate(bench.graph, &isUpdated))
    #expect(isUpdated, "nothing to do")
  }

  @Test("before the graph is initialized, edits hold from its initialization on without an update")
  func beforeInitialization() throws {
    expectNoError(bench.feed(mixer, sources[0]))
    expectNoError(bench.update())
    expectNoError(AUGraphUninitialize(bench.graph))
    expectNoError(bench.feed(mixer, input: 1, sources[1]))
    expectNoError(AUGraphDisconnectNodeInput(bench.graph, mixer, 0))
    expectNoError(AUGraphInitialize(bench.graph))
    #expect(firstDifference(try rendered(0..<512), sources[1].signal(0..<512)) == nil)
    #expect(sources[0].pulls == 0)
  }

  @Test("what waits for an update when the graph is uninitialized holds from its next initialization on")
  func foldedInto() throws {
    let filter = try bench.addFilter()
    expectNoError(bench.feed(mixer, sources[0]))
    expectNoError(AUGraphRemoveNode(bench.graph, filter))
    expectNoError(AUGraphUninitialize(bench.graph))
    expectNoError(AUGraphInitialize(bench.graph))
    #expect(firstDifference(try rendered(0..<512), sources[0].signal(0..<512)) == nil)
  }

  @Test("starting carries out what is to be done, for programs that never update")
  func starting() throws {
    expectNoError(bench.feed(mixer, sources[0]))
    expectNoError(AUGraphStart(bench.graph))
    #expect(firstDifference(try rendered(0..<512), sources[0].signal(0..<512)) == nil)
    expectNoError(AUGraphStop(bench.graph))
  }

  @Test("an update stops at the first edit that fails, says why, and leaves the later ones to the next update")
  func partialFailure() throws {
    expectNoError(bench.feed(mixer, input: 0, sources[0]))
    #expect(bench.feed(mixer, input: 99, sources[1]) == noErr, "buses are looked at when it is carried out")
    expectNoError(bench.feed(mixer, input: 1, sources[1]))
    var isUpdated = true
    #expect(AUGraphUpdate(bench.graph, &isUpdated) == kAudioUnitErr_InvalidElement)
    #expect(!isUpdated)
    #expect(firstDifference(try rendered(0..<512), sources[0].signal(0..<512)) == nil, "the first of the three")
    #expect(bench.interactionCount == 3, "the one that failed is forgotten")
    expectNoError(bench.update())
    let both = try mixed(sources[0].signal(512..<1024), sources[1].signal(512..<1024), from: 512)
    #expect(firstDifference(try rendered(512..<1024), both) == nil)
    expectNoError(bench.update())
  }

  @Test("a unit that cannot be initialized fails the edit that brought it in, and nothing of that edit is left")
  func failingUnit() throws {
    let equalizer = try bench.addEqualizer()
    expectNoError(bench.feed(mixer, sources[1]))
    expectNoError(bench.update())
    // Different formats on both sides are refused when the unit is initialized.
    expectNoError(try bench.set(StreamFormat(sampleRate: 44_100, channelCount: 1), equalizer, kAudioUnitScope_Input))
    expectNoError(bench.feed(equalizer, sources[0]))
    expectNoError(bench.connect(equalizer, to: mixer, input: 0))
    #expect(bench.update() == kAudioUnitErr_FormatNotSupported)
    #expect(try bench.isInitialized(equalizer) == false)
    #expect(firstDifference(try rendered(0..<512), sources[1].signal(0..<512)) == nil)
    // The connection stays to be done, and works once the formats do.
    expectNoError(try bench.set(GraphBench.stereo, equalizer, kAudioUnitScope_Input))
    expectNoError(bench.feed(equalizer, sources[0]))
    expectNoError(bench.update())
    #expect(firstDifference(try rendered(512..<1024), sources[0].signal(512..<1024)) == nil, "preset 0 changes nothing")
  }

  @Test("a connection into an initialized unit of another format is a mismatch, and the former source stays")
  func mismatch() throws {
    expectNoError(bench.feed(mixer, sources[0]))
    expectNoError(bench.update())
    let (equalizer, filter) = (try bench.addEqualizer(), try bench.addFilter())
    let mono = StreamFormat(sampleRate: 44_100, channelCount: 1)
    for node in [equalizer, filter] {
      for scope in [kAudioUnitScope_Input, kAudioUnitScope_Output] {
        #expect(try bench.set(node == filter ? mono : GraphBench.stereo, node, scope) == noErr)
      }
    }
    expectNoError(bench.connect(equalizer, to: mixer, input: 0))
    expectNoError(bench.feed(equalizer, sources[1]))
    expectNoError(bench.update())
    #expect(firstDifference(try rendered(0..<512), sources[1].signal(0..<512)) == nil)
    expectNoError(bench.connect(filter, to: equalizer))
    #expect(bench.update() == kAudioUnitErr_FormatNotSupported)
    #expect(firstDifference(try rendered(512..<1024), sources[1].signal(512..<1024)) == nil)
    #expect(bench.interactionCount == 3)
  }

  @Test("nothing is connected to itself, in a circle, or into a graph")
  func circles() throws {
    let (first, second) = (try bench.addFilter(), try bench.addFilter())
    #expect(bench.connect(first, to: first) == kAUGraphErr_InvalidConnection)
    expectNoError(bench.connect(first, to: second))
    #expect(bench.connect(second, to: first) == kAUGraphErr_InvalidConnection)
    expectNoError(AUGraphDisconnectNodeInput(bench.graph, second, 0))
    expectNoError(bench.connect(second, to: first))
    expectNoError(bench.connect(first, to: mixer))
    #expect(bench.connect(output, to: second) == kAUGraphErr_InvalidConnection)
    var member: AUNode = 0
    expectNoError(AUGraphNewNodeSubGraph(bench.graph, &member))
    #expect(bench.connect(second, to: member) == kAUGraphErr_InvalidConnection)
    #expect(bench.feed(member, sources[0]) == kAUGraphErr_InvalidConnection)
  }

  @Test("A graph's notify hears of one cycle once, also where the device's input is part of it")
  func notifyOfALoop() throws {
    let bench = try GraphBench()
    let device = try bench.add(kAudioUnitType_Output, kAudioUnitSubType_RemoteIO)
    try #require(AUGraphOpen(bench.graph) == noErr)
    let unit = try bench.unit(device)
    var isOn: UInt32 = 1
    #expect(
      AudioUnitSetProperty(unit, kAudioOutputUnitProperty_EnableIO, kAudioUnitScope_Input, 1, &isOn, 4) == noErr)
    expectNoError(AUGraphConnectNodeInput(bench.graph, device, 1, device, 0))
    var phases: [UInt32] = []
    let notify: AURenderCallback = { context, flags, _, bus, _, _ in
      let phase = flags.pointee.intersection([.unitRenderAction_PreRender, .unitRenderAction_PostRender])
      context.assumingMemoryBound(to: [UInt32].self).pointee.append(phase.rawValue << 8 | bus)
      return noErr
    }
    try withUnsafeMutablePointer(to: &phases) { phases in
      expectNoError(AUGraphAddRenderNotify(bench.graph, notify, phases))
      try #require(AUGraphInitialize(bench.graph) == noErr)
      let list = AudioBufferList.allocate(maximumBuffers: 1)
      defer { UnsafeMutableRawPointer(list.unsafeMutablePointer).deallocate() }
      var stamp = AudioTimeStamp()
      stamp.mFlags = .sampleTimeValid
      expectNoError(AudioUnitRender(unit, nil, &stamp, 0, 64, list.unsafeMutablePointer))
      expectNoError(AUGraphRemoveRenderNotify(bench.graph, notify, phases))
    }
    #expect(phases == [4 << 8, 8 << 8])
  }

  @Test("what a device records may go to what it plays: that is no circle")
  func deviceInput() throws {
    let bench = try GraphBench()
    let device = try bench.add(kAudioUnitType_Output, kAudioUnitSubType_RemoteIO)
    expectNoError(AUGraphConnectNodeInput(bench.graph, device, 1, device, 0))
    #expect(AUGraphConnectNodeInput(bench.graph, device, 0, device, 0) == kAUGraphErr_InvalidConnection)
    let mixer = try bench.addMixer()
    expectNoError(AUGraphConnectNodeInput(bench.graph, device, 1, mixer, 0))
    expectNoError(AUGraphConnectNodeInput(bench.graph, mixer, 0, device, 0))
    #expect(AUGraphConnectNodeInput(bench.graph, device, 0, mixer, 1) == kAUGraphErr_InvalidConnection)
    expectNoError(AUGraphOpen(bench.graph))
    var isOn: UInt32 = 1
    #expect(
      AudioUnitSetProperty(
        try bench.unit(device), kAudioOutputUnitProperty_EnableIO, kAudioUnitScope_Input, 1, &isOn, 4) == noErr)
    expectNoError(AUGraphInitialize(bench.graph))
    #expect(try bench.isInitialized(mixer))
    var count: UInt32 = 0
    expectNoError(AUGraphCountNodeInteractions(bench.graph, device, &count))
    #expect(count == 2)
    expectNoError(AUGraphRemoveNode(bench.graph, device))
    #expect(bench.interactionCount == 0)
    expectNoError(bench.update())
  }

  @Test("one update brings in a chain of a hundred and fifty units, and one initialization after that does it again")
  func longChain() throws {
    var last = mixer
    for _ in 0..<150 {
      let node = try bench.addEqualizer()
      expectNoError(bench.connect(node, to: last))
      last = node
    }
    expectNoError(bench.feed(last, sources[0]))
    expectNoError(bench.update())
    #expect(firstDifference(try rendered(0..<512), sources[0].signal(0..<512)) == nil)
    expectNoError(AUGraphUninitialize(bench.graph))
    expectNoError(AUGraphInitialize(bench.graph))
    #expect(firstDifference(try rendered(0..<512), sources[0].signal(0..<512)) == nil)
  }

  @Test("a circle that a failing edit would have prevented is found by the update")
  func lateCircle() throws {
    let (first, second) = (try bench.addFilter(), try bench.addFilter())
    expectNoError(bench.connect(first, to: second))
    expectNoError(bench.connect(second, to: mixer))
    expectNoError(bench.feed(first, sources[0]))
    expectNoError(bench.update())
    // Output 7 does not exist, so the first connection stays.
    #expect(AUGraphConnectNodeInput(bench.graph, mixer, 7, second, 0) == kAUGraphErr_InvalidConnection)
    let third = try bench.addFilter()
    expectNoError(AUGraphConnectNodeInput(bench.graph, third, 7, second, 0))
    expectNoError(bench.connect(second, to: first))
    #expect(bench.update() == kAudioUnitErr_InvalidElement)
    #expect(bench.update() == kAUGraphErr_InvalidConnection)
    expectNoError(bench.update())
    expectNoError(renderSlice(try bench.unit(output), at: 0, frames: 64).status)
  }

  @Test("a removed node is heard until the update, which ends its unit and everything connected to it")
  func removal() throws {
    let filter = try bench.addEqualizer()
    expectNoError(bench.feed(filter, sources[0]))
    expectNoError(bench.connect(filter, to: mixer))
    expectNoError(bench.update())
    let unit = try bench.unit(filter)
    expectNoError(AUGraphRemoveNode(bench.graph, filter))
    #expect(bench.interactionCount == 1)
    var count: UInt32 = 0
    expectNoError(AUGraphGetNodeCount(bench.graph, &count))
    #expect(count == 2)
    #expect(AUGraphNodeInfo(bench.graph, filter, nil, nil) == kAUGraphErr_NodeNotFound)
    #expect(firstDifference(try rendered(0..<512), sources[0].signal(0..<512)) == nil)
    expectNoError(bench.update())
    #expect(AudioUnitReset(unit, kAudioUnitScope_Global, 0) == kAudio_ParamError)
    #expect(firstDifference(try rendered(512..<1024), silence) == nil)
  }

  @Test("the output can be replaced while nothing runs")
  func replacingTheOutput() throws {
    expectNoError(bench.feed(mixer, sources[0]))
    expectNoError(AUGraphRemoveNode(bench.graph, output))
    let other = try bench.addOutput()
    expectNoError(bench.connect(mixer, to: other))
    expectNoError(bench.update())
    let signal = try render(try bench.unit(other), 0..<512)
    #expect(firstDifference(signal, sources[0].signal(0..<512)) == nil)
  }

  @Test("a chain said backwards is connected forwards, formats and all")
  func formatsThroughAChain() throws {
    let chain = [try bench.addFilter(), try bench.addFilter(), try bench.addFilter()]
    let rate = GraphBench.stereo.at(sampleRate: 22_050)
    for node in chain { #expect(try bench.set(rate, node, kAudioUnitScope_Output) == noErr) }
    expectNoError(try bench.set(rate, chain[0], kAudioUnitScope_Input))
    let silent = try bench.addMixer()
    expectNoError(bench.connect(chain[2], to: silent))
    expectNoError(bench.connect(chain[1], to: chain[2]))
    expectNoError(bench.connect(chain[0], to: chain[1]))
    expectNoError(bench.feed(chain[0], sources[0]))
    expectNoError(bench.update())
    #expect(try chain.allSatisfy { try bench.isInitialized($0) })
  }

  // MARK: Questions

  @Test("questions count edits as they are made, one interaction for each input")
  func questions() throws {
    let filter = try bench.addFilter()
    expectNoError(bench.feed(mixer, input: 1, sources[0]))
    expectNoError(AUGraphConnectNodeInput(bench.graph, filter, 0, mixer, 2))
    #expect(bench.feed(mixer, input: 2, sources[1]) == noErr, "in place of the connection")
    expectNoError(bench.connect(filter, to: mixer, input: 3))
    #expect(bench.interactionCount == 4)
    var interactions = [AUNodeInteraction](repeating: AUNodeInteraction(), count: 5)
    var count: UInt32 = 5
    expectNoError(AUGraphGetNodeInteractions(bench.graph, mixer, &count, &interactions))
    #expect(count == 4, "three inputs and one output")
    #expect(interactions[1].nodeInteractionType == kAUNodeInteraction_InputCallback)
    let callback = interactions[1].nodeInteraction.inputCallback
    #expect(callback.destNode == mixer && callback.destInputNumber == 1)
    #expect(callback.cback.inputProcRefCon == sources[0].callback.inputProcRefCon)
    #expect(interactions[3].nodeInteractionType == kAUNodeInteraction_Connection)
    let connection = interactions[3].nodeInteraction.connection
    #expect(connection.sourceNode == filter && connection.sourceOutputNumber == 0)
    #expect(connection.destNode == mixer && connection.destInputNumber == 3)
    count = 1
    interactions[1].nodeInteractionType = 77
    expectNoError(AUGraphGetNodeInteractions(bench.graph, mixer, &count, &interactions))
    #expect(count == 1 && interactions[1].nodeInteractionType == 77, "no more than there is room for")
    expectNoError(AUGraphCountNodeInteractions(bench.graph, filter, &count))
    #expect(count == 1)
    expectNoError(AUGraphGetInteractionInfo(bench.graph, 0, &interactions[4]))
    #expect(interactions[4].nodeInteraction.connection.destNode == output)
    #expect(AUGraphGetInteractionInfo(bench.graph, 4, &interactions[4]) == kAudio_ParamError)

    // The calls of 2003 see connections alone.
    expectNoError(AUGraphGetNumberOfConnections(bench.graph, &count))
    #expect(count == 2)
    var ends: (AUNode, UInt32, AUNode, UInt32) = (0, 9, 0, 9)
    expectNoError(AUGraphGetConnectionInfo(bench.graph, 1, &ends.0, &ends.1, &ends.2, &ends.3))
    #expect(ends == (filter, 0, mixer, 3))
    #expect(AUGraphGetConnectionInfo(bench.graph, 2, &ends.0, &ends.1, &ends.2, &ends.3) == kAudio_ParamError)
    expectNoError(AUGraphCountNodeConnections(bench.graph, mixer, &count))
    #expect(count == 2)
    var connections = [AudioUnitNodeConnection](repeating: AudioUnitNodeConnection(), count: 3)
    count = 3
    expectNoError(AUGraphGetNodeConnections(bench.graph, mixer, &connections, &count))
    #expect(count == 2 && connections[0].sourceNode == mixer && connections[1].sourceNode == filter)

    var none = AURenderCallbackStruct()
    #expect(AUGraphSetNodeInputCallback(bench.graph, mixer, 1, &none) == noErr, "no function: no interaction")
    #expect(bench.interactionCount == 3)
    expectNoError(AUGraphClearConnections(bench.graph))
    #expect(bench.interactionCount == 0)
    expectNoError(bench.update())
    #expect(renderSlice(try bench.unit(output), at: 0, frames: 8).status == kAudioUnitErr_NoConnection)
  }
}
