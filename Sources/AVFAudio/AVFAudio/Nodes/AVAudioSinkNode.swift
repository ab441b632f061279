import AVFAudioFiles
import AudioCore
import AudioEngine
import Foundation
import RenderGraph

/// Takes frames of the microphone: their time, their number, and a list of buffers that is good until it returns. Called
/// on the hardware's thread: it must neither allocate, lock nor wait. The answer is 0, or a status, which is not used.
public typealias AVAudioSinkNodeReceiverBlock = (
  UnsafePointer<AudioTimeStamp>, AVAudioFrameCount, UnsafePointer<AudioBufferList>
) -> OSStatus

/// The end of a chain that begins with the input node: a function of the program takes each slice of the hardware.
///
/// It does not convert: it takes the format that it is connected with. Between input node and sink there may be effects,
/// which lead nowhere else. In manual rendering mode it is not called.
open class AVAudioSinkNode: AVAudioNode, @unchecked Sendable {
  private let sink: SinkUnit

  /// A sink that calls a function.
  public init(receiverBlock block: @escaping AVAudioSinkNodeReceiverBlock) {
    sink = SinkUnit(block)
    super.init(unit: sink)
  }

  /// None.
  public override var numberOfOutputs: Int { 0 }

  /// Has the next slice rendered for the moment at which it was recorded. For the thread that renders.
  func prepare(_ slice: SliceTime) { sink.time = slice }

  override var graphFormat: AVAudioFormat { inputFormat(forBus: 0).standard }
}

/// A sink, and the nodes that lead to it from the microphone.
struct SinkChain {
  let sink: AVAudioSinkNode
  let nodes: [AVAudioNode]
  let renderer: GraphRenderer
}

/// The head of a sink's graph.
final class SinkUnit: AudioEngine.Unit, @unchecked Sendable {
  static let component = Component(
    ComponentDescription(type: .output, subType: "sink", manufacturer: "swft"), shortName: "sink", name: "Swift: Sink",
    summary: "Sound that a function takes."
  ) { SinkUnit { _, _, _ in 0 } }

  private let block: AVAudioSinkNodeReceiverBlock
  /// The slice that is being rendered. The thread that renders alone.
  var time: SliceTime?

  init(_ block: @escaping AVAudioSinkNodeReceiverBlock) {
    self.block = block
    super.init(Self.component, inputs: 1, outputs: 1, maximumFramesPerSlice: 4096)
  }

  override func makeProcessor() throws(AudioStatus) -> Processor {
    SinkProcessor(self, channelCount: inputs[0].format.channelCount, block)
  }
}

private final class SinkProcessor: Processor {
  private unowned let sink: SinkUnit
  private let block: AVAudioSinkNodeReceiverBlock
  private let list: UnsafeMutableAudioBufferListPointer

  init(_ sink: SinkUnit, channelCount: Int, _ block: @escaping AVAudioSinkNodeReceiverBlock) {
    self.sink = sink
    self.block = block
    list = AudioBufferList.allocate(maximumBuffers: max(1, channelCount))
  }

  deinit { free(list.unsafeMutablePointer) }

  override var runsHostCode: Bool { true }

  override func process(_ piece: RenderPiece) throws(AudioStatus) {
    guard piece.inputs[0].count == list.count else { throw .noConnection }
    for channel in 0..<list.count {
      list[channel] = AudioBuffer(
        mNumberChannels: 1, mDataByteSize: UInt32(piece.frames * 4),
        mData: UnsafeMutableRawPointer(piece.input(channel).start(of: piece.frames)))
      piece.output(channel).update(repeating: 0, count: piece.frames)
    }
    var stamp = AudioTimeStamp()
    stamp.mSampleTime = Double(piece.sampleTime)
    stamp.mFlags = .sampleTimeValid
    if let time = sink.time, time.hostTime > 0 {
      stamp.mHostTime = time.hostTime(ofFrame: piece.sampleTime, atRate: time.sampleRate)
      stamp.mFlags = AudioTimeStampFlags(
        rawValue: AudioTimeStampFlags.sampleTimeValid.rawValue | AudioTimeStampFlags.hostTimeValid.rawValue)
    }
    _ = block(&stamp, AVAudioFrameCount(piece.frames), list.unsafePointer)
  }
}
