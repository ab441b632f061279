// Points, directions and choices of 3D sound. Names and values: Apple's documentation of AVFAudio. x points to the right, y
// up, and −z ahead, in metres.

/// A place, in metres.
public struct AVAudio3DPoint: Hashable, Sendable {
  /// To the right.
  public var x: Float
  /// Up.
  public var y: Float
  /// Back: what lies ahead of a listener who has not turned is negative.
  public var z: Float

  /// The origin.
  public init() { (x, y, z) = (0, 0, 0) }
  /// A place.
  public init(x: Float, y: Float, z: Float) { (self.x, self.y, self.z) = (x, y, z) }
}

/// A direction. Its length has no meaning.
public typealias AVAudio3DVector = AVAudio3DPoint

/// The way a head looks, by two vectors.
public struct AVAudio3DVectorOrientation: Hashable, Sendable {
  /// The direction of the face.
  public var forward: AVAudio3DVector
  /// The direction of the top of the head.
  public var up: AVAudio3DVector

  /// Vectors of length 0, which are no orientation.
  public init() { (forward, up) = (AVAudio3DVector(), AVAudio3DVector()) }
  /// Face and top of a head.
  public init(forward: AVAudio3DVector, up: AVAudio3DVector) { (self.forward, self.up) = (forward, up) }
}

/// The way a head looks, by three angles in degrees, applied in the order yaw, pitch, roll.
public struct AVAudio3DAngularOrientation: Hashable, Sendable {
  /// Turned to the right, −180 to 180.
  public var yaw: Float
  /// The face raised, −90 to 90.
  public var pitch: Float
  /// Leant to the right, −180 to 180.
  public var roll: Float

  /// Straight ahead.
  public init() { (yaw, pitch, roll) = (0, 0, 0) }
  /// Three angles in degrees.
  public init(yaw: Float, pitch: Float, roll: Float) { (self.yaw, self.pitch, self.roll) = (yaw, pitch, roll) }
}

/// A place, in metres.
public func AVAudioMake3DPoint(_ x: Float, _ y: Float, _ z: Float) -> AVAudio3DPoint {
  AVAudio3DPoint(x: x, y: y, z: z)
}

/// A direction.
public func AVAudioMake3DVector(_ x: Float, _ y: Float, _ z: Float) -> AVAudio3DVector {
  AVAudio3DVector(x: x, y: y, z: z)
}

/// The way a head looks, by two vectors.
public func AVAudioMake3DVectorOrientation(
  _ forward: AVAudio3DVector, _ up: AVAudio3DVector
) -> AVAudio3DVectorOrientation { AVAudio3DVectorOrientation(forward: forward, up: up) }

/// The way a head looks, by three angles in degrees.
public func AVAudioMake3DAngularOrientation(
  _ yaw: Float, _ pitch: Float, _ roll: Float
) -> AVAudio3DAngularOrientation { AVAudio3DAngularOrientation(yaw: yaw, pitch: pitch, roll: roll) }

/// The method by which a direction is rendered.
public enum AVAudio3DMixingRenderingAlgorithm: Int, Sendable {
  /// By the levels of two channels.
  case equalPowerPanning = 0
  /// By the two ears of a rigid sphere.
  case sphericalHead = 1
  /// By the two ears of a measured head.
  case HRTF = 2
  /// By all loudspeakers.
  case soundField = 3
  /// Not at all: a stereo input as it is, a mono input in the middle.
  case stereoPassThrough = 5
  /// By the two ears of a measured head, with longer filters.
  case HRTFHQ = 6
  /// By the measured head for headphones, and by loudspeakers for loudspeakers.
  case auto = 7
}

/// The treatment of a source's channels.
public enum AVAudio3DMixingSourceMode: Int, Sendable {
  /// One channel has a place; several go through.
  case spatializeIfMono = 0
  /// All channels go through, at full level.
  case bypass = 1
  /// All channels together have one place.
  case pointSource = 2
  /// Each channel is a loudspeaker around the listener, at no distance.
  case ambienceBed = 3
}

/// The sound of a point source inside of the listener's head, with the algorithm
/// ``AVAudio3DMixingRenderingAlgorithm/auto``; with any other it is ``mono``.
public enum AVAudio3DMixingPointSourceInHeadMode: Int, Sendable {
  /// The same in both ears.
  case mono = 0
  /// The channels of the source in those of the output.
  case bypass = 1
}
