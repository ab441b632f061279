// Names of file types, uniform type identifiers. Values: Apple's documentation of AVFoundation.

/// A type of file by its identifier, as hints have it: `AVFileType.mp3.rawValue` is `public.mp3`.
public struct AVFileType: RawRepresentable, Hashable, Sendable {
  /// The identifier.
  public let rawValue: String

  /// The type of any identifier.
  public init(rawValue: String) { self.rawValue = rawValue }
  /// The type of any identifier.
  public init(_ rawValue: String) { self.rawValue = rawValue }

  /// WAV.
  public static let wav = AVFileType("com.microsoft.waveform-audio")
  /// AIFF.
  public static let aiff = AVFileType("public.aiff-audio")
  /// AIFF-C.
  public static let aifc = AVFileType("public.aifc-audio")
  /// Core Audio's own container.
  public static let caf = AVFileType("com.apple.coreaudio-format")
  /// MPEG layer 3.
  public static let mp3 = AVFileType("public.mp3")
  /// MPEG-4 audio.
  public static let m4a = AVFileType("com.apple.m4a-audio")
  /// Sun and NeXT.
  public static let au = AVFileType("public.au-audio")
  /// Dolby Digital.
  public static let ac3 = AVFileType("public.ac3-audio")
  /// Dolby Digital Plus.
  public static let eac3 = AVFileType("public.enhanced-ac3-audio")
  /// Adaptive multi-rate.
  public static let amr = AVFileType("org.3gpp.adaptive-multi-rate-audio")
}
