import Glibc

/// What libsndfile takes from the clock, replaced after it has closed a file, so that every run writes the same bytes.
enum FixedBytes {
  /// - Returns: 0, or the errno of what failed.
  static func settle(_ container: SoundFileContainer, descriptor: Int32, length: Int64) -> Int32 {
    switch container {
    case .ogg, .opus: OggSerial.renumber(descriptor, length: length)
    case .mat5: fixText(descriptor)
    default: 0
    }
  }

  /// A Matlab 5 file begins with 124 bytes of free text, in which libsndfile writes the time of day.
  private static func fixText(_ descriptor: Int32) -> Int32 {
    var text = Array("MATLAB 5.0 MAT-file, written by libsndfile".utf8)
    text.append(contentsOf: repeatElement(0x20, count: 124 - text.count))
    return pwrite(descriptor, text, text.count, 0) == text.count ? 0 : errno
  }
}
