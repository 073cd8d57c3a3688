// SPDX-License-Identifier: Apache-2.0

import CommandLineOptions
import TestSupport
import Testing

@testable import BatonCommand

/// The manual pages describe the commands as they are declared.
struct ManualTests {
  /// baton(1), which lists the others.
  let overview: ManualPage
  /// The pages that describe commands.
  let pages: [ManualPage]

  init() throws {
    overview = try ManualPage("baton.1")
    pages = try ManualPage.all().filter { page in page.synopses.contains { $0.hasPrefix("baton ") } }
  }

  private func commands(of page: ManualPage) -> [any Command.Type] {
    page.synopses.compactMap { synopsis in Program.commands.first { $0.syntax.synopsis == synopsis } }
  }

  @Test func eachCommandIsInOnePageWithItsSynopsis() {
    let synopses = Program.commands.map { $0.syntax.synopsis }
    #expect(pages.flatMap(\.synopses).sorted() == synopses.sorted())
  }

  @Test func eachCommandHasASectionInTheOrderOfTheSynopsis() {
    for page in pages {
      let titles = commands(of: page).map { "baton \($0.title)" }
      let sections = page.subsections(of: "COMMANDS").map(\.title)
      // The page of a single command can describe it in sections of its own.
      #expect(sections == titles || (sections.isEmpty && titles.count == 1), "\(page.name)")
    }
  }

  /// In the command's section, or among the options that commands of the page share.
  @Test func eachOptionOfEachCommandIsExplainedAndNoOther() {
    for page in pages {
      let sections = page.subsections(of: "COMMANDS")
      let shared = Set(page.sections.filter { $0.title == "OPTIONS" }.flatMap(\.optionTags))
      var usages: Set<String> = []
      for command in commands(of: page) {
        let options = Set(command.options.map(\.declaration.usage))
        let explained = Set(sections.filter { $0.title == "baton \(command.title)" }.flatMap(\.optionTags))
        #expect(explained.subtracting(options) == [], "\(command.title)")
        #expect(options.subtracting(explained).subtracting(shared) == [], "\(command.title)")
        usages.formUnion(options)
      }
      #expect(shared.subtracting(usages) == [], "\(page.name)")
    }
  }

  /// `man baton-send` shows the page of `baton send`.
  @Test func eachPageHasTheNamesOfItsCommands() {
    for page in pages {
      let names = commands(of: page).map { "baton-\($0.words[0])" }
      #expect(Set(names).subtracting(page.names) == [], "\(page.name)")
    }
  }

  @Test func theOverviewListsThePagesAndTheirCommands() throws {
    let section = try #require(overview.sections.first { $0.title == "COMMANDS" })
    let listed = section.entries.map { "\($0.tag): \($0.line)" }
    let expected = pages.map { page in
      "\(page.reference): \(commands(of: page).map { $0.title }.joined(separator: ", "))"
    }
    #expect(listed.sorted() == expected.sorted())
    #expect(!listed.isEmpty)
  }

  @Test func theOverviewRefersToAllPages() throws {
    for page in try ManualPage.all() where page.name != overview.name {
      #expect(overview.refers(to: page), "\(page.name)")
    }
  }

  @Test func theCommonOptionsAreExplained() throws {
    let section = try #require(overview.sections.first { $0.title == "OPTIONS OF ALL COMMANDS" })
    #expect(section.optionTags == CommonOptions.all.map(\.declaration.usage))
  }

  @Test func theExitStatusesAreTheSame() {
    #expect(overview.numberedRows == ExitStatus.allCases.map { "\($0.rawValue)\t\($0.meaning)" })
  }
}
