// SPDX-License-Identifier: Apache-2.0

import ActivityTypes
import CommandLineOptions
import Foundation
import Testing

@testable import BatonCommand

struct HelpTests {
  private static var pages: [String] {
    let groups = HelpGroup.allCases.map { Help.group($0, of: Program.commands) }
    return Program.commands.map(Help.page) + groups + [Help.overview(), Help.list(Program.commands)]
  }

  @Test func aTerminalOf80ColumnsShowsItAll() {
    for text in Self.pages {
      for line in text.split(separator: "\n") { #expect(line.count <= 80, "\(line)") }
    }
  }

  @Test func eachCommandHasALineInItsGroup() {
    let everyday = HelpSection.everyday.flatMap(\.commands)
    let shown = Set(everyday.map { $0.title })
    #expect(shown.count == everyday.count && everyday.count <= 10)
    for command in Program.commands {
      let page = command.group == .everyday ? Help.overview() : Help.group(command.group, of: Program.commands)
      let lines = page.split(separator: "\n").filter { $0.hasPrefix("  \(command.title) ") }
      #expect(lines.count == (command.isHidden ? 0 : 1), "\(command.title)")
      #expect(command.group != .everyday || shown.contains(command.title))
    }
    for command in everyday { #expect(Help.overview().contains("\n  \(command.title) "), "\(command.title)") }
  }

  @Test func theOverviewNamesTheGroupsAndFitsOnAScreen() {
    let overview = Help.overview()
    for group in HelpGroup.allCases where group != .everyday {
      #expect(overview.contains("\n  baton help \(group.rawValue) "))
      #expect(!Help.group(group, of: Program.commands).isEmpty)
    }
    #expect(overview.split(separator: "\n", omittingEmptySubsequences: false).count <= 40)
    #expect(!overview.contains("Exit status"))
    #expect(Help.group(.scripts, of: Program.commands).contains("Exit status:\n  0  Done."))
  }

  /// Nothing mentions a word that only earlier versions had.
  @Test func formerWordsAreHidden() {
    for command in Program.commands {
      for words in command.formerWords {
        #expect(Program.commands.allSatisfy { $0.words != words })
        let former = "baton \(words.joined(separator: " "))"
        for page in Self.pages {
          #expect(!page.contains("\(former) ") && !page.contains("\(former)`") && !page.contains("\(former)\n"))
        }
        #expect(Completion(of: Array(words.dropLast()) + [""]).candidates.texts.contains(words.last ?? "") == false)
      }
    }
  }

  /// What people copy from the help works.
  @Test func eachCommandHasTwoExamplesThatItUnderstands() throws {
    for command in Program.commands where !command.isHidden {
      #expect(command.examples.count == 2, "\(command.title)")
      for (line, what) in command.examples {
        #expect(what.last == "." && what.first?.isUppercase == true, "\(what)")
        let part = line.components(separatedBy: " | ").first { $0.hasPrefix("baton ") } ?? ""
        let text = part.components(separatedBy: " > ")[0].components(separatedBy: " < ")[0]
        let words = try #require(ShellWords.split(text), "\(line)").dropFirst()
        #expect(words.starts(with: command.words), "\(line)")
        _ = try ParsedArguments(Array(words.dropFirst(command.words.count)), of: command.syntax)
      }
    }
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
