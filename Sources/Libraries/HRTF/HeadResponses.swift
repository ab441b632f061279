// Head-related responses, ready to be looked up for any direction. Made on the edit side; reading allocates nothing.

import AudioCore
import CMySOFA
import DSPKernels
import Glibc

/// The responses of both ears to sound from every direction: for each a delay and the filter behind it.
///
/// A SOFA file has responses for some hundred directions, each with the sound's way to the ear in it. That way is taken
/// out of them first: a response begins where it first reaches 15 % of its peak, found between frames at eight times
/// the rate. So what lies between two directions is not the sum of two arrivals. The responses are then laid on a grid
/// of 5° by 5°: a grid point on which a measured direction lies is that one, any other is made of the three nearest,
/// each weighted by 1/angle². A direction between grid points is made of the four around it, in a straight line in
/// azimuth and elevation, filters and delays alike.
public final class HeadResponses: Sendable {
  /// True when libmysofa is on this machine.
  public static var isAvailable: Bool { mysofa_is_there() }
  /// The file that libmysofa brings: a KEMAR dummy head, measured at the MIT in 1994.
  public static let standardPath = "/usr/share/libmysofa/default.sofa"

  /// The longest response, in seconds: what follows is left out, the last eighth of what stays faded out.
  public static let longestSeconds = 0.012
  /// The part that a response keeps in front of its beginning.
  private static let leadSeconds = 0.00025
  private static let threshold = 0.15

  static let step = 5.0
  static let azimuths = 72
  static let elevations = 37

  /// Hertz.
  public let sampleRate: Double
  /// Taps of each filter.
  public let tapCount: Int
  /// Taps of the shorter filters: 2.9 ms.
  public let shortTapCount: Int
  /// Directions of the file.
  public let directionCount: Int
  /// By grid point, by ear, by tap.
  private let taps: FlatMemory<Float>
  /// By grid point, by ear: frames. The earliest arrival of all is 0.
  private let delays: FlatMemory<Float>
  /// The weight of each tap of a shorter filter.
  private let shortWindow: FlatMemory<Float>

  /// Frames after which sound from the front begins.
  public var frontFrames: Double {
    let delay = delays[2 * Self.point(azimuth: 0, elevation: 18)]
    return Double(delay) + Self.leadSeconds * sampleRate
  }

  /// The most that ``tapCount`` is at a rate.
  public static func mostTaps(sampleRate: Double) -> Int { Int(clamping: (longestSeconds * sampleRate).rounded(.up)) }

  private static let loaded = Locked<[String: HeadResponses]>([:])

  /// The responses of a file at a rate; a file that has been read is not read again.
  ///
  /// - Parameters:
  ///   - path: the path of a SOFA file with free-field responses; nil: ``standardPath``.
  ///   - sampleRate: hertz, above 0.
  /// - Throws: `.render` where libmysofa is missing; `.input` where the file cannot be read or holds something else.
  public static func load(_ path: String? = nil, sampleRate: Double) throws(BenchError) -> HeadResponses {
    let path = path ?? standardPath
    let key = "\(sampleRate) \(path)"
    if let known = loaded.withLock({ $0[key] }) { return known }
    let responses = try HeadResponses(path, sampleRate: sampleRate)
    loaded.withLock { $0[key] = responses }
    return responses
  }

  private init(_ path: String, sampleRate: Double) throws(BenchError) {
    // At lower rates nothing is left of what ears tell directions by, and converting to them takes minutes.
    guard sampleRate >= Self.leastSampleRate else {
      throw BenchError(
        .render,
        "HRTF needs a rate of at least \(NumberText.short(Self.leastSampleRate)) Hz, found \(NumberText.short(sampleRate))",
        advice: "use a higher rate, or another algorithm")
    }
    var set = try Self.loadSet(path, sampleRate: sampleRate)
    defer { mysofa_set_free(&set) }
    try Self.check(set, path, sampleRate: sampleRate)
    let measured = MeasuredResponses(set, sampleRate: sampleRate, lead: Self.leadSeconds * sampleRate, Self.threshold)
    let count = min(measured.tapCount, Self.mostTaps(sampleRate: sampleRate))
    let end = (0..<count).map { Self.fade($0, of: count, over: count / 8) }
    let power = measured.frontPower(sampleRate: sampleRate, window: end)
    guard power > 0, power.isFinite else {
      throw BenchError(.input, at: path, "its response from the front is silent, or not a number")
    }
    self.sampleRate = sampleRate
    directionCount = measured.count
    tapCount = count
    let short = min(count, Int(clamping: (0.0029 * sampleRate).rounded()))
    shortTapCount = short
    shortWindow = FlatMemory(count: short) { Float(Self.fade($0, of: short, over: short / 4)) }
    let points = Self.azimuths * Self.elevations
    taps = FlatMemory(repeating: 0, count: points * 2 * count)
    delays = FlatMemory(repeating: 0, count: points * 2)
    // From the front the power of pink noise at both ears comes to 1 together, as with a pan law of equal power.
    let window = end.map { $0 / power.squareRoot() }
    for elevation in 0..<Self.elevations {
      // All azimuths are one direction there.
      let isPole = elevation == 0 || elevation == Self.elevations - 1
      for azimuth in 0..<Self.azimuths {
        let near = measured.nearest(
          azimuth: isPole ? 0 : Double(azimuth) * Self.step, elevation: Double(elevation) * Self.step - 90)
        let point = Self.point(azimuth: azimuth, elevation: elevation)
        for ear in 0..<2 {
          let place = 2 * point + ear
          delays[place] = measured.mix(near, ear, window, into: taps.all + place * count)
        }
      }
    }
  }

  /// Reads a SOFA file, its responses at the rate. The caller frees the set.
  private static func loadSet(_ path: String, sampleRate: Double) throws(BenchError) -> mysofa_set {
    var status = stat()
    let descriptor: Int32
    do { descriptor = try FileSystem.openPlainFile(path, &status) } catch {
      throw BenchError(.input, at: path, error.clause, advice: "name a SOFA file")
    }
    defer { close(descriptor) }
    var set = mysofa_set()
    // By its descriptor: the library takes a name as a text, and any kind of file.
    switch mysofa_set_load("/proc/self/fd/\(descriptor)", Float(sampleRate), &set) {
    case MYSOFA_SET_OK: break
    case MYSOFA_SET_NO_LIBRARY:
      throw BenchError(.render, "HRTF is not built: libmysofa.so.1 is missing", advice: "install libmysofa1")
    case MYSOFA_SET_UNREADABLE:
      throw BenchError(.input, at: path, "it cannot be read, or is no SOFA file")
    case MYSOFA_SET_OTHER:
      throw BenchError(.input, at: path, "a SOFA file, but not one of free-field responses of two ears")
    case MYSOFA_SET_RATE:
      throw BenchError(
        .input, at: path, "its responses were measured at a rate that is too low or none",
        advice: "use a SOFA file of 1000 Hz or more")
    case MYSOFA_SET_CONVERSION:
      throw BenchError(
        .render, at: path, "libmysofa does not convert its responses to \(NumberText.short(sampleRate)) Hz",
        advice: "use another rate")
    default: throw BenchError(.render, at: path, "there is no memory for its responses")
    }
    return set
  }

  private static let leastSampleRate = 1000.0

  /// Throws where a number of the file is none, or a delay no way to an ear.
  private static func check(_ set: mysofa_set, _ path: String, sampleRate: Double) throws(BenchError) {
    func all(_ start: UnsafeMutablePointer<Float>, _ count: Int, _ isFit: (Float) -> Bool) -> Bool {
      Plane(start, count: count).elements.allSatisfy(isFit)
    }
    let directions = Int(set.directions)
    guard all(set.responses, 2 * directions * Int(set.taps), \.isFinite), all(set.positions, 3 * directions, \.isFinite)
    else { throw BenchError(.input, at: path, "a response or a position in it is infinite, or not a number") }
    guard all(set.delays, 2 * directions, { abs(Double($0)) <= sampleRate }) else {
      throw BenchError(.input, at: path, "a delay in it is longer than a second, or not a number")
    }
  }

  private static func fade(_ tap: Int, of count: Int, over frames: Int) -> Double {
    guard frames > 0, tap >= count - frames else { return 1 }
    let angle = Double(count - tap) / Double(frames) * .pi / 2
    return sin(angle) * sin(angle)
  }

  private static func point(azimuth: Int, elevation: Int) -> Int { elevation * azimuths + azimuth % azimuths }

  /// Bytes that the responses take.
  public var byteCount: Int { 4 * (taps.count + delays.count) }

  /// Writes the filters of a direction and returns the delays in front of them, in frames.
  ///
  /// - Parameters:
  ///   - azimuth: degrees, counted to the right; any number.
  ///   - elevation: degrees, −90 (below) to 90.
  ///   - gain: that the filters are multiplied by.
  ///   - count: ``tapCount``, or ``shortTapCount``.
  ///   - left: the filter of the left ear with `count` taps; so is `right`.
  public func write(
    azimuth: Double, elevation: Double, gain: Double, count: Int, left: Plane<Float>,
    right: Plane<Float>
  ) -> (left: Double, right: Double) {
    // SOFA counts azimuth to the left.
    var turn = (-azimuth).truncatingRemainder(dividingBy: 360)
    if turn < 0 { turn += 360 }
    let (column, across) = Self.cell(turn / Self.step, of: Self.azimuths)
    let (row, up) = Self.cell((min(90, max(-90, elevation)) + 90) / Self.step, of: Self.elevations - 1)
    left.update(repeating: 0, count: count)
    right.update(repeating: 0, count: count)
    var delay = (left: 0.0, right: 0.0)
    for corner in 0..<4 {
      let weight = (corner & 1 == 0 ? 1 - across : across) * (corner & 2 == 0 ? 1 - up : up)
      guard weight > 0 else { continue }
      let point = Self.point(azimuth: column + (corner & 1), elevation: row + corner / 2)
      delay.left += weight * Double(delays[2 * point])
      delay.right += weight * Double(delays[2 * point + 1])
      let factor = Float(weight * gain)
      let (one, other) = (taps.all + 2 * point * tapCount, taps.all + (2 * point + 1) * tapCount)
      for tap in 0..<count {
        left[tap] += factor * one[tap]
        right[tap] += factor * other[tap]
      }
    }
    if count < tapCount {
      for tap in 0..<min(count, shortTapCount) {
        left[tap] *= shortWindow[tap]
        right[tap] *= shortWindow[tap]
      }
    }
    return delay
  }

  /// The grid line at or before a place, and how far on the way to the next it lies.
  private static func cell(_ place: Double, of count: Int) -> (Int, Double) {
    let line = min(count - 1, max(0, Int(clamping: place)))
    return (line, place - Double(line))
  }
}
