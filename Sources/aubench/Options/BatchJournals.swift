import AudioCore
import Batch
import Journal

/// Where the journals of a job lie: its own, and those of shards until they are merged.
struct BatchJournals {
  /// The job file without its ending.
  private let stem: String

  init(ofJob job: String) { stem = FileName.stem(of: job) }

  var path: String { stem + ".journal" }

  func path(_ shard: BatchShard) -> String { "\(stem).shard-\(shard.number)-of-\(shard.count).journal" }

  /// Those of shards that are there.
  var ofShards: [String] {
    let start = FileName.last(of: stem) + ".shard-"
    return (FileSystem.names(in: FileName.folder(of: stem)) ?? []).filter { name in
      name.utf8.starts(with: start.utf8) && name.hasSuffix(".journal")
    }.sorted().map { FileName.folderPrefix(of: stem) + $0 }
  }

  /// What submitted shards write into, until they have ended.
  var shardFolder: String { stem + ".shards" }

  static func open(_ path: String, _ job: BatchJob, for use: String? = nil) throws(BenchError) -> Journal {
    try Journal.opened(
      at: path, workFolder: FileSystem.environment("TMPDIR") ?? "/tmp", folder: job.folder,
      job: use ?? FileName.last(of: path))
  }
}
