// Between the edit side of a scheduled file player, which makes tickets, and its render side, which follows them and
// hands them back: neither waits for the other, and the render side frees nothing.

import Synchronization

/// What the render side knows of a scheduled region.
final class RegionTicket: @unchecked Sendable {
  /// Where its frames lie in the stream that is read ahead, and how many they are; nil: without end.
  let streamStart: Int64
  let frames: Int64?
  /// When it is to begin, in frames from the player's start.
  let sampleTime: Int64?
  let completion: (@Sendable (ScheduledRegion.End) -> Void)?
  /// When it really begins, once it is first in line. Render side only.
  var begin: Int64?
  fileprivate var next: UInt = 0

  init(
    streamStart: Int64, frames: Int64?, sampleTime: Int64?, completion: (@Sendable (ScheduledRegion.End) -> Void)?
  ) {
    self.streamStart = streamStart
    self.frames = frames
    self.sampleTime = sampleTime
    self.completion = completion
  }

  fileprivate var bits: UInt { UInt(bitPattern: Unmanaged.passUnretained(self).toOpaque()) }
  fileprivate static func at(_ bits: UInt) -> Unmanaged<RegionTicket>? {
    UnsafeRawPointer(bitPattern: bits).map { Unmanaged.fromOpaque($0) }
  }
}

/// Tickets that one side puts down and the other takes away, all at once. It holds one reference to each.
final class TicketTray: Sendable {
  private let top = Atomic<UInt>(0)

  deinit { for ticket in takeAll() { ticket.release() } }

  /// Puts a ticket down, with the reference that the caller holds.
  func put(_ ticket: Unmanaged<RegionTicket>) {
    let ticket = ticket.takeUnretainedValue()
    var former = top.load(ordering: .relaxed)
    while true {
      ticket.next = former
      let (exchanged, original) = top.weakCompareExchange(
        expected: former, desired: ticket.bits, successOrdering: .releasing, failureOrdering: .relaxed)
      if exchanged { return }
      former = original
    }
  }

  /// Takes all tickets, the last one put down first. Not for the render thread: it allocates.
  func takeAll() -> [Unmanaged<RegionTicket>] {
    var tickets: [Unmanaged<RegionTicket>] = []
    var bits = top.exchange(0, ordering: .acquiring)
    while let ticket = RegionTicket.at(bits) {
      tickets.append(ticket)
      bits = ticket._withUnsafeGuaranteedRef { $0.next }
    }
    return tickets
  }

  /// Whether somebody has put tickets down.
  var isEmpty: Bool { top.load(ordering: .relaxed) == 0 }

  /// Takes all tickets to the end of a line.
  func move(to line: inout TicketLine) {
    var bits = top.exchange(0, ordering: .acquiring)
    var reversed: UInt = 0
    while let ticket = RegionTicket.at(bits) {
      let next = ticket._withUnsafeGuaranteedRef { $0.next }
      ticket._withUnsafeGuaranteedRef { $0.next = reversed }
      reversed = bits
      bits = next
    }
    while let ticket = RegionTicket.at(reversed) {
      reversed = ticket._withUnsafeGuaranteedRef { $0.next }
      line.append(ticket)
    }
  }
}

/// The tickets that wait for their turn, in the order in which they were scheduled. Holds one reference to each.
struct TicketLine: ~Copyable {
  private var front: UInt = 0
  private var back: UInt = 0

  deinit {
    var bits = front
    while let ticket = RegionTicket.at(bits) {
      bits = ticket._withUnsafeGuaranteedRef { $0.next }
      ticket.release()
    }
  }

  var first: Unmanaged<RegionTicket>? { RegionTicket.at(front) }

  mutating func append(_ ticket: Unmanaged<RegionTicket>) {
    let bits = ticket._withUnsafeGuaranteedRef { ticket in
      ticket.next = 0
      return ticket.bits
    }
    if let last = RegionTicket.at(back) {
      last._withUnsafeGuaranteedRef { $0.next = bits }
    } else {
      front = bits
    }
    back = bits
  }

  /// Takes the first one out, with its reference.
  mutating func removeFirst() -> Unmanaged<RegionTicket>? {
    guard let ticket = first else { return nil }
    front = ticket._withUnsafeGuaranteedRef { $0.next }
    if front == 0 { back = 0 }
    return ticket
  }
}
