import AVFAudioFiles
import AudioEngine
import BuiltInUnits
import Foundation

/// Gives so many frames for the input node, in its manual rendering format, in a list that stays as it is until the next
/// call; nil: there is nothing now.
public typealias AVAudioIONodeInputBlock = (AVAudioFrameCount) -> UnsafePointer<AudioBufferList>?

/// The common part of input and output.
open class AVAudioIONode: AVAudioNode, @unchecked Sendable {
  /// Seconds: 0, as there is no device.
  public var presentationLatency: TimeInterval { 0 }
}

/// The head of an engine's graph.
open class AVAudioOutputNode: AVAudioIONode, @unchecked Sendable {
  init() { super.init(unit: GenericOutput()) }

  /// The format of manual rendering; 44.1 kHz stereo without it.
  public override func outputFormat(forBus bus: AVAudioNodeBus) -> AVAudioFormat { engine?.mode?.format ?? .initial }

  /// The format of what is connected to it; without a connection that of manual rendering.
  public override func inputFormat(forBus bus: AVAudioNodeBus) -> AVAudioFormat {
    guard let engine, engine.locked({ engine.connection(into: self, bus: 0) }) != nil else {
      return outputFormat(forBus: 0).standard
    }
    return super.inputFormat(forBus: bus)
  }
}

/// The source of what a program feeds in while it renders the engine.
open class AVAudioInputNode: AVAudioIONode, AVAudioMixing, @unchecked Sendable {
  private final class Feed {
    weak var node: AVAudioInputNode?
    var format: AVAudioFormat?
    var block: AVAudioIONodeInputBlock?
  }
  private let feed: Feed

  init() {
    let feed = Feed()
    self.feed = feed
    super.init(
      unit: BlockUnit { slice in
        if !Self.fill(slice, from: feed) {
          slice.silence()
          feed.node?.engine?.inputRanDry = true
        }
      })
    feed.node = self
  }

  private static func fill(_ slice: BlockSlice, from feed: Feed) -> Bool {
    guard let block = feed.block, let stream = feed.format?.stream,
      let list = block(AVAudioFrameCount(slice.frames)), stream.holds(list, frames: slice.frames)
    else { return false }
    let buffers = UnsafeMutableAudioBufferListPointer(UnsafeMutablePointer(mutating: list))
    for channel in 0..<slice.channelCount {
      guard let data = buffers[stream.isInterleaved ? 0 : channel].mData?.assumingMemoryBound(to: Float.self) else {
        return false
      }
      let output = slice.channel(channel)
      let (first, stride) = stream.isInterleaved ? (channel, stream.channelCount) : (0, 1)
      for frame in 0..<slice.frames { output[frame] = data[first + frame * stride] }
    }
    return true
  }

  /// Sets the format and the function of the program's input. In manual rendering mode, while the engine is stopped.
  ///
  /// - Returns: False while the engine runs or is in no such mode, and for a format that is not Float32.
  @discardableResult
  public func setManualRenderingInputPCMFormat(
    _ format: AVAudioFormat, inputBlock block: @escaping AVAudioIONodeInputBlock
  ) -> Bool {
    guard let engine else { return false }
    return engine.locked {
      guard engine.mode != nil, !engine.isRunning, format.commonFormat == .pcmFormatFloat32 else { return false }
      feed.format = format
      feed.block = block
      setOutputFormat(format)
      engine.noteEdit()
      return true
    }
  }

  /// One, which nothing is connected to: the program's input.
  public override var numberOfInputs: Int { 1 }
  override var inputRange: Range<Int> { 0..<0 }
  /// The format of the program's input.
  public override func inputFormat(forBus bus: AVAudioNodeBus) -> AVAudioFormat { outputFormat(forBus: 0) }
}
