// SPDX-License-Identifier: Apache-2.0

import Activity
import CommandLineOptions
import EventLoop
import Glibc
import Localization

/// The questions of a guided setup. Programs (`--json`) and people in a hurry (`--yes`) are asked none.
struct SetupDialogue {
  /// The person ended the input instead of answering.
  struct Stopped: Error {}

  static var stopText: String {
    localized("Stopped. Nothing was left half done. To carry on, run `baton setup` again.")
  }

  private static let lineLength = 1024

  let output: Output
  /// Whether changes that are safe are made without a question.
  let isConfirmed: Bool
  /// Whether there is a person to ask.
  let canAsk: Bool

  /// - Throws: `UsageError` if there is neither a terminal nor an option that replaces it.
  init(isConfirmed: Bool, _ output: Output, hint: String) throws(UsageError) {
    self.output = output
    self.isConfirmed = isConfirmed
    canAsk = !isConfirmed && !output.isJSON
    guard !canAsk || isatty(STDIN_FILENO) != 0 else {
      throw UsageError(
        localized(
          "Can't ask questions without a terminal. Add '--yes' to answer them in advance, or '--json' for a report."
        ),
        hint: hint
      )
    }
  }

  /// Whether to make a change that is safe, and easy to undo.
  func allows(_ question: String) throws -> Bool { try canAsk ? confirm(question) : isConfirmed }

  /// Asks a question whose usual answer is yes.
  func confirm(_ question: String) throws -> Bool {
    while true {
      let answer = try line("\(question) [Y/n]").lowercased()
      // The letters stay the same in all languages, as in apt.
      if ["", "y", "yes"].contains(answer) { return true }
      if ["n", "no"].contains(answer) { return false }
      output.note(localized("Type y for yes or n for no, or press Ctrl+C to stop."))
    }
  }

  /// Lets the person choose one of several answers, and returns its index.
  func choose(_ question: String, _ answers: [String]) throws -> Int {
    let lines = answers.enumerated().map { "  \($0.offset + 1)  \($0.element)" }
    output.note(([question] + lines).joined(separator: "\n"))
    while true {
      let text = try line(localized("Type a number:"))
      if let index = Question.answer(text, of: answers.count) { return index }
      output.note(localized("Type a number from 1 to \(answers.count), or press Ctrl+C to stop."))
    }
  }

  /// Asks for one line, without the spaces around it.
  func line(_ question: String) throws -> String {
    discardEarlierInput()
    output.note(question)
    return String(try readLine().trimmed)
  }

  /// Whether the person has pressed Enter. Waits for it until the deadline.
  func hasEnter(until deadline: ContinuousClock.Instant) throws -> Bool {
    guard Descriptor.wait(STDIN_FILENO, for: POLLIN, until: deadline) else { return false }
    _ = try readLine()
    return true
  }

  /// What was typed before a question is no answer to it.
  func discardEarlierInput() { _ = tcflush(STDIN_FILENO, TCIFLUSH) }

  private func readLine() throws -> String {
    guard let line = try? Descriptor.readLine(STDIN_FILENO, limit: Self.lineLength), line.isWhole else {
      // The shell must not run the rest of a line that is too long.
      discardEarlierInput()
      throw Stopped()
    }
    return line.text
  }

  /// Lets Ctrl+C end the program with a line about what that means.
  func explainInterruption() {
    guard canAsk else { return }
    Interruption.explain(Self.stopText)
  }
}
