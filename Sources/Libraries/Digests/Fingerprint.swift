import AudioCore
import CXXHash
import Glibc

/// XXH3 with 128 bits, of bytes as they come. It tells accidents; against malice it proves nothing.
package struct Fingerprint: ~Copyable {
  private let state: OpaquePointer

  package init() {
    guard let state = XXH3_createState() else { preconditionFailure("no memory for a digest") }
    XXH3_128bits_reset(state)
    self.state = state
  }

  deinit { XXH3_freeState(state) }

  package func add(_ bytes: UnsafeRawBufferPointer) {
    guard !bytes.isEmpty else { return }
    _ = XXH3_128bits_update(state, bytes.baseAddress, bytes.count)
  }

  /// The digest of the bytes added so far.
  package var digest: Digest {
    let hash = XXH3_128bits_digest(state)
    return Digest(high: hash.high64, low: hash.low64)
  }

  /// 32 hexadecimal digits.
  package var text: String { digest.text }
}

extension Fingerprint {
  package static func of(_ bytes: [UInt8]) -> String { digest(of: bytes).text }

  package static func digest(of bytes: [UInt8]) -> Digest {
    bytes.withUnsafeBytes { bytes in
      let hash = XXH3_128bits(bytes.baseAddress, bytes.count)
      return Digest(high: hash.high64, low: hash.low64)
    }
  }

  /// The digest of a text file, for both line ends: LF or CR LF.
  package static func of(text bytes: [UInt8]) -> String {
    let (carriageReturn, newline) = (UInt8(ascii: "\r"), UInt8(ascii: "\n"))
    guard bytes.contains(carriageReturn) else { return of(bytes) }
    return of(
      bytes.indices.compactMap { index in
        let endsLine = bytes[index] == carriageReturn && index + 1 < bytes.count && bytes[index + 1] == newline
        return endsLine ? nil : bytes[index]
      })
  }

  /// The digest of all bytes of an open file.
  package static func of(descriptor: Int32) throws(FileSystem.ReadFailure) -> String {
    try digest(ofDescriptor: descriptor).text
  }

  /// The digest of all bytes of an open file, whatever its offset, which stays.
  package static func digest(ofDescriptor descriptor: Int32) throws(FileSystem.ReadFailure) -> Digest {
    let fingerprint = Fingerprint()
    var block = [UInt8](repeating: 0, count: 1 << 16)
    var offset: off_t = 0
    while true {
      let count = block.withUnsafeMutableBytes { pread(descriptor, $0.baseAddress, $0.count, offset) }
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw .system(errno) }
      if count == 0 { return fingerprint.digest }
      block.withUnsafeBytes { fingerprint.add(UnsafeRawBufferPointer(rebasing: $0[..<count])) }
      offset += off_t(count)
    }
  }

  /// The digest of all bytes of a plain file, of any length.
  package static func of(file path: String) throws(FileSystem.ReadFailure) -> String {
    var status = stat()
    let descriptor = try FileSystem.openPlainFile(path, &status)
    defer { close(descriptor) }
    return try of(descriptor: descriptor)
  }
}
