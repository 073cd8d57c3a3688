// SPDX-License-Identifier: Apache-2.0

import Activity
import CommandLineOptions
import Localization

/// What can complete a command line. Nothing is asked of the daemon here.
struct Completion: Equatable {
  /// The part of the word that stays, as in `--team=`.
  var prefix = ""
  let candidates: Candidates

  enum Candidates: Equatable {
    case words([Word])
    case value(ValueDeclaration.Kind)
  }

  struct Word: Equatable {
    let text: String
    /// For people; empty if the text says it all.
    var help = ""
  }

  /// - Parameter words: What follows `baton`. The last one is incomplete, and can be empty.
  init(of words: [String], _ commands: [any Command.Type] = Program.commands) {
    let current = words.last ?? ""
    let line = Line(words.dropLast(), commands)
    let command = line.command
    let operand = command?.syntax.operand
    if let value = line.pending {
      candidates = .value(value.kind)
    } else if current.starts(withBytesOf: "-"), !line.hasDashes {
      let parts = current.split(atScalar: "=", maxSplits: 1, omittingEmptySubsequences: false)
      if parts.count == 2, let value = line.option(String(parts[0]))?.value {
        prefix = "\(parts[0])="
        candidates = .value(value.kind)
      } else {
        candidates = .words(line.options.map { Word(text: $0.title, help: $0.help) })
      }
    } else if line.words.first == "help" {
      let groups = line.words.count == 1 ? HelpGroup.allCases.map { Word(text: $0.rawValue, help: $0.summary) } : []
      let names = Self.next(line.words.dropFirst(), commands)
      candidates = .words(names + groups.filter { group in !names.contains { $0.text == group.text } })
    } else if command == nil {
      let help = line.words.isEmpty ? [Word(text: "help", help: localized("Show help for a command or group."))] : []
      candidates = .words(Self.next(line.words[...], commands) + help)
    } else if let operand, line.operandCount == 0 || operand.isRepeated {
      candidates = .value(operand.value.kind)
    } else {
      candidates = .words([])
    }
  }

  /// The words that can follow in the name of a command.
  private static func next(_ words: ArraySlice<String>, _ commands: [any Command.Type]) -> [Word] {
    commands.filter { $0.words.starts(with: words) && $0.words.count > words.count }.reduce(into: []) { next, command in
      let isWhole = command.words.count == words.count + 1
      let word = Word(text: command.words[words.count], help: isWhole ? command.summary : "")
      if !next.contains(where: { $0.text == word.text }) { next.append(word) }
    }
  }
}

/// The words before the one that is completed.
private struct Line {
  /// Those that are neither options nor their values.
  private(set) var words: [String] = []
  /// The value that comes next, of an option that stands alone.
  private(set) var pending: ValueDeclaration?
  /// Whether nothing that follows is an option.
  private(set) var hasDashes = false
  private let commands: [any Command.Type]

  init(_ line: ArraySlice<String>, _ commands: [any Command.Type]) {
    self.commands = commands
    for word in line {
      if pending != nil {
        pending = nil
      } else if hasDashes || !word.starts(withBytesOf: "-") || word == "-" {
        words.append(word)
      } else if word == "--" {
        hasDashes = true
      } else {
        pending = option(word)?.value
      }
    }
  }

  /// Nil as long as the words do not name a command.
  var command: (any Command.Type)? { commands.first { words.starts(with: $0.words) } }

  var operandCount: Int { words.count - (command?.words.count ?? 0) }

  /// The options that can follow.
  var options: [OptionDeclaration] {
    guard let syntax = command?.syntax else {
      return [CommonOptions.help.declaration]
        + (words.isEmpty ? [Option.flag("version", localized("Show the version.")).declaration] : [])
    }
    return (syntax.options + syntax.commonOptions).map(\.declaration)
  }

  /// An option of the command, or of any if there is none yet.
  func option(_ title: String) -> OptionDeclaration? {
    let all = command.map { [$0] } ?? commands
    return all.lazy.flatMap { $0.syntax.options + $0.syntax.commonOptions }.map(\.declaration).first {
      $0.title == title
    }
  }
}
