import AudioCore
import CSndfile
import Glibc
import SoundFile
import Testing

func write(_ bytes: [UInt8], to path: String) {
  guard let file = fopen(path, "wb") else { return }
  fwrite(bytes, 1, bytes.count, file)
  fclose(file)
}

extension PlanarBuffer {
  convenience init(_ channels: [[Float]]) {
    self.init(channelCount: channels.count, frameCapacity: channels.first?.count ?? 0)
    for (channel, samples) in channels.enumerated() {
      for (frame, value) in samples.enumerated() { self[channel][frame] = value }
    }
  }

  func channels(_ frames: Int) -> [[Float]] {
    (0..<channelCount).map { Array(self[$0].prefix(frames).elements) }
  }
}

/// Writes a whole file in slices of `slice` frames.
@discardableResult
func writeFile(
  _ path: String, _ format: SoundFileFormat, _ channels: [[Float]], rate: Double = 48_000, slice: Int = 777,
  expectedFrames: Int64? = nil, options: SoundFileWriterOptions = SoundFileWriterOptions()
) throws -> SoundFileWriteReport {
  let buffer = PlanarBuffer(channels)
  let writer = try SoundFileWriter(
    path: path, format: format, sampleRate: rate, channelCount: channels.count, expectedFrames: expectedFrames,
    options: options)
  let frames = channels.first?.count ?? 0
  var done = 0
  while done < frames {
    let count = min(slice, frames - done)
    try writer.write(buffer.planes, offset: done, frames: count)
    done += count
  }
  return try writer.finish()
}

/// Reads a whole file with the reader under test.
func readFile(_ path: String, slice: Int = 1_000, allowTruncated: Bool = false) throws -> [[Float]] {
  let reader = try SoundFileReader(path: path, allowTruncated: allowTruncated)
  let buffer = PlanarBuffer(channelCount: reader.info.channelCount, frameCapacity: Int(reader.info.frameCount))
  var done = 0
  while true {
    let got = try reader.read(into: buffer.planes, offset: done, frames: slice)
    if got == 0 { break }
    done += got
  }
  return buffer.channels(done)
}

/// Reads a whole file with libsndfile alone: the truth from outside.
func sndfileRead(_ path: String) -> [[Float]]? {
  var info = SF_INFO()
  guard let handle = sf_open(path, Int32(SFM_READ), &info) else { return nil }
  defer { sf_close(handle) }
  let channels = Int(info.channels)
  guard channels > 0 else { return nil }
  var block = [Float](repeating: 0, count: 4_096 * channels)
  var result = [[Float]](repeating: [], count: channels)
  while true {
    let got = Int(sf_readf_float(handle, &block, 4_096))
    if got <= 0 { return result }
    for frame in 0..<got {
      for channel in 0..<channels { result[channel].append(block[frame * channels + channel]) }
    }
  }
}

/// Bit for bit, NaN included.
func bits(_ channels: [[Float]]) -> [[UInt32]] { channels.map { $0.map(\.bitPattern) } }

/// A sine of `amplitude`, another frequency in each channel.
func sines(_ channels: Int, frames: Int, amplitude: Double = 0.5, rate: Double = 48_000) -> [[Float]] {
  (0..<channels).map { channel in
    (0..<frames).map { Float(amplitude * sin(Double($0) * 2 * .pi * (440 + 110 * Double(channel)) / rate)) }
  }
}
