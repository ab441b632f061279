/// The smoothing of parameter steps: the one constant of it.
package enum ParameterSmoothing {
  /// Frames over which a set parameter moves to its new value unless a graph or a unit says otherwise: 0, at once, so
  /// that renders are bit-exact (definition of this project).
  package static let frames = 0
  /// The frames that it can be set to.
  package static let range = 0...(1 << 20)
}
