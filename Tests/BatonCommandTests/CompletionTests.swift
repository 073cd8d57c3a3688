import Foundation
import Testing

@testable import BatonCommand

/// The completions for shells, which are written by hand and must name what the command has.
struct CompletionTests {
  @Test(arguments: ["baton.bash", "_baton", "baton.fish"])
  func everyVerbAndOptionIsNamed(file: String) throws {
    let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..")
    let text = try String(contentsOf: root.appending(path: "Config/completions/\(file)"), encoding: .utf8)
    let words = Set(text.split { !($0.isLetter || $0 == "-") }.map(String.init))
    for command in Program.commands {
      for word in command.words { #expect(words.contains(word), "\(command.title)") }
      for option in command.options + Help.commonOptions {
        let name = file == "baton.fish" ? option.name : "--\(option.name)"
        #expect(words.contains(name), "\(command.title) --\(option.name)")
      }
    }
  }
}
