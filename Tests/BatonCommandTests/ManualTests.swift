import CommandLineOptions
import TestSupport
import Testing

@testable import BatonCommand

/// baton(1) says what the declarations of the commands say.
struct ManualTests {
  let page: ManualPage

  init() throws { page = try ManualPage("baton.1") }

  @Test func eachCommandHasASectionWithItsSynopsis() {
    let synopses = Program.commands.map { String($0.syntax.synopsis.dropFirst("baton ".count)) }
    #expect(page.subsections(of: "COMMANDS").map(\.title) == synopses)
  }

  @Test func onlyOptionsThatACommandHasAreExplained() throws {
    let sections = page.subsections(of: "COMMANDS")
    for (command, section) in zip(Program.commands, sections) {
      let usages = command.options.map(\.declaration.usage)
      #expect(Set(section.optionTags).isSubset(of: usages), "\(command.title)")
    }
    #expect(sections.contains { !$0.optionTags.isEmpty })
  }

  @Test func theCommonOptionsAreExplained() throws {
    let section = try #require(page.sections.first { $0.title == "OPTIONS OF ALL COMMANDS" })
    #expect(section.optionTags == CommonOptions.all.map(\.declaration.usage))
  }

  @Test func theExitStatusesAreTheSame() {
    #expect(page.numberedRows == ExitStatus.allCases.map { "\($0.rawValue)\t\($0.meaning)" })
  }
}
