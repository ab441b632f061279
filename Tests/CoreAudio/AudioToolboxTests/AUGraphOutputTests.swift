import AudioCore
import AudioToolbox
import Glibc
import Testing
import TestSupport

/// The one output of a graph, and what takes part in it.
@Suite struct AUGraphOutputTests {
  @Test("A graph has one output; what takes part in nothing is not initialized; starting needs an initialized graph")
  func oneOutput() throws {
    let bench = try GraphBench()
    expectStatus(-10863, AUGraphStart(bench.graph))
    let output = try bench.addOutput()
    for subType in [kAudioUnitSubType_GenericOutput, kAudioUnitSubType_RemoteIO] {
      var description = GraphBench.description(kAudioUnitType_Output, subType)
      var node: AUNode = 0
      expectStatus(-10862, AUGraphAddNode(bench.graph, &description, &node))
    }
    var count: UInt32 = 0
    #expect(AUGraphGetNodeCount(bench.graph, &count) == noErr && count == 1)
    let (mixer, idle) = (try bench.addMixer(), try bench.addFilter())
    expectNoError(bench.connect(mixer, to: output))
    expectNoError(AUGraphOpen(bench.graph))
    #expect(AUGraphStart(bench.graph) == -10863, "open is not enough")
    #expect(bench.flag(AUGraphIsRunning) == false)
    expectNoError(AUGraphInitialize(bench.graph))
    #expect(try bench.isInitialized(mixer) && bench.isInitialized(output))
    #expect(try !bench.isInitialized(idle))
    expectStatus(-10867, renderSlice(try bench.unit(idle), at: 0, frames: 16).status)
    expectNoError(AUGraphStart(bench.graph))
    #expect(bench.flag(AUGraphIsRunning) == true)
    expectNoError(AUGraphStop(bench.graph))
    // It is as soon as it takes part in something.
    expectNoError(bench.feed(idle, GraphSource(1)))
    expectNoError(bench.connect(idle, to: mixer))
    #expect(try !bench.isInitialized(idle))
    expectNoError(bench.update())
    #expect(try bench.isInitialized(idle))

    let headless = try GraphBench()
    _ = try headless.addMixer()
    headless.start()
    expectStatus(-10862, AUGraphStart(headless.graph))
  }
}
