import AudioCore
import TestSupport
import Testing

import Batch

@Suite("Shards of a batch")
struct BatchShardTests {
  private func job(_ names: [String], folder: String = "", isAlbum: Bool = false) throws -> BatchJob {
    var job = BatchJob(output: try NameTemplate(folder + "out/{folder}/{name}.wav", at: "here"))
    job.folder = folder
    job.sources = [
      (
        "",
        .files(
          names.map {
            BatchFile(path: folder + $0, folder: FileName.folderPrefix(of: $0).isEmpty ? "" : FileName.folder(of: $0))
          })
      )
    ]
    if isAlbum { job.finishing.loudness = Finishing.Loudness(targetLUFS: -16, limitDecibels: -1, isAlbum: true) }
    return job
  }

  private func outputs(_ job: BatchJob, _ shard: BatchShard? = nil) throws -> [String] {
    var job = job
    job.shard = shard
    return try BatchPlan(job, beside: OutputFiles()).tasks.map(\.name)
  }

  private func shards(_ job: BatchJob, _ count: Int) throws -> [[String]] {
    try (1...count).map { try outputs(job, BatchShard(number: $0, count: count)) }
  }

  private static let names = (0..<1000).map { "a\($0 % 7)/f\($0).wav" }

  @Test(arguments: [1, 2, 3, 8, 100])
  func togetherAreTheWholeAndHaveNothingInCommon(count: Int) throws {
    let job = try job(Self.names)
    let parts = try shards(job, count)
    #expect(try parts.flatMap { $0 }.sorted() == outputs(job).sorted())
    // Within four standard deviations of even shares.
    let share = Double(Self.names.count) / Double(count)
    for part in parts { #expect(abs(Double(part.count) - share) < 4 * share.squareRoot() + 1) }
  }

  @Test func keepTheirOutputsWhenInputsComeAndGo() throws {
    let all = try shards(job(Self.names), 8)
    let some = try shards(job(Self.names.enumerated().filter { $0.offset % 3 != 0 }.map(\.element)), 8)
    for (some, all) in zip(some, all) { #expect(Set(some).isSubset(of: all)) }
  }

  @Test func areTheSameFromWhicheverFolderAJobIsRun() throws {
    let here = try shards(job(Self.names), 8)
    let elsewhere = try shards(job(Self.names, folder: "/jobs/b/"), 8)
    #expect(elsewhere.map { $0.map { String($0.dropFirst("/jobs/b/".count)) } } == here)
  }

  @Test func haveAlbumsAsAWhole() throws {
    for folder in ["", "/jobs/"] {
      for part in try shards(job(Self.names, folder: folder, isAlbum: true), 4) {
        for album in Set(part.map(FileName.folder(of:))) {
          #expect(
            part.count { FileName.folder(of: $0) == album }
              == Self.names.count { "\(folder)out/\($0)".hasPrefix("\(album)/") })
        }
      }
    }
  }

  @Test(arguments: ["", "3", "0/4", "5/4", "1/0", "-1/4", "1/4/2", "a/b", "1/100001", "1/99999999999999999999"])
  func areNot(text: String) { #expect(BatchShard(text) == nil) }
}
