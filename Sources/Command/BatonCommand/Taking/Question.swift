// SPDX-License-Identifier: Apache-2.0

import Activity
import EventLoop
import Glibc
import Localization

/// A question to the person at the terminal.
enum Question {
  enum Answer<Value> {
    case given(Value)
    /// A line that doesn't answer the question.
    case unclear
    /// The input ended before the person pressed Enter, or the line is too long.
    case ended
  }

  /// In bytes. Names, codes and addresses are shorter.
  private static let lineLength = 1024

  /// Asks a question whose usual answer is yes. Only Enter alone means that answer: a space is unclear.
  static func confirm(_ text: String, _ output: Output) -> Answer<Bool> {
    answer(ask("\(text) [Y/n]", output), decision)
  }

  /// Shows numbered answers, and waits for the number of one.
  ///
  /// - Returns: The index of the answer.
  static func choose(_ text: String, _ answers: [String], _ output: Output) -> Answer<Int> {
    show(text, answers, output)
    return choose(localized("Type a number, or press Enter to cancel:"), of: answers.count, output)
  }

  /// Waits for the number of one of the answers that `show` has shown.
  static func choose(_ prompt: String, of count: Int, _ output: Output) -> Answer<Int> {
    answer(line(prompt, output)) { index($0, of: count) }
  }

  static func show(_ text: String, _ answers: [String], _ output: Output) {
    let lines = answers.enumerated().map { "  \($0.offset + 1)  \($0.element)" }
    output.paragraph(([text] + lines).joined(separator: "\n"))
  }

  /// Asks for one line, without the spaces around it. Nil if the input has ended.
  static func line(_ text: String, _ output: Output) -> String? { ask(text, output).map { String($0.trimmed) } }

  /// Waits for one line, without the spaces around it. Nil if the input has ended.
  static func readLine() -> String? { nextLine().map { String($0.trimmed) } }

  private static func ask(_ text: String, _ output: Output) -> String? {
    discardEarlierInput()
    output.paragraph(text)
    return nextLine()
  }

  private static func nextLine() -> String? {
    guard let line = try? Descriptor.readLine(STDIN_FILENO, limit: lineLength), line.isWhole else {
      // The shell must not run the rest of a line that is too long.
      discardEarlierInput()
      return nil
    }
    return line.text
  }

  /// What was typed before a question is no answer to it.
  static func discardEarlierInput() { _ = tcflush(STDIN_FILENO, TCIFLUSH) }

  /// Whether a line is a yes, as an empty one is, or a no. Nil if it's neither.
  static func decision(_ line: String) -> Bool? {
    // The letters stay the same in all languages, as in apt.
    switch line.lowercased() {
    case "", "y", "yes": true
    case "n", "no": false
    default: nil
    }
  }

  /// The index that a number from 1 stands for.
  static func index(_ line: String, of count: Int) -> Int? {
    guard let number = Int(line), number >= 1, number <= count else { return nil }
    return number - 1
  }

  private static func answer<Value>(_ line: String?, _ value: (String) -> Value?) -> Answer<Value> {
    guard let line else { return .ended }
    return value(line).map(Answer.given) ?? .unclear
  }
}
