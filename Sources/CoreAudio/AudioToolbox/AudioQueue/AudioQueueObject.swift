// The object behind an AudioQueueRef: its buffers, its state, and what the program is told. Any thread; the sound is the
// render side's, QueueVoice and QueueRecorder. No lock is held while a function of the program's runs.

import AudioCore
import AudioEngine
import CAudioToolbox
import CoreAudioStreams
import Hardware
import Synchronization
import Transcripts

/// An audio queue.
final class AudioQueueObject: HandleObject, QueueClient, @unchecked Sendable {
  static var handleKind: HandleKind { .audioQueue }

  /// The function that gets buffers back.
  enum Callback {
    case output((AudioQueueRef, AudioQueueBufferRef) -> Void)
    case input(
      (
        AudioQueueRef, AudioQueueBufferRef, UnsafePointer<AudioTimeStamp>, UInt32,
        UnsafePointer<AudioStreamPacketDescription>?
      ) -> Void)
  }

  enum Run {
    case stopped, running, paused
    /// A stop was asked for behind the last buffer.
    case stopping
  }

  struct Listener {
    let id: AudioQueuePropertyID
    let proc: AudioQueuePropertyListenerProc
    let userData: UInt
  }

  struct State {
    var run = Run.stopped
    /// False while the queue is interrupted, or has not been started.
    var isTold = false
    var hasStarted = false
    /// A disposal was asked for behind the last buffer.
    var isDisposing = false
    var buffers: [UInt: QueueBuffer] = [:]
    /// The buffers in the line, in their order.
    var inLine: [QueueBuffer] = []
    /// Behind it the line ends: the frame of the queue's time, if nothing comes too late.
    var plannedEnd: Int64 = 0
    var listeners: [Listener] = []
    var tap: QueueTap?
    /// The format of offline rendering; nil: the device.
    var offline: QueueOfflineFormat?
    var isRendering = false
    var settings = QueueSettings()
    /// Handles of timelines, which end with the queue.
    var timelines: [OpaquePointer] = []
    /// Calls that still look at items that were taken out of the line.
    var pins = 0
  }

  let isInput: Bool
  let format: ConverterFormat
  /// The decoder of an output queue of packets, for one buffer at a time; nil inside for PCM and G.711.
  let packets: Locked<PacketInput?>
  let device: QueueDevice
  let calls: QueueCalls
  let callback: Callback
  let callSubject = CallRecorder.shared?.makeSubject("queue")
  /// Set before anything else can reach the object.
  private(set) var handle: AudioQueueRef

  let line = QueueLine()
  let gain: QueueGain
  let meter: QueueMeter
  let source: QueueSource?
  let progress = QueueProgress()
  /// The times in which the program renders offline.
  let offlinePhase = QueuePhase()
  let state = Locked(State())
  /// The way to the device, or to the program; nil: none has begun. Changed with the gate held while nothing renders, and
  /// by the hardware between two cycles.
  var voice: QueueVoice?
  var recorder: QueueRecorder?
  /// The device's frame with which the sound begins; nil: with the next cycle. The render side's once it runs.
  var startFrame: Int64?
  var startHost: UInt64?
  /// The frames of a cycle for the device, all channels interleaved.
  var cycleMemory: StreamBuffer?
  let cyclePointers = StreamPointers(count: 1)
  /// Frames until the start, less than 0 to say so; for the time of the queue.
  let framesToStart = Atomic<Int64>(0)
  /// Breaks in the queue's time: another rate, frames that were lost.
  let discontinuities = Atomic<UInt64>(0)
  /// The device's frame that the next cycle is expected to begin with. The render side's own.
  var expectedFrame = Int64.min

  /// Makes a queue and its handle.
  /// - Throws: 'fmt?' for a format that cannot be converted.
  static func make(
    _ asbd: AudioStreamBasicDescription, _ callback: Callback, at place: any QueuePlace,
    on hardware: SimulatedHardware = .shared
  ) throws(AudioStatus) -> AudioQueueRef {
    let queue = try AudioQueueObject(asbd, callback, at: place, on: hardware)
    let handle = try HandleTable.shared.add(queue)
    queue.handle = handle
    return handle
  }

  private init(
    _ asbd: AudioStreamBasicDescription, _ callback: Callback, at place: any QueuePlace, on hardware: SimulatedHardware
  ) throws(AudioStatus) {
    // A buffer is one piece of memory.
    guard let format = ConverterFormat(asbd), format.bufferCount == 1 else {
      throw ConverterError.formatNotSupported
    }
    self.format = format
    self.callback = callback
    if case .input = callback { isInput = true } else { isInput = false }
    guard format.packets == nil || !isInput else { throw ConverterError.formatNotSupported }
    packets = Locked(
      try format.packets.map { (packets) throws(AudioStatus) in
        try PacketInput(packets, bytesPerFrame: format.bytesPerFrame)
      })
    device = QueueDevice.of(hardware)
    handle = OpaquePointer(UnsafeMutableRawPointer(bitPattern: 1).unsafelyUnwrapped)
    gain = QueueGain(sampleRate: format.stream.sampleRate)
    meter = QueueMeter(channelCount: format.stream.channelCount)
    source = isInput ? nil : try QueueSource(format, line, gain)
    calls = QueueCalls(place)
  }

  // MARK: Calls of the program's functions

  /// Takes the buffers that are through out of the line. Their callbacks become due.
  func collect() {
    var done: [(QueueBuffer, QueueFilling?)] = []
    state.withLock { state in
      while let first = state.inLine.first, let item = first.item, item.pointee.isDone.load(ordering: .acquiring) {
        done.append((first, isInput ? QueueFilling(item) : nil))
        release(first)
        state.inLine.removeFirst()
      }
      reclaim(state)
    }
    for (buffer, filling) in done { addCallback(buffer, filling) }
  }

  /// With the state's lock held.
  func reclaim(_ state: State) {
    guard state.pins == 0 else { return }
    line.reclaim(before: state.inLine.first?.item?.pointee.number ?? .max)
  }

  private func release(_ buffer: QueueBuffer) { buffer.item = nil }

  /// All buffers of the line, which is empty afterwards: the render side does not touch them any more.
  func takeBack() -> [(QueueBuffer, QueueFilling?)] {
    let taken = state.withLock { state in
      line.epoch.wrappingAdd(1, ordering: .sequentiallyConsistent)
      state.pins += 1
      defer { state.inLine = [] }
      return state.inLine
    }
    waitForRender()
    defer { state.withLock { $0.pins -= 1 } }
    return taken.map { buffer in
      let filling = isInput ? buffer.item.map { QueueFilling($0) } : nil
      buffer.item = nil
      return (buffer, filling)
    }
  }

  /// True inside a tap's function, and in any other that is called while sound is made.
  var isRendering: Bool { device.isInCycle || offlinePhase.isOwn }

  /// Waits until nothing is read any more that was in the line before.
  func waitForRender() {
    device.waitForCycle()
    offlinePhase.wait()
  }

  /// The callback for a buffer becomes due.
  /// - Parameter isReturn: the buffer was given back by a reset: the callback may not enqueue.
  func addCallback(_ buffer: QueueBuffer, _ filling: QueueFilling?, isReturn: Bool = false) {
    calls.add { [self] in
      let isThere = state.withLock { $0.buffers[buffer.address] === buffer }
      guard isThere else { return }
      isReturning.store(isReturn, ordering: .relaxed)
      defer { isReturning.store(false, ordering: .relaxed) }
      switch callback {
      case .output(let function):
        recordedCallback("output callback", callSubject) { function(handle, buffer.reference) }
      case .input(let function):
        guard let filling else { return }
        let bytes = Int(filling.frames) * format.bytesPerFrame
        buffer.reference.pointee.mAudioDataByteSize = UInt32(clamping: bytes)
        buffer.reference.pointee.mPacketDescriptionCount = 0
        var stamp = filling.stamp
        recordedCallback("input callback", callSubject, "\(NumberText.count(bytes, "byte"))") {
          function(handle, buffer.reference, &stamp, UInt32(clamping: filling.frames), nil)
        }
      }
    }
  }

  /// True while a callback runs that a reset has brought.
  let isReturning = Atomic<Bool>(false)

  /// Listeners of a property become due.
  func tell(_ id: AudioQueuePropertyID) {
    let listeners = state.withLock { $0.listeners.filter { $0.id == id } }
    for listener in listeners {
      calls.add { [self] in
        let isThere = state.withLock { state in
          state.listeners.contains {
            $0.id == id && $0.userData == listener.userData
              && functionAddress($0.proc) == functionAddress(listener.proc)
          }
        }
        guard isThere else { return }
        recordedCallback("property listener", callSubject, CallText.property(id)) {
          listener.proc(UnsafeMutableRawPointer(bitPattern: listener.userData), handle, id)
        }
      }
    }
  }
}

/// The frames of an input buffer, and the moment of the first.
struct QueueFilling {
  let frames: Int64
  let stamp: AudioTimeStamp

  init(_ item: QueueLine.Item) {
    frames = item.pointee.filled.load(ordering: .acquiring)
    let begun = item.pointee.begun.load(ordering: .acquiring)
    var stamp = AudioTimeStamp()
    if begun != .min {
      stamp.mSampleTime = Double(begun)
      stamp.mHostTime = item.pointee.hostTime.load(ordering: .relaxed)
      stamp.mFlags = [.sampleTimeValid, .hostTimeValid]
    }
    self.stamp = stamp
  }
}
