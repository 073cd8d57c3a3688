import Activity

/// The transfers of one user, and what happens to them. The agent's `TransferService` performs it.
///
/// Sending: `waiting → running → done`. When a stream breaks, `running → waiting`, and the activity is sent again, so
/// that the receiver can go on. Receiving: `asking → waiting → running → done`, or `waiting` from the start if a rule
/// says so; `running → waiting` when a stream breaks, until the origin sends the activity again. Every state but `done`
/// can become `failed`; a person can make that `waiting` again.
package struct TransferTable: Sendable {
  /// What the other machines offer of the type.
  package struct Offer: Equatable, Sendable {
    package let id: ActivityID
    package let deviceID: DeviceID
    package let device: String
    package let team: String
    package let title: String
    /// Differs each time the offer appears again.
    package let generation: Int

    package init(id: ActivityID, deviceID: DeviceID, device: String, team: String, title: String, generation: Int) {
      (self.id, self.deviceID, self.device) = (id, deviceID, device)
      (self.team, self.title, self.generation) = (team, title, generation)
    }
  }

  /// How an attempt ended.
  package enum Outcome: Equatable, Sendable {
    /// - Parameters:
    ///   - files: Receiving: file URLs of what has arrived.
    ///   - omissions: Some of what did not.
    case done(files: [String], omitted: Int, omissions: [OmittedFile])
    case failed(TransferFailure)
    /// It can go on through another stream.
    case broken
  }

  package enum Event: Equatable, Sendable {
    /// The agent has started, and has read these.
    case restored([Transfer])
    /// A person sends something.
    case sent(Transfer)
    /// What is offered now.
    case offersChanged([Offer])
    /// A person wants it. It may be offered no longer.
    case accepted(ActivityID)
    /// A person does not want it, or does not want it to go on.
    case canceled(ActivityID)
    /// It failed, and a person wants it to be tried again.
    case retried(ActivityID)
    /// It is over, and nobody needs to know about it any longer.
    case forgotten(ActivityID)
    /// Sending: the daemon does not send the activity.
    case notSent(ActivityID, TransferFailure)
    /// A stream is there.
    case began(ActivityID)
    case measured(ActivityID, size: Int, count: Int)
    /// Receiving: the path of the folder for its files.
    case placed(ActivityID, folder: String)
    /// Sending: what is sent now, for another attempt.
    case described(ActivityID, FilesInfo, title: String)
    case ended(ActivityID, Outcome)
    case wake
  }

  package enum Effect: Equatable, Sendable {
    /// Sending: send its activity (again).
    case offer(ActivityID)
    /// Sending: its activity is not needed any longer.
    case withdraw(ActivityID)
    /// Receiving: continue the activity, and receive the files.
    case receive(ActivityID)
    /// Receiving: tell the origin that it is over: done with nil.
    case answer(ActivityID, TransferFailure?)
    /// End the attempt.
    case stop(ActivityID, TransferFailure)
    /// Receiving: delete what has arrived of it in this folder.
    case discard(ActivityID, folder: String)
    case save(ActivityID)
    case erase(ActivityID)
  }

  private struct Pause {
    /// Nil while it is tried again.
    var until: Double?
    let length: Double
  }

  private var transfers: [ActivityID: Transfer] = [:]
  /// Those that an attempt runs for, from the effect until it has ended.
  private var attempts: Set<ActivityID> = []
  private var offers: [ActivityID: Offer] = [:]
  /// Those that were forgotten and are still offered.
  private var ignored: Set<ActivityID> = []
  /// Receiving: when to try again what broke, and how long the pause was. An offer that appears again ends it.
  private var pauses: [ActivityID: Pause] = [:]
  /// What happens to what a machine offers.
  package enum Rule: Equatable, Sendable {
    case ask
    case accept
    case refuse
  }

  /// The rule for a machine. It counts for what is offered from now on.
  package var rule: @Sendable (DeviceID) -> Rule

  package init(rule: @escaping @Sendable (DeviceID) -> Rule) { self.rule = rule }

  package subscript(id: ActivityID) -> Transfer? { transfers[id] }

  /// All transfers, the newest first.
  package var all: [Transfer] {
    transfers.values.sorted { ($0.begun, $0.id.bytes.first ?? 0) > ($1.begun, $1.id.bytes.first ?? 0) }
  }

  /// When `.wake` is due next, in seconds since 1970-01-01 00:00:00 UTC.
  package var deadline: Double? {
    let ends = transfers.values.lazy.compactMap { transfer -> Double? in
      if transfer.state.isOver { return (transfer.ended ?? 0) + Limits.finishedTransferTime }
      return transfer.direction == .sending && transfer.state == .waiting ? transfer.expires : nil
    }
    return [ends.min(), pauses.values.lazy.compactMap(\.until).min()].compactMap(\.self).min()
  }

  // MARK: Events

  /// - Parameter date: In seconds since 1970-01-01 00:00:00 UTC.
  package mutating func handle(_ event: Event, at date: Double) -> [Effect] {
    switch event {
    case .restored(let transfers): return restore(transfers, date)
    case .sent(let transfer):
      transfers[transfer.id] = transfer
      return [.save(transfer.id)] + offerNext(date)
    case .offersChanged(let offers): return changeOffers(offers, date)
    case .accepted(let id): return accept(id)
    case .canceled(let id): return cancel(id, date)
    case .retried(let id): return retry(id, date)
    case .forgotten(let id):
      guard transfers[id]?.state.isOver == true, !attempts.contains(id) else { return [] }
      let folder = transfers[id]?.folder
      transfers[id] = nil
      // While it is still offered, it is not met again.
      if offers[id] != nil { ignored.insert(id) }
      return (folder.map { [.discard(id, folder: $0)] } ?? []) + [.erase(id)]
    case .notSent(let id, let failure):
      guard transfers[id]?.direction == .sending else { return [] }
      return end(id, .failed(failure), date) + offerNext(date)
    case .began(let id):
      guard let transfer = transfers[id], !transfer.state.isOver else { return [.stop(id, .withdrawn)] }
      attempts.insert(id)
      transfers[id]?.state = .running
      return [.save(id)]
    case .measured(let id, let size, let count):
      transfers[id]?.size = size
      transfers[id]?.count = count
      return []
    case .placed(let id, let folder):
      transfers[id]?.folder = folder
      return [.save(id)]
    case .described(let id, let info, let title):
      guard transfers[id]?.direction == .sending else { return [] }
      transfers[id]?.info = info
      transfers[id]?.title = title
      transfers[id]?.size = info.size
      transfers[id]?.count = info.count
      return [.save(id)]
    case .ended(let id, let outcome):
      attempts.remove(id)
      return end(id, outcome, date) + offerNext(date) + proceedNext(date)
    case .wake: return expire(date) + offerNext(date) + resume(date)
    }
  }

  private mutating func restore(_ restored: [Transfer], _ date: Double) -> [Effect] {
    for var transfer in restored {
      // What ran when the agent stopped goes on.
      if transfer.state == .running { transfer.state = .waiting }
      transfers[transfer.id] = transfer
    }
    return expire(date) + offerNext(date)
  }

  // MARK: Sending

  /// Sends the activities of the oldest that wait, as many as the daemon takes.
  private mutating func offerNext(_ date: Double) -> [Effect] {
    var effects: [Effect] = []
    let waiting = transfers.values.filter { $0.direction == .sending && !$0.state.isOver }.sorted {
      $0.begun < $1.begun
    }
    var shares: [DeviceID: Int] = [:]
    var total = 0
    for transfer in waiting where total < Limits.offeredTransfers {
      guard shares[transfer.deviceID, default: 0] < Limits.offeredTransfersPerDevice else { continue }
      shares[transfer.deviceID, default: 0] += 1
      total += 1
      if offered.insert(transfer.id).inserted { effects.append(.offer(transfer.id)) }
    }
    return effects
  }

  /// Those whose activities are sent.
  private var offered: Set<ActivityID> = []

  private mutating func expire(_ date: Double) -> [Effect] {
    var effects: [Effect] = []
    for transfer in transfers.values {
      if transfer.state == .waiting, transfer.direction == .sending, let expires = transfer.expires, expires <= date {
        effects += end(transfer.id, .failed(.expired), date)
      }
      if transfer.state.isOver, (transfer.ended ?? 0) + Limits.finishedTransferTime <= date {
        effects += handle(.forgotten(transfer.id), at: date)
      }
    }
    return effects
  }

  // MARK: Receiving

  private mutating func changeOffers(_ list: [Offer], _ date: Double) -> [Effect] {
    let earlier = offers
    offers = Dictionary(list.map { ($0.id, $0) }) { first, _ in first }
    ignored.formIntersection(offers.keys)
    for offer in list where earlier[offer.id]?.generation != offer.generation { pauses[offer.id] = nil }
    var effects: [Effect] = []
    for offer in list {
      guard let known = transfers[offer.id] else {
        effects += meet(offer, date)
        continue
      }
      // Nobody else speaks for a transfer, and our own is not offered to us.
      guard known.direction == .receiving, known.deviceID == offer.deviceID else { continue }
      let isNew = earlier[offer.id]?.generation != offer.generation
      effects += isNew && known.state == .failed ? meetAgain(known, offer, date) : proceed(offer.id)
    }
    // What was never accepted goes when the origin takes it back.
    for transfer in transfers.values where transfer.state == .asking && offers[transfer.id] == nil {
      transfers[transfer.id] = nil
      effects.append(.erase(transfer.id))
    }
    return effects
  }

  /// A transfer that was not offered before. If there is no room for it, it waits.
  private mutating func meet(_ offer: Offer, _ date: Double) -> [Effect] {
    guard !ignored.contains(offer.id) else { return [] }
    let own = transfers.values.filter { $0.direction == .receiving && !$0.state.isOver }
    guard own.count < Limits.incomingTransfers,
      own.count(where: { $0.deviceID == offer.deviceID }) < Limits.incomingTransfersPerDevice
    else { return [] }
    let rule = rule(offer.deviceID)
    transfers[offer.id] = Transfer(
      id: offer.id,
      .receiving,
      deviceID: offer.deviceID,
      device: offer.device,
      team: offer.team,
      title: offer.title,
      state: rule == .ask ? .asking : .waiting,
      begun: date
    )
    let refusal = rule == .refuse ? end(offer.id, .failed(.notAllowed), date) : [.save(offer.id)]
    return refusal + proceed(offer.id)
  }

  /// A transfer that failed, and that its origin offers once more.
  private mutating func meetAgain(_ known: Transfer, _ offer: Offer, _ date: Double) -> [Effect] {
    guard !attempts.contains(offer.id) else { return [] }
    switch known.reason?.nextOffer ?? .isRefused {
    case .isRefused: return proceed(offer.id)
    case .isNew:
      transfers[offer.id] = nil
      return meet(offer, date)
    case .isTried:
      transfers[offer.id]?.state = .waiting
      transfers[offer.id]?.reason = nil
      transfers[offer.id]?.ended = nil
      return [.save(offer.id)] + proceed(offer.id)
    }
  }

  /// Goes on with what is offered.
  private mutating func proceed(_ id: ActivityID) -> [Effect] {
    guard let transfer = transfers[id], offers[id] != nil, !attempts.contains(id), pauses[id]?.until == nil else {
      return []
    }
    switch transfer.state {
    case .waiting, .running:
      let running = attempts.compactMap { transfers[$0] }.filter { $0.direction == .receiving }
      guard running.count < Limits.runningTransfers,
        running.count(where: { $0.deviceID == transfer.deviceID }) < Limits.runningTransfersPerDevice
      else { return [] }
      attempts.insert(id)
      return [.receive(id)]
    case .asking: return []
    // The origin does not know how it ended.
    case .done:
      attempts.insert(id)
      return [.answer(id, nil)]
    case .failed:
      attempts.insert(id)
      return [.answer(id, transfer.reason ?? .canceled)]
    }
  }

  /// Goes on with what had to wait for others.
  private mutating func proceedNext(_ date: Double) -> [Effect] {
    let waiting = transfers.values.filter { $0.direction == .receiving && $0.state == .waiting }
    let effects = waiting.sorted { $0.begun < $1.begun }.flatMap { proceed($0.id) }
    let unknown = offers.values.filter { transfers[$0.id] == nil }.sorted { $0.generation < $1.generation }
    return effects + unknown.flatMap { meet($0, date) }
  }

  private mutating func pause(_ id: ActivityID, _ date: Double) {
    let length = min((pauses[id]?.length ?? 0.5) * 2, Limits.longestTransferPause)
    pauses[id] = Pause(until: date + length, length: length)
  }

  private mutating func resume(_ date: Double) -> [Effect] {
    var effects: [Effect] = []
    for (id, pause) in pauses {
      guard let until = pause.until else { continue }
      guard until <= date else { continue }
      pauses[id]?.until = nil
      effects += proceed(id)
    }
    return effects
  }

  private mutating func accept(_ id: ActivityID) -> [Effect] {
    guard transfers[id]?.state == .asking else { return [] }
    transfers[id]?.state = .waiting
    let title = transfers[id]?.title
    transfers[id]?.acceptedTitle = title
    return [.save(id)] + proceed(id)
  }

  // MARK: Both

  private mutating func cancel(_ id: ActivityID, _ date: Double) -> [Effect] {
    guard let transfer = transfers[id], !transfer.state.isOver else { return [] }
    let reason: TransferFailure =
      transfer.direction == .sending ? .withdrawn : transfer.state == .asking ? .declined : .canceled
    let isRunning = attempts.contains(id)
    let effects = end(id, .failed(reason), date)
    if isRunning { return effects + [.stop(id, reason)] }
    return effects + (transfer.direction == .receiving ? proceed(id) : offerNext(date))
  }

  private mutating func retry(_ id: ActivityID, _ date: Double) -> [Effect] {
    guard transfers[id]?.state == .failed, !attempts.contains(id) else { return [] }
    transfers[id]?.state = .waiting
    transfers[id]?.reason = nil
    transfers[id]?.ended = nil
    if transfers[id]?.direction == .sending { transfers[id]?.expires = date + Limits.outboxTime }
    return [.save(id)] + (transfers[id]?.direction == .sending ? offerNext(date) : proceed(id))
  }

  private mutating func end(_ id: ActivityID, _ outcome: Outcome, _ date: Double) -> [Effect] {
    guard let transfer = transfers[id] else { return [] }
    // The last attempt told the other side how a transfer ended.
    guard !transfer.state.isOver else { return [] }
    switch outcome {
    case .broken:
      transfers[id]?.state = .waiting
      // The receiver needs a new offer, because a daemon that was restarted does not know the old one.
      if transfer.direction == .sending { offered.remove(id) }
      if transfer.direction == .receiving { pause(id, date) }
      return [.save(id)]
    case .done(let files, let omitted, let omissions):
      transfers[id]?.state = .done
      if transfer.direction == .receiving { transfers[id]?.files = files }
      transfers[id]?.omitted = omitted == 0 ? nil : omitted
      transfers[id]?.omissions = Array(omissions.prefix(Limits.shownOmissions))
    case .failed(let failure):
      transfers[id]?.state = .failed
      transfers[id]?.reason = failure
    }
    transfers[id]?.ended = date
    var effects: [Effect] = [.save(id)]
    if offered.remove(id) != nil { effects.append(.withdraw(id)) }
    // From now on, this machine knows that it has everything.
    if transfers[id]?.state == .done, let folder = transfer.folder { effects.append(.discard(id, folder: folder)) }
    return effects + dropOldest()
  }

  /// Forgets the oldest of those that are over, of the machine with the most, if there are too many. So no machine
  /// displaces what is known of another one's transfers.
  private mutating func dropOldest() -> [Effect] {
    let over = transfers.values.filter { $0.state.isOver && !attempts.contains($0.id) }
    guard over.count > Limits.finishedTransfers else { return [] }
    let shares = Dictionary(grouping: over, by: \.deviceID).values
    guard let oldest = shares.max(by: { $0.count < $1.count })?.min(by: { ($0.ended ?? 0) < ($1.ended ?? 0) }) else {
      return []
    }
    return handle(.forgotten(oldest.id), at: oldest.ended ?? 0)
  }
}
