// The path of one slice inside an AUAudioUnit. Runs on the render thread, and so does the unit's render block; nothing here
// allocates or waits. The unit itself may do so.

import AVFAudioFiles
import AudioCore
import AudioEngine
import Foundation
import Synchronization

/// The render half of an ``AudioUnitAdapter``: calls the unit's render block and hands it what the engine has pulled.
///
/// A piece of a slice is one call. Parameters that move cut slices into cells of 32 absolute frames; for each cell the unit
/// gets a ramp over the whole of it, once, so that the ramps do not depend on slices.
final class AdapterProcessor: Processor {
  /// One parameter that events go to.
  struct Control: BitwiseCopyable {
    let slot: Int
    let address: AUParameterAddress
    let isReadOnly: Bool
    let canRamp: Bool
    /// The value that the unit has, or comes to at ``rampEnd``.
    var sent: Float
    /// The end of the ramp that was sent last.
    var rampEnd = Int64.min
  }

  private let audioUnit: AUAudioUnit
  private let context: RenderContext
  private let controls: FlatMemory<Control>
  /// By slot: a count of the values that the implementation was told of beside events, and the last one's bits.
  private let told: FlatMemory<Atomic<UInt64>>
  private let seen: FlatMemory<UInt32>
  private let store: ParameterStore
  private let fixed: Set<Int>
  private let feeds: [PulledInput]
  private let outputLists: [UnsafeMutableAudioBufferListPointer]
  private let outputFormats: [StreamFormat]
  /// The place of outputs that are not aligned.
  private let scratch: [StreamBuffer]
  private var pull: AURenderPullInputBlock?
  /// The status of the render call that failed last.
  private(set) var failure = AudioStatus.noError

  init(
    _ audioUnit: AUAudioUnit, inputFormats: [StreamFormat], outputFormats: [StreamFormat], maximumFrames: Int,
    controls: [Control], store: ParameterStore, fixed: Set<Int>
  ) {
    self.audioUnit = audioUnit
    context = audioUnit.context
    self.controls = FlatMemory(controls)
    told = FlatMemory(count: controls.count) { _ in Atomic(0) }
    seen = FlatMemory(repeating: 0, count: controls.count)
    self.store = store
    self.fixed = fixed
    self.outputFormats = outputFormats
    isInPlace = audioUnit.canProcessInPlace
    let feeds = inputFormats.map { PulledInput($0, maximumFrames: maximumFrames) }
    self.feeds = feeds
    outputLists = outputFormats.map { AudioBufferList.allocate(maximumBuffers: max(1, $0.bufferCount)) }
    scratch = outputFormats.map { StreamBuffer(format: $0, frameCapacity: maximumFrames) }
    super.init()
    if !feeds.isEmpty {
      pull = { flags, stamp, frames, bus, data in
        guard feeds.indices.contains(bus) else { return kAudioUnitErr_InvalidElement }
        return feeds[bus].pull(flags, stamp.pointee.mSampleTime, frames: Int(frames), data)
      }
    }
  }

  deinit { for list in outputLists { free(list.unsafeMutablePointer) } }

  private let isInPlace: Bool
  override var worksInPlace: Bool { isInPlace }
  override var runsHostCode: Bool { true }

  /// Notes a value that the implementation was told of, on any thread.
  func noteTold(_ slot: Int, _ value: Float) {
    guard slot < told.count else { return }
    var bits = told[slot].load(ordering: .relaxed)
    while true {
      let next = (bits >> 32 &+ 1) << 32 | UInt64(value.bitPattern)
      let (exchanged, original) = told[slot].weakCompareExchange(expected: bits, desired: next, ordering: .relaxed)
      if exchanged { return }
      bits = original
    }
  }

  override func latch() {
    for index in 0..<controls.count {
      let bits = told[index].load(ordering: .relaxed)
      guard UInt32(truncatingIfNeeded: bits >> 32) != seen[index] else { continue }
      seen[index] = UInt32(truncatingIfNeeded: bits >> 32)
      controls[index].sent = Float(bitPattern: UInt32(truncatingIfNeeded: bits))
      controls[index].rampEnd = .min
    }
  }

  override func process(_ piece: RenderPiece) throws(AudioStatus) {
    guard piece.frames > 0 else { return }
    send(piece)
    for (bus, feed) in feeds.enumerated() {
      // Over input 0 the engine may let output 0 be written; elsewhere the source's frames are not to be touched.
      let isShared = bus > 0 || piece.outputs[0].buffers != piece.inputs[0].buffers
      feed.begin(piece.inputs[bus], piece, mustCopy: isShared)
    }
    for bus in outputFormats.indices { try render(piece, bus: bus) }
  }

  /// Sends what has changed since the piece before.
  private func send(_ piece: RenderPiece) {
    context.events.takeOver(at: piece.sampleTime)
    let parameters = piece.parameters
    for index in 0..<controls.count where !controls[index].isReadOnly {
      let slot = controls[index].slot
      let start = Float(parameters.start(slot))
      if parameters.isMoving, controls[index].canRamp, parameters.start(slot) != parameters.end(slot) {
        let end = Float(parameters.end(slot))
        // The ramp of this cell is under way.
        if controls[index].rampEnd == parameters.cellEnd, controls[index].sent == end { continue }
        let frames = parameters.cellEnd - piece.sampleTime
        let part = Double(piece.sampleTime - parameters.cellStart) / Double(parameters.cellEnd - parameters.cellStart)
        let present = Float(parameters.start(slot) + (parameters.end(slot) - parameters.start(slot)) * part)
        if controls[index].sent != present {
          context.events.add(piece.sampleTime, ramp: 0, controls[index].address, present)
        }
        context.events.add(
          piece.sampleTime, ramp: AUAudioFrameCount(clamping: frames), controls[index].address, end)
        controls[index].sent = end
        controls[index].rampEnd = parameters.cellEnd
      } else if controls[index].sent != start {
        context.events.add(piece.sampleTime, ramp: 0, controls[index].address, start)
        controls[index].sent = start
        controls[index].rampEnd = .min
      }
    }
  }

  private func render(_ piece: RenderPiece, bus: Int) throws(AudioStatus) {
    let format = outputFormats[bus]
    let wanted = piece.outputs[bus]
    let list = outputLists[bus]
    let bytes = piece.frames * format.bytesPerFrame
    let isAligned = piece.offset * format.bytesPerFrame % 16 == 0
    list.count = wanted.count
    for index in 0..<wanted.count {
      let place =
        isAligned ? wanted.buffers[index] + piece.offset * format.bytesPerFrame : scratch[bus].bus.buffers[index]
      list[index] = AudioBuffer(mNumberChannels: 1, mDataByteSize: UInt32(bytes), mData: place)
    }
    var flags = AudioUnitRenderActionFlags()
    var stamp = AudioTimeStamp()
    stamp.mSampleTime = Double(piece.sampleTime)
    stamp.mFlags = .sampleTimeValid
    stamp.mRateScalar = 1
    let status = context.render(&flags, &stamp, AUAudioFrameCount(piece.frames), bus, list.unsafeMutablePointer, pull) {
      [self] event in note(event)
    }
    guard status == noErr else {
      failure = AudioStatus(status)
      throw failure
    }
    // A unit may answer with memory of its own.
    for index in 0..<wanted.count {
      guard let source = list[index].mData else {
        failure = .noConnection
        throw failure
      }
      let target = wanted.buffers[index] + piece.offset * format.bytesPerFrame
      if source != target { target.copyMemory(from: source, byteCount: bytes) }
    }
  }

  /// Notes a value that an event has brought which the program scheduled itself.
  private func note(_ event: AUParameterEvent) {
    for index in 0..<controls.count where controls[index].address == event.parameterAddress {
      guard event.value != controls[index].sent else { continue }
      controls[index].sent = event.value
      if !fixed.contains(controls[index].slot), event.value.isFinite { store[controls[index].slot] = event.value }
    }
  }

  override func reset() {
    failure = .noError
    for feed in feeds { feed.forget() }
    for index in 0..<controls.count where controls[index].rampEnd != .min {
      // A ramp may have been cut short: the value is not known.
      controls[index].sent = .nan
      controls[index].rampEnd = .min
    }
    audioUnit.reset()
  }
}
