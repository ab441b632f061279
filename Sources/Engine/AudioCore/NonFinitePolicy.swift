/// The treatment of samples of a sound file that are NaN or infinite.
///
/// A NaN spreads: a filter, a fader or a rate converter that has taken one in gives only NaN from then on, and no level
/// or loudness can be computed of it. So reading a file stops at one unless another policy is set.
public enum NonFinitePolicy: String, NamedChoice, Codable {
  /// Reading fails, with the place of the first and their number.
  case error
  /// Each becomes 0, and they are counted.
  case silence
  /// Each is passed on as it is, and they are counted. Figures of the sound are then missing.
  case keep

  /// For files that a graph plays and for files that are converted.
  public static let standard = NonFinitePolicy.error
}
