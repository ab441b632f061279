import AudioCore
import Digests
import Glibc

extension Journal {
  /// The time that a file must have been left alone before its digest is kept, nanoseconds. The time stamps of a file
  /// that is changed twice within one tick of its file system's clock are the same, and some file systems' clocks tick
  /// every two seconds.
  private static let settling: Int64 = 2_000_000_000

  /// The digest of a file's contents. The file is read where it is not known already, from beginning to end in small
  /// pieces.
  ///
  /// A file is known by device, inode, size and the times of its last changes: that of its contents, and that of its
  /// inode, which no program can set back alone. It is read again if it was changed less than two seconds before it was
  /// read, and if the clock shows a time before that of its reading, and so was set back.
  /// - Throws: `.input` where it cannot be read or changes meanwhile; `.output` where the journal cannot be written.
  package func digest(ofFile path: String) throws(BenchError) -> Digest {
    if let known = try knownDigest(ofFile: path) { return known }
    for _ in 0..<3 {
      let began = clock()
      guard let (state, digest) = try Self.read(path) else { continue }
      if state.isSettled(at: began) {
        let row = RowSeal.sealed(state.columns + [.bytes(digest.bytes), .integer(began)])
        try tables.withLock { (tables) throws(BenchError) in try tables.writeInput.run(row) }
      }
      return digest
    }
    throw BenchError(.input, at: path, "changes while it is read", advice: "wait until it is whole")
  }

  /// The result of ``digest(ofFile:)`` without reading the file; nil if it would have to be read.
  package func knownDigest(ofFile path: String) throws(BenchError) -> Digest? {
    var status = stat()
    return FileSystem.status(path, &status) == 0 ? try knownDigest(InputState(status)) : nil
  }

  private func knownDigest(_ state: InputState) throws(BenchError) -> Digest? {
    let now = clock()
    return try tables.withLock { (tables) throws(BenchError) in
      guard let row = try tables.input.first(Array(state.columns.prefix(2))), row.count == 8, RowSeal.isWhole(row),
        case .bytes(let digest) = row[5], case .integer(let digested) = row[6]
      else { return nil }
      guard digested <= now else {
        // The clock was set back. Files may be changed now at times that they had before.
        try tables.removeInputs.run([.integer(now)])
        return nil
      }
      return Array(row.prefix(5)) == state.columns && state.isSettled(at: digested) ? Digest(bytes: digest) : nil
    }
  }

  /// Nil where the file changes meanwhile.
  private static func read(_ path: String) throws(BenchError) -> (InputState, Digest)? {
    do throws(FileSystem.ReadFailure) {
      var (before, after) = (stat(), stat())
      let descriptor = try FileSystem.openPlainFile(path, &before)
      defer { close(descriptor) }
      let digest = try Fingerprint.digest(ofDescriptor: descriptor)
      guard fstat(descriptor, &after) == 0 else { throw .system(errno) }
      return InputState(before) == InputState(after) ? (InputState(before), digest) : nil
    } catch {
      throw BenchError(.input, at: path, error.clause)
    }
  }

  /// The identity of an input file.
  struct InputState: Equatable {
    let stamp: FileStamp
    /// When anything about the file was changed last, as ``FileStamp/modified``.
    let changed: Int64

    init(stamp: FileStamp, changed: Int64) { (self.stamp, self.changed) = (stamp, changed) }

    init(_ status: stat) { self.init(stamp: FileStamp(status), changed: FileStamp.nanoseconds(status.st_ctim)) }

    /// The first columns of the table `inputs`.
    var columns: [SQLValue] {
      [
        .integer(Int64(bitPattern: stamp.device)), .integer(Int64(bitPattern: stamp.inode)), .integer(stamp.size),
        .integer(stamp.modified), .integer(changed),
      ]
    }

    /// True when a change after this time would show in the times of the file.
    func isSettled(at time: Int64) -> Bool { max(stamp.modified, changed) <= time &- Journal.settling }
  }
}
