import AudioCore
import Glibc
import Spectrum

/// Looks for extremes of a response between the points of any table: on a transform with four points to each period of
/// the response's length, and then between those. One thread at a time.
public final class ResponseSearch {
  private let measured: MeasuredResponse
  private let sampleRate: Double
  private let length: Int
  private let values: RealFFT
  private let slopes: RealFFT

  /// - Parameters:
  ///   - measured: the response to look through.
  ///   - other: another one, whose points are to be on these: the longer of both says how many there are.
  public init(_ measured: MeasuredResponse, beside other: MeasuredResponse? = nil) {
    self.measured = measured
    let response = measured.response
    sampleRate = response.sampleRate
    length = RealFFT.fastLength(
      atLeast: 4 * max(64, response.samples.count, other?.response.samples.count ?? 0))
    (values, slopes) = (RealFFT(length: length), RealFFT(length: length))
    values.forward(response.samples)
    slopes.forward(response.samples.enumerated().map { Double($0 - response.leadFrames) * $1 })
  }

  /// H and Σ n·h·e^(−iωn): at one of the points at no cost.
  public func transfer(atHertz hertz: Double) -> (value: Complex, slope: Complex) {
    let place = hertz / sampleRate * Double(length)
    let bin = place.rounded()
    return abs(place - bin) < 1e-9 * max(1, bin) && Int(clamping: bin) < binCount
      ? transfer(Int(clamping: bin)) : measured.response.transfer(atHertz: hertz)
  }

  private var binCount: Int { values.binCount }

  private func transfer(_ bin: Int) -> (value: Complex, slope: Complex) {
    // The response begins before frame 0.
    let turns = (Double(bin) * Double(measured.response.leadFrames)).truncatingRemainder(dividingBy: Double(length))
    let turn = Complex(magnitude: 1, phase: 2 * Double.pi / Double(length) * turns)
    return (values.bins[bin] * turn, slopes.bins[bin] * turn)
  }

  /// The maximum of a function of frequency and H: on the transform's points, and then between them.
  ///
  /// - Parameters:
  ///   - range: hertz, within 0 and half the rate.
  ///   - corners: further points, rising, at which the function has a kink.
  ///   - function: not a number where it is not asked for.
  /// - Returns: nil where the function is nowhere a number.
  public func maximum(
    in range: ClosedRange<Double>, through corners: [Double] = [],
    of function: (_ hertz: Double, _ value: Complex, _ slope: Complex) -> Double
  ) -> (hertz: Double, value: Complex, height: Double)? {
    let step = sampleRate / Double(length)
    let first = Int(clamping: (range.lowerBound / step).rounded(.up))
    let bins = first...max(first, Int(clamping: (range.upperBound / step).rounded(.down)))
    var points: [(hertz: Double, height: Double, size: Double)] = []
    points.reserveCapacity(bins.count + 2)
    func add(_ hertz: Double, _ transfer: (value: Complex, slope: Complex)) {
      points.append((hertz, function(hertz, transfer.value, transfer.slope), transfer.value.magnitude))
    }
    func addEnd(_ hertz: Double) { add(hertz, measured.response.transfer(atHertz: hertz)) }
    addEnd(range.lowerBound)
    var kinks = corners.filter { $0 > range.lowerBound && $0 < range.upperBound }[...]
    for bin in bins where bin < binCount {
      let hertz = Double(bin) * step
      guard hertz > range.lowerBound, hertz < range.upperBound else { continue }
      while let kink = kinks.first, kink < hertz { addEnd(kinks.removeFirst()) }
      if kinks.first == hertz { kinks.removeFirst() }
      add(hertz, transfer(bin))
    }
    kinks.forEach(addEnd)
    if range.upperBound > range.lowerBound { addEnd(range.upperBound) }
    // The highest few hills: the one that is highest between points need not be so on them.
    let hills = points.indices.filter { index in
      let height = points[index].height
      guard !height.isNaN else { return false }
      let before = index > 0 ? points[index - 1].height : -.infinity
      let after = index + 1 < points.count ? points[index + 1].height : -.infinity
      return !(before > height) && !(after >= height)
    }.sorted { points[$0].height > points[$1].height }.prefix(4)
    var best: (hertz: Double, value: Complex, height: Double)?
    for hill in hills {
      var top = refined(points[max(0, hill - 1)].hertz, points[min(points.count - 1, hill + 1)].hertz, function)
      let own = measured.response.transfer(atHertz: points[hill].hertz)
      if !(top.height >= points[hill].height) { top = (points[hill].hertz, own.value, points[hill].height) }
      if best.map({ top.height > $0.height }) ?? true { best = top }
    }
    // A notch may be so narrow that the points beside it show nothing of its depth: the lowest few of |H|.
    let notches = points.indices.dropFirst().dropLast().filter { index in
      !points[index].height.isNaN && points[index].size <= points[index - 1].size
        && points[index].size < points[index + 1].size
    }.sorted { points[$0].size < points[$1].size }.prefix(4)
    for notch in notches {
      let bottom = refined(points[notch - 1].hertz, points[notch + 1].hertz) { _, value, _ in -value.magnitude }
      let slope = measured.response.transfer(atHertz: bottom.hertz).slope
      let height = function(bottom.hertz, bottom.value, slope)
      if best.map({ height > $0.height }) ?? !height.isNaN { best = (bottom.hertz, bottom.value, height) }
    }
    return best
  }

  /// The highest place between two frequencies around a hill of the function.
  private func refined(
    _ from: Double, _ to: Double, _ function: (Double, Complex, Complex) -> Double
  ) -> (hertz: Double, value: Complex, height: Double) {
    var (low, high) = (from, to)
    var top = climb(low, high, function)
    // Each round leaves two of nine intervals.
    for _ in 0..<14 where top.hertz > 0 && high - low > 1e-12 * high {
      let width = (high - low) / 9
      (low, high) = (max(low, top.hertz - width), min(high, top.hertz + width))
      let next = climb(low, high, function)
      if next.height >= top.height { top = next }
    }
    return top
  }

  /// The highest of eight points between two frequencies.
  private func climb(
    _ low: Double, _ high: Double, _ function: (Double, Complex, Complex) -> Double
  ) -> (hertz: Double, value: Complex, height: Double) {
    let frequencies = (1...8).map { low + (high - low) * Double($0) / 9 }
    var best = (hertz: frequencies[0], value: Complex(0), height: -Double.infinity)
    for (hertz, transfer) in zip(frequencies, measured.response.transfers(atHertz: frequencies)) {
      let height = function(hertz, transfer.value, transfer.slope)
      if height > best.height { best = (hertz, transfer.value, height) }
    }
    return best
  }

  /// The number of independent values of |H| within 4 deviations of one of them: noise may pick any of those.
  public func candidates(near value: Double, in range: ClosedRange<Double>) -> Int {
    let width = sampleRate / Double(max(measured.response.samples.count, 1))
    let step = sampleRate / Double(length)
    var count = 0
    for index in 0..<max(1, Int(clamping: (range.upperBound - range.lowerBound) / width)) {
      let hertz = range.lowerBound + width * Double(index)
      let bin = Int(clamping: (hertz / step).rounded())
      guard bin < binCount else { break }
      if abs(transfer(bin).value.magnitude - value) <= 4 * measured.deviation(atHertz: hertz) { count += 1 }
    }
    // Between them lie others that are nearly as independent.
    return count > 1 ? 4 * count : 1
  }
}
