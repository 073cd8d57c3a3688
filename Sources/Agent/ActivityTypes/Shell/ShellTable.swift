// SPDX-License-Identifier: Apache-2.0

import Activity

/// Decides which shell's directory is the user's current activity. `ShellHost` performs it.
///
/// The shell in which the user typed last has the focus, because people type where they look. A terminal that tells its
/// focus can say it earlier. The directory is described outside, one at a time, because that reads files.
package struct ShellTable {
  /// A shell's process ID.
  package typealias Shell = Int32

  /// A directory to describe.
  package struct Question: Hashable, Sendable {
    package let directory: String
    package let exclusions: [String]
    /// The variables of the shell.
    package let environment: [String: String]

    package init(directory: String, exclusions: [String], environment: [String: String] = [:]) {
      (self.directory, self.exclusions, self.environment) = (directory, exclusions, environment)
    }

    // By bytes, because to `String` two ways to write `é` are equal, but they are two directories.
    package static func == (one: Question, other: Question) -> Bool { one.bytes == other.bytes }

    package func hash(into hasher: inout Hasher) { hasher.combine(bytes) }

    private var bytes: [[UInt8]] {
      let variables = environment.map { Array("\($0)=\($1)".utf8) }
      return ([directory] + exclusions).map { Array($0.utf8) } + variables.sorted { $0.lexicographicallyPrecedes($1) }
    }
  }

  /// What is offered.
  package struct Place: Equatable, Sendable {
    package let directory: String
    package let document: DocumentReference
    package let command: String?
    /// The home directory of the shell.
    package let home: String?

    package init(directory: String, document: DocumentReference, command: String?, home: String? = nil) {
      (self.directory, self.document, self.command, self.home) = (directory, document, command, home)
    }

    package static func == (one: Place, other: Place) -> Bool {
      one.directory.hasBytes(of: other.directory) && one.document == other.document && one.command == other.command
        && one.home == other.home
    }
  }

  package enum Event: Sendable {
    /// The shell shows a prompt.
    /// - Parameters:
    ///   - terminal: The number of the shell's terminal.
    ///   - idle: How long ago the user typed there. Nil if nobody knows.
    ///   - othersIdle: The same for the other terminals: the shortest time. Nil if there are none.
    ///   - isBrowserUsed: Whether a browser has the focus, as far as anyone knows.
    case prompted(
      Shell,
      terminal: Int,
      idle: Duration? = nil,
      othersIdle: Duration? = nil,
      isBrowserUsed: Bool = false,
      ShellReport
    )
    /// Another program's activity is current now.
    case displaced
    /// The user looks at this terminal.
    case focused(terminal: Int)
    /// Answers ``Effect/describe(_:)``. Nil: the directory is excluded, or cannot be described.
    case described(Question, DocumentReference?)
    case ended(Shell)
    case wake
  }

  package enum Effect: Equatable, Sendable {
    case describe(Question)
    case publish(Place)
    case withdraw
    /// Send `.wake` at this instant.
    case wake(at: ContinuousClock.Instant)
  }

  private struct Entry {
    let terminal: Int
    let question: Question
    /// Whether the directory is known not to be excluded.
    var isTold = false
    /// The command that may be told with this directory.
    var command: String?
    /// The last command that the shell has written. It writes it again until there is another one.
    let written: String?
    let order: UInt64
  }

  /// The minimum time between two messages to the daemon: an Enter key that is held down repeats 30 times per second.
  package static let pause = Duration.milliseconds(300)
  /// How long a description is good: a commit may be checked out at any time.
  package static let freshness = Duration.seconds(5)

  /// The time after typing in which a prompt is the answer to it, whatever happens elsewhere.
  package static let typingTime = Duration.seconds(16)
  /// The time in which a browser says that it has lost the focus, and a little more.
  package static let focusTime = Duration.seconds(2)
  /// The kernel notes in steps when a terminal was read.
  package static let idleStep = Duration.seconds(8)

  private var lastDisplaced: ContinuousClock.Instant?
  /// Whether another program's activity has been current after a directory. Then how long ago that was counts.
  package var wasDisplaced: Bool { lastDisplaced != nil }
  private var shells: [Shell: Entry] = [:]
  /// The shell that has the focus, as far as anyone knows.
  package private(set) var current: Shell?
  private var lastOrder: UInt64 = 0
  private var describing: Question?
  private var description: (question: Question, document: DocumentReference?, instant: ContinuousClock.Instant)?
  private var published: Place?
  private var lastPublished: ContinuousClock.Instant?
  private var isPaused = false

  package init() {}

  /// - Parameter isHeld: Whether what was published is still the current activity, or becomes it when there is a
  ///   daemon.
  package mutating func handle(_ event: Event, isHeld: Bool, at now: ContinuousClock.Instant) -> [Effect] {
    let wasPublished = published != nil
    if !isHeld { published = nil }
    switch event {
    case .prompted(let shell, let terminal, let idle, let othersIdle, let isBrowserUsed, let report):
      lastOrder += 1
      shells[shell] = entry(of: shell, terminal, report)
      if isBrowserUsed ? idle.map({ $0 <= Self.focusTime }) ?? false : isUsed(idle, othersIdle, now) {
        current = shell
      } else if current == shell, !isHeld {
        current = nil
      }
    case .displaced:
      // Otherwise, it is late news of an offer that was withdrawn.
      guard !isHeld, wasPublished else { return [] }
      lastDisplaced = now
      current = nil
      return []
    case .focused(let terminal):
      guard let shell = shells.filter({ $0.value.terminal == terminal }).max(by: { $0.value.order < $1.value.order })
      else { return [] }
      current = shell.key
    case .described(let question, let document):
      guard question == describing else { return [] }
      describing = nil
      description = (question, document, now)
      for (shell, entry) in shells where entry.question == question {
        shells[shell]?.isTold = document != nil
        if document == nil { shells[shell]?.command = nil }
      }
    case .ended(let shell):
      shells[shell] = nil
      guard shell == current else { return [] }
      current = nil
      return withdraw()
    case .wake: isPaused = false
    }
    return settle(now)
  }

  /// Whether the user is at a terminal that shows a prompt. A long command can end while the user is elsewhere.
  private func isUsed(_ idle: Duration?, _ othersIdle: Duration?, _ now: ContinuousClock.Instant) -> Bool {
    guard let idle, idle > Self.typingTime else { return true }
    let elsewhere = [othersIdle, lastDisplaced.map { now - $0 }].compactMap(\.self).min()
    return elsewhere.map { idle + Self.idleStep < $0 } ?? true
  }

  /// A command was typed where the shell prompted before. It is told only if neither that directory nor the one where
  /// the shell is now is excluded. A command that is not told is not told later either.
  private func entry(of shell: Shell, _ terminal: Int, _ report: ShellReport) -> Entry {
    let question = Question(
      directory: report.directory,
      exclusions: report.exclusions,
      environment: report.environment
    )
    let last = shells[shell]
    let isSamePlace = last?.question == question
    let isNew = report.command != nil && report.command != last?.written
    let command = isNew ? report.command : last?.command
    let known = description?.question == question ? description?.document != nil : nil
    let hasCommand = known != false && (isSamePlace || isNew && last?.isTold == true)
    return Entry(
      terminal: terminal,
      question: question,
      isTold: known ?? (isSamePlace && last?.isTold == true),
      command: hasCommand ? command : nil,
      written: report.command ?? last?.written,
      order: lastOrder
    )
  }

  /// Makes what is offered what it should be.
  private mutating func settle(_ now: ContinuousClock.Instant) -> [Effect] {
    guard let entry = current.flatMap({ shells[$0] }) else { return [] }
    guard let description, description.question == entry.question, now < description.instant + Self.freshness else {
      // What is offered may be a directory that must be withdrawn. The answer comes soon.
      guard describing == nil else { return [] }
      describing = entry.question
      return [.describe(entry.question)]
    }
    guard let document = description.document else { return withdraw() }
    let place = Place(
      directory: entry.question.directory,
      document: document,
      command: entry.command,
      home: entry.question.environment["HOME"]
    )
    guard place != published, !isPaused else { return [] }
    if let lastPublished, now < lastPublished + Self.pause {
      isPaused = true
      return [.wake(at: lastPublished + Self.pause)]
    }
    published = place
    lastPublished = now
    return [.publish(place)]
  }

  private mutating func withdraw() -> [Effect] {
    defer { published = nil }
    return published == nil ? [] : [.withdraw]
  }
}
