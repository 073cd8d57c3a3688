import Activity

/// Takes each server name once, and only soon after it was made: one that a stranger has recorded shows him nothing.
///
/// To be used on one thread or queue, also by several contexts.
package final class UsedServerNames {
  /// The nonces of names in the order in which they came, and until when each is kept.
  private var queue: [(nonce: [UInt8], end: Int64)] = []
  private var nonces: Set<[UInt8]> = []
  private let now: () -> Int64

  /// - Parameter now: Seconds since 1970.
  package init(now: @escaping () -> Int64 = { ServerName.now }) { self.now = now }

  /// Whether a name is new, and no older than it may be.
  ///
  /// - Parameter toleratesClocks: The client's clock may show anything: it comes from where a device of the team was met.
  func take(_ name: ServerName.Opened, toleratesClocks: Bool) -> Bool {
    let now = now()
    let lifetime = Limits.serverNameTime.components.seconds
    guard toleratesClocks || abs(now - name.time) <= lifetime else { return false }
    let expired = queue.firstIndex { $0.end > now } ?? queue.count
    forget(expired)
    guard nonces.insert(name.nonce).inserted else { return false }
    if queue.count >= Limits.usedServerNames { forget(1) }
    // After that the name is too old, if its own clock was as far ahead as it may be.
    queue.append((name.nonce, now + 2 * lifetime + 1))
    return true
  }

  private func forget(_ count: Int) {
    for entry in queue.prefix(count) { nonces.remove(entry.nonce) }
    queue.removeFirst(count)
  }
}
