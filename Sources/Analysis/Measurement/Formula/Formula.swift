/// An arithmetic expression of the frame number and of samples: what an output must be, written down.
///
///     float(in(0) * float(0.8)) + 0.5 * in(1, n - 100)
///
/// All arithmetic is in Double. Besides numbers, `+ - * / % ^`, comparisons, `&& || !` (0 is false, all else true) and
/// brackets there are
/// - `n` the output frame, `t` its time in seconds, `c` the output channel, `rate` the output's hertz, `frames` the
///   input's frames, `pi`;
/// - `in(channel)` and `in(channel, frame)`: a sample of the input, at frame `n` or another; 0 before its start and
///   behind its end. Other signals by their names in the same way;
/// - ``Function``s;
/// - names of definitions, which are formulas themselves.
///
/// `x % y` has the sign of y; `round` takes ties to even; a frame that is no whole number is rounded down.
public struct Formula: Sendable {
  /// The variables of a formula.
  enum Variable: String, Sendable, CaseIterable {
    case frame = "n"
    case time = "t"
    case channel = "c"
    case sampleRate = "rate"
    case inputFrames = "frames"
    case pi
  }

  /// The functions of a formula, with values in brackets.
  public enum Function: String, Sendable, CaseIterable {
    case abs, floor, ceil, round, sqrt, sin, cos, tan, exp, log, log10
    /// Rounded to the nearest 32-bit float, as a product or a sum of the engine is.
    case float
    /// The amplitude of a level in dB.
    case db
    case min, max
    /// x, not below a lower and not above an upper bound.
    case clip
    /// One of two values by a condition; the other one has no effect.
    case choose = "if"
    /// Triangular dither, in steps of the integer, by seed, channel and frame: the sequence of `ditherSeed` and
    /// `--dither`.
    case dither

    /// The number of values that the function takes.
    var arity: ClosedRange<Int> {
      switch self {
      case .min, .max: 2...16
      case .clip, .choose, .dither: 3...3
      default: 1...1
      }
    }
  }

  enum Operator: String, Sendable {
    case add = "+"
    case subtract = "-"
    case multiply = "*"
    case divide = "/"
    case modulo = "%"
    case power = "^"
    case less = "<"
    case lessOrEqual = "<="
    case greater = ">"
    case greaterOrEqual = ">="
    case equal = "=="
    case unequal = "!="
    case and = "&&"
    case or = "||"
  }

  indirect enum Node: Sendable {
    case number(Double)
    case variable(Variable)
    /// A definition, by name.
    case definition(String)
    case sample(signal: String, channel: Node, frame: Node)
    case not(Node)
    case negative(Node)
    case binary(Operator, Node, Node)
    case call(Function, [Node])
  }

  /// As it was written.
  public let text: String
  let root: Node
  let definitions: [String: Node]

  /// The error in a text, and its place.
  public struct SyntaxError: Error, CustomStringConvertible {
    /// "expected a value, found \"+\" at character 7".
    public let description: String
  }

  /// - Parameters:
  ///   - text: such as `if(f < 1000, 0, -12)`.
  ///   - definitions: formulas by names that may be used in it, and in one another where that makes no circle.
  ///   - signals: names of signals besides `in`.
  /// - Throws: for a text that is no formula, with the place; for names that are not known or are taken.
  public init(
    _ text: String, definitions: [String: String] = [:], signals: Set<String> = []
  ) throws(SyntaxError) {
    self.text = text
    let names = Set(definitions.keys)
    let taken = Set(Self.ownNames + ["in"])
    for name in names.sorted() + signals.sorted() {
      guard Self.isName(name), !taken.contains(name) else {
        throw SyntaxError(
          description:
            "\"\(name)\" is no name that can be given: letters, digits and _, and not one that formulas have already")
      }
      guard !(names.contains(name) && signals.contains(name)) else {
        throw SyntaxError(description: "\"\(name)\" is a definition and a signal")
      }
    }
    let signals = signals.union(["in"])
    var parsed: [String: Node] = [:]
    for name in names.sorted() {
      do {
        parsed[name] = try FormulaParser.parse(definitions[name] ?? "", definitions: names, signals: signals)
      } catch {
        throw SyntaxError(description: "\"\(name)\": \(error)")
      }
    }
    root = try FormulaParser.parse(text, definitions: names, signals: signals)
    self.definitions = parsed
    var done: Set<String> = []
    for name in names.sorted() { try Self.refuseCircle(from: name, parsed, path: [], &done) }
  }

  /// Names of variables and functions.
  static var ownNames: [String] { Variable.allCases.map(\.rawValue) + Function.allCases.map(\.rawValue) }

  static func isName(_ text: String) -> Bool {
    !text.isEmpty && !(text.first?.isNumber ?? true) && text.utf8.count <= 64
      && text.unicodeScalars.allSatisfy {
        $0 == "_" || ($0.isASCII && ($0.properties.isAlphabetic || ("0"..."9").contains($0)))
      }
  }

  private static func refuseCircle(
    from name: String, _ definitions: [String: Node], path: [String], _ done: inout Set<String>
  ) throws(SyntaxError) {
    guard !done.contains(name) else { return }
    guard !path.contains(name) else { throw SyntaxError(description: "\"\(name)\" is made of itself") }
    for used in (definitions[name]?.definitionsUsed ?? []).sorted() {
      try refuseCircle(from: used, definitions, path: path + [name], &done)
    }
    done.insert(name)
  }
}

extension Formula.Node {
  /// Names of the definitions that it is made of.
  var definitionsUsed: Set<String> {
    switch self {
    case .number, .variable: []
    case .definition(let name): [name]
    case .sample(_, let channel, let frame): channel.definitionsUsed.union(frame.definitionsUsed)
    case .not(let value), .negative(let value): value.definitionsUsed
    case .binary(_, let left, let right): left.definitionsUsed.union(right.definitionsUsed)
    case .call(_, let values): values.reduce(into: []) { $0.formUnion($1.definitionsUsed) }
    }
  }
}
