import AudioCore
import Glibc

extension DistortionMeasurement {
  /// Readings of the one tone.
  /// - Parameters:
  ///   - constancy: the change of the tone with time.
  ///   - fading: sounds that ring beside it.
  ///   - bursts: the residual, if it comes and goes.
  ///   - scattering: the residual, if its power is not the same all over: what is louder or quieter within the stretch
  ///     may be so beyond it.
  func toneReadings(
    _ tone: ToneAnalysis, _ constancy: ToneConstancy, _ fading: Fading, bursts: NoiseCourse?,
    scattering: NoiseCourse?
  ) -> [Reading] {
    let band = "\(hertzText(frequencyHertz)), to \(hertzText(min(bandHertz.upperBound, sampleRate / 2)))"
    // A window hears what comes and goes at its middle alone.
    let close = tone.close.meanSquare(in: bandHertz)
    let part = bursts.map { tone.residualPart($0.meanSquare + close) } ?? tone.thdPlusNoise
    let doubt =
      (bursts ?? scattering).map { course in
        let square = bursts.map { $0.meanSquare + close } ?? tone.residualRMS * tone.residualRMS
        let more = Uncertainty.coverageFactor * course.relativeDeviation * course.meanSquare
        return hypot(tone.thdPlusNoiseUncertainty, tone.residualPart(square + more) - part)
      } ?? tone.thdPlusNoiseUncertainty
    let rings = fading.amplitude / max(tone.fundamental.amplitude, 1e-300)
    let floor = max(tone.thdPlusNoiseFloor, rings > 0.5 * part ? max(rings, 1.01 * part, part + doubt) : 0)
    var noisy = Reading.ratio(
      "thdPlusNoise", "THD+N, \(band)", part, floor: floor > 0 ? floor : nil, uncertainty: doubt)
    noisy[0].remark =
      tone.thdPlusNoiseFloor > 0
      ? "the tone moves: nothing is known of what is quieter"
      : floor > 0
        ? "it rings at \(Int(clamping: fading.hertz.rounded())) Hz: nothing is known of what is quieter"
        : bursts == nil
          ? "AES17: rms of all but the tone over rms of all" : "AES17; what is beside the tone comes and goes"
    // A level that moves is any of those that it had.
    let moved = constancy.levelChange * tone.fundamental.amplitude
    var readings = [
      Reading(
        "fundamental", "Fundamental", amplitude: tone.fundamental.amplitude, .decibelsFullScale,
        uncertainty: hypot(tone.fundamental.uncertainty, moved))
    ]
    readings += clockReadings(tone)
    readings.append(constancy.reading)
    readings += Reading.ratio(
      "thd", "THD, \(band)", tone.thd, floor: tone.thdFloor,
      uncertainty: hypot(tone.thdUncertainty, constancy.levelChange * (tone.thd.isFinite ? tone.thd : 0)),
      remark: tone.harmonics.isEmpty ? "no harmonic lies in the band" : nil)
    readings += noisy
    readings += [
      Reading("sinad", "SINAD, \(band)", -Decibels.of(amplitude: part), .decibels, uncertainty: noisy[0].uncertainty),
      Reading(
        "toneDC", "DC beside the tone", tone.dc, .amplitude, uncertainty: Uncertainty.coverageFactor * tone.dcNoise),
    ]
    return readings
      + tone.harmonics.filter { $0.order <= highestHarmonic }.map { component in
        Reading(
          "harmonic", "Harmonic \(component.order)", amplitude: component.amplitude,
          over: tone.fundamental.amplitude, floor: component.floor,
          uncertainty: hypot(component.uncertainty, constancy.levelChange * component.amplitude),
          at: ["harmonic": Double(component.order)])
      }
  }

  /// The device's clock over that of what it was given.
  private func clockReadings(_ tone: ToneAnalysis) -> [Reading] {
    guard let fitted = tone.close.fitted else { return [] }
    var uncertainty = Uncertainty()
    uncertainty.add(standard: fitted.hertzDeviation)
    // The window's side lobes of all else shift the line by a billionth of a bin.
    uncertainty.add(halfWidth: 4e-9 * sampleRate / Double(frames))
    return [
      Reading(
        "clockDifference", "Clock of the device over its input's, less 1, in ppm",
        1e6 * (fitted.hertz / frequencyHertz - 1), .amplitude,
        uncertainty: 1e6 * uncertainty.expanded / frequencyHertz)
    ]
  }

  /// `997 Hz`, `20 kHz`.
  func hertzText(_ hertz: Double) -> String {
    let (value, unit) =
      hertz >= 1000 && hertz.truncatingRemainder(dividingBy: 100) == 0 ? (hertz / 1000, "kHz") : (hertz, "Hz")
    return value == value.rounded() ? "\(Int(clamping: value)) \(unit)" : "\(value) \(unit)"
  }

  /// One of each kind, before anything is measured.
  var emptySweeps: (byLevel: ToneSweep, byFrequency: ToneSweep) {
    (
      ToneSweep("Level", x: Curve.Axis("level", .decibelsFullScale), highestHarmonic: highestHarmonic),
      ToneSweep("Frequency", x: .frequency, highestHarmonic: highestHarmonic)
    )
  }

  /// Curves of THD, THD+N and harmonics over level or over frequency.
  struct ToneSweep {
    private(set) var curves: [Curve]

    init(_ way: String, x: Curve.Axis, highestHarmonic: Int) {
      let harmonics = stride(from: 2, through: highestHarmonic, by: 1).map { ("harmonic\($0)", "Harmonic \($0)") }
      curves = ([("thd", "THD"), ("thdPlusNoise", "THD+N")] + harmonics).map { id, name in
        Curve(
          "\(id)By\(way)", "\(name) by \(way.lowercased())", x: x,
          y: Curve.Axis("relative to the fundamental", .decibels))
      }
    }

    /// Those that have points.
    var measured: [Curve] { curves.filter { !$0.points.isEmpty } }

    mutating func add(_ tone: ToneAnalysis, at x: Double) {
      func add(_ value: Double, _ uncertainty: Double, to index: Int) {
        curves[index].points.append(Curve.Point(x, amplitude: value, uncertainty: uncertainty))
      }
      if !tone.harmonics.isEmpty { add(tone.thd, tone.thdUncertainty, to: 0) }
      add(tone.thdPlusNoise, tone.thdPlusNoiseUncertainty, to: 1)
      if tone.thdPlusNoiseFloor > 0 {
        curves[1].points[curves[1].points.count - 1].floor = Decibels.of(amplitude: tone.thdPlusNoiseFloor)
      }
      let fundamental = tone.fundamental.amplitude
      for (component, index) in zip(tone.harmonics, curves.indices.dropFirst(2)) {
        add(component.amplitude / fundamental, component.uncertainty / fundamental, to: index)
      }
    }
  }
}
