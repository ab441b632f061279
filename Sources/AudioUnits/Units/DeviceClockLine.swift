import AudioCore

/// How the frames of the hardware's clock lie on the app's, from a moment on that both have in common.
struct DeviceClockLine: Sendable {
  private var deviceRate: Double
  private let appRate: Double
  private var deviceStart: Int64 = 0
  private var appStart: Int64 = 0

  init(deviceRate: Double, appRate: Double) {
    self.deviceRate = deviceRate
    self.appRate = appRate
  }

  /// The app's frames that lie under some of the hardware's.
  func appFrames(at sampleTime: Int64, frames: Int) -> (start: Int64, frames: Int) {
    let start = appTime(sampleTime)
    return (start, Int(appTime(sampleTime + Int64(frames)) - start))
  }

  private func appTime(_ sampleTime: Int64) -> Int64 {
    appStart + FrameCount.converted(max(0, sampleTime - deviceStart), from: deviceRate, to: appRate)
  }

  /// The hardware goes on at another rate, from a frame on.
  mutating func change(to rate: Double, at sampleTime: Int64) {
    (appStart, deviceStart) = (appTime(sampleTime), sampleTime)
    deviceRate = rate
  }
}
