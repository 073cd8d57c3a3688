import Activity

/// Takes each server name once, and only soon after it was made: one that a stranger has recorded shows him nothing.
///
/// To be used on one thread or queue, also by several contexts: what this machine says to others as a client they cannot
/// say to it.
package final class UsedServerNames {
  /// The nonces of names in the order in which they came, and until when each is kept.
  private var queue: [(nonce: [UInt8], end: Int64)] = []
  /// Whether nobody but this machine itself may use them.
  private var nonces: [[UInt8]: Bool] = [:]
  private let now: () -> Int64
  private let age: () -> Int64

  /// - Parameters:
  ///   - now: Seconds since 1970.
  ///   - age: For how many seconds names have been remembered; nil for as long as this is there.
  package init(now: @escaping () -> Int64 = { ServerName.now }, age: (() -> Int64)? = nil) {
    self.now = now
    let start = ContinuousClock.now
    self.age = age ?? { start.duration(to: .now).components.seconds }
  }

  /// Whether a name is new, and no older than it may be, or than what is remembered.
  ///
  /// - Parameters:
  ///   - toleratesClocks: The client's clock may show anything: it comes from where a device of the team was met.
  ///   - isOwn: The client is on this machine: it may have dialled itself.
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

  /// This machine says a name that any device of the team takes.
  func made(_ nonce: [UInt8]) {
    forgetExpired()
    remember(nonce, isMade: true)
  }

  private func remember(_ nonce: [UInt8], isMade: Bool) {
    if queue.count >= Limits.usedServerNames { forget(1) }
    nonces[nonce] = isMade
    // After that the name is too old, if its own clock was as far ahead as it may be.
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
