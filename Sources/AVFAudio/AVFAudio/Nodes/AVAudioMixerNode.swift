import AVFAudioFiles
import AudioEngine
import BuiltInUnits
import Foundation

/// The multichannel mixer: any number of inputs, of any rate and number of channels, into one output.
///
/// Rates are converted in front of it. Channels are mixed by the mixer unit's laws: a mono input is panned as
/// ``AVFAudioChoices/monoPan`` says, by equal power at first.
open class AVAudioMixerNode: AVAudioNode, AVAudioMixing, SourceMixer, @unchecked Sendable {
  static let maximumInputs = 65_536

  private var mixer: MultichannelMixer { unsafeDowncast(unit, to: MultichannelMixer.self) }
  /// True for an engine's main mixer, until it is connected with a format: its output is that which is rendered.
  var followsOutput = false

  /// A mixer whose output has volume 1.
  public init() { super.init(unit: MultichannelMixer(inputs: 8)) }

  /// Takes over the pan law of mono inputs: a mixer with another one begins anew.
  func follow(_ law: MonoPanLaw) {
    guard mixer.monoPanLaw != law else { return }
    if unit.isInitialized { unit.uninitialize() }
    mixer.monoPanLaw = law
  }

  /// The linear gain of the mix, 1 at first.
  public var outputVolume: Float = 1 {
    didSet { try? mixer.setOutputVolume(outputVolume) }
  }

  /// The first input bus that nothing is connected to. There is always another one.
  public var nextAvailableInputBus: AVAudioNodeBus { firstFreeInput }

  /// 8, or more where more are connected.
  public override var numberOfInputs: Int { inputsInUse }

  override var inputRange: Range<Int> { 0..<Self.maximumInputs }

  override var naturalFormat: AVAudioFormat {
    followsOutput ? engine?.target.format.standard ?? .initial : .initial
  }

  /// Sets volume and pan of each input to what its source has.
  override func applyMixing() {
    super.applyMixing()
    applyMixingOfInputs()
  }

  func applyMixing(of source: AVAudioNode, bus: Int) {
    guard bus < unit.elementCount(.input) else { return }
    let values = source.mixingSource.mixing.values(at: self, bus: bus)
    try? mixer.setVolume(values.volume, input: bus)
    try? mixer.setPan(min(1, max(-1, values.pan)), input: bus)
  }
}
