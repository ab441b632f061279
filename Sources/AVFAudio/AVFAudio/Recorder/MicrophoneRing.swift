// The frames of the microphone on their way from the hardware's thread to a recorder's file. `take` runs on the
// hardware's thread: no allocation, no lock, no file.

import AudioCore
import BuiltInUnits
import Hardware
import Synchronization

/// A queue of recorded frames, interleaved, from one thread to one other.
final class MicrophoneRing: @unchecked Sendable {
  let sampleRate: Double
  let channelCount: Int
  /// The device's frame at which it begins; nil: the next cycle's.
  private let startFrame: Int64?
  /// Frames to take yet; nil: no end.
  private let framesWanted: Int64?
  private let memory: FlatMemory<Float>
  private let capacity: Int64
  private let taken = Atomic<Int64>(0)
  private let given = Atomic<Int64>(0)
  private let isFull = Atomic<Bool>(false)
  /// The level of each channel.
  let meters: [ChannelMeter]
  let isMetered = Atomic<Bool>(false)
  private let planes: PlanarBuffer

  /// Room for so many seconds.
  private static let seconds = 4.0

  /// - Parameters:
  ///   - sampleRate: hertz, the hardware's.
  ///   - channelCount: that of the hardware's input.
  ///   - frames: to take in all; nil: without end.
  init(sampleRate: Double, channelCount: Int, startFrame: Int64?, frames: Int64?) {
    self.sampleRate = sampleRate
    self.channelCount = channelCount
    self.startFrame = startFrame
    framesWanted = frames
    capacity = max(
      4 * Int64(DeviceConfiguration.bufferFrameCounts.upperBound),
      FrameCount.from(seconds: Self.seconds, sampleRate: sampleRate) ?? 0)
    memory = FlatMemory(repeating: 0, count: Int(capacity) * channelCount)
    planes = PlanarBuffer(
      channelCount: channelCount, frameCapacity: DeviceConfiguration.bufferFrameCounts.upperBound)
    meters = (0..<channelCount).map { _ in ChannelMeter(sampleRate: sampleRate, floorDecibels: PlayerMeters.floor) }
  }

  /// Frames taken from the microphone. Any thread.
  var framesTaken: Int64 { taken.load(ordering: .acquiring) }
  /// True when all wanted frames were taken.
  var hasAll: Bool { framesWanted.map { framesTaken >= $0 } ?? false }
  /// True when frames were lost, as the file was not written in time.
  var hasOverflowed: Bool { isFull.load(ordering: .acquiring) }

  /// Takes the microphone's frames of a cycle.
  func take(_ cycle: DeviceCycle) {
    let begin = startFrame ?? cycle.time.sampleTime
    let offset = Int(max(0, min(Int64(cycle.frames), begin - cycle.time.sampleTime)))
    let position = taken.load(ordering: .relaxed)
    var count = cycle.frames - offset
    if let framesWanted { count = Int(min(Int64(count), framesWanted - position)) }
    guard count > 0, cycle.inputChannels == channelCount, !isFull.load(ordering: .relaxed) else { return }
    guard position + Int64(count) - given.load(ordering: .acquiring) <= capacity else {
      return isFull.store(true, ordering: .releasing)
    }
    for frame in 0..<count {
      let place = Int((position + Int64(frame)) % capacity) * channelCount
      (memory.all + place).update(from: cycle.input + (offset + frame) * channelCount, count: channelCount)
    }
    measure(cycle.input + offset * channelCount, count)
    taken.store(position + Int64(count), ordering: .releasing)
  }

  private func measure(_ samples: Plane<Float>, _ frames: Int) {
    guard isMetered.load(ordering: .relaxed) else { return }
    for channel in 0..<channelCount {
      let plane = planes[channel]
      for frame in 0..<frames { plane[frame] = samples[frame * channelCount + channel] }
      meters[channel].measure(plane, frames: frames)
    }
  }

  /// Gives the oldest frames to the other thread, as many as the planes have room for.
  /// - Returns: the number of frames.
  func give(to planes: FloatPlanes) -> Int {
    let position = given.load(ordering: .relaxed)
    let count = Int(min(Int64(planes.frameCount), taken.load(ordering: .acquiring) - position))
    for frame in 0..<count {
      let place = Int((position + Int64(frame)) % capacity) * channelCount
      for channel in 0..<channelCount { planes[channel][frame] = memory[place + channel] }
    }
    given.store(position + Int64(count), ordering: .releasing)
    return count
  }
}
