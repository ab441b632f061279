import AudioCore
import AudioEngine
import BuiltInUnits
import CAudioToolbox
import Synchronization

/// A host's scheduling of a player of slices, and the start time of both players with a schedule.
enum SoundPlayerProperties {
  static let rows: [AudioUnitPropertyID: CProperty] = [
    kAudioUnitProperty_ScheduleAudioSlice: slice,
    kAudioUnitProperty_ScheduleStartTimeStamp: .value(
      AudioTimeStamp.self,
      get: { (place) throws(AudioStatus) in
        guard let time = try player(place.instance).startTime else { throw .propertyNotInUse }
        return AudioTimeStamp(sampleTime: time)
      },
      // A stamp without a sample time, as one with a host time alone, means the next slice.
      set: { (place, stamp) throws(AudioStatus) in
        try player(place.instance).setStartTime(
          sampleTime: stamp.mFlags.contains(.sampleTimeValid) ? stamp.mSampleTime : nil)
      }),
    kAudioUnitProperty_CurrentPlayTime: .value(
      AudioTimeStamp.self,
      get: { (place) throws(AudioStatus) in
        AudioTimeStamp(sampleTime: Double(try player(place.instance).currentPlayTime))
      }),
  ]

  private static func player(_ instance: NativeInstance) throws(AudioStatus) -> SchedulePlayer {
    guard let player = instance.unit as? SchedulePlayer else { throw .invalidProperty }
    return player
  }

  /// The caller's own structure is the slice: its flags are written while it is played, and it must stay until
  /// `kScheduledAudioSliceFlag_Complete`.
  private static let slice: CProperty = {
    var row = CProperty(size: MemoryLayout<ScheduledAudioSlice>.size)
    row.set = { (place, bytes) throws(AudioStatus) in
      guard let player = place.unit as? ScheduledSoundPlayer else { throw .invalidProperty }
      guard bytes.count >= MemoryLayout<ScheduledAudioSlice>.size, let address = bytes.baseAddress,
        UInt(bitPattern: address) % UInt(MemoryLayout<ScheduledAudioSlice>.alignment) == 0
      else { throw .invalidPropertyValue }
      let memory = SliceMemory(address)
      let slice = try memory.scheduled()
      guard player.takes(slice) else { throw .invalidPropertyValue }
      memory.clearEvents()
      try player.schedule(slice)
    }
    return row
  }()
}

extension AUScheduledAudioSliceFlags {
  fileprivate static let hasEnded = AUScheduledAudioSliceFlags(rawValue: 0x01)
  fileprivate static let hasBegun = AUScheduledAudioSliceFlags(rawValue: 0x02)
  fileprivate static let wasLate = AUScheduledAudioSliceFlags(rawValue: 0x04)
  fileprivate static let isLooped = AUScheduledAudioSliceFlags(rawValue: 0x08)
  fileprivate static let interruptsAtItsTime = AUScheduledAudioSliceFlags(rawValue: 0x10)
  fileprivate static let interruptsAtLoopPoint = AUScheduledAudioSliceFlags(rawValue: 0x20)
}

/// A slice in the memory of a host, which is written to until it is complete.
private final class SliceMemory: @unchecked Sendable {
  private let slice: UnsafeMutablePointer<ScheduledAudioSlice>

  init(_ address: UnsafeRawPointer) {
    slice = UnsafeMutableRawPointer(mutating: address).assumingMemoryBound(to: ScheduledAudioSlice.self)
  }

  /// Clears its flags of what has happened to it.
  func clearEvents() { slice.pointee.mFlags.subtract([.hasEnded, .hasBegun, .wasLate]) }

  /// The slice to play.
  func scheduled() throws(AudioStatus) -> ScheduledSlice {
    let frames = Int(slice.pointee.mNumberFrames)
    guard UInt(bitPattern: slice.pointee.mBufferList) >= 4096 else { throw .invalidPropertyValue }
    let list = UnsafeMutableAudioBufferListPointer(slice.pointee.mBufferList)
    guard StreamFormat.channelCountRange.contains(list.count) else { throw .invalidPropertyValue }
    var planes: [Plane<Float>] = []
    for buffer in list {
      guard buffer.mNumberChannels == 1, Int(buffer.mDataByteSize) >= frames * MemoryLayout<Float>.size,
        let data = buffer.mData
      else { throw .invalidPropertyValue }
      planes.append(Plane(data.assumingMemoryBound(to: Float.self), count: frames))
    }
    let time = try slice.pointee.mTimeStamp.scheduledFrame()
    let flags = slice.pointee.mFlags
    let interrupt: ScheduledSlice.Interrupt? =
      flags.contains(.interruptsAtItsTime)
      ? .atItsTime : flags.contains(.interruptsAtLoopPoint) ? .atLoopPoint : nil
    return ScheduledSlice(
      planes: planes, frames: frames, sampleTime: time,
      isLooped: flags.contains(.isLooped), interrupt: interrupt, owner: self
    ) { [self] event in note(event) }
  }

  private func note(_ event: ScheduledSlice.Event) {
    switch event {
    case .began: slice.pointee.mFlags.insert(.hasBegun)
    case .isLate: slice.pointee.mFlags.insert(.wasLate)
    case .ended:
      let completion = slice.pointee.mCompletionProc
      let context = UnsafeContext(slice.pointee.mCompletionProcUserData)
      // Accesses to the slice come before the flag: another thread may reuse it as soon as it sees that.
      atomicMemoryFence(ordering: .releasing)
      slice.pointee.mFlags.insert(.hasEnded)
      guard let completion else { return }
      recordedCallback("slice completion", nil, "complete") { completion(context.pointer, slice) }
    }
  }
}
