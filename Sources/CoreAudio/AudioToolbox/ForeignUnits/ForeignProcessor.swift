// The path of one slice: pull, input, notify, parameters and work, inside a third-party component. Runs on the render
// thread, and so does the component; nothing here allocates or waits. The component itself may do so.

import AudioCore
import AudioEngine
import CAudioToolbox
import CForeign
import Glibc

/// The render half of a ``ForeignUnit``: calls the component's Render and hands it what the engine has pulled.
///
/// A piece of a slice is one call. Parameters that move cut slices into cells of 32 absolute frames; for each piece the
/// component gets the whole cell's ramp as an event whose start may lie in front of the piece, so that a component
/// which honours events computes the same values whatever the slices. One that takes no events gets the value of the
/// cell's first frame.
final class ForeignProcessor: Processor {
  /// One parameter that the component can be given.
  struct Control {
    let slot: Int
    let address: ParameterAddress
    let canSchedule: Bool
    /// The value that the component got last.
    var sent: Float
  }

  private let isInPlace: Bool
  override var worksInPlace: Bool { isInPlace }
  private let instance: UnitInstance
  private let outputFormats: [StreamFormat]
  private let controls: UnsafeMutableBufferPointer<Control>
  private let feeds: [Feed]
  private let outputLists: [BufferList]
  /// The place of outputs that are not aligned as the interface requires.
  private let outputScratch: [StreamBuffer]
  private let crashNotice: CrashNotice?
  private let offlineAction: OfflineAction
  /// The error of the component's render call.
  private(set) var failure = AudioStatus.noError

  init(
    _ instance: UnitInstance, inputFormats: [StreamFormat], outputFormats: [StreamFormat], maximumFrames: Int,
    controls: [Control], worksInPlace: Bool, crashNotice: CrashNotice?, offlineAction: OfflineAction
  ) {
    self.offlineAction = offlineAction
    self.instance = instance
    self.outputFormats = outputFormats
    isInPlace = worksInPlace
    self.crashNotice = crashNotice
    self.controls = .allocate(capacity: controls.count)
    _ = self.controls.initialize(from: controls)
    feeds = inputFormats.map { Feed(format: $0, maximumFrames: maximumFrames) }
    outputLists = outputFormats.map { BufferList(capacity: $0.bufferCount) }
    outputScratch = outputFormats.map { StreamBuffer(format: $0, frameCapacity: maximumFrames) }
  }

  deinit { controls.deallocate() }

  /// The callback for an input bus; good for as long as the processor is.
  func callback(bus: Int) -> AURenderCallbackStruct {
    AURenderCallbackStruct(inputProc: Feed.proc, inputProcRefCon: Unmanaged.passUnretained(feeds[bus]).toOpaque())
  }

  override func process(_ piece: RenderPiece) throws(AudioStatus) {
    guard piece.frames > 0 else { return }
    send(piece)
    for (bus, feed) in feeds.enumerated() {
      // Over input 0 the engine may let output 0 be written; elsewhere the source's frames are not to be touched.
      let isShared = bus > 0 || outputFormats.isEmpty || piece.outputs[0].buffers != piece.inputs[0].buffers
      feed.begin(piece.inputs[bus], piece, mustCopy: isShared)
    }
    for bus in outputFormats.indices { try render(piece, bus: bus) }
  }

  private func render(_ piece: RenderPiece, bus: Int) throws(AudioStatus) {
    let format = outputFormats[bus]
    let offset = piece.offset * format.bytesPerFrame
    let isAligned = offset % 16 == 0
    let wanted = piece.outputs[bus]
    let list = outputLists[bus]
    if isAligned {
      list.point(at: wanted, offset: piece.offset, frames: piece.frames, format: format)
    } else {
      list.point(at: outputScratch[bus].bus, offset: 0, frames: piece.frames, format: format)
    }
    var flags = offlineAction.flags
    var stamp = AudioTimeStamp(sampleTime: Double(piece.sampleTime))
    let former = crashNotice?.enter()
    let status = instance.render(&flags, &stamp, bus: UInt32(bus), frames: UInt32(piece.frames), list.pointer)
    if let former { CrashNotice.leave(former) }
    guard status == noErr else {
      failure = AudioStatus(status)
      throw failure
    }
    // A component may answer with memory of its own.
    for index in 0..<wanted.count {
      let target = wanted.buffers[index] + offset
      guard let source = list.pointer(index) else {
        failure = .noConnection
        throw failure
      }
      if source != target { memmove(target, source, piece.frames * format.bytesPerFrame) }
    }
  }

  /// Tells the component what has changed.
  private func send(_ piece: RenderPiece) {
    let parameters = piece.parameters
    for index in controls.indices {
      let control = controls[index]
      let start = Float(parameters.start(control.slot))
      let end = Float(parameters.end(control.slot))
      if start != end, parameters.isMoving, control.canSchedule {
        var event = AudioUnitParameterEvent()
        event.scope = control.address.scope.rawValue
        event.element = UInt32(control.address.element)
        event.parameter = control.address.id
        event.eventType = .parameterEvent_Ramped
        event.eventValues.ramp.startBufferOffset = Int32(parameters.cellStart - piece.sampleTime)
        event.eventValues.ramp.durationInFrames = UInt32(parameters.cellEnd - parameters.cellStart)
        event.eventValues.ramp.startValue = start
        event.eventValues.ramp.endValue = end
        if instance.scheduleParameters(&event, count: 1) == noErr {
          controls[index].sent = .nan
          continue
        }
      }
      guard start != control.sent else { continue }
      let status = instance.setParameter(
        control.address.id, control.address.scope.rawValue, UInt32(control.address.element), to: start, bufferOffset: 0)
      if status == noErr { controls[index].sent = start }
    }
  }

  override func reset() {
    failure = .noError
    for feed in feeds { feed.forget() }
    _ = instance.reset(kAudioUnitScope_Global, 0)
  }

  /// One input bus: what the engine has pulled for it, and the callback through which the component asks for that.
  private final class Feed {
    private let format: StreamFormat
    /// Copies of frames that others read too; silence where there is no source.
    private let own: StreamBuffer
    private var source: BusBuffer
    private var time: Int64 = 0
    private var offset = 0
    private var frames = 0
    private var mustCopy = true
    private var isSilent = true

    init(format: StreamFormat, maximumFrames: Int) {
      self.format = format
      own = StreamBuffer(format: format, frameCapacity: maximumFrames)
      source = own.bus
    }

    func begin(_ input: BusBuffer, _ piece: RenderPiece, mustCopy: Bool) {
      isSilent = input.count == 0
      source = isSilent ? own.bus : input
      time = piece.sampleTime
      offset = isSilent ? 0 : piece.offset
      frames = piece.frames
      // Pointers into the middle are not aligned as the interface demands.
      self.mustCopy = mustCopy || offset * format.bytesPerFrame % 16 != 0
    }

    func forget() { frames = 0 }

    static let proc: AURenderCallback = { context, flags, stamp, _, frames, data in
      guard let data else { return kAudio_ParamError }
      return Unmanaged<Feed>.fromOpaque(context)._withUnsafeGuaranteedRef {
        $0.pull(flags, stamp.pointee.mSampleTime, frames: Int(frames), UnsafeMutableAudioBufferListPointer(data))
      }
    }

    /// Hands over frames of the present piece. The component may ask for a part of them, not for others.
    private func pull(
      _ flags: UnsafeMutablePointer<AudioUnitRenderActionFlags>, _ asked: Double, frames count: Int,
      _ data: UnsafeMutableAudioBufferListPointer
    ) -> OSStatus {
      guard let start = Int64(exactly: asked), start >= time, count >= 0, start - time <= Int64(frames - count) else {
        return kAudioUnitErr_TooManyFramesToProcess
      }
      let skipped = Int(start - time)
      let bytes = count * format.bytesPerFrame
      if isSilent {
        for index in 0..<own.bus.count { memset(own.bus.buffers[index], 0, bytes) }
        flags.pointee.insert(.unitRenderAction_OutputIsSilence)
      }
      for index in 0..<min(data.count, source.count) {
        let from = source.buffers[index] + (isSilent ? 0 : (offset + skipped) * format.bytesPerFrame)
        let buffers = data.buffers
        if mustCopy && !isSilent {
          // Into the component's own memory, or into ours where it has none.
          let target =
            buffers[index].mData != nil && Int(buffers[index].mDataByteSize) >= bytes
            ? buffers[index].mData : own.bus.buffers[index]
          if let target { memcpy(target, from, bytes) }
          buffers[index].mData = target
        } else {
          buffers[index].mData = from
        }
        buffers[index].mDataByteSize = UInt32(bytes)
      }
      return noErr
    }
  }
}
