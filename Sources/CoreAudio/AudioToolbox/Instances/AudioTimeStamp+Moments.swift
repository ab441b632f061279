import AudioEngine
import CAudioToolbox
import Hardware

extension AudioTimeStamp {
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
