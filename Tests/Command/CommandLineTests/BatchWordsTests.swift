import Foundation
import Glibc
import TestSupport
import Testing

/// The texts of a batch about its work: what it makes, would make, leaves out and has made when it is stopped.
@Suite("Words of a batch")
struct BatchWordsTests {
  private let folder = TemporaryFolder()

  private func run(_ script: String) throws -> Program.Result { try Program.shell(script, in: folder) }

  private func sound(_ name: String, channels: Int = 1, frames: Int = 4410, level: Int16 = 8000) {
    let samples = (0..<frames * channels).map {
      Int16(truncatingIfNeeded: Int($0 * 7919) % (2 * Int(level) + 1)) - level
    }
    folder.write(
      WaveFile.samples(level == 0 ? [Int16](repeating: 0, count: frames * channels) : samples, channels: channels)
        .bytes,
      to: name)
  }

  @Test func aTableWithSemicolonsIsRefusedBeforeAnythingIsMade() throws {
    sound("a.wav")
    folder.write("id;input\n1;a.wav\n", to: "t.csv")
    folder.write(#"{"version": 1, "table": "t.csv", "output": "out/{index}.flac"}"#, to: "job.json")
    let result = try run("\"$AUBENCH\" batch job.json")
    #expect(result.code == 2 && result.output.isEmpty)
    #expect(
      result.errors
        == "aubench: table, row 1: there is no input to be converted; its values stand between semicolons: save it with commas\n"
    )
    #expect(folder.names == ["a.wav", "job.json", "t.csv"])
  }

  @Test func aDryRunSaysWhatTheRunWould() throws {
    for name in ["a", "b", "c", "d"] { sound(name + ".wav") }
    folder.write("no sound", to: "bad.wav")
    folder.write("a.wav\nb.wav\nnone.wav\nbad.wav\nc.wav\nd.wav\n", to: "list")
    let line = "\"$AUBENCH\" convert @list -o 'out/{name}.flac' --journal j"
    let before = try run("\(line) --dry-run")
    #expect(before.output.hasSuffix("\n4 of 6 files would be made, 2 would fail\n"), "\(before.output)")
    #expect(before.output.contains("none.wav -> out/none.flac  (would fail: there is no such file)\n"))
    #expect(
      before.errors.contains("none.wav: there is no such file") && before.errors.contains("bad.wav: is not a sound"))
    #expect(!folder.exists("out") && !folder.exists("j"))
    let made = try run(line)
    #expect(made.code == before.code && made.output.hasPrefix("4 of 6 files made, 2 failed\n"), "\(made.output)")
    // With a journal too, in which nothing is known of what cannot be read.
    let after = try run("rm out/c.flac; \(line) --dry-run")
    #expect(after.output.hasSuffix("\n1 of 6 files would be made, 2 would fail, 3 up to date\n"), "\(after.output)")
    #expect(after.code == made.code)
    let json = try run("\(line) --dry-run --json")
    #expect(
      try json.value("made") as? Int == 1 && json.value("failed") as? Int == 2 && json.value("current") as? Int == 3)
    // Errors that would occur at the output: its kind of file, its folder, its cover.
    let kinds = try run("\"$AUBENCH\" convert a.wav -o '{name}.mp3' --rate 47999 --dry-run")
    #expect(kinds.code == 2 && kinds.output.hasSuffix("0 of 1 file would be made, 1 would fail\n"), "\(kinds.errors)")
    let place = try run("touch taken; \"$AUBENCH\" convert a.wav -o 'taken/{name}.flac' --dry-run")
    #expect(place.code == 5 && place.errors.contains("the folder cannot be made"), "\(place.errors)")
    let there = try run("\"$AUBENCH\" convert a.wav b.wav c.wav -o 'out/{name}.flac' --no-clobber --dry-run")
    #expect(there.code == 0 && there.output.hasSuffix("1 of 3 files would be made, 2 there already\n"))
  }

  @Test func aStoppedBatchSaysWhatIsMadeAndHowToGoOn() throws {
    for index in 0..<5 { sound("\(index).wav", frames: 100) }
    // A file of two gigabytes, on a disk that has none of them: it is begun first, and is not ready for a long time.
    let frames: UInt32 = 1 << 30
    var header = WaveFile.samples([]).bytes
    header.replaceSubrange(4..<8, with: WaveFile.littleEndian(36 + frames * 2, 4))
    header.replaceSubrange(40..<44, with: WaveFile.littleEndian(frames &* 2, 4))
    folder.write(header, to: "long.wav")
    #expect(truncate(folder.file("long.wav"), off_t(frames) * 2 + 44) == 0)
    for journal in [[], ["--journal", "j"]] {
      try? FileManager.default.removeItem(atPath: folder.file("out"))
      let words = ["convert", "long.wav", "?.wav", "-o", "out/{name}.flac", "--rate", "192000", "-t2"]
      let process = try Program.Running([Program.path] + words + journal, in: folder)
      let isRunning = { FileManager.default.fileExists(atPath: "/proc/\(process.pid)/fd/1") }
      while (0..<5).contains(where: { !folder.exists("out/\($0).flac") }), isRunning() { sched_yield() }
      kill(process.pid, SIGINT)
      let result = try process.wait()
      #expect(result.code == 128 + SIGINT)
      #expect(
        result.errors.contains("stopped by SIGINT after 5 of 6 files were made, which are whole"), "\(result.errors)")
      #expect(!result.errors.contains("nothing was written"))
      #expect(result.errors.contains(journal.isEmpty ? "again with --no-clobber" : "run the same line again"))
      let names = try FileManager.default.contentsOfDirectory(atPath: folder.file("out"))
      #expect(names.sorted() == (0..<5).map { "\($0).flac" })
    }
  }

  @Test func droppedChannelsAreNamed() throws {
    sound("surround.wav", channels: 6)
    let one = try run("\"$AUBENCH\" convert surround.wav one.wav --channels 2 --json")
    #expect(
      one.errors.contains(
        "surround.wav: 4 of its 6 channels are dropped: 2 (centre), 3 (low frequencies), 4 (left surround), "
          + "5 (right surround);"), "\(one.errors)")
    #expect(try one.value("droppedChannels") as? [Int] == [2, 3, 4, 5])
    let many = try run(
      "\"$AUBENCH\" convert surround.wav -o 'out/{name}.flac' --channels 2 --csv r.csv --html r.html --json")
    #expect(many.errors.contains("2 (centre)") && many.output.contains("2 (centre)"))
    for name in ["r.csv", "r.html"] {
      #expect(String(decoding: try folder.bytes(name), as: UTF8.self).contains("2 (centre)"))
    }
    // The same for a trimmed one, which is written in a second pass.
    #expect(try run("\"$AUBENCH\" convert surround.wav -o t.flac --channels 2 --trim").errors.contains("2 (centre)"))
    // Changes that were requested, and outputs with all channels, need no warning.
    for line in ["--map 0,1", "--channels 1", "--channels 8"] {
      #expect(try run("\"$AUBENCH\" convert surround.wav x.wav \(line)").errors.isEmpty, "\(line)")
    }
  }

  @Test func nothingLeftOfASilentFileIsAnErrorOrAValidFile() throws {
    sound("silent.wav", level: 0)
    sound("loud.wav")
    for (name, code) in [("flac", 5), ("mp3", 5), ("ogg", 5), ("w64", 5), ("wav", 0), ("caf", 0)] as [(String, Int32)] {
      let result = try run(
        "\"$AUBENCH\" convert silent.wav loud.wav -o 'out/{name}.\(name)' --trim; echo; cd out && ls")
      #expect(
        result.output.contains(code == 0 ? "2 of 2 files made" : "1 of 2 files made, 1 failed"), "\(result.errors)")
      #expect(result.output.contains("silent.\(name)\n") == (code == 0) || result.output.contains("silent.wav -> "))
      #expect(
        result.errors.contains(code == 0 ? "all of it is silence" : "silent.wav is below -60 dBFS"), "\(result.errors)")
      #expect(folder.exists("out/silent.\(name)") == (code == 0) && folder.exists("out/loud.\(name)"))
    }
    // Lengths of no frames in `render` and in `convert`.
    folder.write(GraphText.player("loud.wav"), to: "g.json")
    for line in ["render g.json -o r.flac --frames 0", "convert out/silent.wav r.flac"] {
      let result = try run("\"$AUBENCH\" \(line)")
      #expect(result.code == 5 && result.errors.contains("r.flac: the sound has no frames"), "\(result.errors)")
      #expect(!folder.exists("r.flac"))
    }
    #expect(try run("\"$AUBENCH\" render g.json -o r.wav --frames 0 && \"$AUBENCH\" convert r.wav s.wav").code == 0)
    #expect(try WaveFile(reading: folder.bytes("s.wav")).frames == 0)
  }

  @Test func fadesThatDoNotFitAreShortenedWithAWord() throws {
    // 0.1 s.
    folder.write(WaveFile.samples([Int16](repeating: 16_384, count: 1000), rate: 10_000).bytes, to: "a.wav")
    let result = try run("\"$AUBENCH\" convert a.wav -o b.wav --fade-in 0.3 --fade-out 0.1 -e pcm16")
    #expect(result.code == 0)
    #expect(
      result.errors.contains("the fades of 0.3 and 0.1 s are shortened to 0.075 and 0.025 s, as the sound has 0.1 s"),
      "\(result.errors)")
    let made = try WaveFile(reading: folder.bytes("b.wav")).channel(0).map { Double($0) / 16_384 }
    for frame in [0, 100, 374, 375, 700] {
      #expect(abs(made[frame] - (0.5 - 0.5 * cos(Double.pi * (Double(frame) + 0.5) / 750))) < 1e-4)
    }
    #expect(abs(made[999] - (0.5 - 0.5 * cos(Double.pi * 0.5 / 250))) < 1e-4 && made[749] > 0.999)
  }

  @Test func unitsStandAtNumbers() throws {
    sound("a.wav", frames: 44_100)
    let plain = try run(
      "\"$AUBENCH\" convert a.wav -o x.wav --loudness -20 --true-peak -3 --trim=-50 -q && cat x.wav | wc -c")
    #expect(plain.code == 0, "\(plain.errors)")
    let units = try run(
      "\"$AUBENCH\" convert a.wav -o y.wav --loudness -20LUFS --true-peak -3dBTP --trim=-50dBFS --trim-keep 0ms -q")
    #expect(units.code == 0, "\(units.errors)")
    #expect(try folder.bytes("x.wav") == folder.bytes("y.wav"))
  }

  @Test func aConversionMakesItsFolderAndNoneWhereNoneCanBe() throws {
    sound("a.wav")
    #expect(try run("\"$AUBENCH\" convert a.wav new/deep/b.flac -q").code == 0 && folder.exists("new/deep/b.flac"))
    // A bad input makes none.
    folder.write("no sound", to: "bad.wav")
    #expect(try run("\"$AUBENCH\" convert bad.wav none/b.flac -q").code == 4 && !folder.exists("none"))
    for line in [
      "convert a.wav /proc/x.wav", "convert a.wav -o /proc/x.wav", "convert a.wav -o x.wav --csv /proc/x.csv",
    ] {
      let result = try run("\"$AUBENCH\" \(line)")
      #expect(result.code == 5 && !result.errors.contains("make it first"), "\(result.errors)")
      #expect(result.errors.contains("/proc"), "\(result.errors)")
    }
  }

  @Test func howMuchACodecTakesIsSaidOnTheLineOrInTheJob() throws {
    sound("a.wav", channels: 2, frames: 5 * 44_100)
    folder.write(#"{"version": 1, "inputs": "a.wav", "output": "job.mp3", "bitRate": 96}"#, to: "job.json")
    let result = try run(
      """
      "$AUBENCH" convert a.wav one.mp3 --bit-rate 96 -q && "$AUBENCH" convert a.wav -o many.mp3 --bit-rate 96kbps -q &&
      "$AUBENCH" batch job.json -q && cmp one.mp3 many.mp3 && cmp one.mp3 job.mp3 &&
      "$AUBENCH" convert a.wav small.ogg --codec-quality 0 -q && "$AUBENCH" convert a.wav large.ogg --codec-quality 0.9 -q
      """)
    #expect(result.code == 0, "\(result.errors)")
    #expect(abs(Double(try folder.bytes("one.mp3").count) * 8 / 5000 / 96 - 1) < 0.05)
    #expect(try folder.bytes("small.ogg").count * 2 < folder.bytes("large.ogg").count)
    for (line, words) in [
      ("x.mp3 --bit-rate 100", "it has 32, 40"), ("x.wav --bit-rate 96", "MP3, AAC and Opus"),
      ("x.ogg --bit-rate 96", "quality"),
      ("x.wav --codec-quality 1", "no codec with a quality"), ("x.mp3 --codec-quality 2", "from 0"),
      ("x.mp3 --bit-rate 96 --codec-quality 1", "leave one of the two out"), ("x.mp3 --bit-rate 96.5", "whole number"),
    ] {
      for output in [line, "-o " + line] {
        let refused = try run("\"$AUBENCH\" convert a.wav \(output)")
        #expect(refused.code == 2 && refused.errors.contains(words), "\(output): \(refused.errors)")
      }
    }
    #expect(!folder.exists("x.mp3") && !folder.exists("x.wav"))
  }

  @Test func truncationIsAllowedByWhatCanBeWrittenThere() throws {
    let whole = WaveFile.noise(frames: 10_000).bytes
    folder.write(Array(whole[..<10_000]), to: "cut.wav")
    folder.write(#"{"version": 1, "inputs": "cut.wav", "output": "job.wav"}"#, to: "job.json")
    folder.write(#"{"version": 1, "inputs": "cut.wav", "output": "job.wav", "allowTruncated": true}"#, to: "taken.json")
    for (line, words) in [
      ("convert cut.wav x.wav", "\"aubench convert --allow-truncated\" keeps"),
      ("batch job.json", "\"allowTruncated\": true"),
      ("convert cut.wav -o x.wav", "\"aubench convert --allow-truncated\" keeps"),
    ] {
      let result = try run("\"$AUBENCH\" \(line)")
      #expect(result.code == 4 && result.errors.contains(words), "\(result.errors)")
    }
    #expect(
      try run("\"$AUBENCH\" batch taken.json -q && \"$AUBENCH\" convert cut.wav x.wav --allow-truncated -q").code == 0)
  }

  /// BS.1770: a sine of 997 Hz on both channels reads its level.
  @Test func piecesReportTheirOwnLoudness() throws {
    let sine = (0..<4 * 48_000).flatMap { frame -> [Int16] in
      let level = frame < 96_000 ? 0.1 : 0.01
      let sample = Int16(clamping: (level * 32_767 * sin(2 * Double.pi * 997 * Double(frame) / 48_000)).rounded())
      return [sample, sample]
    }
    folder.write(WaveFile.samples(sine, rate: 48_000, channels: 2).bytes, to: "a.wav")
    folder.write("start,title\n0,loud\n2,soft\n", to: "a.csv")
    let result = try run(
      "\"$AUBENCH\" convert a.wav -o '{title}.wav' --split '{path}.csv' --measure-loudness --csv r.csv -q && tr -d '\\r' <r.csv"
    )
    let lines = result.output.split(separator: "\n").map {
      $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    }
    let rows = lines.dropFirst()
    #expect(rows.map { $0.first ?? "" } == ["loud.wav", "soft.wav"], "\(result.errors)")
    for column in ["loudness LUFS", "true peak dBTP"] {
      let index = try #require(lines.first?.firstIndex(of: column))
      for (row, level) in zip(rows, [-20.0, -40]) { #expect(abs((Double(row[index]) ?? 0) - level) < 0.2, "\(row)") }
    }
  }
}
