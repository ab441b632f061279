import CSndfile
import Foundation
import TestSupport
import Testing

/// Programs that stream files: to a queue, to a graph, and damaged ones.
@Suite("Streamed files sound as the file reader's, to the bit")
struct FileStreamTests {
  /// Files that queues and converters take: containers, byte orders, widths, G.711.
  private static let formats: [(name: String, format: Int)] = [
    ("16.wav", SF_FORMAT_WAV | SF_FORMAT_PCM_16), ("float.wav", SF_FORMAT_WAV | SF_FORMAT_FLOAT),
    ("ulaw.wav", SF_FORMAT_WAV | SF_FORMAT_ULAW), ("24.rf64", SF_FORMAT_RF64 | SF_FORMAT_PCM_24),
    ("16.aiff", SF_FORMAT_AIFF | SF_FORMAT_PCM_16), ("alaw.aifc", SF_FORMAT_AIFF | SF_FORMAT_ALAW),
    ("24.caf", SF_FORMAT_CAF | SF_FORMAT_PCM_24), ("ulaw.caf", SF_FORMAT_CAF | SF_FORMAT_ULAW),
    ("32.au", SF_FORMAT_AU | SF_FORMAT_PCM_32), ("16.w64", SF_FORMAT_W64 | SF_FORMAT_PCM_16),
  ].map { ($0.0, Int($0.1)) }

  private func run(_ story: String, _ path: String, _ arguments: [String] = ["1"]) throws -> Finished {
    let (program, said) = try Self.program.get()
    try #require(said == "")
    return try Finished(program, [story, path] + arguments)
  }
  private static let program = Result { try Installation.shared().build("streamed_files.c") }

  @Test("bytes in random pieces, the parser and a queue give the file's sound", arguments: ["1", "2", "3"])
  func queue(_ seed: String) throws {
    let folder = TemporaryFolder()
    for (name, format) in Self.formats {
      try copy("\(Repository.path)/fixtures/audio/drums.flac", to: folder.file(name), format: Int32(format))
      let run = try run("queue", folder.file(name), [seed])
      let frames = try Wave(folder.file(name)).channel(0).count
      #expect(run.code == 0, "\(name): \(run.output)\(run.errors)")
      #expect(run.lines == ["frames \(frames) of \(frames), the same \(frames)", "close 0"], "\(name)")
    }
  }

  @Test("bytes in random pieces, the parser, a converter, an equalizer and a graph give the file's sound through both")
  func graph() throws {
    let folder = TemporaryFolder()
    for (name, format) in Self.formats {
      try copy("\(Repository.path)/fixtures/audio/drums.flac", to: folder.file(name), format: Int32(format))
      let run = try run("graph", folder.file(name), ["7"])
      #expect(run.code == 0, "\(name): \(run.output)\(run.errors)")
      #expect(run.lines == ["the same 1, equalized 1, sound 1", "close 0"], "\(name): \(run.output)")
    }
  }

  @Test("damaged files in random pieces give what they give in one, within 1 GiB and two minutes")
  func damage() throws {
    let folder = TemporaryFolder()
    var files = ["\(Repository.path)/fixtures/audio/drums.flac"]
    let more: [(String, Int)] = [
      ("a.mp3", Int(SF_FORMAT_MPEG | SF_FORMAT_MPEG_LAYER_III)), ("alac.caf", Int(SF_FORMAT_CAF | SF_FORMAT_ALAC_16)),
      ("ima.wav", Int(SF_FORMAT_WAV | SF_FORMAT_IMA_ADPCM)),
    ]
    for (name, format) in [Self.formats[0], Self.formats[3], Self.formats[4], Self.formats[6], Self.formats[9]] + more {
      try copy("\(Repository.path)/fixtures/audio/drums.flac", to: folder.file(name), format: Int32(format))
      files.append(folder.file(name))
    }
    for file in files {
      let run = try run("damage", file, ["5", "40"])
      #expect(run.code == 0, "\(file): \(run.code) \(run.output.suffix(300))\(run.errors)")
      #expect(run.lines.last?.hasPrefix("different 0, ") ?? false, "\(file): \(run.output.suffix(600))")
    }
  }

  private static let judges = ["/usr/bin/ffmpeg", "/usr/bin/ffprobe"]
  private static let hasJudge = judges.allSatisfy { FileManager.default.isExecutableFile(atPath: $0) }

  /// Streams with the bytes that FFmpeg counts besides in each packet, and the packets at an end that it passes over: an
  /// edit list leaves the whole of them out.
  private static let streams: [(name: String, options: [String], lead: Int, passed: Int)] = [
    ("a.mp3", [], 0, 0), ("vbr.mp3", ["-q:a", "3"], 0, 0), ("a.aac", [], 7, 0), ("a.ac3", [], 0, 0),
    ("a.flac", [], 0, 0), ("a.m4a", ["-movflags", "+faststart"], 0, 1),
    ("alac.m4a", ["-c:a", "alac", "-movflags", "+faststart"], 0, 0),
  ]

  @Test("FFmpeg finds the same packets", .enabled(if: hasJudge))
  func foreignJudge() throws {
    let folder = TemporaryFolder()
    for (name, options, lead, passed) in Self.streams {
      let path = folder.file(name)
      let made = try Finished(
        Self.judges[0],
        ["-v", "error", "-i", "\(Repository.path)/fixtures/audio/drums.flac", "-map_metadata", "-1"] + options + [path])
      // A build without this encoder judges the others.
      guard made.code == 0 else { continue }
      let probe = try Finished(
        Self.judges[1],
        ["-v", "error", "-select_streams", "a:0", "-show_entries", "packet=size", "-of", "csv=p=0", path])
      let expected = probe.lines.compactMap { Int($0.trimmingCharacters(in: CharacterSet(charactersIn: ", "))) }
      let found = try run("packets", path).lines.compactMap { Int($0) }
      #expect(
        !expected.isEmpty && found.count == expected.count + passed
          && (0...passed).contains { skipped in
            Array(found.dropFirst(skipped).prefix(expected.count)) == expected.map { $0 - lead }
          },
        "\(name): \(found.count) of \(expected.count)")
    }
  }

  @Test("a transcript has the calls of a stream, and those that it makes")
  func transcript() throws {
    let folder = TemporaryFolder()
    try copy(
      "\(Repository.path)/fixtures/audio/drums.flac", to: folder.file("a.wav"), format: Int32(Self.formats[0].format))
    let (program, said) = try Self.program.get()
    try #require(said == "")
    let run = try Finished(
      program, ["packets", folder.file("a.wav"), "1"], ["AUBENCH_TRACE": folder.file("calls.txt")])
    try #require(run.code == 0, "\(run.errors)")
    let text = try String(contentsOfFile: folder.file("calls.txt"), encoding: .utf8)
    for line in [
      "AudioFileStreamOpen = stream 1", "AudioFileStreamParseBytes stream 1: ", "property listener stream 1: ",
      "packets callback stream 1: ", "AudioFileStreamClose stream 1",
    ] {
      #expect(text.contains(line), "\(line) in \(text.prefix(3_000))")
    }
  }

  @Test("the program of the page plays a file that comes on its standard input's pieces")
  func page() throws {
    let folder = TemporaryFolder()
    try copy(
      "\(Repository.path)/fixtures/audio/drums.flac", to: folder.file("a.wav"), format: Int32(Self.formats[0].format))
    let run = try Installation.shared().runProgram(
      ofPage: "docs/file-streams.md", arguments: [folder.file("a.wav")], wave: folder.file("out.wav"))
    #expect(run.code == 0, "\(run.errors)")
    let (source, heard) = (try Wave(folder.file("a.wav")), try Wave(folder.file("out.wav")))
    let (left, played) = (source.channel(0), heard.channel(0))
    try #require(played.count >= left.count)
    #expect(Array(played.prefix(left.count)) == left)
  }
}
