import AudioCore
import Loudness
import SoundFile

/// Peak, true peak, RMS, crest factor, DC, clipping, samples that are no good, loudness, balance and correlation.
///
/// Readings per channel: `peak`, `truePeak`, `rms`, `crest`, `dc`, `clippedRuns`, `clippedSamples`, `notNumbers`,
/// `infinities`, `subnormals`; of all channels: `loudnessIntegrated`, `loudnessMomentaryMax`, `loudnessShortTermMax`,
/// `loudnessRange`; of pairs, with the channels in ``Reading/at`` as `first` and `second`: `balance` (dB, the second
/// above the first) and `correlation` (Σxy/√(Σx²·Σy²): 1 the same, −1 inverted, means not taken off).
///
/// ```swift
/// let findings = try LevelMeasurement.findings(ofFile: "fixtures/audio/drums.flac")
/// let loudness = try #require(findings.reading("loudnessIntegrated"))
/// let peak = try #require(findings.reading("truePeak", channel: 0))
/// #expect(loudness.value < peak.value)
/// ```
public enum LevelMeasurement {
  /// Measures a signal in memory.
  ///
  /// - Throws: `.usage` where the settings do not fit its channels, or it has none.
  public static func findings(
    of signal: AudioSignal, settings: LevelSettings = LevelSettings()
  ) throws(BenchError) -> Findings {
    guard signal.channelCount > 0 else { throw BenchError(.usage, "a signal without channels has no level") }
    var settings = settings
    if settings.loudspeakers == nil, let layout = signal.layout {
      settings.loudspeakers = LoudnessChannel.of(layout, count: signal.channelCount)
    }
    let meter = try LevelMeter(sampleRate: signal.sampleRate, channelCount: signal.channelCount, settings: settings)
    try signal.eachBlock(of: LevelMeter.blockFrames(signal.channelCount)) { (planes, frames) throws(BenchError) in
      meter.add(planes, frames: frames)
    }
    return meter.finish()
  }

  /// Measures a sound file, from where the reader stands to its end, in blocks.
  ///
  /// - Parameters:
  ///   - reader: the file; its next frame is the first that is measured.
  ///   - settings: the names of the loudspeakers and the limits, as for a signal.
  ///   - layout: the loudspeakers of its channels, whatever it says of them; nil: as it says.
  /// - Throws: the error of the reader; `.usage` as ``findings(of:settings:)-(AudioSignal,_)``.
  public static func findings(
    of reader: SoundFileReader, settings: LevelSettings = LevelSettings(), layout: ChannelLayout? = nil
  ) throws(BenchError) -> Findings {
    let info = reader.info
    var settings = settings
    if let layout, layout.channelCount != info.channelCount {
      throw BenchError(
        .usage, at: info.path,
        "has \(NumberText.count(info.channelCount, "channel")), and the layout \(layout) \(layout.channelCount)")
    }
    if settings.loudspeakers == nil, let layout = layout ?? info.layout {
      settings.loudspeakers = LoudnessChannel.of(layout, count: info.channelCount)
    }
    let meter = try LevelMeter(
      sampleRate: info.sampleRate, channelCount: info.channelCount, sourceBits: info.isFloat ? nil : info.sourceBits,
      settings: settings)
    let frames = LevelMeter.blockFrames(info.channelCount)
    let block = DoubleBuffer(channelCount: info.channelCount, frameCapacity: frames)
    defer { withExtendedLifetime(block) {} }
    while true {
      let count = try reader.read(into: block.planes, frames: frames)
      if count == 0 { return meter.finish() }
      meter.add(block.planes, frames: count)
    }
  }

  /// Measures the sound file at a path.
  public static func findings(
    ofFile path: String, settings: LevelSettings = LevelSettings()
  ) throws(BenchError) -> Findings {
    try findings(of: SoundFileReader(path: path), settings: settings)
  }
}

extension MeasurementKind {
  /// ``LevelMeasurement`` of what the device makes of 5 s of white noise, another on each channel.
  ///
  /// Its peak is the level of the settings, or −12 dBFS.
  public static let levels = MeasurementKind(
    "levels", "peak, true peak, RMS, crest, DC, loudness, balance, correlation: of what noise becomes, or of a file"
  ) { (device, settings) throws(BenchError) in
    let rate = settings.sampleRate(for: device)
    let channels = settings.channelCount(for: device)
    let amplitude = Decibels.amplitude(settings.levelDecibels ?? -12)
    let frames = Int(clamping: 5 * rate)
    try AudioSignal.checkMemory(frames: frames, channels: channels, at: "stimulus")
    let noise = (0..<channels).map {
      Stimulus.whiteNoise(frames: frames, amplitude: amplitude, seed: UInt64($0 + 1))
    }
    return try LevelMeasurement.findings(of: device.process(AudioSignal(sampleRate: rate, channels: noise)))
  }
}
