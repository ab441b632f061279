import AVFAudioFiles
import AudioCore
import Foundation

/// The things that a player plays, and when: times are frames of the player's own time, which is 0 where it began to play.
///
/// Things are played one behind another, in the order in which they were scheduled. One with a time has its frames at
/// that time: those that lie in the past when its turn comes are left out.
struct PlayerSchedule {
  final class Item {
    let source: any PlayerSource
    let at: Int64?
    let options: AVAudioPlayerNodeBufferOptions
    let completion: (() -> Void)?
    var hasBegun = false
    /// Frames of the present pass that were played.
    var played: Int64 = 0

    init(
      _ source: any PlayerSource, at: Int64?, options: AVAudioPlayerNodeBufferOptions, completion: (() -> Void)?
    ) {
      self.source = source
      self.at = at
      self.options = options
      self.completion = completion
    }
  }

  private(set) var items: [Item] = []
  /// The calls for what has ended since they were last taken.
  private var ended: [() -> Void] = []

  mutating func add(_ item: Item) { items.append(item) }

  /// Ends all.
  mutating func removeAll() { drop(items.count) }

  mutating func takeEnded() -> [() -> Void] {
    defer { ended = [] }
    return ended
  }

  /// Ends the first items.
  private mutating func drop(_ count: Int) {
    ended += items.prefix(count).compactMap(\.completion)
    items.removeFirst(count)
  }

  /// Writes frames from a time on; where nothing is played they are zero.
  mutating func render(from start: Int64, frames: Int, into channels: [UnsafeMutablePointer<Float>]) {
    for channel in channels { channel.update(repeating: 0, count: frames) }
    let end = start + Int64(frames)
    var time = start
    while time < end {
      interrupt(at: time)
      guard let item = items.first else { return }
      // Up to the next one that interrupts.
      let limit = items.dropFirst().filter { $0.options.contains(.interrupts) }.compactMap(\.at).reduce(end, min)
      guard item.hasBegun || begin(item, at: &time, before: limit) else {
        time = limit
        continue
      }
      let wanted = Int(limit - time)
      let offset = Int(time - start)
      let count = item.source.read(wanted, into: channels.map { $0 + offset })
      item.played += Int64(count)
      time += Int64(count)
      // The end of a slice may be an end; a loop may still be interrupted in front of the next slice.
      if count < wanted || item.source.isAtEnd && !item.options.contains(.loops) { endPass(of: item, at: time) }
    }
  }

  /// Lets an item begin that waits for its time; false: it begins at the limit or later.
  private func begin(_ item: Item, at time: inout Int64, before limit: Int64) -> Bool {
    // A loop point that is later than the time is the time.
    let at = item.options.contains(.interruptsAtLoop) ? max(time, item.at ?? time) : item.at ?? time
    guard at < limit else { return false }
    if at < time {
      item.source.skip(time - at)
    } else {
      time = at
    }
    item.hasBegun = true
    return true
  }

  /// The end of the item's frames: its loop point.
  private mutating func endPass(of item: Item, at time: Int64) {
    if let next = items.dropFirst().lastIndex(where: {
      $0.options.contains(.interruptsAtLoop) && ($0.at ?? time) <= time
    }) {
      drop(next)
    } else if item.options.contains(.loops), item.played > 0 {
      item.source.rewind()
      item.played = 0
    } else {
      drop(1)
    }
  }

  /// Ends what is in front of the last item that interrupts at this time or before.
  private mutating func interrupt(at time: Int64) {
    let last = items.dropFirst().lastIndex { item in
      let isDue = (item.at ?? time) <= time
      // There is no loop point to wait for in front of the first frame.
      return isDue
        && (item.options.contains(.interrupts)
          || item.options.contains(.interruptsAtLoop) && !(items.first?.hasBegun ?? false))
    }
    if let last { drop(last) }
  }
}
