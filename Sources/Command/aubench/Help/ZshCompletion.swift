import AudioCore

/// The completion script of zsh, from the option tables: `completions/_aubench`.
enum ZshCompletion {
  static var text: String {
    var script = """
      #compdef aubench
      # Completion of aubench for zsh. Made by "aubench --print-completion=zsh".

      _aubench() {
        local context state state_descr line
        typeset -A opt_args
        _arguments -C \\
      \(Aubench.options.map { "    " + specification($0) + " \\\n" }.joined())\
          '1:command:->command' '*::argument:->argument'
        case $state in
          command)
            local -a commands=(

      """
    let oneWord = Command.all.filter { !$0.name.contains(" ") }
    for command in oneWord { script += "        \(ShellText.quoted("\(command.name):\(colons(command.summary))"))\n" }
    script += "        'help:show the help of a command'\n      )\n      _describe command commands ;;\n"
    script += """
          argument)
            case "$words[1] $words[2]" in
              \(Command.all.map(\.name).filter { $0.contains(" ") }.map { "\"\($0)\"" }.joined(separator: "|")))
                if ((CURRENT > 2)); then words=("$words[1] $words[2]" $words[3,-1]); ((CURRENT--)); fi ;;
            esac
            case $words[1] in

      """
    for command in Command.all {
      script += "        \(command.name.contains(" ") ? "\"\(command.name)\"" : command.name))\n"
      if let endings = Command.endings[command.name] {
        script += "          ((CURRENT == 2)) && compadd \(endings.joined(separator: " "))\n"
      }
      script += "          _arguments -s \\\n"
      for option in command.options { script += "            \(specification(option)) \\\n" }
      let operands = command.operands.enumerated().map { index, operand in
        ShellText.quoted(
          "\(operand.isRepeatable ? "*" : "\(index + 1)"):\(colons(operand.name)):\(action(operand.completion))")
      }
      script += "            \(operands.joined(separator: " ")) ;;\n"
    }
    script += "        help) _values command \(oneWord.map(\.name).joined(separator: " ")) ;;\n"
    return script + "      esac ;;\n  esac\n}\n\n_aubench \"$@\"\n"
  }

  /// One argument of `_arguments`.
  private static func specification(_ option: CommandOption) -> String {
    let about = "[\(brackets(option.help))]"
    let value: String
    let sign: String
    switch option.value {
    case .none: (value, sign) = ("", "")
    case .required(let name): (value, sign) = (":\(colons(name)):\(action(option.completion))", "=")
    case .optional(let name): (value, sign) = ("::\(colons(name)):\(action(option.completion))", "=-")
    }
    let star = option.isRepeatable ? "*" : ""
    let long = ShellText.quoted("\(star)--\(option.name)\(sign)\(about)\(value)")
    guard let letter = option.letter else { return long }
    let short = ShellText.quoted("\(star)-\(letter)\(sign.isEmpty ? "" : "+")\(about)\(value)")
    return "\(short) \(long)"
  }

  private static func action(_ completion: CommandOption.Completion) -> String {
    switch completion {
    case .nothing: " "
    case .file, .newFile: "_files"
    case .words(let list): "(\(list().joined(separator: " ")))"
    }
  }

  private static func brackets(_ text: String) -> String { escaping("[]:\\", in: text) }
  private static func colons(_ text: String) -> String { escaping(":\\", in: text) }

  private static func escaping(_ special: String, in text: String) -> String {
    text.reduce(into: "") { answer, character in
      if special.contains(character) { answer.append("\\") }
      answer.append(character)
    }
  }
}
