import CommandLineOptions
import Testing

@testable import BatonCommand

struct HelpTests {
  @Test func aTerminalOf80ColumnsShowsItAll() {
    for text in Program.commands.map(Help.page) + [Help.overview(Program.commands)] {
      for line in text.split(separator: "\n") { #expect(line.count <= 80, "\(line)") }
    }
  }

  @Test func eachCommandHasALineInTheOverview() {
    let lines = Help.list(Program.commands).split(separator: "\n")
    let commands = Program.commands.filter { !$0.isHidden }
    #expect(lines.count == commands.count)
    for (command, line) in zip(commands, lines) { #expect(line.hasPrefix("  \(command.title) ")) }
  }

  @Test func textsAreSentences() {
    for command in Program.commands {
      for text in [command.summary] + command.options.map(\.declaration.help) {
        #expect(text.first?.isUppercase == true && text.last == "." || text.hasPrefix("error, "), "\(text)")
      }
    }
  }

  @Test func noCommandHasTwoOptionsOfOneName() {
    for command in Program.commands {
      let names = (command.options + CommonOptions.all).map(\.declaration.name)
      #expect(Set(names).count == names.count, "\(command.title)")
    }
  }
}
