// The output element of an output unit. `render` runs on the hardware's thread and allocates nothing.

import AudioCore
import Hardware

/// Element 0 of an output unit: from the app to the loudspeaker.
final class OutputElement {
  /// True where the element takes part. While open only.
  var isEnabled = true
  /// For each channel of the hardware, the app's channel that plays there, −1 for none; nil: the conventional ones.
  var map: [Int32]?
  /// The time by which the app renders ahead of the hardware, while initialized.
  var readAheadSeconds = 0.0
  /// The frame of the hardware's clock from which on the app renders.
  var silentBefore = Int64.min

  /// Leaves out the frames that the app has rendered already: the seconds after a frame of the hardware's clock.
  func skip(seconds: Double, from frame: Int64, sampleRate: Double) {
    silentBefore = frame + Int64(clamping: (seconds * sampleRate).rounded(.up))
  }

  /// Renders a cycle, except for its beginning that the app has rendered already.
  func render(_ cycle: DeviceCycle, _ format: StreamFormat, _ render: DeviceOutput.Render) -> AudioStatus {
    var time = cycle.outputTime
    guard time.sampleTime < silentBefore else { return render(time, cycle.frames, cycle.output) }
    let skipped = Int(min(Int64(cycle.frames), silentBefore - time.sampleTime))
    guard skipped < cycle.frames else { return .noError }
    time.sampleTime += Int64(skipped)
    time.hostTime += UInt64(FrameCount.converted(Int64(skipped), from: format.sampleRate, to: 1e9))
    return render(time, cycle.frames - skipped, cycle.output + skipped * format.channelCount)
  }
}
