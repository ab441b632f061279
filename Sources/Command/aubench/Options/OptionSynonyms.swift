import AudioCore
import Plotting
import SoundFile

/// The words of other tools, and the option here that does the same: for the advice of errors.
enum OptionSynonyms {
  /// By the option's own name: names without leading dashes, letters as they are. The first row counts whose option the
  /// command has.
  private static let names: [(option: CommandOption, names: [String])] = [
    (
      .encoding,
      [
        "bits", "b", "bitdepth", "bitspersample", "depth", "format", "sampleformat", "samplefmt", "subtype", "codec",
        "acodec",
      ]
    ),
    (.bitRate, ["ab", "bitrate", "abr", "kbps", "ba"]),
    (.codecQuality, ["qscale", "aq", "compression", "vbr"]),
    (.rate, ["samplerate", "sr", "ar", "freq", "frequency", "fs", "srate", "resample", "hz"]),
    (.channels, ["ac", "nchannels", "numchannels", "mono", "stereo", "remix"]),
    (.container, ["type", "filetype", "filefmt", "f"]),
    (.seconds, ["duration", "length", "time", "trim", "to"]),
    (.duration, ["seconds", "length", "time", "trim", "to"]),
    (.from, ["start", "begin", "offset", "seek", "ss", "skip"]),
    (.output, ["out", "outfile", "outputfile", "o"]),
    (.picture, ["out", "outfile", "outputfile", "file", "png", "svg", "pdf"]),
    (.figure, ["output", "out", "o", "picture", "png", "svg", "graph"]),
    (.artifacts, ["output", "out", "outputdir", "outputfolder", "results"]),
    (.what, ["measure", "type", "kind", "measurement", "only"]),
    (.kind, ["type", "what", "mode", "spectrogram", "waveform", "spectrum"]),
    (.unitSet, ["param", "parameter", "parameters", "p", "volume", "gain"]),
    (.set, ["param", "parameter", "parameters", "p", "volume", "gain", "vol"]),
    (.keys, ["json", "config", "options"]),
    (.quality, ["resampler", "algorithm", "converter", "src"]),
    (.converter, ["resampler", "engine", "library"]),
    (.noMetadata, ["nometa", "striptags", "strip", "mapmetadata", "notags"]),
    (.tag, ["tags", "metadata", "meta", "title", "artist", "album", "comment", "genre", "addtag", "settag"]),
    (.cover, ["coverart", "picture", "artwork", "art", "image", "attach"]),
    (.noClobber, ["nooverwrite", "keep"]),
    (.quiet, ["silent", "s", "noprogress", "nostats", "loglevel"]),
    (.threads, ["jobs", "j", "cores", "parallel", "multithreaded"]),
    (.jobs, ["j", "threads", "parallel", "workers", "numworkers"]),
    (.testCase, ["filter", "only", "match", "test", "k", "grep", "run"]),
    (.bless, ["update", "updategoldens", "updatesnapshots", "accept", "record", "approve", "u"]),
    (.junit, ["xml", "junitxml", "xunitoutput"]),
    (.report, ["output", "jsonoutput"]),
    (.limit("peak"), ["tolerance", "threshold", "epsilon", "atol", "eps", "max"]),
    (.limit("relative"), ["rtol"]),
    (.deviceRate, ["samplerate", "sr", "ar", "fs"]),
    (.deviceEncoding, ["bits", "b", "format"]),
    (.deviceChannels, ["ac", "nchannels"]),
    (.timeLimit, ["timeout"]),
    (.low, ["min", "fmin", "minfreq"]),
    (.high, ["max", "fmax", "maxfreq"]),
    (.segment, ["nfft", "fft", "fftsize", "window", "n"]),
    (.floor, ["min", "mindb", "range", "z"]),
    (.untilSilent, ["silence", "autostop"]),
    (.noTail, ["notails", "dry"]),
    (.slice, ["buffer", "buffersize", "blocksize", "block", "frames"]),
    (.data, ["tsv", "csv", "json", "withdata"]),
  ]

  /// Options that are not there because it is so without them.
  private static let needless: Set = ["force", "overwrite", "y"]

  /// Advice for `--name`; nil where nothing is known.
  static func option(named name: String, in parser: OptionParser) -> String? {
    advice(for: name.lowercased().filter { !"-_".contains($0) }, in: parser)
  }

  /// Advice for a letter.
  static func option(letter: UInt8, in parser: OptionParser) -> String? {
    guard (0x21..<0x7F).contains(letter) else { return nil }
    return advice(for: String(UnicodeScalar(letter)), in: parser)
  }

  private static func advice(for name: String, in parser: OptionParser) -> String? {
    let known = names.filter { $0.names.contains(name) }.compactMap { row in
      parser.options.first { $0.name == row.option.name && $0.help == row.option.help }
    }
    if let found = known.first {
      return "did you mean \(found.long)\(found.name == CommandOption.encoding.name ? ", as --encoding=pcm16" : "")?"
    }
    let writes = parser.options.contains { $0.name == CommandOption.noClobber.name }
    return writes && needless.contains(name)
      ? "leave it out: a file that is there is replaced unless --no-clobber is given" : nil
  }

  /// Advice for a word that is one too many: an output whose option is missing, or a parameter.
  static func advice(forOperand word: String, of command: Command) -> String? {
    let ending = FileName.fileExtension(of: word)
    if command.has(.output), let ending, SoundFileContainer(fileExtension: ending) != nil {
      return "write -o \(word) to write a sound file of this name"
    }
    if command.has(.set), word.utf8.contains(UInt8(ascii: "=")) { return "write --set \(word) to set a parameter" }
    return nil
  }

  /// True when a word at the place of an input sound file names a picture.
  static func isPicture(_ word: String) -> Bool {
    guard let ending = FileName.fileExtension(of: word) else { return false }
    return PictureFormat(rawValue: ending.lowercased()) != nil
  }
}

extension Command {
  func has(_ option: CommandOption) -> Bool { options.contains { $0.name == option.name && $0.help == option.help } }
}
