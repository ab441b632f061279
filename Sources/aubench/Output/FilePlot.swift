import AudioCore
import BatchRender
import Glibc
import Plotting
import SoundFile
import Spectrum
import Measurement

/// Figures of sound files, for `aubench plot`: read once, in blocks, in memory that does not grow with the file.
struct FilePlot {
  struct Settings {
    /// Nil: all.
    var channel: Int?
    /// Frames of a transform; nil: by the kind.
    var segmentFrames: Int?
    var fromSeconds = 0.0
    /// Nil: to the end.
    var durationSeconds: Double?
    var lowHertz: Double?
    var highHertz: Double?
    var isLinear = false
    var floorDecibels: Double?
  }

  let settings: Settings
  let progress: (RenderProgress) -> Bool

  init(_ settings: Settings, progress: @escaping (RenderProgress) -> Bool) {
    self.settings = settings
    self.progress = progress
  }

  func figure(_ kind: PlotKind, of files: [String]) throws(BenchError) -> Figure {
    switch kind {
    case .spectrum: try spectra(files)
    case .spectrogram: try spectrogram(files[0])
    case .waveform: try waveform(files[0])
    }
  }

  // MARK: Spectrum

  private func spectra(_ files: [String]) throws(BenchError) -> Figure {
    var series: [PlotSeries] = []
    var remarks: [String] = []
    var highest = 0.0
    var budget = MemoryBudget()
    for path in files {
      let part = try FilePart(path, settings)
      let cut = SegmentSettings(segmentLength: settings.segmentFrames ?? 8192).shortened(toFrames: part.frameCount)
      // The segment at work, its window, its transform and the sum of those before it, and the curve.
      try plan(MemoryBudget.product(part.channels.count, cut.segmentLength, 32), for: path, &budget)
      let welch = WelchSpectrum(sampleRate: part.sampleRate, channelCount: part.channels.count, settings: cut)
      try part.read(progress) { welch.add($0, frames: $1) }
      highest = max(highest, part.sampleRate / 2)
      let frequencies = welch.frequenciesHertz
      for (index, channel) in part.channels.enumerated() {
        var name = files.count > 1 ? VisibleText.name(path) : ""
        if part.info.channelCount > 1 { name += (name.isEmpty ? "" : ", ") + "channel \(channel)" }
        series.append(PlotSeries(name, x: frequencies, y: welch.decibels(channel: index)))
      }
      let remark =
        "\(NumberText.short(part.sampleRate)) Hz, \(NumberText.clockTime(Double(part.frameCount) / part.sampleRate)), "
        + "\(NumberText.count(welch.segmentCount, "segment")) of \(cut.segmentLength) frames"
      if !remarks.contains(remark) { remarks.append(remark) }
    }
    let remark = remarks.count == 1 ? remarks[0] : "Welch, Hann window"
    let panel = Panel(
      x: try frequencyAxis(highest), y: levelAxis(series.flatMap(\.y)), series: series)
    return Figure(title("Spectrum", files), subtitle: remark, panels: [panel])
  }

  private func frequencyAxis(_ highest: Double) throws(BenchError) -> PlotAxis {
    let low = settings.lowHertz ?? (settings.isLinear ? 0 : min(20, highest / 10))
    let high = min(settings.highHertz ?? highest, highest)
    guard low < high else {
      throw Arguments.error(
        .low, "\(NumberText.short(low)) Hz is not below the highest frequency there is, \(NumberText.short(high)) Hz")
    }
    return .frequency(range: low...high, scale: settings.isLinear ? .linear : .logarithmic)
  }

  /// From the loudest down to the floor that was asked for.
  private func levelAxis(_ decibels: [Double]) -> PlotAxis {
    var axis = PlotAxis.decibels("level", unit: "dBFS")
    if let floor = settings.floorDecibels {
      let top = decibels.reduce(-Double.infinity) { $1.isFinite ? max($0, $1) : $0 }
      let room = ((top.isFinite ? top : floor) + 1) / 6
      axis.range = floor...max(floor + 6, room.rounded(.up) * 6)
    }
    return axis
  }

  // MARK: Spectrogram

  private func spectrogram(_ path: String) throws(BenchError) -> Figure {
    let part = try panelled(path)
    guard settings.segmentFrames ?? 0 <= 8192 else {
      throw Arguments.error(.segment, "a spectrogram takes up to 8192 frames, not \(settings.segmentFrames ?? 0)")
    }
    var cut = SegmentSettings(segmentLength: settings.segmentFrames ?? 2048).shortened(toFrames: part.frameCount)
    // Short files get columns enough for a picture.
    let hop = max(1, min(cut.segmentLength / 2, Int(part.frameCount - Int64(cut.segmentLength)) / Self.columns))
    cut = SegmentSettings(segmentLength: cut.segmentLength, overlapFrames: cut.segmentLength - hop)
    // Powers as Float, and once more as levels.
    var budget = MemoryBudget()
    try plan(MemoryBudget.product(part.channels.count, Self.columns, cut.segmentLength / 2, 8), for: path, &budget)
    let spectrogram = Spectrogram(
      sampleRate: part.sampleRate, channelCount: part.channels.count, settings: cut, maximumColumns: Self.columns)
    try part.read(progress) { spectrogram.add($0, frames: $1) }
    let axis = try frequencyAxis(part.sampleRate / 2)
    let times = spectrogram.timesSeconds.map { $0 + part.fromSeconds }
    let frequencies = spectrogram.frequenciesHertz
    let columns = spectrogram.columnCount
    var panels: [Panel] = []
    for (index, channel) in part.channels.enumerated() {
      var values: [Float] = []
      for column in 0..<columns { values += spectrogram.decibels(channel: index, column: column) }
      let loudest = values.reduce(-Float.infinity) { $1.isFinite ? max($0, $1) : $0 }
      var colour = levelAxis([Double(loudest)])
      colour.largestSpan = 120
      // Columns that hold several segments lie evenly; the last may hold fewer.
      let step = Double(spectrogram.segmentsPerColumn * hop) / part.sampleRate
      let first = times.first ?? 0
      let map = HeatMap(
        columnCount: columns, rowCount: frequencies.count, x: .init(first, first + step * Double(max(0, columns - 1))),
        y: .init(0, frequencies.last ?? 0), values: values, colour: colour)
      let name = part.info.channelCount > 1 ? "channel \(channel)" : ""
      panels.append(Panel(name, x: .time(), y: axis, map: map))
    }
    let share = spectrogram.segmentsPerColumn
    let remark =
      "\(NumberText.short(part.sampleRate)) Hz, Hann window of \(cut.segmentLength) frames"
      + (share > 1 ? "; each column the largest of \(share)" : "")
    return Figure(title("Spectrogram", [path]), subtitle: remark, panels: panels)
  }

  private static let columns = 1024

  // MARK: Waveform

  private func waveform(_ path: String) throws(BenchError) -> Figure {
    let part = try panelled(path)
    let envelope = WaveformEnvelope(
      channelCount: part.channels.count, frameCount: part.frameCount, columns: Self.waveformColumns)
    try part.read(progress) { envelope.add($0, frames: $1) }
    var loudest = 0.0
    var panels: [Panel] = []
    for (index, channel) in part.channels.enumerated() {
      let x = envelope.times(sampleRate: part.sampleRate, from: part.fromSeconds)
      let (lower, upper) = (envelope.lowest(index), envelope.highest(index))
      for value in lower + upper where value.isFinite { loudest = max(loudest, abs(value)) }
      var panel = Panel(
        part.info.channelCount > 1 ? "channel \(channel)" : "", x: .time(), y: PlotAxis("amplitude"))
      if envelope.framesPerColumn == 1 {
        panel.series = [PlotSeries("", x: x, y: lower)]
      } else {
        panel.bands = [PlotBand("", x: x, lower: lower, upper: upper, role: .actual, isSolid: true)]
      }
      panels.append(panel)
    }
    // Quiet files fill the panel too, and channels are drawn alike.
    let top = loudest > 0.5 && loudest <= 1 ? 1.05 : loudest > 0 ? loudest * 1.1 : 1
    for index in panels.indices { panels[index].y.range = -top...top }
    let peak = loudest > 0 ? "\(NumberText.fixed(20 * log10(loudest), 2)) dBFS" : "silence"
    let remark =
      "\(NumberText.short(part.sampleRate)) Hz, \(NumberText.clockTime(Double(part.frameCount) / part.sampleRate)), "
      + "largest sample \(peak)"
    return Figure(title("Waveform", [path]), subtitle: remark, panels: panels)
  }

  private static let waveformColumns = 4000

  /// A file each of whose channels gets a panel.
  private func panelled(_ path: String) throws(BenchError) -> FilePart {
    let part = try FilePart(path, settings)
    guard part.channels.count <= 16 else {
      throw BenchError(
        .usage, at: path, "has \(part.channels.count) channels, too many for one picture",
        advice: "choose one with --channel")
    }
    return part
  }

  private func plan(_ bytes: Int, for path: String, _ budget: inout MemoryBudget) throws(BenchError) {
    try budget.add(bytes, for: path, of: "the figure", kind: .usage)
  }

  private func title(_ kind: String, _ files: [String]) -> String {
    files.count == 1 ? "\(kind) of \(VisibleText.name(files[0]))" : "\(kind) of \(files.count) files"
  }
}
