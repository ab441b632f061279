import AudioCore
import AudioEngine
import CAudioToolbox
import Hardware

extension AudioTimeStamp {
  /// The frame for which something is scheduled; nil without a sample time, or with −1: right behind what is scheduled
  /// already.
  func scheduledFrame() throws(AudioStatus) -> Int64? {
    guard mFlags.contains(.sampleTimeValid), mSampleTime != -1 else { return nil }
    guard mSampleTime.magnitude <= 0x1p53 else { throw .invalidPropertyValue }
    return Int64(clamping: mSampleTime.rounded())
  }

  /// A moment that has nothing but its sample time.
  init(sampleTime: Double) {
    self.init()
    mSampleTime = sampleTime
    mFlags = .sampleTimeValid
  }

  /// A moment of a device: sample time, host time and rate are valid.
  init(_ time: DeviceTime) {
    self.init(sampleTime: Double(time.sampleTime))
    mHostTime = time.hostTime
    mRateScalar = time.rateScalar
    mFlags = [.sampleTimeValid, .hostTimeValid, .rateScalarValid]
  }
}
