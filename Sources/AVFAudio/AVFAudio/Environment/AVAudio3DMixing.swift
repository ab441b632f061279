import AVFAudioFiles
import Foundation

/// Place and treatment of a source in an ``AVAudioEnvironmentNode``. Other mixers leave these values alone.
public protocol AVAudio3DMixing: AnyObject {
  /// ``AVAudio3DMixingRenderingAlgorithm/equalPowerPanning`` at first.
  var renderingAlgorithm: AVAudio3DMixingRenderingAlgorithm { get set }
  /// ``AVAudio3DMixingSourceMode/spatializeIfMono`` at first.
  var sourceMode: AVAudio3DMixingSourceMode { get set }
  /// ``AVAudio3DMixingPointSourceInHeadMode/mono`` at first.
  var pointSourceInHeadMode: AVAudio3DMixingPointSourceInHeadMode { get set }
  /// A factor of the speed, 0.5 to 2, 1 at first; pitch follows.
  var rate: Float { get set }
  /// The part that goes to the reverb, 0 to 1, 0 at first.
  var reverbBlend: Float { get set }
  /// Decibels by which what lies in the way darkens the direct sound, −100 to 0, 0 at first.
  var obstruction: Float { get set }
  /// Decibels by which a wall darkens direct sound and reverb, −100 to 0, 0 at first.
  var occlusion: Float { get set }
  /// The place of the source, in metres; the origin at first.
  var position: AVAudio3DPoint { get set }
}

/// The values of a source in a 3D mixer.
struct SourcePlace {
  var renderingAlgorithm = AVAudio3DMixingRenderingAlgorithm.equalPowerPanning
  var sourceMode = AVAudio3DMixingSourceMode.spatializeIfMono
  var pointSourceInHeadMode = AVAudio3DMixingPointSourceInHeadMode.mono
  var rate: Float = 1
  var reverbBlend: Float = 0
  var obstruction: Float = 0
  var occlusion: Float = 0
  var position = AVAudio3DPoint()
}

/// A mixer whose inputs have values of their sources'.
protocol SourceMixer: AVAudioNode {
  /// The largest number of inputs.
  static var maximumInputs: Int { get }
  /// Sets the values of one input.
  func applyMixing(of source: AVAudioNode, bus: Int)
  /// Sets what can only be set while the unit is closed. Called in front of each compilation.
  func prepareToOpen()
}

extension SourceMixer {
  func prepareToOpen() {}

  /// The first input bus that nothing is connected to.
  var firstFreeInput: AVAudioNodeBus {
    guard let engine else { return 0 }
    return engine.locked {
      let taken = Set(engine.inputs(of: self).map(\.destinationBus))
      return (0...taken.count).first { !taken.contains($0) } ?? taken.count
    }
  }

  /// 8, or more where more are connected.
  var inputsInUse: Int {
    let last = engine.flatMap { engine in engine.locked { engine.inputs(of: self).last?.destinationBus } } ?? 0
    return max(8, last + 1)
  }

  /// Sets the values of each input.
  func applyMixingOfInputs() {
    for input in engine?.inputs(of: self) ?? [] { applyMixing(of: input.source, bus: input.destinationBus) }
  }
}

// MARK: Sources

extension AVAudioMixing where Self: AVAudioNode {
  /// The method by which the direction is rendered.
  public var renderingAlgorithm: AVAudio3DMixingRenderingAlgorithm {
    get { mixing.common.spatial.renderingAlgorithm }
    set { changeSpatial(compiles: true) { $0.renderingAlgorithm = newValue } }
  }

  /// The treatment of the source's channels.
  public var sourceMode: AVAudio3DMixingSourceMode {
    get { mixing.common.spatial.sourceMode }
    set { changeSpatial(compiles: true) { $0.sourceMode = newValue } }
  }

  /// The sound of a point source inside of the listener's head.
  public var pointSourceInHeadMode: AVAudio3DMixingPointSourceInHeadMode {
    get { mixing.common.spatial.pointSourceInHeadMode }
    set { changeSpatial(compiles: true) { $0.pointSourceInHeadMode = newValue } }
  }

  /// A factor of the speed, 0.5 to 2.
  public var rate: Float {
    get { mixing.common.spatial.rate }
    set { changeSpatial { $0.rate = newValue.within(0.5...2) ?? $0.rate } }
  }

  /// The part that goes to the reverb, 0 to 1.
  public var reverbBlend: Float {
    get { mixing.common.spatial.reverbBlend }
    set { changeSpatial { $0.reverbBlend = newValue.within(0...1) ?? $0.reverbBlend } }
  }

  /// Decibels by which the direct sound is darkened, −100 to 0.
  public var obstruction: Float {
    get { mixing.common.spatial.obstruction }
    set { changeSpatial { $0.obstruction = newValue.within(-100...0) ?? $0.obstruction } }
  }

  /// Decibels by which direct sound and reverb are darkened, −100 to 0.
  public var occlusion: Float {
    get { mixing.common.spatial.occlusion }
    set { changeSpatial { $0.occlusion = newValue.within(-100...0) ?? $0.occlusion } }
  }

  /// The place of the source.
  public var position: AVAudio3DPoint {
    get { mixing.common.spatial.position }
    set { changeSpatial { $0.position = newValue } }
  }

  /// - Parameter compiles: true where a mixer may have to begin anew with the value.
  private func changeSpatial(compiles: Bool = false, _ body: @escaping (inout SourcePlace) -> Void) {
    changeMixing { body(&$0.spatial) }
    if compiles { inEngine { self.engine?.noteEdit() } }
  }
}

extension Float {
  /// The nearest value of a range; nil for no number.
  func within(_ range: ClosedRange<Float>) -> Float? {
    isNaN ? nil : Swift.min(range.upperBound, Swift.max(range.lowerBound, self))
  }
}
