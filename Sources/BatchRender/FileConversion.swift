import AudioCore
import AudioUnits
import Dispatch
import SampleRate
import SoundFile

/// Converts a sound file into another: rate, channels, encoding and container, in constant memory.
public struct FileConversion {
  public struct Options {
    /// The rate of the output, hertz; nil: that of the input.
    public var sampleRate: Double?
    public var quality = RateConversionQuality.standard
    /// The number of channels; nil: as many as the input, or as the matrix gives.
    public var channelCount: Int?
    /// Gains from input to output channels; nil: what a person expects of a change of channel count.
    public var matrix: ((_ inputCount: Int) throws(BenchError) -> ChannelMatrix)?
    /// Threads that may work at once; with two or more the file is written by another one besides.
    public var threads = 1
    public var writer = SoundFileWriterOptions()
    /// Whether the input's texts go along.
    public var keepsMetadata = true
    /// Takes an input that ends before its header says for what is left of it.
    public var allowsTruncated = false
    /// Called some times a second; the conversion goes on while it answers true.
    public var progress: ((RenderProgress) -> Bool)?
    public init() {}
  }

  /// What a conversion did.
  public struct Report: Sendable {
    public let input: SoundFileInfo
    public let file: SoundFileWriteReport
    public let sampleRate: Double
    public let channelCount: Int
    public let elapsedSeconds: Double
    public let peakDecibels: [Double]
    public var realtimeFactor: Double {
      elapsedSeconds > 0 ? Double(file.frames) / sampleRate / elapsedSeconds : .infinity
    }
  }

  /// Converts `input` into `output`. The output appears when it is whole; on an error nothing is left of it.
  ///
  /// The length is exactly frames × rate ÷ rate, rounded half up. Without a change of rate or channels, 32-bit integers
  /// and 64-bit floats pass unchanged.
  /// - Throws: `.input`, `.output`, `.usage` for a pair that cannot be converted, `.interrupted`.
  public static func convert(
    _ input: String, to output: String, as format: SoundFileFormat, options: Options = Options()
  ) throws(BenchError) -> Report {
    let clock = Stopwatch()
    if let rate = options.sampleRate, !(rate > 0 && StreamFormat.sampleRateRange.contains(rate)) {
      throw BenchError(.usage, at: "sample rate \(rate)", "a rate lies above 0 and up to 3000000 Hz")
    }
    if let count = options.channelCount, !StreamFormat.channelCountRange.contains(count) {
      throw BenchError(.usage, "a sound file has 1 to 1024 channels, not \(count)")
    }
    let reader = try SoundFileReader(path: input, allowTruncated: options.allowsTruncated)
    let info = reader.info
    let matrix = try channelMatrix(info, options)
    let rate = options.sampleRate ?? info.sampleRate
    let frames = FrameCount.converted(info.frameCount, from: info.sampleRate, to: rate)
    var writing = options.writer
    if options.keepsMetadata { writing.metadata = info.metadata }
    let writer = try SoundFileWriter(
      path: output, format: format, sampleRate: rate, channelCount: matrix.outputCount, expectedFrames: frames,
      options: writing)
    let tracker = Tracker(total: frames, rate: rate, clock: clock, progress: options.progress)
    var peaks: [Float] = []
    do throws(BenchError) {
      let isPlain = rate == info.sampleRate && matrix.isIdentity && matrix.inputCount == matrix.outputCount
      if isPlain && info.isWide && format.encoding.isWide {
        try copyWide(reader, writer, tracker)
      } else {
        let queue = SinkQueue(FileSink(writer), channelCount: matrix.outputCount, isThreaded: options.threads > 1)
        let stages = try Stages(info, rate: rate, matrix: matrix, options: options)
        try stages.run(reader, frames: frames, into: queue, tracker)
        try queue.finish()
        peaks = queue.peaks
      }
      let report = try writer.finish()
      try? tracker.report(frames, isLast: true)
      return Report(
        input: info, file: report, sampleRate: rate, channelCount: matrix.outputCount,
        elapsedSeconds: clock.seconds, peakDecibels: peaks.map { Decibels.of(amplitude: Double($0)) })
    } catch {
      writer.discard()
      throw error
    }
  }

  private static func channelMatrix(_ info: SoundFileInfo, _ options: Options) throws(BenchError) -> ChannelMatrix {
    let inputs = info.channelCount
    guard let make = options.matrix else {
      return .conventional(inputCount: inputs, outputCount: options.channelCount ?? inputs)
    }
    let matrix = try make(inputs)
    if let wanted = options.channelCount, wanted != matrix.outputCount {
      throw BenchError(
        .usage, "the channel map gives \(matrix.outputCount) channels, but \(wanted) were asked for",
        advice: "leave one of the two out")
    }
    return matrix
  }

  /// 32-bit integers and doubles, without a detour through Float.
  private static func copyWide(
    _ reader: SoundFileReader, _ writer: SoundFileWriter, _ tracker: Tracker
  ) throws(BenchError) {
    let buffer = DoubleBuffer(channelCount: reader.info.channelCount, frameCapacity: SinkQueue.blockFrames)
    while true {
      let frames = try reader.readDouble(into: buffer.planes, offset: 0, frames: buffer.frameCapacity)
      guard frames > 0 else { return }
      try writer.writeDouble(buffer.planes, frames: frames)
      try tracker.report(writer.framesWritten)
    }
  }
}

/// Reports progress some times a second and ends the work where it is no longer wanted.
private final class Tracker {
  private let total: Int64
  private let rate: Double
  private let clock: Stopwatch
  private let progress: ((RenderProgress) -> Bool)?
  private var last = -1.0

  init(total: Int64, rate: Double, clock: Stopwatch, progress: ((RenderProgress) -> Bool)?) {
    self.total = total
    self.rate = rate
    self.clock = clock
    self.progress = progress
  }

  func report(_ done: Int64, isLast: Bool = false) throws(BenchError) {
    guard let progress else { return }
    let now = clock.seconds
    guard isLast || now - last >= 0.1 else { return }
    last = now
    let state = RenderProgress(framesDone: done, framesTotal: total, sampleRate: rate, elapsedSeconds: now)
    if !progress(state) && !isLast { throw BenchError(.interrupted, "stopped before the end; nothing was written") }
  }
}

/// Channels and rate of a conversion, block by block.
private final class Stages {
  private let matrix: ChannelMatrix?
  private let mapsFirst: Bool
  private let groups: [ChannelGroup]
  private let read: PlanarBuffer
  private let mapped: PlanarBuffer
  private let converted: PlanarBuffer
  /// Threads that work at once.
  private let threads: Int

  /// Some channels with a rate converter of their own, so that groups can run side by side: the bits are the same.
  private struct ChannelGroup {
    let channels: Range<Int>
    let converter: RateConverter
  }

  private static let blockFrames = 8192

  init(
    _ info: SoundFileInfo, rate: Double, matrix: ChannelMatrix, options: FileConversion.Options
  ) throws(BenchError) {
    let isIdentity = matrix.isIdentity && matrix.inputCount == matrix.outputCount
    self.matrix = isIdentity ? nil : matrix
    mapsFirst = matrix.outputCount <= matrix.inputCount
    let channels = min(matrix.inputCount, matrix.outputCount)
    var groups: [ChannelGroup] = []
    if rate != info.sampleRate {
      let size = Self.groupSize(channels, quality: options.quality, threads: options.threads)
      for first in stride(from: 0, to: channels, by: size) {
        let range = first..<min(first + size, channels)
        groups.append(
          ChannelGroup(
            channels: range,
            converter: try RateConverter(
              from: info.sampleRate, to: rate, channelCount: range.count, quality: options.quality,
              maximumOutputFrames: Self.blockFrames)))
      }
    }
    self.groups = groups
    threads = min(options.threads, groups.count)
    let input = matrix.inputCount
    read = PlanarBuffer(channelCount: input, frameCapacity: Self.blockFrames)
    mapped = PlanarBuffer(channelCount: max(channels, matrix.outputCount), frameCapacity: Self.blockFrames)
    converted = PlanarBuffer(channelCount: channels, frameCapacity: Self.blockFrames)
  }

  /// Measured: libsoxr costs the same per channel however they are grouped, so every channel may have its thread;
  /// libsamplerate shares its coefficients among interleaved channels, so that only groups of four or more pay.
  private static func groupSize(_ channels: Int, quality: RateConversionQuality, threads: Int) -> Int {
    let most = RateConverter.maximumChannelCount
    guard threads > 1 else { return min(channels, most) }
    let share = max(1, min(most, (channels + threads - 1) / threads))
    switch quality {
    case .mastering, .minimumPhase: return share
    default: return channels >= 8 ? max(4, share) : channels
    }
  }

  func run(
    _ reader: SoundFileReader, frames: Int64, into queue: SinkQueue, _ tracker: Tracker
  ) throws(BenchError) {
    var done: Int64 = 0
    while done < frames {
      let count = Int(min(Int64(Self.blockFrames), frames - done))
      let planes = try produce(count, reader)
      queue.append(planes, offset: 0, frames: count)
      done += Int64(count)
      try queue.check()
      try tracker.report(done)
    }
  }

  /// The next output frames.
  private func produce(
    _ count: Int, _ reader: SoundFileReader
  ) throws(BenchError) -> UnsafeMutablePointer<UnsafeMutablePointer<Float>> {
    guard !groups.isEmpty else {
      let got = try reader.read(into: read.planes, offset: 0, frames: count)
      guard got == count else { throw Self.shortFile(reader) }
      return map(read.planes, frames: count)
    }
    var needed = groups[0].converter.inputFramesNeeded(toProduce: count)
    while needed > 0 {
      let frames = min(needed, Self.blockFrames)
      let got = try reader.read(into: read.planes, offset: 0, frames: frames)
      if got < frames { read.clear(from: got, frames: frames - got) }  // past its end the input is silence
      let planes = mapsFirst ? map(read.planes, frames: frames) : read.planes
      each { $0.converter.push(planes + $0.channels.lowerBound, frames: frames) }
      needed -= frames
    }
    let planes = converted.planes
    each { $0.converter.pop(into: planes + $0.channels.lowerBound, frames: count) }
    return mapsFirst ? planes : map(planes, frames: count)
  }

  private func map(
    _ planes: UnsafeMutablePointer<UnsafeMutablePointer<Float>>, frames: Int
  ) -> UnsafeMutablePointer<UnsafeMutablePointer<Float>> {
    guard let matrix else { return planes }
    matrix.apply(from: planes, to: mapped.planes, frames: frames)
    return mapped.planes
  }

  private func each(_ body: (ChannelGroup) -> Void) {
    guard threads > 1 else {
      for group in groups { body(group) }
      return
    }
    // Groups touch planes of their own only, and the calls are over when this returns.
    nonisolated(unsafe) let body = body
    let (groups, threads) = (groups, threads)
    DispatchQueue.concurrentPerform(iterations: threads) { thread in
      for index in stride(from: thread, to: groups.count, by: threads) { body(groups[index]) }
    }
  }

  private static func shortFile(_ reader: SoundFileReader) -> BenchError {
    BenchError(
      .input, at: reader.info.path,
      "the file ends at frame \(reader.position), before the \(reader.info.frameCount) frames that its header promises")
  }
}

extension SoundFileInfo {
  /// More than Float can hold.
  fileprivate var isWide: Bool { (sourceBits ?? 0) > (isFloat ? 32 : 24) }
}

extension SoundFileEncoding {
  /// More than Float can hold.
  fileprivate var isWide: Bool { isFloat ? self == .float64 : (bits ?? 0) > 24 && isLossless }
}
