import CommandLineOptions

/// The texts of `--help`.
enum Help {
  static func overview(_ commands: [any Command.Type]) -> String {
    """
    Baton hands off what you are doing to your other machines.

    Usage: baton COMMAND [OPTIONS]

    \(list(commands))

    For the options of a command, run `baton COMMAND --help`.

    Exit status:
    \(TextLayout.table(ExitStatus.allCases.map { ("\($0.rawValue)", $0.meaning) }))
    """
  }

  static func list(_ commands: [any Command.Type]) -> String {
    TextLayout.table(commands.filter { !$0.isHidden }.map { ($0.title, $0.summary) })
  }

  static func page(_ command: any Command.Type) -> String {
    [command.syntax.usage, command.summary, command.details, "Options:\n" + command.syntax.optionTable]
      .filter { !$0.isEmpty }.joined(separator: "\n\n")
  }
}
