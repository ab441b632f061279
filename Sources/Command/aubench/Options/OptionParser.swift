// The only file that calls getopt_long: abbreviations, `--`, operands between options and bundled letters are its work.

import AudioCore
import CGetopt
import Glibc

/// Parses command lines by a table of options.
struct OptionParser {
  let options: [CommandOption]
  /// The command whose help to advise; empty for the program's own options.
  let command: String
  /// Returns true if options are not parsed behind an operand.
  var isFollowedByItsOwn: (String) -> Bool = { _ in false }

  /// The reference to the help in errors' advice.
  private var helpAdvice: String {
    command.isEmpty ? "\"aubench --help\" lists them" : "\"aubench \(command) --help\" lists them"
  }

  /// - Parameter words: the command line; the first is the program's or the command's name and is not looked at.
  /// - Throws: `.usage`.
  func parse(_ words: [String]) throws(BenchError) -> Arguments {
    // The program's own options end at the command.
    if command.isEmpty { return try parse(words, untilFirstOperand: true) }
    if let head = try? parse(words, untilFirstOperand: true), let first = head.operands.first, isFollowedByItsOwn(first)
    {
      return head
    }
    return try parse(words, untilFirstOperand: false)
  }

  /// - Parameter untilFirstOperand: true if operands may not be between options.
  private func parse(_ words: [String], untilFirstOperand: Bool) throws(BenchError) -> Arguments {
    var arguments = Arguments(command: command)
    // getopt_long moves operands to the end of this array, so it is freed by a copy.
    var strings = words.map { ByteText.withCString($0) { strdup($0) } }
    var table = options.enumerated().flatMap { index, row in
      ([row.name] + row.formerNames).map { name in
        option(name: strdup(name), has_arg: row.argumentKind, flag: nil, val: Self.base + Int32(index))
      }
    }
    let owned = strings
    defer {
      for string in owned { free(string) }
      for row in table where row.name != nil { free(UnsafeMutableRawPointer(mutating: row.name)) }
    }
    strings.append(nil)
    table.append(option(name: nil, has_arg: 0, flag: nil, val: 0))
    getopt_restart()
    while true {
      let answer = getopt_long(
        Int32(words.count), &strings, (untilFirstOperand ? "+:" : ":") + letters, &table, nil)
      if answer == -1 { break }
      guard let found = row(answer) else {
        let index = max(1, min(Int(getopt_index()), words.count) - 1)
        throw complaint(answer, at: strings[index].map { ByteText.string(cString: $0) } ?? "")
      }
      if !found.isRepeatable, found.takesValue, arguments.has(found) {
        throw Arguments.error(found, "is given twice", advice: "leave one of the two out")
      }
      arguments.options.append((found, getopt_argument().map { ByteText.string(cString: $0) }))
    }
    for index in Int(getopt_index())..<words.count {
      if let string = strings[index] { arguments.operands.append(ByteText.string(cString: string)) }
    }
    return arguments
  }

  /// getopt_long answers this and the row of a long option, or the letter of a short one.
  private static let base: Int32 = 0x100

  /// Behind the colon, which tells a missing value from an unknown option.
  private var letters: String {
    options.compactMap { row in row.letter.map { "\($0)" + String(repeating: ":", count: Int(row.argumentKind)) } }
      .joined()
  }

  private func row(_ answer: Int32) -> CommandOption? {
    if answer >= Self.base { return options[Int(answer - Self.base)] }
    return options.first { $0.letter?.asciiValue.map(Int32.init) == answer }
  }

  /// Why getopt_long did not take an option.
  private func complaint(_ answer: Int32, at word: String) -> BenchError {
    let culprit = row(getopt_culprit())
    if answer == Int32(UInt8(ascii: ":")), let culprit {
      return Arguments.error(culprit, "needs a value", advice: "write \(culprit.long)")
    }
    if let culprit, !culprit.takesValue { return Arguments.error(culprit, "takes no value") }
    guard word.hasPrefix("--") else {
      let letter = UInt8(truncatingIfNeeded: getopt_culprit())
      let shown = (0x21..<0x7F).contains(letter) ? "-\(Character(UnicodeScalar(letter)))" : word
      let known = OptionSynonyms.option(letter: letter, in: self)
      return BenchError(
        .usage, at: "option \(shown)", "there is no such option",
        advice: known ?? owners(of: shown) { $0.letter?.asciiValue == letter } ?? helpAdvice)
    }
    let name = String(word.dropFirst(2).prefix { $0 != "=" })
    let candidates = options.map(\.name).filter { !name.isEmpty && $0.hasPrefix(name) }
    if candidates.count > 1 {
      let list = candidates.map { "--\($0)" }.joined(separator: " or ")
      return BenchError(.usage, at: "option --\(name)", "several options begin so", advice: "write \(list)")
    }
    if let known = OptionSynonyms.option(named: name, in: self) {
      return BenchError(.usage, at: "option --\(name)", "there is no such option", advice: known)
    }
    let near = nearest(to: name, in: options.map(\.name))
    let meant = near.isEmpty ? nil : "did you mean \(near.map { "--\($0)" }.joined(separator: " or "))?"
    let owners = owners(of: "--\(name)") { $0.name == name }
    return BenchError(
      .usage, at: "option --\(name)", "there is no such option",
      advice: meant == nil && owners == nil ? helpAdvice : [meant, owners].compactMap(\.self).joined(separator: " "))
  }

  /// Advice that names the commands which have an option; nil where none has it.
  private func owners(of shown: String, where isIt: (CommandOption) -> Bool) -> String? {
    let names = Command.all.filter { $0.options.contains(where: isIt) }.map { "\"aubench \($0.name)\"" }
    guard let last = names.last else { return nil }
    return "\(shown) belongs to \(names.count == 1 ? last : names.dropLast().joined(separator: ", ") + " and " + last)"
  }
}

extension CommandOption {
  /// As getopt.h has it: no_argument, required_argument, optional_argument.
  fileprivate var argumentKind: Int32 {
    switch value {
    case .none: 0
    case .required: 1
    case .optional: 2
    }
  }
}
