/// The completion script of bash, from the option tables: `completions/aubench.bash`.
enum BashCompletion {
  static var text: String {
    var script = """
      # Completion of aubench for bash. Made by "aubench --print-completion=bash".

      _aubench() {
        local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]} command= option= word i
        for ((i = 1; i < COMP_CWORD; i++)); do
          if [[ ${COMP_WORDS[i]} != -* ]]; then command=${COMP_WORDS[i]}; break; fi
        done
        if ((i + 1 < COMP_CWORD)); then
          case "$command ${COMP_WORDS[i+1]}" in
            \(longNames)) command+=" ${COMP_WORDS[i+1]}" ;;
          esac
        fi
        # The shell takes "--rate=48000" for three words; "=" counts as part of the option.
        if [[ $current == = ]]; then option=$previous current=
        elif [[ $previous == = ]]; then option=${COMP_WORDS[COMP_CWORD-2]}
        elif [[ $previous == -* ]]; then option=$previous
        fi
        COMPREPLY=()
        case "$command $option" in

      """
    for command in Command.all {
      for option in command.options where option.takesValue {
        let names = (["--\(option.name)"] + (option.letter.map { ["-\($0)"] } ?? [])).map {
          "\"\(command.name) \($0)\""
        }
        // An optional value comes behind "=" only; as a word of its own it is an operand.
        if case .optional = option.value { continue }
        script += "    \(names.joined(separator: " | "))) \(reply(option.completion)); return ;;\n"
      }
    }
    script += "  esac\n  if [[ $current == -* ]]; then\n    case $command in\n"
    for command in Command.all {
      script += "      \(pattern(command))) \(words(command.options.map(spelling))) ;;\n"
    }
    script += "      *) \(words(Aubench.options.map(spelling))) ;;\n    esac\n"
    script +=
      "    [[ ${COMPREPLY[0]} == *= ]] && compopt -o nospace 2> /dev/null\n    return\n  fi\n  case $command in\n"
    for command in Command.all {
      var line = reply(command.operands.first?.completion ?? .nothing)
      if let endings = Command.endings[command.name] {
        line += "; COMPREPLY+=($(compgen -W \"\(endings.joined(separator: " "))\" -- \"$current\"))"
      }
      script += "    \(pattern(command))) \(line) ;;\n"
    }
    let names = Command.all.map(\.name).filter { !$0.contains(" ") }
    script += "    help) \(words(names)) ;;\n    *) \(words(names + ["help"])) ;;\n"
    return script + "  esac\n}\n\ncomplete -o filenames -F _aubench aubench\n"
  }

  /// Names of two words, as a pattern.
  private static var longNames: String {
    Command.all.map(\.name).filter { $0.contains(" ") }.map { "\"\($0)\"" }.joined(separator: " | ")
  }

  private static func pattern(_ command: Command) -> String {
    command.name.contains(" ") ? "\"\(command.name)\"" : command.name
  }

  private static func spelling(_ option: CommandOption) -> String {
    if case .required = option.value { return "--\(option.name)=" }
    return "--\(option.name)"
  }

  private static func reply(_ completion: CommandOption.Completion) -> String {
    switch completion {
    case .nothing: ":"
    // In "--tap=eq=FILE" and "--tap eq=FILE" the file stands behind the last "=".
    case .file, .newFile: "mapfile -t COMPREPLY < <(compgen -f -- \"${current##*=}\")"
    case .words(let list): words(list())
    }
  }

  private static func words(_ list: [String]) -> String {
    "mapfile -t COMPREPLY < <(compgen -W \"\(list.joined(separator: " "))\" -- \"$current\")"
  }
}
