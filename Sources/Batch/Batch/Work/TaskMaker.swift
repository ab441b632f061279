import AudioCore
import BatchRender
import Loudness
import SoundFile
import Tags

/// Makes the outputs of single tasks of a job. Several threads may make tasks of one job at once.
package final class TaskMaker: @unchecked Sendable {
  let job: BatchJob
  /// The workers that render graphs with third-party units; nil: this process renders them.
  private let workers: RenderWorkers?
  private let graphsOfWorkers: Set<String>
  /// Those of this package's own units alone are used again.
  let graphsOfOwnUnits: Set<String>
  private let graphs = GraphStore()

  /// - Parameter workers: the workers that render graphs with third-party units; nil: this process renders them.
  package init(_ job: BatchJob, workers: RenderWorkers? = nil) {
    (self.job, self.workers) = (job, workers)
    graphsOfOwnUnits = Set(job.graphs.filter { job.otherUnits(inGraph: $0).isEmpty })
    graphsOfWorkers = workers == nil ? [] : Set(job.graphs).subtracting(graphsOfOwnUnits)
  }

  /// Makes the outputs of a task; they wait in `outputs` for their names. Answers a report for each.
  /// - Parameters:
  ///   - threads: the number of threads that the task may have, 1 and more.
  ///   - album: the gain of an album, in place of the sound's own.
  ///   - share: called some times a second with what is done of it, 0 to 1; nil where that is not known.
  package func make(
    _ task: BatchTask, outputs: OutputFiles, threads: Int,
    album: Finishing.Loudness.Gain? = nil, share: @escaping (Double?) -> Void = { _ in }
  ) throws(BenchError) -> [TaskReport] {
    try makeFolders(task)
    let run = TaskRun(job: job, task: task, threads: threads, graphs: store(for: task), share: share)
    var writing = job.conversion.writer
    writing.outputs = outputs
    guard isMadeInOnePass(task), workers(for: task) == nil else {
      return try finish(run, writing, album)
    }
    let path = task.outputs[0].path
    let tags = try changes(task, task.outputs[0])
    let sound = try run.make { (format, frames, kept, input) throws(BenchError) -> any AudioSink in
      try sink(path, format, frames: frames, tags.applied(to: kept), input, writing)
    }
    guard let file = sound.file else { preconditionFailure("it was written into a file") }
    return [
      TaskReport(
        file, sampleRate: sound.format.sampleRate, channels: sound.format.channelCount,
        peakDecibels: sound.peakDecibels, nonFinite: sound.nonFinite, warnings: sound.warnings)
    ]
  }

  func isMadeInOnePass(_ task: BatchTask) -> Bool { job.finishing.isNothing && task.cuePath == nil }

  private func store(for task: BatchTask) -> GraphStore? {
    task.graph.map(graphsOfOwnUnits.contains) ?? false ? graphs : nil
  }

  private func workers(for task: BatchTask) -> RenderWorkers? {
    task.graph.map(graphsOfWorkers.contains) ?? false ? workers : nil
  }

  /// Loudness and true peak of what a task makes, finished but for its gain: for albums.
  package func meter(_ task: BatchTask, threads: Int) throws(BenchError) -> LoudnessMeter {
    try makeFolders(task)
    let run = TaskRun(job: job, task: task, threads: threads, graphs: store(for: task), share: { _ in })
    let (pass, _, sound) = try pass(run)
    return try pass.meter(sound.tags.layout, at: task.place)
  }

  private func makeFolders(_ task: BatchTask) throws(BenchError) {
    for output in task.outputs { try AtomicFile.makeFolder(of: output.path) }
  }

  /// Renders or converts into a spool.
  private func pass(_ run: TaskRun) throws(BenchError) -> (FinishingPass, SoundSpool, TaskRun.Sound) {
    var spool: SoundSpool?
    if let workers = workers(for: run.task) {
      let (sound, spool) = try workers.render(run)
      return (FinishingPass(job.finishing, spool), spool, sound)
    }
    let path = run.task.outputs[0].path
    let sound = try run.make { (format, _, _, _) throws(BenchError) -> any AudioSink in
      let made = try SoundSpool(
        beside: path, format, thresholdDecibels: job.finishing.trim?.thresholdDecibels)
      spool = made
      return made
    }
    guard let spool else { preconditionFailure("a sound goes into the sink that was made for it") }
    return (FinishingPass(job.finishing, spool), spool, sound)
  }

  /// A sound in its spool, with its loudness and the gain that it gets.
  private struct Finished {
    let pass: FinishingPass
    let spool: SoundSpool
    let sound: TaskRun.Sound
    let level: Finishing.Loudness.Gain
    /// Nil when the job needs none, and when samples are not finite.
    let readings: LoudnessReadings?
  }

  /// An output that is complete, and has no name yet.
  private struct Written {
    let sink: SoundFileSink
    var report: TaskReport
    /// Nil where they were not measured.
    var levels: OutputLevels?
  }

  private func finish(
    _ run: TaskRun, _ writing: SoundFileWriterOptions, _ album: Finishing.Loudness.Gain?
  ) throws(BenchError) -> [TaskReport] {
    let (pass, spool, sound) = try pass(run)
    let (readings, level) = try loudness(pass, spool.format, sound.tags.layout, at: run.task.place)
    let finished = Finished(pass: pass, spool: spool, sound: sound, level: album ?? level, readings: readings)
    var search: LevelSearch?
    if let loudness = job.finishing.loudness, let readings, finished.level.refusal == nil {
      search = LevelSearch(
        loudness, gainDecibels: finished.level.decibels, peakDecibels: readings.maximumTruePeakDecibels,
        isPiece: run.task.cuePath != nil)
    }
    while true {
      let setting = search?.setting ?? LevelSetting(gainDecibels: finished.level.decibels)
      var written: [Written] = []
      for output in run.task.outputs { written.append(try write(output, of: run.task, finished, setting, writing)) }
      if search?.goesOn(after: written.compactMap(\.levels)) ?? false {
        for output in written { output.sink.discard() }
        continue
      }
      for index in written.indices {
        if let search { note(search, finished, in: &written[index]) }
        try written[index].sink.publish()
      }
      return written.map(\.report)
    }
  }

  /// Measures the loudness of the frames that are kept and the gain to the job's target, if the job needs them.
  private func loudness(
    _ pass: FinishingPass, _ format: StreamFormat, _ layout: ChannelLayout?, at input: String
  ) throws(BenchError) -> (LoudnessReadings?, Finishing.Loudness.Gain) {
    guard job.finishing.loudness != nil || job.finishing.measuresLoudness else { return (nil, .init()) }
    let meter = try pass.meter(layout, at: input)
    let found = meter.finish()
    let level = job.finishing.loudness?.gain(
      loudnessLUFS: found.integratedLUFS, truePeakDecibels: found.maximumTruePeakDecibels,
      frames: Int64(pass.kept.count), sampleRate: format.sampleRate, nonFinite: !meter.isFinite)
    return (meter.isFinite ? found : nil, level ?? .init())
  }

  private func write(
    _ output: BatchTask.Output, of task: BatchTask, _ finished: Finished, _ setting: LevelSetting,
    _ writing: SoundFileWriterOptions
  ) throws(BenchError) -> Written {
    let (pass, sound, format) = (finished.pass, finished.sound, finished.spool.format)
    let range = try range(
      of: output, kept: pass.kept, frames: finished.spool.frames, rate: format.sampleRate, task.place)
    if pass.kept.isEmpty { try checkSilence(output.path, task.place) }
    var tags = try changes(task, output).applied(to: isMadeInOnePass(task) ? sound.tags : sound.tags.ofAnotherSound)
    tags.extras = tags.extras.cut(to: range, of: finished.spool.frames)
    let sink = try sink(output.path, format, frames: Int64(range.count), tags, sound.input, writing)
    var peaks = SamplePeaks(channelCount: format.channelCount)
    // A piece at its gain, and without its neighbours; what comes out of the limiter.
    let measures = finished.readings != nil && (output.cut != nil || setting.ceilingDecibels != nil)
    let meter = measures ? try BlockMeter(format, tags.layout, at: output.path) : nil
    do throws(BenchError) {
      if setting == LevelSetting(gainDecibels: 0), pass.isUnfaded { sink.exactBits = finished.spool.exactBits }
      let reduction = try give(range, of: finished, setting) { (planes, offset, frames) throws(BenchError) in
        peaks.measure(planes, offset: offset, frames: frames)
        meter?.add(planes, offset: offset, frames: frames)
        try sink.write(planes, offset: offset, frames: frames)
      }
      guard let file = try sink.end() else { preconditionFailure("a sound file has a report") }
      var report = TaskReport(
        file, sampleRate: format.sampleRate, channels: format.channelCount,
        peakDecibels: file.inFileOrder(peaks.decibels),
        nonFinite: peaks.nonFinite,
        warnings: sound.warnings + file.layoutWarning + file.clippingWarning(channelCount: format.channelCount))
      if sound.nonFinite.isEmpty, !peaks.nonFinite.isEmpty {
        report.warnings.append(peaks.nonFinite.warning(at: output.path, file: file) + "; they came of the gain")
      }
      if let reduction, reduction.decibels > 0.05 {
        report.limitedDecibels = reduction.decibels
        // The limiter also counts what it hears in front of the output.
        report.limitedShare = min(1, Double(reduction.frames) / Double(max(1, range.count)))
      }
      noteGain(of: finished, output, in: &report)
      noteTrim(of: finished, output, in: &report)
      if let warning = pass.fadeWarning { report.warnings.append("\(output.path): \(warning)") }
      let before = finished.readings.map { readings in
        meter.map { OutputLevels($0.meter.finish()) } ?? OutputLevels(readings, gainDecibels: setting.gainDecibels)
      }
      let levels = try before.map { levels throws(BenchError) in
        try self.levels(of: sink, file, before: levels, isDithered: writing.ditherSeed != nil, tags.layout, &report)
      }
      if let levels {
        report.loudnessLUFS = levels.loudnessLUFS.flatMap { $0.isFinite ? $0 : nil }
        report.truePeakDecibels = levels.truePeakDecibels.isFinite ? levels.truePeakDecibels : nil
      }
      return Written(sink: sink, report: report, levels: levels)
    } catch {
      sink.discard()
      throw error
    }
  }

  /// Hands on the frames of an output: at its gain, and behind the limiter where there is one.
  private func give(
    _ range: Range<Int64>, of finished: Finished, _ setting: LevelSetting,
    _ take: @escaping (FloatPlanes, _ offset: Int, _ frames: Int) throws(BenchError) -> Void
  ) throws(BenchError) -> LimiterPass.Reduction? {
    let (pass, format) = (finished.pass, finished.spool.format)
    let gain = Float(Decibels.amplitude(setting.gainDecibels))
    guard let ceiling = setting.ceilingDecibels else {
      try pass.forEachBlock(of: range, gain: gain, take)
      return nil
    }
    // Pieces of one sound join: the limiter hears what lies before each, and what comes behind it.
    let run = Int64(clamping: format.sampleRate.rounded())
    let start = max(pass.kept.lowerBound, range.lowerBound - run)
    var skipped = range.lowerBound - start
    return try LimiterPass.run(
      format, frames: range.upperBound - start, available: pass.kept.upperBound - start, ceilingDecibels: ceiling,
      read: { (first, count, planes, offset) throws(BenchError) in
        try pass.read(start + first, count, gain: gain, into: planes, offset: offset)
      }
    ) { (planes, offset, frames) throws(BenchError) in
      let left = Int(min(skipped, Int64(frames)))
      skipped -= Int64(left)
      if left < frames { try take(planes, offset + left, frames - left) }
    }
  }

  /// The levels of an output as it is read back, where its encoding changes them.
  private func levels(
    of sink: SoundFileSink, _ file: SoundFileWriteReport, before: OutputLevels, isDithered: Bool,
    _ layout: ChannelLayout?, _ report: inout TaskReport
  ) throws(BenchError) -> OutputLevels {
    guard
      file.frames > 0,
      file.changesLevels(
        peakDecibels: before.truePeakDecibels, limitDecibels: job.finishing.loudness?.limitDecibels,
        isDithered: isDithered)
    else { return before }
    do throws(BenchError) {
      return try OutputLevels(ofFile: sink.descriptor, at: file.path, layout)
    } catch {
      report.warnings.append(
        "\(file.path): loudness and true peak are those in front of its encoding: it cannot be read back")
      return before
    }
  }

  private func noteGain(of finished: Finished, _ output: BatchTask.Output, in report: inout TaskReport) {
    guard job.finishing.loudness != nil else { return }
    report.gainDecibels = finished.level.decibels
    report.shortfallDecibels = finished.level.shortfallDecibels
    report.notNormalized = finished.level.refusal
    guard let refusal = finished.level.refusal else { return }
    report.warnings.append(
      "\(output.path): its loudness was not set: \(refusal), so it has none, and stays at its level")
  }

  /// Reports what came of a search: the gain, and what is missing.
  private func note(_ search: LevelSearch, _ finished: Finished, in written: inout Written) {
    guard let loudness = job.finishing.loudness else { return }
    let path = written.sink.path
    written.report.gainDecibels = search.setting.gainDecibels
    written.report.passes = search.passes > 1 ? search.passes : nil
    func warn(_ text: String) { written.report.warnings.append("\(path): \(text)") }
    if let excess = written.levels?.excess(over: loudness.limitDecibels) {
      written.report.excessDecibels = excess
      warn("its true peak is \(NumberText.fixed(excess, 2)) dB above the limit, as its encoding makes it")
    }
    guard search.aimsAtLoudness, let found = written.levels?.loudnessLUFS else {
      // An album or a piece: what the gain of the whole is short of.
      if let shortfall = finished.level.shortfallDecibels, shortfall > 0.05 { warn(shortfallText(shortfall)) }
      return
    }
    let missing = loudness.targetLUFS - found
    // In front of an encoding that changes nothing it is known exactly.
    let known = finished.level.shortfallDecibels ?? 0
    let shortfall = abs(missing - known) < 1e-6 ? known : missing > LevelSearch.loudnessError ? missing : 0
    written.report.shortfallDecibels = shortfall
    if shortfall > 0.05 { warn(shortfallText(shortfall)) }
    if missing < -LevelSearch.loudnessError { warn("\(NumberText.fixed(-missing, 1)) LU above the target") }
  }

  private func shortfallText(_ shortfall: Double) -> String {
    let isLimited = job.finishing.loudness?.limits ?? false
    return "\(NumberText.fixed(shortfall, 1)) LU below the target: its true peak is at the limit"
      + (isLimited ? "" : "; --limit turns peaks down")
  }

  private func noteTrim(of finished: Finished, _ output: BatchTask.Output, in report: inout TaskReport) {
    guard job.finishing.trim != nil else { return }
    let kept = finished.pass.kept
    report.trimmedFrames = [kept.lowerBound, finished.spool.frames - kept.upperBound]
    if kept.isEmpty { report.warnings.append("\(output.path): all of it is silence: the file has no frames") }
  }

  /// - Throws: `.output` where a file of this kind needs a frame, and none is left: see ``SoundFileFormat/mayBeEmpty``.
  private func checkSilence(_ path: String, _ input: String) throws(BenchError) {
    guard let trim = job.finishing.trim else { return }
    let format = try job.format.format(of: path)
    guard !format.mayBeEmpty else { return }
    throw BenchError(
      .output, at: path,
      "all of \(input) is below \(NumberText.short(trim.thresholdDecibels)) dBFS: nothing is left of it, and a "
        + "\(format.container.rawValue) file has a frame at least",
      advice: "trim below a lower level, or write WAV, AIFF or CAF, which may be empty")
  }

  /// The frames of a sound that an output is made of.
  func range(
    of output: BatchTask.Output, kept: Range<Int64>, frames length: Int64, rate: Double, _ input: String
  ) throws(BenchError) -> Range<Int64> {
    guard let cut = output.cut else { return kept }
    let start = FrameCount.from(seconds: cut.start, sampleRate: rate) ?? .max
    let end = cut.end.map { FrameCount.from(seconds: $0, sampleRate: rate) ?? .max } ?? length
    guard start < length, end <= length else {
      throw BenchError(
        .input, at: output.path,
        "the piece from \(NumberText.short(cut.start)) s on is not all in \(input), which has "
          + "\(NumberText.short(Double(length) / rate)) s")
    }
    return start..<end
  }

  private func sink(
    _ path: String, _ format: StreamFormat, frames: Int64?, _ tags: SoundTags, _ input: SoundFileInfo?,
    _ options: SoundFileWriterOptions
  ) throws(BenchError) -> SoundFileSink {
    try SoundFileSink(
      path, try written(path, like: input), format, frames: frames, tags: tags, options: options)
  }

  /// The format in which an output is written.
  func written(_ path: String, like input: SoundFileInfo?) throws(BenchError) -> SoundFileFormat {
    let wanted = try job.format.format(of: path)
    guard job.format.encoding == nil, let input else { return wanted }
    return FileConversion.format(in: wanted.container, like: input)
  }

  /// The tags of an output that replace those of its inputs.
  func changes(_ task: BatchTask, _ output: BatchTask.Output) throws(BenchError) -> TagChanges {
    var changes = task.graph == nil ? job.conversion.tags : job.render.tags
    for (name, text) in output.tags { changes[name] = text }
    if let cover = task.coverPath { changes.cover = .replaced(try TagPicture(frontCover: cover)) }
    return changes
  }
}

extension TaskReport {
  init(
    _ file: SoundFileWriteReport, sampleRate: Double, channels: Int, peakDecibels: [Double],
    nonFinite: NonFiniteSamples, warnings: [String]
  ) {
    self.init(
      frames: file.frames, sampleRate: sampleRate, channels: channels, layout: file.layout?.shown,
      bytes: file.bytes,
      format: "\(SoundFileFormat(container: file.container, encoding: file.encoding))",
      dropped: file.allDropped.isEmpty ? nil : file.allDropped,
      peakDecibels: peakDecibels.map { $0.isFinite ? $0 : nil }, clippedSamples: file.clippedSamples,
      nonFinite: nonFinite.isEmpty ? nil : nonFinite, warnings: warnings)
  }
}
