// A processing tap: a function of the program's that gets the sound of a queue on its way. It is called by the thread that
// renders, as a render callback is; apart from it there is no allocation and no lock.

import AudioCore
import AudioEngine
import CAudioToolbox
import CoreAudioStreams
import Glibc
import Synchronization
import Transcripts

/// A tap of a queue, behind an AudioQueueProcessingTapRef.
final class QueueTap: HandleObject, @unchecked Sendable {
  static var handleKind: HandleKind { .audioQueueTap }
  /// Reads frames of what lies before the tap; fewer: there are no more.
  typealias Read = (_ frames: Int, _ planes: FloatPlanes) -> Int

  /// The most frames of a call.
  static let maximumFrames = QueueSource.pieceFrames

  private let callback: AudioQueueProcessingTapCallback
  private let userData: UnsafeMutableRawPointer?
  let flags: AudioQueueProcessingTapFlags
  let format: StreamFormat
  weak var queue: AudioQueueObject?
  /// Set once it has a handle, before anything calls.
  var handle: OpaquePointer?
  private let list: UnsafeMutableAudioBufferListPointer
  private let lent: PlanarBuffer

  /// The thread that is inside the callback; 0: none is.
  private let thread = Atomic<UInt>(0)
  private var isFirst = true

  // For the functions of the tap, while its callback runs.
  private var read: Read?
  private var framesRead = 0
  private var position: () -> Int64 = { 0 }
  private var hasEnded: () -> Bool = { false }
  private var firstPosition: Int64 = 0
  private var time = AudioTimeStamp()

  init(
    _ callback: @escaping AudioQueueProcessingTapCallback, _ userData: UnsafeMutableRawPointer?,
    flags: AudioQueueProcessingTapFlags, format: StreamFormat
  ) {
    self.callback = callback
    self.userData = userData
    self.flags = flags
    self.format = format
    list = AudioBufferList.allocate(maximumBuffers: format.channelCount)
    lent = PlanarBuffer(channelCount: format.channelCount, frameCapacity: Self.maximumFrames)
  }

  deinit { free(list.unsafeMutablePointer) }

  var isPost: Bool { flags.contains(.postEffects) }
  private var isSiphon: Bool { flags.contains(.siphon) }
  /// True inside of its callback.
  var isInCallback: Bool { thread.load(ordering: .relaxed) == QueuePhase.ownThread }

  /// The next call is a start of the stream.
  func restart() { isFirst = true }

  // MARK: The render side

  /// Lets the program's function give frames, at most ``maximumFrames``.
  ///
  /// - Parameters:
  ///   - stamp: the time of the first frame.
  ///   - position: the queue's frame that is read next.
  /// - Returns: the frames that it gave.
  func run(
    _ frames: Int, into planes: FloatPlanes, stamp: AudioTimeStamp, position: @escaping () -> Int64,
    hasEnded: @escaping () -> Bool, read: @escaping Read
  ) -> Int {
    guard let handle else { return read(frames, planes) }
    firstPosition = position()
    self.position = position
    self.hasEnded = hasEnded
    time = stamp
    framesRead = 0
    let seen = isSiphon ? read(frames, planes) : frames
    if isSiphon {
      for channel in 0..<format.channelCount { lent.planes[channel].update(from: planes[channel], count: seen) }
    }
    var given = UInt32(seen)
    fillList(isSiphon ? lent.planes : planes, frames: seen)
    var ioTime = stamp
    var ioFlags = flags.intersection([.preEffects, .postEffects, .siphon])
    if isFirst { ioFlags.insert(.startOfStream) }
    if hasEnded() { ioFlags.insert(.endOfStream) }
    isFirst = false
    self.read = isSiphon ? nil : read
    thread.store(QueuePhase.ownThread, ordering: .relaxed)
    recordedCallback("processing tap", queue?.callSubject, NumberText.count(frames, "frame")) {
      // A program may have given no data; the header says that it has.
      callback(
        unsafeBitCast(userData, to: UnsafeMutableRawPointer.self), handle, UInt32(frames), &ioTime, &ioFlags, &given,
        list.unsafeMutablePointer)
    }
    thread.store(0, ordering: .relaxed)
    self.read = nil
    guard !isSiphon else { return seen }
    // The program may have changed the list: it has as many buffers as before, wherever they point.
    list.count = format.channelCount
    let count = min(frames, Int(given))
    for channel in 0..<format.channelCount {
      let buffer = list[channel]
      let held = buffer.mData == nil ? 0 : min(count, Int(buffer.mDataByteSize) / MemoryLayout<Float>.size)
      if let data = buffer.mData, data != UnsafeMutableRawPointer(planes[channel].start) {
        planes[channel].update(from: Plane(data.assumingMemoryBound(to: Float.self), count: held), count: held)
      }
      (planes[channel] + held).update(repeating: 0, count: count - held)
    }
    return count
  }

  private func fillList(_ planes: FloatPlanes, frames: Int) {
    list.count = format.channelCount
    for channel in 0..<format.channelCount {
      list[channel] = AudioBuffer(
        mNumberChannels: 1, mDataByteSize: UInt32(frames * MemoryLayout<Float>.size),
        mData: UnsafeMutableRawPointer(planes[channel].start))
    }
  }

  // MARK: Functions of the tap, inside its callback

  /// Gives the callback what lies before the tap. Buffers without memory get ours, which is good until it returns.
  /// - Throws: −66669 outside the callback, and for a siphon, which has its sound already; −50 for a wrong list.
  func source(
    _ frames: UInt32, _ stamp: UnsafeMutablePointer<AudioTimeStamp>,
    _ outFlags: UnsafeMutablePointer<AudioQueueProcessingTapFlags>, _ outFrames: UnsafeMutablePointer<UInt32>,
    _ data: UnsafeMutablePointer<AudioBufferList>
  ) throws(AudioStatus) {
    guard isInCallback, let read else { throw AudioStatus(kAudioQueueErr_InvalidTapContext) }
    let given = UnsafeMutableAudioBufferListPointer(data)
    guard given.count == format.channelCount, Int(frames) <= Self.maximumFrames - framesRead else {
      throw .parameterError
    }
    let bytes = Int(frames) * MemoryLayout<Float>.size
    for buffer in given where buffer.mData != nil && Int(buffer.mDataByteSize) < bytes { throw .parameterError }
    let count = read(Int(frames), lent.planes)
    for channel in 0..<given.count {
      if let target = given[channel].mData {
        target.copyMemory(from: lent.planes[channel].start, byteCount: count * MemoryLayout<Float>.size)
      } else {
        given[channel].mData = UnsafeMutableRawPointer(lent.planes[channel].start)
      }
      given[channel].mNumberChannels = 1
      given[channel].mDataByteSize = UInt32(count * MemoryLayout<Float>.size)
    }
    outFlags.pointee = flags.intersection([.preEffects, .postEffects])
    if hasEnded() { outFlags.pointee.insert(.endOfStream) }
    if queue?.isInput == true {
      stamp.pointee = time
      stamp.pointee.mSampleTime += Double(framesRead)
    }
    framesRead += count
    outFrames.pointee = UInt32(count)
  }

  /// The queue's frame with which the present chunk begins, and the frames of the queue that it stands for.
  /// - Throws: −66669 outside the callback, −66677 for an input queue.
  func queueTime() throws(AudioStatus) -> (sampleTime: Double, frames: UInt32) {
    guard isInCallback else { throw AudioStatus(kAudioQueueErr_InvalidTapContext) }
    guard queue?.isInput == false else { throw AudioStatus(kAudioQueueErr_InvalidQueueType) }
    return (Double(firstPosition), UInt32(clamping: position() - firstPosition))
  }
}
