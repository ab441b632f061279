import Foundation
import TestSupport
import Testing

/// `convert` and `render` of many files: what each single run makes, nothing of what fails, and what there is to say.
@Suite("Many files")
struct ManyFilesTests {
  private let folder = TemporaryFolder()
  private static let names = ["bass", "choir", "crow-22050", "drums", "guitar", "piano", "tabla-48000", "tabla"]

  private static let graph = """
    {"version": 1, "sampleRate": 44100, "nodes": [
      {"id": "voice", "unit": "filePlayer", "file": "none.wav"},
      {"id": "eq", "unit": "nBandEQ", "bands": [{"type": "parametric", "frequency": 1000, "gain": -6}]},
      {"id": "out", "unit": "genericOutput", "format": {"sampleRate": 48000}}],
      "connections": ["voice -> eq", "eq -> out"]}
    """

  private func run(_ script: String) throws -> Program.Result { try Program.shell(script, in: folder) }

  @Test func everyFileBecomesWhatItBecomesAlone() throws {
    let result = try run(
      "\"$AUBENCH\" convert '\(Program.audio)/*.flac' -o 'out/{name}.wav' --rate 32000 --dither -e pcm16")
    #expect(result.code == 0 && result.output.hasPrefix("8 of 8 files made\n"), "\(result.errors)")
    #expect(result.errors.isEmpty)
    for name in Self.names {
      let alone = try run(
        "\"$AUBENCH\" convert '\(Program.audio)/\(name).flac' one.wav -q --rate 32000 --dither -e pcm16")
      #expect(alone.code == 0)
      #expect(try folder.bytes("out/\(name).wav") == folder.bytes("one.wav"), "\(name)")
    }
    #expect(folder.names == ["one.wav", "out"])
  }

  @Test func everyFileThroughAGraph() throws {
    folder.write(Self.graph, to: "chain.json")
    let many = try run(
      "\"$AUBENCH\" render chain.json -i voice='\(Program.audio)/[dgp]*.flac' -o 'out/{index:2}-{name}.wav' -t2")
    #expect(many.code == 0, "\(many.errors)")
    for (index, name) in ["drums", "guitar", "piano"].enumerated() {
      let alone = try run("\"$AUBENCH\" render chain.json -i voice=\(Program.audio)/\(name).flac -o one.wav -q")
      #expect(alone.code == 0)
      #expect(try folder.bytes("out/0\(index + 1)-\(name).wav") == folder.bytes("one.wav"))
    }
  }

  /// Graphs are used again for files of one rate and number of channels: nothing of a file may be left in the next.
  @Test func graphsThatAreUsedAgainGiveTheSameBits() throws {
    folder.write(
      #"""
      {"version": 1, "sampleRate": 44100, "nodes": [{"id": "voice", "unit": "filePlayer", "file": "none.wav"},
        {"id": "bed", "unit": "filePlayer", "file": "AUDIO/guitar.flac"},
        {"id": "eq", "unit": "nBandEQ", "bands": [{"type": "resonantLowPass", "frequency": 300, "bandwidth": 0.1}],
         "ramp": [{"parameter": "frequency0", "points": [[0, 300], [30000, 3000]]}]},
        {"id": "mix", "unit": "multichannelMixer", "inputs": 2}, {"id": "out", "unit": "genericOutput", "format": {"sampleRate": 48000}}],
        "connections": ["voice -> eq", "eq -> mix:0", "bed -> mix:1", "mix -> out"]}
      """#.replacing("AUDIO", with: Program.audio), to: "g.json")
    let made = try run(
      """
      mkdir in; n=0; for turn in 1 2 3; do for name in bass tabla guitar piano crow-22050 choir drums; do
      n=$((n+1)); cp '\(Program.audio)'/$name.flac in/$n-$name.flac; done; done
      "$AUBENCH" render g.json -i voice=in -o 'out/{name}.wav' -t1 -q && "$AUBENCH" render g.json -i voice=in -o 'two/{name}.wav' -t2 -q &&
      diff -r out two
      for name in bass tabla guitar piano crow-22050 choir drums; do
      "$AUBENCH" render g.json -i voice='\(Program.audio)'/$name.flac -o one.wav -q
      for file in out/*-$name.wav; do cmp $file one.wav && echo same; done; done
      """)
    #expect(made.output == String(repeating: "same\n", count: 21), "\(made.output)\(made.errors)")
  }

  @Test func everyFileAtItsOwnRateAndChannels() throws {
    folder.write(
      Self.graph.replacing("\"sampleRate\": 44100", with: "\"sampleRate\": \"input\"")
        .replacing(", \"format\": {\"sampleRate\": 48000}", with: ""), to: "own.json")
    let many = try run(
      """
      mkdir in; for rate in 8000 22050 96000; do "$AUBENCH" convert '\(Program.audio)/bass.flac' in/$rate.wav -q --rate $rate --channels 2; done
      for name in tabla tabla-48000 crow-22050; do cp '\(Program.audio)'/$name.flac in; done
      "$AUBENCH" render own.json -i voice=in -o 'out/{name}.wav' --no-tail --csv r.csv
      """)
    #expect(many.code == 0 && many.output.hasPrefix("6 of 6 files made\n"), "\(many.errors)")
    let facts = try run("cut -d , -f 1,4,5 r.csv | tail -n +2 | tr -d '\\r'").output.split(separator: "\n").sorted()
    #expect(
      facts == [
        "out/22050.wav,22050,2", "out/8000.wav,8000,2", "out/96000.wav,96000,2", "out/crow-22050.wav,22050,1",
        "out/tabla-48000.wav,48000,1", "out/tabla.wav,44100,1",
      ])
    // As a graph of that rate makes it.
    let alone = try run(
      """
      sed 's/"input"/22050/' own.json >fixed.json
      "$AUBENCH" render fixed.json -i voice=in/crow-22050.flac -o one.wav -q --no-tail && cmp one.wav out/crow-22050.wav
      """)
    #expect(alone.code == 0, "\(alone.output)\(alone.errors)")
  }

  @Test func mistakesOfAllFilesAreToldBeforeTheFirst() throws {
    folder.write(Self.graph, to: "chain.json")
    let line = "\"$AUBENCH\" render chain.json -o 'out/{name}.wav' --dry-run"
    let player = try run("\(line) -i voyce='\(Program.audio)/*.flac'")
    #expect(player.code == 2 && player.output.isEmpty)
    #expect(
      player.errors
        == "aubench: chain.json: it has no node \"voyce\" that could get files; did you mean \"voice\"?\n")
    let setting = try run("\(line) -i voice='\(Program.audio)/*.flac' --set eq.gian@band:0=3")
    #expect(setting.code != 0 && setting.errors.contains("eq.gian"), "\(setting.errors)")
    folder.write(
      #"""
      {"version": 1, "graph": "chain.json", "inputs": {"voice": "AUDIO/*.flac"}, "output": "out/{x}/{name}.wav",
       "settings": {"x": {"good": {"eq.gain@band:0": 1}, "bad": {"eq.gain@band:7": 1}}}}
      """#.replacing("AUDIO", with: Program.audio), to: "job.json")
    let job = try run("\"$AUBENCH\" batch job.json; ls")
    #expect(job.errors.contains("eq.gain@band:7") && !job.output.contains("out"), "\(job.output)\(job.errors)")
    // An error of one row of a table, or a file that is too short, fails only that one.
    folder.write(
      #"""
      {"version": 1, "graph": "chain.json", "table": "t.csv", "columns": {"clip": "voice"}, "output": "rows/{id}.wav"}
      """#, to: "rows.json")
    folder.write(
      "id,clip,eq.gain@band:0\n1,\(Program.audio)/bass.flac,900\n2,\(Program.audio)/bass.flac,3\n", to: "t.csv")
    let rows = try run("\"$AUBENCH\" batch rows.json; ls rows")
    #expect(
      rows.output.hasPrefix("1 of 2 files made, 1 failed\n") && rows.output.hasSuffix("2.wav\n"), "\(rows.output)")
    folder.write(
      Self.graph.replacing("\"file\": \"none.wav\"", with: "\"file\": \"none.wav\", \"region\": [0, 40000]"),
      to: "region.json")
    let region = try run(
      "\"$AUBENCH\" render region.json -i voice='\(Program.audio)/[ct]*.flac' -o 'part/{name}.wav'; ls part")
    #expect(
      region.output.contains("1 of 4 files made, 3 failed\n") && region.output.hasSuffix("choir.wav\n"),
      "\(region.output)")
    // A file that is bad is no mistake of the job.
    let file = try run(
      "mkdir in; echo no sound >in/a.wav; cp '\(Program.audio)/bass.flac' in; \"$AUBENCH\" render chain.json -i voice=in -o 'out/{name}.wav'"
    )
    #expect(file.output.hasPrefix("1 of 2 files made, 1 failed\n"), "\(file.output)\(file.errors)")
    let report = try run("\"$AUBENCH\" render chain.json -i voice=in -o 'new/{name}.wav' --csv none/r.csv; ls")
    #expect(report.errors.hasPrefix("aubench: none/r.csv: ") && !report.output.contains("new"), "\(report.errors)")
  }

  @Test func aBadFileIsToldAndTheOthersAreMade() throws {
    let made = try run(
      """
      mkdir -p in/b; echo no sound > in/b/bad.wav
      cp '\(Program.audio)/drums.flac' in/a.flac; cp '\(Program.audio)/bass.flac' in/b/c.flac
      "$AUBENCH" convert in -o 'out/{folder}/{name}.wav'
      """)
    #expect(made.code == 4)
    #expect(
      made.output.hasPrefix("2 of 3 files made, 1 failed\n") && made.output.contains("in/b/bad.wav -> out/b/bad.wav"))
    #expect(
      made.errors == "aubench: in/b/bad.wav: is not a sound file of a kind that libsndfile knows; convert it to WAV, "
        + "AIFF, CAF, FLAC, Ogg or MP3\n")
    #expect(try run("cd out && find . -type f | sort").output == "./a.wav\n./b/c.wav\n")
    // Failures of different kinds have a code of their own.
    let several = try run("rm -r out; mkdir -p out; touch out/b; \"$AUBENCH\" convert in -o 'out/{folder}/{name}.wav'")
    #expect(several.code == 5, "\(several.errors)")
    let mixed = try run("cp in/b/bad.wav in; \"$AUBENCH\" convert in -o 'out/{folder}/{name}.wav' --json")
    #expect(mixed.code == 11)
    #expect(try mixed.value("failed") as? Int == 3 && mixed.value("made") as? Int == 1)
    let first = try run("rm -r out; \"$AUBENCH\" convert in -t1 --fail-fast -o 'out/{folder}/{name}.wav'")
    #expect(first.code == 4 && first.output.hasPrefix("2 of 4 files made, 1 failed, 1 not begun\n"), "\(first.output)")
  }

  @Test func whatIsThereCanStay() throws {
    let line = "\"$AUBENCH\" convert '\(Program.audio)/[bc]*.flac' -o 'out/{name}.wav' --no-clobber"
    #expect(try run(line).output.hasPrefix("3 of 3 files made\n"))
    let again = try run("echo mine > out/bass.wav; \(line)")
    #expect(again.code == 0 && again.output.hasPrefix("0 of 3 files made, 3 there already\n"))
    #expect(try folder.bytes("out/bass.wav") == Array("mine\n".utf8))
  }

  @Test func aJournalKnowsWhatOutputsAreMadeOfAndNotHowTheRunWent() throws {
    let line = "\"$AUBENCH\" convert '\(Program.audio)/[bc]*.flac' -o 'out/{name}.flac' --journal j --cover cover"
    let pictures = "\(Program.audio)/../../Tests/Libraries/TagsTests/Fixtures/cover"
    #expect(try run("cp '\(pictures).png' cover; \(line) -t2").output.hasPrefix("3 of 3 files made\n"))
    let again = try run("\(line) -t1 --retries 1 --csv report.csv")
    #expect(again.output.hasPrefix("0 of 3 files made, 3 up to date\n"), "\(again.errors)")
    // Another picture under the same name is another output.
    #expect(try run("cp '\(pictures).jpg' cover; \(line)").output.hasPrefix("3 of 3 files made\n"))
    #expect(try run("\(line) --rate 8000").output.hasPrefix("3 of 3 files made\n"))
  }

  @Test func aDryRunTouchesNothing() throws {
    let result = try run("\"$AUBENCH\" convert '\(Program.audio)/t*.flac' -o 'out/{name}.wav' --dry-run")
    #expect(
      result.output
        == "\(Program.audio)/tabla-48000.flac -> out/tabla-48000.wav\n\(Program.audio)/tabla.flac -> out/tabla.wav\n"
        + "2 of 2 files would be made\n")
    #expect(result.code == 0 && folder.names.isEmpty)
  }

  @Test func aRunThatIsKilledLeavesWholeFilesOnly() throws {
    let line = "\"$AUBENCH\" convert '\(Program.audio)/*.flac' -o 'out/{name}.wav' --rate 96000 -q"
    let whole = try run("\(line); cd out && sha256sum *.wav")
    #expect(whole.code == 0)
    let sums = Set(whole.output.split(separator: "\n"))
    for delay in ["0.02", "0.06", "0.12"] {
      // Files that a killed process had begun have hidden names, and no other.
      let killed = try run("rm -r out; timeout -s KILL \(delay) \(line); mkdir -p out; cd out && sha256sum *.wav; true")
      for sum in killed.output.split(separator: "\n") { #expect(sums.contains(sum)) }
    }
    // A signal that can be caught leaves nothing hidden either.
    let stopped = try run("rm -rf out; timeout -s INT 0.06 \(line); ls -A out | grep '^[.]'; true")
    #expect(stopped.output.isEmpty)
  }

  @Test(arguments: [
    ("convert in.wav -o 'out/{nam}.wav'", "asks for {nam}; known here: extension, folder, index, name"),
    ("convert in.wav -o 'out/{name.wav'", "a brace is not closed"),
    ("convert 'none/*.wav' -o 'out/{name}.wav'", "none/*.wav: no file matches"),
    ("convert in.wav other.wav -o out.wav", "in.wav and other.wav would both become this file"),
    ("convert in.wav -o '{name}.wav'", "this output would replace an input"),
    ("convert in.wav out.wav more.wav", "is one word too many"), ("convert in.wav", "OUT is missing"),
    ("render chain.json -i voice='*.wav' -o '{name}.flac' --tap eq=eq.wav", "is for one output"),
  ])
  func wrongLines(_ line: String, _ words: String) throws {
    folder.write("", to: "in.wav")
    folder.write("", to: "other.wav")
    folder.write(Self.graph, to: "chain.json")
    let result = try run("\"$AUBENCH\" \(line)")
    #expect(result.code == (words.contains("matches") ? 4 : 2) && result.errors.contains(words), "\(result.errors)")
    #expect(folder.names == ["chain.json", "in.wav", "other.wav"])
  }
}
