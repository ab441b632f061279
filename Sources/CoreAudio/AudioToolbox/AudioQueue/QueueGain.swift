// Volume and pan of an output queue. The path of one slice: work. No allocation and no lock.
//
// Law: the volume goes from v0 to v1 in N = ramp time × rate frames, so that frame k behind the change has the gain
// v0 + (v1 − v0)·k/N for k < N and v1 from there on. Pan p ≤ 0 leaves the left as it is and multiplies the right by
// 1 + p; p ≥ 0 multiplies the left by 1 − p.

import AudioCore
import CAudioToolbox
import Synchronization

/// The values of a queue's parameters, between the program and the render side.
final class QueueGain: @unchecked Sendable {
  /// Hertz of the queue.
  private let sampleRate: Double
  /// The present values, by ``slot(_:)``: what the program reads.
  private let volume = Atomic<UInt32>(Float(1).bitPattern)
  private let rate = Atomic<UInt32>(Float(1).bitPattern)
  private let pitch = Atomic<UInt32>(0)
  private let rampTime = Atomic<UInt32>(0)
  private let pan = Atomic<UInt32>(0)
  /// The volume that the program has set last, below the ramp time that held then, and how often it has done so.
  private let wanted = Atomic<UInt64>(UInt64(Float(1).bitPattern))
  private let changes = Atomic<UInt64>(0)

  // The render side's own.
  private var changesTaken: UInt64 = 0
  private var from = 1.0
  private var to = 1.0
  private var step: Int64 = 0
  private var length: Int64 = 0

  init(sampleRate: Double) { self.sampleRate = sampleRate }

  private func cell(_ id: AudioQueueParameterID, _ body: (borrowing Atomic<UInt32>) -> Void) -> Bool {
    switch id {
    case kAudioQueueParam_Volume: body(volume)
    case kAudioQueueParam_PlayRate: body(rate)
    case kAudioQueueParam_Pitch: body(pitch)
    case kAudioQueueParam_VolumeRampTime: body(rampTime)
    case kAudioQueueParam_Pan: body(pan)
    default: return false
    }
    return true
  }

  /// The range of a parameter; nil: there is none of this number.
  static func range(_ id: AudioQueueParameterID) -> ClosedRange<Float>? {
    switch id {
    case kAudioQueueParam_Volume: 0...1
    case kAudioQueueParam_PlayRate: 0.5...2
    case kAudioQueueParam_Pitch: -2400...2400
    case kAudioQueueParam_VolumeRampTime: 0...3600
    case kAudioQueueParam_Pan: -1...1
    default: nil
    }
  }

  /// The present value; nil: there is none of this number.
  func value(_ id: AudioQueueParameterID) -> Float? {
    var bits: UInt32 = 0
    guard cell(id, { bits = $0.load(ordering: .relaxed) }) else { return nil }
    return Float(bitPattern: bits)
  }

  /// Sets a value, in its range; a volume is reached in the ramp time that holds now.
  /// - Returns: false where there is none of this number, or the value is no number.
  func set(_ id: AudioQueueParameterID, _ value: Float) -> Bool {
    guard let range = Self.range(id), !value.isNaN else { return false }
    let bounded = min(range.upperBound, max(range.lowerBound, value))
    _ = cell(id) { $0.store(bounded.bitPattern, ordering: .relaxed) }
    guard id == kAudioQueueParam_Volume else { return true }
    wanted.store(UInt64(rampTime.load(ordering: .relaxed)) << 32 | UInt64(bounded.bitPattern), ordering: .relaxed)
    changes.wrappingAdd(1, ordering: .releasing)
    return true
  }

  // MARK: The render side

  /// Takes over a volume that the program has set. In front of a slice.
  func latch() {
    let count = changes.load(ordering: .acquiring)
    guard count != changesTaken else { return }
    changesTaken = count
    let bits = wanted.load(ordering: .relaxed)
    begin(
      Float(bitPattern: UInt32(truncatingIfNeeded: bits)),
      seconds: Float(bitPattern: UInt32(truncatingIfNeeded: bits >> 32)))
  }

  /// Sets a parameter with the frame that comes next: an event of a buffer.
  func apply(_ id: AudioQueueParameterID, _ value: Float) {
    guard let range = Self.range(id), !value.isNaN else { return }
    let bounded = min(range.upperBound, max(range.lowerBound, value))
    _ = cell(id) { $0.store(bounded.bitPattern, ordering: .relaxed) }
    if id == kAudioQueueParam_Volume {
      begin(bounded, seconds: Float(bitPattern: rampTime.load(ordering: .relaxed)))
    }
  }

  /// Volumes that were set before anything plays hold at once.
  func settle() {
    changesTaken = changes.load(ordering: .acquiring)
    begin(Float(bitPattern: volume.load(ordering: .relaxed)), seconds: 0)
  }

  private var present: Double { step >= length ? to : from + (to - from) * Double(step) / Double(length) }

  private func begin(_ target: Float, seconds: Float) {
    let start = present
    length = FrameCount.from(seconds: Double(seconds), sampleRate: sampleRate) ?? 0
    (from, to, step) = (start, Double(target), 0)
  }

  /// Applies volume and pan to frames in place.
  func run(_ planes: FloatPlanes, frames: Int) {
    let pan = Double(Float(bitPattern: self.pan.load(ordering: .relaxed)))
    let isRamp = step < length
    if !isRamp && to == 1 && (pan == 0 || planes.channelCount < 2) { return }
    for channel in 0..<planes.channelCount {
      let side = planes.channelCount < 2 || channel > 1 ? 1 : channel == 0 ? min(1, 1 - pan) : min(1, 1 + pan)
      let samples = planes[channel]
      if isRamp {
        for frame in 0..<frames {
          let at = step + Int64(frame)
          let volume = at >= length ? to : from + (to - from) * Double(at) / Double(length)
          samples[frame] *= Float(volume * side)
        }
      } else {
        let factor = Float(to * side)
        if factor != 1 { for frame in 0..<frames { samples[frame] *= factor } }
      }
    }
    if isRamp { step += Int64(frames) }
  }
}
