// The end of the last frame of a FLAC stream, which has no frame behind it that would show it. RFC 9639, section 9.3.

import AudioCore

/// Looks for the end of one frame while its bytes arrive.
package struct FLACFrameEnd: Sendable {
  /// Decodings after which the frame is taken for one without an end: of noise one byte in 65536 asks for one.
  private static let mostDecodings = 64

  private let header: [UInt8]
  private var checksum: UInt16 = 0
  private var examined = 0
  private var decodings = 0

  /// - Parameter streamInfo: the 34 bytes of the block STREAMINFO.
  package init(streamInfo: [UInt8]) { header = Array("fLaC".utf8) + [0x80, 0, 0, 34] + streamInfo }

  /// The number of bytes of the frame; nil while they are not all there.
  /// - Parameter frame: the bytes from the beginning of the frame on: those of the last call, and more.
  package mutating func find(in frame: ArraySlice<UInt8>) -> Int? {
    // Header and checksums take eight bytes.
    while examined < frame.count, decodings < Self.mostDecodings {
      let index = frame.startIndex + examined
      checksum = FLACTail.checksum(frame[index...index], after: checksum)
      examined += 1
      guard checksum == 0, examined > 8 else { continue }
      decodings += 1
      if isWhole(frame.prefix(examined)) { return examined }
    }
    return nil
  }

  /// True where libFLAC can decode a frame from these bytes: it cannot where some are missing.
  private func isWhole(_ frame: ArraySlice<UInt8>) -> Bool {
    guard let decoder = FLACDecoder(SoundFileIO(MemoryStorage(header + frame))) else { return false }
    return decoder.found != nil && decoder.damage == nil
  }
}
