import AudioCore
import BatchRender
import Measurement
import Testing
import Verification
import VerificationTesting

@Suite("Expectations of what must not be heard")
struct ExpectationInvarianceTests {
  let folder: ExpectationFolder
  init() throws { folder = try ExpectationFolder() }

  @Test("Slices: a processor that keeps its state passes, one that forgets it fails and says with which slices")
  func slices() throws {
    #expect(folder.recorded { expectSliceInvariance(of: OnePole.device()) }.issues.isEmpty)
    let found = folder.recorded { expectSliceInvariance(of: OnePole.device(.forgetsBetweenSlices), sizes: [64]) }
    #expect(found.failures == 1)
    #expect(found.text.contains("the same bits in slices of 64 frames"))
    // The first slice is the same in both; the second begins from nothing.
    #expect(found.text.contains("fails at   frame 64 (1.33333 ms), channel 0"))
  }

  @Test("Reset: a processor that is cleared passes, one that keeps its state fails at frame 0")
  func reset() {
    #expect(folder.recorded { expectResetEqualsNew(of: OnePole.device()) }.issues.isEmpty)
    let found = folder.recorded { expectResetEqualsNew(of: OnePole.device(.keepsItsStateOnReset)) }
    #expect(found.failures == 1)
    #expect(found.text.contains("after a reset the same bits as new"))
    #expect(found.text.contains("fails at   frame 0 (0 s), channel 0"))
  }

  @Test("Silence: a tail that is as long as reported passes, a longer one fails")
  func silence() {
    #expect(folder.recorded { expectSilence(afterTailOf: OnePole.device()) }.issues.isEmpty)
    // At 100 Hz it rings ten times as long.
    let found = folder.recorded { expectSilence(afterTailOf: OnePole.device(hertz: 100)) }
    #expect(found.failures == 1 && found.text.contains("frames after the input's end on"))
    #expect(folder.recorded { expectSilence(afterTailOf: OnePole.device(hertz: 100), after: 1200) }.issues.isEmpty)
  }

  @Test("What cannot be tried is a failure, not a pass")
  func impossible() {
    let device = FunctionDevice("as it likes") { (input) throws(BenchError) in input }
    #expect(folder.recorded { expectSliceInvariance(of: device) }.text.contains("no setting for slices and threads"))
    #expect(folder.recorded { expectResetEqualsNew(of: device) }.text.contains("the device cannot be reset"))
    let endless = SlicedDevice("no reset") { _, _ in
      0
    } process: { _, _ in
    }
    #expect(folder.recorded { expectResetEqualsNew(of: endless) }.failures == 1)
  }

  @Test("A graph with files of its own needs no stimulus")
  func graphs() throws {
    let graph = try shelfGraph(gainDecibels: 6, in: folder)
    let found = folder.recorded {
      expectSliceInvariance(of: graph)
      expectResetEqualsNew(of: graph)
    }
    #expect(found.issues.isEmpty, "\(found.text)")
  }

  @Test("A processor's own errors, and slices of another length, are told with their frame")
  func errors() {
    struct Full: Error {}
    let failing = SlicedDevice("failing", sampleRate: 48_000) { _, _ in
      0
    } process: { count, _ in
      count += 1
      if count == 3 { throw Full() }
    }
    let found = folder.recorded { expectSliceInvariance(of: failing, given: .noise(seconds: 0.1)) }
    #expect(found.failures == 1)
    #expect(found.text.contains("failing: the processor failed at frame 1024: Full()"), "\(found.text)")
    let shortening = SlicedDevice("shortening") { _, _ in
      0
    } process: { _, slice in
      slice[0].removeLast()
    }
    #expect(
      folder.recorded { expectSliceInvariance(of: shortening) }.text.contains("gave 511, 512 frames for a slice of 512")
    )
  }
}
