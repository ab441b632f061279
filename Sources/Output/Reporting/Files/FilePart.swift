import AudioCore
import BatchRender
import SoundFile

/// The part of a sound file that is drawn, read once in blocks.
struct FilePart {
  let info: SoundFileInfo
  /// The channels to draw.
  let channels: [Int]
  /// Frames to read.
  let frameCount: Int64
  /// The start of the part.
  let fromSeconds: Double
  var sampleRate: Double { info.sampleRate }
  /// Rate and length, for a subtitle.
  var remark: String {
    "\(NumberText.short(sampleRate)) Hz, \(NumberText.clockTime(Double(frameCount) / sampleRate))"
  }
  private let reader: SoundFileReader
  /// Samples that are NaN or infinite, of what has been read, in whichever channel.
  var nonFinite: NonFiniteSamples { reader.nonFiniteSamples }

  /// Opens the file and goes to where the part begins.
  /// - Throws: `.input` where the file cannot be read, `.usage` where it has no such channel or time.
  init(_ path: String, _ settings: FileFigures.Settings) throws(BenchError) {
    let reader = try SoundFileReader(path: path)
    reader.nonFinitePolicy = .keep
    let info = reader.info
    self.reader = reader
    self.info = info
    if let channel = settings.channel, channel >= info.channelCount {
      let count =
        info.channelCount == 1 ? "one channel, 0" : "\(info.channelCount) channels, 0 to \(info.channelCount - 1)"
      throw FileFigures.error("channel", "there is no channel \(channel) in \(path), which has \(count)")
    }
    channels = settings.channel.map { [$0] } ?? Array(0..<info.channelCount)
    guard info.frameCount > 0 else { throw BenchError(.input, at: path, "has no frames: there is nothing to draw") }
    let first = (settings.fromSeconds * info.sampleRate).rounded()
    guard first < Double(info.frameCount) else {
      throw FileFigures.error(
        "from", "\(path) has \(NumberText.fixed(Double(info.frameCount) / info.sampleRate, 3)) s",
        advice: "begin earlier")
    }
    let wanted = settings.durationSeconds.map { max(1, ($0 * info.sampleRate).rounded()) } ?? .infinity
    let left = info.frameCount - Int64(clamping: first)
    frameCount = wanted < Double(left) ? Int64(clamping: wanted) : left
    fromSeconds = first / info.sampleRate
    if first > 0 { try reader.seek(toFrame: Int64(clamping: first)) }
  }

  /// The name of a channel's curve or panel; empty if the file has one channel.
  func name(ofChannel channel: Int) -> String { info.channelCount > 1 ? "channel \(channel)" : "" }

  /// Hands on every block of the channels to draw.
  /// - Throws: `.input` where the file ends early, `.interrupted` where `progress` returns false.
  func read(
    _ progress: (RenderProgress) -> Bool,
    _ body: (Planes<Double>, Int) -> Void
  ) throws(BenchError) {
    let block = max(4096, min(1 << 18, (1 << 21) / info.channelCount))
    let buffer = DoubleBuffer(channelCount: info.channelCount, frameCapacity: block)
    let addresses = PlaneAddresses<Double>(channelCount: channels.count)
    let drawn = addresses.planes(channels.map { buffer[$0] })
    var done: Int64 = 0
    let clock = Stopwatch()
    while done < frameCount {
      let frames = try reader.read(into: buffer.planes, frames: Int(min(Int64(block), frameCount - done)))
      if frames == 0 { break }
      body(drawn, frames)
      done += Int64(frames)
      let state = RenderProgress(
        framesDone: done, framesTotal: frameCount, sampleRate: sampleRate,
        elapsedSeconds: clock.seconds)
      guard progress(state) else { throw BenchError(.interrupted, at: info.path, "stopped by a signal") }
    }
  }
}
