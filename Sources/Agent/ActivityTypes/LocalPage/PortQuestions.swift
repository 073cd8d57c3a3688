// SPDX-License-Identifier: Apache-2.0

/// The questions that wait for the user's answer: whether the machines of a team may use ports of this machine. All
/// ports that a page needs are one question.
package struct PortQuestions: Sendable {
  package typealias ID = UInt64
  package typealias Entry = PortDecisions.Entry

  package struct Question: Equatable, Sendable {
    /// The ID of the team.
    package let team: String
    /// The name of the machine that asks.
    package let device: String
    /// Those that have no answer yet, at least one, in the page's order. None is added, because the user may be about
    /// to answer.
    package fileprivate(set) var ports: [UInt16]
    fileprivate let end: ContinuousClock.Instant

    package var entries: [Entry] { ports.map { Entry(port: $0, team: team) } }
  }

  package private(set) var all: [ID: Question] = [:]
  private var last: ID = 0

  package init() {}

  /// When the next question is too old; nil if there is none.
  package var end: ContinuousClock.Instant? { all.values.map(\.end).min() }

  package func contains(_ entry: Entry) -> Bool { all.values.contains { $0.entries.contains(entry) } }

  /// - Parameter ports: In the page's order. Those that are part of a question already are left out.
  /// - Returns: The new question's number. Nil if nothing is left, or there are too many questions.
  package mutating func ask(
    _ ports: [UInt16],
    team: String,
    device: String,
    now: ContinuousClock.Instant
  ) -> ID? {
    let ports = ports.filter { !contains(Entry(port: $0, team: team)) }
    guard !ports.isEmpty, all.count < LocalPageLimits.allQuestions,
      all.values.count(where: { $0.device == device }) < LocalPageLimits.questions
    else { return nil }
    last += 1  // Checked: one for each page.
    all[last] = Question(team: team, device: device, ports: ports, end: now.advanced(by: LocalPageLimits.questionTime))
    return last
  }

  /// - Returns: The questions that have changed. Those that are over are no longer in ``all``.
  package mutating func answer(_ entries: [Entry]) -> [ID] {
    let changed = all.filter { !$0.value.entries.filter(entries.contains).isEmpty }.keys.sorted()
    for id in changed {
      guard var question = all[id] else { continue }
      question.ports = question.entries.filter { !entries.contains($0) }.map(\.port)
      all[id] = question.ports.isEmpty ? nil : question
    }
    return changed
  }

  /// - Returns: The questions that were too old.
  package mutating func expire(_ now: ContinuousClock.Instant) -> [ID] {
    let old = all.filter { $0.value.end <= now }.keys.sorted()
    for id in old { all[id] = nil }
    return old
  }
}
