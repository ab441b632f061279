import AVFAudioFiles
import AudioCore
import BuiltInUnits
import Foundation

/// The kinds of a band.
public enum AVAudioUnitEQFilterType: Int, Sendable {
  case parametric, lowPass, highPass, resonantLowPass, resonantHighPass, bandPass, bandStop, lowShelf, highShelf
  case resonantLowShelf, resonantHighShelf
}

/// An equalizer of any number of bands: the unit `nBandEQ`.
open class AVAudioUnitEQ: AVAudioUnitEffect, @unchecked Sendable {
  /// The bands; each is bypassed at first.
  public let bands: [AVAudioUnitEQFilterParameters]

  /// More than 1000 bands, and a negative number, end the process.
  public init(numberOfBands: Int) {
    require(
      (0...NBandEQ.maximumNumberOfBands).contains(numberOfBands),
      "numberOfBands <= \(NBandEQ.maximumNumberOfBands) (\(numberOfBands))")
    let unit = NBandEQ(numberOfBands: numberOfBands)
    bands = (0..<numberOfBands).map { AVAudioUnitEQFilterParameters(unit, band: $0) }
    super.init(unit: unit)
  }

  /// An equalizer of 8 bands.
  public convenience init() { self.init(numberOfBands: 8) }

  /// Decibels, −96 to 24, 0 at first.
  public var globalGain: Float {
    get { value(NBandEQ.Parameter.globalGain.rawValue) }
    set { set(NBandEQ.Parameter.globalGain.rawValue, to: newValue, in: -96...24) }
  }
}

/// One band of an equalizer. A value beyond its range becomes the nearest one.
open class AVAudioUnitEQFilterParameters: NSObject, @unchecked Sendable {
  private let unit: NBandEQ
  private let band: Int
  /// Called after each change; nil: the unit renders the band itself.
  var didChange: (() -> Void)?
  /// Gives the rate at which the band is heard, where that is not the unit's.
  var rate: (() -> Double)?

  init(_ unit: NBandEQ, band: Int) {
    self.unit = unit
    self.band = band
  }

  private func value(_ parameter: NBandEQ.Parameter) -> Float {
    (try? unit.parameter(NBandEQ.address(parameter, band: band))) ?? 0
  }

  private func set(_ parameter: NBandEQ.Parameter, _ value: Float, _ range: ClosedRange<Float>) {
    guard !value.isNaN else { return }
    try? unit.setParameter(
      NBandEQ.address(parameter, band: band), to: min(range.upperBound, max(range.lowerBound, value)))
    didChange?()
  }

  /// All values of the band.
  var values: NBandEQ.Band {
    NBandEQ.Band(
      NBandEQ.FilterType(rawValue: UInt32(filterType.rawValue)) ?? .parametric, frequencyHertz: frequency,
      bandwidthOctaves: bandwidth, gainDecibels: gain, isBypassed: bypass)
  }

  /// Parametric at first.
  public var filterType: AVAudioUnitEQFilterType {
    get { AVAudioUnitEQFilterType(rawValue: Int(clamping: value(.filterType))) ?? .parametric }
    set { set(.filterType, Float(newValue.rawValue), 0...10) }
  }

  /// Hertz, 20 to half the rate.
  public var frequency: Float {
    get { value(.frequency) }
    set {
      let rate = rate?() ?? (try? unit.streamFormat(.output).sampleRate) ?? 44_100
      set(.frequency, newValue, 20...max(20, Float(rate / 2)))
    }
  }

  /// Octaves, 0.05 to 5.
  public var bandwidth: Float {
    get { value(.bandwidth) }
    set { set(.bandwidth, newValue, 0.05...5) }
  }

  /// Decibels, −96 to 24, 0 at first.
  public var gain: Float {
    get { value(.gain) }
    set { set(.gain, newValue, -96...24) }
  }

  /// True at first: the band passes the sound unchanged.
  public var bypass: Bool {
    get { value(.bypassBand) != 0 }
    set { set(.bypassBand, newValue ? 1 : 0, 0...1) }
  }
}
