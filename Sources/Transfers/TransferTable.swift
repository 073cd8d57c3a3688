import Activity

/// The transfers of one user, and what happens to them. The agent's `TransferService` performs it.
///
/// Sending: `waiting → running → done`. When a stream breaks, `running → waiting`, and the activity is sent again, so that
/// the receiver can go on. Receiving: `asking → waiting → running → done`, or `waiting` from the start if a rule says so;
/// `running → waiting` when a stream breaks, until the origin sends the activity again. Every state but `done` can become
/// `failed`; a person can make that `waiting` again.
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
    case done(files: [String], omitted: Int, omissions: [Omission])
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
    /// Receiving: delete what has arrived of it.
    case discard(ActivityID)
    case save(ActivityID)
    case erase(ActivityID)
    /// Send `.wake` at this date.
    case wake(at: Double)
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
  /// Receiving: when to try again what broke, and how long the pause was. An offer that appears again ends it.
  private var pauses: [ActivityID: Pause] = [:]
  /// Whether what this machine's user has not been asked about is accepted.
  private let accepts: @Sendable (Offer) -> Bool

  /// - Parameter accepts: Whether a rule accepts an offer, so that nobody is asked.
  package init(accepts: @escaping @Sendable (Offer) -> Bool) { self.accepts = accepts }

  package subscript(id: ActivityID) -> Transfer? { transfers[id] }

  /// All transfers, the newest first.
  package var all: [Transfer] {
    transfers.values.sorted { ($0.begun, $0.id.bytes.first ?? 0) > ($1.begun, $1.id.bytes.first ?? 0) }
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
      let isReceived = transfers[id]?.direction == .receiving
      transfers[id] = nil
      return (isReceived ? [.discard(id)] : []) + [.erase(id)]
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
    case .ended(let id, let outcome):
      attempts.remove(id)
      return end(id, outcome, date) + offerNext(date) + proceedNext()
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
    let waiting = transfers.values.filter { $0.direction == .sending && !$0.state.isOver }.sorted { $0.begun < $1.begun }
    var shares: [DeviceID: Int] = [:]
    var total = 0
    for transfer in waiting where total < Limits.offeredTransfers {
      guard shares[transfer.deviceID, default: 0] < Limits.offeredTransfersPerDevice else { continue }
      shares[transfer.deviceID, default: 0] += 1
      total += 1
      if offered.insert(transfer.id).inserted { effects.append(.offer(transfer.id)) }
    }
    if let next = waiting.compactMap(\.expires).min() { effects.append(.wake(at: next)) }
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
      if transfer.state.isOver, (transfer.ended ?? 0) + Limits.finishedTransferTime < date {
        effects += handle(.forgotten(transfer.id), at: date)
      }
    }
    return effects
  }

  // MARK: Receiving

  private mutating func changeOffers(_ list: [Offer], _ date: Double) -> [Effect] {
    let earlier = offers
    offers = Dictionary(list.map { ($0.id, $0) }) { first, _ in first }
    for offer in list where earlier[offer.id]?.generation != offer.generation { pauses[offer.id] = nil }
    var effects: [Effect] = []
    for offer in list {
      guard let known = transfers[offer.id] else {
        effects += meet(offer, date)
        continue
      }
      // Nobody else speaks for a transfer, and our own is not offered to us.
      guard known.direction == .receiving, known.deviceID == offer.deviceID else { continue }
      effects += proceed(offer.id)
    }
    // What was never accepted goes when the origin takes it back.
    for transfer in transfers.values where transfer.state == .asking && offers[transfer.id] == nil {
      transfers[transfer.id] = nil
      effects.append(.erase(transfer.id))
    }
    return effects
  }

  /// A transfer that was not offered before.
  private mutating func meet(_ offer: Offer, _ date: Double) -> [Effect] {
    let own = transfers.values.filter { $0.direction == .receiving && !$0.state.isOver }
    guard own.count < Limits.incomingTransfers,
      own.count(where: { $0.deviceID == offer.deviceID }) < Limits.incomingTransfersPerDevice
    else { return [] }
    let isAccepted = accepts(offer)
    transfers[offer.id] = Transfer(
      id: offer.id,
      .receiving,
      deviceID: offer.deviceID,
      device: offer.device,
      team: offer.team,
      title: offer.title,
      state: isAccepted ? .waiting : .asking,
      begun: date
    )
    return [.save(offer.id)] + proceed(offer.id)
  }

  /// Goes on with what is offered.
  private mutating func proceed(_ id: ActivityID) -> [Effect] {
    guard let transfer = transfers[id], offers[id] != nil, !attempts.contains(id), pauses[id]?.until == nil else { return [] }
    switch transfer.state {
    case .waiting, .running:
      guard attempts.count < Limits.runningTransfers else { return [] }
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
  private mutating func proceedNext() -> [Effect] {
    let waiting = transfers.values.filter { $0.direction == .receiving && $0.state == .waiting }
    return waiting.sorted { $0.begun < $1.begun }.flatMap { proceed($0.id) }
  }

  private mutating func pause(_ id: ActivityID, _ date: Double) -> [Effect] {
    let length = min((pauses[id]?.length ?? 0.5) * 2, Limits.longestTransferPause)
    pauses[id] = Pause(until: date + length, length: length)
    return [.wake(at: date + length)]
  }

  private mutating func resume(_ date: Double) -> [Effect] {
    var effects: [Effect] = []
    for (id, pause) in pauses {
      guard let until = pause.until else { continue }
      if until > date {
        effects.append(.wake(at: until))
      } else {
        pauses[id]?.until = nil
        effects += proceed(id)
      }
    }
    return effects
  }

  private mutating func accept(_ id: ActivityID) -> [Effect] {
    guard transfers[id]?.state == .asking else { return [] }
    transfers[id]?.state = .waiting
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
    transfers[id]?.expires = nil
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
      return [.save(id)] + (transfer.direction == .receiving ? pause(id, date) : [])
    case .done(let files, let omitted, let omissions):
      transfers[id]?.state = .done
      if transfer.direction == .receiving { transfers[id]?.files = files }
      transfers[id]?.omitted = omitted == 0 ? nil : omitted
      transfers[id]?.omissions = omissions.prefix(Limits.shownOmissions).map(OmittedFile.init)
    case .failed(let failure):
      transfers[id]?.state = .failed
      transfers[id]?.reason = failure
    }
    transfers[id]?.ended = date
    var effects: [Effect] = [.save(id)]
    if offered.remove(id) != nil { effects.append(.withdraw(id)) }
    // From now on, this machine knows that it has everything.
    if transfers[id]?.state == .done, transfer.direction == .receiving { effects.append(.discard(id)) }
    return effects + dropOldest()
  }

  /// Forgets the oldest of those that are over, if there are too many.
  private mutating func dropOldest() -> [Effect] {
    let over = transfers.values.filter { $0.state.isOver && !attempts.contains($0.id) }
    guard over.count > Limits.finishedTransfers, let oldest = over.min(by: { ($0.ended ?? 0) < ($1.ended ?? 0) }) else {
      return []
    }
    return handle(.forgotten(oldest.id), at: oldest.ended ?? 0)
  }
}
