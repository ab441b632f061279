import AudioCore
import Glibc
import Spectrum

extension DistortionMeasurement {
  /// The highest order of sidebands beside 7 kHz that counts: n − 1 times 60 Hz away for order n.
  static let highestSMPTEOrder = 6

  /// True when 7 kHz and its sidebands are below half the rate.
  var canSMPTE: Bool { sampleRate / 2 > 7000 + 60 * Double(Self.highestSMPTEOrder) }

  /// 19 kHz and 20 kHz, some hertz off: see ``DifferenceTones``.
  var differenceTones: [Double] {
    let bins = DifferenceTones(sampleRate: sampleRate, frames: frames, apart: 9).bins
    return [bins.low, bins.high].map { Double($0) * sampleRate / Double(frames) }
  }

  /// True when 19 kHz and 20 kHz, and 21 kHz between them, are below half the rate.
  var canDifference: Bool { sampleRate / 2 > 21_000 + 100 }

  /// SMPTE RP 120 (60 Hz and 7 kHz, 4:1): the sidebands 7000 ± k·60 Hz of one order are added as amplitudes, as a
  /// demodulator reads them (IEC 60268-3, modulation distortion), the orders as powers, relative to 7 kHz.
  func smpteReadings(
    _ samples: ArraySlice<Double>, _ rounding: Double, _ clockRatio: Double, _ transform: WindowedSpectrum.Transform
  ) -> [Reading] {
    let rest = TonePair(samples, rounding, tones(of: .smpte), clockRatio, sampleRate: sampleRate, transform)
    let carrier = rest.amplitudes[1]
    let orders = (2...Self.highestSMPTEOrder).map { order in
      rest.sum([(1 - order, 1), (order - 1, 1)], over: carrier)
    }
    return intermodulation(
      "imdSMPTE", "IMD SMPTE", "60 Hz and 7 kHz 4:1", orders,
      remark: "sidebands of an order added as amplitudes, orders as powers, relative to 7 kHz")
  }

  /// Difference-frequency distortion (CCIF, ITU-R; IEC 60268-3): 19 kHz and 20 kHz alike; order 2 is 1 kHz, order 3 is
  /// 18 kHz and 21 kHz added as amplitudes, relative to the sum of both tones' amplitudes.
  func differenceReadings(
    _ samples: ArraySlice<Double>, _ rounding: Double, _ clockRatio: Double, _ transform: WindowedSpectrum.Transform
  ) -> [Reading] {
    let rest = TonePair(samples, rounding, tones(of: .difference), clockRatio, sampleRate: sampleRate, transform)
    let reference = rest.amplitudes[0] + rest.amplitudes[1]
    return intermodulation(
      "imdDifference", "IMD CCIF/ITU-R", "19 kHz and 20 kHz",
      [rest.sum([(-1, 1)], over: reference), rest.sum([(2, -1), (-1, 2)], over: reference)],
      remark: "1 kHz, and 18 kHz + 21 kHz, as powers, relative to the sum of both tones' amplitudes")
      + rest.foldedReading("imdDifferenceFolded", "IMD CCIF/ITU-R, strongest folded product", over: reference)
  }

  /// The whole in decibels and percent, and the orders 2 and 3.
  private func intermodulation(
    _ id: String, _ name: String, _ tones: String, _ orders: [TonePair.Product], remark: String
  ) -> [Reading] {
    let total = TonePair.Product(orders)
    return Reading.ratio(
      id, "\(name), \(tones)", total.part, floor: total.floor, uncertainty: total.uncertainty, remark: remark)
      + orders.prefix(2).enumerated().map { index, product in
        Reading(
          "\(id)Order", "\(name), order \(index + 2)", amplitude: product.part, floor: product.floor,
          uncertainty: product.uncertainty, at: ["order": Double(index + 2)])
      }
  }
}
