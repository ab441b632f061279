import AudioCore

/// Reads the text of a formula by recursive descent: each operator with what binds more tightly on its sides.
struct FormulaParser {
  private let characters: [Character]
  private let definitions: Set<String>
  private let signals: Set<String>
  private var place = 0
  private var depth = 0
  private static let deepest = 64
  private static let longest = 10_000

  /// - Throws: the error, and its character, counted from 1.
  static func parse(
    _ text: String, definitions: Set<String>, signals: Set<String>
  ) throws(Formula.SyntaxError) -> Formula.Node {
    guard text.utf8.count <= longest else {
      throw Formula.SyntaxError(description: "a formula has at most \(longest) bytes, found \(text.utf8.count)")
    }
    var parser = FormulaParser(characters: Array(text), definitions: definitions, signals: signals)
    let node = try parser.expression()
    guard parser.peek() == nil else { throw parser.error("expected an operator or the end") }
    return node
  }

  private func error(_ expected: String) -> Formula.SyntaxError {
    let found = place < characters.count ? "\"\(characters[place])\" at character \(place + 1)" : "the end"
    return Formula.SyntaxError(description: "\(expected), found \(found)")
  }

  private mutating func peek() -> Character? {
    while place < characters.count, characters[place].isWhitespace { place += 1 }
    return place < characters.count ? characters[place] : nil
  }

  /// Takes one of some operators, the longer ones first.
  private mutating func take(_ operators: [Formula.Operator]) -> Formula.Operator? {
    _ = peek()
    for found in operators where characters[place...].starts(with: found.rawValue) {
      place += found.rawValue.count
      return found
    }
    return nil
  }

  private mutating func take(_ character: Character) -> Bool {
    guard peek() == character else { return false }
    place += 1
    return true
  }

  private static let levels: [[Formula.Operator]] = [
    [.or], [.and], [.lessOrEqual, .greaterOrEqual, .equal, .unequal, .less, .greater], [.add, .subtract],
    [.multiply, .divide, .modulo],
  ]

  private mutating func expression(_ level: Int = 0) throws(Formula.SyntaxError) -> Formula.Node {
    guard level < Self.levels.count else { return try prefixed() }
    if level == 0 {
      depth += 1
      guard depth <= Self.deepest else { throw error("brackets are at most \(Self.deepest) deep") }
    }
    defer { if level == 0 { depth -= 1 } }
    var node = try expression(level + 1)
    while let found = take(Self.levels[level]) { node = .binary(found, node, try expression(level + 1)) }
    return node
  }

  private mutating func prefixed() throws(Formula.SyntaxError) -> Formula.Node {
    depth += 1
    guard depth <= Self.deepest else { throw error("signs and powers are at most \(Self.deepest) deep") }
    defer { depth -= 1 }
    if take("-") { return .negative(try prefixed()) }
    if take("!") { return .not(try prefixed()) }
    let base = try value()
    // −2 ^ 2 is −4, and 2 ^ −1 a half.
    return take([.power]) == nil ? base : .binary(.power, base, try prefixed())
  }

  private mutating func value() throws(Formula.SyntaxError) -> Formula.Node {
    guard let first = peek() else { throw error("expected a value") }
    if take("(") {
      let node = try expression()
      guard take(")") else { throw error("expected )") }
      return node
    }
    if first.isNumber || first == "." { return .number(try number()) }
    let start = place
    while place < characters.count, Formula.isName(String(characters[start...place])) { place += 1 }
    guard place > start else { throw error("expected a value") }
    let name = String(characters[start..<place])
    if let variable = Formula.Variable(rawValue: name) { return .variable(variable) }
    if definitions.contains(name) { return .definition(name) }
    if signals.contains(name) { return try sample(of: name) }
    if let function = Formula.Function(rawValue: name) {
      let values = try list(of: name)
      guard function.arity.contains(values.count) else {
        let wanted =
          function.arity.count == 1 ? NumberText.count(function.arity.lowerBound, "value") : "2 to 16 values"
        throw Formula.SyntaxError(description: "\(name) takes \(wanted), found \(values.count)")
      }
      return .call(function, values)
    }
    place = start
    let known = Formula.ownNames + definitions.sorted() + signals.sorted()
    throw Formula.SyntaxError(
      description: "there is no \"\(name)\" (character \(start + 1)); known here: \(known.joined(separator: ", "))")
  }

  private mutating func sample(of name: String) throws(Formula.SyntaxError) -> Formula.Node {
    let values = try list(of: name)
    guard (1...2).contains(values.count) else {
      throw Formula.SyntaxError(
        description: "\(name) takes a channel, or a channel and a frame, found \(values.count) values")
    }
    return .sample(signal: name, channel: values[0], frame: values.count == 2 ? values[1] : .variable(.frame))
  }

  private mutating func list(of name: String) throws(Formula.SyntaxError) -> [Formula.Node] {
    guard take("(") else { throw error("expected ( behind \(name)") }
    var values = [try expression()]
    while take(",") { values.append(try expression()) }
    guard take(")") else { throw error("expected , or )") }
    return values
  }

  private mutating func number() throws(Formula.SyntaxError) -> Double {
    let start = place
    func isDigit(_ index: Int) -> Bool { index < characters.count && ("0"..."9").contains(characters[index]) }
    while isDigit(place) || (place < characters.count && characters[place] == ".") { place += 1 }
    if place < characters.count, characters[place] == "e" || characters[place] == "E" {
      let sign = place + 1 < characters.count && "+-".contains(characters[place + 1]) ? 1 : 0
      if isDigit(place + 1 + sign) {
        place += 1 + sign
        while isDigit(place) { place += 1 }
      }
    }
    guard let number = Double(String(characters[start..<place])), number.isFinite else {
      let text = String(characters[start..<place])
      place = start
      throw Formula.SyntaxError(description: "\"\(text)\" at character \(start + 1) is no number")
    }
    return number
  }
}
