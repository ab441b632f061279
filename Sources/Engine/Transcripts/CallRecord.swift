import AudioCore

/// The object that is called: a unit, a graph, numbered in the order in which they were made, so that handles are not
/// shown.
package struct CallSubject: Hashable, Sendable {
  /// Up to eight ASCII characters, the first in the lowest byte; 0: none.
  let name: UInt64
  /// The number among those of its name, from 1 on; 0: none.
  let number: UInt32

  /// - Parameter name: at most eight characters count.
  package init(_ name: String, _ number: Int) {
    var packed: UInt64 = 0
    for (place, byte) in name.utf8.prefix(8).enumerated() { packed |= UInt64(byte) << (8 * UInt64(place)) }
    self.name = packed
    self.number = UInt32(clamping: number)
  }
}

extension CallSubject: CustomStringConvertible {
  /// `mcmx 2`.
  package var description: String {
    let bytes = (0..<8).map { UInt8(truncatingIfNeeded: name >> (8 * $0)) }.prefix { $0 != 0 }
    return "\(String(decoding: bytes, as: UTF8.self)) \(number)"
  }
}

/// When on a sample clock, and for how much, a call is.
package struct CallMoment: Sendable {
  /// Frames; not a number where the call has no time.
  package var sampleTime = Double.nan
  /// −1: the call has no frames.
  package var frames: Int32 = -1
  /// −1: the call is about no bus.
  package var bus: Int32 = -1
  /// The render flags that it was given; nil: it takes none.
  package var flags: UInt32?
  /// Hertz of the clock that the time is of; 0: not known.
  package var sampleRate: Float = 0

  package init(
    sampleTime: Double = .nan, frames: Int? = nil, bus: Int? = nil, flags: UInt32? = nil, sampleRate: Double = 0
  ) {
    self.sampleRate = Float(sampleRate)
    self.sampleTime = sampleTime
    self.frames = frames.map { Int32(clamping: $0) } ?? -1
    self.bus = bus.map { Int32(clamping: $0) } ?? -1
    self.flags = flags
  }
}

/// The kind of a call, which decides the lane that it is drawn in.
package enum CallKind: UInt8, Sendable {
  /// The program calls a function.
  case function
  /// A unit pulls another, or a host pulls a unit.
  case render
  /// A function of the program's is called.
  case callback
  /// The hardware asks for a cycle.
  case cycle
  /// Something happens to the hardware.
  case event
}

/// One call as it lies in the recorder's memory: without a pointer, so that another process can read it.
struct CallRecord: BitwiseCopyable {
  static let textCapacity = 184

  /// The thread, from 1 on, and the number of calls it was inside of.
  var thread: UInt32 = 0
  var depth: UInt32 = 0
  var kind: UInt8 = 0
  /// True when it has returned.
  var isEnded = false
  /// True when it has render flags.
  var hasFlags = false
  /// Bytes of ``text``: of the call, and behind them of what it has answered.
  var textCount: UInt8 = 0
  var resultCount: UInt8 = 0
  var status: Int32 = 0
  var sampleTime = Double.nan
  var frames: Int32 = -1
  var bus: Int32 = -1
  var flagsBefore: UInt32 = 0
  var flagsAfter: UInt32 = 0
  /// The rate of the clock of ``sampleTime``, hertz; 0: not known.
  var sampleRate: Float = 0
  /// When it began by the scenario's clock, nanoseconds and 1; 0: there is none.
  var clock: UInt64 = 0
  /// UTF-8: the name of the call, its subject, `\0`, its arguments, and behind ``textCount`` what it has answered.
  var text = InlineArray<184, UInt8>(repeating: 0)

  /// Bytes that do not fit are left out.
  mutating func append(_ byte: UInt8) {
    let end = Int(textCount) + Int(resultCount)
    guard end < Self.textCapacity else { return }
    text[end] = byte
    textCount += 1
  }

  mutating func append(_ name: StaticString) {
    // Up to the parenthesis of a function's name.
    for place in 0..<name.utf8CodeUnitCount {
      let byte = name.utf8Start[place]
      if byte == UInt8(ascii: "(") { return }
      append(byte)
    }
  }

  mutating func append(_ subject: CallSubject) {
    append(UInt8(ascii: " "))
    var name = subject.name
    while name != 0 {
      append(UInt8(truncatingIfNeeded: name))
      name >>= 8
    }
    append(UInt8(ascii: " "))
    append(subject.number)
  }

  private mutating func append(_ number: UInt32) {
    if number >= 10 { append(number / 10) }
    append(UInt8(ascii: "0") + UInt8(number % 10))
  }

  mutating func append(_ text: String) { text.utf8.forEach { append($0) } }

  mutating func appendResult(_ text: String) {
    for byte in text.utf8 {
      let end = Int(textCount) + Int(resultCount)
      guard end < Self.textCapacity else { return }
      self.text[end] = byte
      resultCount += 1
    }
  }

  func string(_ range: Range<Int>) -> String { String(decoding: range.map { text[$0] }, as: UTF8.self) }
}
