import AudioCore
import Glibc
import Spectrum

/// The linear, time-invariant part of a device: magnitude, phase, group delay, impulse and step response, latency and
/// tail, for each input channel to its output channel.
///
/// It is listened to until it has rung out. The stimulus whose figures are reported is played several times, at other
/// times and levels: their scatter is what noise and rounding do to this device's response. Quieter by 20 dB, with a
/// second stimulus, and when it has been listened to for as long as it may, the response must be the same within that;
/// where it is not, the device is not linear or varies in time, which is a reading, and the other figures are uncertain
/// by as much.
///
/// ```swift
/// let filter = try ParametricEQ(centerHertz: 1000, q: 1, gainDecibels: 6).device(sampleRate: 48_000)
/// let findings = try LinearMeasurement(LinearSettings(filter)).findings(of: filter)
/// let gain = try #require(findings.reading("gainMaximum", channel: 0))
/// #expect(abs(gain.value - 6) < 0.001, "\(gain.text)")
/// let phase = try #require(findings.curve("phase", channel: 0))
/// #expect(phase.points.count > 100)
/// ```
public struct LinearMeasurement {
  /// As given; what listening finds out is not written back.
  public let settings: LinearSettings

  /// - Throws: `.usage` where a stimulus would take more memory than it may.
  public init(_ settings: LinearSettings) throws(BenchError) {
    for method in settings.methods { try TransferEstimator(settings: settings).checkMemory(of: method) }
    self.settings = settings
  }

  /// Measures a device, channel by channel.
  /// - Throws: the device's error; `.render` for a device that gives another rate, or samples that are no numbers.
  public func findings(of device: any Device) throws(BenchError) -> Findings {
    var settings = settings
    let listening = try Listening(to: device, settings)
    settings.responseFrames = listening.responseFrames
    settings.longestResponseFrames = max(settings.longestResponseFrames, listening.responseFrames)
    settings.steadyLines = listening.steadyLines
    var findings = Findings()
    if listening.missingFrames > 0 {
      findings.remarks.append(
        "the output ends \(NumberText.count(listening.missingFrames, "frame")) before its input: what is missing counts as silence"
      )
    }
    if let openEnd = listening.openEnd { findings.remarks.append("it may not be over: \(openEnd)") }
    var first: ImpulseResponse?
    for channel in 0..<settings.channelCount {
      var plays = try Plays(of: device, channel: channel, settings)
      guard channel < plays.outputCount else {
        findings.remarks.append("input channel \(channel) has no output channel of its own")
        continue
      }
      // A response that is not over when listening ends is measured for longer, up to the longest that is allowed.
      while plays.scattered(channel)?.isCutOff == true, settings.responseFrames < settings.longestResponseFrames {
        settings.responseFrames = min(2 * settings.responseFrames, settings.longestResponseFrames)
        plays = try Plays(of: device, channel: channel, settings)
      }
      if settings.choosesMethod, settings.methods[0] == .impulse, plays.isNoisy(channel) {
        // Against noise a sweep has more energy at each frequency.
        settings.methods = [.sweep, .impulse]
        plays = try Plays(of: device, channel: channel, settings)
      }
      let report = try ChannelReport(plays, listening, of: device, channel: channel, settings: settings)
      findings.remarks += report.agreement.remarks(channel: channel)
      if report.agreement.disagrees { findings.disagreements += report.agreement.remarks(channel: channel) }
      var own = Findings(readings: report.agreement.readings(harmonic: report.harmonics?.strongest))
      let response = report.response?.response
      findings.responses[channel] = report.response
      if let response, response == first {
        own.remarks.append("channel \(channel) does the same as channel 0, bit for bit")
        own.channelsLikeFirst.insert(channel)
      } else {
        own.readings = report.shape.readings(of: device) + own.readings
        own.curves = report.shape.curves + (report.harmonics?.curves ?? [])
        own.remarks = report.harmonics?.remarks(channel: channel) ?? []
      }
      if channel == 0 { first = response }
      findings.curves += report.leaks.curves
      findings.add(own.of(channel: channel, inputChannel: channel))
      findings.readings += report.leaks.readings
    }
    return findings
  }
}

extension MeasurementKind {
  /// ``LinearMeasurement`` with all that the settings say.
  public static let linear = MeasurementKind(
    "linear", "magnitude, phase, group delay, impulse and step response, latency, tail, linearity"
  ) { (device, settings) throws(BenchError) in
    var linear = LinearSettings(
      device, sampleRate: settings.sampleRate, channelCount: settings.channelCount,
      responseFrames: settings.responseFrames, methods: settings.methods)
    if let level = settings.levelDecibels { linear.levelDecibels = level }
    return try LinearMeasurement(linear).findings(of: device)
  }
}
