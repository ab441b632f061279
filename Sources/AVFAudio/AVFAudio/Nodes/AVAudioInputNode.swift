import AVFAudioFiles
import AudioCore
import AudioEngine
import Foundation
import Hardware

/// The source of what the microphone records, or in manual rendering mode of what a program feeds in.
open class AVAudioInputNode: AVAudioIONode, AVAudioMixing, @unchecked Sendable {
  /// The sources of the node's sound. The thread that renders reads them.
  private final class Feed {
    weak var node: AVAudioInputNode?
    var format: AVAudioFormat?
    var block: AVAudioIONodeInputBlock?
    var microphone: MicrophoneQueue?
  }
  private let feed: Feed

  init() {
    let feed = Feed()
    self.feed = feed
    super.init(
      unit: BlockUnit { slice in
        if let microphone = feed.microphone { return microphone.take(into: slice) }
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

  // MARK: Hardware

  override var hearsHardware: Bool { feed.microphone != nil }
  override var hearsMicrophone: Bool { engine.map { $0.mode == nil } ?? false }
  override var tapFormat: AVAudioFormat {
    guard let engine, engine.mode == nil else { return graphFormat }
    return engine.link.flatMap { $0.output.isInputEnabled ? $0.inputFormat : nil } ?? hardwareFormat(engine)
  }

  /// Gets its sound from a microphone of so many channels from now on; nil: from the program. While nothing renders.
  func follow(microphoneChannels count: Int?) {
    feed.microphone = count.map { MicrophoneQueue(channelCount: $0) }
  }

  /// Takes what the microphone has recorded in a cycle. On the hardware's thread, in front of the cycle's slice.
  func hear(_ samples: BusBuffer, _ slice: SliceTime) {
    guard let engine, engine.domain.enter() else { return }
    defer { engine.domain.leave() }
    feed.microphone?.append(samples, sampleTime: slice.sampleTime, frames: slice.frames)
    tap?.take(samples, sampleTime: slice.sampleTime, of: slice, frames: slice.frames)
    for chain in engine.liveSinks {
      chain.sink.prepare(slice)
      do throws(AudioStatus) {
        try chain.renderer.render(sampleTime: slice.sampleTime, frames: slice.frames) { _, _, _ in }
      } catch {}
    }
  }

  /// A second source of what the microphone records, for a graph of its own.
  func makeMicrophone() -> BlockUnit {
    BlockUnit { [feed] slice in
      if let microphone = feed.microphone { microphone.take(into: slice) } else { slice.silence() }
    }
  }

  // MARK: Formats

  /// One, which nothing is connected to: the microphone, or the program's input.
  public override var numberOfInputs: Int { 1 }
  override var inputRange: Range<Int> { 0..<0 }

  /// The format of the microphone, without channels and rate where there is none; in manual rendering mode that of the
  /// program's input.
  public override func inputFormat(forBus bus: AVAudioNodeBus) -> AVAudioFormat {
    guard let engine, engine.mode == nil else { return outputFormat(forBus: 0) }
    return hardwareFormat(engine)
  }

  override var naturalFormat: AVAudioFormat {
    guard let engine, engine.mode == nil else { return super.naturalFormat }
    return hardwareFormat(engine)
  }

  private func hardwareFormat(_ engine: AVAudioEngine) -> AVAudioFormat {
    let configuration = engine.hardware.configuration
    guard configuration.inputChannelCount > 0 else { return .none }
    return AVAudioFormat(planar: configuration.inputFormat)
  }
}

extension AVAudioFormat {
  /// The format of what is not there: no channels, no rate.
  static let none: AVAudioFormat = AVAudioFormat(StreamFormat(sampleRate: 0, channelCount: 0), layout: nil)
}
