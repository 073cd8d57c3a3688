// SPDX-License-Identifier: Apache-2.0

/// What other machines have read of this one, and programs here of others, in the last minutes. Clipboard managers and
/// other mirrors put it back, so that it does not count as new in moments in which they do that.
package struct KnownContents: Sendable {
  /// For how long, and how many, contents that were mirrored or offered are remembered.
  static let knownContentTime = Duration.seconds(300)
  static let knownContents = 64

  // Checked now: an instant of the clock.

  private struct Entry {
    let size: Int
    let sha256: String
    let date: ContinuousClock.Instant
  }

  private var entries: [Entry] = []

  package init() {}

  /// - Parameter sha256: In hexadecimal digits.
  package mutating func insert(size: Int, sha256: String, at now: ContinuousClock.Instant) {
    entries.removeAll { $0.sha256 == sha256 || now - $0.date > Self.knownContentTime }
    entries.append(Entry(size: size, sha256: sha256, date: now))
    // Checked: it grows by one.
    if entries.count > Self.knownContents { entries.removeFirst() }
  }

  package func contains(size: Int, sha256: String, at now: ContinuousClock.Instant) -> Bool {
    entries.contains { $0.size == size && $0.sha256 == sha256 && now - $0.date <= Self.knownContentTime }
  }
}
