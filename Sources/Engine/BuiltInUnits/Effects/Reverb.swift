import AudioCore
import AudioEngine
import DSPKernels
import Glibc

/// A room: a feedback delay network of 16 lines whose decay times at 0 Hz and at half the rate are those that are set.
///
/// The lines have lengths between minDelayTime and maxDelayTime, spread evenly on a scale of their logarithms and moved
/// a little by chance, which randomizeReflections seeds; each is a prime number of frames. The output of line i, of d_i
/// seconds, passes
///
///     A_i(z) = (g_i + h_i)/2 + (g_i − h_i)/2 · z⁻¹,   g_i = 10^(−3·d_i/decayTimeAt0Hz), h_i = 10^(−3·d_i/decayTimeAtNyquist)
///
/// and the 16 go through an orthogonal (Hadamard) matrix back into the lines, which without A_i would lose nothing: so
/// all of them decay by 60 dB in the times that are set. In front stand four all-passes a channel, which make many
/// echoes of each one, fewer where a decay time is below half a second. The left channel comes in and goes out by other signs than the right one. The network is scaled
/// so that its impulse response has about the energy of an impulse, whatever the decay.
///
///     y = 10^(gain/20) · ((1 − m) · x + m · w),   m = dryWetMix/100
///
/// Apple's unit is another one: the parameters mean the same, the sound is this project's own, and so are the values of
/// the 13 presets. Another length of the lines fades the room out and in, 10 ms each.
///
/// ```swift
/// let reverb = Reverb()
/// try reverb.set(.decayTimeAt0Hz, to: 1.5)
/// try reverb.set(.decayTimeAtNyquist, to: 0.4)
/// try reverb.set(.dryWetMix, to: 30)
/// expectSliceInvariance(of: reverb)
/// ```
public final class Reverb: EffectUnit, HasNamedParameters, HostedUnit, @unchecked Sendable {
  /// `aufx rvb2 appl`, in graph files `reverb`.
  package static let component = Component(
    ComponentDescription(type: .effect, subType: "rvb2"), shortName: "reverb", name: "Apple: AUReverb2",
    summary: "A room whose decay times at low and at high frequencies are set."
  ) { Reverb() }

  /// `dryWetMix` in percent, `gain` in decibels, times in seconds.
  public enum Parameter: UInt32, Sendable {
    case dryWetMix, gain, minDelayTime, maxDelayTime, decayTimeAt0Hz, decayTimeAtNyquist, randomizeReflections
  }

  private static let table = [
    row(.dryWetMix, .percent, 0...100, 100), row(.gain, .decibels, -20...20, 0),
    row(.minDelayTime, .seconds, 0.0001...1, 0.008, canRamp: false),
    row(.maxDelayTime, .seconds, 0.0001...1, 0.05, canRamp: false),
    row(.decayTimeAt0Hz, .seconds, 0.001...20, 1), row(.decayTimeAtNyquist, .seconds, 0.001...20, 0.5),
    row(.randomizeReflections, .generic, 1...1000, 1, canRamp: false),
  ]

  /// A second of decay, all of it wet.
  public init() { super.init(Self.component, parameters: Self.table) }

  public override var channelCapabilities: [ChannelCapability] {
    [ChannelCapability(inputChannels: 1, outputChannels: 1), ChannelCapability(inputChannels: 2, outputChannels: 2)]
  }

  /// As a Mac's, it has no `AudioUnitProcess`.
  package var hostTraits: HostTraits { HostTraits(self, processesInPlace: false) }

  // MARK: Presets

  /// By the names of the 13 rooms: shortest and longest delay, and decay times at 0 Hz and at half the rate, seconds.
  private static let rooms: [(name: String, values: [Float])] = [
    ("Small Room", [0.004, 0.018, 0.45, 0.25]), ("Medium Room", [0.007, 0.030, 0.8, 0.4]),
    ("Large Room", [0.011, 0.045, 1.2, 0.55]), ("Medium Hall", [0.014, 0.060, 1.9, 0.8]),
    ("Large Hall", [0.018, 0.080, 2.8, 1.0]), ("Plate", [0.003, 0.022, 1.8, 1.3]),
    ("Medium Chamber", [0.006, 0.036, 1.3, 0.9]), ("Large Chamber", [0.009, 0.055, 1.9, 1.2]),
    ("Cathedral", [0.030, 0.110, 5.5, 1.4]), ("Large Room 2", [0.013, 0.050, 1.5, 0.7]),
    ("Medium Hall 2", [0.016, 0.066, 2.2, 0.9]), ("Medium Hall 3", [0.012, 0.070, 1.7, 0.6]),
    ("Large Hall 2", [0.022, 0.090, 3.4, 1.2]),
  ]
  /// −1 until one is selected.
  private var presetNumber: Int32 = -1

  /// All presets, by number.
  public static let presets = rooms.enumerated().map { Preset(number: Int32($0.offset), name: $0.element.name) }
  public override var factoryPresets: [Preset] { Self.presets }
  /// The one that was selected last; number −1 where none was.
  public var preset: Preset { Preset.selected(presetNumber, of: Self.presets) }

  public override var ownProperties: [PropertyDescriptor] { super.ownProperties + Self.propertyTable }

  private static let propertyTable: [PropertyDescriptor] = [.presentPreset(\Reverb.presetNumber)]

  public override func select(preset number: Int32) throws(AudioStatus) {
    guard Self.rooms.indices.contains(Int(number)) else { throw .invalidPropertyValue }
    let room = Self.rooms[Int(number)]
    let parameters = [Parameter.minDelayTime, .maxDelayTime, .decayTimeAt0Hz, .decayTimeAtNyquist]
    for (parameter, value) in zip(parameters, room.values) { try set(parameter, to: value) }
    presetNumber = number
  }

  // MARK: Render half

  public override func makeEffect() throws(AudioStatus) -> EffectProcessor { ReverbProcessor(format) }

  public override var processorBytes: Int { ReverbNetwork.bytes(sampleRate: format.sampleRate) }

  /// The room of a preset, by its number.
  static func room(_ preset: Int) -> ReverbNetwork.Room {
    let values = rooms[preset].values.map(Double.init)
    return ReverbNetwork.Room(
      shortestSeconds: values[0], longestSeconds: values[1], decaySecondsAt0Hz: values[2],
      decaySecondsAtNyquist: values[3], seed: 1)
  }

  /// Until the slowest is 120 dB down.
  public override var tailFrames: Int64? {
    if isBypassed { return 0 }
    // A parameter takes any number; one that is out of range counts as the end of it, here as in the network.
    func most(_ parameter: Parameter) -> Double {
      guard let row = Self.table.first(where: { $0.id == parameter.rawValue }) else { return 0 }
      return Double(knownValues(ofParameter: row.id).map { min($0, row.maximum) }.max() ?? 0)
    }
    let seconds = Self.tailSeconds(
      longestDecay: max(most(.decayTimeAt0Hz), most(.decayTimeAtNyquist)),
      longestDelay: max(most(.minDelayTime), most(.maxDelayTime)))
    return Int64(clamping: (seconds * format.sampleRate).rounded(.up))
  }

  /// Twice the longer decay time, which ends at −60 dB, and what the all-passes and the longest line add.
  static func tailSeconds(longestDecay: Double, longestDelay: Double) -> Double {
    2 * longestDecay + 0.45 + longestDelay
  }
}
