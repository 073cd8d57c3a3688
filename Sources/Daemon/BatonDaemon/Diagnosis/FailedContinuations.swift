// SPDX-License-Identifier: Apache-2.0

import Activity
import Handoff

/// The most recent failed continuations of all users: a bounded memory for the doctor.
struct FailedContinuations {
  /// The maximum number of failed continuations that are remembered, of all users. The oldest one of the user with the
  /// most is forgotten first.
  static let rememberedFailures = 32
  /// How long a failed continuation is of interest.
  static let failureMemory = Duration.seconds(10 * 60)

  struct Entry: Equatable {
    let user: UserID
    /// The device where the activity was offered; empty if nobody offered it.
    let device: String
    let reason: Reason
    let time: ContinuousClock.Instant
  }

  private var entries: [Entry] = []

  mutating func add(_ entry: Entry) {
    entries.append(entry)
    guard entries.count > Self.rememberedFailures else { return }
    let counts: [UserID: Int] = entries.reduce(into: [:]) { $0[$1.user, default: 0] += 1 }
    let most = counts.values.max()
    // One user's failures must not displace those of others.
    if let index = entries.firstIndex(where: { counts[$0.user] == most }) { entries.remove(at: index) }
  }

  /// Forgets failures of continuations from the device, because one has succeeded.
  mutating func succeeded(_ user: UserID, _ device: String) {
    entries.removeAll { $0.user == user && $0.device == device }
  }

  /// The user's last failure that is not too old.
  func last(of user: UserID, at now: ContinuousClock.Instant) -> Entry? {
    entries.last { $0.user == user && now - $0.time < Self.failureMemory }
  }
}
