import BatchRender
import Glibc
import TestSupport
import Testing

/// Files of 8, 16 and 24 bits pass through a graph unchanged; the demo graph against another program's numbers.
@Suite struct BitExactTests {
  /// Every value of 8 and 16 bits; of 24 bits both ends, the middle and a seeded choice.
  static func values(bits: Int) -> [Float] {
    let half = 1 << (bits - 1)
    var numbers = bits <= 16 ? Array(-half..<half) : [-half, -half + 1, -1, 0, 1, half - 2, half - 1]
    var generator = SeededGenerator(seed: 24)
    if bits > 16 { for _ in 0..<60_000 { numbers.append(Int.random(in: -half..<half, using: &generator)) } }
    return numbers.map { Float($0) / Float(half) }
  }

  @Test(
    "a file of 8, 16 or 24 bits goes through player, mixers, converter and output into the same bytes",
    arguments: [
      ("wav", SoundFileEncoding.pcmU8, 8), ("wav", .pcm16, 16), ("wav", .pcm24, 24), ("aiff", .pcmS8, 8),
      ("aiff", .pcm16, 16), ("caf", .pcm24, 24), ("flac", .pcm16, 16), ("flac", .pcm24, 24),
    ], [1, 2])
  func integers(kind: (String, SoundFileEncoding, Int), threads: Int) throws {
    let (ending, encoding, bits) = kind
    let folder = TemporaryFolder()
    let values = Self.values(bits: bits)
    let input = folder.file("in.\(ending)")
    try writeSound(input, [values, values.reversed()], rate: 48_000, encoding: encoding)
    let graph = try GraphFile.parse(
      graphText(
        rate: 48_000,
        [
          #"{ "id": "a", "unit": "filePlayer", "file": "in.\#(ending)" }"#,
          #"{ "id": "flat", "unit": "iPodEQ", "preset": "Disabled" }"#,
          #"{ "id": "sub", "unit": "multichannelMixer", "inputs": 2 }"#,
          #"{ "id": "conv", "unit": "formatConverter", "format": { "encoding": "int24", "interleaved": true } }"#,
          #"{ "id": "mix", "unit": "multichannelMixer" }"#, #"{ "id": "out", "unit": "genericOutput" }"#,
        ], ["a -> flat", "flat -> sub", "sub -> conv", "conv -> mix", "mix -> out"]), folder: folder.path + "/")
    let report = try OfflineRenderer(graph).render(
      to: folder.file("out.\(ending)"), as: SoundFileFormat(path: input, encoding: encoding.rawValue),
      options: .init(.sources(tail: false), slice: 1000, threads: threads))
    #expect(report.clippedSamples == 0 && report.frames == Int64(values.count))
    let before = bytes(ofFile: input)
    #expect(before.count > 500)
    #expect(bytes(ofFile: folder.file("out.\(ending)")) == before)
    let sound = try readSound(folder.file("out.\(ending)"))
    #expect(sound == [values, values.reversed()])
  }

  /// `fixtures/reference/demo-render.tsv` is made by `Scripts/reference_render.py fixtures/demo/demo.json --table 200
  /// …`: numpy and scipy in float64, the whole graph at once in memory.
  @Test("the demo graph is what scipy makes of it, to a millionth of full scale, through a file of 24 bits")
  func demo() throws {
    let folder = TemporaryFolder()
    let lines = try Repository.text("fixtures/reference/demo-render.tsv").split(separator: "\n")
    let rows = lines.filter { !$0.hasPrefix("#") }.map { line in line.split(separator: "\t").compactMap { Double($0) } }
    try #require(rows.count == 200 && rows.allSatisfy { $0.count == 3 })
    let report = try OfflineRenderer(try GraphFile.load(Fixtures.path("demo/demo.json"))).render(
      to: folder.file("demo.wav"), as: SoundFileFormat(container: .wav, encoding: .pcm24),
      options: .init(.sources(tail: false), threads: 2))
    #expect(report.frames == 672_000)
    let sound = try readSound(folder.file("demo.wav"))
    var worst = 0.0
    var loudest = 0.0
    for row in rows {
      for channel in 0..<2 {
        worst = max(worst, abs(Double(sound[channel][Int(clamping: row[0])]) - row[1 + channel]))
        loudest = max(loudest, abs(row[1 + channel]))
      }
    }
    #expect(worst < 1e-6, "\(worst)")
    #expect(loudest > 0.1)
  }
}
