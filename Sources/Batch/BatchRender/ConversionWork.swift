// The blocks of a file's conversion: read, converted in parts, written.

import AudioCore
import AudioEngine
import Hardware
import SampleRate
import SoundFile

/// Channels and rate of a conversion. A block is a number of output frames, with the input frames that they need.
///
/// A filter bank makes each output frame from the input alone, so that a block is cut into pieces of time for the
/// threads. The libraries keep a state, so that each group of channels goes through a converter of its own, block after
/// block. The bits are the same for any number of threads.
final class ConversionWork: BlockWork {
  /// Output frames of a block but the last.
  let blockFrames: Int
  let blockCount: Int
  let slotCount: Int
  let partCount: Int
  let hasOrderedParts: Bool
  /// The peaks of the written samples.
  private(set) var peaks: SamplePeaks

  private let reader: any FrameSource
  private let writer: any AudioSink
  private let frames: Int64
  /// Nil: channels stay as they are.
  private let matrix: ChannelMatrix?
  /// True when the channels are mapped before the rate is converted: if they become fewer.
  private let mapsFirst: Bool
  private let engine: Engine
  private var slots: [Slot] = []
  /// With more channels than were converted: for the block that is being written.
  private let widened: PlanarBuffer?
  /// Input frames read so far.
  private var readFrames: Int64 = 0

  private enum Engine {
    case none
    case bank(RateConverter)
    /// A converter for each group of channels.
    case groups([(channels: Range<Int>, converter: RateConverter)])
  }

  /// The buffers of a block.
  private final class Slot {
    /// As the file has it, and from which frame on.
    let input: PlanarBuffer
    var origin: Int64 = 0
    var inputFrames = 0
    /// With the output's channels where they change in front of the rate; else the same as `input`.
    let mapped: PlanarBuffer
    let converted: PlanarBuffer

    init(input: PlanarBuffer, mapped: PlanarBuffer, converted: PlanarBuffer) {
      self.input = input
      self.mapped = mapped
      self.converted = converted
    }
  }

  /// Input frames of a block, about: what a thread works on stays in its caches.
  private static let preferredInputFrames = 8192.0
  /// Without a rate conversion a block needs little work, so that handing it from thread to thread counts.
  private static let copiedSamples = 1 << 16

  /// - Throws: the error of a rate converter for rates, channels and qualities that do not go together.
  init(
    _ reader: any FrameSource, _ writer: any AudioSink, matrix: ChannelMatrix, frames: Int64,
    options: FileConversion.Options
  ) throws(BenchError) {
    self.reader = reader
    self.writer = writer
    self.frames = frames
    self.matrix = matrix.isIdentity ? nil : matrix
    mapsFirst = matrix.outputCount <= matrix.inputCount
    peaks = SamplePeaks(channelCount: matrix.outputCount)
    let step = options.sampleRate.map { reader.info.sampleRate / $0 } ?? 1
    blockFrames =
      step == 1
      ? max(8192, Self.copiedSamples / matrix.inputCount)
      : max(256, min(8192, Int(clamping: Self.preferredInputFrames / step)))
    blockCount = Int((frames + Int64(blockFrames) - 1) / Int64(blockFrames))
    slotCount = BlockPipeline.slotCount(threads: options.threads)
    let channels = min(matrix.inputCount, matrix.outputCount)
    engine = try Self.engine(reader.info, channels: channels, blockFrames: blockFrames, options: options)
    switch engine {
    case .none: (partCount, hasOrderedParts) = (0, false)
    case .bank: (partCount, hasOrderedParts) = (options.threads, false)
    case .groups(let groups): (partCount, hasOrderedParts) = (groups.count, true)
    }
    widened =
      self.matrix != nil && !mapsFirst
      ? PlanarBuffer(channelCount: matrix.outputCount, frameCapacity: blockFrames) : nil
    let room = inputRoom
    for _ in 0..<slotCount {
      let input = PlanarBuffer(channelCount: matrix.inputCount, frameCapacity: room)
      let isMapped = self.matrix != nil && mapsFirst
      let mapped = isMapped ? PlanarBuffer(channelCount: matrix.outputCount, frameCapacity: room) : input
      var converted = mapped
      if case .none = engine {} else { converted = PlanarBuffer(channelCount: channels, frameCapacity: blockFrames) }
      slots.append(Slot(input: input, mapped: mapped, converted: converted))
    }
  }

  private static func engine(
    _ info: SoundFileInfo, channels: Int, blockFrames: Int, options: FileConversion.Options
  ) throws(BenchError) -> Engine {
    guard let rate = options.sampleRate, rate != info.sampleRate else { return .none }
    func converter(_ count: Int) throws(BenchError) -> RateConverter {
      try RateConverter(
        from: info.sampleRate, to: rate, channelCount: count, quality: options.quality, method: options.method,
        maximumOutputFrames: blockFrames)
    }
    let most = RateConverter.maximumChannelCount
    let first = try converter(min(channels, most))
    if first.bank != nil { return .bank(first) }
    let size = groupSize(channels, quality: options.quality, threads: options.threads)
    var groups: [(channels: Range<Int>, converter: RateConverter)] = []
    for start in stride(from: 0, to: channels, by: size) {
      let range = start..<min(start + size, channels)
      groups.append((range, range.count == first.channelCount && start == 0 ? first : try converter(range.count)))
    }
    return .groups(groups)
  }

  /// Measured: libsoxr costs the same per channel however they are grouped, so every channel may have its thread;
  /// libsamplerate shares its coefficients among interleaved channels, so that only groups of four or more pay.
  private static func groupSize(_ channels: Int, quality: RateConversionQuality, threads: Int) -> Int {
    let most = RateConverter.maximumChannelCount
    guard threads > 1 else { return min(channels, most) }
    let share = max(1, min(most, (channels + threads - 1) / threads))
    switch quality {
    case .mastering, .minimumPhase: return share
    default: return channels >= 8 ? max(4, share) : min(channels, most)
    }
  }

  // MARK: Which frames

  private func outputs(of block: Int) -> Range<Int64> {
    let first = Int64(block) * Int64(blockFrames)
    return first..<min(frames, first + Int64(blockFrames))
  }

  /// The input frames that a block is made of.
  private func inputs(of block: Int) -> Range<Int64> {
    let outputs = outputs(of: block)
    switch engine {
    case .none: return outputs
    case .bank(let converter): return converter.bank?.inputRange(of: outputs) ?? outputs
    case .groups(let groups):
      let converter = groups[0].converter
      return converter.inputFrames(for: outputs.lowerBound)..<converter.inputFrames(for: outputs.upperBound)
    }
  }

  /// The most input frames of a block.
  private var inputRoom: Int {
    guard blockCount > 0 else { return 1 }
    // The first block of a library's is the longest: it looks ahead. All of a bank's are as long, give or take a frame.
    return inputs(of: 0).count + inputs(of: min(1, blockCount - 1)).count + 2
  }

  // MARK: The steps

  func read(_ block: Int) throws(BenchError) {
    let range = inputs(of: block)
    let slot = slots[block % slotCount]
    // In front of the file there is silence; what the block before has already is copied from there.
    let known = Int(max(0, min(readFrames, range.upperBound) - range.lowerBound))
    if block == 0 {
      slot.input.clear(frames: known)
    } else if known > 0 {
      let before = slots[(block - 1) % slotCount]
      let start = Int(range.lowerBound - before.origin)
      for channel in 0..<slot.input.channelCount {
        slot.input[channel].update(from: before.input[channel] + start, count: known)
      }
    }
    slot.origin = range.lowerBound
    slot.inputFrames = range.count
    let wanted = range.count - known
    let got = try reader.read(into: slot.input.planes, offset: known, frames: wanted)
    readFrames = max(readFrames, range.upperBound)
    if got < wanted {
      if case .none = engine { throw shortFile }
      slot.input.clear(from: known + got, frames: wanted - got)  // past its end the input is silence
    }
    if let matrix, mapsFirst { matrix.apply(from: slot.input.planes, to: slot.mapped.planes, frames: range.count) }
  }

  func work(_ block: Int, part: Int) {
    let slot = slots[block % slotCount]
    let range = outputs(of: block)
    switch engine {
    case .none: return
    case .bank(let converter):
      let first = range.count * part / partCount
      let end = range.count * (part + 1) / partCount
      converter.bank?.process(
        input: slot.mapped.planes, inputOrigin: slot.origin, output: slot.converted.planes,
        channelCount: slot.converted.channelCount, offset: first, first: range.lowerBound + Int64(first),
        frames: end - first)
    case .groups(let groups):
      let (channels, converter) = groups[part]
      converter.push(slot.mapped.planes[channels], frames: slot.inputFrames)
      converter.pop(into: slot.converted.planes[channels], frames: range.count)
    }
  }

  func write(_ block: Int) throws(BenchError) {
    let count = outputs(of: block).count
    var planes = slots[block % slotCount].converted.planes
    if let matrix, let widened {
      matrix.apply(from: planes, to: widened.planes, frames: count)
      planes = widened.planes
    }
    peaks.measure(planes, frames: count)
    try writer.write(planes, offset: 0, frames: count)
  }

  private var shortFile: BenchError {
    BenchError(
      .input, at: reader.info.path,
      "the file ends at frame \(reader.position), before the \(NumberText.count(reader.info.frameCount, "frame")) that its header promises"
    )
  }
}
