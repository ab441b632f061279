import AudioCore
import CXXHash
import Glibc

/// XXH3 with 128 bits, of bytes as they come. It tells accidents; against malice it proves nothing.
struct Fingerprint: ~Copyable {
  private let state: OpaquePointer

  init() {
    guard let state = XXH3_createState() else { preconditionFailure("no memory for a digest") }
    XXH3_128bits_reset(state)
    self.state = state
  }

  deinit { XXH3_freeState(state) }

  func add(_ bytes: UnsafeRawBufferPointer) {
    guard !bytes.isEmpty else { return }
    _ = XXH3_128bits_update(state, bytes.baseAddress, bytes.count)
  }

  /// 32 hexadecimal digits.
  var text: String {
    let hash = XXH3_128bits_digest(state)
    return Self.hexadecimal(hash.high64) + Self.hexadecimal(hash.low64)
  }

  private static func hexadecimal(_ word: UInt64) -> String {
    let digits = String(word, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}

extension Fingerprint {
  static func of(_ bytes: [UInt8]) -> String {
    let fingerprint = Fingerprint()
    bytes.withUnsafeBytes { fingerprint.add($0) }
    return fingerprint.text
  }

  /// Of a text file, whatever ends its lines: LF or CR LF.
  static func of(text bytes: [UInt8]) -> String {
    let (carriageReturn, newline) = (UInt8(ascii: "\r"), UInt8(ascii: "\n"))
    guard bytes.contains(carriageReturn) else { return of(bytes) }
    return of(
      bytes.indices.compactMap { index in
        let endsLine = bytes[index] == carriageReturn && index + 1 < bytes.count && bytes[index + 1] == newline
        return endsLine ? nil : bytes[index]
      })
  }

  /// Of all bytes of an open file.
  static func of(descriptor: Int32) throws(FileSystem.ReadFailure) -> String {
    let fingerprint = Fingerprint()
    var block = [UInt8](repeating: 0, count: 1 << 16)
    var offset: off_t = 0
    while true {
      let count = block.withUnsafeMutableBytes { pread(descriptor, $0.baseAddress, $0.count, offset) }
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw .system(errno) }
      if count == 0 { return fingerprint.text }
      block.withUnsafeBytes { fingerprint.add(UnsafeRawBufferPointer(rebasing: $0[..<count])) }
      offset += off_t(count)
    }
  }

  /// Of all bytes of a plain file, of any length.
  static func of(file path: String) throws(FileSystem.ReadFailure) -> String {
    var status = stat()
    // A pipe may wait for ever, and a device may never end: looked at before and after opening.
    guard FileSystem.status(path, &status) == 0 else { throw .system(errno) }
    guard status.st_mode & S_IFMT == S_IFREG else { throw .isNoPlainFile(status.st_mode) }
    let descriptor = FileSystem.open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { throw .system(errno) }
    defer { close(descriptor) }
    guard fstat(descriptor, &status) == 0 else { throw .system(errno) }
    guard status.st_mode & S_IFMT == S_IFREG else { throw .isNoPlainFile(status.st_mode) }
    return try of(descriptor: descriptor)
  }
}
