// Sound files read by libsndfile itself: the reference for verifying the files that the engine has written. Nothing of
// `SoundFile` is used here, on purpose.

import AudioCore
import CSndfile
import Glibc

/// The samples of a sound file as `sf_readf_double` gives them: integers ÷ 2^(bits−1), floats as they are.
public struct LibrarySoundFile: Sendable {
  /// Hertz.
  public let sampleRate: Double
  /// One array per channel.
  public let channels: [[Double]]

  /// Reads a whole file.
  /// - Throws: `.input` with what libsndfile says, `.usage` where it would take more memory than may be planned for.
  public init(path: String) throws(BenchError) {
    var info = SF_INFO()
    let opened = ByteText.withCString(path) { sf_open($0, Int32(SFM_READ), &info) }
    guard let file = opened else { throw Self.failure(path, nil) }
    defer { sf_close(file) }
    let count = Int(info.channels)
    guard count > 0, info.samplerate > 0 else {
      throw BenchError(.input, at: path, "the file has no channels or no rate")
    }
    var budget = MemoryBudget()
    try budget.add(MemoryBudget.product(Int(clamping: info.frames), count, 8), for: path, of: "the file", kind: .usage)
    let blockFrames = 4096
    var block = [Double](repeating: 0, count: blockFrames * count)
    var channels = [[Double]](repeating: [], count: count)
    while true {
      let got = Int(sf_readf_double(file, &block, sf_count_t(blockFrames)))
      guard got > 0 else { break }
      for channel in 0..<count {
        for frame in 0..<got { channels[channel].append(block[frame * count + channel]) }
      }
    }
    guard sf_error(file) == 0 else { throw Self.failure(path, file) }
    sampleRate = Double(info.samplerate)
    self.channels = channels
  }

  private static func failure(_ path: String, _ file: OpaquePointer?) -> BenchError {
    BenchError(.input, at: path, "libsndfile cannot read it: \(String(cString: sf_strerror(file)))")
  }
}
