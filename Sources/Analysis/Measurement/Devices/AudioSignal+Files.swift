import AudioCore
import SoundFile

extension AudioSignal {
  /// The samples of a sound file, whole.
  /// - Parameters:
  ///   - path: the file.
  ///   - maximumFrames: a longer file is refused, as it has to lie in memory.
  /// - Throws: `.input` for a file that cannot be read, or is too long.
  public init(contentsOf path: String, maximumFrames: Int64 = 1 << 28) throws(BenchError) {
    let reader = try Self.reader(of: path, maximumFrames: maximumFrames)
    let block = DoubleBuffer(channelCount: reader.info.channelCount, frameCapacity: 8192)
    var channels = [[Double]](repeating: [], count: reader.info.channelCount)
    for channel in channels.indices { channels[channel].reserveCapacity(Int(reader.info.frameCount)) }
    while true {
      let frames = try reader.read(into: block.planes, frames: block.frameCapacity)
      if frames == 0 { break }
      for channel in channels.indices {
        channels[channel].append(contentsOf: block[channel].prefix(frames).elements)
      }
    }
    self.init(sampleRate: reader.info.sampleRate, channels: channels)
    layout = reader.info.layout
  }

  /// Throws where a file cannot be read, is not whole, or is too long to lie in memory.
  static func checkFile(_ path: String) throws(BenchError) { _ = try reader(of: path) }

  private static func reader(of path: String, maximumFrames: Int64 = 1 << 28) throws(BenchError) -> SoundFileReader {
    let reader = try SoundFileReader(path: path)
    guard reader.info.frameCount <= maximumFrames else {
      throw BenchError(
        .input, at: path,
        "has \(NumberText.count(reader.info.frameCount, "frame")); at most \(maximumFrames) can be held in memory")
    }
    try AudioSignal.checkMemory(
      frames: Int(clamping: reader.info.frameCount), channels: reader.info.channelCount, at: path)
    return reader
  }

  /// Writes the samples to a sound file, which appears when it is whole.
  /// - Parameters:
  ///   - path: the file.
  ///   - format: by default what the name's extension says, WAV with 32-bit floats where that can be.
  /// - Throws: `.usage` for a format that cannot be, `.output` for a file that cannot be written.
  @discardableResult
  public func write(to path: String, as format: SoundFileFormat? = nil) throws(BenchError) -> SoundFileWriteReport {
    let writer = try written(to: path, as: format)
    return try writer.finish()
  }

  /// A file with all samples, whole but for its name, which it gets by ``SoundFileWriter/publish()``.
  /// - Parameter confinement: the folder in which it may lie; nil: anywhere.
  package func staged(
    to path: String, as format: SoundFileFormat? = nil, confinement: Confinement? = nil
  ) throws(BenchError) -> SoundFileWriter {
    let writer = try written(to: path, as: format, confinement)
    _ = try writer.complete()
    return writer
  }

  private func written(
    to path: String, as format: SoundFileFormat?, _ confinement: Confinement? = nil
  ) throws(BenchError) -> SoundFileWriter {
    var options = SoundFileWriterOptions()
    options.confinement = confinement
    options.layout = layout
    var chosen = format
    if chosen == nil { chosen = try? SoundFileFormat(path: path, encoding: "float32") }
    if chosen == nil { chosen = try SoundFileFormat(path: path) }
    guard let format = chosen else { preconditionFailure("a format was chosen") }
    let writer = try SoundFileWriter(
      path: path, format: format, sampleRate: sampleRate, channelCount: channelCount, expectedFrames: Int64(frameCount),
      options: options)
    try eachBlock(of: 8192) { (planes, frames) throws(BenchError) in try writer.write(planes, frames: frames) }
    return writer
  }
}
