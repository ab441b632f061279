import Digests
import Measurement

/// A fingerprint of samples: XXH3, 128 bits, of rate, channels, frames and every sample as Float32.
///
/// Equal fingerprints are equal bits. If they differ, they do not show by how much: goldens keep the sound besides.
public struct SampleDigest: Hashable, Sendable, Codable {
  /// 32 hexadecimal digits.
  public let text: String

  /// Rounds the samples to Float32 first.
  public init(_ signal: AudioSignal) {
    let fingerprint = Fingerprint()
    let shape = [signal.sampleRate, Double(signal.channelCount), Double(signal.frameCount)]
    shape.withUnsafeBytes { fingerprint.add($0) }
    for channel in signal.channels {
      let floats = channel.map { Float($0) }
      floats.withUnsafeBytes { fingerprint.add($0) }
    }
    text = fingerprint.text
  }

  public init(from decoder: any Decoder) throws { text = try decoder.singleValueContainer().decode(String.self) }
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(text)
  }
}
