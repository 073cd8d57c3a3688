import Activity

/// Accepts each server name once, and only soon after it was made. So a name that a stranger has recorded reveals
/// nothing.
///
/// Use it on one thread or queue. Several contexts can share it, so that others cannot use the names that this machine
/// sends them as a client.
package final class UsedServerNames {
  /// The nonces of names in the order in which they arrived, and when to forget each.
  private var queue: [(nonce: [UInt8], end: Int64)] = []
  /// Whether only this machine itself may use the name, by nonce.
  private var nonces: [[UInt8]: Bool] = [:]
  private let now: () -> Int64
  private let age: () -> Int64

  /// - Parameters:
  ///   - now: Seconds since 1970.
  ///   - age: For how many seconds names have been remembered. Nil means since this object was made.
  package init(now: @escaping () -> Int64 = { ServerName.now }, age: (() -> Int64)? = nil) {
    self.now = now
    let start = ContinuousClock.now
    self.age = age ?? { start.duration(to: .now).components.seconds }
  }

  /// Whether a name is new, not too old, and not from before names were remembered.
  ///
  /// - Parameters:
  ///   - toleratesClocks: Whether the client's clock may show any time, because a device of the team was met at its
  ///     address.
  ///   - isOwn: Whether the client is on this machine, which may have dialled itself.
  func take(_ name: ServerName.Opened, toleratesClocks: Bool, isOwn: Bool = false) -> Bool {
    let lifetime = Limits.serverNameTime.components.seconds
    let memory = min(lifetime, age() + Limits.serverNameStartTime.components.seconds)
    guard toleratesClocks || (-lifetime...memory).contains(now() - name.time) else { return false }
    forgetExpired()
    guard let isMade = nonces[name.nonce] else {
      remember(name.nonce, isMade: false)
      return true
    }
    nonces[name.nonce] = false
    return isMade && isOwn
  }

  /// Notes that this machine has made a name that any device of the team accepts.
  func made(_ nonce: [UInt8]) {
    forgetExpired()
    remember(nonce, isMade: true)
  }

  private func remember(_ nonce: [UInt8], isMade: Bool) {
    if queue.count >= Limits.usedServerNames { forget(1) }
    nonces[nonce] = isMade
    // After this time, the name is too old, even if its maker's clock was as far ahead as allowed.
    queue.append((nonce, now() + 2 * Limits.serverNameTime.components.seconds + 1))
  }

  private func forgetExpired() {
    let now = now()
    forget(queue.firstIndex { $0.end > now } ?? queue.count)
  }

  private func forget(_ count: Int) {
    for entry in queue.prefix(count) { nonces[entry.nonce] = nil }
    queue.removeFirst(count)
  }
}
