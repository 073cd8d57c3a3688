// SPDX-License-Identifier: Apache-2.0

import Activity
import EventLoop
import Glibc
import Localization

/// A question to the person at the terminal.
enum Question {
  private static let lineLength = 64

  /// Whether the answer is yes. An empty line is one.
  static func isAccepted(_ text: String, _ output: Output) -> Bool {
    discardEarlierInput()
    output.note("\(text) [Y/n]")
    guard let answer = readAnswer() else { return false }
    return ["", "y", "yes"].contains(answer.lowercased())
  }

  /// Shows numbered answers, and waits for one.
  ///
  /// - Returns: The index of the answer. Nil if the person gives none, or another one.
  static func ask(_ text: String, _ answers: [String], _ output: Output) -> Int? {
    discardEarlierInput()
    let lines = answers.enumerated().map { "  \($0.offset + 1)  \($0.element)" }
    output.note(([text] + lines + [localized("Type a number, or press Enter to cancel:")]).joined(separator: "\n"))
    return readAnswer().flatMap { answer($0, of: answers.count) }
  }

  /// What was typed before the question is no answer to it.
  private static func discardEarlierInput() { _ = tcflush(STDIN_FILENO, TCIFLUSH) }

  /// Nil if the input ends before the person presses Enter.
  private static func readAnswer() -> String? {
    guard let line = try? Descriptor.readLine(STDIN_FILENO, limit: lineLength), line.isWhole else { return nil }
    return line.text
  }

  /// The index that a number from 1 stands for.
  static func answer(_ line: String, of count: Int) -> Int? {
    guard let number = Int(line.trimmed), number >= 1, number <= count else { return nil }
    return number - 1
  }
}
