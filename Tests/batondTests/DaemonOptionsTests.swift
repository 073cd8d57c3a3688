// SPDX-License-Identifier: Apache-2.0

import BatonDaemon
import CommandLineOptions
import TestSupport
import Testing

@testable import batond

struct DaemonOptionsTests {
  @Test func theManualHasEachOption() throws {
    let page = try ManualPage("batond.8")
    let section = try #require(page.sections.first { $0.title == "OPTIONS" })
    #expect(section.optionTags == DaemonOptions.syntax.options.map(\.declaration.usage))
    #expect(page.numberedRows == DaemonExitStatus.allCases.map { "\($0.rawValue)\t\($0.meaning)" })
  }

  @Test func theHelpHasEachOption() {
    let lines = DaemonOptions.helpText.split(separator: "\n")
    for option in DaemonOptions.syntax.options.map(\.declaration) {
      #expect(lines.contains { $0.hasPrefix("  \(option.usage) ") }, "\(option.usage)")
    }
    for line in lines { #expect(line.count <= 84, "\(line)") }
  }

  @Test func theLastValueAndTheLastActionCount() throws {
    let arguments = try DaemonArguments(["--port", "1", "--port=2", "--check-config", "--check-reload"])
    #expect(arguments.action == .checkReload)
    #expect(arguments.readConfiguration().configuration.port == 2)
    #expect(try DaemonArguments(["--help", "--version"]).action == .version)
    #expect(try DaemonArguments(["-h"]).action == .help)
    #expect(try DaemonArguments([]).action == .run)
    let reload = try DaemonArguments(["--user", "--reload", "4711"])
    #expect(reload.action == .reload && reload.reloaded == 4711)
  }

  @Test(arguments: [
    (["--name="], "'--name' must not be empty."), (["--bogus"], "Unknown option '--bogus'."),
    (["word"], "Unexpected argument 'word'."), (["--user=yes"], "'--user' doesn't accept a value."),
    (["--port"], "'--port' needs a value: --port PORT."), (["--reload", ""], "'--reload' needs a process ID."),
    (["--reload=1"], "'--reload' needs a process ID."), (["--reload=-1"], "'--reload' needs a process ID."),
  ])
  func mistakesAreNamed(words: [String], message: String) {
    do throws(UsageError) {
      _ = try DaemonArguments(words)
      Issue.record("\(words) are taken")
    } catch {
      #expect(error.description == "\(message)\nTry 'batond --help'.")
    }
  }
}
