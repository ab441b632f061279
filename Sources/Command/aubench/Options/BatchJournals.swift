import AudioCore
import Batch
import Journal

/// The paths of a job's journals: its own, and those of shards until they are merged.
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

  /// `3/8`: shards of which the others have left journals.
  var missingShards: [String] {
    var known: [Int: Set<Int>] = [:]
    for path in ofShards {
      let words = FileName.stem(of: FileName.last(of: path)).split(separator: "-").suffix(3)
      guard let count = words.last.flatMap({ Int($0) }), let number = words.first.flatMap({ Int($0) }) else { continue }
      known[count, default: []].insert(number)
    }
    return known.sorted { $0.key < $1.key }.flatMap { count, numbers in
      count < 1 || count > BatchShard.most ? [] : (1...count).filter { !numbers.contains($0) }.map { "\($0)/\(count)" }
    }
  }

  /// The folder that submitted shards write into, until they have ended.
  var shardFolder: String { stem + ".shards" }

  static func open(_ path: String, _ job: BatchJob, for use: String? = nil) throws(BenchError) -> Journal {
    try Journal.opened(
      at: path, workFolder: FileSystem.environment("TMPDIR") ?? "/tmp", folder: job.folder,
      job: use ?? FileName.last(of: path))
  }
}
