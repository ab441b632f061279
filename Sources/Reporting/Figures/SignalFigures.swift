import AudioCore
import Glibc
import Measurement
import Plotting
import Spectrum
import Verification

/// Figures of one channel of an output, of what it should have been and of the difference.
struct SignalFigures {
  let title: String
  let channel: Int
  let sampleRate: Double
  let actual: [Double]
  /// Nil: nothing is known of it.
  let expected: [Double]?
  let difference: [Double]?
  /// Frame of the first sample that fails.
  let firstFailure: Int?

  /// - Parameter firstFailure: nil: the channel that differs most is shown, with its largest difference.
  init(title: String, actual: AudioSignal, expected: AudioSignal?, firstFailure: CheckOutcome.Place?) {
    self.title = title
    sampleRate = actual.sampleRate
    let other = expected.flatMap {
      $0.channelCount == actual.channelCount && $0.sampleRate == actual.sampleRate ? $0 : nil
    }
    let differences = other.map { other in
      zip(actual.channels, other.channels).map { Self.difference($0, $1) }
    }
    var channel = firstFailure?.channel ?? 0
    var frame = firstFailure.map { Int(clamping: $0.frame) }
    if firstFailure == nil, let differences {
      let heights = differences.map { $0.reduce(0) { $1.isFinite ? max($0, abs($1)) : .infinity } }
      channel = heights.indices.max { heights[$0] < heights[$1] } ?? 0
      frame =
        heights[channel] > 0 ? differences[channel].firstIndex { abs($0) == heights[channel] || !$0.isFinite } : nil
    }
    channel = min(max(0, channel), actual.channelCount - 1)
    self.channel = channel
    self.firstFailure = frame
    self.actual = actual.channels[channel]
    self.expected = other?.channels[channel]
    difference = differences?[channel]
  }

  /// With silence behind the shorter one.
  private static func difference(_ actual: [Double], _ expected: [Double]) -> [Double] {
    var difference = actual + [Double](repeating: 0, count: max(0, expected.count - actual.count))
    difference.withUnsafeMutableBufferPointer { difference in
      expected.withUnsafeBufferPointer { expected in
        for frame in expected.indices { difference[frame] -= expected[frame] }
      }
    }
    return difference
  }

  private var lines: [(name: String, role: PlotRole, samples: [Double])] {
    [("actual", .actual, actual)] + (expected.map { [("expected", .expected, $0)] } ?? [])
      + (difference.map { [("difference", .actual, $0)] } ?? [])
  }

  private func figure(_ name: String, _ remark: String, _ panels: [Panel]) -> Figure {
    Figure("\(name) of \(title), channel \(channel)", subtitle: remark, panels: panels)
  }

  // MARK: Waveform

  /// The whole, the difference on a scale of its own, and what is around the first frame that fails.
  var waveform: Figure {
    let peak = lines.prefix(expected == nil ? 1 : 2).flatMap { [Self.peak($0.samples)] }.max() ?? 0
    var panels = lines.map { name, _, samples in
      let isDifference = name == "difference"
      let top = isDifference ? Self.peak(samples) : peak
      let level = top > 0 ? "peak \(Self.decibels(Self.peak(samples))) dBFS" : "silence"
      return Panel(
        "\(name), \(level)", x: .time(),
        y: PlotAxis("amplitude", range: top > 0 ? -1.05 * top...1.05 * top : -1...1),
        bands: [envelope(name, samples)], relativeHeight: 0.6)
    }
    if let firstFailure {
      for index in panels.indices {
        panels[index].markers = [
          PlotMarker(.x(Double(firstFailure) / sampleRate), index == 0 ? "frame \(firstFailure)" : "")
        ]
      }
      panels += closeUps(around: firstFailure)
    }
    return figure("Waveform", "\(FindingsFigures.hertz(sampleRate)), \(actual.count) frames", panels)
  }

  /// Sample by sample: the two over each other, and the difference, which is often too small to be seen there.
  private func closeUps(around frame: Int) -> [Panel] {
    let range = max(0, frame - 48)..<frame + 80
    let x = range.map(Double.init)
    let series = lines.map { name, role, samples in
      PlotSeries(name, x: x, y: range.map { samples.indices.contains($0) ? samples[$0] : .nan }, role: role)
    }
    let parts = [series.filter { $0.name != "difference" }, series.filter { $0.name == "difference" }]
    return parts.filter { !$0.isEmpty }.enumerated().map { index, series in
      Panel(
        index == 0 ? "around frame \(frame)" : "difference around frame \(frame)", x: PlotAxis("frame"),
        y: PlotAxis("amplitude"), series: series, markers: [PlotMarker(.x(Double(frame)))],
        relativeHeight: index == 0 ? 0.8 : 0.6)
    }
  }

  /// The lowest and highest sample of each of some columns.
  private func envelope(_ name: String, _ samples: [Double]) -> PlotBand {
    let step = max(1, (samples.count + Self.columns - 1) / Self.columns)
    var (x, lower, upper): ([Double], [Double], [Double]) = ([], [], [])
    samples.withUnsafeBufferPointer { samples in
      var frame = 0
      while frame < samples.count {
        var (least, most) = (Double.infinity, -Double.infinity)
        for index in frame..<min(frame + step, samples.count) {
          least = samples[index] < least ? samples[index] : least
          most = samples[index] > most ? samples[index] : most
        }
        x.append(Double(frame) / sampleRate)
        lower.append(least <= most ? least : .nan)
        upper.append(least <= most ? most : .nan)
        frame += step
      }
    }
    // The expected one is grey; the panels say what they show.
    let isExpected = name == "expected"
    return PlotBand(
      isExpected ? "" : name, x: x, lower: lower, upper: upper, role: isExpected ? .auxiliary : .actual, isSolid: true)
  }

  private static let columns = 1500

  private static func peak(_ samples: [Double]) -> Double {
    samples.withUnsafeBufferPointer { samples in
      var peak = 0.0
      for sample in samples where abs(sample) > peak && sample.isFinite { peak = abs(sample) }
      return peak
    }
  }

  private static func decibels(_ amplitude: Double) -> String {
    "\((Decibels.of(amplitude: amplitude) * 100).rounded() / 100)"
  }

  // MARK: Spectrum

  /// Spectra over each other, and a spectrogram of the difference; nil where there is too little to transform, or where
  /// samples are no numbers. Of long signals the part around the first frame that fails.
  var spectrum: Figure? {
    let count = max(actual.count, expected?.count ?? 0)
    let first = max(0, min((firstFailure ?? 0) - Self.spectrumFrames / 2, count - Self.spectrumFrames))
    let range = first..<min(count, first + Self.spectrumFrames)
    guard range.count >= 64 else { return nil }
    func part(_ samples: [Double]) -> [Double] {
      range.map { $0 < samples.count ? samples[$0] : 0 }
    }
    let parts = lines.map { (name: $0.name, role: $0.role, samples: part($0.samples)) }
    guard parts.allSatisfy({ $0.samples.allSatisfy(\.isFinite) }) else { return nil }
    let welch = WelchSpectrum(
      sampleRate: sampleRate, channels: parts.map(\.samples), settings: SegmentSettings(segmentLength: 8192), threads: 1
    )
    let low = min(20, sampleRate / 20)
    let axis = PlotAxis.frequency(range: low...sampleRate / 2)
    var panels = [
      Panel(
        x: axis, y: .decibels("level", unit: "dBFS"),
        series: parts.enumerated().map { index, part in
          PlotSeries(part.name, x: welch.frequenciesHertz, y: welch.decibels(channel: index), role: part.role)
        })
    ]
    if let difference = parts.first(where: { $0.name == "difference" }), Self.peak(difference.samples) > 0 {
      panels.append(spectrogram(difference.samples, from: Double(first) / sampleRate, axis))
    }
    let seconds = range.count == count ? "" : ", the \(range.count) frames from frame \(first) on"
    return figure(
      "Spectrum",
      "\(FindingsFigures.hertz(sampleRate)), Hann window of \(welch.settings.segmentLength) frames\(seconds)",
      panels)
  }

  private func spectrogram(_ samples: [Double], from start: Double, _ frequency: PlotAxis) -> Panel {
    var cut = SegmentSettings(segmentLength: 1024).shortened(toFrames: Int64(samples.count))
    let hop = max(1, min(cut.segmentLength / 2, (samples.count - cut.segmentLength) / 256))
    cut = SegmentSettings(segmentLength: cut.segmentLength, overlapFrames: cut.segmentLength - hop)
    let spectrogram = Spectrogram(sampleRate: sampleRate, channelCount: 1, settings: cut, maximumColumns: 512)
    spectrogram.add(channels: [samples])
    let times = spectrogram.timesSeconds
    let columns = spectrogram.columnCount
    let step = Double(spectrogram.segmentsPerColumn * hop) / sampleRate
    let first = start + (times.first ?? 0)
    var colour = PlotAxis.decibels("level", unit: "dBFS")
    colour.largestSpan = 80
    let map = HeatMap(
      columnCount: columns, rowCount: cut.binCount, x: .init(first, first + step * Double(max(0, columns - 1))),
      y: .init(0, sampleRate / 2), values: (0..<columns).flatMap { spectrogram.decibels(channel: 0, column: $0) },
      colour: colour)
    return Panel("spectrogram of the difference", x: .time(), y: frequency, map: map)
  }

  private static let spectrumFrames = 1 << 18
}
