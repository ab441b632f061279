import AudioCore
import Glibc
import Journal
import Synchronization
import TestSupport
import Testing

import Batch

@Suite("Many outputs side by side")
struct BatchRunTests {
  private let folder = TemporaryFolder()

  /// Counts the calls of a run.
  private final class Counter: BatchRun.Observer {
    let ended = Atomic(0)
    let again = Atomic(0)
    func began(_ step: BatchRun.Step, _ task: BatchTask) {}
    func advanced(_ step: BatchRun.Step, share: Double?) {}
    func ended(_ step: BatchRun.Step, _ task: BatchTask, _ outcome: BatchRun.Outcome, isFinal: Bool) {
      if isFinal { ended.add(1, ordering: .relaxed) } else { again.add(1, ordering: .relaxed) }
    }
  }

  /// Conversions of so many files; those whose number ends with 3 are no sound files.
  private func job(_ count: Int, change: (inout BatchJob) -> Void = { _ in }) throws -> (BatchJob, BatchPlan) {
    var job = BatchJob(output: try NameTemplate(folder.path + "/out/{name}.wav", at: "here"))
    var files: [BatchFile] = []
    for index in 0..<count {
      let name = "in/\(index).wav"
      if !folder.exists(name) {
        _ = FileSystem.makeFolders(folder.file("in"))
        if "\(index)".hasSuffix("3") {
          folder.write("no sound", to: name)
        } else {
          try SoundFixture.noise(frames: 100 + index, to: folder.file(name))
        }
      }
      files.append(BatchFile(path: folder.file(name)))
    }
    job.sources = [("", .files(files))]
    change(&job)
    return (job, try BatchPlan(job, beside: OutputFiles()))
  }

  private func run(
    _ job: (BatchJob, BatchPlan), threads: Int = 2, journal: Journal? = nil, endsAtFailure: Bool = false,
    counter: Counter = Counter()
  ) throws -> [BatchRun.Outcome] {
    var options = BatchRun.Options()
    (options.threads, options.journal, options.endsAtFailure) = (threads, journal, endsAtFailure)
    return try BatchRun(job.1, job.0, options: options, observer: counter).run()
  }

  private func names(_ outcomes: [BatchRun.Outcome]) -> [String: Int] {
    var count: [String: Int] = [:]
    for outcome in outcomes {
      switch outcome {
      case .made: count["made", default: 0] += 1
      case .failed: count["failed", default: 0] += 1
      case .present: count["present", default: 0] += 1
      case .current: count["current", default: 0] += 1
      case .left: count["left", default: 0] += 1
      }
    }
    return count
  }

  @Test(arguments: [1, 2, 7]) func oneThatFailsLeavesTheOthers(_ threads: Int) throws {
    let counter = Counter()
    #expect(names(try run(try job(40), threads: threads, counter: counter)) == ["made": 36, "failed": 4])
    #expect(counter.ended.load(ordering: .relaxed) == 40)
    for index in 0..<40 {
      #expect(folder.exists("out/\(index).wav") == !"\(index)".hasSuffix("3"))
      guard folder.exists("out/\(index).wav") else { continue }
      #expect(try folder.bytes("out/\(index).wav") == folder.bytes("in/\(index).wav"))
    }
  }

  @Test func theFirstFailureMayBeTheLast() throws {
    let names = names(try run(try job(40), threads: 1, endsAtFailure: true))
    #expect(names["failed"] == 1 && (names["left"] ?? 0) > 0)
  }

  @Test func whatIsThereMayStay() throws {
    _ = FileSystem.makeFolders(folder.file("out"))
    folder.write("mine", to: "out/1.wav")
    #expect(names(try run(try job(3) { $0.replaces = false })) == ["made": 2, "present": 1])
    #expect(try folder.bytes("out/1.wav") == Array("mine".utf8))
  }

  @Test func whatFailedIsTriedAgainAtTheEnd() throws {
    let counter = Counter()
    #expect(names(try run(try job(5) { $0.retries = 2 }, counter: counter)) == ["made": 4, "failed": 1])
    #expect(counter.again.load(ordering: .relaxed) == 2)
  }

  @Test func anOutputFolderThatCannotBeMadeFailsItsTasks() throws {
    folder.write("", to: "out")
    #expect(names(try run(try job(2))) == ["failed": 2])
  }

  @Test func aSecondRunMakesOnlyWhatHasChanged() throws {
    let journal = try Journal(path: folder.file("journal"))
    #expect(names(try run(try job(10), journal: journal)) == ["made": 9, "failed": 1])
    #expect(names(try run(try job(10), journal: journal)) == ["current": 9, "failed": 1])
    // An input with another content, an output that is gone, and one that somebody has changed.
    try SoundFixture.noise(frames: 77, to: folder.file("in/2.wav"))
    FileSystem.unlink(folder.file("out/4.wav"))
    folder.write("changed", to: "out/5.wav")
    #expect(names(try run(try job(10), journal: journal)) == ["current": 6, "made": 3, "failed": 1])
    #expect(try folder.bytes("out/5.wav") == folder.bytes("in/5.wav"))
    #expect(names(try run(try job(10) { $0.conversion.channelCount = 2 }, journal: journal))["made"] == 9)
  }

  @Test func whatNobodyHasChangedIsReportedAgain() throws {
    let journal = try Journal(path: folder.file("journal"))
    let first = try run(try job(1) { $0.finishing.measuresLoudness = true }, journal: journal)
    let second = try run(try job(1) { $0.finishing.measuresLoudness = true }, journal: journal)
    guard case .made(let made) = first[0], case .current(let current) = second[0] else {
      Issue.record("\(first) \(second)")
      return
    }
    #expect(made == current)
  }

  /// BS.1770: a stereo sine of 997 Hz at −20 dBFS reads −20 LUFS; its peak lies at −20 dBFS.
  @Test(arguments: [(-23.0, -3.0, 0.0), (-10, 10, 0), (0.0, 19, 1.0)])
  func loudnessIsSetUpToTheTruePeak(_ target: Double, _ gain: Double, _ shortfall: Double) throws {
    _ = FileSystem.makeFolders(folder.file("in"))
    try SoundFixture.sine(0.1, to: folder.file("in/0.wav"))
    let outcomes = try run(try job(1) { $0.finishing.loudness = Finishing.Loudness(targetLUFS: target) })
    guard case .made(let reports) = outcomes[0], let report = reports.first else {
      Issue.record("\(outcomes)")
      return
    }
    #expect(abs((report.gainDecibels ?? 99) - gain) < 0.06, "\(report)")
    #expect(abs((report.shortfallDecibels ?? 99) - shortfall) < 0.06)
    #expect(abs((report.loudnessLUFS ?? 99) - (target - shortfall)) < 0.01)
    #expect(abs((report.peakDecibels[0] ?? 99) - (gain - 20)) < 0.06)
  }

  /// EBU R 128 has a loudness of blocks of 400 ms above −70 LUFS, and no other.
  @Test(arguments: [
    (19_199, 0.1, "it is shorter than 400 ms"), (96_000, 1e-5, "all of it is below the gate of -70 LUFS"),
  ])
  func whatHasNoLoudnessStaysAsItIsAndSaysSo(_ frames: Int, _ level: Double, _ reason: String) throws {
    _ = FileSystem.makeFolders(folder.file("in"))
    try SoundFixture.sine(level, frames: frames, to: folder.file("in/0.wav"))
    let before = try SoundFixture.read(folder.file("in/0.wav"))
    for isAlbum in [false, true] {
      let outcomes = try run(
        try job(1) { $0.finishing.loudness = Finishing.Loudness(targetLUFS: -16, isAlbum: isAlbum) })
      guard case .made(let reports) = outcomes[0], let report = reports.first else {
        Issue.record("\(outcomes)")
        return
      }
      #expect(report.gainDecibels == 0 && report.shortfallDecibels == nil && report.loudnessLUFS == nil)
      let expected = isAlbum ? "no sound of its album is above the gate of -70 LUFS for 400 ms" : reason
      #expect(report.notNormalized == expected)
      #expect(report.warnings.contains { $0.contains("its loudness was not set: \(expected)") }, "\(report.warnings)")
      #expect(try SoundFixture.read(folder.file("out/0.wav")) == before)
    }
  }

  /// No report, whatever is in it, ends the program.
  @Test func aReportWithoutFiniteFiguresCanBeWritten() throws {
    guard case .made(let reports) = try run(try job(1))[0], var report = reports.first else {
      Issue.record("nothing was made")
      return
    }
    report.peakDecibels = [.nan, -3, nil]
    (report.loudnessLUFS, report.truePeakDecibels, report.gainDecibels) = (.nan, .infinity, -.infinity)
    report.shortfallDecibels = .nan
    let kept = try #require(TaskReport(text: report.text))
    #expect(kept.peakDecibels == [nil, -3, nil] && kept.loudnessLUFS == nil && kept.truePeakDecibels == nil)
    #expect(kept.gainDecibels == nil && kept.shortfallDecibels == nil)
  }

  @Test func silenceAtTheEndsIsCutAndTheRestFaded() throws {
    let sound =
      [Float](repeating: 0, count: 1000) + [Float](repeating: 0.5, count: 4000) + [Float](repeating: 0, count: 500)
    _ = FileSystem.makeFolders(folder.file("in"))
    try SoundFixture.write([sound], rate: 1000, to: folder.file("in/0.wav"))
    let outcomes = try run(
      try job(1) { job in
        job.finishing.trim = Finishing.Trim(keptSeconds: 0.1)
        (job.finishing.fadeInSeconds, job.finishing.fadeOutSeconds) = (0.2, 0.3)
      })
    guard case .made(let reports) = outcomes[0] else {
      Issue.record("\(outcomes)")
      return
    }
    #expect(reports[0].frames == 4200 && reports[0].trimmedFrames == [900, 400])
    let made = try SoundFixture.read(folder.file("out/0.wav"))
    // Half a period of a cosine over 200 frames, of which the first 100 are silent.
    #expect(made[..<100].allSatisfy { $0 == 0 } && made[4199] == 0 && made[2000] == 0.5)
    for frame in 100..<200 {
      let weight = 0.5 - 0.5 * cos(Double.pi * (Double(frame) + 0.5) / 200)
      #expect(abs(Double(made[frame]) - 0.5 * weight) < 1e-6)
    }
    for frame in 3900..<4100 {
      let weight = 0.5 - 0.5 * cos(Double.pi * (Double(4199 - frame) + 0.5) / 300)
      #expect(abs(Double(made[frame]) - 0.5 * weight) < 1e-6)
    }
  }

  @Test func piecesTogetherAreTheWhole() throws {
    let sound = (0..<5000).map { Float($0) / 5000 }
    _ = FileSystem.makeFolders(folder.file("in"))
    try SoundFixture.write([sound], rate: 1000, to: folder.file("in/0.wav"))
    folder.write("start,title\n0,a\n1.234,b\n4,c\n", to: "in/0.csv")
    let outcomes = try run(
      try job(1) { job in
        job.split = try? NameTemplate("{path}.csv", at: "here")
        if let output = try? NameTemplate(folder.path + "/out/{title}.wav", at: "here") { job.output = output }
      })
    #expect(names(outcomes) == ["made": 1])
    let pieces = try ["a", "b", "c"].map { try SoundFixture.read(folder.file("out/\($0).wav")) }
    #expect(pieces.map(\.count) == [1234, 2766, 1000])
    #expect(pieces.flatMap { $0 } == sound)
  }

  @Test func stemsAreAddedFrameByFrame() throws {
    _ = FileSystem.makeFolders(folder.file("in"))
    let stems: [[Float]] = [[0.25, 0.5, -0.25], [0.125, -0.5], [0.0625, 0.25, 0.5, 0.75]]
    for (index, stem) in stems.enumerated() {
      try SoundFixture.write([stem], rate: 8000, to: folder.file("in/song-\(index).wav"))
    }
    var job = BatchJob(output: try NameTemplate(folder.path + "/out/{song}.wav", at: "here"))
    job.summedPlace = "stem"
    try job.addSource("", ["in/{song}-{stem}.wav"], folder: folder.path + "/")
    #expect(names(try run((job, try BatchPlan(job, beside: OutputFiles())))) == ["made": 1])
    #expect(try SoundFixture.read(folder.file("out/song.wav")) == [0.4375, 0.25, 0.25, 0.75])
  }

  @Test func allOfAnAlbumGetsOneGain() throws {
    _ = FileSystem.makeFolders(folder.file("in"))
    for (index, level) in [0.1, 0.05].enumerated() {
      try SoundFixture.sine(level, to: folder.file("in/\(index).wav"))
    }
    let journal = try Journal(path: folder.file("journal"))
    func gains() throws -> [Double] {
      try run(
        try job(2) { $0.finishing.loudness = Finishing.Loudness(targetLUFS: -30, isAlbum: true) }, threads: 2,
        journal: journal
      ).compactMap { outcome in
        switch outcome {
        case .made(let reports), .current(let reports): reports[0].gainDecibels
        case .failed, .present, .left: nil
        }
      }
    }
    // The mean of both powers: 10 log10((1 + 1/4) / 2) = −2.04 dB below the louder one.
    let first = try gains()
    #expect(first.count == 2 && first[0] == first[1] && abs(first[0] - (-10 + 2.04)) < 0.1, "\(first)")
    // One that is made again alone gets the gain of all.
    let made = try folder.bytes("out/1.wav")
    FileSystem.unlink(folder.file("out/1.wav"))
    #expect(try gains() == first)
    #expect(try folder.bytes("out/1.wav") == made)
  }
}
