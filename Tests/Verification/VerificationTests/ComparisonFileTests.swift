import AudioCore
import Glibc
import Measurement
import SoundFile
import TestSupport
import Testing
import Verification

/// The same comparisons over files, block by block.
@Suite("Comparing files") struct ComparisonFileTests {
  private let folder = TemporaryFolder()

  private func write(_ signal: AudioSignal, _ name: String, encoding: String = "float32") throws -> String {
    let path = folder.file(name)
    let writer = try SoundFileWriter(
      path: path, format: SoundFileFormat(path: path, encoding: encoding), sampleRate: signal.sampleRate,
      channelCount: signal.channelCount)
    let buffer = DoubleBuffer(channelCount: signal.channelCount, frameCapacity: signal.frameCount)
    for channel in 0..<signal.channelCount {
      for frame in 0..<signal.frameCount { buffer.planes[channel][frame] = signal.channels[channel][frame] }
    }
    try writer.write(buffer.planes, frames: signal.frameCount)
    _ = try writer.finish()
    return path
  }

  @Test func blocksGiveWhatSignalsInMemoryGive() throws {
    let expected = noiseSignal(seed: 51, frames: 100_003, channels: 3)
    var actual = expected
    for frame in stride(from: 5, to: 100_003, by: 97) { actual.channels[frame % 3][frame] *= 1.001 }
    actual.channels[2][100_002] += 0.01
    actual = actual.roundedToFloat()
    let comparators: [any SignalComparator] = [
      ExactComparator(), MultiResolutionComparator(limit: 1, lengths: [256]), UlpComparator(limit: 4),
      ResidualComparator(peakLimit: -60, rmsLimit: -90, relativeLimit: -40),
    ]
    var options = FileComparison.Options()
    options.comparators = comparators
    let report = try FileComparison.compare(
      write(actual, "a.wav"), with: write(expected, "b.wav"), options: options)
    #expect(!report.isSame)
    #expect(report.outcomes.map(\.id) == comparators.map(\.id))
    for (outcome, comparator) in zip(report.outcomes, comparators) {
      let inMemory = comparator.compare(actual, with: expected)
      #expect(outcome.readings == inMemory.readings, "\(comparator.id)")
      #expect(outcome.firstFailure == inMemory.firstFailure)
      #expect(outcome.verdict == inMemory.verdict && outcome.found == inMemory.found)
    }
  }

  @Test func theDifferenceIsWrittenWhole() throws {
    let expected = noiseSignal(seed: 52, frames: 20_000)
    var actual = expected
    actual.channels[1][12_345] += 0.125
    var options = FileComparison.Options()
    options.differencePath = folder.file("d.wav")
    let report = try FileComparison.compare(
      write(actual.roundedToFloat(), "a.wav"), with: write(expected, "b.wav"), options: options)
    #expect(report.difference?.frames == 20_000)
    let difference = try FileComparison.load(folder.file("d.wav"))
    #expect(difference.channelCount == 2 && difference.sampleRate == 48_000)
    #expect(difference.channels[0].allSatisfy { $0 == 0 })
    #expect(difference.channels[1].indices.filter { difference.channels[1][$0] != 0 } == [12_345])
    #expect(abs(difference.channels[1][12_345] - 0.125) < 1e-7)
  }

  @Test func aTruncatedFileFailsAndNoDifferenceAppears() throws {
    let expected = noiseSignal(seed: 53, frames: 20_000)
    var actual = expected
    actual.channels = expected.channels.map { Array($0.prefix(19_968)) }
    var options = FileComparison.Options()
    options.differencePath = folder.file("d.wav")
    options.comparators = [ResidualComparator(rmsLimit: 0)]
    let report = try FileComparison.compare(write(actual, "a.wav"), with: write(expected, "b.wav"), options: options)
    #expect(!report.isSame && report.outcomes.map(\.id) == ["shape"])
    #expect(report.outcomes[0].firstFailure?.frame == 19_968)
    // The common part is the same, and the report says so.
    #expect(report.comparedFrames == 19_968)
    #expect(report.information.first { $0.id == "exact" }?.verdict == .passed)
    #expect(!folder.names.contains("d.wav") && report.remarks.count == 1)
  }

  @Test func otherRatesAndChannelsAreNotCompared() throws {
    let expected = noiseSignal(seed: 54, frames: 1_000)
    let a = try write(AudioSignal(sampleRate: 48_000, channels: [expected.channels[0]]), "a.wav")
    let report = try FileComparison.compare(a, with: write(expected, "b.wav"))
    #expect(!report.isSame && report.information.isEmpty && report.comparedFrames == 0)
    #expect(report.outcomes[0].found == "1 channel instead of 2")
  }

  @Test func aNotANumberInAFileFails() throws {
    var signal = noiseSignal(seed: 55, frames: 20_000)
    signal.channels[0][15_000] = .nan
    let (a, b) = (try write(signal, "a.wav"), try write(signal, "b.wav"))
    let report = try FileComparison.compare(a, with: b)
    #expect(report.outcomes.map(\.id) == ["finite"] && !report.isSame)
    #expect(report.outcomes[0].firstFailure?.frame == 15_000)
    #expect(report.outcomes[0].found.contains("NaN in both signals"))
    // No figure of the part in front of it, and both files' numbers.
    #expect(report.information.isEmpty)
    #expect(report.remarks == [a, b].map { "\($0): 1 sample is NaN, at frame 15000 of channel 0" })
  }

  @Test func integersInAnotherContainerAreTheSame() throws {
    let signal = SamplePrecision.integer(bits: 24).rounded(noiseSignal(seed: 56, frames: 9_999))
    let report = try FileComparison.compare(
      write(signal, "a.flac", encoding: "pcm24"), with: write(signal, "b.wav", encoding: "float64"))
    #expect(report.isSame)
  }

  @Test func theDifferenceMustNotReplaceAnInput() throws {
    let path = try write(noiseSignal(seed: 57, frames: 100), "a.wav")
    var options = FileComparison.Options()
    options.differencePath = path
    #expect(throws: BenchError.self) { try FileComparison.compare(path, with: path, options: options) }
  }

  @Test func filesTooLongToLoadAreRefusedByName() throws {
    let path = try write(noiseSignal(seed: 58, frames: 1_000), "a.wav")
    var options = FileComparison.Options()
    options.comparators = [BandComparator(limit: 1)]
    options.loadedSampleLimit = 1_999
    do {
      _ = try FileComparison.compare(path, with: path, options: options)
      Issue.record("2000 samples passed a limit of 1999")
    } catch {
      #expect(error.kind == .input && error.place == path)
      #expect(error.message.contains("1000 frames of 2 channels"))
    }
  }
}
