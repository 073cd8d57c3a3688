import Activity

/// How often each machine can make this one do something: a number of times in a row, and then once in an interval.
struct MachineTurns: Sendable {
  private static let burst = Double(Limits.transferTurns)
  private static let interval = Limits.transferTurnInterval

  /// When each machine has all its turns again, in seconds since 1970-01-01 00:00:00 UTC. Those that have are missing.
  private var full: [DeviceID: Double] = [:]
  /// The machines that had none left.
  private var waiting: Set<DeviceID> = []

  /// When one of those that had to wait has a turn; in the past if it has all of them again. Nil if none waits.
  var next: Double? { waiting.lazy.map { full[$0].map(Self.next) ?? 0 }.min() }

  /// - Returns: Whether the machine had a turn.
  mutating func take(_ device: DeviceID, at date: Double) -> Bool {
    // If the clock was set back, all have theirs.
    full = full.filter { (date...date + Self.interval * Self.burst).contains($0.value) }
    let end = full[device] ?? date
    guard Self.next(end) <= date else {
      waiting.insert(device)
      return false
    }
    full[device] = end + Self.interval
    return true
  }

  /// - Returns: Whether a machine had to wait.
  mutating func retry() -> Bool {
    defer { waiting = [] }
    return !waiting.isEmpty
  }

  /// When there is a turn; in the past if there is one.
  private static func next(_ full: Double) -> Double { full - interval * (burst - 1) }
}
