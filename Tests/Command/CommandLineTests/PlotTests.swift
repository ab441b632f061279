import Foundation
import TestSupport
import Testing

@Suite("aubench plot") struct PlotTests {
  static let hasConverter = ((try? Program.shell("rsvg-convert --version"))?.code ?? 127) == 0

  /// A sine of 1 kHz on the left, silence on the right: 48 kHz, 16 bits, half of full scale.
  static func sine(frames: Int = 48_000) -> WaveFile {
    let samples = (0..<frames).flatMap { (frame: Int) -> [Int16] in
      let phase: Double = 2 * Double.pi * Double(frame) / 48
      return [Int16((16384 * sin(phase)).rounded()), 0]
    }
    return WaveFile.samples(samples, rate: 48_000, channels: 2)
  }

  /// A column of the table beside a picture, by the start of its head; the first is that of x.
  static func column(_ head: String, _ text: String) throws -> [Double] {
    let rows = text.split(separator: "\n").map { $0.split(separator: "\t", omittingEmptySubsequences: false) }
    let index = try #require(rows[0].firstIndex { $0.hasPrefix(head) }, "\(rows[0])")
    return rows.dropFirst().map { Double($0[index]) ?? .nan }
  }

  static func text(_ folder: TemporaryFolder, _ name: String) throws -> String {
    String(decoding: try folder.bytes(name), as: UTF8.self)
  }

  @Test("The spectrum of a sine of half of full scale has its peak of -6 dBFS at its frequency")
  func spectrum() throws {
    let folder = TemporaryFolder()
    folder.write(Self.sine().bytes, to: "in.wav")
    let result = try Program.run(
      "plot", "in.wav", "--channel", "0", "--segment", "4800", "-o", "out.svg", "--data", in: folder)
    #expect(result.code == 0 && result.output.isEmpty, "\(result.errors)")
    #expect(folder.names == ["in.wav", "out.json", "out.svg", "out.tsv"])
    let table = try Self.text(folder, "out.tsv")
    let levels = try Self.column("level", table)
    let peak = try #require(levels.indices.max { levels[$0] < levels[$1] })
    #expect(try Self.column("frequency (Hz)", table)[peak] == 1000)
    // 20·log10(0.5)
    #expect(abs(levels[peak] + 6.0206) < 0.001)
  }

  @Test(
    "Every kind makes every kind of picture", .enabled(if: hasConverter),
    arguments: ["spectrum", "spectrogram", "waveform"])
  func kinds(_ kind: String) throws {
    let folder = TemporaryFolder()
    folder.write(Self.sine().bytes, to: "in.wav")
    for (name, start) in [("a.svg", "<?xml"), ("a.png", "\u{89}PNG"), ("a.pdf", "%PDF")] {
      let result = try Program.run("plot", "in.wav", "--kind", kind, "-o", name, in: folder)
      #expect(result.code == 0, "\(result.errors)")
      #expect(try folder.bytes(name).starts(with: start.unicodeScalars.map { UInt8($0.value) }))
    }
    #expect(folder.names == ["a.pdf", "a.png", "a.svg", "in.wav"], "data are written where they are asked for alone")
  }

  @Test("A waveform holds the samples of the part that was asked for") func waveform() throws {
    let folder = TemporaryFolder()
    folder.write(Self.sine().bytes, to: "in.wav")
    let words = ["plot", "in.wav", "-k", "waveform", "--from", "0.5", "--duration", "0.001", "-o", "w.svg", "--data"]
    #expect(try Program.run(words, in: folder).code == 0)
    let table = try Self.text(folder, "w.tsv")
    let times = try Self.column("time (s)", table)
    #expect(times.count == 48 && times.first == 0.5)
    #expect(try Self.column("amplitude", table)[12] == 0.5)
  }

  @Test("Without -o the picture is text, in ASCII where the locale is not UTF-8") func terminal() throws {
    let folder = TemporaryFolder()
    folder.write(Self.sine().bytes, to: "in.wav")
    for kind in ["spectrum", "spectrogram", "waveform"] {
      let unicode = try Program.shell("LC_ALL=C.UTF-8 \"$AUBENCH\" plot in.wav -k \(kind)", in: folder)
      let plain = try Program.shell("LC_ALL=C \"$AUBENCH\" plot in.wav -k \(kind) -o -", in: folder)
      #expect(unicode.code == 0 && plain.code == 0)
      #expect(unicode.output.contains("│") && !unicode.output.contains("\u{1B}"))
      #expect(plain.output.allSatisfy { $0.isASCII })
      #expect(plain.output.split(separator: "\n").allSatisfy { $0.count <= 80 })
    }
    #expect(folder.names == ["in.wav"])
  }

  @Test("Without librsvg the error says what to install, and nothing is left") func missing() throws {
    let folder = TemporaryFolder()
    folder.write(Self.sine(frames: 1000).bytes, to: "in.wav")
    let result = try Program.shell("PATH=/nonexistent \"$AUBENCH\" plot in.wav -o out.png", in: folder)
    #expect(result.code == 5 && result.errors.contains("install librsvg2-bin"))
    #expect(folder.names == ["in.wav"])
  }

  @Test("A picture's data do not overwrite a file of another kind") func data() throws {
    let folder = TemporaryFolder()
    folder.write(Self.sine(frames: 1000).bytes, to: "in.wav")
    folder.write(GraphText.player("in.wav"), to: "peak.json")
    let result = try Program.run("plot", "in.wav", "-o", "peak.svg", "--data", in: folder)
    #expect(result.code == 5 && result.errors.contains("peak.json"))
    #expect(try Self.text(folder, "peak.json") == GraphText.player("in.wav"))
  }

  static let wrong: [(line: String, code: Int32, message: String)] = [
    ("plot", 2, "FILE is missing"), ("plot IN -k foo", 2, "choose from spectrum"), ("plot -", 2, "standard input"),
    ("plot IN -o x.gif", 2, ".svg, .png or .pdf"), ("plot IN --channel 2", 2, "0 to 1"),
    ("plot IN IN -k waveform", 2, "one file"), ("plot IN --from 99", 2, "begin earlier"),
    ("plot IN --low 30000", 2, "24000 Hz"), ("plot IN --low 300 --high 200", 2, "not below"),
    ("plot IN --segment 3", 2, "16 to 1048576"), ("plot IN -k spectrogram --segment 9000", 2, "8192"),
    ("plot IN --floor nan", 2, "finite"), ("plot none.wav", 4, "none.wav"), ("plot IN -o no/x.svg", 5, "no folder"),
  ]

  @Test("A wrong line says what is wrong", arguments: wrong.indices) func wrongLines(_ index: Int) throws {
    let (line, code, message) = Self.wrong[index]
    let folder = TemporaryFolder()
    folder.write(Self.sine(frames: 1000).bytes, to: "in.wav")
    let words = line.split(separator: " ").map { $0.replacingOccurrences(of: "IN", with: "in.wav") }
    let result = try Program.run(words, in: folder)
    #expect(result.code == code && result.errors.contains(message), "\(result.errors)")
    #expect(folder.names == ["in.wav"])
  }

  @Test("Silence, a single frame and empty files are no crash") func smallFiles() throws {
    let folder = TemporaryFolder()
    folder.write(WaveFile.samples([0, 0, 0, 0]).bytes, to: "silence.wav")
    folder.write(WaveFile.samples([100]).bytes, to: "one.wav")
    for kind in ["spectrum", "spectrogram", "waveform"] {
      for file in ["silence.wav", "one.wav"] {
        let result = try Program.run("plot", file, "-k", kind, in: folder)
        #expect(result.code == 0, "\(kind) of \(file): \(result.errors)")
      }
    }
    folder.write(WaveFile.samples([]).bytes, to: "empty.wav")
    #expect(try Program.run("plot", "empty.wav", in: folder).code == 4)
  }
}
