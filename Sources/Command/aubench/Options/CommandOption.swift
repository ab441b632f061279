/// One option of a command, in a table that parsing, `--help`, the manual and the completions all read.
struct CommandOption: Sendable {
  /// The value of an option; a literal is the name of a required one.
  enum Value: Sendable, ExpressibleByStringLiteral {
    case none
    /// `--rate HZ` or `--rate=HZ`
    case required(String)
    /// `--dither` or `--dither=SEED`
    case optional(String)

    init(stringLiteral name: String) { self = .required(name) }
  }

  /// The completions that a shell offers for the value.
  enum Completion: Sendable {
    case nothing
    /// A file or folder that is read.
    case file
    /// A file that is written.
    case newFile
    case words(@Sendable () -> [String])
  }

  /// Without the two dashes.
  let name: String
  let letter: Character?
  let value: Value
  let help: String
  let completion: Completion
  /// True when it may be given several times.
  let isRepeatable: Bool
  /// Names of former versions, which are taken still and which help does not show.
  let formerNames: [String]

  init(
    _ name: String, letter: Character? = nil, value: Value = .none, completion: Completion = .nothing,
    isRepeatable: Bool = false, formerNames: [String] = [], _ help: String
  ) {
    self.name = name
    self.letter = letter
    self.value = value
    self.help = help
    self.completion = completion
    self.isRepeatable = isRepeatable
    self.formerNames = formerNames
  }

  /// An option whose value is a file or folder that is read.
  static func file(
    _ name: String, letter: Character? = nil, value: String = "FILE", isRepeatable: Bool = false, _ help: String
  ) -> CommandOption {
    CommandOption(
      name, letter: letter, value: .required(value), completion: .file, isRepeatable: isRepeatable, help)
  }

  /// An option whose value is a file that is written.
  static func newFile(
    _ name: String, letter: Character? = nil, value: String = "FILE", _ help: String
  ) -> CommandOption {
    CommandOption(name, letter: letter, value: .required(value), completion: .newFile, help)
  }

  /// `-o, --output=OUT`, as help texts show it.
  var form: String { (letter.map { "-\($0), " } ?? "") + long }

  /// `--output=OUT`
  var long: String {
    switch value {
    case .none: "--\(name)"
    case .required(let name): "--\(self.name)=\(name)"
    case .optional(let name): "--\(self.name)[=\(name)]"
    }
  }

  var takesValue: Bool {
    if case .none = value { return false }
    return true
  }
}

/// Something a command takes that is not an option.
struct Operand: Sendable {
  let name: String
  let isRequired: Bool
  /// True when more may follow; only for the last operand.
  let isRepeatable: Bool
  let help: String
  let completion: CommandOption.Completion

  init(
    _ name: String, isRequired: Bool = true, isRepeatable: Bool = false,
    completion: CommandOption.Completion = .file, _ help: String
  ) {
    self.name = name
    self.isRequired = isRequired
    self.isRepeatable = isRepeatable
    self.help = help
    self.completion = completion
  }

  /// `GRAPH`, `[NAME]`, `SUITE...`
  var form: String {
    let shown = isRepeatable ? "\(name)..." : name
    return isRequired ? shown : "[\(shown)]"
  }
}
