import CSndfile
import Testing

/// A sound file as libsndfile reads it, apart from this project's own reader.
struct Wave {
  let sampleRate: Int
  let channelCount: Int
  let frameCount: Int
  /// Interleaved.
  let samples: [Float]

  init(_ path: String) throws {
    var info = SF_INFO()
    let file = try #require(sf_open(path, Int32(SFM_READ), &info), "\(path)")
    defer { sf_close(file) }
    sampleRate = Int(info.samplerate)
    channelCount = Int(info.channels)
    frameCount = Int(info.frames)
    var read = [Float](repeating: 0, count: frameCount * channelCount)
    let count = sf_readf_float(file, &read, info.frames)
    try #require(count == info.frames)
    samples = read
  }

  func channel(_ index: Int) -> [Float] {
    stride(from: index, to: samples.count, by: channelCount).map { samples[$0] }
  }
}

/// The CRC-32 of a file's frames as 16-bit integers, and how many there are.
func int16Checksum(_ path: String) throws -> (channels: Int, rate: Int, frames: Int, crc: UInt32) {
  var info = SF_INFO()
  let file = try #require(sf_open(path, Int32(SFM_READ), &info), "\(path)")
  defer { sf_close(file) }
  var read = [Int16](repeating: 0, count: Int(info.frames) * Int(info.channels))
  let count = sf_readf_short(file, &read, info.frames)
  try #require(count == info.frames)
  return (Int(info.channels), Int(info.samplerate), Int(info.frames), read.withUnsafeBytes { crc32($0) })
}

/// As zlib's and PNG's (ISO 3309): reflected, polynomial 0x04C11DB7.
func crc32(_ bytes: UnsafeRawBufferPointer) -> UInt32 {
  let table: [UInt32] = (0..<256).map { (index: UInt32) -> UInt32 in
    var word = index
    for _ in 0..<8 { word = word & 1 == 1 ? 0xEDB8_8320 ^ (word >> 1) : word >> 1 }
    return word
  }
  var sum = ~UInt32(0)
  for byte in bytes {
    let index = Int((sum ^ UInt32(byte)) & 0xFF)
    sum = table[index] ^ (sum >> 8)
  }
  return ~sum
}

/// Writes a file in another format with the samples of a file of 16 bits.
func copy(_ path: String, to target: String, format: Int32) throws {
  var info = SF_INFO()
  let file = try #require(sf_open(path, Int32(SFM_READ), &info), "\(path)")
  defer { sf_close(file) }
  var samples = [Int16](repeating: 0, count: Int(info.frames) * Int(info.channels))
  let frames = sf_readf_short(file, &samples, info.frames)
  var written = SF_INFO()
  written.samplerate = info.samplerate
  written.channels = info.channels
  written.format = format
  let output = try #require(sf_open(target, Int32(SFM_WRITE), &written), "\(target)")
  defer { sf_close(output) }
  try #require(sf_writef_short(output, samples, frames) == frames)
}
