import Foundation
import TestSupport
import Testing

@Suite("Every function that the headers declare is there")
struct FunctionTests {
  static let frameworks = ["AudioToolbox", "AudioUnit", "CoreAudio", "CoreAudioTypes", "CoreMIDI", "CoreServices"]

  /// The functions that the installed headers declare and do not define themselves, as the compiler reads them.
  static func declared() throws -> Set<String> {
    let installation = try Installation.shared()
    let root = installation.prefix + "/include/aubench/"
    let headers = try frameworks.flatMap { framework in
      try FileManager.default.contentsOfDirectory(atPath: root + framework).map { "\(framework)/\($0)" }
    }.sorted()
    let folder = TemporaryFolder()
    let source = folder.write(headers.map { "#include <\($0)>\n" }.joined(), to: "headers.c")
    let clang = try #require(toolchain()).appending(path: "clang").path
    let run = try withExtendedLifetime(folder) {
      try Finished(clang, ["-E", "-std=gnu17"] + installation.compileFlags + [source])
    }
    try #require(run.code == 0, "\(run.errors)")

    // Lines of the frameworks' own headers: `# 12 "path" 1` says whose the next ones are.
    var text = ""
    var isOurs = false
    for line in run.output.split(separator: "\n") {
      if line.hasPrefix("# "), let path = line.split(separator: "\"").dropFirst().first {
        isOurs = frameworks.contains { path.hasPrefix("\(root)\($0)/") }
      } else if isOurs && !line.hasPrefix("#") {
        text += line + " "
      }
    }
    return names(in: text)
  }

  private static func toolchain() -> URL? { Installation.toolchain }

  /// The functions of a preprocessed text that end in a semicolon: the word before the first bracket.
  static func names(in text: String) -> Set<String> {
    var found: Set<String> = []
    var statement = ""
    var depth = 0
    func finish(isDeclaration: Bool) {
      defer { statement = "" }
      let declaration = statement.replacing(/__attribute__\s*\(\((?:[^()]|\([^()]*\))*\)\)/, with: " ")
      let words = declaration.split(whereSeparator: \.isWhitespace)
      guard isDeclaration, let first = words.first, first != "typedef", first != "static", first != "_Static_assert",
        let bracket = declaration.firstIndex(of: "("),
        let name = declaration[..<bracket].split(whereSeparator: { !($0.isLetter || $0.isNumber || $0 == "_") }).last
      else { return }
      found.insert(String(name))
    }
    for character in text {
      switch character {
      case "{":
        depth += 1
      case "}":
        depth -= 1
        // A body: what stands before it was a definition, or a type that goes on behind it.
        if depth == 0 && statement.contains("(") && !statement.contains("typedef") { finish(isDeclaration: false) }
      case ";" where depth == 0: finish(isDeclaration: true)
      default: if depth == 0 { statement.append(character) }
      }
    }
    return found
  }

  /// The functions that the linker does not find when the client that names every function is linked.
  static func undefined() throws -> Set<String> { try missing.get() }
  private static let missing: Result<Set<String>, any Error> = Result {
    let (_, said) = try Installation.shared().build("every_function.c")
    let names = said.matches(of: /undefined (?:reference to|symbol:) [`'"]?(\w+)/).map { String($0.output.1) }
    guard said == "" || !names.isEmpty else { throw Failure(said) }
    return Set(names)
  }

  @Test("Declarations are read as they should be")
  func parsing() {
    let text = """
      typedef int (*Proc)(void); typedef enum E : int E; enum E : int { a = (1) }; static inline int f(int x) { return g(x); }
      extern int one(Proc p, int (*q)(int)) __attribute__((deprecated("use (two)"))); struct S { int (*m)(void); };
      extern struct S *_Nullable two(void);
      typedef struct T { int x; } T; void three(void (^block)(T), const T *t);
      """
    #expect(Self.names(in: text) == ["one", "two", "three"])
  }

  @Test("The client that names every function names every declared one, and no other")
  func clientIsComplete() throws {
    let client = try Repository.text("Tests/Clients/every_function.c")
    let named = Set(client.matches(of: /\(Function\)(\w+)/).map { String($0.output.1) })
    let declared = try Self.declared()
    #expect(declared.count >= 163)
    #expect(named.symmetricDifference(declared) == [], "run Scripts/make-function-client")
  }

  @Test("It links: every declared function is implemented")
  func everyFunctionLinks() throws {
    let undefined = try Self.undefined()
    #expect(undefined.sorted() == [])
    guard undefined.isEmpty else { return }
    let run = try Installation.shared().run("every_function.c")
    #expect(run.lines == ["\(try Self.declared().count) functions"])
  }

  @Test("The guide's table has a row for each function, in step with the headers and the library")
  func table() throws {
    let page = try Repository.text("docs/core-audio-on-linux.md")
    var states: [String: Substring] = [:]
    for match in page.matches(of: /(?m)^\| `(\w+)` \| (yes|partly|missing) \| .*\|$/) {
      #expect(states.updateValue(match.output.2, forKey: String(match.output.1)) == nil, "\(match.output.1) twice")
    }
    #expect(Set(states.keys).symmetricDifference(try Self.declared()) == [], "run Scripts/make-function-table")
    // Functions that are missing in the table do not link, and the other way round.
    let missing = Set(states.filter { $0.value == "missing" }.keys)
    #expect(missing == (try Self.undefined()))
    let notes = try Repository.text("docs/functions.tsv").split(separator: "\n").filter { !$0.hasPrefix("#") }
    for note in notes {
      let fields = note.split(separator: "\t", omittingEmptySubsequences: false)
      try #require(fields.count == 3, "\(note)")
      let row = "| `\(fields[0])` | \(fields[1]) | " + (fields[2].isEmpty ? "|" : "\(fields[2]) |")
      #expect(page.contains(row + "\n"), "\(row): run Scripts/make-function-table")
    }
  }
}
