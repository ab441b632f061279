import AudioCore

// The type and the size of a picture, from its first bytes. FLAC and Ogg write both beside the picture.
struct PictureHeader {
  let mimeType: String
  var width = 0
  var height = 0
  /// Bits of a pixel.
  var depth = 0

  /// Nil where it is neither PNG nor JPEG. The size stays 0 where the header is cut off.
  init?(_ bytes: [UInt8]) {
    if bytes.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) {
      mimeType = "image/png"
      readPNG(bytes)
    } else if bytes.starts(with: [0xFF, 0xD8, 0xFF]) {
      mimeType = "image/jpeg"
      readJPEG(bytes)
    } else {
      return nil
    }
  }

  /// The first chunk, IHDR (PNG specification, 11.2.2).
  private mutating func readPNG(_ bytes: [UInt8]) {
    guard bytes.count >= 29, bytes[12..<16].elementsEqual("IHDR".utf8) else { return }
    let samples =
      switch bytes[25] {
      case 2: 3
      case 4: 2
      case 6: 4
      default: 1
      }
    set(bytes[16..<20], bytes[20..<24], depth: Int(bytes[24]) * samples)
  }

  /// The frame header, SOF (ITU-T T.81, B.2.2), behind other segments.
  private mutating func readJPEG(_ bytes: [UInt8]) {
    var offset = 2
    while offset + 10 <= bytes.count, bytes[offset] == 0xFF {
      let marker = bytes[offset + 1]
      if marker == 0xFF {
        offset += 1
      } else if (0xC0...0xCF).contains(marker), ![0xC4, 0xC8, 0xCC].contains(marker) {
        set(
          bytes[offset + 7..<offset + 9], bytes[offset + 5..<offset + 7],
          depth: Int(bytes[offset + 4]) * Int(bytes[offset + 9]))
        return
      } else {
        offset += 2 + Int(bytes[offset + 2]) << 8 + Int(bytes[offset + 3])
      }
    }
  }

  private mutating func set(_ width: ArraySlice<UInt8>, _ height: ArraySlice<UInt8>, depth: Int) {
    (self.width, self.height) = (Int(width.bigEndianValue), Int(height.bigEndianValue))
    self.depth = depth
  }
}

extension TagPicture {
  /// A picture file as the front cover.
  /// - Throws: `.input` for a file that cannot be read, is neither PNG nor JPEG by its content, or has more than 64
  ///   MiB.
  public init(frontCover path: String) throws(BenchError) {
    let bytes: [UInt8]
    do throws(FileSystem.ReadFailure) {
      bytes = try FileSystem.contents(of: path, atMost: Self.byteLimit)
    } catch {
      throw BenchError(.input, at: path, error.clause, advice: "name a PNG or JPEG file")
    }
    guard let header = PictureHeader(bytes) else {
      throw BenchError(
        .input, at: path, "is neither a PNG nor a JPEG picture", advice: "convert it to one of the two first")
    }
    self.init(kind: Self.frontCover, mimeType: header.mimeType, bytes: bytes)
  }
}
