import Activity

/// Decides what of the desktop's selection other machines are offered, and what of theirs the desktop is given.
///
/// What other machines offer is `offered → described → mirrored`, and is mirrored until it is gone, something newer is
/// there, or a local program takes the selection. A local selection is `selected → measured → published`; what has no
/// text is only measured if it may be what was mirrored. What is passed over once is never mirrored.
///
/// Each machine can take the selection as often as people copy (`Limits.mirrorRate`), and what was copied here more
/// rarely, and not in the first moments. What comes sooner waits, and the newest of it is mirrored then.
package struct Mirror: Sendable {
  package typealias Key = CopyTable.Key

  package enum Event: Equatable {
    /// A local program has taken the selection. It has no names if they are not known.
    /// - Parameter mayBeMirrored: Programs have read what another machine offered, and may offer that.
    case selected(Int, names: [String], mayBeMirrored: Bool = false)
    case unselected
    /// The length of what was read; nil if it cannot be had, or is too long.
    /// - Parameter isMirrored: It is what another machine offered, so a clipboard manager has copied it.
    case measured(Int, size: Int?, isMirrored: Bool)
    /// What other machines offer, the newest first.
    /// - Parameter newer: How many of them are newer than what was copied here.
    case offersChanged([Key], newer: Int)
    /// What an offer has; nil if it must not be mirrored.
    case described(Key, CopyInfo?)
    case helperLost
    case wake
  }

  package enum Effect: Equatable {
    /// Withdraw what was copied on this machine.
    case withdraw
    /// Withdraw it if it is the desktop's selection, which is gone.
    case withdrawSelection
    /// Read the selection in the type with this name.
    case measure(Int, name: String)
    case publish(Int, [MediaType], names: [MediaType: String], size: Int?)
    case describe(Key)
    case take(Key, CopyInfo)
    case drop
    /// Send `.wake` at this instant, and not at one that was given before.
    case wake(at: ContinuousClock.Instant)
  }

  private struct Pending {
    let number: Int
    let types: [(type: MediaType, name: String)]
  }

  private var secrets = SecretSequence()
  private var pending: Pending?
  private var offers: [Key] = []
  private var passed: Set<Key> = []
  private var describing: Key?
  private(set) package var mirrored: Key?
  /// When the selection was taken by a local program. Nil if it is not its own.
  private var ownSince: ContinuousClock.Instant?
  private var rates: [DeviceID: TokenBucket] = [:]
  private var ratesOverOwn: [DeviceID: TokenBucket] = [:]

  package init() {}

  package mutating func handle(_ event: Event, at now: ContinuousClock.Instant) -> [Effect] {
    switch event {
    case .selected(let number, let names, let mayBeMirrored): return select(number, names, mayBeMirrored, now)
    case .unselected:
      (pending, ownSince) = (nil, nil)
      secrets.unselected(at: now)
      // Nothing is copied any more, so what was copied elsewhere before stays passed over.
      return [.withdrawSelection]
    case .measured(let number, let size, let isMirrored):
      guard let pending, pending.number == number else { return [] }
      self.pending = nil
      if size == 0 {
        secrets.unselected(at: now)
        return [.withdraw]
      }
      if isMirrored { return [] }
      return size.map { publish(pending, $0) } ?? [.withdraw]
    case .offersChanged(let keys, let newer):
      offers = keys
      passed.formIntersection(keys)
      passed.formUnion(keys.dropFirst(newer))
      return evaluate(now)
    case .described(let key, let info):
      guard describing == key else { return [] }
      describing = nil
      guard let info else {
        passed.insert(key)
        return evaluate(now)
      }
      (mirrored, ownSince) = (key, nil)
      // The local program loses the selection.
      return [.withdrawSelection, .take(key, info)]
    case .helperLost:
      secrets.lost()
      (pending, describing, mirrored, ownSince) = (nil, nil, nil, nil)
      return [.withdrawSelection]
    case .wake: return evaluate(now)
    }
  }

  private mutating func select(
    _ number: Int,
    _ names: [String],
    _ mayBeMirrored: Bool,
    _ now: ContinuousClock.Instant
  ) -> [Effect] {
    passed.formUnion(offers)
    (pending, describing, mirrored, ownSince) = (nil, nil, nil, now)
    // Nothing is read of a secret.
    guard !secrets.selected(names, at: now) else { return [.withdraw] }
    let types = SelectionTypes.offered(names)
    guard let first = types.first else { return [.withdraw] }
    let new = Pending(number: number, types: types)
    guard first.type.isText || mayBeMirrored else { return publish(new, nil) }
    pending = new
    return [.measure(number, name: first.name)]
  }

  private func publish(_ pending: Pending, _ size: Int?) -> [Effect] {
    let names = Dictionary(pending.types.map { ($0.type, $0.name) }) { first, _ in first }
    return [.publish(pending.number, pending.types.map(\.type), names: names, size: size)]
  }

  private mutating func evaluate(_ now: ContinuousClock.Instant) -> [Effect] {
    var effects: [Effect] = []
    var early: [ContinuousClock.Instant] = []
    let newest = offers.first { key in
      if passed.contains(key) { return false }
      if key == mirrored || key == describing { return true }
      let start = start(of: key, now)
      if start > now { early.append(start) }
      return start <= now
    }
    if newest == nil || newest == mirrored {
      describing = nil
    } else if let newest, newest != describing {
      take(newest.deviceID, now)
      describing = newest
      effects.append(.describe(newest))
    }
    if mirrored != nil, newest == nil {
      mirrored = nil
      effects.append(.drop)
    }
    if let next = early.min() { effects.append(.wake(at: next)) }
    return effects
  }

  /// When a copy can take the selection.
  private func start(of key: Key, _ now: ContinuousClock.Instant) -> ContinuousClock.Instant {
    let start = rates[key.deviceID]?.ready(at: now) ?? now
    guard let ownSince else { return start }
    // Checked: instants of this process.
    return max(start, ownSince + Limits.ownSelectionTime, ratesOverOwn[key.deviceID]?.ready(at: now) ?? now)
  }

  private mutating func take(_ device: DeviceID, _ now: ContinuousClock.Instant) {
    rates = rates.filter { !$0.value.isFull(at: now) }
    rates[device, default: TokenBucket(Limits.mirrorRate, at: now)].charge(1, at: now)
    guard ownSince != nil else { return }
    ratesOverOwn = ratesOverOwn.filter { !$0.value.isFull(at: now) }
    ratesOverOwn[device, default: TokenBucket(Limits.mirrorOverOwnRate, at: now)].charge(1, at: now)
  }
}
