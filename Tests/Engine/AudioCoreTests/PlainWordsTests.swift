import TestSupport
import Testing

/// Comments, pages and messages are for a developer who reads them once. These phrases stood in them, and are not to
/// come back.
@Suite("Words are plain")
struct PlainWordsTests {
  /// The phrase that was written, and a plain one.
  private static let phrases: [(phrase: String, plain: String)] = [
    ("its mend", "how to fix it"), ("the mend", "how to fix it"), ("who can mend", "what has to be fixed"),
    ("letters to cells", "edits are queued and applied at the next slice"),
    ("letters on their way", "edits that wait to be applied"),
    ("travel home", "old values are freed on the edit thread"),
    ("way home", "the queue of what is to be freed"), ("goes home", "is returned to be freed"),
    ("come home", "is out of use"), ("home again", "is returned to be freed"),
    ("what only c can", "CPU and OS functions that Swift has no name for"),
    ("only c and c++ can", "calls that may throw C++ exceptions"), ("last words of", "a crash is reported"),
    ("what is told of", "the same as channel 0, reported once"), ("a small wrong", "a small injected error"),
    ("what it is worth", "has an uncertainty or a floor"), ("what that is worth", "has an uncertainty or a floor"),
    ("what each is worth", "what each does"), ("figures are worth", "have an uncertainty"),
    ("made by others", "third-party"), ("packages of others", "third-party packages"), ("strangers", "third-party"),
    ("map of the house", "the targets in layers"), ("the house", "the targets"), ("its one job", "what it is for"),
    ("fact has its home", "where each thing is defined"), ("only address of", "the only target that calls it"),
    ("one address", "the only file that does it"), ("nobody's business", "is not quoted"),
    ("somebody else's", "the caller's, or third-party"), ("a wish about", "a request that is ignored"),
    ("nobody takes", "cannot be passed on"), ("cannot be told how to", "has no setting for it"),
    ("the long way must be gone", "name the function that is used instead"),
    ("no selector minds", "name the characters"),
    ("nobody is left to be told", "is lost"), ("takes tickets", "queues entries"), ("who asks", "the caller"),
  ]

  /// Former names of types and fields, and the present ones.
  private static let names: [(former: String, present: String)] = [
    ("Worth", "Uncertainty"), ("TicketTray", "ParcelQueue"), ("RegionTicket", "ScheduledRegionEntry"),
    ("Cut", "RenderPartition"), ("CutDevice", "PartitionableDevice"), ("canBeCut", "canBePartitioned"),
    ("standardCut", "standardPartition"), ("Bed", "WorkerSlot"), ("GraphCycle", "RenderCycleObserver"),
    ("RenderLetter", "QueuedEdit"), ("Complaint", "ParseError"), ("LentGraph", "BorrowedGraph"),
    ("HandedNumber", "SignalNumber"), ("CurvePile", "RemainingCurves"), ("Judgeable", "Resolvability"),
    ("carefree_depth", "unchecked_depth"), ("noteWish", "noteRequest"), ("isAsleep", "isWaiting"),
    ("RenderCell", "SharedValue"), ("ParcelCell", "Mailbox"), ("AskedProperties", "HostQueryProperties"),
    ("needsLook", "needsSlowPull"), ("renderHeard", "renderWithListeners"),
  ]

  private static func sources(below folder: String) throws -> [String] {
    try [".swift", ".c", ".h", ".cpp"].flatMap { try Repository.files(below: folder, suffix: $0) }
  }

  private static func texts() throws -> [String] {
    let sources = try sources(below: "Sources")
    let pages = try Repository.files(below: "docs", suffix: ".md")
    #expect(sources.count > 300 && pages.count > 5)
    return sources + pages + ["README.md", "CONTRIBUTING.md", "Package.swift"]
  }

  /// A text in lower case and on one line: a phrase may be broken, also in a comment.
  private static func joined(_ text: String) -> String {
    text.split(separator: "\n").map { line in
      line.drop { " /#*|".contains($0) }.lowercased()
    }.joined(separator: " ")
  }

  @Test("No comment, page or message has a phrase that has to be read twice")
  func noRiddles() throws {
    for file in try Self.texts() {
      let text = Self.joined(try Repository.text(file))
      for (phrase, plain) in Self.phrases where text.contains(phrase) {
        Issue.record("\(file) says \"\(phrase)\": write as \"\(plain)\"")
      }
    }
  }

  @Test("Types have the field's names, and no page has a former one")
  func noFormerNames() throws {
    let former = Dictionary(uniqueKeysWithValues: Self.names.map { (Substring($0.former), $0.present) })
    for file in try Self.texts() {
      // A sentence may begin with "Cut" or "Worth": a type is written in backticks, or stands in code.
      for line in try Repository.text(file).split(separator: "\n") {
        let isCode = !file.hasSuffix(".md") && !line.drop(while: { $0 == " " }).hasPrefix("//")
        let words =
          isCode
          ? line.split { !$0.isLetter && !$0.isNumber && $0 != "_" } : line.matches(of: /`(\w+)`/).map(\.output.1)
        for word in words {
          if let present = former[word] { Issue.record("\(file) has \(word), which is \(present) now") }
        }
      }
    }
  }

  @Test("No paragraph of a comment begins with \"What\", \"Whether\", \"Of\" or \"Where\"")
  func plainOpenings() throws {
    for file in try Self.sources(below: "Sources") {
      var isInside = false
      let bytes = try Repository.text(file).utf8
      for line in bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
        let code = line.drop { $0 == UInt8(ascii: " ") }
        guard code.starts(with: "//".utf8) else {
          isInside = false
          continue
        }
        let text = code.drop { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: " ") }
        let isItem = text.starts(with: "- ".utf8)
        let opening = isItem ? text.drop { $0 != UInt8(ascii: ":") }.dropFirst(2) : text
        let word = Substring(opening.prefix { $0 != UInt8(ascii: " ") }).lowercased()
        if isItem || !isInside, ["what", "whether", "of", "where"].contains(word) {
          Issue.record("\(file): \"\(Substring(text.prefix(60)))\": begin with a noun, a verb or \"True when\"")
        }
        isInside = !text.isEmpty
      }
    }
  }
}
