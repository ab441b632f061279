import AudioCore
import SampleRate
import SoundFile

// Options that several commands share, or that the program has itself.
extension CommandOption {
  static let help = CommandOption("help", letter: "h", "show this help and exit")
  static let version = CommandOption("version", letter: "V", "show the version and exit")
  static let printCompletion = CommandOption(
    "print-completion", value: "SHELL", completion: .words { ["bash", "zsh"] },
    "print the completion script of a shell")
  static let printManual = CommandOption(
    "print-manual", value: "FORM",
    completion: .words { ["markdown", "units", "graph-schema", "job-schema", "scenario-schema", "suite-schema"] },
    "print a page of the manual")

  static let memory = CommandOption(
    "memory", value: "SIZE",
    "the most memory to plan for, as 4G or 512M: what would need more is refused before it begins (default: a quarter of "
      + "the machine's, or the value of \(MemoryBudget.environmentVariable))")
  static let json = CommandOption(
    "json", letter: "j", "print one JSON object instead of text; errors too, beside their text on standard error")
  static let quiet = CommandOption("quiet", letter: "q", "no progress bar and no report; warnings and errors stay")
  static let noMetadata = CommandOption(
    "no-metadata", "leave title, artist, the other tags, pictures, markers and other chunks of the sources out")
  static let nonFinite = CommandOption(
    "nonfinite", value: "POLICY", completion: .words { NonFinitePolicy.names },
    "NaN and infinite samples of the sources: error (the default) makes no output and reports where they are, "
      + "silence makes each 0, keep passes them on; figures of a sound with such samples are missing")
  static let data = CommandOption("data", "write the numbers beside the picture, as .tsv and .json")
  static let noClobber = CommandOption("no-clobber", letter: "n", "never replace a file that is there already")
  static let threads = CommandOption(
    "threads", letter: "t", value: "N",
    "threads that may work at once, 1 to 256; the default is one per core. The result is the same bits with any number")
  static let encoding = CommandOption(
    "encoding", letter: "e", value: "E", completion: .words { SoundFileEncoding.writableNames },
    "how samples are written: \(encodingExamples); \"aubench convert --help\" lists them all")
  static let container = CommandOption(
    "container", letter: "c", value: "C", completion: .words { SoundFileContainer.allCases.map(\.rawValue) },
    "the kind of file, if it is not that of the name's extension")
  static let codecQuality = CommandOption(
    "codec-quality", value: "Q",
    "for MP3, Opus, Vorbis and FLAC: from 0, the smallest file, to 1, the best sound (for FLAC, which is lossless, "
      + "0 is the fastest)")
  static let bitRate = CommandOption(
    "bit-rate", value: "KBPS",
    "for MP3 (constant), Opus and AAC (the mean), in place of --codec-quality: kilobits per second, as 192"
  )
  static let dither = CommandOption(
    "dither", value: .optional("SEED"),
    "add triangular dither where samples lose precision on the way to integers of up to 24 bits. The same seed (default \(defaultDitherSeed)) "
      + "gives the same bits")
  static let quality = CommandOption(
    "quality", value: "Q", completion: .words { RateConversionQuality.allCases.map(\.rawValue) },
    "the filter of the rate conversion: " + RateConversionQuality.allCases.map(\.rawValue).joined(separator: ", ")
      + " (default: \(RateConversionQuality.standard.rawValue))")
  static let converter = CommandOption(
    "converter", value: "C", completion: .words { RateConversionMethod.allCases.map(\.rawValue) },
    "the implementation of the filters fast, medium and best: bank, a table of libsamplerate's filter "
      + "(default), or library, libsamplerate itself: the same sound to -138 dB, in up to 60 times the time")
  static let set = CommandOption(
    "set", letter: "s", value: "NODE.PARAM[@SCOPE[:EL]]=VALUE", isRepeatable: true,
    "set a parameter, overriding the graph: mix.volume@input:2=0.5, peak.gain@band:0=-3, lp.cutoffFrequency=3kHz"
  )
  static let input = CommandOption(
    "input", letter: "i", value: "NODE=FILE", completion: .file, isRepeatable: true,
    "play a file in a filePlayer node, overriding the graph")
  static let rate = CommandOption(
    "rate", letter: "r", value: "HZ", "the sample rate of the output, in hertz")
  static let graphRate = CommandOption(
    "graph-rate", value: "HZ",
    "the rate at which the graph itself runs, overriding the graph's. Frame numbers in the graph keep their value, so "
      + "starts and ramps move in time")

  static let defaultDitherSeed: UInt64 = 1
  private static let encodingExamples = "pcm16, pcm24, pcm32, float32, vorbis"
}

extension SoundFileEncoding {
  /// The encodings that at least one container can be written with.
  static var writableNames: [String] {
    let writable = Set(SoundFileFormat.allWritable.map(\.encoding))
    return allCases.filter { writable.contains($0) }.map(\.rawValue)
  }
}
