// SPDX-License-Identifier: Apache-2.0

import CSystemd
import Glibc
import Synchronization

/// The log: the journal if systemd connected us to it, otherwise readable lines on standard error.
///
/// Messages are sentences with fixed text and without a period; values that vary are in the fields. Payloads and titles
/// are never logged.
package struct Log: Sendable {
  /// In the journal's order; a lower value is more severe.
  package enum Level: Int32, CaseIterable, Comparable, Sendable {
    /// The daemon cannot do its work.
    case error = 3
    /// Something is wrong that somebody may want to fix.
    case warning = 4
    /// For administrators: it started, it stopped, a machine joined.
    case notice = 5
    /// For users with a question: sessions, continuations.
    case info = 6
    /// For developers: refused strangers, retries.
    case debug = 7

    package var name: String { "\(self)" }

    package init?(name: String) {
      guard let level = Self.allCases.first(where: { $0.name == name }) else { return nil }
      self = level
    }

    package static func < (left: Level, right: Level) -> Bool { left.rawValue < right.rawValue }
  }

  /// All copies share it, so a reload affects everything that logs.
  private final class Threshold: Sendable {
    let rawValue: Atomic<Int32>

    init(_ level: Level) { rawValue = Atomic(level.rawValue) }
  }

  private enum Destination {
    case journal, standardErrorOfJournal, standardError
  }

  private let threshold: Threshold
  private var destination: Destination
  private let identifier: String

  /// The least severe level that is written. All copies share it.
  package var level: Level {
    get { Level(rawValue: threshold.rawValue.load(ordering: .relaxed)) ?? .debug }
    nonmutating set { threshold.rawValue.store(newValue.rawValue, ordering: .relaxed) }
  }

  /// - Parameter identifier: The program's name, for the journal.
  package init(level: Level, identifier: String = "batond") {
    threshold = Threshold(level)
    self.identifier = identifier
    destination = Journal.hasStandardError ? .journal : .standardError
  }

  /// For what a process says before it ends: in the journal, these entries have no fields of their own.
  ///
  /// The journal finds the unit of an entry by the process that sent it. Once that has ended, the entry belongs to no
  /// unit (systemd issue 2913). Whose standard error a line comes from, the journal knows anyway.
  package var lastWords: Log {
    var log = self
    if destination == .journal { log.destination = .standardErrorOfJournal }
    return log
  }

  package func error(_ message: String, _ fields: KeyValuePairs<String, String> = [:]) {
    write(.error, message, fields)
  }
  package func warning(_ message: String, _ fields: KeyValuePairs<String, String> = [:]) {
    write(.warning, message, fields)
  }
  package func notice(_ message: String, _ fields: KeyValuePairs<String, String> = [:]) {
    write(.notice, message, fields)
  }
  package func info(_ message: String, _ fields: KeyValuePairs<String, String> = [:]) { write(.info, message, fields) }
  package func debug(_ message: String, _ fields: KeyValuePairs<String, String> = [:]) {
    write(.debug, message, fields)
  }

  private func write(_ level: Level, _ message: String, _ fields: KeyValuePairs<String, String>) {
    guard level <= self.level else { return }
    let entry = LogEntry(level, message, fields, identifier: identifier)
    switch destination {
    case .journal: Self.send(entry.journalFields)
    // The level as in sd-daemon(3).
    case .standardErrorOfJournal: Self.print("<\(level.rawValue)>\(entry.line)")
    case .standardError:
      let padding = String(repeating: " ", count: 8 - level.name.count)
      Self.print("\(Self.clock()) \(level.name)\(padding)\(entry.line)")
    }
  }

  private static func print(_ line: String) {
    _ = Array("\(line)\n".utf8).withUnsafeBytes { Glibc.write(STDERR_FILENO, $0.baseAddress, $0.count) }
  }

  private static func send(_ entries: [String]) {
    let buffers = entries.map { Array($0.utf8) }
    var vectors: [iovec] = []
    func send(from index: Int) {
      guard index < buffers.count else {
        _ = sd_journal_sendv(vectors, Int32(vectors.count))
        return
      }
      buffers[index].withUnsafeBytes { bytes in
        vectors.append(iovec(iov_base: UnsafeMutableRawPointer(mutating: bytes.baseAddress), iov_len: bytes.count))
        send(from: index + 1)
      }
    }
    send(from: 0)
  }

  private static func clock() -> String {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    var parts = tm()
    localtime_r(&time.tv_sec, &parts)
    func two(_ number: Int32) -> String { number < 10 ? "0\(number)" : "\(number)" }
    let milliseconds = time.tv_nsec / 1_000_000
    let padding = String(repeating: "0", count: 3 - String(milliseconds).count)
    return "\(two(parts.tm_hour)):\(two(parts.tm_min)):\(two(parts.tm_sec)).\(padding)\(milliseconds)"
  }
}
