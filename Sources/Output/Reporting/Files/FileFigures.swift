import AudioCore
import BatchRender
import Glibc
import Plotting
import SoundFile
import Spectrum

/// Figures of sound files, for `aubench plot`: read once, in blocks, in memory that does not grow with the file.
package struct FileFigures {
  /// The kinds of figure of a file.
  package enum Kind: String, CaseIterable {
    case spectrum
    case spectrogram
    case waveform
  }

  /// Errors about them name the options of the command.
  package struct Settings {
    /// Nil: all.
    package var channel: Int?
    /// Frames of a transform; nil: by the kind.
    package var segmentFrames: Int?
    package var fromSeconds = 0.0
    /// Nil: to the end.
    package var durationSeconds: Double?
    package var lowHertz: Double?
    package var highHertz: Double?
    package var isLinear = false
    package var floorDecibels: Double?
    /// Spectra are drawn as means over an N-th of an octave, faint as they are; 0: only as they are. Nil: a 24th, and
    /// none on a linear axis.
    package var smoothing: Int?

    package init() {}
  }

  let settings: Settings
  let progress: (RenderProgress) -> Bool
  /// Called with what whoever looks at the figure must know of a file.
  let warn: (String) -> Void

  package init(
    _ settings: Settings, progress: @escaping (RenderProgress) -> Bool, warn: @escaping (String) -> Void = { _ in }
  ) {
    self.settings = settings
    self.progress = progress
    self.warn = warn
  }

  /// - Parameter files: one, or several for a spectrum.
  /// - Throws: `.input` for files that cannot be read, `.usage` for what they do not have.
  package func figure(_ kind: Kind, of files: [String]) throws(BenchError) -> Figure {
    switch kind {
    case .spectrum: try spectra(files)
    case .spectrogram: try spectrogram(files[0])
    case .waveform: try waveform(files[0])
    }
  }

  static func error(_ option: String, _ message: String, advice: String? = nil) -> BenchError {
    BenchError(.usage, at: "option --\(option)", message, advice: advice)
  }

  // MARK: Spectrum

  private func spectra(_ files: [String]) throws(BenchError) -> Figure {
    var series: [PlotSeries] = []
    var remarks: [String] = []
    var highest = 0.0
    var budget = MemoryBudget()
    let octaves = settings.smoothing ?? (settings.isLinear ? 0 : 24)
    for path in files {
      let part = try FilePart(path, settings)
      let cut = SegmentSettings(segmentLength: settings.segmentFrames ?? Self.segmentFrames(of: part)).shortened(
        toFrames: part.frameCount)
      // The segment at work, its window, its transform and the sum of those before it, and the curve.
      try plan(MemoryBudget.product(part.channels.count, cut.segmentLength, 32), for: path, &budget)
      let welch = WelchSpectrum(sampleRate: part.sampleRate, channelCount: part.channels.count, settings: cut)
      try part.read(progress) { welch.add($0, frames: $1) }
      tell(part, "a channel with such has no spectrum")
      highest = max(highest, part.sampleRate / 2)
      for (index, channel) in part.channels.enumerated() {
        let names = [files.count > 1 ? Self.shortName(path, among: files) : "", part.name(ofChannel: channel)]
        let name = names.filter { !$0.isEmpty }.joined(separator: ", ")
        series += PlotSeries.spectrum(
          name, hertz: welch.frequenciesHertz, decibels: welch.decibels(channel: index), perOctave: octaves)
      }
      let segments = "\(NumberText.count(welch.segmentCount, "segment")) of \(cut.segmentLength) frames"
      let remark = "\(part.remark), \(segments)\(nonFiniteRemark(part, "no spectrum"))"
      if !remarks.contains(remark) { remarks.append(remark) }
    }
    let panel = Panel(x: try frequencyAxis(highest), y: levelAxis(series.flatMap(\.y)), series: series)
    return Figure(
      title("Spectrum", files),
      subtitle: (remarks.count == 1 ? remarks[0] : "Welch, Hann window") + PlotSeries.smoothingRemark(octaves),
      panels: [panel])
  }

  /// As long as low frequencies want it, and no longer than leaves some segments to a mean.
  private static func segmentFrames(of part: FilePart) -> Int {
    var frames = 8192
    while frames < 65_536, Int64(frames) * 8 <= part.frameCount { frames *= 2 }
    return frames
  }

  /// The file's own name, where no other file of the picture has it.
  private static func shortName(_ path: String, among files: [String]) -> String {
    let own = FileName.last(of: path)
    return VisibleText.name(files.count { FileName.last(of: $0) == own } == 1 ? own : path)
  }

  private func frequencyAxis(_ highest: Double) throws(BenchError) -> PlotAxis {
    let low = settings.lowHertz ?? (settings.isLinear ? 0 : min(20, highest / 10))
    let high = min(settings.highHertz ?? highest, highest)
    guard low < high else {
      throw Self.error(
        "low", "\(NumberText.short(low)) Hz is not below the highest frequency there is, \(NumberText.short(high)) Hz")
    }
    return .frequency(range: low...high, scale: settings.isLinear ? .linear : .logarithmic)
  }

  /// The range from the loudest level down to the floor that was set.
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
      throw Self.error("segment", "a spectrogram takes up to 8192 frames, not \(settings.segmentFrames ?? 0)")
    }
    let axis = try frequencyAxis(part.sampleRate / 2)
    let length = settings.segmentFrames ?? 2048
    // Powers as Float, for either length of segments, and once more as levels.
    var budget = MemoryBudget()
    try plan(MemoryBudget.product(part.channels.count, SpectrogramMap.columns, length / 2, 24), for: path, &budget)
    let map = SpectrogramMap(
      sampleRate: part.sampleRate, channelCount: part.channels.count, frameCount: part.frameCount,
      segmentFrames: length, isLogarithmic: !settings.isLinear)
    try part.read(progress) { map.add($0, frames: $1) }
    tell(part, "there is no level around them")
    var panels: [Panel] = []
    for (index, channel) in part.channels.enumerated() {
      var heatMap = map.heatMap(channel: index, from: part.fromSeconds, axis)
      let loudest = heatMap.values.reduce(-Float.infinity) { $1.isFinite ? max($0, $1) : $0 }
      heatMap.colour = levelAxis([Double(loudest)])
      heatMap.colour.largestSpan = 120
      panels.append(Panel(part.name(ofChannel: channel), x: .time(), y: axis, map: heatMap))
    }
    return Figure(
      title("Spectrogram", [path]),
      subtitle: "\(NumberText.short(part.sampleRate)) Hz, \(map.remark)\(nonFiniteRemark(part, "no level there"))",
      panels: panels)
  }

  // MARK: Waveform

  private func waveform(_ path: String) throws(BenchError) -> Figure {
    let part = try panelled(path)
    let envelope = WaveformEnvelope(
      channelCount: part.channels.count, frameCount: part.frameCount, columns: Self.waveformColumns)
    try part.read(progress) { envelope.add($0, frames: $1) }
    tell(part, "they are not drawn")
    var loudest = 0.0
    var panels: [Panel] = []
    for (index, channel) in part.channels.enumerated() {
      let panel = envelope.panel(
        part.name(ofChannel: channel), channel: index, sampleRate: part.sampleRate, from: part.fromSeconds)
      loudest = max(loudest, envelope.peak(index))
      panels.append(panel)
    }
    // Quiet files fill the panel too, and channels are drawn alike.
    for index in panels.indices { panels[index].y = .amplitude(peak: loudest) }
    let peak = loudest > 0 ? "\(NumberText.fixed(20 * log10(loudest), 2)) dBFS" : "silence"
    let remark = part.nonFinite.isEmpty ? ", largest sample \(peak)" : nonFiniteRemark(part, "not drawn")
    return Figure(title("Waveform", [path]), subtitle: part.remark + remark, panels: panels)
  }

  private func tell(_ part: FilePart, _ consequence: String) {
    guard !part.nonFinite.isEmpty else { return }
    warn("\(part.info.path): \(part.nonFinite): \(consequence)")
  }

  private func nonFiniteRemark(_ part: FilePart, _ consequence: String) -> String {
    part.nonFinite.isEmpty
      ? "" : ", \(NumberText.count(part.nonFinite.count, "sample")) NaN or infinite: \(consequence)"
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
