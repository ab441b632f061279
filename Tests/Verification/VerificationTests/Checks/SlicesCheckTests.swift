import AudioCore
import Measurement
import Synchronization
import Testing
import Verification

/// Slices and threads must not be heard.
@Suite struct SlicesCheckTests: CheckTrial {
  /// Its sound depends on how it is cut.
  private struct PartitionDependent: PartitionableDevice {
    let name = "cut hearing"
    let inputChannelCount: Int? = nil
    let reportedLatencyFrames: Double? = nil
    let reportedTailFrames: Int64? = nil
    let precision = SamplePrecision.float32
    let hears: @Sendable (RenderPartition) -> Bool
    func process(_ input: AudioSignal) throws(BenchError) -> AudioSignal { input }
    func process(_ input: AudioSignal, partition: RenderPartition) throws(BenchError) -> AudioSignal {
      var output = input
      if hears(partition) { output.channels[0][partition.sliceFrames ?? 0] += 0.125 }
      return output
    }
  }

  @Test(
    "slices: a device that hears its slices or its threads fails, with the first frame; commands without {slice} are skipped"
  )
  func slices() throws {
    let text = #"{"check": "slices", "frames": [64, 37], "threads": [1, 3]}"#
    #expect(try check(text, on: PartitionDependent { _ in false }).verdict == .passed)
    let sliced = try check(text, on: PartitionDependent { $0.sliceFrames == 37 })
    #expect(sliced.verdict == .failed && sliced.firstFailure?.frame == 37)
    #expect(sliced.found.contains("slices of 37 frames on 1 thread "), "\(sliced.found)")
    let threaded = try check(text, on: PartitionDependent { $0.threads == 3 })
    #expect(threaded.verdict == .failed && threaded.found.contains("slices of 64 frames on 3 threads"))
    #expect(try check(text, on: identity).verdict == .skipped)
    let folder = try SuiteFolder()
    #expect(try folder.run(caseText("a", #"{"unit": "iPodEQ", "preset": "Rock"}"#, checks: text)).verdict == .passed)
    let alone = try folder.run(caseText("a", ShellDevice.copy, checks: text))
    #expect(alone.checks.map(\.verdict) == [.skipped] && alone.verdict == .failed)
    let both = try folder.run(caseText("a", ShellDevice.copy, checks: text, #"{"check": "length", "channels": 2}"#))
    #expect(both.verdict == .passed)
  }
}
