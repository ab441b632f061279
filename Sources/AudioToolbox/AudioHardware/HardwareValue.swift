import AudioUnits
import CAudioToolbox

/// The value of a property of an audio object, and how it lies in memory.
package enum HardwareValue {
  case number(UInt32)
  case float64(Double)
  case numbers([UInt32])
  case ranges([ClosedRange<Double>])
  case format(AudioStreamBasicDescription)
  case rangedFormats([AudioStreamRangedDescription])
  /// One reference to a CFString goes to the caller.
  case text(String)
  /// Zero-terminated UTF-8.
  case cString(String)
  /// Structs of variable length, and the address of nothing.
  case bytes([UInt8])

  package var byteCount: Int {
    switch self {
    case .number: 4
    case .float64, .text: 8
    case .numbers(let list): 4 * list.count
    case .ranges(let list): MemoryLayout<AudioValueRange>.stride * list.count
    case .format: MemoryLayout<AudioStreamBasicDescription>.size
    case .rangedFormats(let list): MemoryLayout<AudioStreamRangedDescription>.stride * list.count
    case .cString(let text): text.utf8.count + 1
    case .bytes(let bytes): bytes.count
    }
  }

  /// The bytes of one element of a list, of which a caller may want fewer than there are; nil: all or nothing.
  private var elementBytes: Int? {
    switch self {
    case .numbers: 4
    case .ranges: MemoryLayout<AudioValueRange>.stride
    case .rangedFormats: MemoryLayout<AudioStreamRangedDescription>.stride
    default: nil
    }
  }

  /// Writes the value, or as many elements of a list as there is room for.
  ///
  /// - Returns: the bytes written; nil where there is too little room.
  package func write(to memory: UnsafeMutableRawPointer, room: Int) -> Int? {
    var count = byteCount
    if count > room {
      guard let elementBytes else { return nil }
      count = room / elementBytes * elementBytes
    }
    func copy(_ bytes: UnsafeRawBufferPointer) {
      if let base = bytes.baseAddress, count > 0 { memory.copyMemory(from: base, byteCount: count) }
    }
    switch self {
    case .number(let number): withUnsafeBytes(of: number, copy)
    case .float64(let number): withUnsafeBytes(of: number, copy)
    case .numbers(let list): list.withUnsafeBytes(copy)
    case .ranges(let list):
      list.map { AudioValueRange(mMinimum: $0.lowerBound, mMaximum: $0.upperBound) }.withUnsafeBytes(copy)
    case .format(let format): withUnsafeBytes(of: format, copy)
    case .rangedFormats(let list): list.withUnsafeBytes(copy)
    case .text(let text):
      guard let string = CFText.make(text) else { return nil }
      withUnsafeBytes(of: string.toOpaque(), copy)
    case .cString(let text): (Array(text.utf8) + [0]).withUnsafeBytes(copy)
    case .bytes(let bytes): bytes.withUnsafeBytes(copy)
    }
    return count
  }
}

extension DeviceTime {
  /// The moment as the C interface has it: sample time, host time and rate are valid.
  var audioTimeStamp: AudioTimeStamp {
    var stamp = AudioTimeStamp()
    stamp.mSampleTime = Double(sampleTime)
    stamp.mHostTime = hostTime
    stamp.mRateScalar = rateScalar
    stamp.mFlags = AudioTimeStampFlags(rawValue: 1 | 2 | 4)
    return stamp
  }
}
