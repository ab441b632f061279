import Foundation
import TestSupport
import Testing

@Suite struct UsageTests {
  /// Lines that are wrong, and what the message must name. `GRAPH` and `IN` are good files.
  static let wrong: [(line: String, message: String)] = [
    ("", "no command is named"),
    ("rendr", "did you mean render?"),
    ("help foo", "there is no such command"),
    ("--verison", "did you mean --version?"),
    ("render", "GRAPH is missing"),
    ("render GRAPH", "add -o OUT"),
    ("render GRAPH -o", "needs a value"),
    ("render GRAPH -o -", "standard output"),
    ("render GRAPH GRAPH -o x.wav", "one word too many"),
    ("render GRAPH -o x.wav --secnds 3", "did you mean --seconds?"),
    ("render GRAPH -o x.wav --se 3", "--seconds or --set"),
    ("render GRAPH -o x.wav -Z", "option -Z: there is no such option"),
    ("render GRAPH -o x.wav --quiet=3", "takes no value"),
    ("render GRAPH -o x.wav --seconds 1 --seconds 2", "given twice"),
    ("render GRAPH -o x.wav --seconds 1 --frames 2", "--seconds and --frames"),
    ("render GRAPH -o x.wav --seconds -1", "\"-1\" is not a number of seconds"),
    ("render GRAPH -o x.wav --seconds nan", "\"nan\""),
    ("render GRAPH -o x.wav --seconds 1e300", "1e+300 seconds"),
    ("render GRAPH -o x.wav --frames 1.5", "\"1.5\""),
    ("render GRAPH -o x.wav --until-silent=6", "below 0 dBFS"),
    ("render GRAPH -o x.wav --cap 3", "goes with --until-silent"),
    ("render GRAPH -o x.wav --slice 0", "\"0\" is not a number of frames"),
    ("render GRAPH -o x.wav --slice 5000", "1 to 4096 frames"),
    ("render GRAPH -o x.wav --threads 0", "from 1 to 256"),
    ("render GRAPH -o x.wav --dither=x", "\"x\" is not a seed"),
    ("render GRAPH -o x.json", "\".json\""),
    ("render GRAPH -o x", "no extension"),
    ("render GRAPH -o x.wav -c foo", "no container \"foo\""),
    ("render GRAPH -o x.wav -e foo", "no encoding \"foo\""),
    ("render GRAPH -o x.wav -e vorbis", "cannot hold vorbis"),
    ("render GRAPH -o x.opus", "Opus cannot be written at 44100 Hz"),
    ("render GRAPH -o x.wav --rate 0", "above 0"),
    ("render GRAPH -o x.wav --rate 44100.5", "whole number of hertz"),
    ("render GRAPH -o x.wav --set volume=1", "names no parameter of a node"),
    ("render GRAPH -o x.wav --set mix.volume", "NODE.PARAM@SCOPE:EL=VALUE"),
    ("render GRAPH -o x.wav --set mix.volume@output:0=nan", "finite"),
    ("render GRAPH -o x.wav --set mix.volume@output:0=1e99", "finite"),
    ("render GRAPH -o x.wav --set mix.volume@output:0:0=1", "name@scope:element"),
    ("render GRAPH -o x.wav --set mx.volume@output:0=1", "did you mean \"mix\"?"),
    ("render GRAPH -o x.wav --set mix.volme@output:0=1", "did you mean volume?"),
    ("render GRAPH -o x.wav --set mix.volume@input:9=1", "input buses 0 to 0"),
    ("render GRAPH -o x.wav --set mix.volume@side:0=1", "no scope \"side\""),
    ("render GRAPH -o x.wav --input q=IN", "filePlayers are p"),
    ("render GRAPH -o x.wav --input mix=IN", "not a filePlayer"),
    ("render GRAPH -o x.wav --input p=IN --input p=IN", "two files"),
    ("render GRAPH -o x.wav --tap lw=t.wav", "did you mean \"low\"?"),
    ("render GRAPH -o x.wav --tap low", "NODE=FILE"),
    ("render GRAPH -o x.wav --tap low=x.wav", "written twice"),
    ("render GRAPH -o x.wav --tap low=t.wav --tap low=u.wav", "tapped twice"),
    ("render GRAPH -o x.wav --quality bst", "did you mean best?"),
    ("convert IN", "OUT is missing"),
    ("convert - x.wav", "standard input"),
    ("convert IN -", "standard output"),
    ("convert IN x.wav --quality bst", "did you mean best?"),
    ("convert IN x.wav --channels 0", "from 1 to 1024"),
    ("convert IN x.wav --map 0,x", "\"0,x\""),
    ("convert IN x.wav --map 0,-2", "\"0,-2\""),
    ("convert IN x.wav --map 0,7", "no channel 7"),
    ("convert IN x.wav --map 0,0 --channels 3", "3 were asked for"),
    ("describe GRAPH --dot --json", "two forms"),
    ("describe", "GRAPH is missing"),
    ("units nbandeq", "did you mean nBandEQ?"),
    ("units zzzzzzzzz", "lists them"),
    ("units lowpass", "did you mean lowPassFilter?"),
    ("units EQ", "did you mean iPodEQ or nBandEQ or graphicEQ?"),
    ("measure lowpass", "did you mean lowPassFilter?"),
    ("measure lowPassFilter cutoffFrequency=800", "write --set cutoffFrequency=800"),
    ("measure lowPassFilter x.svg", "write --plot x.svg"),
    ("measure iPodEQ Rock", "write --preset Rock"),
    ("measure lowPassFilter distortion", "write --what distortion"),
    ("measure lowPassFilter highPassFilter", "a command has {in} and {out}"),
    ("measure sox lowpass", "{in} is missing"),
    ("measure lowPassFilter --set cutof=3", "did you mean cutoffFrequency?"),
    ("measure lowPassFilter --set cutoffFrequency=3s", "\"s\" is not its unit; expected hertz"),
    ("measure lowPassFilter --data", "goes with --plot"),
    ("plot IN x.png", "write -o x.png"),
    ("plot IN --outfile x.png", "did you mean --output=OUT?"),
    ("plot IN --data", "as -o out.svg"),
    ("plot IN --from 1m", "write min or ms"),
    ("plot IN --from 1:75", "0 to 59"),
    ("plot IN --low 3dB", "expected hertz"),
    ("render GRAPH x.wav", "write -o x.wav"),
    ("render GRAPH mix.volume=1 -o x.wav", "write --set mix.volume=1"),
    ("render GRAPH -o x.wav --bits 16", "did you mean --encoding=E, as --encoding=pcm16?"),
    ("render GRAPH -o x.wav -b 16", "did you mean --encoding=E"),
    ("render GRAPH -o x.wav --duration 3", "did you mean --seconds=S?"),
    ("render GRAPH -o x.wav --seconds 3kHz", "expected a time: 90, 90s"),
    ("render GRAPH -o x.wav --frames 3s", "a whole number without a unit"),
    ("render GRAPH -o x.wav --set mix.volume@output:0=3Hz", "expected a factor, or decibels"),
    ("render GRAPH -o x.wav --set mix.pan@input:0=3dB", "expected a number without a unit"),
    ("convert IN x.wav y.wav", "\"y.wav\" is one word too many"),
    ("convert IN IN -o x.wav", "would become this file twice"),
    ("convert IN -o {folder/x.wav", "a brace is not closed"),
    ("convert IN -o {nmae}.wav", "known here: extension, folder, index, name"),
    ("convert - -o x.wav", "standard input"),
    ("render GRAPH -o {name}.wav", "no input is given that outputs could be named after"),
    ("convert IN x.wav --sample-rate 48000", "did you mean --rate=HZ?"),
    ("convert IN x.wav --rate 44,1k", "decimals stand behind a point"),
    ("convert IN x.wav --overwrite", "unless --no-clobber is given"),
    ("verify IN --update", "did you mean --bless[=MODE]?"),
    ("compare IN IN --tolerance 3", "did you mean --peak=DB?"),
  ]

  @Test(arguments: wrong.indices)
  func aWrongLineEndsWithTwoAndSaysWhatIsWrong(_ index: Int) throws {
    let (line, message) = Self.wrong[index]
    let folder = TemporaryFolder()
    folder.write(WaveFile.noise(frames: 1000).bytes, to: "in.wav")
    folder.write(GraphText.player("in.wav"), to: "graph.json")
    let words = line.split(separator: " ").map {
      $0 == "GRAPH" ? "graph.json" : $0.replacingOccurrences(of: "IN", with: "in.wav")
    }
    let result = try Program.run(words, in: folder)
    #expect(result.code == 2, "\(result.errors)")
    #expect(result.output.isEmpty || line.contains("--json"))
    #expect(result.errors.hasPrefix("aubench: ") && result.errors.contains(message), "\(result.errors)")
    #expect(result.errors.filter { $0 == "\n" }.count == 1)
    #expect(folder.names == ["graph.json", "in.wav"])
  }

  @Test func optionsStandAnywhereAndMayBeShortened() throws {
    let folder = TemporaryFolder()
    folder.write(WaveFile.noise(frames: 1000).bytes, to: "-in.wav")
    folder.write(GraphText.player("-in.wav"), to: "graph.json")
    #expect(try Program.run("render", "--fra=10", "-qoa.wav", "graph.json", in: folder).code == 0)
    #expect(try Program.run("render", "-q", "graph.json", "--output", "b.wav", "--frames", "10", in: folder).code == 0)
    #expect(try folder.bytes("a.wav") == folder.bytes("b.wav"))
    #expect(try Program.run("convert", "-q", "--", "-in.wav", "c.wav", in: folder).code == 0)
    #expect(folder.exists("c.wav"))
  }

  @Test func jsonErrorsComeOnStandardOutputAsWell() throws {
    let result = try Program.run("render", "nofile.json", "-o", "x.wav", "--json")
    #expect(result.code == 3)
    #expect(result.errors.hasPrefix("aubench: nofile.json: "))
    #expect(try result.value("error.exitCode") as? Int == 3)
    #expect(try result.value("error.kind") as? String == "graph")
    #expect(try result.value("error.place") as? String == "nofile.json")
    #expect(try result.value("error.message") as? String != nil)
  }

  @Test func aFullStandardOutputIsAnErrorAndAClosedOneIsNone() throws {
    let full = try Program.shell("$AUBENCH units > /dev/full")
    #expect(full.code == 1)
    #expect(full.errors.contains("no space left on device"))
    let closed = try Program.shell("{ $AUBENCH units --json; echo $? >&2; } | true")
    #expect(closed.errors == "141\n" || closed.errors == "0\n", "\(closed.errors)")
  }
}
