import AudioCore
import Foundation
import Glibc
import HRTF
import TestSupport
import Testing

/// The responses against the file itself, read by libmysofa's own interface.
@Suite(.enabled(if: HeadResponses.isAvailable)) struct HeadResponsesTests {
  private static let rate = 44_100.0

  private func spectrum(
    _ samples: [Float], at hertz: Double, sampleRate: Double = Self.rate
  ) -> (re: Double, im: Double) {
    var sum = (re: 0.0, im: 0.0)
    for (frame, sample) in samples.enumerated() {
      let angle = -2 * Double.pi * hertz * Double(frame) / sampleRate
      sum.re += Double(sample) * cos(angle)
      sum.im += Double(sample) * sin(angle)
    }
    return sum
  }

  private func decibels(_ value: (re: Double, im: Double)) -> Double {
    10 * log10(value.re * value.re + value.im * value.im)
  }

  private func ours(
    _ responses: HeadResponses, azimuth: Double, elevation: Double, count: Int? = nil
  ) -> (taps: [[Float]], delays: [Double]) {
    let count = count ?? responses.tapCount
    var (left, right) = ([Float](repeating: 0, count: count), [Float](repeating: 0, count: count))
    let delay = responses.write(
      azimuth: azimuth, elevation: elevation, gain: 1, count: count, left: &left, right: &right)
    return ([left, right], [delay.left, delay.right])
  }

  /// The mean over 100 Hz to 10 kHz, equally far apart in octaves, of both ears' squared magnitudes.
  private func pinkPower(_ ears: [[Float]], sampleRate: Double) -> Double {
    var (total, count) = (0.0, 0.0)
    for step in 0..<160 {
      let hertz = 100 * pow(100, (Double(step) + 0.5) / 160)
      guard hertz < 0.45 * sampleRate else { break }
      for ear in ears {
        let value = spectrum(ear, at: hertz, sampleRate: sampleRate)
        total += value.re * value.re + value.im * value.im
      }
      count += 1
    }
    return total / count
  }

  /// Directions that the file has and that lie on the grid.
  private static let measured: [(azimuth: Double, elevation: Double)] =
    stride(from: -180.0, to: 180, by: 15).map { ($0, 0.0) }
    + stride(from: -90.0, through: 90, by: 30).flatMap { azimuth in
      [-20.0, 10, 20].map { (azimuth, $0) }
    } + [(0, 90)]

  @Test("a measured direction's levels and times between the ears are the file's, up to 17 kHz")
  func measuredDirections() throws {
    let library = try SofaLibrary(sampleRate: Self.rate)
    let responses = try HeadResponses.load(sampleRate: Self.rate)
    // The one gain of all: pink noise from the front has the power 1.
    let front = pinkPower(library.response(azimuth: 0, elevation: 0), sampleRate: Self.rate)
    var (worstLevel, worstTime, compared) = (0.0, 0.0, 0)
    for (azimuth, elevation) in Self.measured {
      let theirs = library.response(azimuth: azimuth, elevation: elevation)
      let mine = ours(responses, azimuth: azimuth, elevation: elevation)
      for hertz in [200.0, 500, 1000, 2000, 4000, 8000, 12_000, 17_000] {
        var phases: [Double] = []
        for ear in 0..<2 {
          let (one, other) = (spectrum(mine.taps[ear], at: hertz), spectrum(theirs[ear], at: hertz))
          // A response far below the rest of its ear's is inaudible, and its level is that of the cut's edges.
          let level = decibels(other)
          guard level > -35 else { continue }
          worstLevel = max(worstLevel, abs(decibels(one) + 10 * log10(front) - level))
          compared += 1
          let angle = atan2(one.im, one.re) - 2 * .pi * hertz * mine.delays[ear] / Self.rate - atan2(other.im, other.re)
          phases.append(angle)
        }
        if phases.count == 2 {
          // Both ears' phases are off by the same time: what was taken out in front of all responses.
          let difference = (phases[0] - phases[1]).remainder(dividingBy: 2 * .pi)
          worstTime = max(worstTime, abs(difference) / (2 * .pi * hertz))
        }
      }
    }
    #expect(compared > 400)
    #expect(worstLevel < 0.5, "\(worstLevel) dB")
    #expect(worstTime < 1.5e-5, "\(worstTime) s")
  }

  // The far ear beyond 60° hears the sum of two ways around the head, whose beginning is not as sharp: levels dip
  // there.
  @Test("between directions levels lie between, and times as well: nothing combs, in the near ear nor in front")
  func between() throws {
    let responses = try HeadResponses.load(sampleRate: Self.rate)
    for azimuth in stride(from: 0.0, to: 120, by: 5) {
      for ear in 0..<2 {
        let ends = [azimuth, azimuth + 5].map { ours(responses, azimuth: $0, elevation: 0) }
        let middle = ours(responses, azimuth: azimuth + 2.5, elevation: 0)
        #expect(abs(middle.delays[ear] - (ends[0].delays[ear] + ends[1].delays[ear]) / 2) < 1e-3)
        for hertz in [1000.0, 3000, 6000] where ear == 1 || azimuth < 60 {
          let levels = ends.map { decibels(spectrum($0.taps[ear], at: hertz)) }
          let level = decibels(spectrum(middle.taps[ear], at: hertz))
          #expect(level < max(levels[0], levels[1]) + 0.5)
          #expect(level > min(levels[0], levels[1]) - 2.5, "\(azimuth)°, ear \(ear), \(hertz) Hz: \(level) \(levels)")
        }
      }
    }
  }

  @Test("the time between the ears grows with the angle, to about 0.7 ms at the side")
  func interAuralTime() throws {
    let responses = try HeadResponses.load(sampleRate: Self.rate)
    var former = -1e-5
    for azimuth in stride(from: 0.0, through: 80, by: 5) {
      let delays = ours(responses, azimuth: azimuth, elevation: 0).delays
      let time = (delays[0] - delays[1]) / Self.rate
      #expect(time > former - 3e-5, "\(azimuth)°")
      former = time
    }
    #expect(former > 0.5e-3 && former < 0.85e-3)
  }

  @Test("left and right are each other's mirror, as the file has them; the whole circle and the poles are there")
  func symmetry() throws {
    let responses = try HeadResponses.load(sampleRate: Self.rate)
    for (azimuth, elevation) in [(33.0, 0.0), (90, 20), (-147, -33), (360 + 12, 45), (-360 - 12, 89)] {
      let one = ours(responses, azimuth: azimuth, elevation: elevation)
      let other = ours(responses, azimuth: -azimuth, elevation: elevation)
      for ear in 0..<2 {
        let (mine, theirs) = (one.taps[ear], other.taps[1 - ear])
        #expect(zip(mine, theirs).allSatisfy { abs($0 - $1) < 1e-4 })
        #expect(abs(one.delays[ear] - other.delays[1 - ear]) < 1e-2)
      }
    }
    let again = ours(responses, azimuth: 12 - 720, elevation: 40)
    let once = ours(responses, azimuth: 12, elevation: 40)
    #expect(again.taps == once.taps)
    for elevation in [-90.0, 90] {
      let taps = [0.0, 77, -130].map { ours(responses, azimuth: $0, elevation: elevation).taps }
      // But for the rounding of what lies between two azimuths.
      for other in taps[1...] {
        for ear in 0..<2 { #expect(zip(taps[0][ear], other[ear]).allSatisfy { abs($0 - $1) < 1e-6 }) }
      }
    }
  }

  @Test(
    "every rate has its responses; the shorter ones keep what is heard first", arguments: [8_000.0, 48_000, 96_000])
  func rates(_ rate: Double) throws {
    let responses = try HeadResponses.load(sampleRate: rate)
    #expect(responses.tapCount <= HeadResponses.mostTaps(sampleRate: rate))
    #expect(responses.shortTapCount < responses.tapCount)
    let whole = ours(responses, azimuth: 30, elevation: 0)
    let short = ours(responses, azimuth: 30, elevation: 0, count: responses.shortTapCount)
    func energy(_ taps: [Float]) -> Double { taps.reduce(0) { $0 + Double($1) * Double($1) } }
    for ear in 0..<2 {
      let share = energy(short.taps[ear]) / energy(whole.taps[ear])
      #expect(share > 0.97 && share <= 1, "\(share)")
    }
    // As loud at every rate; at 8 kHz there is less of the band that the power is taken of.
    let front = ours(responses, azimuth: 0, elevation: 0)
    #expect(abs(pinkPower(front.taps, sampleRate: rate) - 1) < 1e-3)
    let reference = ours(try HeadResponses.load(sampleRate: 44_100), azimuth: 0, elevation: 0)
    for hertz in [500.0, 1000, 3000] {
      for ear in 0..<2 {
        let one = spectrum(front.taps[ear], at: hertz, sampleRate: rate)
        let other = spectrum(reference.taps[ear], at: hertz, sampleRate: 44_100)
        #expect(abs(decibels(one) - decibels(other)) < (rate == 8000 ? 1.5 : 0.2), "\(hertz) Hz")
      }
    }
  }

  @Test("the shorter responses are the others' beginnings, let out by a squared cosine in their last quarter")
  func fade() throws {
    let responses = try HeadResponses.load(sampleRate: Self.rate)
    let count = responses.shortTapCount
    for azimuth in [0.0, 60, -120] {
      let (whole, short) = (
        ours(responses, azimuth: azimuth, elevation: 0), ours(responses, azimuth: azimuth, elevation: 0, count: count)
      )
      for ear in 0..<2 {
        for tap in 0..<count {
          let faded = Double(max(0, tap - (count - count / 4))) / Double(count / 4)
          let gain = pow(cos(faded * .pi / 2), 2)
          #expect(abs(Double(short.taps[ear][tap]) - gain * Double(whole.taps[ear][tap])) < 1e-7, "\(tap)")
        }
      }
    }
  }

  @Test("what is no file of responses is refused by its name")
  func refused() throws {
    let path = FileManager.default.temporaryDirectory.appending(path: "none-\(UUID()).sofa").path
    #expect(throws: BenchError.self) { try HeadResponses.load(path, sampleRate: 48_000) }
    try Data(repeating: 7, count: 5000).write(to: URL(filePath: path))
    defer { try? FileManager.default.removeItem(atPath: path) }
    do throws(BenchError) {
      _ = try HeadResponses.load(path, sampleRate: 48_000)
      Issue.record("it was taken")
    } catch { #expect(error.place.contains(path)) }
  }

  /// The error of the call, for a file that must be refused.
  private func refusal(_ path: String, sampleRate: Double = 48_000) -> String {
    do throws(BenchError) {
      _ = try HeadResponses.load(path, sampleRate: sampleRate)
      return "it was taken"
    } catch { return "\(error)" }
  }

  @Test("a pipe is refused at once, and a name that is not UTF-8 is opened")
  func names() throws {
    let folder = TemporaryFolder()
    #expect(mkfifo(folder.file("pipe.sofa"), 0o600) == 0)
    #expect(refusal(folder.file("pipe.sofa")).contains("not a plain file"))
    // The byte 0xE4, as the project's texts have it.
    let byte = String(try #require(Unicode.Scalar(0x10FE00 + 0xE4)))
    var name = Array((folder.path + "/h").utf8CString.dropLast())
    name += [CChar(bitPattern: 0xE4)] + Array(".sofa".utf8CString)
    #expect(symlink(HeadResponses.standardPath, name) == 0)
    let there = try HeadResponses.load(folder.path + "/h" + byte + ".sofa", sampleRate: 48_000)
    #expect(there.directionCount == (try HeadResponses.load(sampleRate: 48_000)).directionCount)
  }

  @Test("rates that make millions of taps of few are refused before they do, whether of the file or of the output")
  func rates() throws {
    for rate in [1.0, 3, 100, 999] {
      #expect(refusal(HeadResponses.standardPath, sampleRate: rate).contains("at least 1000 Hz"))
    }
    // In the file of libmysofa 1.3 the rate is compressed into the 16 bytes before the last 11: 44100. In their place,
    // by zlib, 3.3333333.
    var bytes = [UInt8](try Data(contentsOf: URL(filePath: HeadResponses.standardPath)))
    let present: [UInt8] = [
      0x78, 0x01, 0x63, 0x60, 0x60, 0x60, 0x68, 0xE8, 0x78, 0xEA, 0x00, 0x00, 0x05, 0xAA, 0x02, 0x2E,
    ]
    let place = bytes.count - 27
    guard place > 0, Array(bytes[place..<place + 16]) == present else { return }
    bytes.replaceSubrange(
      place..<place + 16,
      with: [0x78, 0x01, 0x9B, 0x18, 0x6E, 0xB8, 0x6C, 0xD5, 0x2A, 0x2E, 0x07, 0x00, 0x10, 0x4F, 0x03, 0x5E])
    let folder = TemporaryFolder()
    #expect(refusal(folder.write(bytes, to: "slow.sofa")).contains("at a rate that is too low"))
  }
}
