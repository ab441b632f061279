import AudioCore
import Glibc

/// The values that libsndfile takes from the clock, replaced after it has closed a file, so that every run writes the
/// same bytes; and lengths that it gets wrong.
enum FixedBytes {
  /// - Parameter frames: those that were written.
  /// - Returns: 0, or the errno of what failed.
  static func settle(
    _ container: SoundFileContainer, _ encoding: SoundFileEncoding, frames: Int64, descriptor: Int32, _ io: SoundFileIO
  ) -> Int32 {
    do throws(StorageError) {
      try StatedFrames.write(frames, encoding, to: io.storage)
      switch container {
      case .voc: try VoiceFile.correct(io.storage)
      case .ogg, .opus: return OggSerial.renumber(descriptor, length: io.length)
      case .mat5: try fixText(io.storage)
      case .rf64: try blankPeaks(io.storage)
      default: break
      }
      return 0
    } catch {
      return error.errorNumber
    }
  }

  /// A Matlab 5 file begins with 124 bytes of free text, in which libsndfile writes the time of day.
  private static func fixText(_ storage: any ByteStorage) throws(StorageError) {
    var text = Array("MATLAB 5.0 MAT-file, written by libsndfile\0".utf8)
    text.append(contentsOf: repeatElement(0x20, count: 124 - text.count))
    try storage.write(text, at: 0)
  }

  /// libsndfile has no setting to leave the PEAK chunk out of RF64 (nor out of the WAV that RF64 may become). It has
  /// the time of day in it, and no peaks if samples were written raw: made a JUNK chunk of zeros.
  static func blankPeaks(_ storage: any ByteStorage) throws(StorageError) {
    guard let layout = ContainerLayout(storage) else { throw .system(EIO) }
    guard let peak = layout.first(0x5045_414B) else { return }
    try storage.write(Array("JUNK".utf8), at: peak.headerOffset)
    try storage.write([UInt8](repeating: 0, count: Int(peak.contentBytes)), at: peak.contentOffset)
  }
}
