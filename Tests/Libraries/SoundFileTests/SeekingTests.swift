import AudioCore
import Glibc
import SoundFile
import TestSupport
import Testing

@Suite struct SeekingTests {
  /// Reading from a frame gives what reading from the beginning gives there, in every format.
  @Test(arguments: SoundFileFormat.allWritable.filter { $0.container != .raw })
  func seekingIsExact(_ format: SoundFileFormat) throws {
    let folder = TemporaryFolder()
    let rate = format.encoding == .opus ? 48_000.0 : 8_000
    guard (try? format.validate(sampleRate: rate, channelCount: 1)) != nil else { return }
    var generator = SeededGenerator(seed: 2)
    let noise = generator.noise(frames: 30_000, amplitude: 0.25)
    try writeFile(folder.file("a"), format, [noise], rate: rate)
    let whole = try readFile(folder.file("a"))[0]
    let reader = try SoundFileReader(path: folder.file("a"))
    let buffer = PlanarBuffer(channelCount: 1, frameCapacity: 3_000)
    let last = Int(reader.info.frameCount)
    for start in [0, 1, 4_095, 4_096, 12_345, 100, last - 10, 20_000, 3, last, 0] {
      try reader.seek(toFrame: Int64(start))
      let got = try reader.read(into: buffer.planes, frames: 3_000)
      #expect(got == min(3_000, last - start))
      let isSame = Array(buffer[0].prefix(got).elements) == Array(whole[start..<start + got])
      #expect(isSame, "\(format) from frame \(start)")
    }
    #expect(throws: BenchError.self) { try reader.seek(toFrame: -1) }
    #expect(throws: BenchError.self) { try reader.seek(toFrame: Int64(last) + 1) }
  }
}
