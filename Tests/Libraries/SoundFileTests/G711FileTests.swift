import AudioCore
import SoundFile
import TestSupport
import Testing

/// µ-law and A-law in files: all values of 16 bits, and what lies beyond full scale. The last steps of ITU-T G.711 end at
/// 32124 (µ-law) and 32256 (A-law) of 32768; the widest are 1024 wide.
@Suite struct G711FileTests {
  @Test(
    "every value keeps its sign, and comes back within half of the widest step or as the last one",
    arguments: [SoundFileEncoding.ulaw, .alaw], [SoundFileContainer.wav, .au, .aiff, .caf, .w64, .voc, .rf64])
  func everyValue(_ encoding: SoundFileEncoding, _ container: SoundFileContainer) throws {
    let folder = TemporaryFolder()
    let last: Float = encoding == .ulaw ? 32_124 : 32_256
    let values = (-32_768...32_767).map { Float($0) } + [-40_000, 40_000]
    try writeFile(
      folder.file("a"), .init(container: container, encoding: encoding), [values.map { $0 / 32_768 }], rate: 8_000)
    let found = try readFile(folder.file("a"))[0].map { $0 * 32_768 }
    #expect(found.count == values.count)
    let wrong = zip(values, found).first { value, decoded in
      abs(decoded - max(-32_768, min(32_767, value))) > 32_768 - last || abs(value) > 16 && (value < 0) != (decoded < 0)
    }
    #expect(wrong == nil)
    #expect(found.first == -last && found[65_535] == last && found[65_536] == -last && found.last == last)
  }
}
