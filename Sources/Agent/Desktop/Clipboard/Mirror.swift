// SPDX-License-Identifier: Apache-2.0

import Activity

/// Decides what of the desktop's selection other machines are offered, and what of theirs the desktop is given.
///
/// What other machines offer is `offered → described → mirrored`, and is mirrored until it is gone, something newer is
/// there, or a local program takes the selection. What is passed over once is never mirrored.
///
/// A local selection is `selected → published`. It is read only when another machine asks for it, because some can be
/// read once. Only what may be no copy of a person is `selected → measured → published`: a list of addresses, what the
/// desktop's shell sets, which is empty when it locks the screen, and what comes in the moments in which clipboard
/// managers and other mirrors put something back. What a manager says that it has put back is the same copy in other
/// hands.
///
/// Each machine can take the selection as often as people copy (`mirrorRate`), and what was copied here more rarely,
/// and not in the first moments. What comes sooner waits, and the newest of it is mirrored then.
package struct Mirror: Sendable {
  /// How often another machine can take the desktop's selection: at any time, and from a program of this machine.
  /// People copy a few things in a row.
  private static let mirrorRate = TokenBucket.Rate(perSecond: 0.5, burst: 10)
  private static let mirrorOverOwnRate = TokenBucket.Rate(perSecond: 0.1, burst: 4)
  /// For how long what was copied here stays in any case.
  private static let ownSelectionTime = Duration.seconds(2)
  /// How long after something that makes clipboard managers and other mirrors put back what they have, what is selected
  /// is compared with that.
  private static let echoTime = Duration.seconds(5)

  // Checked now: an instant of the clock.

  package typealias Key = CopyTable.Key

  package enum Event: Equatable {
    /// A local program has taken the selection. It has no names if they are not known.
    /// - Parameter sinceRead: How long ago programs have read what another machine offered, which they may offer now.
    case selected(Int, names: [String], sinceRead: Duration? = nil)
    case unselected
    case measured(Int, Measured)
    /// What other machines offer, the newest first.
    /// - Parameter newer: How many of them are newer than what was copied here.
    case offersChanged([Key], newer: Int)
    /// What an offer has; nil if it must not be mirrored.
    case described(Key, CopyInfo?)
    case helperLost
    case wake
  }

  /// What a selection is that was read.
  package enum Measured: Equatable {
    /// It cannot be had, or is too long.
    case unknown
    case empty
    /// A list of files of this machine.
    case files
    /// What is offered already, or was mirrored or offered in the last minutes.
    case known
    /// The same, but not what was mirrored when it was selected.
    case older
    /// Something else. Its length, unless only a list was read.
    case new(size: Int?)
  }

  package enum Effect: Equatable {
    /// Withdraw what was copied on this machine.
    case withdraw
    /// Withdraw it if it is the desktop's selection, which is gone.
    case withdrawSelection
    /// Read the selection in the type with this name.
    case measure(Int, Question)
    case publish(Int, [MediaType], names: [MediaType: String], size: Int?)
    /// What is published has another owner.
    case handOver(Int, names: [MediaType: String])
    /// - Parameter isCompared: It may be what was copied here at the same time.
    case describe(Key, isCompared: Bool)
    case take(Key, CopyInfo)
    case drop
    /// Send `.wake` at this instant, and not at one that was given before.
    case wake(at: ContinuousClock.Instant)
  }

  /// What a selection is read for.
  package enum Question: Equatable {
    /// Whether it is a list of files, in the type with this name.
    case files(name: String)
    /// Whether it is new.
    /// - Parameters:
    ///   - other: A copy that another machine has just made, which this may be.
    ///   - isPutBack: It is what is published, unless other machines have read that and it is something else.
    case new(name: String, other: Key?, isPutBack: Bool)
  }

  private struct Pending {
    let number: Int
    let types: [(type: MediaType, name: String)]
    /// The types of what was published until then, the best first.
    let before: [MediaType]?
    /// What was about to be mirrored then, or had been for a moment.
    let displaced: Key?
  }

  private var secrets = SecretSequence()
  private var pending: Pending?
  private var offers: [Key] = []
  private var passed: Set<Key> = []
  /// What was mirrored once more, in the place of something older.
  private var returned: Key?
  private var describing: Key?
  private(set) package var mirrored: Key?
  /// What is mirrored, or was until a moment ago, is a picture, and until when managers put their own encoding of it in
  /// its place.
  private var isPicture = false
  private var pictureUntil: ContinuousClock.Instant?
  /// When the selection was taken by a local program. Nil if it is not its own.
  private var ownSince: ContinuousClock.Instant?
  /// The types of the selection that is published, and whether it can be read only once.
  private var published: [MediaType]?
  private var isPastedOnce = false
  /// What is selected, or was until the clipboard was empty, is a list of files, and until when managers put the names
  /// of the files in its place as text.
  private var isFiles = false
  private var filesUntil: ContinuousClock.Instant?
  /// When what is published is withdrawn, and when what is mirrored is dropped, unless something takes its place.
  private var withdrawal: ContinuousClock.Instant?
  private var end: ContinuousClock.Instant?
  /// When each offer came, and when something last happened that makes managers put back what they have.
  private var arrivals: [Key: ContinuousClock.Instant] = [:]
  private var lastGap: ContinuousClock.Instant?
  private var rates: [DeviceID: TokenBucket] = [:]
  private var ratesOverOwn: [DeviceID: TokenBucket] = [:]

  package init() {}

  package mutating func handle(_ event: Event, at now: ContinuousClock.Instant) -> [Effect] {
    switch event {
    case .selected(let number, let names, let sinceRead): return select(number, names, sinceRead, now)
    case .unselected:
      (pending, ownSince, lastGap) = (nil, nil, now)
      secrets.unselected(at: now)
      if isFiles { noteFiles(now) }
      // Nothing is copied any more, so what was copied elsewhere before stays passed over. A program that copies
      // something else, or a manager that puts it back, comes soon.
      if published != nil, withdrawal == nil { withdrawal = now + Limits.selectionGap }
      return evaluate(now)
    case .measured(let number, let measured): return finish(number, measured, now)
    case .offersChanged(let keys, let newer):
      // What comes so soon after a secret may be the secret, by way of another mirror.
      if secrets.isRecent(at: now) { passed.formUnion(keys.filter { arrivals[$0] == nil }) }
      arrivals = Dictionary(keys.map { ($0, arrivals[$0] ?? now) }) { first, _ in first }
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
      (mirrored, ownSince, published, withdrawal, end, lastGap) = (key, nil, nil, nil, nil, now)
      isPicture = info.types.first?.isPicture ?? false
      // The local program loses the selection.
      return [.withdrawSelection, .take(key, info)]
    case .helperLost:
      secrets.lost()
      (pending, describing, mirrored, ownSince, published, withdrawal, end) = (nil, nil, nil, nil, nil, nil, nil)
      return [.withdrawSelection]
    case .wake: return evaluate(now)
    }
  }

  private mutating func select(
    _ number: Int,
    _ names: [String],
    _ sinceRead: Duration?,
    _ now: ContinuousClock.Instant
  ) -> [Effect] {
    passed.formUnion(offers)
    let isFresh = lastGap.map { now - $0 < Limits.managerTime } ?? false
    let new = Pending(
      number: number,
      types: SelectionTypes.offered(names),
      before: published,
      displaced: describing ?? (isFresh ? mirrored : nil)
    )
    let (wasSelected, followsSecret) = (secrets.isSelected, secrets.isAfterSecret)
    let hadFiles = filesUntil.map { now < $0 } ?? false
    isFiles = hadFiles
    if SelectionTypes.hasFiles(names) { noteFiles(now) }
    if isPicture, mirrored != nil, let sinceRead, sinceRead < Limits.managerTime {
      pictureUntil = now + Limits.managerTime
    }
    (pending, describing, mirrored, ownSince, published) = (nil, nil, nil, now, nil)
    (withdrawal, end) = (nil, nil)
    // Nothing is read of a secret.
    guard !secrets.selected(names, at: now), let first = new.types.first else { return [.withdraw] }
    if hadFiles { return [.withdraw] }
    if first.type.isPicture, let pictureUntil, now < pictureUntil {
      self.pictureUntil = now + Limits.managerTime
      ownSince = nil
      return []
    }
    let isPutBack = SelectionTypes.isPutBack(names)
    // A manager fills an empty clipboard with something older.
    let isSameType = new.before?.first?.essence == first.type.essence
    if isPutBack, !isSameType, !wasSelected || SelectionTypes.isRefill(names) { return [.withdraw] }
    if let name = SelectionTypes.listName(names) {
      pending = new
      return [.measure(number, .files(name: name))]
    }
    let other = offers.first { key in arrivals[key].map { now - $0 < Self.echoTime } ?? false }
    let isAfterGap = lastGap.map { now - $0 < Self.echoTime } ?? false
    isPastedOnce = SelectionTypes.isPastedOnce(names)
    let mayBeMirrored = sinceRead.map { $0 < Self.echoTime } ?? false
    let isEcho = isPutBack || other != nil || mayBeMirrored || isAfterGap || followsSecret
    guard isEcho || SelectionTypes.isOfShell(names), !isPastedOnce else { return publish(new, nil) }
    pending = new
    return [.measure(number, .new(name: first.name, other: other, isPutBack: isPutBack && isSameType))]
  }

  private mutating func finish(_ number: Int, _ measured: Measured, _ now: ContinuousClock.Instant) -> [Effect] {
    guard let pending, pending.number == number else { return [] }
    self.pending = nil
    return finish(pending, measured, now)
  }

  private mutating func finish(
    _ pending: Pending,
    _ measured: Measured,
    _ now: ContinuousClock.Instant
  ) -> [Effect] {
    switch measured {
    case .files:
      noteFiles(now)
      return [.withdraw]
    case .unknown: return [.withdraw]
    case .empty:
      secrets.unselected(at: now)
      return [.withdraw]
    case .known:
      // It is no copy of a person, so that the next one of another machine need not wait.
      ownSince = nil
      guard let before = pending.before else { return [] }
      guard let first = pending.types.first, let best = before.first, best.essence == first.type.essence else {
        return [.withdrawSelection]
      }
      // Most managers keep only the text, and nobody can be given what is gone.
      let rest = Set(pending.types.map(\.type.essence))
      guard before.allSatisfy({ rest.contains($0.essence) }) else { return publish(pending, nil) }
      published = before
      // The name of text may say its encoding or not.
      let names = Self.names(pending.types).merging([best: first.name]) { own, _ in own }
      return [.handOver(pending.number, names: names)]
    case .older:
      // A manager that is late.
      guard let key = pending.displaced, key != returned, offers.first == key else {
        return finish(pending, .known, now)
      }
      ownSince = nil
      (returned, published) = (key, nil)
      passed.remove(key)
      return evaluate(now)
    case .new(let size): return publish(pending, size)
    }
  }

  private mutating func noteFiles(_ now: ContinuousClock.Instant) {
    (isFiles, filesUntil) = (true, now + Limits.managerTime)
  }

  private mutating func publish(_ pending: Pending, _ size: Int?) -> [Effect] {
    let types = pending.types.map(\.type)
    published = types
    return [.publish(pending.number, types, names: Self.names(pending.types), size: size)]
  }

  private static func names(_ types: [(type: MediaType, name: String)]) -> [MediaType: String] {
    Dictionary(types.map { ($0.type, $0.name) }) { first, _ in first }
  }

  private mutating func evaluate(_ now: ContinuousClock.Instant) -> [Effect] {
    var effects: [Effect] = []
    var early: [ContinuousClock.Instant] = []
    if let withdrawal, withdrawal <= now {
      (self.withdrawal, published) = (nil, nil)
      effects.append(.withdrawSelection)
    }
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
      let isCompared = published != nil && !isPastedOnce && hasCome(newest, soonAfter: ownSince)
      take(newest.deviceID, now)
      describing = newest
      effects.append(.describe(newest, isCompared: isCompared))
    }
    effects += drop(newest, isWaiting: !early.isEmpty, now)
    if let next = (early + [withdrawal, end].compactMap(\.self)).min() { effects.append(.wake(at: next)) }
    return effects
  }

  /// Drops what is mirrored if nothing takes its place for a moment, so that the clipboard is never empty between one
  /// copy and the next. Managers would put something older there.
  private mutating func drop(_ newest: Key?, isWaiting: Bool, _ now: ContinuousClock.Instant) -> [Effect] {
    guard mirrored != nil, newest == nil, !isWaiting else {
      end = nil
      return []
    }
    let end = end ?? now + Limits.selectionGap
    guard end <= now else {
      self.end = end
      return []
    }
    (mirrored, self.end, lastGap) = (nil, nil, now)
    secrets.dropped(at: now)
    return [.drop]
  }

  private func hasCome(_ key: Key, soonAfter date: ContinuousClock.Instant?) -> Bool {
    guard let date, let arrival = arrivals[key] else { return false }
    // Checked: instants of this process.
    return arrival - date < Self.echoTime
  }

  /// When a copy can take the selection.
  private func start(of key: Key, _ now: ContinuousClock.Instant) -> ContinuousClock.Instant {
    let start = rates[key.deviceID]?.ready(at: now) ?? now
    guard let ownSince else { return start }
    // Checked: instants of this process.
    return max(start, ownSince + Self.ownSelectionTime, ratesOverOwn[key.deviceID]?.ready(at: now) ?? now)
  }

  private mutating func take(_ device: DeviceID, _ now: ContinuousClock.Instant) {
    rates = rates.filter { !$0.value.isFull(at: now) }
    rates[device, default: TokenBucket(Self.mirrorRate, at: now)].charge(1, at: now)
    guard ownSince != nil else { return }
    ratesOverOwn = ratesOverOwn.filter { !$0.value.isFull(at: now) }
    ratesOverOwn[device, default: TokenBucket(Self.mirrorOverOwnRate, at: now)].charge(1, at: now)
  }
}
