import AudioCore
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
      zip(actual.channels, other.channels).map { $0.difference(from: $1) }
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

  private var lines: [(name: String, role: PlotRole, samples: [Double])] {
    [("actual", .actual, actual)] + (expected.map { [("expected", .expected, $0)] } ?? [])
      + (difference.map { [("difference", .actual, $0)] } ?? [])
  }

  private func figure(_ name: String, _ remark: String, _ panels: [Panel]) -> Figure {
    Figure("\(name) of \(title), channel \(channel)", subtitle: remark, panels: panels)
  }

  // MARK: Waveform

  /// The whole, and the difference on a scale of its own.
  var waveform: Figure {
    let envelopes = lines.map { line in
      let envelope = WaveformEnvelope(
        channelCount: 1, frameCount: Int64(line.samples.count), columns: Self.columns)
      envelope.add(line.samples)
      return envelope
    }
    let peak = zip(lines, envelopes).filter { $0.0.name != "difference" }.map { $1.peak(0) }.max() ?? 0
    var panels = zip(lines, envelopes).map { line, envelope in
      let own = envelope.peak(0)
      let level = own > 0 ? "peak \(NumberText.fixed(Decibels.of(amplitude: own), 2)) dBFS" : "silence"
      // The expected one is grey; the panels say what they show.
      let isExpected = line.name == "expected"
      var panel = envelope.panel(
        "\(line.name), \(level)", channel: 0, sampleRate: sampleRate, name: isExpected ? "" : line.name,
        role: isExpected ? .auxiliary : .actual)
      if line.name != "difference" { panel.y = .amplitude(peak: peak) }
      panel.relativeHeight = 0.6
      return panel
    }
    if let firstFailure {
      for index in panels.indices {
        panels[index].markers = [
          PlotMarker(.x(Double(firstFailure) / sampleRate), index == 0 ? "frame \(firstFailure)" : "")
        ]
      }
    }
    return figure("Waveform", "\(NumberText.short(sampleRate)) Hz, \(NumberText.count(actual.count, "frame"))", panels)
  }

  private static let columns = 1500

  // MARK: Close-up

  /// Sample by sample around the first frame that fails, or that of the largest difference: both signals, and the
  /// difference, which is often too small to be seen there. Nil without such a frame.
  /// - Parameters:
  ///   - check: the one that fails at that frame; nil: none names a frame.
  ///   - node: the first node of the graph whose output differs, where it is known.
  func closeUp(_ check: CheckOutcome?, node: String?) -> Figure? {
    guard let frame = firstFailure else { return nil }
    let range = max(0, frame - 48)..<frame + 80
    let x = range.map(Double.init)
    let series = lines.map { name, role, samples in
      PlotSeries(name, x: x, y: range.map { samples.indices.contains($0) ? samples[$0] : .nan }, role: role)
    }
    let parts = [series.filter { $0.name != "difference" }, series.filter { $0.name == "difference" }]
    let panels = parts.filter { !$0.isEmpty }.enumerated().map { index, series in
      Panel(
        index == 0 ? "" : "difference", x: PlotAxis("frame"), y: PlotAxis("amplitude"), series: series,
        markers: [PlotMarker(.x(Double(frame)), index == 0 ? "frame \(frame)" : "")],
        relativeHeight: index == 0 ? 1 : 0.7)
    }
    let place = check?.firstFailure?.description ?? "frame \(frame), channel \(channel)"
    let facts = [
      node.map { "first node that differs: \($0)" },
      check.flatMap { $0.found.split(separator: ";").first.map(String.init) },
    ]
    return Figure(
      "\(title): \(check.map { "\($0.id) fails at" } ?? "largest difference at") \(place)",
      subtitle: facts.compactMap { $0 }.joined(separator: "; "), panels: panels,
      size: Figure.Size(width: 1000, height: 520))
  }

  // MARK: Spectrum

  /// Spectra over each other, and a spectrogram of the difference; nil if there is too little to transform, or if
  /// samples are no numbers. For long signals only the part around the first frame that fails.
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
        series: parts.enumerated().flatMap { index, part in
          PlotSeries.spectrum(
            part.name, hertz: welch.frequenciesHertz, decibels: welch.decibels(channel: index), perOctave: 24,
            role: part.role)
        })
    ]
    if let difference = parts.first(where: { $0.name == "difference" }), difference.samples.contains(where: { $0 != 0 })
    {
      panels.append(spectrogram(difference.samples, from: Double(first) / sampleRate, axis))
    }
    let seconds = range.count == count ? "" : ", the \(NumberText.count(range.count, "frame")) from frame \(first) on"
    return figure(
      "Spectrum",
      "\(NumberText.short(sampleRate)) Hz, Hann window of \(NumberText.count(welch.settings.segmentLength, "frame"))\(seconds)"
        + PlotSeries.smoothingRemark(24),
      panels)
  }

  private func spectrogram(_ samples: [Double], from start: Double, _ frequency: PlotAxis) -> Panel {
    let spectrogram = SpectrogramMap(
      sampleRate: sampleRate, channelCount: 1, frameCount: Int64(samples.count), segmentFrames: 1024,
      isLogarithmic: true)
    spectrogram.add(samples)
    var map = spectrogram.heatMap(channel: 0, from: start, frequency)
    map.colour.largestSpan = 80
    return Panel("spectrogram of the difference", x: .time(), y: frequency, map: map)
  }

  private static let spectrumFrames = 1 << 18
}
