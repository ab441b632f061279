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
    #expect(bench.connect(mixer, to: output) == noErr)
    bench.start()
  }

  private func rendered(_ frames: Range<Int>) throws -> [[Float]] { try render(try bench.unit(output), frames) }
  private let silence: [[Float]] = Array(repeating: Array(repeating: 0, count: 512), count: 2)

  @Test("an edit of an initialized graph is not heard before the update, and is afterwards")
  func queued() throws {
    #expect(bench.feed(mixer, sources[0]) == noErr)
    #expect(firstDifference(try rendered(0..<512), silence) == nil)
    #expect(sources[0].pulls == 0)
    var isUpdated = false
    #expect(AUGraphUpdate(bench.graph, &isUpdated) == noErr)
    #expect(isUpdated, "nothing renders, so nothing is waited for")
    #expect(firstDifference(try rendered(512..<1024), sources[0].signal(512..<1024)) == nil)
    #expect(AUGraphDisconnectNodeInput(bench.graph, mixer, 0) == noErr)
    #expect(firstDifference(try rendered(1024..<1536), sources[0].signal(1024..<1536)) == nil)
    #expect(bench.update() == noErr)
    #expect(firstDifference(try rendered(1536..<2048), silence) == nil)
    #expect(AUGraphUpdate(bench.graph, &isUpdated) == noErr)
    #expect(isUpdated, "nothing to do")
  }

  @Test("before the graph is initialized, edits hold from its initialization on without an update")
  func beforeInitialization() throws {
    #expect(bench.feed(mixer, sources[0]) == noErr)
    #expect(bench.update() == noErr)
    #expect(AUGraphUninitialize(bench.graph) == noErr)
    #expect(bench.feed(mixer, input: 1, sources[1]) == noErr)
    #expect(AUGraphDisconnectNodeInput(bench.graph, mixer, 0) == noErr)
    #expect(AUGraphInitialize(bench.graph) == noErr)
    #expect(firstDifference(try rendered(0..<512), sources[1].signal(0..<512)) == nil)
    #expect(sources[0].pulls == 0)
  }

  @Test("what waits for an update when the graph is uninitialized holds from its next initialization on")
  func foldedInto() throws {
    let filter = try bench.addFilter()
    #expect(bench.feed(mixer, sources[0]) == noErr)
    #expect(AUGraphRemoveNode(bench.graph, filter) == noErr)
    #expect(AUGraphUninitialize(bench.graph) == noErr)
    #expect(AUGraphInitialize(bench.graph) == noErr)
    #expect(firstDifference(try rendered(0..<512), sources[0].signal(0..<512)) == nil)
  }

  @Test("starting carries out what is to be done, for programs that never update")
  func starting() throws {
    #expect(bench.feed(mixer, sources[0]) == noErr)
    #expect(AUGraphStart(bench.graph) == noErr)
    #expect(firstDifference(try rendered(0..<512), sources[0].signal(0..<512)) == nil)
    #expect(AUGraphStop(bench.graph) == noErr)
  }

  @Test("an update stops at the first edit that fails, says why, and leaves the later ones to the next update")
  func partialFailure() throws {
    #expect(bench.feed(mixer, input: 0, sources[0]) == noErr)
    #expect(bench.feed(mixer, input: 99, sources[1]) == noErr, "buses are looked at when it is carried out")
    #expect(bench.feed(mixer, input: 1, sources[1]) == noErr)
    var isUpdated = true
    #expect(AUGraphUpdate(bench.graph, &isUpdated) == kAudioUnitErr_InvalidElement)
    #expect(!isUpdated)
    #expect(firstDifference(try rendered(0..<512), sources[0].signal(0..<512)) == nil, "the first of the three")
    #expect(bench.interactionCount == 3, "the one that failed is forgotten")
    #expect(bench.update() == noErr)
    let both = try mixed(sources[0].signal(512..<1024), sources[1].signal(512..<1024), from: 512)
    #expect(firstDifference(try rendered(512..<1024), both) == nil)
    #expect(bench.update() == noErr)
  }

  @Test("a unit that cannot be initialized fails the edit that brought it in, and nothing of that edit is left")
  func failingUnit() throws {
    let equalizer = try bench.addEqualizer()
    #expect(bench.feed(mixer, sources[1]) == noErr)
    #expect(bench.update() == noErr)
    // Different formats on both sides are refused when the unit is initialized.
    #expect(try bench.set(StreamFormat(sampleRate: 44_100, channelCount: 1), equalizer, kAudioUnitScope_Input) == noErr)
    #expect(bench.feed(equalizer, sources[0]) == noErr)
    #expect(bench.connect(equalizer, to: mixer, input: 0) == noErr)
    #expect(bench.update() == kAudioUnitErr_FormatNotSupported)
    #expect(try bench.isInitialized(equalizer) == false)
    #expect(firstDifference(try rendered(0..<512), sources[1].signal(0..<512)) == nil)
    // The connection stays to be done, and works once the formats do.
    #expect(try bench.set(GraphBench.stereo, equalizer, kAudioUnitScope_Input) == noErr)
    #expect(bench.feed(equalizer, sources[0]) == noErr)
    #expect(bench.update() == noErr)
    #expect(firstDifference(try rendered(512..<1024), sources[0].signal(512..<1024)) == nil, "preset 0 changes nothing")
  }

  @Test("a connection into an initialized unit of another format is a mismatch, and the former source stays")
  func mismatch() throws {
    #expect(bench.feed(mixer, sources[0]) == noErr)
    #expect(bench.update() == noErr)
    let (equalizer, filter) = (try bench.addEqualizer(), try bench.addFilter())
    let mono = StreamFormat(sampleRate: 44_100, channelCount: 1)
    for node in [equalizer, filter] {
      for scope in [kAudioUnitScope_Input, kAudioUnitScope_Output] {
        #expect(try bench.set(node == filter ? mono : GraphBench.stereo, node, scope) == noErr)
      }
    }
    #expect(bench.connect(equalizer, to: mixer, input: 0) == noErr)
    #expect(bench.feed(equalizer, sources[1]) == noErr)
    #expect(bench.update() == noErr)
    #expect(firstDifference(try rendered(0..<512), sources[1].signal(0..<512)) == nil)
    #expect(bench.connect(filter, to: equalizer) == noErr)
    #expect(bench.update() == kAudioUnitErr_FormatNotSupported)
    #expect(firstDifference(try rendered(512..<1024), sources[1].signal(512..<1024)) == nil)
    #expect(bench.interactionCount == 3)
  }

  @Test("nothing is connected to itself, in a circle, or into a graph")
  func circles() throws {
    let (first, second) = (try bench.addFilter(), try bench.addFilter())
    #expect(bench.connect(first, to: first) == kAUGraphErr_InvalidConnection)
    #expect(bench.connect(first, to: second) == noErr)
    #expect(bench.connect(second, to: first) == kAUGraphErr_InvalidConnection)
    #expect(AUGraphDisconnectNodeInput(bench.graph, second, 0) == noErr)
    #expect(bench.connect(second, to: first) == noErr)
    #expect(bench.connect(first, to: mixer) == noErr)
    #expect(bench.connect(output, to: second) == kAUGraphErr_InvalidConnection)
    var member: AUNode = 0
    #expect(AUGraphNewNodeSubGraph(bench.graph, &member) == noErr)
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
    #expect(AUGraphConnectNodeInput(bench.graph, device, 1, device, 0) == noErr)
    var phases: [UInt32] = []
    let notify: AURenderCallback = { context, flags, _, bus, _, _ in
      let phase = flags.pointee.intersection([.unitRenderAction_PreRender, .unitRenderAction_PostRender])
      context.assumingMemoryBound(to: [UInt32].self).pointee.append(phase.rawValue << 8 | bus)
      return noErr
    }
    try withUnsafeMutablePointer(to: &phases) { phases in
      #expect(AUGraphAddRenderNotify(bench.graph, notify, phases) == noErr)
      try #require(AUGraphInitialize(bench.graph) == noErr)
      let list = AudioBufferList.allocate(maximumBuffers: 1)
      defer { UnsafeMutableRawPointer(list.unsafeMutablePointer).deallocate() }
      var stamp = AudioTimeStamp()
      stamp.mFlags = .sampleTimeValid
      #expect(AudioUnitRender(unit, nil, &stamp, 0, 64, list.unsafeMutablePointer) == noErr)
      #expect(AUGraphRemoveRenderNotify(bench.graph, notify, phases) == noErr)
    }
    #expect(phases == [4 << 8, 8 << 8])
  }

  @Test("what a device records may go to what it plays: that is no circle")
  func deviceInput() throws {
    let bench = try GraphBench()
    let device = try bench.add(kAudioUnitType_Output, kAudioUnitSubType_RemoteIO)
    #expect(AUGraphConnectNodeInput(bench.graph, device, 1, device, 0) == noErr)
    #expect(AUGraphConnectNodeInput(bench.graph, device, 0, device, 0) == kAUGraphErr_InvalidConnection)
    let mixer = try bench.addMixer()
    #expect(AUGraphConnectNodeInput(bench.graph, device, 1, mixer, 0) == noErr)
    #expect(AUGraphConnectNodeInput(bench.graph, mixer, 0, device, 0) == noErr)
    #expect(AUGraphConnectNodeInput(bench.graph, device, 0, mixer, 1) == kAUGraphErr_InvalidConnection)
    #expect(AUGraphOpen(bench.graph) == noErr)
    var isOn: UInt32 = 1
    #expect(
      AudioUnitSetProperty(
        try bench.unit(device), kAudioOutputUnitProperty_EnableIO, kAudioUnitScope_Input, 1, &isOn, 4) == noErr)
    #expect(AUGraphInitialize(bench.graph) == noErr)
    #expect(try bench.isInitialized(mixer))
    var count: UInt32 = 0
    #expect(AUGraphCountNodeInteractions(bench.graph, device, &count) == noErr)
    #expect(count == 2)
    #expect(AUGraphRemoveNode(bench.graph, device) == noErr)
    #expect(bench.interactionCount == 0)
    #expect(bench.update() == noErr)
  }

  @Test("one update brings in a chain of a hundred and fifty units, and one initialization after that does it again")
  func longChain() throws {
    var last = mixer
    for _ in 0..<150 {
      let node = try bench.addEqualizer()
      #expect(bench.connect(node, to: last) == noErr)
      last = node
    }
    #expect(bench.feed(last, sources[0]) == noErr)
    #expect(bench.update() == noErr)
    #expect(firstDifference(try rendered(0..<512), sources[0].signal(0..<512)) == nil)
    #expect(AUGraphUninitialize(bench.graph) == noErr)
    #expect(AUGraphInitialize(bench.graph) == noErr)
    #expect(firstDifference(try rendered(0..<512), sources[0].signal(0..<512)) == nil)
  }

  @Test("a circle that a failing edit would have prevented is found by the update")
  func lateCircle() throws {
    let (first, second) = (try bench.addFilter(), try bench.addFilter())
    #expect(bench.connect(first, to: second) == noErr)
    #expect(bench.connect(second, to: mixer) == noErr)
    #expect(bench.feed(first, sources[0]) == noErr)
    #expect(bench.update() == noErr)
    // Output 7 does not exist, so the first connection stays.
    #expect(AUGraphConnectNodeInput(bench.graph, mixer, 7, second, 0) == kAUGraphErr_InvalidConnection)
    let third = try bench.addFilter()
    #expect(AUGraphConnectNodeInput(bench.graph, third, 7, second, 0) == noErr)
    #expect(bench.connect(second, to: first) == noErr)
    #expect(bench.update() == kAudioUnitErr_InvalidElement)
    #expect(bench.update() == kAUGraphErr_InvalidConnection)
    #expect(bench.update() == noErr)
    #expect(renderSlice(try bench.unit(output), at: 0, frames: 64).status == noErr)
  }

  @Test("a removed node is heard until the update, which ends its unit and everything connected to it")
  func removal() throws {
    let filter = try bench.addEqualizer()
    #expect(bench.feed(filter, sources[0]) == noErr)
    #expect(bench.connect(filter, to: mixer) == noErr)
    #expect(bench.update() == noErr)
    let unit = try bench.unit(filter)
    #expect(AUGraphRemoveNode(bench.graph, filter) == noErr)
    #expect(bench.interactionCount == 1)
    var count: UInt32 = 0
    #expect(AUGraphGetNodeCount(bench.graph, &count) == noErr)
    #expect(count == 2)
    #expect(AUGraphNodeInfo(bench.graph, filter, nil, nil) == kAUGraphErr_NodeNotFound)
    #expect(firstDifference(try rendered(0..<512), sources[0].signal(0..<512)) == nil)
    #expect(bench.update() == noErr)
    #expect(AudioUnitReset(unit, kAudioUnitScope_Global, 0) == kAudio_ParamError)
    #expect(firstDifference(try rendered(512..<1024), silence) == nil)
  }

  @Test("the output can be replaced while nothing runs")
  func replacingTheOutput() throws {
    #expect(bench.feed(mixer, sources[0]) == noErr)
    #expect(AUGraphRemoveNode(bench.graph, output) == noErr)
    let other = try bench.addOutput()
    #expect(bench.connect(mixer, to: other) == noErr)
    #expect(bench.update() == noErr)
    let signal = try render(try bench.unit(other), 0..<512)
    #expect(firstDifference(signal, sources[0].signal(0..<512)) == nil)
  }

  @Test("a chain said backwards is connected forwards, formats and all")
  func formatsThroughAChain() throws {
    let chain = [try bench.addFilter(), try bench.addFilter(), try bench.addFilter()]
    let rate = GraphBench.stereo.at(sampleRate: 22_050)
    for node in chain { #expect(try bench.set(rate, node, kAudioUnitScope_Output) == noErr) }
    #expect(try bench.set(rate, chain[0], kAudioUnitScope_Input) == noErr)
    let silent = try bench.addMixer()
    #expect(bench.connect(chain[2], to: silent) == noErr)
    #expect(bench.connect(chain[1], to: chain[2]) == noErr)
    #expect(bench.connect(chain[0], to: chain[1]) == noErr)
    #expect(bench.feed(chain[0], sources[0]) == noErr)
    #expect(bench.update() == noErr)
    #expect(try chain.allSatisfy { try bench.isInitialized($0) })
  }

  // MARK: Questions

  @Test("questions count edits as they are made, one interaction for each input")
  func questions() throws {
    let filter = try bench.addFilter()
    #expect(bench.feed(mixer, input: 1, sources[0]) == noErr)
    #expect(AUGraphConnectNodeInput(bench.graph, filter, 0, mixer, 2) == noErr)
    #expect(bench.feed(mixer, input: 2, sources[1]) == noErr, "in place of the connection")
    #expect(bench.connect(filter, to: mixer, input: 3) == noErr)
    #expect(bench.interactionCount == 4)
    var interactions = [AUNodeInteraction](repeating: AUNodeInteraction(), count: 5)
    var count: UInt32 = 5
    #expect(AUGraphGetNodeInteractions(bench.graph, mixer, &count, &interactions) == noErr)
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
    #expect(AUGraphGetNodeInteractions(bench.graph, mixer, &count, &interactions) == noErr)
    #expect(count == 1 && interactions[1].nodeInteractionType == 77, "no more than there is room for")
    #expect(AUGraphCountNodeInteractions(bench.graph, filter, &count) == noErr)
    #expect(count == 1)
    #expect(AUGraphGetInteractionInfo(bench.graph, 0, &interactions[4]) == noErr)
    #expect(interactions[4].nodeInteraction.connection.destNode == output)
    #expect(AUGraphGetInteractionInfo(bench.graph, 4, &interactions[4]) == kAudio_ParamError)

    // The calls of 2003 see connections alone.
    #expect(AUGraphGetNumberOfConnections(bench.graph, &count) == noErr)
    #expect(count == 2)
    var ends: (AUNode, UInt32, AUNode, UInt32) = (0, 9, 0, 9)
    #expect(AUGraphGetConnectionInfo(bench.graph, 1, &ends.0, &ends.1, &ends.2, &ends.3) == noErr)
    #expect(ends == (filter, 0, mixer, 3))
    #expect(AUGraphGetConnectionInfo(bench.graph, 2, &ends.0, &ends.1, &ends.2, &ends.3) == kAudio_ParamError)
    #expect(AUGraphCountNodeConnections(bench.graph, mixer, &count) == noErr)
    #expect(count == 2)
    var connections = [AudioUnitNodeConnection](repeating: AudioUnitNodeConnection(), count: 3)
    count = 3
    #expect(AUGraphGetNodeConnections(bench.graph, mixer, &connections, &count) == noErr)
    #expect(count == 2 && connections[0].sourceNode == mixer && connections[1].sourceNode == filter)

    var none = AURenderCallbackStruct()
    #expect(AUGraphSetNodeInputCallback(bench.graph, mixer, 1, &none) == noErr, "no function: no interaction")
    #expect(bench.interactionCount == 3)
    #expect(AUGraphClearConnections(bench.graph) == noErr)
    #expect(bench.interactionCount == 0)
    #expect(bench.update() == noErr)
    #expect(renderSlice(try bench.unit(output), at: 0, frames: 8).status == kAudioUnitErr_NoConnection)
  }
}
