import AudioCore

/// Moments of a device's clock where its rate changes.
enum DeviceClock {
  /// The frame at one rate that lies where another lies at a former rate: rounded, but no frame of that rate is met
  /// twice.
  static func frame(_ frame: Int64, of formerRate: Double, at rate: Double) -> Int64 {
    let nearest = FrameCount.converted(frame, from: formerRate, to: rate)
    return FrameCount.converted(nearest, from: rate, to: formerRate) < frame ? nearest + 1 : nearest
  }
}
