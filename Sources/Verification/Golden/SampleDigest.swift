import CXXHash
import Measurement

/// A fingerprint of samples: XXH3, 128 bits, of rate, channels, frames and every sample as Float32.
///
/// Equal fingerprints are equal bits. Where they differ they say nothing of how much: goldens keep the sound besides.
public struct SampleDigest: Hashable, Sendable, Codable {
  public let text: String

  public init(_ signal: AudioSignal) {
    guard let state = XXH3_createState() else { preconditionFailure("no memory for a digest") }
    defer { XXH3_freeState(state) }
    XXH3_128bits_reset(state)
    let shape = [signal.sampleRate, Double(signal.channelCount), Double(signal.frameCount)]
    shape.withUnsafeBytes { _ = XXH3_128bits_update(state, $0.baseAddress, $0.count) }
    for channel in signal.channels {
      let floats = channel.map { Float($0) }
      floats.withUnsafeBytes { _ = XXH3_128bits_update(state, $0.baseAddress, $0.count) }
    }
    let hash = XXH3_128bits_digest(state)
    text = Self.hexadecimal(hash.high64) + Self.hexadecimal(hash.low64)
  }

  private static func hexadecimal(_ word: UInt64) -> String {
    let digits = String(word, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }

  public init(from decoder: any Decoder) throws { text = try decoder.singleValueContainer().decode(String.self) }
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(text)
  }
}
