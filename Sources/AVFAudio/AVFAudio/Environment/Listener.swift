// The geometry of a listener: from places to directions, and between the two forms of an orientation. In Double; tests
// compute it another way.

import AudioCore
import Foundation

/// A vector, in metres or of length 1.
struct SpatialVector: Equatable {
  var x: Double
  var y: Double
  var z: Double

  init(_ x: Double, _ y: Double, _ z: Double) { (self.x, self.y, self.z) = (x, y, z) }
  init(_ point: AVAudio3DPoint) { self.init(Double(point.x), Double(point.y), Double(point.z)) }

  static func - (left: Self, right: Self) -> Self { Self(left.x - right.x, left.y - right.y, left.z - right.z) }
  static func * (factor: Double, vector: Self) -> Self { Self(factor * vector.x, factor * vector.y, factor * vector.z) }
  func dot(_ other: Self) -> Double { x * other.x + y * other.y + z * other.z }
  func cross(_ other: Self) -> Self {
    Self(y * other.z - z * other.y, z * other.x - x * other.z, x * other.y - y * other.x)
  }
  var length: Double { dot(self).squareRoot() }
  /// A vector of length 1; nil where there is no direction.
  var direction: Self? { length.isFinite && length > 1e-12 ? (1 / length) * self : nil }
  var point: AVAudio3DPoint { AVAudio3DPoint(x: Float(x), y: Float(y), z: Float(z)) }
}

/// A listener's place and head.
struct Listener: Equatable {
  var position = SpatialVector(0, 0, 0)
  /// The face, and what is to the right and above; at right angles, of length 1.
  private(set) var forward = SpatialVector(0, 0, -1)
  private(set) var up = SpatialVector(0, 1, 0)
  private var right: SpatialVector { forward.cross(up) }

  /// Takes over an orientation, `up` turned to be at a right angle to `forward`.
  /// - Returns: false, and nothing is changed, where a vector has no length or both have one line.
  mutating func look(forward: SpatialVector, up: SpatialVector) -> Bool {
    guard let face = forward.direction, let top = up.direction,
      let straight = (top - face.dot(top) * face).direction
    else { return false }
    (self.forward, self.up) = (face, straight)
    return true
  }

  /// Takes over an orientation by angles in degrees: turned by yaw, then the face raised by pitch, then leant by roll.
  /// - Returns: false, and nothing is changed, where an angle is no number.
  mutating func look(yaw: Double, pitch: Double, roll: Double) -> Bool {
    guard yaw.isFinite, pitch.isFinite, roll.isFinite else { return false }
    let (y, p, r) = (yaw * .pi / 180, pitch * .pi / 180, roll * .pi / 180)
    let face = SpatialVector(sin(y) * cos(p), sin(p), -cos(y) * cos(p))
    let side = SpatialVector(cos(y), 0, sin(y))
    let top = side.cross(face)
    forward = face
    up = SpatialVector(
      cos(r) * top.x + sin(r) * side.x, cos(r) * top.y + sin(r) * side.y, cos(r) * top.z + sin(r) * side.z)
    return true
  }

  /// Yaw, pitch and roll in degrees. Of a face that looks straight up or down the roll is 0.
  var angles: (yaw: Double, pitch: Double, roll: Double) {
    let pitch = asin(min(1, max(-1, forward.y)))
    let level = (forward.x * forward.x + forward.z * forward.z).squareRoot()
    guard level > 1e-6 else {
      // The top of the head points back where the face looks up, ahead where it looks down.
      let ahead = forward.y > 0 ? -1.0 : 1.0
      return (atan2(ahead * up.x, -ahead * up.z) * 180 / .pi, pitch * 180 / .pi, 0)
    }
    let yaw = atan2(forward.x, -forward.z)
    let side = SpatialVector(cos(yaw), 0, sin(yaw))
    let roll = atan2(up.dot(side), up.dot(side.cross(forward)))
    return (yaw * 180 / .pi, pitch * 180 / .pi, roll * 180 / .pi)
  }

  /// Degrees to the right and up, and metres, of a place; a place at the listener's own is straight ahead.
  func direction(of place: SpatialVector) -> (azimuth: Double, elevation: Double, distance: Double) {
    let way = place - position
    let distance = way.length
    guard let to = way.direction else { return (0, 0, distance.isFinite ? distance : 0) }
    return (
      atan2(to.dot(right), to.dot(forward)) * 180 / .pi, asin(min(1, max(-1, to.dot(up)))) * 180 / .pi, distance
    )
  }
}
