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
    #expect(AUGraphStart(bench.graph) == -10863)
    let output = try bench.addOutput()
    for subType in [kAudioUnitSubType_GenericOutput, kAudioUnitSubType_RemoteIO] {
      var description = GraphBench.description(kAudioUnitType_Output, subType)
      var node: AUNode = 0
      #expect(AUGraphAddNode(bench.graph, &description, &node) == -10862)
    }
    var count: UInt32 = 0
    #expect(AUGraphGetNodeCount(bench.graph, &count) == noErr && count == 1)
    let (mixer, idle) = (try bench.addMixer(), try bench.addFilter())
    #expect(bench.connect(mixer, to: output) == noErr)
    #expect(AUGraphOpen(bench.graph) == noErr)
    #expect(AUGraphStart(bench.graph) == -10863, "open is not enough")
    #expect(bench.flag(AUGraphIsRunning) == false)
    #expect(AUGraphInitialize(bench.graph) == noErr)
    #expect(try bench.isInitialized(mixer) && bench.isInitialized(output))
    #expect(try !bench.isInitialized(idle))
    #expect(renderSlice(try bench.unit(idle), at: 0, frames: 16).status == -10867)
    #expect(AUGraphStart(bench.graph) == noErr)
    #expect(bench.flag(AUGraphIsRunning) == true)
    #expect(AUGraphStop(bench.graph) == noErr)
    // It is as soon as it takes part in something.
    #expect(bench.feed(idle, GraphSource(1)) == noErr)
    #expect(bench.connect(idle, to: mixer) == noErr)
    #expect(try !bench.isInitialized(idle))
    #expect(bench.update() == noErr)
    #expect(try bench.isInitialized(idle))

    let headless = try GraphBench()
    _ = try headless.addMixer()
    headless.start()
    #expect(AUGraphStart(headless.graph) == -10862)
  }
}
