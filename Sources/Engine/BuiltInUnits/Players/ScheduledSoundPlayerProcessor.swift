// The path of one slice: work. The render half of a scheduled sound player. `process` runs on the render thread: it
// follows the schedule and copies from the slices' memory; no allocation, no lock. Scheduling and resetting are the
// edit side's.

import AudioCore
import AudioEngine
import DSPKernels
import HandOver

final class ScheduledSoundPlayerProcessor: SchedulePlayerProcessor {
  private let channelCount: Int
  /// The number of entries in the line that interrupt others.
  private var interruptCount = 0

  init(channelCount: Int) { self.channelCount = channelCount }

  /// The functions that hear of a slice are a host's.
  override var runsHostCode: Bool { true }

  // MARK: Edit side

  func schedule(_ entry: ScheduledSliceEntry) {
    _ = retired.takeAll()
    incoming.put(entry)
  }

  /// Drops the schedule and the start time. Not while the render thread is in a call.
  override func reset() {
    clock.reset()
    var dropped = ParcelChain()
    line.append(incoming.takeAll())
    swap(&dropped, &line)
    interruptCount = 0
    while let entry = dropped.removeFirst() {
      Self.entry(entry) { $0.tell(.ended(.dropped)) }
      entry.release()
    }
  }

  // MARK: Render side

  override func beginAnew(after former: Int64) {
    line.forEach { parcel in
      let entry = unsafeDowncast(parcel, to: ScheduledSliceEntry.self)
      // One that waits for its time waits for it anew.
      entry.begin = entry.begin.flatMap { $0 <= former ? $0 - former : nil }
      entry.interruptTime = nil
    }
  }

  override func play(_ frames: Int64, into piece: RenderPiece?, from first: Int) throws(AudioStatus) {
    var left = frames
    var offset = first
    func advance(_ count: Int64) {
      clock.position += count
      left -= count
      offset += piece == nil ? 0 : Int(count)
    }
    while true {
      takeIncoming()
      let bound = interruptCount > 0 ? interrupt() : .max
      guard let parcel = line.first else { break }
      let present = clock.position
      let (begin, isOver, end) = Self.entry(parcel) { place($0, at: present, isPassedOver: piece == nil) }
      if isOver {
        finish(.played)
        continue
      }
      guard left > 0 else { break }
      if begin > present {
        let quiet = min(left, min(begin, bound) - present)
        piece?.clear(from: offset, frames: Int(quiet))
        advance(quiet)
        continue
      }
      let count = min(left, min(end, bound) - present)
      Self.entry(parcel) { entry in
        if !entry.hasBegun {
          entry.hasBegun = true
          entry.tell(.began)
        }
        guard let piece else { return }
        copy(entry, from: Int((present - begin) % entry.frames), frames: Int(count), into: piece, at: offset)
      }
      advance(count)
    }
    piece?.clear(from: offset, frames: Int(left))
    advance(left)
  }

  override func takeIncoming() {
    guard !incoming.isEmpty else { return }
    let arrived = incoming.takeAll()
    arrived.forEach { parcel in
      if unsafeDowncast(parcel, to: ScheduledSliceEntry.self).interrupt != nil { interruptCount += 1 }
    }
    line.append(arrived)
  }

  /// The beginning of the first in line, whether nothing is left of it, and up to where its frames lie one behind
  /// another: to the end of the present pass; if they are skipped, a loop has none, as a clock may jump over more
  /// passes than can be counted.
  private func place(
    _ entry: ScheduledSliceEntry, at present: Int64, isPassedOver: Bool
  ) -> (begin: Int64, isOver: Bool, end: Int64) {
    if entry.begin == nil {
      let wanted = entry.sampleTime ?? present
      entry.begin = wanted
      if wanted < present { entry.tell(.isLate) }
    }
    let begin = entry.begin ?? present
    let inside = present - begin
    guard inside >= 0 else { return (begin, false, .max) }
    guard entry.isLooped else { return (begin, inside >= entry.frames, begin + entry.frames) }
    return (begin, false, isPassedOver ? .max : nextLoopPoint(entry, present))
  }

  /// Lets slices whose time has come end those before them.
  ///
  /// - Returns: the frame at which one may do so next: its time, or for one whose time has come the end of the pass
  ///   that sounds.
  private func interrupt() -> Int64 {
    let present = clock.position
    var bound = Int64.max
    // The last in line whose time has come ends all before it.
    var due = -1
    var place = 0
    var atLoopPoint = false
    let isAtLoopPoint = line.first.map { Self.entry($0) { isLoopPoint($0, present) } } ?? true
    let passEnd = line.first.map { Self.entry($0) { nextLoopPoint($0, present) } } ?? .max
    line.forEach { parcel in
      let entry = unsafeDowncast(parcel, to: ScheduledSliceEntry.self)
      defer { place += 1 }
      guard place > 0, let kind = entry.interrupt else { return }
      // One without a time interrupts as soon as it is there.
      let time = entry.interruptTime ?? entry.sampleTime ?? present
      entry.interruptTime = time
      if time > present { return bound = min(bound, time) }
      guard kind == .atItsTime || isAtLoopPoint else { return bound = min(bound, passEnd) }
      due = place
      atLoopPoint = kind == .atLoopPoint
    }
    guard due > 0 else { return bound }
    // The first may have come to its end just there.
    let isPlayed = line.first.map { Self.entry($0) { hasEnded($0, present) } } ?? false
    for place in 0..<due { finish(place == 0 && isPlayed ? .played : .interrupted) }
    // A slice that waited for a loop point begins there, from its first frame.
    guard let first = line.first else { return bound }
    return Self.entry(first) { entry in
      if atLoopPoint { entry.begin = present }
      // Another may wait for the end of a pass of this one.
      return min(bound, nextLoopPoint(entry, present))
    }
  }

  /// True when a slice is at an end of its own, or has not come to its beginning.
  private func isLoopPoint(_ entry: ScheduledSliceEntry, _ present: Int64) -> Bool {
    let inside = present - (entry.begin ?? entry.sampleTime ?? present)
    if inside < 0 || entry.frames == 0 { return true }
    return entry.isLooped ? inside > 0 && inside % entry.frames == 0 : inside >= entry.frames
  }

  /// The end of the present pass of a loop.
  private func nextLoopPoint(_ entry: ScheduledSliceEntry, _ present: Int64) -> Int64 {
    let inside = present - (entry.begin ?? entry.sampleTime ?? present)
    return entry.isLooped && inside >= 0 ? present + entry.frames - inside % entry.frames : .max
  }

  private func hasEnded(_ entry: ScheduledSliceEntry, _ present: Int64) -> Bool {
    guard !entry.isLooped, let begin = entry.begin else { return false }
    return present - begin >= entry.frames
  }

  /// Channels that the slice does not have are silent.
  private func copy(_ entry: ScheduledSliceEntry, from: Int, frames: Int, into piece: RenderPiece, at offset: Int) {
    for channel in 0..<channelCount {
      let output = piece.output(channel) + offset
      if channel < entry.channelCount {
        MixKernels.copy(output, entry.planes.all[channel] + from, frames: frames)
      } else {
        MixKernels.clear(output, frames: frames)
      }
    }
  }

  /// The entry that a parcel of this player is, without counting references.
  private static func entry<Result>(_ parcel: Unmanaged<Parcel>, _ body: (ScheduledSliceEntry) -> Result) -> Result {
    parcel._withUnsafeGuaranteedRef { body(unsafeDowncast($0, to: ScheduledSliceEntry.self)) }
  }

  private func finish(_ end: ScheduledSlice.End) {
    guard let parcel = line.removeFirst() else { return }
    Self.entry(parcel) { entry in
      if entry.interrupt != nil { interruptCount -= 1 }
      entry.tell(.ended(end))
    }
    retired.put(parcel)
  }
}
