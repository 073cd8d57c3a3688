// SPDX-License-Identifier: Apache-2.0

import Activity
import ActivityTypes
import EventLoop

/// Describes directories off the loop, because that reads files, and a file server may not answer.
@Loop
final class ShellDocuments {
  /// The time after which an answer is no longer awaited.
  private static let time = Duration.seconds(5)
  /// The maximum number of descriptions that do not answer. Each occupies a thread.
  private static let limit = 4

  private let describe: ShellHost.Describe
  private var unanswered = 0
  private var timer: EventLoop.Timer?
  private var asked: (question: ShellTable.Question, answer: @Loop (DocumentReference?) -> Void)?

  /// - Parameter describe: Describes a directory. It is called on another thread, and may take any time.
  init(describe: @escaping ShellHost.Describe) {
    self.describe = describe
    timer = EventLoop.Timer { [weak self] in self?.finish(nil) }
  }

  /// - Parameter answer: Called once, with nil if the directory is excluded or cannot be described.
  func describe(_ question: ShellTable.Question, answer: @escaping @Loop (DocumentReference?) -> Void) {
    guard unanswered < Self.limit else { return answer(nil) }
    asked = (question, answer)
    unanswered += 1
    timer?.set(Loop.now + Self.time)
    SeparateWork.begin { [describe, weak self] in
      let isExcluded = ExcludedDirectories(question.exclusions).contains(question.directory)
      let document = isExcluded ? nil : describe(question.directory, ProcessEnvironment(question.environment))
      Task { @Loop in self?.answered(question, document) }
    }
  }

  private func answered(_ question: ShellTable.Question, _ document: DocumentReference?) {
    unanswered -= 1
    if asked?.question == question { finish(document) }
  }

  private func finish(_ document: DocumentReference?) {
    timer?.set(nil)
    let answer = asked?.answer
    asked = nil
    answer?(document)
  }
}
