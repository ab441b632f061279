// The path of one slice: work. The render half of a scheduled file player. `process` runs on the render thread: it
// follows the schedule and copies what has been read ahead; it waits for the reading thread where it must, and never
// plays silence in place of frames. Scheduling and resetting are the edit side's.

import AudioCore
import AudioEngine
import HandOver
import SampleRate

final class ScheduledFilePlayerProcessor: SchedulePlayerProcessor, FilePlayingProcessor {
  private let ring: ReadAhead
  private let sequence: RegionSequence
  private let scheduling = Locked<Void>(())

  /// - Throws: `.render` where the system gives no more threads.
  init(
    format: StreamFormat, quality: RateConversionQuality, maximumFrames: Int, readingSpeed: Double
  ) throws(BenchError) {
    sequence = RegionSequence(channelCount: format.channelCount, sampleRate: format.sampleRate, quality: quality)
    ring = try ReadAhead(sequence, maximumFrames: maximumFrames, speed: readingSpeed)
  }

  // MARK: Edit side

  func schedule(_ region: ScheduledRegion, of file: any PlayableFile) {
    scheduling.withLock { _ in
      _ = retired.takeAll()
      let place = ring.edit { sequence.append(region, of: file) }
      incoming.put(
        ScheduledRegionEntry(
          streamStart: place.start, frames: place.frames, sampleTime: region.sampleTime, completion: region.completion))
    }
  }

  var readAhead: ReadAhead? { ring }
  override var runsHostCode: Bool { ring.runsHostCode }

  /// Drops the schedule and the start time. Not while the render thread is in a call.
  override func reset() {
    clock.reset()
    var dropped = ParcelChain()
    scheduling.withLock { _ in
      line.append(incoming.takeAll())
      swap(&dropped, &line)
      ring.restart { sequence.removeAll(at: $0) }
    }
    // Outside the lock: a completion may schedule anew.
    while let entry = dropped.removeFirst() {
      Self.entry(entry) { $0.completion?(.dropped) }
      entry.release()
    }
  }

  // MARK: Render side

  override func beginAnew(after former: Int64) {
    guard let first = line.first else { return }
    Self.entry(first) { entry in
      guard let begin = entry.begin else { return }
      entry.begin = begin <= former ? begin - former : nil
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
      if line.isEmpty { takeIncoming() }
      guard let entry = line.first else { break }
      let present = clock.position
      // A region that comes too late, or too early for the one before it, begins as soon as it can.
      let (begin, frames, streamStart) = Self.entry(entry) { entry in
        let begin = entry.begin ?? max(entry.sampleTime ?? present, present)
        entry.begin = begin
        return (begin, entry.frames, entry.streamStart)
      }
      let ended = frames.map { present - begin >= $0 } ?? false
      if ended {
        finish()
        continue
      }
      guard left > 0 else { break }
      if begin > present {
        let quiet = min(left, begin - present)
        piece?.clear(from: offset, frames: Int(quiet))
        advance(quiet)
        continue
      }
      let inside = present - begin
      let count = min(left, frames.map { $0 - inside } ?? left)
      if let piece {
        try ring.copy(
          from: streamStart + inside, frames: Int(count), into: piece.outputs[0].planes, offset: piece.offset + offset)
      }
      advance(count)
    }
    piece?.clear(from: offset, frames: Int(left))
    advance(left)
  }

  /// The entry that a parcel of this player is, without counting references.
  private static func entry<Result>(_ parcel: Unmanaged<Parcel>, _ body: (ScheduledRegionEntry) -> Result) -> Result {
    parcel._withUnsafeGuaranteedRef { body(unsafeDowncast($0, to: ScheduledRegionEntry.self)) }
  }

  private func finish() {
    guard let entry = line.removeFirst() else { return }
    Self.entry(entry) { $0.completion?(.played) }
    retired.put(entry)
  }
}
