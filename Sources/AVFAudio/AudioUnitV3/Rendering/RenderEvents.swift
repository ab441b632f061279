// Events on their way to a unit's render function. Any thread schedules them, the render thread itself included; one thread
// takes them. Neither side allocates or locks.

import AVFAudioFiles
import AudioCore
import HandOver

/// The events of a unit that wait: a queue that all threads write to, and behind it a list in order of time.
final class RenderEvents: @unchecked Sendable {
  /// The most events that wait to be taken over by a slice.
  static let capacity = 256
  /// The most bytes of a MIDI message.
  static let mostBytes = MemoryLayout<AURenderEvent>.size - dataOffset
  private static let dataOffset = MemoryLayout<AUMIDIEvent>.offset(of: \AUMIDIEvent.data) ?? 0

  private let ring = BatchRing(capacity: capacity)
  private let entries = EventMemory(capacity)
  /// Nodes of the list: those of the queue, and some for events that the render side adds itself. Of a unit that gets no
  /// events they are never touched.
  private var nodes = EventMemory(2 * capacity)
  /// The nodes that were used before; those from ``freshNode`` on never were.
  private var free: UnsafeMutablePointer<AURenderEvent>?
  private var freshNode = 0
  private var freeCount = 2 * capacity
  private var waiting: UnsafeMutablePointer<AURenderEvent>?
  private var taken: UInt64 = 0
  private var ownCount = 0

  /// Makes room for so many events that the render side adds to a slice, while nothing is rendered. What waits stays.
  func reserve(own: Int) {
    guard own > ownCount else { return }
    var kept: [AURenderEvent] = []
    var node = waiting
    while let present = node {
      kept.append(present.pointee)
      node = present.pointee.head.next
    }
    nodes = EventMemory(2 * Self.capacity + own)
    (free, freshNode, freeCount, waiting, ownCount) = (nil, 0, 2 * Self.capacity + own, nil, own)
    for event in kept { insert(event) }
  }

  private func takeNode() -> UnsafeMutablePointer<AURenderEvent>? {
    guard freeCount > 0 else { return nil }
    freeCount -= 1
    if let node = free {
      free = node.pointee.head.next
      return node
    }
    freshNode += 1
    return nodes.start + (freshNode - 1)
  }

  private func giveBack(_ node: UnsafeMutablePointer<AURenderEvent>) {
    node.pointee.head.next = free
    free = node
    freeCount += 1
  }

  // MARK: Scheduling, on any thread

  /// Schedules a value. Where too many events wait it is dropped.
  func schedule(_ time: AUEventSampleTime, ramp: AUAudioFrameCount, _ address: AUParameterAddress, _ value: AUValue) {
    guard let number = ring.claim(1) else { return }
    (entries.start + ring.place(of: number)).initialize(to: Self.event(time, ramp: ramp, address, value))
    ring.publish(number, count: 1)
  }

  /// Schedules MIDI of at most ``mostBytes`` bytes. Longer messages, and those for which there is no room, are dropped.
  func schedule(_ time: AUEventSampleTime, cable: UInt8, _ bytes: UnsafeBufferPointer<UInt8>) {
    guard !bytes.isEmpty, bytes.count <= Self.mostBytes, let number = ring.claim(1) else { return }
    var event = AURenderEvent()
    event.MIDI.eventSampleTime = time
    event.MIDI.eventType = bytes.count > 3 || bytes[0] == 0xF0 ? .midiSysEx : .MIDI
    event.MIDI.length = UInt16(bytes.count)
    event.MIDI.cable = cable
    withUnsafeMutableBytes(of: &event) { memory in
      for (index, byte) in bytes.enumerated() { memory[Self.dataOffset + index] = byte }
    }
    (entries.start + ring.place(of: number)).initialize(to: event)
    ring.publish(number, count: 1)
  }

  /// Schedules the packets of a list, an event for each.
  func schedule(_ time: AUEventSampleTime, cable: UInt8, _ list: UnsafePointer<MIDIEventList>) {
    let first = UnsafeRawPointer(list).advanced(by: MemoryLayout<MIDIEventList>.offset(of: \MIDIEventList.packet) ?? 8)
    var packet = first.assumingMemoryBound(to: MIDIEventPacket.self)
    let words = MemoryLayout<MIDIEventPacket>.offset(of: \MIDIEventPacket.words) ?? 12
    for _ in 0..<list.pointee.numPackets {
      let count = Int(min(64, UnsafeRawPointer(packet).loadUnaligned(fromByteOffset: 8, as: UInt32.self)))
      if let number = ring.claim(1) {
        var event = AURenderEvent()
        event.MIDIEventsList.eventSampleTime = time
        event.MIDIEventsList.eventType = .midiEventList
        event.MIDIEventsList.cable = cable
        event.MIDIEventsList.eventList.protocol = list.pointee.protocol
        event.MIDIEventsList.eventList.numPackets = 1
        withUnsafeMutableBytes(of: &event.MIDIEventsList.eventList.packet) { memory in
          memory.baseAddress?.copyMemory(from: packet, byteCount: words + 4 * count)
        }
        (entries.start + ring.place(of: number)).initialize(to: event)
        ring.publish(number, count: 1)
      }
      packet = UnsafePointer(MIDIEventPacketNext(packet))
    }
  }

  private static func event(
    _ time: AUEventSampleTime, ramp: AUAudioFrameCount, _ address: AUParameterAddress, _ value: AUValue
  ) -> AURenderEvent {
    var event = AURenderEvent()
    event.parameter.eventSampleTime = time
    event.parameter.eventType = ramp > 0 ? .parameterRamp : .parameter
    event.parameter.rampDurationSampleFrames = ramp
    event.parameter.parameterAddress = address
    event.parameter.value = value
    return event
  }

  // MARK: Taking, on the render thread

  /// Takes over what was scheduled, for a slice that begins at a frame: times that mean "at once" become frames.
  func takeOver(at sampleTime: Int64) {
    guard ring.hasBatches, freeCount > ownCount else { return }
    ring.drain(before: taken + UInt64(freeCount - ownCount)) { place in
      taken += 1
      var event = entries.start[place]
      let given = event.head.eventSampleTime
      let immediate = given &- AUEventSampleTimeImmediate
      event.head.eventSampleTime =
        (0..<4096).contains(immediate) ? sampleTime &+ immediate : max(sampleTime, given)
      insert(event)
    }
  }

  /// Adds a parameter event of the render side's own: in front of nothing that has the same time.
  func add(_ time: AUEventSampleTime, ramp: AUAudioFrameCount, _ address: AUParameterAddress, _ value: AUValue) {
    var event = Self.event(time, ramp: ramp, address, value)
    event.parameter.reserved.0 = 1
    insert(event)
  }

  /// True of events that the render side has added.
  static func isOwn(_ event: AUParameterEvent) -> Bool { event.reserved.0 == 1 }

  private func insert(_ event: AURenderEvent) {
    guard let node = takeNode() else { return }
    node.initialize(to: event)
    let time = event.head.eventSampleTime
    guard let first = waiting, first.pointee.head.eventSampleTime <= time else {
      node.pointee.head.next = waiting
      waiting = node
      return
    }
    var place = first
    while let next = place.pointee.head.next, next.pointee.head.eventSampleTime <= time { place = next }
    node.pointee.head.next = place.pointee.head.next
    place.pointee.head.next = node
  }

  /// Cuts off the events in front of a frame; ``release(_:)`` takes them back. Nil: there are none.
  func take(before end: Int64) -> UnsafeMutablePointer<AURenderEvent>? {
    guard let first = waiting, first.pointee.head.eventSampleTime < end else { return nil }
    var last = first
    while let next = last.pointee.head.next, next.pointee.head.eventSampleTime < end { last = next }
    waiting = last.pointee.head.next
    last.pointee.head.next = nil
    return first
  }

  /// Takes nodes back.
  func release(_ list: UnsafeMutablePointer<AURenderEvent>?) {
    var node = list
    while let present = node {
      node = present.pointee.head.next
      giveBack(present)
    }
  }

  /// Drops all that waits.
  func removeAll() {
    ring.drain { _ in taken += 1 }
    release(waiting)
    waiting = nil
  }
}

/// Memory for a number of events, touched when one is written.
private struct EventMemory: ~Copyable {
  private let bytes: FlatMemory<UInt64>
  let start: UnsafeMutablePointer<AURenderEvent>

  init(_ count: Int) {
    bytes = FlatMemory(unwritten: count * MemoryLayout<AURenderEvent>.stride / 8 + 1)
    start = UnsafeMutableRawPointer(bytes.all.start).bindMemory(to: AURenderEvent.self, capacity: count)
  }
}
