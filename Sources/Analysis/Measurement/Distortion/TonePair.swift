import AudioCore
import Glibc
import Spectrum

/// A segment with two tones, and what a device makes of them at their sums and differences. The tones are taken out
/// first: what lies beside them is then read without their side lobes.
struct TonePair {
  /// The amplitudes of the tones, peaks.
  let amplitudes: [Double]
  /// The frequencies with which they came back, hertz.
  private let frequencies: [Double]
  private let names: [String]
  private let spectrum: WindowedSpectrum
  private let sampleRate: Double
  /// The amplitude that rounding leaves at each product.
  private let rounding: Double
  /// Bins that may hold a product of low order: the others are noise.
  private let products: [Bool]
  /// Lines that stand out of the noise.
  private let lines: SpectrumLines

  /// The highest order whose products are told by name, where the rate folds them.
  private static let highestOrder = 9
  /// Bins on both sides of a product in which other lines tell how strong those are that fall upon it.
  private static let neighbours = 250

  init(
    _ samples: ArraySlice<Double>, _ rounding: Double, _ tones: [Tone], _ clockRatio: Double, sampleRate: Double,
    _ transform: WindowedSpectrum.Transform
  ) {
    self.rounding = rounding
    self.sampleRate = sampleRate
    let whole = transform.spectrum(samples, sampleRate: sampleRate)
    frequencies = tones.map { CloseLines(whole, hertz: $0.frequencyHertz * clockRatio).tone.hertz }
    let found = frequencies.map { whole.amplitude(at: $0) }
    amplitudes = found.map(\.magnitude)
    names = tones.map { "\(Int(clamping: ($0.frequencyHertz / 1000).rounded())) kHz" }
    // A cosine of a phase is a sine a quarter turn on.
    let back = zip(frequencies, found).map { hertz, value in
      Tone(hertz, amplitude: value.magnitude, phase: value.phase + .pi / 2)
    }
    let sum = Tone.samples(back, frames: 0..<samples.count, sampleRate: sampleRate)
    let rest = transform.spectrum(zip(samples, sum).map { $0 - $1 }, sampleRate: sampleRate)
    spectrum = rest
    lines = rest.lines()
    let (low, high) = (frequencies[0], frequencies[1])
    var places: [Double] = []
    for multiple in 0...8 {
      for other in -8...8 {
        places.append(Self.folded(Double(multiple) * high + Double(other) * low, sampleRate))
      }
    }
    products = rest.lobes(of: places)
  }

  /// The frequency at which another appears at a rate.
  static func folded(_ hertz: Double, _ sampleRate: Double) -> Double {
    let part = abs(hertz).truncatingRemainder(dividingBy: sampleRate)
    return min(part, sampleRate - part)
  }

  /// A product: so many times the first tone's frequency, and so many times the second's.
  typealias Order = (first: Int, second: Int)

  private func hertz(_ order: Order) -> Double {
    Double(order.first) * frequencies[0] + Double(order.second) * frequencies[1]
  }

  /// The amplitudes of some products, added, over a reference.
  func sum(_ orders: [Order], over reference: Double) -> Product {
    let places = orders.map { Self.folded(hertz($0), sampleRate) }
    let noises = places.map { spectrum.noiseAmplitude(at: $0, excluding: products) }
    let deviations = noises.map { max($0 / 2.0.squareRoot(), rounding) }
    let amplitudes = zip(places, noises).map { spectrum.amplitude(at: $0, without: $1) }
    var product = Product(
      part: amplitudes.reduce(0, +) / reference,
      noise: deviations.sumOfSquares.squareRoot() / reference)
    // Products of higher orders that the rate folds lie anywhere, upon these too.
    let besides = places.map(strongestLine).reduce(0, +)
    product.floor = max(product.floor, besides / reference)
    return product
  }

  /// The amplitude of the strongest line beside a frequency that is no product of a low order; 0 where there is none.
  private func strongestLine(beside hertz: Double) -> Double {
    let middle = Int(clamping: (hertz / spectrum.binHertz).rounded())
    let bins = max(0, middle - Self.neighbours)...min(products.count - 1, middle + Self.neighbours)
    let strongest = bins.filter { lines.stands[$0] && !products[$0] }.map { spectrum.meanSquare(ofBin: $0) }.max() ?? 0
    return (2 * strongest * spectrum.noiseBandwidthBins).squareRoot()
  }

  /// The strongest product that lies above half the rate, where the rate folds it, with its name; none where none
  /// stands out.
  func foldedReading(_ id: String, _ name: String, over reference: Double) -> [Reading] {
    var best: (order: Order, place: Double, amplitude: Double, noise: Double)?
    for first in -Self.highestOrder...Self.highestOrder {
      let most = Self.highestOrder - abs(first)
      for second in stride(from: 0, through: most, by: 1) where second > 0 || first > 0 {
        let order = (first, second)
        guard abs(hertz(order)) > sampleRate / 2 else { continue }
        let place = Self.folded(hertz(order), sampleRate)
        guard place > 20,
          lines.stands[min(lines.stands.count - 1, Int(clamping: (place / spectrum.binHertz).rounded()))]
        else { continue }
        let noise = spectrum.noiseAmplitude(at: place, excluding: products)
        let amplitude = spectrum.amplitude(at: place, without: noise)
        if amplitude > max(best?.amplitude ?? 0, 3 * max(noise, rounding)) { best = (order, place, amplitude, noise) }
      }
    }
    guard let best else { return [] }
    return [
      Reading(
        id, name, amplitude: best.amplitude, over: reference,
        uncertainty: Uncertainty.coverageFactor * max(best.noise / 2.0.squareRoot(), rounding),
        remark: "\(text(best.order)), which the rate folds to \(Int(clamping: best.place.rounded())) Hz")
    ]
  }

  /// `H5 of 19 kHz`, `3 × 20 kHz − 2 × 19 kHz`.
  private func text(_ order: Order) -> String {
    if order.second == 0 { return "H\(abs(order.first)) of \(names[0])" }
    if order.first == 0 { return "H\(order.second) of \(names[1])" }
    return "\(order.second) × \(names[1]) \(order.first < 0 ? "−" : "+") \(abs(order.first)) × \(names[0])"
  }

  /// The intermodulation product of an order, relative to a reference, and its uncertainty from the noise around it.
  struct Product {
    let part: Double
    /// The deviation.
    let noise: Double
    var floor: Double
    var uncertainty: Double { Uncertainty.coverageFactor * noise }

    init(part: Double, noise: Double) {
      self.part = part
      self.noise = noise
      // Amplitudes are added whatever their phases: noise alone has a mean of √π/2 of its deviation each.
      floor = 3 * 2.0.squareRoot() * noise
    }

    /// The sum of several, added as powers; those below the noise are left out if others are not.
    init(_ products: [Product]) {
      let above = products.filter { $0.part > $0.floor }
      let counted = above.isEmpty ? products : above
      let sum = counted.map(\.part).sumOfSquares
      let part = sum.squareRoot()
      let noise = counted.reduce(0) { $0 + $1.part * $1.part * $1.noise * $1.noise } / max(sum, 1e-300)
      let hidden = products.filter { $0.part <= $0.floor }.map(\.noise).sumOfSquares
      self.init(part: part, noise: hypot(noise.squareRoot(), (sum + hidden).squareRoot() - part))
      if above.isEmpty {
        floor = products.map(\.floor).sumOfSquares.squareRoot()
      } else {
        floor = min(floor, 0.999 * part)
      }
    }
  }
}

/// Two frequencies near 19 kHz and 20 kHz, on bins, such that what the rate folds does not fall upon their difference
/// products of the orders 2 and 3, up to as high an order as can be.
struct DifferenceTones: Sendable {
  let bins: (low: Int, high: Int)

  private static let tries = 300
  private static let reachBins = 40
  private static let highestOrder = 40

  /// - Parameters:
  ///   - frames: the length of the segment.
  ///   - apart: bins between two lines that are read apart.
  init(sampleRate: Double, frames: Int, apart: Int) {
    func bin(_ hertz: Double) -> Int { Int(clamping: (hertz * Double(frames) / sampleRate).rounded()) | 1 }
    let (low, high) = (bin(19_000), bin(20_000))
    var best = (order: 0, low: low, high: high)
    var generator = SplitMix64(seed: 19_20)
    for number in 0..<Self.tries {
      func moved(_ bin: Int) -> Int {
        number == 0 ? bin : bin + 2 * (Int(clamping: generator.unit() * Double(2 * Self.reachBins)) - Self.reachBins)
      }
      let (a, b) = (moved(low), moved(high))
      let order = Self.clearOrder(a, b, frames: frames, apart: apart)
      if order > best.order { best = (order, a, b) }
    }
    bins = (best.low, best.high)
  }

  /// The lowest order of a folded product that falls upon one of those that are read.
  private static func clearOrder(_ a: Int, _ b: Int, frames: Int, apart: Int) -> Int {
    let read = [b - a, 2 * a - b, 2 * b - a]
    for order in 2...highestOrder {
      // The product of both numbers turned round lies at the same frequency.
      for first in 0...order {
        for second in [order - first, first - order] {
          let bin = first * a + second * b
          guard abs(bin) > frames / 2 else { continue }
          let part = abs(bin) % frames
          let place = min(part, frames - part)
          if read.contains(where: { abs($0 - place) <= apart }) { return order }
        }
      }
    }
    return highestOrder + 1
  }
}
