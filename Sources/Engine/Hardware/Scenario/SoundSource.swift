/// The sound of a microphone, or of another program.
public enum SoundSource: Hashable, Sendable {
  /// Zeros.
  case silence
  /// A sound file, from its start on, converted to the hardware's rate; channels that it has not repeat its last one.
  case file(path: String, gain: Double, repeats: Bool)
  /// A sine of `sin(2π·f·t)`, t counted from the source's beginning.
  case tone(hertz: Double, amplitude: Double)
  /// White noise, equally likely within ± the amplitude, each channel its own.
  case noise(seed: UInt64, amplitude: Double)
}
