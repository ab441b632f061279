// The volume of a player: at once, or in a straight line over so many frames. The edit side sends courses; the hardware's
// thread follows the newest and schedules it for each slice: no allocation, no lock.

import AudioCore
import AudioEngine
import BuiltInUnits
import HandOver

/// A way from the volume that holds when it is taken over to another one.
final class VolumeCourse: Parcel {
  let target: Float
  /// 0: at once.
  let frames: Int64

  init(to target: Float, frames: Int64) {
    self.target = target
    // Offsets of events are 32 bits: half a day.
    self.frames = min(max(0, frames), Int64(Int32.max))
  }
}

/// Follows the courses of one mixer's output volume.
final class VolumeFollower {
  private let mixer: MultichannelMixer
  private let courses: Mailbox
  private static let address = AudioEngine.ParameterAddress(MultichannelMixer.Parameter.volume.rawValue, scope: .output)

  // The render side's own.
  private var start: Float
  private var present: Float
  private var done: Int64 = 0
  private var isSettled = true

  /// - Parameter volume: holds already.
  init(_ mixer: MultichannelMixer, volume: Float) {
    self.mixer = mixer
    courses = Mailbox(VolumeCourse(to: volume, frames: 0))
    (start, present) = (volume, volume)
  }

  /// Edit side.
  func send(_ course: VolumeCourse) { courses.send(course) }

  /// The present volume, and the rest of its course. Where nothing renders.
  var rest: (volume: Float, target: Float, frames: Int64) {
    _ = adopt()
    let course = course
    return (present, course.target, isSettled ? 0 : course.frames - done)
  }

  private var course: VolumeCourse {
    courses.present._withUnsafeGuaranteedRef { unsafeDowncast($0, to: VolumeCourse.self) }
  }

  private func adopt() -> Bool {
    guard courses.adopt() else { return false }
    (start, done, isSettled) = (present, 0, false)
    return true
  }

  /// Schedules the volume of the next slice. Render side.
  func schedule(_ frames: Int) {
    _ = adopt()
    guard !isSettled else { return }
    let course = course
    let event: AudioEngine.ParameterEvent
    if course.frames - done <= 0 {
      event = .immediate(Self.address, value: course.target)
      present = course.target
      isSettled = true
    } else {
      event = .ramp(
        Self.address, startOffset: -Int32(clamping: done), durationFrames: UInt32(clamping: course.frames),
        from: start, to: course.target)
      done = min(course.frames, done + Int64(frames))
      present = start + (course.target - start) * (Float(done) / Float(course.frames))
    }
    try? mixer.scheduleParameters(count: 1) { _ in event }
  }
}
