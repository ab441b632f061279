// The order of what a player plays. `render` runs on the thread that renders: it neither allocates, locks nor waits.

import AVFAudioFiles
import AudioCore
import Foundation
import HandOver

/// The channels of a slice from one of its frames on.
struct PlayerTarget {
  let slice: BlockSlice
  var offset = 0

  var channelCount: Int { slice.channelCount }
  func channel(_ index: Int) -> UnsafeMutablePointer<Float> { slice.channel(index) + offset }
  func at(_ frames: Int) -> PlayerTarget { PlayerTarget(slice: slice, offset: offset + frames) }
}

/// The things that a player plays, and when: times are frames of the player's own time, which is 0 where it began to play.
///
/// Things are played one behind another, in the order in which they were scheduled. One with a time has its frames at
/// that time: those that lie in the past when its turn comes are left out.
struct PlayerSchedule {
  /// The moment of a completion handler's call.
  enum CompletionMoment {
    /// The first frame is rendered, the last one is, or has passed all nodes behind the player.
    case beginning, end, heard
  }

  /// One thing; it is also the call for its end.
  final class Item: DueCall {
    let source: any PlayerSource
    var at: Int64?
    /// A time on the host's clock in place of a frame, until the first slice that has such a time; nil: none.
    var host: UInt64?
    let options: AVAudioPlayerNodeBufferOptions
    private let completion: (() -> Void)?
    /// The moment of the call.
    let moment: CompletionMoment
    /// The call for the beginning, where that is its moment; nil: it has been made.
    private var beginning: DueCall?
    var hasBegun = false
    /// The frame of the node's clock at which what has ended is heard. Set when it has ended.
    var heardAt: Int64 = 0
    /// Frames of the present pass that were played.
    var played: Int64 = 0

    init(
      _ source: any PlayerSource, at: Int64?, host: UInt64? = nil, options: AVAudioPlayerNodeBufferOptions,
      completion: (() -> Void)?, moment: CompletionMoment = .end
    ) {
      self.source = source
      self.at = at
      self.host = host
      self.options = options
      self.completion = completion
      self.moment = moment
      if moment == .beginning, let completion { beginning = BeginningCall(completion) }
    }

    /// The first frame is rendered.
    func begin(_ due: DueCalls) {
      hasBegun = true
      guard let call = beginning else { return }
      beginning = nil
      due.put(call)
    }

    override func make() { if moment != .beginning || beginning != nil { completion?() } }
  }

  private final class BeginningCall: DueCall {
    private let completion: () -> Void
    init(_ completion: @escaping () -> Void) { self.completion = completion }
    override func make() { completion() }
  }

  private(set) var items: [Item] = []
  /// Items that have ended and are not heard yet, in order of time. Has room for all.
  private var unheard: [Item] = []
  /// The frame of the node's clock at which the player's time is 0, and the frames from the node to the loudspeaker.
  private var clock: (origin: Int64, latency: Int64) = (0, 0)
  private var mayHaveHostTimes = false

  mutating func add(_ item: Item) {
    if item.host != nil { mayHaveHostTimes = true }
    items.append(item)
    if item.moment == .heard { unheard.reserveCapacity(unheard.count + items.count) }
  }

  /// Ends all at once.
  mutating func removeAll(_ due: DueCalls) {
    callUnheard(until: .max, due)
    for item in items { due.put(item) }
    items.removeAll()
  }

  /// Has the calls made for what has been heard at a frame of the node's clock.
  mutating func callUnheard(until time: Int64, _ due: DueCalls) {
    var count = 0
    while count < unheard.count, unheard[count].heardAt <= time {
      due.put(unheard[count])
      count += 1
    }
    unheard.removeFirst(count)
  }

  /// Ends the first items.
  private mutating func drop(_ count: Int, at time: Int64, _ due: DueCalls) {
    for index in 0..<count {
      let item = items[index]
      if item.moment == .heard {
        item.heardAt = clock.origin + time + clock.latency
        unheard.append(item)
      } else {
        due.put(item)
      }
    }
    items.removeFirst(count)
  }

  /// Gives things with a time on the host's clock their frame.
  mutating func resolve(_ frame: (_ hostTime: UInt64) -> Int64?) {
    guard mayHaveHostTimes else { return }
    mayHaveHostTimes = false
    for item in items {
      guard let host = item.host else { continue }
      item.at = frame(host)
      item.host = nil
    }
  }

  /// Writes frames from a time on; where nothing is played they stay as they are, zero.
  /// - Parameters:
  ///   - due: takes what has ended.
  ///   - clock: the frame of the node's clock at which the player's time is 0, and the frames from there to the
  ///     loudspeaker.
  mutating func render(
    from start: Int64, frames: Int, into target: PlayerTarget, mayRead: Bool,
    _ lateFrames: AVFAudioChoices.LateFrames, clock: (origin: Int64, latency: Int64), _ due: DueCalls
  ) {
    self.clock = clock
    let end = start + Int64(frames)
    var time = start
    while time < end {
      interrupt(at: time, due)
      guard let item = items.first else { return }
      let limit = nextInterruption(before: end)
      guard item.hasBegun || begin(item, at: &time, before: limit, lateFrames, due) else {
        time = limit
        continue
      }
      let wanted = Int(limit - time)
      let count = item.source.read(wanted, into: target.at(Int(time - start)), mayRead: mayRead)
      item.played += Int64(count)
      time += Int64(count)
      // The end of a slice may be an end; a loop may still be interrupted in front of the next slice.
      if count < wanted || item.source.isAtEnd && !item.options.contains(.loops) { endPass(of: item, at: time, due) }
    }
  }

  /// The first time at which one of the waiting things interrupts.
  private func nextInterruption(before end: Int64) -> Int64 {
    var limit = end
    for index in items.indices.dropFirst() where items[index].options.contains(.interrupts) {
      if let at = items[index].at { limit = min(limit, at) }
    }
    return limit
  }

  /// Lets an item begin that waits for its time; false: it begins at the limit or later.
  private func begin(
    _ item: Item, at time: inout Int64, before limit: Int64, _ lateFrames: AVFAudioChoices.LateFrames, _ due: DueCalls
  ) -> Bool {
    // A loop point that is later than the time is the time.
    let at = item.options.contains(.interruptsAtLoop) ? max(time, item.at ?? time) : item.at ?? time
    guard at < limit else { return false }
    if at > time {
      time = at
    } else if lateFrames == .leftOut {
      item.source.skip(time - at)
    }
    item.begin(due)
    return true
  }

  /// The end of the item's frames: its loop point.
  private mutating func endPass(of item: Item, at time: Int64, _ due: DueCalls) {
    if let next = lastIndex(where: { $0.options.contains(.interruptsAtLoop) && ($0.at ?? time) <= time }) {
      drop(next, at: time, due)
    } else if item.options.contains(.loops), item.played > 0 {
      item.source.rewind()
      item.played = 0
    } else {
      drop(1, at: time, due)
    }
  }

  /// Ends what is in front of the last item that interrupts at this time or before.
  private mutating func interrupt(at time: Int64, _ due: DueCalls) {
    guard items.count > 1 else { return }
    // There is no loop point to wait for in front of the first frame.
    let waitsForLoop = items[0].hasBegun
    let last = lastIndex { item in
      (item.at ?? time) <= time
        && (item.options.contains(.interrupts) || item.options.contains(.interruptsAtLoop) && !waitsForLoop)
    }
    if let last { drop(last, at: time, due) }
  }

  /// The last of the waiting items for which something holds.
  private func lastIndex(where holds: (Item) -> Bool) -> Int? {
    var index = items.count - 1
    while index > 0 {
      if holds(items[index]) { return index }
      index -= 1
    }
    return nil
  }
}
