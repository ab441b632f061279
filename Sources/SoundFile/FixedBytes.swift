import Glibc

/// What libsndfile takes from the clock, replaced after it has closed a file, so that every run writes the same bytes.
enum FixedBytes {
  /// - Returns: 0, or the errno of what failed.
  static func settle(_ container: SoundFileContainer, descriptor: Int32, length: Int64) -> Int32 {
    switch container {
    case .ogg, .opus: OggSerial.renumber(descriptor, length: length)
    case .mat5: fixText(descriptor)
    case .rf64: blankPeaks(descriptor, length: length)
    default: 0
    }
  }

  /// A Matlab 5 file begins with 124 bytes of free text, in which libsndfile writes the time of day.
  private static func fixText(_ descriptor: Int32) -> Int32 {
    var text = Array("MATLAB 5.0 MAT-file, written by libsndfile\0".utf8)
    text.append(contentsOf: repeatElement(0x20, count: 124 - text.count))
    return pwrite(descriptor, text, text.count, 0) == text.count ? 0 : errno
  }

  /// libsndfile cannot be told to leave the PEAK chunk out of RF64 (nor out of the WAV that RF64 may become). It has
  /// the time of day in it, and no peaks where samples were written raw: made a JUNK chunk of zeros.
  private static func blankPeaks(_ descriptor: Int32, length: Int64) -> Int32 {
    var offset: Int64 = 12
    while offset + 8 <= length {
      var header: [UInt8] = [UInt8](repeating: 0, count: 8)
      guard pread(descriptor, &header, 8, off_t(offset)) == 8 else { return errno == 0 ? EIO : errno }
      let name = String(decoding: header[..<4], as: UTF8.self)
      let size = header[4...].reversed().bigEndianValue
      if name == "data" { return 0 }
      if name == "PEAK" {
        let blank = Array("JUNK".utf8) + header[4...] + [UInt8](repeating: 0, count: Int(size))
        return pwrite(descriptor, blank, blank.count, off_t(offset)) == blank.count ? 0 : errno
      }
      offset += 8 + size + size % 2
    }
    return 0
  }
}
