import AudioCore
import Digests

/// The entry of one output in a journal.
package struct JournalEntry: Hashable, Sendable {
  package enum State: Hashable, Sendable {
    /// Somebody has begun to make it, and has not said how that ended: where no run is on, it was killed.
    case begun
    /// The file had this stamp and this content when it got its name.
    case made(FileStamp, content: Digest)
    case failed(BenchError)
  }

  /// The file, as the job names it.
  package var output: String
  /// The digest of everything that the output depends on.
  package var recipe: Digest
  package var state: State
  /// The number of times that it was begun by this recipe, 1 and more.
  package var attempts: Int
  /// The length of the sound.
  package var seconds: Double
  /// A text of JSON.
  package var report: String

  package init(
    output: String, recipe: Digest, state: State, attempts: Int = 1, seconds: Double = 0, report: String = ""
  ) {
    (self.output, self.recipe, self.state) = (output, recipe, state)
    (self.attempts, self.seconds, self.report) = (attempts, seconds, report)
  }
}

/// Entries as rows of the table `outputs`, in the order of its columns.
extension JournalEntry {
  /// With the seal.
  var row: [SQLValue] {
    var stamp: FileStamp?
    var content: Digest?
    var failure: BenchError?
    let number: Int64
    switch state {
    case .begun: number = 0
    case .made(let made, let digest): (number, stamp, content) = (1, made, digest)
    case .failed(let error): (number, failure) = (2, error)
    }
    func integer(_ value: Int64?) -> SQLValue { value.map(SQLValue.integer) ?? .null }
    func text(_ value: String?) -> SQLValue { value.map(SQLValue.text) ?? .null }
    return RowSeal.sealed([
      .bytes(ByteText.bytes(output)), .bytes(recipe.bytes), .integer(number), .integer(Int64(attempts)),
      // SQLite has no numbers that are none, and no zero below zero.
      .real(seconds.isFinite ? seconds + 0 : 0),
      integer(stamp?.size), integer(stamp?.modified), integer(stamp.map { Int64(bitPattern: $0.inode) }),
      integer(stamp.map { Int64(bitPattern: $0.device) }), content.map { .bytes($0.bytes) } ?? .null, .text(report),
      text(failure?.kind.rawValue), text(failure?.place), text(failure?.message), text(failure?.advice),
    ])
  }

  /// Nil for a row that is not as it was written.
  init?(row: [SQLValue]) {
    guard row.count == 16, RowSeal.isWhole(row), case .bytes(let output) = row[0], case .bytes(let recipe) = row[1],
      let recipe = Digest(bytes: recipe), case .integer(let number) = row[2], case .integer(let attempts) = row[3],
      case .real(let seconds) = row[4], case .text(let report) = row[10], let state = State(number, row)
    else { return nil }
    self.init(
      output: ByteText.string(output), recipe: recipe, state: state, attempts: Int(attempts), seconds: seconds,
      report: report)
  }
}

extension JournalEntry.State {
  fileprivate init?(_ number: Int64, _ row: [SQLValue]) {
    switch number {
    case 0: self = .begun
    case 1:
      guard case .integer(let size) = row[5], case .integer(let modified) = row[6], case .integer(let inode) = row[7],
        case .integer(let device) = row[8], case .bytes(let bytes) = row[9], let content = Digest(bytes: bytes)
      else { return nil }
      let stamp = FileStamp(
        size: size, modified: modified, inode: UInt64(bitPattern: inode), device: UInt64(bitPattern: device))
      self = .made(stamp, content: content)
    case 2:
      guard case .text(let name) = row[11], let kind = BenchError.Kind(rawValue: name), case .text(let place) = row[12],
        case .text(let message) = row[13]
      else { return nil }
      var advice: String?
      if case .text(let text) = row[14] { advice = text }
      self = .failed(BenchError(kind, at: place, message, advice: advice))
    default: return nil
    }
  }
}
