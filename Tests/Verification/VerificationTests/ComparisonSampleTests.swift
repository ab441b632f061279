import Glibc
import Measurement
import Testing
import Verification

/// Shape, exact, units in the last place, residual: against values worked out by hand.
@Suite("Comparing sample by sample") struct ComparisonSampleTests {
  static let comparators: [any SignalComparator] = [
    ExactComparator(), UlpComparator(limit: .max), ResidualComparator(peakLimit: 200, rmsLimit: 200),
    AlignedNullComparator(
      delayLimit: .infinity, gainLimit: .infinity, allowsInversion: true, nullLimit: nil),
    BandComparator(limit: 1000), MultiResolutionComparator(limit: 1000), LoudnessComparator(limit: 1000),
  ]

  @Test(arguments: comparators.indices)
  func equalSignalsPassAndOnesOfAnotherShapeNeverDo(_ index: Int) {
    let comparator = Self.comparators[index]
    let signal = noiseSignal(seed: 1, frames: 20_000)
    #expect(comparator.compare(signal, with: signal).verdict == .passed, "\(comparator.id)")
    var truncated = signal
    truncated.channels = signal.channels.map { Array($0.dropLast()) }
    var lastSliceMissing = signal
    lastSliceMissing.channels = signal.channels.map { Array($0.dropLast(20_000 % 512)) }
    var longer = signal
    longer.channels = signal.channels.map { $0 + [0] }
    var mono = signal
    mono.channels.removeLast()
    var slower = signal
    slower.sampleRate = 44_100
    for other in [truncated, lastSliceMissing, longer, mono, slower] {
      for outcome in [comparator.compare(other, with: signal), comparator.compare(signal, with: other)] {
        #expect(outcome.verdict == .failed, "\(comparator.id): \(outcome.found)")
        #expect(outcome.id == comparator.id)
      }
    }
    #expect(comparator.compare(truncated, with: signal).firstFailure?.frame == 19_999)
    #expect(comparator.compare(truncated, with: signal).found == "19999 frames instead of 20000: 1 too few")
    #expect(comparator.compare(mono, with: signal).found == "1 channel instead of 2")
  }

  @Test(arguments: comparators.indices)
  func notANumberAndInfinityFailEvenWhereBothHaveThem(_ index: Int) {
    let comparator = Self.comparators[index]
    let signal = noiseSignal(seed: 2, frames: 3_001)
    for bad in [Double.nan, .infinity, -.infinity] {
      var spoilt = signal
      spoilt.channels[1][3_000] = bad
      for (a, b) in [(spoilt, signal), (signal, spoilt), (spoilt, spoilt)] {
        let outcome = comparator.compare(a, with: b)
        #expect(outcome.verdict == .failed)
        #expect(outcome.firstFailure == CheckOutcome.Place(frame: 3_000, seconds: 3_000 / 48_000, channel: 1))
      }
    }
  }

  @Test func exactCountsWhatDiffersAndSaysWhere() throws {
    let expected = noiseSignal(seed: 3, frames: 5_000)
    var actual = expected
    actual.channels[1][17] += 0x1p-23
    actual.channels[0][4_000] += 0.25
    actual.channels[1][4_999] -= 0.125
    let outcome = ExactComparator().compare(actual, with: expected)
    #expect(outcome.verdict == .failed)
    #expect(outcome.firstFailure == CheckOutcome.Place(frame: 17, seconds: 17 / 48_000, channel: 1))
    #expect(outcome.readings.first { $0.id == "differingSamples" }?.value == 3)
    #expect(outcome.readings.first { $0.id == "lastDifference" }?.value == 4_999)
    let largest = try #require(outcome.readings.first { $0.id == "largestDifference" })
    #expect(largest.value == 0.25 && largest.channel == 0 && largest.at["frame"] == 4_000)
  }

  @Test func exactTellsZerosApart() {
    let zero = AudioSignal(sampleRate: 48_000, channels: [[0, 0, 0]])
    let minus = AudioSignal(sampleRate: 48_000, channels: [[0, -0.0, 0]])
    let outcome = ExactComparator().compare(minus, with: zero)
    #expect(outcome.verdict == .failed && outcome.firstFailure?.frame == 1)
    #expect(outcome.found.contains("zeros of the other sign"))
    #expect(UlpComparator(limit: 0).compare(minus, with: zero).verdict == .passed)
  }

  /// IEEE 754: neighbours of 1 are 2^-23 above and 2^-24 below; the smallest subnormal is 2^-149.
  @Test func distancesInTheLastPlaceAreNumbersOfFloatsBetween() {
    #expect(UlpComparator.distance(1, 1 + 0x1p-23) == 1)
    #expect(UlpComparator.distance(1 - 0x1p-24, 1) == 1)
    #expect(UlpComparator.distance(1, 2) == 1 << 23)
    #expect(UlpComparator.distance(0, -0.0) == 0)
    #expect(UlpComparator.distance(0, 0x1p-149) == 1)
    #expect(UlpComparator.distance(-0x1p-149, 0x1p-149) == 2)
    #expect(UlpComparator.distance(-0.0, 0x1p-126) == 1 << 23)
    #expect(UlpComparator.distance(1, -1) == 2 * 0x3F80_0000)
    #expect(UlpComparator.distance(.greatestFiniteMagnitude, .infinity) == 1)
  }

  @Test func distancesOfSamplesThatAreNoNeighboursAreToldAsDifferences() {
    func found(_ a: Double, _ b: Double) -> String {
      let (one, other) = (
        AudioSignal(sampleRate: 48_000, channels: [[a]]), AudioSignal(sampleRate: 48_000, channels: [[b]])
      )
      return UlpComparator(limit: 0).compare(one, with: other).found
    }
    // 0.5 is 2⁻¹: its next Float is 2⁻²⁴ away.
    #expect(found(0.5, 0.5 + 0x1p-24).hasPrefix("1 unit at frame 0"))
    #expect(found(0.5, -0.5).hasPrefix("1 (0.00 dBFS) apart, more than 8388608 units in the last place, at frame 0"))
  }

  @Test func theLimitOfUnitsIsTheLargestThatPasses() throws {
    let expected = noiseSignal(seed: 4, frames: 2_000)
    var actual = expected
    actual.channels[0][900] = Double(Float(expected.channels[0][900]).nextUp.nextUp.nextUp)
    actual.channels[1][950] = Double(Float(expected.channels[1][950]).nextDown)
    #expect(UlpComparator(limit: 3).compare(actual, with: expected).verdict == .passed)
    let outcome = UlpComparator(limit: 2).compare(actual, with: expected)
    #expect(outcome.verdict == .failed)
    #expect(outcome.firstFailure == CheckOutcome.Place(frame: 900, seconds: 900 / 48_000, channel: 0))
    #expect(outcome.readings.first { $0.id == "ulps" }?.value == 3)
    #expect(outcome.readings.first { $0.id == "ulpsBeyond" }?.value == 1)
    #expect(UlpComparator(limit: 0, floor: 1e-6).compare(actual, with: expected).verdict == .passed)
  }

  /// 1 ms at -20 dBFS in 10 minutes: the mean reads -20 + 10·log10(0.001 / 600) = -77.78 dBFS, the worst 10 ms
  /// -20 + 10·log10(0.1) = -30.
  @Test func aClickInALongFileIsFoundByTheWorstWindow() throws {
    let rate = 8_000.0
    let frames = 600 * 8_000
    let expected = AudioSignal(sampleRate: rate, channels: [[Double](repeating: 0.25, count: frames)])
    var actual = expected
    for frame in 3_000_000..<3_000_008 { actual.channels[0][frame] += frame % 2 == 0 ? 0.1 : -0.1 }
    let outcome = ResidualComparator(rmsLimit: -60).compare(actual, with: expected)
    #expect(outcome.verdict == .failed)
    // The place where it is largest, which rounding decides.
    #expect((3_000_000..<3_000_008).contains(outcome.firstFailure?.frame ?? 0))
    let whole = try #require(outcome.readings.first { $0.id == "residualWhole" })
    #expect(abs(whole.value - -77.7815) < 0.001, "the mean would have passed")
    let window = try #require(outcome.readings.first { $0.id == "residualWindow" })
    #expect(abs(window.value - -30) < 1e-6)
    #expect(abs((window.at["seconds"] ?? 0) - 375) < 0.01)
  }

  @Test func theLastPartialWindowCounts() {
    let expected = noiseSignal(seed: 5, frames: 48_000 + 7, channels: 1)
    var actual = expected
    actual.channels[0][48_006] += 0.01
    // 10 ms are 480 frames, the hop 240: the last window has 240 + 7.
    let level = 20 * log10(0.01) - 10 * log10(247)
    let good = ResidualComparator(rmsLimit: level + 0.001).compare(actual, with: expected)
    let bad = ResidualComparator(rmsLimit: level - 0.001).compare(actual, with: expected)
    #expect(good.verdict == .passed && bad.verdict == .failed)
    #expect(bad.firstFailure?.frame == 48_006)
    #expect(ResidualComparator(peakLimit: -40.001).compare(actual, with: expected).firstFailure?.frame == 48_006)
  }

  @Test func aSignalShorterThanAWindowIsOneWindow() throws {
    let expected = AudioSignal(sampleRate: 48_000, channels: [[0, 0, 0, 0]])
    let actual = AudioSignal(sampleRate: 48_000, channels: [[0, 0.5, 0, 0]])
    let outcome = ResidualComparator(rmsLimit: -13).compare(actual, with: expected)
    #expect(outcome.verdict == .failed && outcome.firstFailure?.frame == 1)
    // 0.5 / √4
    #expect(abs((outcome.readings.first { $0.id == "residualWindow" }?.value ?? 0) - 20 * log10(0.25)) < 1e-9)
  }

  @Test func relativeLevelsHoldAgainstTheSignalNearby() throws {
    // Half a second at 0.5 and half a second at 0.005; the difference is 0.0005 all along: -60 and -20 dB.
    let signal = (0..<48_000).map { $0 < 24_000 ? 0.5 : 0.005 }
    let expected = AudioSignal(sampleRate: 48_000, channels: [signal])
    let actual = AudioSignal(sampleRate: 48_000, channels: [signal.map { $0 + 0.0005 }])
    let outcome = ResidualComparator(relativeLimit: -30).compare(actual, with: expected)
    #expect(outcome.verdict == .failed)
    let worst = try #require(outcome.readings.first { $0.id == "residualRelative" })
    #expect(abs(worst.value - -20) < 1e-6 && worst.at["frame"] == 24_000)
    #expect(ResidualComparator(relativeLimit: -19.9).compare(actual, with: expected).verdict == .passed)
    // Held to a floor of -10 dBFS the quiet half is -56 dB.
    #expect(
      ResidualComparator(relativeLimit: -55, relativeFloor: -10).compare(actual, with: expected).verdict == .passed)
  }

  @Test func aLimitInSilenceIsKeptByNothing() {
    let silence = AudioSignal(sampleRate: 48_000, channels: [[Double](repeating: 0, count: 1_000)])
    let outcome = ResidualComparator(peakLimit: -200, rmsLimit: -200, relativeLimit: -200)
      .compare(silence, with: silence)
    #expect(outcome.verdict == .passed)
    #expect(outcome.found == "no difference")
  }
}
