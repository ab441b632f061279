// A host that feeds one input of a unit, hears its render notifies and pulls it, as C programs do.

import AudioCore
import AudioToolbox
import Glibc
import Testing

final class RenderHost {
  /// One call of a render notify.
  struct Note: Equatable, CustomStringConvertible {
    let flags: AudioUnitRenderActionFlags
    let bus: UInt32
    let frames: UInt32
    var description: String { "notify 0x\(String(flags.rawValue, radix: 16)) bus \(bus) frames \(frames)" }
  }

  let opened: OpenedUnit
  var unit: AudioUnit { opened.unit }
  /// The signal of the input's callback: a sample for each frame of all time.
  var signal: (Int) -> Float = { _ in 0 }
  /// The return value of the callback.
  var sourceStatus: OSStatus = noErr
  /// True when the callback flags its frames as silence.
  var isSilent = false
  /// The frames that the callback was called for, call by call; the times, and the flags that came along.
  private(set) var pulls: [UInt32] = []
  private(set) var pullTimes: [Double] = []
  private(set) var pullFlags: [AudioUnitRenderActionFlags] = []
  private(set) var notes: [Note] = []
  var sampleTime = 0.0

  /// Opens a unit, feeds its input 0 and adds a render notify.
  init(_ kind: OpenedUnit.Kind, initialize: Bool = true, format: AudioStreamBasicDescription? = nil) throws {
    opened = try OpenedUnit(kind)
    if let format {
      try #require(opened.set(kAudioUnitProperty_StreamFormat, kAudioUnitScope_Input, to: format) == noErr)
    }
    try #require(opened.set(kAudioUnitProperty_SetRenderCallback, kAudioUnitScope_Input, to: callback) == noErr)
    try #require(AudioUnitAddRenderNotify(unit, Self.notify, context) == noErr)
    if initialize { try #require(AudioUnitInitialize(unit) == noErr) }
  }

  private var context: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }
  var callback: AURenderCallbackStruct { AURenderCallbackStruct(inputProc: Self.source, inputProcRefCon: context) }

  private static func host(_ context: UnsafeMutableRawPointer) -> RenderHost {
    Unmanaged<RenderHost>.fromOpaque(context).takeUnretainedValue()
  }

  private static let source: AURenderCallback = { context, flags, timeStamp, bus, frames, data in
    let host = host(context)
    host.pulls.append(frames)
    host.pullTimes.append(timeStamp.pointee.mSampleTime)
    host.pullFlags.append(flags.pointee)
    if host.isSilent { flags.pointee.insert(.unitRenderAction_OutputIsSilence) }
    guard host.sourceStatus == noErr, let data else { return host.sourceStatus }
    for buffer in UnsafeMutableAudioBufferListPointer(data) {
      guard let samples = buffer.mData?.assumingMemoryBound(to: Float.self) else { continue }
      for frame in 0..<Int(frames) {
        samples[frame] = host.signal(Int(clamping: timeStamp.pointee.mSampleTime) + frame)
      }
    }
    return noErr
  }

  private static let notify: AURenderCallback = { context, flags, _, bus, frames, _ in
    host(context).notes.append(Note(flags: flags.pointee, bus: bus, frames: frames))
    return noErr
  }

  // MARK: Pulling

  func forgetCalls() {
    (pulls, pullTimes, pullFlags) = ([], [], [])
    notes = []
  }

  func timeStamp() -> AudioTimeStamp {
    var stamp = AudioTimeStamp()
    stamp.mSampleTime = sampleTime
    stamp.mFlags = .sampleTimeValid
    return stamp
  }

  /// The flags of a render call before it, and after it.
  var flags = AudioUnitRenderActionFlags(rawValue: 0)

  /// Renders into memory of its own, and moves on in time after a success.
  func render(
    frames: UInt32 = 64, bus: UInt32 = 0, into list: RenderBuffers? = nil, clearsFlags: Bool = true
  ) -> (status: OSStatus, samples: [Float]) {
    let list = list ?? RenderBuffers(frames: Int(frames))
    if clearsFlags { flags = AudioUnitRenderActionFlags(rawValue: 0) }
    var stamp = timeStamp()
    let status = AudioUnitRender(unit, &flags, &stamp, bus, frames, list.pointer)
    if status == noErr { sampleTime += Double(frames) }
    return (status, status == noErr ? list.samples(frames: Int(frames)) : [])
  }

  func process(frames: UInt32 = 64) -> OSStatus {
    let list = RenderBuffers(frames: Int(frames))
    var flags = AudioUnitRenderActionFlags(rawValue: 0)
    var stamp = timeStamp()
    return AudioUnitProcess(unit, &flags, &stamp, frames, list.pointer)
  }

  /// The first error of a render call since the last question.
  var lastRenderError: OSStatus? { opened.get(kAudioUnitProperty_LastRenderError, as: OSStatus.self).value }
}

/// A list of buffers with one channel of float samples each.
final class RenderBuffers {
  let pointer: UnsafeMutablePointer<AudioBufferList>
  private let memory: UnsafeMutablePointer<Float>
  var list: UnsafeMutableAudioBufferListPointer { UnsafeMutableAudioBufferListPointer(pointer) }

  /// - Parameter bytes: the size in each buffer; nil: the real one.
  init(channels: Int = 2, frames: Int, bytes: UInt32? = nil, ownMemory: Bool = true) {
    let list = AudioBufferList.allocate(maximumBuffers: max(channels, 1))
    list.count = channels
    pointer = list.unsafeMutablePointer
    memory = .allocate(capacity: max(1, channels * frames))
    memory.initialize(repeating: 0, count: max(1, channels * frames))
    for index in 0..<channels {
      list[index] = AudioBuffer(
        mNumberChannels: 1, mDataByteSize: bytes ?? UInt32(frames * MemoryLayout<Float>.size),
        mData: ownMemory ? UnsafeMutableRawPointer(memory + index * frames) : nil)
    }
  }

  deinit {
    free(pointer)
    memory.deallocate()
  }

  /// The first channel.
  func samples(frames: Int) -> [Float] {
    guard let data = list.first?.mData else { return [] }
    return Array(UnsafeBufferPointer(start: data.assumingMemoryBound(to: Float.self), count: frames))
  }
}
