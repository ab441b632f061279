import AudioCore

// A property's value has four forms, which `PropertyForm` holds together:
// - `Value`, the type of the unit's own variable or setter: `Bool`, `Int`, a choice with names;
// - `PropertyValue`, in which callers that do not know the unit read and set it;
// - `JSONForm`, as graph files write it;
// - `PropertyLayout`, as it lies in C's memory: there `CProperty` reads and writes it as a `CValue`.

/// The layout of a property's value in C's memory.
package enum PropertyLayout: Sendable {
  /// One number.
  case uint32, int32, int64, float64
  /// An array of numbers; its length is the size of the value.
  case uint32s, int32s, float32s, float64s
  /// `AudioStreamBasicDescription`, `AUChannelInfo[]`, `AudioUnitMeterClipping`.
  case streamFormat, channelPairs, meterClipping
}

/// The kind of a property's values: in words, in Swift, in C's memory, and in a graph file.
public struct PropertyForm<Value: Sendable>: Sendable {
  /// With the unit or what the numbers mean: `UInt32, frames`.
  package let type: String
  /// Nil: the value has no form in C.
  package let layout: PropertyLayout?
  /// Nil: graph files cannot write it.
  package let written: JSONForm<Value>?
  package let wrap: @Sendable (Value) -> PropertyValue
  /// Nil for a value of another kind, or outside the range.
  package let unwrap: @Sendable (PropertyValue) -> Value?

  package init(
    _ type: String, _ note: String? = nil, _ layout: PropertyLayout? = nil, _ written: JSONForm<Value>? = nil,
    wrap: @escaping @Sendable (Value) -> PropertyValue, unwrap: @escaping @Sendable (PropertyValue) -> Value?
  ) {
    self.type = note.map { "\(type), \($0)" } ?? type
    self.layout = layout
    self.written = written
    self.wrap = wrap
    self.unwrap = unwrap
  }
}

extension PropertyForm {
  /// A form whose value is the payload of one case of `PropertyValue`.
  fileprivate init(
    _ type: String, _ note: String? = nil, _ layout: PropertyLayout? = nil, _ written: JSONForm<Value>? = nil,
    as wrap: @escaping @Sendable (Value) -> PropertyValue
  ) {
    self.init(type, note, layout, written, wrap: wrap) { $0.payload as? Value }
  }
}

extension PropertyValue {
  fileprivate var payload: any Sendable {
    switch self {
    case .uint32(let value): value
    case .uint32s(let value): value
    case .int32(let value): value
    case .int64(let value): value
    case .float64(let value): value
    case .float32s(let value): value
    case .float64s(let value): value
    case .int32s(let value): value
    case .streamFormat(let value): value
    case .parameterIDs(let value): value
    case .preset(let value): value
    case .presets(let value): value
    case .channelCapabilities(let value): value
    case .region(let start, let count): FileRegion(start: start, count: count)
    case .text(let value): value
    }
  }
}

// MARK: Numbers

extension PropertyForm where Value == Bool {
  /// 0 or 1; any number but 0 is taken for 1.
  public static let flag = PropertyForm(
    "UInt32", "0 or 1", .uint32, .boolean, wrap: { .uint32($0 ? 1 : 0) },
    unwrap: { if case .uint32(let word) = $0 { word != 0 } else { nil } })
}

extension PropertyForm where Value == Int {
  /// A whole number, which graph files cannot write.
  /// - Parameters:
  ///   - note: the unit, or what the numbers mean: `frames`.
  ///   - range: anything outside is `.invalidPropertyValue`.
  public static func uint32(_ note: String? = nil, in range: ClosedRange<UInt32> = 0...UInt32.max) -> PropertyForm {
    PropertyForm(
      "UInt32", note, .uint32, wrap: { .uint32(UInt32(clamping: $0)) },
      unwrap: { if case .uint32(let word) = $0, range.contains(word) { Int(word) } else { nil } })
  }
}

extension PropertyForm where Value == Int64 {
  /// - Parameters:
  ///   - note: the unit or the meaning of the number, in a few words.
  ///   - range: the values that a host may set.
  ///   - written: the values in graph files, if they have another range.
  public static func int32(
    _ note: String? = nil, in range: ClosedRange<Int32> = Int32.min...Int32.max, written: ClosedRange<Int64>? = nil
  ) -> PropertyForm {
    PropertyForm(
      "Int32", note, .int32, .integer(in: written ?? Int64(range.lowerBound)...Int64(range.upperBound)),
      wrap: { .int32(Int32(clamping: $0)) },
      unwrap: { if case .int32(let word) = $0, range.contains(word) { Int64(word) } else { nil } })
  }

  /// - Parameters:
  ///   - note: the unit or the meaning of the number, in a few words.
  ///   - range: the values that a host may set.
  ///   - written: the values in graph files, if they have another range.
  public static func int64(
    _ note: String? = nil, in range: ClosedRange<Int64> = Int64.min...Int64.max, written: ClosedRange<Int64>? = nil
  ) -> PropertyForm {
    PropertyForm(
      "Int64", note, .int64, .integer(in: written ?? range), wrap: { .int64($0) },
      unwrap: { if case .int64(let word) = $0, range.contains(word) { word } else { nil } })
  }
}

extension PropertyForm where Value == Double {
  /// Any number, which graph files cannot write.
  /// - Parameter note: the unit, or what it means: `seconds`.
  public static func float64(_ note: String? = nil) -> PropertyForm {
    PropertyForm(
      "Float64", note, .float64, as: PropertyValue.float64)
  }
}

// MARK: Lists of numbers. `count` says how many, in words.

extension PropertyForm where Value == [Float] {
  /// A list, which graph files cannot write; `count` says in words how long it should be, and the setter has to check
  /// it.
  public static func float32s(_ count: String, _ note: String? = nil) -> PropertyForm {
    PropertyForm(
      "Float32[\(count)]", note, .float32s, as: PropertyValue.float32s)
  }

  /// The peak in front of the volume, whether an infinity and whether a NaN were there, and the peak behind the volume.
  package static let meterClipping = PropertyForm(
    "peak since last read, saw infinity, saw NaN, peak behind the volume", nil, .meterClipping,
    as: PropertyValue.float32s)
}

extension PropertyForm where Value == [Double] {
  /// A list, which graph files cannot write; `count` says in words how long it should be, and the setter has to check
  /// it.
  public static func float64s(_ count: String, _ note: String? = nil) -> PropertyForm {
    PropertyForm(
      "Float64[\(count)]", note, .float64s, as: PropertyValue.float64s)
  }
}

extension PropertyForm where Value == [Int32] {
  /// A list, which graph files cannot write; `count` says in words how long it should be, and the setter has to check
  /// it.
  public static func int32s(_ count: String, _ note: String? = nil) -> PropertyForm {
    PropertyForm(
      "Int32[\(count)]", note, .int32s, as: PropertyValue.int32s)
  }
}

extension PropertyForm where Value == [UInt32] {
  static let parameterIDs = PropertyForm(
    "UInt32[]", nil, .uint32s, as: PropertyValue.parameterIDs)

  /// A list of numbers that graph files cannot write; `count` says in words how long it is.
  package static func uint32s(_ count: String, _ note: String? = nil) -> PropertyForm {
    PropertyForm("UInt32[\(count)]", note, .uint32s, as: PropertyValue.uint32s)
  }
}

// MARK: Names and texts

extension PropertyForm where Value: NamedChoice {
  /// One of a few things that have names: as text, and in graph files.
  public static var name: PropertyForm {
    PropertyForm(
      "text: " + Value.names.joined(separator: ", "), nil, nil, .choice, wrap: { .text($0.name) },
      unwrap: { if case .text(let name) = $0 { Value(name: name) } else { nil } })
  }
}

extension PropertyForm where Value: NamedChoice & RawRepresentable<UInt32> {
  /// One of a few things that have numbers in C and names in graph files.
  public static var choice: PropertyForm {
    PropertyForm(
      "UInt32: " + Value.allCases.map { "\($0.rawValue) \($0.name)" }.joined(separator: ", "), nil, .uint32, .choice,
      wrap: { .uint32($0.rawValue) },
      unwrap: { if case .uint32(let word) = $0 { Value(rawValue: word) } else { nil } })
  }
}

extension PropertyForm where Value == String {
  package static func path(_ type: String = "path") -> PropertyForm {
    PropertyForm(
      type, nil, nil, .file, as: PropertyValue.text)
  }
}

extension PropertyForm where Value == FourCharCode {
  package static func code(_ note: String) -> PropertyForm {
    PropertyForm(
      "FourCharCode: \(note)", nil, .uint32, wrap: { .uint32($0.rawValue) },
      unwrap: { if case .uint32(let word) = $0 { FourCharCode(rawValue: word) } else { nil } })
  }
}

// MARK: Values of the unit model

extension PropertyForm where Value == StreamFormat {
  static let streamFormat = PropertyForm(
    "stream format", nil, .streamFormat, as: PropertyValue.streamFormat)
}

extension PropertyForm where Value == Preset {
  package static let preset = PropertyForm(
    "preset", as: PropertyValue.preset)
}

extension PropertyForm where Value == [Preset] {
  static let presets = PropertyForm(
    "presets", as: PropertyValue.presets)
}

extension PropertyForm where Value == [ChannelCapability] {
  static let channelPairs = PropertyForm(
    "pairs of channel counts", nil, .channelPairs, as: PropertyValue.channelCapabilities)
}

extension PropertyForm where Value == AudioStatus {
  static let status = PropertyForm(
    "status", wrap: { .int32($0.rawValue) },
    unwrap: { if case .int32(let word) = $0 { AudioStatus(word) } else { nil } })
}

/// Frames of a file: the first, and how many; −1 reaches to the end.
package struct FileRegion: Sendable {
  package let start: Int64
  package let count: Int64

  package init(start: Int64, count: Int64) { (self.start, self.count) = (start, count) }
}

extension PropertyForm where Value == FileRegion {
  package static let region = PropertyForm(
    "start and count, file frames; count −1 to the end", wrap: { .region(start: $0.start, count: $0.count) },
    unwrap: {
      guard case .region(let start, let count) = $0, start >= 0, count >= -1, count < 0 || start <= .max - count else {
        return nil
      }
      return FileRegion(start: start, count: count)
    })
}
