import AVFAudioFiles
import AudioCore
import BuiltInUnits
import Foundation

/// The way in which level falls with distance; d is the distance, r the reference, m the maximum, k the rolloff factor.
public enum AVAudioEnvironmentDistanceAttenuationModel: Int, Sendable {
  /// (d / r)^−k.
  case exponential = 1
  /// r / (r + k · (d − r)).
  case inverse = 2
  /// 1 − k · (d − r) / (m − r), at least 0.
  case linear = 3
}

/// The fall of level with distance in an environment. Nearer than the reference nothing is louder; beyond the maximum
/// nothing is quieter.
open class AVAudioEnvironmentDistanceAttenuationParameters: NSObject, @unchecked Sendable {
  weak var node: AVAudioEnvironmentNode?

  override init() {}

  /// The model, at first ``AVAudioEnvironmentDistanceAttenuationModel/inverse``.
  public var distanceAttenuationModel = AVAudioEnvironmentDistanceAttenuationModel.inverse { didSet { change() } }
  /// Metres, 1 at first.
  public var referenceDistance: Float = 1 { didSet { change() } }
  /// Metres, 100000 at first.
  public var maximumDistance: Float = 100_000 { didSet { change() } }
  /// 1 at first; 0 and less: the level does not fall.
  public var rolloffFactor: Float = 1 { didSet { change() } }

  private func change() { node?.applyAll() }

  /// Curve and range of the unit; nil where the model has no value: nothing is attenuated.
  var law: (curve: AttenuationCurve, range: DistanceRange)? {
    let (reference, maximum, rolloff) = (Double(referenceDistance), Double(maximumDistance), Double(rolloffFactor))
    guard reference > 0, maximum > reference, maximum.isFinite, rolloff > 0, rolloff.isFinite else { return nil }
    func law(_ curve: AttenuationCurve, _ gain: Double, upTo end: Double) -> (AttenuationCurve, DistanceRange)? {
      let decibels = -Decibels.of(amplitude: max(1e-15, gain))
      let range = try? DistanceRange(
        reference: referenceDistance, maximum: Float(end), attenuationDecibels: Float(max(0, decibels)))
      return range.map { (curve, $0) }
    }
    switch distanceAttenuationModel {
    case .exponential: return law(.exponential, pow(maximum / reference, -rolloff), upTo: maximum)
    case .inverse: return law(.inverse, reference / (reference + rolloff * (maximum - reference)), upTo: maximum)
    // A steeper line is at 0 before the maximum.
    case .linear:
      return rolloff >= 1
        ? law(.linear, 0, upTo: reference + (maximum - reference) / rolloff) : law(.linear, 1 - rolloff, upTo: maximum)
    }
  }
}

/// The room of an environment: each source has its part in it by ``AVAudio3DMixing/reverbBlend``.
open class AVAudioEnvironmentReverbParameters: NSObject, @unchecked Sendable {
  weak var node: AVAudioEnvironmentNode?
  private(set) var preset = AVAudioUnitReverbPreset.mediumHall
  /// True once there was a room: it stays, so that its last sound is heard.
  private(set) var isBuilt = false
  private let filter = NBandEQ(numberOfBands: 1)

  override init() {
    filterParameters = AVAudioUnitEQFilterParameters(filter, band: 0)
    super.init()
    filterParameters.didChange = { [weak self] in self?.node?.applyAll() }
    filterParameters.rate = { [weak self] in self?.node?.outputFormat(forBus: 0).sampleRate ?? 44_100 }
  }

  /// False at first. The first change to true begins the environment anew.
  public var enable = false {
    didSet {
      if enable && !isBuilt {
        isBuilt = true
        node?.beginAnew()
      }
      node?.applyAll()
    }
  }

  /// Decibels of the room's sound, −40 to 40, 0 at first.
  public var level: Float = 0 {
    didSet {
      level = level.within(-40...40) ?? oldValue
      node?.applyAll()
    }
  }

  /// A filter behind the room, bypassed at first: a band as one of ``AVAudioUnitEQ``. Changes hold from the next slice on.
  public let filterParameters: AVAudioUnitEQFilterParameters

  /// Takes over a room, at first the medium hall. The environment begins anew with it.
  public func loadFactoryReverbPreset(_ preset: AVAudioUnitReverbPreset) {
    self.preset = preset
    if isBuilt { node?.beginAnew() }
  }
}

/// The equipment that plays an environment's output.
public enum AVAudioEnvironmentOutputType: Int, Sendable {
  /// As the sound leaves the hardware: built-in speakers; headphones for headphones, the line, Bluetooth and USB; external
  /// speakers for HDMI and AirPlay, for more than two channels, and in manual rendering mode. Another route counts from the
  /// second cycle on.
  case auto = 0
  case headphones = 1
  case builtInSpeakers = 2
  case externalSpeakers = 3
}
