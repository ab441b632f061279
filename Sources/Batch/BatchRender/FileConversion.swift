import AudioCore
import AudioEngine
import Hardware
import SampleRate
import SoundFile
import Tags

/// Converts a sound file into another: rate, channels, encoding and container, in constant memory.
public struct FileConversion {
  /// The options of a conversion besides the two files. An option that is not set leaves the input's value.
  public struct Options {
    /// The rate of the output, hertz; nil: that of the input.
    public var sampleRate: Double?
    /// The filter of a change of rate; of no account where the rate stays.
    public var quality = RateConversionQuality.standard
    /// The method of the sinc filters `fast`, `medium` and `best`; others ignore it.
    public var method = RateConversionMethod.standard
    /// The number of channels; nil: as many as the input, or as the matrix gives.
    public var channelCount: Int?
    /// Gains from input to output channels; nil: what a person expects of a change of channel count.
    public var matrix: ((_ inputCount: Int) throws(BenchError) -> ChannelMatrix)?
    /// The loudspeakers of the input's channels, whatever it says of them; nil: as it says.
    public var inputLayout: ChannelLayout?
    /// The loudspeakers of the output, to which those of the input are converted by ITU-R BS.775; nil: they stay.
    public var layout: ChannelLayout?
    /// The gain of low frequency effects, as a factor, in outputs that have no such channel.
    public var effectsGain = 0.0
    /// Threads that work at once, the calling one included.
    public var threads = 1
    /// Dither, overwriting, the codec's quality. Its texts are written only where ``keepsMetadata`` is off.
    public var writer = SoundFileWriterOptions()
    /// True when the input's texts, further tags and pictures are copied.
    public var keepsMetadata = true
    /// Tags and a cover to be set or taken away, whatever the input has.
    public var tags = TagChanges()
    /// Takes an input that ends before its header says for what is left of it.
    public var allowsTruncated = false
    /// The treatment of samples of the input that are NaN or infinite.
    public var nonFinite = NonFinitePolicy.standard
    /// Called some times a second; the conversion goes on while it answers true.
    public var progress: ((RenderProgress) -> Bool)?
    /// The rate, channels and texts of the input; one thread.
    public init() {}
  }

  /// The report of a conversion.
  public struct Report: Sendable {
    /// The input as its header says, with its texts.
    public let input: SoundFileInfo
    /// Words about chunks of the input that are cut off or too large.
    package let tagRemarks: [String]
    /// The output: frames, bytes, clipped samples, texts and pictures that its container did not keep.
    public var file: SoundFileWriteReport {
      guard let written else { preconditionFailure("a conversion into something else than a file has no file") }
      return written
    }
    /// Nil where the output was no file.
    package let written: SoundFileWriteReport?
    /// The length of the output.
    package let frames: Int64
    /// The rate of the output, hertz.
    public let sampleRate: Double
    /// The channels of the output.
    public let channelCount: Int
    /// Wall-clock seconds, opening and closing the files included.
    public let elapsedSeconds: Double
    /// The largest sample of each output channel, in dBFS; −∞ for silence. Empty where wide samples pass unchanged
    /// (32-bit integers, 64-bit floats): then none is looked at. NaN, which no report shows as a figure, for a channel
    /// with samples that are not finite.
    public let peakDecibels: [Double]
    /// Inputs with samples that are NaN or infinite.
    public let nonFiniteFiles: [NonFiniteFile]
    /// Those of the output, in front of its encoding: of integers NaN becomes 0, and infinity the end of the range.
    public let nonFiniteSamples: NonFiniteSamples
    /// Seconds of output made in a second; infinite where no time has passed.
    public var realtimeFactor: Double {
      elapsedSeconds > 0 ? Double(frames) / sampleRate / elapsedSeconds : .infinity
    }
  }

  /// Converts `input` into `output`. The output appears when it is whole; on an error nothing is left of it.
  ///
  /// The length is exactly frames × rate ÷ rate, rounded half up. Without a change of rate or channels, 32-bit integers
  /// and 64-bit floats pass unchanged.
  /// - Throws: `.input`, `.output`, `.usage` for a pair that cannot be converted, `.interrupted`.
  public static func convert(
    _ input: String, to path: String, as format: SoundFileFormat, options: Options = Options()
  ) throws(BenchError) -> Report {
    let source = try SoundFileReader(path: input, allowTruncated: options.allowsTruncated)
    source.nonFinitePolicy = options.nonFinite
    return try convert(source, options: options) { (output, frames, tags) throws(BenchError) in
      try SoundFileSink(path, format, output, frames: frames, tags: tags, options: options.writer)
    }.report
  }

  /// Converts what a source gives into a sink. A source of files knows what becomes of samples that are not finite.
  /// - Parameter makeSink: called with the output's format, length and tags before the first frame.
  package static func convert(
    _ source: any FrameSource, options: Options,
    makeSink: (StreamFormat, Int64, SoundTags) throws(BenchError) -> any AudioSink
  ) throws(BenchError) -> (report: Report, sink: any AudioSink) {
    let clock = Stopwatch()
    try SampleRateKey.check(options.sampleRate)
    if let count = options.channelCount, !StreamFormat.channelCountRange.contains(count) {
      throw BenchError(.usage, "a sound file has 1 to 1024 channels, not \(count)")
    }
    let info = source.info
    let (matrix, layout) = try options.channels(of: info)
    let rate = options.sampleRate ?? info.sampleRate
    let frames = FrameCount.converted(info.frameCount, from: info.sampleRate, to: rate)
    var tags = outputTags(source, matrix, options)
    tags.layout = layout
    tags.extras = tags.extras.converted(from: info.sampleRate, to: rate)
    let sink = try makeSink(StreamFormat(sampleRate: rate, channelCount: matrix.outputCount), frames, tags)
    var tracker = ProgressTracker(
      framesTotal: frames, sampleRate: rate, clock: clock, progress: options.progress)
    var peaks: SamplePeaks?
    // Channels that change places are still the same integers.
    if rate == info.sampleRate, matrix.map != nil { sink.exactBits = source.exactBits }
    do throws(BenchError) {
      let isPlain = rate == info.sampleRate && matrix.isIdentity
      if isPlain, info.encoding?.isWide ?? false, let reader = source as? SoundFileReader,
        let writer = (sink as? SoundFileSink)?.writer, writer.format.encoding.isWide
      {
        try copyWide(reader, writer, &tracker)
      } else {
        let work = try ConversionWork(source, sink, matrix: matrix, frames: frames, options: options)
        let pipeline = BlockPipeline(work, blocks: work.blockCount, slots: work.slotCount, threads: options.threads)
        try pipeline.run { (blocks) throws(BenchError) in
          try tracker.report(min(frames, Int64(blocks) * Int64(work.blockFrames)))
        }
        peaks = work.peaks
      }
      let file = try sink.end()
      try sink.publish()
      try? tracker.report(frames, isLast: true)
      let report = Report(
        input: info, tagRemarks: tags.extras.remarks, written: file, frames: frames, sampleRate: rate,
        channelCount: matrix.outputCount,
        elapsedSeconds: clock.seconds, peakDecibels: file?.inFileOrder(peaks?.decibels ?? []) ?? peaks?.decibels ?? [],
        nonFiniteFiles: source.nonFiniteFiles,
        nonFiniteSamples: peaks?.nonFinite ?? source.nonFiniteFiles.first { $0.policy == .keep }?.samples
          ?? NonFiniteSamples())
      return (report, sink)
    } catch {
      sink.discard()
      throw error
    }
  }

  private static func outputTags(
    _ source: any FrameSource, _ matrix: ChannelMatrix, _ options: Options
  ) -> SoundTags {
    var tags = options.keepsMetadata ? source.tags : SoundTags(metadata: options.writer.metadata)
    if !matrix.isIdentity {
      tags = tags.ofAnotherSound
      tags.extras = tags.extras.ofOtherChannels
    }
    return options.tags.applied(to: tags)
  }

  /// 32-bit integers and doubles, without a detour through Float.
  private static func copyWide(
    _ reader: SoundFileReader, _ writer: SoundFileWriter, _ tracker: inout ProgressTracker
  ) throws(BenchError) {
    let buffer = DoubleBuffer(channelCount: reader.info.channelCount, frameCapacity: SinkQueue.blockFrames)
    while true {
      let frames = try reader.read(into: buffer.planes, offset: 0, frames: buffer.frameCapacity)
      guard frames > 0 else { return }
      try writer.write(buffer.planes, frames: frames)
      try tracker.report(writer.framesWritten)
    }
  }

  /// The encoding of the input where the container holds it, else integers of the same width, else the container's own.
  package static func format(in container: SoundFileContainer, like input: SoundFileInfo) -> SoundFileFormat {
    var wanted: [SoundFileEncoding] = []
    if let encoding = input.encoding { wanted.append(encoding) }
    if !input.isFloat {
      switch input.sourceBits {
      case 8: wanted += [.pcmU8, .pcmS8]
      case 16: wanted.append(.pcm16)
      case 24: wanted.append(.pcm24)
      case 32: wanted.append(.pcm32)
      default: break
      }
    }
    let formats = wanted.map { SoundFileFormat(container: container, encoding: $0) }
    return formats.first(where: \.isWritable) ?? SoundFileFormat(container: container)
  }
}
