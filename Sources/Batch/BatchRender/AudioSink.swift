import AudioCore
import SoundFile
import Tags

/// The destination of rendered or converted frames, in order.
package protocol AudioSink: AnyObject {
  /// Takes `frames` frames of `planes`, from frame `offset` of each on.
  func write(
    _ planes: FloatPlanes, offset: Int, frames: Int
  ) throws(BenchError)
  /// Completes what was written; nothing of it is to be seen yet.
  func end() throws(BenchError) -> SoundFileWriteReport?
  /// Lets it be seen.
  func publish() throws(BenchError)
  /// Drops what was written; nothing of it remains.
  func discard()
  /// The bits of the integers that all its samples are; nil: they may lie between the steps. Set before the first
  /// write.
  var exactBits: Int? { get set }
}

extension AudioSink {
  package var exactBits: Int? {
    get { nil }
    set {}
  }
}

/// A sound file, with its tags.
package final class SoundFileSink: AudioSink {
  let writer: SoundFileWriter
  private let tags: SoundTags

  /// - Parameter frames: the number of frames to come; nil if not known.
  package init(
    _ path: String, _ format: SoundFileFormat, _ stream: StreamFormat, frames: Int64?, tags: SoundTags,
    options: SoundFileWriterOptions
  ) throws(BenchError) {
    var options = options
    options.metadata = tags.metadata
    if let layout = tags.layout, layout.channelCount == stream.channelCount { options.layout = layout }
    self.tags = tags
    writer = try SoundFileWriter(
      path: path, format: format, sampleRate: stream.sampleRate, channelCount: stream.channelCount,
      expectedFrames: frames, options: options)
  }

  package func write(
    _ planes: FloatPlanes, offset: Int, frames: Int
  ) throws(BenchError) {
    try writer.write(planes, offset: offset, frames: frames)
  }
  package func end() throws(BenchError) -> SoundFileWriteReport? { try writer.complete(with: tags) }
  package var path: String { writer.path }
  /// The open file: to be read again once it has ended.
  package var descriptor: Int32 { writer.descriptor }
  package func publish() throws(BenchError) { try writer.publish() }
  package var exactBits: Int? {
    get { writer.exactBits }
    set { writer.exactBits = newValue }
  }
  package func discard() { writer.discard() }
}

/// The source of a conversion's frames, in order.
package protocol FrameSource: AnyObject {
  var info: SoundFileInfo { get }
  /// The tags of its sound; read once.
  var tags: SoundTags { get }
  /// The frame that the next read begins with.
  var position: Int64 { get }
  /// The bits of the integers that all its samples are; nil: they may lie between the steps.
  var exactBits: Int? { get }
  /// Its files with samples that are NaN or infinite, of what has been read.
  var nonFiniteFiles: [NonFiniteFile] { get }
  /// Reads up to `frames` frames to planes, from frame `offset` of each on; fewer at the end alone.
  func read(
    into planes: FloatPlanes, offset: Int, frames: Int
  ) throws(BenchError) -> Int
}

extension SoundFileReader: FrameSource {
  package var tags: SoundTags { SoundTags(of: info) }
  package var exactBits: Int? { info.isFloat ? nil : info.sourceBits }
  package var nonFiniteFiles: [NonFiniteFile] {
    guard let policy = nonFinitePolicy, !nonFiniteSamples.isEmpty else { return [] }
    return [NonFiniteFile(path: info.path, node: nil, samples: nonFiniteSamples, policy: policy)]
  }
}

/// Arrays in memory: for tests and short signals.
final class MemorySink: AudioSink {
  private(set) var channels: [[Float]]

  /// - Parameter frames: the number of frames to come; nil if not known.
  /// - Throws: `.graph` where they would take more memory than they may.
  init(_ format: StreamFormat, frames: Int64?) throws(BenchError) {
    var budget = MemoryBudget()
    try budget.add(
      MemoryBudget.product(Int(clamping: frames ?? 0), format.channelCount, MemoryLayout<Float>.size),
      for: "a render of \(frames ?? 0) frames into memory", of: "the render")
    channels = Array(repeating: [], count: format.channelCount)
    for channel in channels.indices { channels[channel].reserveCapacity(Int(clamping: frames ?? 0)) }
  }

  func write(
    _ planes: FloatPlanes, offset: Int, frames: Int
  ) throws(BenchError) {
    for channel in channels.indices {
      channels[channel].append(contentsOf: (planes[channel] + offset).prefix(frames).elements)
    }
  }
  func end() throws(BenchError) -> SoundFileWriteReport? { nil }
  func publish() throws(BenchError) {}
  func discard() {}
}
