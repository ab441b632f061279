import AudioCore
import AudioEngine
import DSPKernels

/// A filter of five sections in series: one for the lows, three bells, and one for the highs.
///
/// Sections are those of the Audio EQ Cookbook. The lows are a shelf (slope 1), or with lowFilterType 1 a high pass
/// (Butterworth, its gain without effect); the highs a shelf, or a low pass.
///
/// ```swift
/// let filter = MultibandFilter()
/// try filter.set(.centerFrequency1, to: 1000)
/// try filter.set(.centerGain1, to: 6)
/// try filter.set(.bandwidth1, to: 1)
/// expect(filter, reading: "gainMaximum", of: .linear, equals: 6, within: 0.01)
/// ```
public final class MultibandFilter: FilterEffect, HasNamedParameters, HostedUnit, @unchecked Sendable {
  /// `aufx filt appl`, in graph files `multibandFilter`.
  package static let component = Component(
    ComponentDescription(type: .effect, subType: "filt"), shortName: "multibandFilter", name: "Apple: AUFilter",
    summary: "Lows, three bells and highs in series."
  ) { MultibandFilter() }

  /// Frequencies in hertz, gains in decibels, bandwidths in octaves.
  public enum Parameter: UInt32, Sendable, CaseIterable {
    case lowFilterType, lowFrequency, lowGain
    case centerFrequency1, centerGain1, bandwidth1
    case centerFrequency2, centerGain2, bandwidth2
    case centerFrequency3, centerGain3, bandwidth3
    case highFilterType, highFrequency, highGain
  }

  private static let table = Parameter.allCases.map { parameter in
    let name = "\(parameter)"
    if name.hasSuffix("Type") {
      return row(
        parameter, .indexed, 0...1, 0, valueNames: ["shelf", name.hasPrefix("low") ? "high pass" : "low pass"])
    }
    if name.contains("Frequency") { return row(parameter, .hertz, 10...Float.infinity, 100) }
    return name.hasPrefix("bandwidth") ? row(parameter, .octaves, 0.05...3, 2) : row(parameter, .decibels, -18...18, 0)
  }

  /// All at 100 Hz and 0 dB.
  public init() { super.init(Self.component, parameters: Self.table) }

  /// A section each.
  package var hostTraits: HostTraits {
    HostTraits(
      self,
      clumps: ["Lows", "Bell 1", "Bell 2", "Bell 3", "Highs"].enumerated().map { section, name in
        ParameterClump(name, Set(UInt32(3 * section)..<UInt32(3 * section + 3)))
      })
  }

  public override func makeEffect() throws(AudioStatus) -> EffectProcessor { makeFilter(MultibandDesign()) }
  public override var processorBytes: Int { filterBytes(sections: 5) }
  public override var tailFrames: Int64? { tail(of: MultibandDesign()) }

  override func addSections(to response: inout AnalogResponse, value: (Int) -> Double) {
    let (butterworth, slope1) = (
      AnalogResponse.Width.damping(2.squareRoot()), AnalogResponse.Width.damping(2.squareRoot())
    )
    if value(0) < 0.5 {
      response.lowShelf(value(1), slope1, gainDecibels: value(2))
    } else {
      response.highPass(value(1), butterworth)
    }
    for slot in [3, 6, 9] { response.peaking(value(slot), .octaves(value(slot + 2)), gainDecibels: value(slot + 1)) }
    if value(12) < 0.5 {
      response.highShelf(value(13), slope1, gainDecibels: value(14))
    } else {
      response.lowPass(value(13), butterworth)
    }
  }
}

/// Three slots for each of five sections: type, frequency, gain of the outer ones; frequency, gain, width of the bells.
private struct MultibandDesign: FilterDesign {
  let sectionCount = 5

  func slots(ofSection section: Int) -> Range<Int> { 3 * section..<3 * section + 3 }

  func coefficients(ofSection section: Int, sampleRate: Double, value: (Int) -> Double) -> BiquadCoefficients? {
    let slot = 3 * section
    let isOuter = section == 0 || section == 4
    let (frequency, gain) = isOuter ? (value(slot + 1), value(slot + 2)) : (value(slot), value(slot + 1))
    if isOuter, value(slot) >= 0.5 {
      let width = CookbookFilter.Width.q(0.5.squareRoot())
      return section == 0
        ? CookbookFilter.highPass(atHertz: frequency, sampleRate: sampleRate, width: width)
        : CookbookFilter.lowPass(atHertz: frequency, sampleRate: sampleRate, width: width)
    }
    // A section that changes nothing is none.
    guard gain != 0 else { return nil }
    return switch section {
    case 0:
      CookbookFilter.lowShelf(
        atHertz: frequency, sampleRate: sampleRate, width: .shelfSlope1, gainDecibels: gain)
    case 4:
      CookbookFilter.highShelf(
        atHertz: frequency, sampleRate: sampleRate, width: .shelfSlope1, gainDecibels: gain)
    default:
      CookbookFilter.peaking(
        atHertz: frequency, sampleRate: sampleRate, width: .bandwidthOctaves(value(slot + 2)), gainDecibels: gain)
    }
  }
}
