import AudioCore
import AudioEngine
import DSPKernels
import HRTF
import HandOver

/// The algorithm that gives an input its direction; the numbers are those of `kSpatializationAlgorithm`.
public enum SpatializationAlgorithm: UInt32, NamedChoice {
  /// Two channels by their levels alone: `SpatialLaws.equalPower(_:)`.
  case equalPowerPanning = 0
  /// Two ears of a rigid sphere: `SphericalHead`.
  case sphericalHead = 1
  /// Two ears of a measured head, 2.9 ms of each response.
  case hrtf = 2
  /// All loudspeakers, as cardioid microphones that look where they stand.
  case soundField = 3
  /// The two loudspeakers on either side of the direction.
  case vectorBasedPanning = 4
  /// No direction: a mono input in the middle, a stereo input as it is.
  case stereoPassThrough = 5
  /// Two ears of a measured head, whole responses.
  case hrtfHighQuality = 6
  /// ``hrtfHighQuality`` for headphones, ``vectorBasedPanning`` for loudspeakers.
  case useOutputType = 7
}

/// The fall of level between the reference distance and the maximum; the numbers are those of
/// `kSpatialMixerAttenuationCurve`.
public enum AttenuationCurve: UInt32, NamedChoice {
  /// The level in decibels falls in a straight line with distance.
  case power = 0
  /// The level in decibels falls in a straight line with the logarithm of distance.
  case exponential = 1
  /// 1/(1 + k·(d − reference)): with the standard distances the field's own law, 6 dB for every doubling.
  case inverse = 2
  /// The amplitude falls in a straight line with distance.
  case linear = 3
}

/// The treatment of an input's channels; the numbers are those of `kSpatialMixerSourceMode`.
public enum SpatialSourceMode: UInt32, NamedChoice {
  /// One channel gets a direction; several go to the output channels of their numbers.
  case spatializeIfMono = 0
  /// To the output channels of their numbers, whatever distance and direction say.
  case bypass = 1
  /// All channels together are one source; inside the head, 8.75 cm around its middle, it is more and more in both ears
  /// alike.
  case pointSource = 2
  /// Each channel is a source in the direction of its loudspeaker, turned by azimuth and elevation, at no distance.
  case ambienceBed = 3
}

/// The sound of a point source of several channels inside of the head, with the algorithm
/// ``SpatializationAlgorithm/useOutputType``; with any other it is `mono`.
package enum SpatialInHeadMode: UInt32, Sendable {
  /// The mean of all channels, in both ears alike.
  case mono = 0
  /// Each channel in the output channel of its number.
  case bypass = 1
}

/// The playback equipment of the output; the numbers are those of `kSpatialMixerOutputType`.
public enum SpatialOutputType: UInt32, NamedChoice {
  case headphones = 1
  case builtInSpeakers = 2
  case externalSpeakers = 3
}

/// The effects that rendering includes; the bits are those of `k3DMixerRenderingFlags`.
public struct SpatialRenderingFlags: OptionSet, Sendable, Hashable {
  public let rawValue: UInt32
  public init(rawValue: UInt32) { self.rawValue = rawValue }
  /// The difference of the ways to both ears.
  public static let interAuralDelay = SpatialRenderingFlags(rawValue: 1 << 0)
  /// A source that moves along a line sounds higher as it comes near, lower as it goes.
  public static let dopplerShift = SpatialRenderingFlags(rawValue: 1 << 1)
  public static let distanceAttenuation = SpatialRenderingFlags(rawValue: 1 << 2)
  /// The air's low pass: 0.04 dB a metre at 5 kHz.
  public static let distanceFilter = SpatialRenderingFlags(rawValue: 1 << 3)
  /// The input is sent to the mixer's reverb, if that is in use.
  public static let reverbSend = SpatialRenderingFlags(rawValue: 1 << 4)
  /// Attenuation follows ``AttenuationCurve/linear``, whatever curve is set.
  public static let linearAttenuation = SpatialRenderingFlags(rawValue: 1 << 5)
  /// The send to the reverb falls with distance as the source does.
  public static let constantReverbBlend = SpatialRenderingFlags(rawValue: 1 << 6)

  static let known: SpatialRenderingFlags = [
    .interAuralDelay, .dopplerShift, .distanceAttenuation, .distanceFilter, .reverbSend, .linearAttenuation,
    .constantReverbBlend,
  ]
  /// By the names that graph files have for them.
  static let names: [(name: String, flag: SpatialRenderingFlags)] = [
    ("interAuralDelay", .interAuralDelay), ("dopplerShift", .dopplerShift),
    ("distanceAttenuation", .distanceAttenuation),
    ("distanceFilter", .distanceFilter), ("reverbSend", .reverbSend),
    ("linearAttenuation", .linearAttenuation), ("constantReverbBlend", .constantReverbBlend),
  ]
}

/// Between which distances level falls, and by how much.
public struct DistanceRange: Hashable, Sendable {
  /// Metres: nearer than this nothing is louder. Above 0.
  public var reference: Float
  /// Metres: beyond this nothing is quieter. Above ``reference``.
  public var maximum: Float
  /// dB by which a source at ``maximum`` is quieter; 0 or more.
  public var attenuationDecibels: Float

  /// - Throws: `.invalidPropertyValue` where a number lies outside its range.
  public init(reference: Float, maximum: Float, attenuationDecibels: Float) throws(AudioStatus) {
    guard reference.isFinite, maximum.isFinite, attenuationDecibels.isFinite, reference > 0, maximum > reference,
      attenuationDecibels >= 0
    else { throw .invalidPropertyValue }
    (self.reference, self.maximum) = (reference, maximum)
    self.attenuationDecibels = attenuationDecibels
  }

  private init() { (reference, maximum, attenuationDecibels) = (1, 10_000, 80) }
  /// 1 m, 10 km, 80 dB: with the inverse curve a source at d metres has the level 1/d.
  public static let standard = DistanceRange()
}

/// The settings of an input beside its parameters.
struct SpatialInputSettings: Equatable, Sendable {
  var algorithm = SpatializationAlgorithm.equalPowerPanning
  var flags: SpatialRenderingFlags = [.interAuralDelay, .distanceAttenuation]
  var sourceMode = SpatialSourceMode.spatializeIfMono
  var curve = AttenuationCurve.inverse
  var distances = DistanceRange.standard
  var inHead = SpatialInHeadMode.mono

  /// True for a point source whose channels come apart inside of the head.
  var splits: Bool { inHead == .bypass && sourceMode == .pointSource && algorithm == .useOutputType }
}

/// The settings of all inputs: handed to the render side whole.
final class SpatialSettings: Parcel {
  let inputs: [SpatialInputSettings]
  let outputType: SpatialOutputType
  /// Nil while no input needs them, and where they could not be read.
  let responses: HeadResponses?
  /// The section behind the room; nil: none.
  let roomFilter: BiquadCoefficients?

  init(
    _ inputs: [SpatialInputSettings], _ outputType: SpatialOutputType, _ responses: HeadResponses?,
    roomFilter: BiquadCoefficients?
  ) {
    (self.inputs, self.outputType, self.responses) = (inputs, outputType, responses)
    self.roomFilter = roomFilter
  }
}
