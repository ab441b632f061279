import AVFAudioFiles
import Foundation

/// Place in the stereo field.
public protocol AVAudioStereoMixing: AnyObject {
  /// −1 (left) to 1 (right), 0 at first; what lies beyond is taken as the end.
  var pan: Float { get set }
}

/// Volume and place at the mixers that a source is connected to, directly or through effects, which have no such values
/// of their own.
public protocol AVAudioMixing: AVAudioStereoMixing, AVAudio3DMixing {
  /// A linear gain, 1 at first.
  var volume: Float { get set }
  /// The values at one mixer's input bus; nil: the node is not connected to it.
  func destination(forMixer mixer: AVAudioNode, bus: AVAudioNodeBus) -> AVAudioMixingDestination?
}

/// The values of a source: for all mixers, and where one was given others for it.
final class MixingValues {
  struct Values {
    var volume: Float = 1
    var pan: Float = 0
    var spatial = SourcePlace()
  }
  struct Place: Hashable {
    let mixer: ObjectIdentifier
    let bus: Int
  }
  var common = Values()
  var places: [Place: Values] = [:]

  func values(at mixer: AVAudioNode, bus: Int) -> Values {
    places[Place(mixer: ObjectIdentifier(mixer), bus: bus)] ?? common
  }
}

extension AVAudioMixing where Self: AVAudioNode {
  /// The volume at all mixers.
  public var volume: Float {
    get { mixing.common.volume }
    set { changeMixing { $0.volume = newValue } }
  }

  /// The place at all mixers.
  public var pan: Float {
    get { mixing.common.pan }
    set { changeMixing { $0.pan = newValue } }
  }

  func changeMixing(_ body: @escaping (inout MixingValues.Values) -> Void) {
    inEngine {
      body(&self.mixing.common)
      for (place, values) in self.mixing.places {
        var values = values
        body(&values)
        self.mixing.places[place] = values
      }
      self.applyMixing()
    }
  }

  public func destination(forMixer mixer: AVAudioNode, bus: AVAudioNodeBus) -> AVAudioMixingDestination? {
    guard let engine, engine.locked({ engine.connection(into: mixer, bus: bus)?.source.mixingSource }) === self else {
      return nil
    }
    return AVAudioMixingDestination(self, mixer, bus: bus)
  }
}

/// The values of a source at one input bus of one mixer.
open class AVAudioMixingDestination: NSObject, AVAudioMixing {
  private let source: AVAudioNode
  private let mixer: AVAudioNode
  private let bus: Int

  init(_ source: AVAudioNode, _ mixer: AVAudioNode, bus: Int) {
    self.source = source
    self.mixer = mixer
    self.bus = bus
  }

  /// The mixer and its bus.
  public var connectionPoint: AVAudioConnectionPoint { AVAudioConnectionPoint(node: mixer, bus: bus) }

  private var values: MixingValues.Values {
    get { source.mixing.values(at: mixer, bus: bus) }
    set {
      source.inEngine {
        source.mixing.places[MixingValues.Place(mixer: ObjectIdentifier(mixer), bus: bus)] = newValue
        source.applyMixing()
      }
    }
  }

  /// Sets a value with which a 3D mixer may have to begin anew.
  private func compile(_ body: (inout SourcePlace) -> Void) {
    body(&values.spatial)
    source.inEngine { source.engine?.noteEdit() }
  }

  /// The volume at this bus.
  public var volume: Float {
    get { values.volume }
    set { values.volume = newValue }
  }

  /// The place at this bus.
  public var pan: Float {
    get { values.pan }
    set { values.pan = newValue }
  }

  /// The method by which the direction is rendered at this bus.
  public var renderingAlgorithm: AVAudio3DMixingRenderingAlgorithm {
    get { values.spatial.renderingAlgorithm }
    set { compile { $0.renderingAlgorithm = newValue } }
  }

  /// The treatment of the source's channels at this bus.
  public var sourceMode: AVAudio3DMixingSourceMode {
    get { values.spatial.sourceMode }
    set { compile { $0.sourceMode = newValue } }
  }

  /// The sound of a point source inside of the listener's head, at this bus.
  public var pointSourceInHeadMode: AVAudio3DMixingPointSourceInHeadMode {
    get { values.spatial.pointSourceInHeadMode }
    set { compile { $0.pointSourceInHeadMode = newValue } }
  }

  /// The speed at this bus.
  public var rate: Float {
    get { values.spatial.rate }
    set { values.spatial.rate = newValue.within(0.5...2) ?? rate }
  }

  /// The part that goes to this mixer's reverb.
  public var reverbBlend: Float {
    get { values.spatial.reverbBlend }
    set { values.spatial.reverbBlend = newValue.within(0...1) ?? reverbBlend }
  }

  /// The obstruction at this bus.
  public var obstruction: Float {
    get { values.spatial.obstruction }
    set { values.spatial.obstruction = newValue.within(-100...0) ?? obstruction }
  }

  /// The occlusion at this bus.
  public var occlusion: Float {
    get { values.spatial.occlusion }
    set { values.spatial.occlusion = newValue.within(-100...0) ?? occlusion }
  }

  /// The place in this mixer's space.
  public var position: AVAudio3DPoint {
    get { values.spatial.position }
    set { values.spatial.position = newValue }
  }

  /// Itself, where it is asked for its own bus.
  public func destination(forMixer mixer: AVAudioNode, bus: AVAudioNodeBus) -> AVAudioMixingDestination? {
    mixer === self.mixer && bus == self.bus ? self : nil
  }
}
