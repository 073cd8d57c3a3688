/// The texts of `--help`.
enum Help {
  static let commonOptions: [Option] = [
    .flag("json", "Write JSON: one document, or one on each line where events follow one another."),
    .value("socket", "PATH", "The daemon's socket; otherwise $BATON_SOCKET, the user's daemon, the machine's."),
    .flag("help", "Show this."),
  ]

  static func overview(_ commands: [any Command.Type]) -> String {
    """
    Baton hands what you are doing to your other machines.

    Usage: baton VERB [OPTIONS]

    \(list(commands))

    `baton VERB --help` explains each.

    Exit status:
    \(ExitStatus.allCases.map { "  \($0.rawValue)  \($0.meaning)" }.joined(separator: "\n"))
    """
  }

  static func list(_ commands: [any Command.Type]) -> String {
    aligned(commands.map { ($0.title, $0.summary) })
  }

  static func page(_ command: any Command.Type) -> String {
    let head = ["Usage: baton \(command.title)", command.synopsis].filter { !$0.isEmpty }.joined(separator: " ")
    let options = aligned((command.options + commonOptions).map { ($0.usage, $0.help) })
    return [head, command.summary, command.details, "Options:\n" + options].filter { !$0.isEmpty }
      .joined(separator: "\n\n")
  }

  private static func aligned(_ rows: [(String, String)]) -> String {
    let width = rows.map(\.0.count).max() ?? 0
    return rows.map { name, text in
      "  " + name + String(repeating: " ", count: width - name.count + 2) + text
    }.joined(separator: "\n")
  }
}
