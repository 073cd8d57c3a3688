import Activity
import Dispatch
import EventLoop
import Synchronization
import Teams

/// Changes the teams, one change after the other, on a queue of its own. The disk can take seconds for each, and the
/// loop waits for none of them. What depends on a change, such as the answer to who asked for it, comes after it.
///
/// A change finds the files and the memory as the change before it has left them. One that fails has changed nothing,
/// so those after it are made all the same.
@Loop
final class TeamChanges {
  /// The most changes that wait or are being made. Each holds what it writes, which is at most some 100 KiB.
  private static let share = Share(total: 128, perUser: 64, forOthers: 32, forRoot: 8)

  private let store: TeamStore
  private let writing = DispatchQueue(label: "io.baton.Teams.write")
  /// How many changes each user waits for.
  private var waiting: [UserID: Int] = [:]
  private let isStopped = Mutex(false)

  init(_ store: TeamStore) { self.store = store }

  /// How many changes wait or are being made.
  var count: Int { waiting.values.reduce(0, +) }

  /// Makes a change when it is its turn. If the daemon stops before, the change is not made.
  ///
  /// - Parameters:
  ///   - user: The user who waits for it or, if a peer has caused it, the user whose team it is.
  ///   - change: Called on the queue, at most once.
  /// - Returns: What the change returns, once it is on the disk.
  /// - Throws: `limitReached` if too many wait, `shuttingDown`, or what the change throws.
  func make<Success: Sendable>(
    for user: UserID,
    _ change: @escaping @Sendable (TeamStore) throws(Reason) -> Success
  ) async throws(Reason) -> Success {
    guard !isStopped.withLock({ $0 }) else { throw .shuttingDown }
    let own = waiting[user] ?? 0
    guard Self.share.allows(user, own: own, all: count) else { throw .limitReached }
    waiting[user] = own + 1  // Checked: at most `share.total`.
    defer { ended(user) }
    return try await result(of: change).get()
  }

  private func ended(_ user: UserID) {
    guard let own = waiting[user] else { return }
    waiting[user] = own > 1 ? own - 1 : nil
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
