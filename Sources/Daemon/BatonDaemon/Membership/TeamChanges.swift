// SPDX-License-Identifier: Apache-2.0

import Activity
import Dispatch
import EventLoop
import Handoff
import Synchronization
import Teams

/// Changes the teams, one change after the other, on a queue of its own. The disk can take seconds for each, and the
/// loop waits for none of them. What depends on a change, such as the answer to who asked for it, comes after it.
///
/// A change finds the files and the memory as the change before it has left them. One that fails has changed nothing,
/// so those after it are made all the same.
@Loop
final class TeamChanges {
  /// Who has caused a change, and waits for it.
  enum Cause: Hashable {
    /// A call of this user.
    case user(UserID)
    /// A message of this peer.
    case peer(PeerID)
    /// Time, or a machine that joins.
    case daemon
  }

  /// The most changes of users that wait or are being made. Each holds what it writes, which is at most some 100 KiB.
  private static let share = Share(total: 128, perUser: 64, forOthers: 32, forRoot: 8)
  /// The most that one peer causes, and all of them. They take nothing from users. An administrator's machine tells in
  /// many messages which devices it has admitted.
  nonisolated static let peerLimits = (each: 64, all: 128)
  /// The most that the daemon causes.
  private static let ownLimit = 64

  private let store: TeamStore
  private let writing = DispatchQueue(label: "io.baton.Teams.write")
  /// How many changes wait for each cause.
  private var waiting: [Cause: Int] = [:]
  private let isStopped = Mutex(false)

  init(_ store: TeamStore) { self.store = store }

  /// How many changes wait or are being made.
  var count: Int { waiting.values.reduce(0, +) }

  /// Makes a change when it is its turn. If the daemon stops before, the change is not made.
  ///
  /// - Parameters:
  ///   - cause: Who waits for it.
  ///   - change: Called on the queue, at most once.
  /// - Returns: What the change returns, once it is on the disk.
  /// - Throws: `limitReached` if too many wait, `shuttingDown`, or what the change throws.
  func make<Success: Sendable>(
    for cause: Cause,
    _ change: @escaping @Sendable (TeamStore) throws(Reason) -> Success
  ) async throws(Reason) -> Success {
    guard !isStopped.withLock({ $0 }) else { throw .shuttingDown }
    let own = waiting[cause] ?? 0
    guard allows(cause, own) else { throw .limitReached }
    waiting[cause] = own + 1  // Checked: below the limit.
    defer { ended(cause) }
    return try await result(of: change).get()
  }

  private func allows(_ cause: Cause, _ own: Int) -> Bool {
    switch cause {
    case .user(let user):
      let all = waiting.reduce(0) { if case .user = $1.key { $0 + $1.value } else { $0 } }
      return Self.share.allows(user, own: own, all: all)
    case .peer:
      let all = waiting.reduce(0) { if case .peer = $1.key { $0 + $1.value } else { $0 } }
      return own < Self.peerLimits.each && all < Self.peerLimits.all
    case .daemon: return own < Self.ownLimit
    }
  }

  private func ended(_ cause: Cause) {
    guard let own = waiting[cause] else { return }
    waiting[cause] = own > 1 ? own - 1 : nil
  }

  private func result<Success: Sendable>(
    of change: @escaping @Sendable (TeamStore) throws(Reason) -> Success
  ) async -> Result<Success, Reason> {
    await withCheckedContinuation { continuation in
      writing.async { [self] in
        guard !isStopped.withLock({ $0 }) else { return continuation.resume(returning: .failure(.shuttingDown)) }
        continuation.resume(returning: Result { () throws(Reason) in try change(store) })
      }
    }
  }

  /// Refuses the changes that wait, and makes a last one after the one that is being made now.
  ///
  /// - Parameter completion: Called once, when everything that was changed is on the disk, and after those who waited
  ///   for it have gone on.
  func finish(_ last: @escaping @Sendable (TeamStore) -> Void, completion: @escaping @Loop () -> Void) {
    isStopped.withLock { $0 = true }
    writing.async { [store] in
      last(store)
      Task { @Loop in completion() }
    }
  }
}
