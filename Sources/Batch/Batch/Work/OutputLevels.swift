import AudioCore
import BatchRender
import Loudness
import SoundFile

/// Loudness and true peak of an output.
struct OutputLevels {
  /// Nil: silent, or shorter than 400 ms.
  var loudnessLUFS: Double?
  /// The true peak of the loudest channel, dBTP; −∞ for silence.
  var truePeakDecibels: Double
  /// The half width of the interval around it that holds the truth, dB.
  var uncertaintyDecibels: Double

  init(_ readings: LoudnessReadings, gainDecibels: Double = 0) {
    loudnessLUFS = readings.integratedLUFS.map { $0 + gainDecibels }
    truePeakDecibels = readings.maximumTruePeakDecibels + gainDecibels
    let loudest = readings.truePeaks.indices.max { readings.truePeaks[$0] < readings.truePeaks[$1] }
    let peak = loudest.map { readings.truePeaks[$0] } ?? 0
    let error = loudest.map { readings.truePeakUncertainties[$0] } ?? 0
    uncertaintyDecibels = peak > 0 ? Decibels.of(amplitude: 1 + error / peak) : 0
  }

  /// The levels that a complete file plays, before it has its name.
  /// - Parameter layout: the loudspeakers of a file that does not say them.
  /// - Throws: `.input` where it cannot be read.
  init(ofFile descriptor: Int32, at path: String, _ layout: ChannelLayout?) throws(BenchError) {
    let reader = try SoundFileReader(
      storage: DescriptorStorage(borrowing: descriptor), name: path, allowTruncated: true)
    let info = reader.info
    let format = StreamFormat(sampleRate: info.sampleRate, channelCount: info.channelCount)
    let meter = try BlockMeter(format, info.layout ?? layout, at: path)
    let block = PlanarBuffer(channelCount: info.channelCount, frameCapacity: BlockMeter.blockFrames)
    while true {
      let frames = try reader.read(into: block.planes, offset: 0, frames: block.frameCapacity)
      if frames == 0 { break }
      meter.add(block.planes, offset: 0, frames: frames)
    }
    self.init(meter.meter.finish())
  }

  /// By how much the true peak exceeds a limit; nil where it does not, within the error of the reading. That error is
  /// large where a sound begins or ends abruptly, and then counts as 0.01 dB.
  func excess(over limitDecibels: Double) -> Double? {
    let excess = truePeakDecibels - limitDecibels
    return excess > min(0.01, uncertaintyDecibels) ? excess : nil
  }
}

extension SoundFileWriteReport {
  /// True when what is read back has other levels than what was written: after a lossy codec, after clipping, and where
  /// rounding lifts a peak over a limit by more than a reading's error.
  /// - Parameters:
  ///   - peakDecibels: the true peak in front of the encoding, dBTP.
  ///   - limitDecibels: nil: there is none.
  func changesLevels(peakDecibels: Double, limitDecibels: Double?, isDithered: Bool) -> Bool {
    guard encoding.isLossless else { return true }
    if encoding.isFloat { return false }
    if clippedSamples > 0 { return true }
    guard let bits = encoding.bits, bits < 24 else { return false }
    if bits < 16 { return true }
    // Half a step of each sample, and one and a half with dither, add up to less than four times as much in between.
    let error = (isDithered ? 6.0 : 2.0) / Double(Int64(1) << (bits - 1))
    return limitDecibels.map { Decibels.amplitude(peakDecibels) + error > Decibels.amplitude($0) * 1.0003 } ?? false
  }
}
