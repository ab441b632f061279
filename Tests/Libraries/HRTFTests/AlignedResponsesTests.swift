import AudioCore
import Glibc
import HRTF
import TestSupport
import Testing

/// The delays and filters on a grid from the responses of a file: computed anew from libmysofa's data, and from the
/// grid itself.
@Suite(.enabled(if: HeadResponses.isAvailable)) struct AlignedResponsesTests {
  private static let rate = 44_100.0

  /// Both ears' responses of the file in some directions, in degrees to the right and up.
  private func measured(_ directions: [(azimuth: Double, elevation: Double)]) throws -> [[[Float]]] {
    let library = try SofaLibrary(sampleRate: Self.rate)
    return directions.map { library.response(azimuth: $0.azimuth, elevation: $0.elevation) }
  }

  private func ours(
    _ responses: HeadResponses, _ azimuth: Double, _ elevation: Double, gain: Double = 1
  ) -> (taps: [[Float]], delays: [Double]) {
    let count = responses.tapCount
    var (left, right) = ([Float](repeating: 0, count: count), [Float](repeating: 0, count: count))
    let delay = responses.write(
      azimuth: azimuth, elevation: elevation, gain: gain, count: count, left: &left, right: &right)
    return ([left, right], [delay.left, delay.right])
  }

  /// A response between its frames: a sinc of 64 taps under a Kaiser window of β 8.
  private func value(_ response: [Float], at place: Double) -> Double {
    let first = Int(clamping: place.rounded(.down)) - 31
    var sum = 0.0
    for frame in max(0, first)..<max(max(0, first), min(response.count, first + 64)) {
      sum += Double(response[frame]) * kaiserSinc(Double(frame) - place, reach: 32, beta: 8)
    }
    return sum
  }

  /// The place at which a response first reaches 15 % of its peak, to an eighth of a frame.
  private func onset(_ response: [Float]) throws -> Double {
    let peak = Double(response.map(abs).max() ?? 0)
    let eighths = 0..<8 * response.count
    let first = try #require(eighths.first { abs(value(response, at: Double($0) / 8)) >= 0.15 * peak })
    return Double(first) / 8
  }

  /// The power of pink noise, 100 Hz to 10 kHz, equally far apart in octaves.
  private func pinkPower(_ ears: [[Double]]) -> Double {
    var total = 0.0
    for step in 0..<160 {
      let hertz = 100 * pow(100, (Double(step) + 0.5) / 160)
      for ear in ears {
        var (real, imaginary) = (0.0, 0.0)
        for (frame, sample) in ear.enumerated() {
          let angle = 2 * .pi * hertz * Double(frame) / Self.rate
          real += sample * cos(angle)
          imaginary -= sample * sin(angle)
        }
        total += real * real + imaginary * imaginary
      }
    }
    return total / 160
  }

  @Test("a measured response is the file's from 0.25 ms in front of its beginning on, its last eighth faded out")
  func alignment() throws {
    let responses = try HeadResponses.load(sampleRate: Self.rate)
    let directions: [(azimuth: Double, elevation: Double)] = [(0, 0), (90, 0), (-60, -20), (125, 20), (0, 90)]
    let files = try measured(directions)
    let count = files[0][0].count
    #expect(responses.tapCount == count)
    let lead = 0.00025 * Self.rate
    let aligned = try files.map { ears in
      try ears.map { response -> (onset: Double, taps: [Double]) in
        let onset = try onset(response)
        let taps = (0..<count).map { tap -> Double in
          let faded = Double(max(0, tap - (count - count / 8))) / Double(count / 8)
          return pow(cos(faded * .pi / 2), 2) * value(response, at: Double(tap) + onset - lead)
        }
        return (onset, taps)
      }
    }
    let gain = 1 / pinkPower(aligned[0].map(\.taps)).squareRoot()
    // As docs/spatial-mixer.md has it.
    #expect(abs(20 * log10(gain) + 4.49) < 0.05)
    let front = ours(responses, 0, 0)
    for (direction, expected) in zip(directions, aligned) {
      let found = ours(responses, direction.azimuth, direction.elevation)
      for ear in 0..<2 {
        let worst = zip(found.taps[ear], expected[ear].taps).map { abs(Double($0) - gain * $1) }.max() ?? 1
        #expect(worst < 2e-5, "\(direction), ear \(ear): \(worst)")
        let late = expected[ear].onset - aligned[0][0].onset
        #expect(abs(found.delays[ear] - front.delays[0] - late) < 1e-3, "\(direction), ear \(ear)")
      }
    }
    #expect(abs(responses.frontFrames - front.delays[0] - lead) < 1e-3)
  }

  // Gardner and Martin 1994 list 710 positions.
  @Test("the standard head has its 710 directions, and of all arrivals the earliest is 0")
  func directions() throws {
    let responses = try HeadResponses.load(sampleRate: Self.rate)
    #expect(responses.directionCount == 710)
    var earliest = Double.infinity
    for elevation in stride(from: -40.0, through: 90, by: 5) {
      for azimuth in stride(from: -180.0, to: 180, by: 5) {
        earliest = min(earliest, ours(responses, azimuth, elevation).delays.min() ?? -1)
      }
    }
    // A direction that lies beside the grid may be earlier than those on it, by less than a frame.
    #expect(earliest >= 0 && earliest < 1, "\(earliest)")
  }

  @Test("between measured directions a grid point is made of the three nearest, by the squares of their angles")
  func nearest() throws {
    let responses = try HeadResponses.load(sampleRate: Self.rate)
    func vector(_ azimuth: Double, _ elevation: Double) -> [Double] {
      let (turn, up) = (azimuth * .pi / 180, elevation * .pi / 180)
      return [cos(turn) * cos(up), sin(turn) * cos(up), sin(up)]
    }
    // From −20° to 20° the file has every 5° of azimuth, and every 10° of elevation.
    for (azimuth, elevation, third) in [(40.0, 5.0, 10.0), (-75, -15, -20), (155, 15, 20)] {
      let wanted = vector(azimuth, elevation)
      // Above, below, and either neighbour in the shorter of both circles.
      let candidates = [-5.0, 5].map { side in
        let places = [(azimuth, elevation - 5), (azimuth, elevation + 5), (azimuth + side, third)]
        let weights = places.map { place -> Double in
          let angle = acos(zip(vector(place.0, place.1), wanted).reduce(0) { $0 + $1.0 * $1.1 })
          return 1 / (angle * angle)
        }
        let sum = weights.reduce(0, +)
        return zip(places, weights).map { (ours(responses, $0.0, $0.1), $1 / sum) }
      }
      let found = ours(responses, azimuth, elevation)
      let worst = candidates.map { parts -> Double in
        var worst = 0.0
        for ear in 0..<2 {
          let delay = parts.reduce(0) { $0 + $1.1 * $1.0.delays[ear] }
          worst = max(worst, abs(found.delays[ear] - delay))
          for tap in 0..<responses.tapCount {
            let sample = parts.reduce(0) { $0 + $1.1 * Double($1.0.taps[ear][tap]) }
            worst = max(worst, 100 * abs(Double(found.taps[ear][tap]) - sample))
          }
        }
        return worst
      }
      // Both neighbours are as near: which of them counts is a matter of rounding.
      #expect(try #require(worst.min()) < 1e-3, "\(azimuth)°, \(elevation)°: \(worst)")
    }
  }

  @Test("between grid points filters and delays are those of the four around, in a straight line in both angles")
  func corners() throws {
    let responses = try HeadResponses.load(sampleRate: Self.rate)
    for (azimuth, elevation, across, up) in [
      (30.0, 10.0, 0.2, 0.4), (-180, -40, 0.7, 0.9), (175, 85, 0.5, 0.25), (-5, -90, 0.6, 0.1),
    ] {
      let found = ours(responses, azimuth + 5 * across, elevation + 5 * up, gain: 2)
      let parts = [(0.0, 0.0), (1, 0), (0, 1), (1, 1)].map { column, row in
        (
          ours(responses, azimuth + 5 * column, elevation + 5 * row),
          (column == 0 ? 1 - across : across) * (row == 0 ? 1 - up : up)
        )
      }
      for ear in 0..<2 {
        let delay = parts.reduce(0) { $0 + $1.1 * $1.0.delays[ear] }
        #expect(abs(found.delays[ear] - delay) < 1e-4, "\(azimuth)°, \(elevation)°")
        let worst = (0..<responses.tapCount).map { tap in
          abs(Double(found.taps[ear][tap]) - 2 * parts.reduce(0) { $0 + $1.1 * Double($1.0.taps[ear][tap]) })
        }.max()
        #expect(try #require(worst) < 1e-5, "\(azimuth)°, \(elevation)°")
      }
    }
    for (beyond, end) in [(91.0, 90.0), (500, 90), (-90.5, -90), (-1e6, -90)] {
      let (one, other) = (ours(responses, 33, beyond), ours(responses, 33, end))
      #expect(one.taps == other.taps && one.delays == other.delays)
    }
  }

  @Test("a file is read once for each rate")
  func kept() throws {
    let responses = try HeadResponses.load(sampleRate: Self.rate)
    #expect(try HeadResponses.load(HeadResponses.standardPath, sampleRate: Self.rate) === responses)
    let other = try HeadResponses.load(sampleRate: 48_000)
    #expect(other !== responses)
    #expect(other.sampleRate == 48_000 && responses.sampleRate == Self.rate)
    // 12 ms at the most, 2.9 ms of the shorter ones.
    #expect(HeadResponses.mostTaps(sampleRate: 44_100) == 530 && HeadResponses.mostTaps(sampleRate: 48_000) == 576)
    #expect(responses.shortTapCount == 128 && other.shortTapCount == 139)
  }
}
