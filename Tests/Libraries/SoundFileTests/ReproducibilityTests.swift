import AudioCore
import Glibc
import SoundFile
import TestSupport
import Testing

@Suite struct ReproducibilityTests {
  /// libsndfile dates some headers and draws Ogg serials from the clock, both by the second.
  @Test func everyFormatIsTheSameFileInAnotherSecond() throws {
    let folder = TemporaryFolder()
    var all = SoundFileMetadata()
    for field in SoundFileMetadata.Field.allCases { all[field] = field.rawValue }
    let options = SoundFileWriterOptions(metadata: all)
    func writeAll(_ run: Int) throws {
      for (index, format) in SoundFileFormat.allWritable.enumerated() {
        guard (try? format.validate(sampleRate: 8_000, channelCount: 1)) != nil else { continue }
        try writeFile(
          folder.file("\(index)-\(run)"), format, sines(1, frames: 6_000, rate: 8_000), rate: 8_000, options: options)
      }
    }
    try writeAll(0)
    let start = time(nil)
    // Only time brings another second of the clock.
    #expect(eventually { time(nil) >= start + 2 })
    try writeAll(1)
    for (index, format) in SoundFileFormat.allWritable.enumerated() {
      #expect(bytes(ofFile: folder.file("\(index)-0")) == bytes(ofFile: folder.file("\(index)-1")), "\(format)")
    }
  }

  @Test func oggStreamsHaveConstantSerialsAndStillDecode() throws {
    let folder = TemporaryFolder()
    for container in [SoundFileContainer.ogg, .opus] {
      let path = folder.file("a.\(container.rawValue)")
      try writeFile(path, .init(container: container), sines(2, frames: 100_000))
      let page = bytes(ofFile: path)
      #expect(Array(page[14..<18]) == [1, 0, 0, 0])
      // libogg drops pages whose checksum is wrong, so a whole decode proves the checksums.
      #expect(try #require(sndfileRead(path))[0].count == 100_000)
    }
  }
}
