// SPDX-License-Identifier: Apache-2.0

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

  /// Asks a question whose usual answer is yes, until it's answered.
  func confirm(_ question: String) throws -> Bool {
    while true {
      if let answer = try value(of: Question.confirm(question, output)) { return answer }
      output.note(localized("Type y for yes or n for no, or press Ctrl+C to stop."))
    }
  }

  /// Lets the person choose one of several answers, and returns its index.
  func choose(_ question: String, _ answers: [String]) throws -> Int {
    Question.show(question, answers, output)
    while true {
      let prompt = localized("Type a number:")
      if let index = try value(of: Question.choose(prompt, of: answers.count, output)) { return index }
      output.note(localized("Type a number from 1 to \(answers.count), or press Ctrl+C to stop."))
    }
  }

  /// Asks for one line, without the spaces around it.
  func line(_ question: String) throws -> String {
    guard let line = Question.line(question, output) else { throw Stopped() }
    return line
  }

  /// Whether the person has pressed Enter. Waits for it until the deadline.
  func hasEnter(until deadline: ContinuousClock.Instant) throws -> Bool {
    guard Descriptor.wait(STDIN_FILENO, for: POLLIN, until: deadline) else { return false }
    guard Question.readLine() != nil else { throw Stopped() }
    return true
  }

  /// What was typed before a question is no answer to it.
  func discardEarlierInput() { Question.discardEarlierInput() }

  /// Nil if the person answered something else.
  private func value<Value>(of answer: Question.Answer<Value>) throws -> Value? {
    switch answer {
    case .given(let value): value
    case .unclear: nil
    case .ended: throw Stopped()
    }
  }

  /// Lets Ctrl+C end the program with a line about what that means.
  func explainInterruption() {
    guard canAsk else { return }
    Interruption.explain(Self.stopText)
  }
}
