import Glibc

/// A value that follows from moving parameters, in a straight line over the cell that a piece lies in: a function of
/// the frame's place in the cell alone, so that it does not depend on where slices begin.
public struct CellRamp {
  // Each frame of a unit asks for a value: what gives it is compiled into the units' own loops. That takes `public`:
  // the compiler inlines nothing that is `package` in another module.
  @usableFromInline let start: Double
  @usableFromInline let step: Double
  @usableFromInline let position: Double

  /// - Parameters:
  ///   - piece: the frames to come.
  ///   - value: the value that follows from the parameters at an end of the cell. Called once if nothing moves.
  // Closures, not the methods themselves: as an argument a method takes memory if this is not inlined.
  @inlinable public init(_ piece: RenderPiece, _ value: (_ parameter: (Int) -> Double) -> Double) {
    let parameters = piece.parameters
    start = value { parameters.start($0) }
    guard parameters.isMoving else {
      (step, position) = (0, 0)
      return
    }
    step = (value { parameters.end($0) } - start) / Double(parameters.cellEnd - parameters.cellStart)
    position = Double(piece.sampleTime - parameters.cellStart)
  }

  @inlinable public var isMoving: Bool { step != 0 }

  /// - Parameter frame: from the piece's first on.
  @inlinable public func value(at frame: Int) -> Float { Float(exactValue(at: frame)) }
  @inlinable public func exactValue(at frame: Int) -> Double { start + step * (position + Double(frame)) }
  /// The values of eight frames, each a part of a frame later; the part is a power of two's multiple, so that no place
  /// is rounded.
  @inlinable public func values(from frame: Int, later part: Double = 0) -> SIMD8<Float> {
    guard isMoving else { return SIMD8(repeating: Float(start)) }
    let places = SIMD8<Double>(0, 1, 2, 3, 4, 5, 6, 7) + (position + Double(frame) + part)
    return SIMD8<Float>(start + step * places)
  }
}

/// A mix of what comes in and what an effect makes of it.
package enum WetDryMix {
  /// Gains of equal power: cos and sin of the mix, exact at both ends.
  package static func equalPower(percent: Double) -> (dry: Double, wet: Double) {
    let mix = min(1, max(0, percent / 100))
    if mix == 0 { return (1, 0) }
    if mix == 1 { return (0, 1) }
    return (cos(mix * .pi / 2), sin(mix * .pi / 2))
  }
}
