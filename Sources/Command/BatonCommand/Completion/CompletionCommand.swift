// SPDX-License-Identifier: Apache-2.0

import Activity
import CommandLineOptions
import ControlInterface
import VarlinkClient

/// The command that the completions of the shells run, `baton __complete -- WORD...`. It is not for people, and the
/// help does not show it.
///
/// The first line that it writes is `words`, or the kind of names that the shell completes itself: `files`, `hosts`,
/// `urls`. Each of the other lines is a word that can stand in the place of the last one, and after a tab its meaning.
enum CompletionCommand {
  static let word = "__complete"

  static func run(_ arguments: [String], _ output: Output) throws {
    let words = Array(arguments.drop { $0 == "--" })
    let completion = Completion(of: words)
    let candidates: [Completion.Word]
    switch completion.candidates {
    case .words(let words): candidates = words
    case .value(.file): return try output.line("files")
    case .value(.host): return try output.line("hosts")
    case .value(.url): return try output.line("urls")
    case .value(.choice(let words)): candidates = words.map { Completion.Word(text: $0) }
    case .value(let kind): candidates = LiveValues.of(kind).map { Completion.Word(text: $0) }
    }
    let current = words.last ?? ""
    let lines = candidates.map { (completion.prefix + $0.text, $0.help) }.filter { $0.0.starts(withBytesOf: current) }
    try output.line((["words"] + lines.map { $0.1.isEmpty ? $0.0 : "\($0.0)\t\($0.1)" }).joined(separator: "\n"))
  }
}
