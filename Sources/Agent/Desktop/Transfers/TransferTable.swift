import Activity

/// The transfers of one user, and what happens to them. The agent's `TransferService` performs it.
///
/// Sending: `waiting → running → done`. When a stream breaks, `running → waiting`, and the activity is sent again, so
/// that the receiver can go on. Receiving: `asking → waiting → running → done`, or `waiting` from the start if a rule
/// says so; `running → waiting` when a stream breaks, until the origin sends the activity again. Every state but `done`
/// can become `failed`; a person can make that `waiting` again.
///
/// A question is not kept on the disk, because the origin can make and withdraw any number of them. Each machine has
/// turns (``MachineTurns``): new offers and attempts take one each, and without one, they wait.
package struct TransferTable: Sendable {
  private struct Pause {
    /// Nil while it is tried again.
    var until: Double?
    let length: Double
  }

  private var transfers: [ActivityID: Transfer] = [:]
  /// Those that an attempt runs for, from the effect until it has ended, each with the generation of its offer.
  private var attempts: [ActivityID: Int] = [:]
  private var offers: [ActivityID: Offer] = [:]
  private var questions = Questions()
  /// Those that were forgotten and are still offered.
  private var ignored: Set<ActivityID> = []
  private var turns = MachineTurns()
  /// Receiving: when to try again what broke, and how long the pause was. An offer that appears again ends it.
  private var pauses: [ActivityID: Pause] = [:]
  /// The rule for a machine. It counts for each attempt that begins from now on.
  package var rule: @Sendable (DeviceID) -> Rule

  package init(rule: @escaping @Sendable (DeviceID) -> Rule) { self.rule = rule }

  package subscript(id: ActivityID) -> Transfer? { transfers[id] }

  /// Whether an attempt runs, or is being stopped.
  package func isAttempted(_ id: ActivityID) -> Bool { attempts[id] != nil }

  /// All transfers, the newest first.
  package var all: [Transfer] {
    transfers.values.sorted { ($0.begun, $0.id.bytes.first ?? 0) > ($1.begun, $1.id.bytes.first ?? 0) }
  }

  /// When `.wake` is due next, in seconds since 1970-01-01 00:00:00 UTC.
  package var deadline: Double? {
    let ends = transfers.values.lazy.filter { attempts[$0.id] == nil }.compactMap { transfer -> Double? in
      if transfer.state.isOver { return (transfer.ended ?? 0) + Limits.finishedTransferTime }
      return transfer.state == .waiting ? transfer.expires : nil
    }
    return [ends.min(), pauses.values.lazy.compactMap(\.until).min(), turns.next].compactMap(\.self).min()
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
    case .accepted(let id, let title): return accept(id, title, date)
    case .canceled(let id): return cancel(id, date)
    case .retried(let id): return retry(id, date)
    case .forgotten(let id):
      guard transfers[id]?.state.isOver == true, attempts[id] == nil else { return [] }
      let folder = transfers[id]?.folder
      transfers[id] = nil
      // While it is still offered, it is not met again.
      if offers[id] != nil { ignored.insert(id) }
      return (folder.map { [.discard(id, folder: $0)] } ?? []) + [.erase(id)]
    case .notSent(let id, let failure):
      guard transfers[id]?.direction == .sending else { return [] }
      return end(id, .failed(failure), date) + offerNext(date)
    case .began(let id):
      guard let transfer = transfers[id], !transfer.state.isOver else {
        return [.stop(id, transfers[id]?.reason ?? .withdrawn)]
      }
      if transfer.direction == .sending { attempts[id] = 0 }
      transfers[id]?.state = .running
      return [.save(id)]
    case .measured(let id, let measure):
      transfers[id]?.size = measure.size
      transfers[id]?.count = measure.count
      if transfers[id]?.direction == .receiving { transfers[id]?.received = measure.received }
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
      let generation = attempts.removeValue(forKey: id)
      let effects = end(id, outcome, date) + meetOnceMore(id, generation, date)
      return effects + offerNext(date) + proceedNext(date)
    case .found(let id, let outcome):
      attempts[id] = nil
      // The origin may not know, and may wait for an answer to this offer.
      return end(id, outcome, date) + proceed(id, date) + proceedNext(date)
    case .wake: return expire(date) + offerNext(date) + resume(date) + goOn(date)
    }
  }

  private mutating func restore(_ restored: [Transfer], _ date: Double) -> [Effect] {
    // Whoever asks, asks again.
    let questions = restored.filter { $0.state == .asking }
    for transfer in restored where transfer.state != .asking {
      // What ran when the agent stopped goes on.
      let ran = transfer.state == .running
      transfers[transfer.id] = transfer
      if ran { wait(transfer.id, date) }
    }
    return questions.map { .erase($0.id) } + expire(date) + offerNext(date)
  }

  // MARK: Sending

  /// Sends the activities of the oldest that wait for each machine, as many as it is offered at a time.
  private mutating func offerNext(_ date: Double) -> [Effect] {
    var effects: [Effect] = []
    let waiting = transfers.values.filter { $0.direction == .sending && !$0.state.isOver }.sorted {
      $0.begun < $1.begun
    }
    var shares: [DeviceID: Int] = [:]
    for transfer in waiting {
      guard shares[transfer.deviceID, default: 0] < Limits.offeredTransfersPerDevice else { continue }
      shares[transfer.deviceID, default: 0] += 1
      if offered.insert(transfer.id).inserted { effects.append(.offer(transfer.id)) }
    }
    return effects
  }

  /// Those whose activities are sent.
  private var offered: Set<ActivityID> = []

  private mutating func expire(_ date: Double) -> [Effect] {
    var effects: [Effect] = []
    for transfer in transfers.values where attempts[transfer.id] == nil {
      if transfer.state == .waiting, let expires = transfer.expires, expires <= date {
        effects += end(transfer.id, .failed(.expired), date)
      } else if transfer.state.isOver, (transfer.ended ?? 0) + Limits.finishedTransferTime <= date {
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
      let isNew = earlier[offer.id]?.generation != offer.generation
      effects += meetAgain(known, offer, isNew: isNew, date)
    }
    // What was never accepted goes when the origin takes it back.
    for transfer in transfers.values where transfer.state == .asking && offers[transfer.id] == nil {
      transfers[transfer.id] = nil
      effects.append(.tell(transfer.id))
    }
    return effects
  }

  /// Goes on with the offers of machines that had to wait for a turn.
  private mutating func goOn(_ date: Double) -> [Effect] {
    guard turns.retry() else { return [] }
    return changeOffers(offers.values.sorted { $0.generation < $1.generation }, date)
  }

  /// A transfer that was not offered before. If there is no room for it, it waits.
  private mutating func meet(_ offer: Offer, _ date: Double) -> [Effect] {
    guard !ignored.contains(offer.id) else { return [] }
    let room = room(for: offer.deviceID)
    guard room.exists, turns.take(offer.deviceID, at: date) else { return [] }
    let effects = room.after.map { end($0, .failed(.noRoom), date) } ?? []
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
    if rule == .accept { wait(offer.id, date) }
    if rule == .ask { transfers[offer.id]?.revision = questions.revision(offer.id, from: offer.deviceID, offer.title) }
    let refusal = rule == .refuse ? end(offer.id, .failed(.notAllowed), date) : []
    return effects + (rule == .accept ? [.save(offer.id)] : [.tell(offer.id)]) + refusal + proceed(offer.id, date)
  }

  /// Whether there is room for another one, and which one gives way: the oldest of those that broke off and are no
  /// longer offered.
  private func room(for deviceID: DeviceID) -> (exists: Bool, after: ActivityID?) {
    let all = transfers.values.filter { $0.direction == .receiving && !$0.state.isOver }
    let own = all.filter { $0.deviceID == deviceID }
    let isShareTaken = own.count >= Limits.incomingTransfersPerDevice
    guard isShareTaken || all.count >= Limits.incomingTransfers else { return (true, nil) }
    let left = (isShareTaken ? own : all).filter {
      $0.state == .waiting && offers[$0.id] == nil && attempts[$0.id] == nil
    }
    let oldest = left.min { ($0.expires ?? 0) < ($1.expires ?? 0) }?.id
    return (oldest != nil, oldest)
  }

  /// A transfer that is known.
  ///
  /// - Parameter isNew: Whether its origin offers it once more.
  private mutating func meetAgain(_ known: Transfer, _ offer: Offer, isNew: Bool, _ date: Double) -> [Effect] {
    // Nobody else speaks for a transfer, and our own is not offered to us.
    guard known.direction == .receiving, known.deviceID == offer.deviceID, attempts[offer.id] == nil else { return [] }
    if known.state == .asking, !known.title.hasBytes(of: offer.title) {
      // People are asked about what is offered now.
      transfers[offer.id]?.title = offer.title
      transfers[offer.id]?.revision = questions.revision(offer.id, from: offer.deviceID, offer.title)
      return [.tell(offer.id)]
    }
    guard isNew, known.state == .failed else { return proceed(offer.id, date) }
    switch known.reason?.nextOffer ?? .isRefused {
    case .isRefused: return proceed(offer.id, date)
    case .isNew:
      transfers[offer.id] = nil
      // What failed must not come back with the next start.
      return [.erase(offer.id)] + meet(offer, date)
    case .isTried:
      wait(offer.id, date)
      return [.tell(offer.id)] + proceed(offer.id, date)
    }
  }

  /// The origin may have offered it again during an attempt, because it did not hear how that ended.
  ///
  /// - Parameter generation: That of the offer that the attempt was for.
  private mutating func meetOnceMore(_ id: ActivityID, _ generation: Int?, _ date: Double) -> [Effect] {
    guard let offer = offers[id], let known = transfers[id], offer.generation != generation else { return [] }
    pauses[id] = nil
    return meetAgain(known, offer, isNew: true, date)
  }

  /// Goes on with what is offered.
  private mutating func proceed(_ id: ActivityID, _ date: Double) -> [Effect] {
    guard let transfer = transfers[id], let offer = offers[id], attempts[id] == nil, pauses[id]?.until == nil else {
      return []
    }
    switch transfer.state {
    case .waiting, .running:
      if let effects = judgeAnew(transfer, offer, date) { return effects }
      let running = attempts.keys.compactMap { transfers[$0] }.filter { $0.direction == .receiving }
      guard running.count < Limits.runningTransfers,
        running.count(where: { $0.deviceID == transfer.deviceID }) < Limits.runningTransfersPerDevice
      else { return [] }
      guard turns.take(transfer.deviceID, at: date) else { return [] }
      attempts[id] = offer.generation
      return [.receive(id)]
    case .asking: return []
    // The origin does not know how it ended.
    case .done, .failed:
      guard turns.take(transfer.deviceID, at: date) else { return [] }
      attempts[id] = offer.generation
      return [.answer(id)]
    }
  }

  /// What a rule let in goes on only while a rule does: otherwise a machine could keep a transfer open, and send other
  /// files with it after it was refused. Nil if it goes on.
  private mutating func judgeAnew(_ transfer: Transfer, _ offer: Offer, _ date: Double) -> [Effect]? {
    switch rule(transfer.deviceID) {
    case .refuse: return end(transfer.id, .failed(.notAllowed), date) + proceed(transfer.id, date)
    case .ask where transfer.acceptedTitle == nil:
      transfers[transfer.id]?.state = .asking
      transfers[transfer.id]?.title = offer.title
      transfers[transfer.id]?.revision = questions.revision(transfer.id, from: transfer.deviceID, offer.title)
      return [.erase(transfer.id), .tell(transfer.id)]
    case .ask, .accept: return nil
    }
  }

  /// Goes on with what had to wait for others.
  private mutating func proceedNext(_ date: Double) -> [Effect] {
    let waiting = transfers.values.filter { $0.direction == .receiving && $0.state == .waiting }
    let effects = waiting.sorted { $0.begun < $1.begun }.flatMap { proceed($0.id, date) }
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
      // If the clock was set back, the pause is over, too.
      guard let until = pause.until, until <= date || until - date > pause.length else { continue }
      pauses[id]?.until = nil
      effects += proceed(id, date)
    }
    return effects
  }

  private mutating func accept(_ id: ActivityID, _ title: String, _ date: Double) -> [Effect] {
    guard let transfer = transfers[id], transfer.state == .asking, transfer.title.hasBytes(of: title) else { return [] }
    wait(id, date)
    transfers[id]?.acceptedTitle = title
    return [.save(id)] + proceed(id, date)
  }

  // MARK: Both

  /// It waits for the other machine, but not forever.
  private mutating func wait(_ id: ActivityID, _ date: Double) {
    transfers[id]?.state = .waiting
    transfers[id]?.reason = nil
    transfers[id]?.ended = nil
    let expires = max(transfers[id]?.expires ?? 0, date + Limits.outboxTime)
    transfers[id]?.expires = expires
  }

  private mutating func cancel(_ id: ActivityID, _ date: Double) -> [Effect] {
    guard let transfer = transfers[id], !transfer.state.isOver else { return [] }
    let reason: TransferFailure =
      transfer.direction == .sending ? .withdrawn : transfer.state == .asking ? .declined : .canceled
    return end(id, .failed(reason), date) + proceed(id, date) + offerNext(date)
  }

  private mutating func retry(_ id: ActivityID, _ date: Double) -> [Effect] {
    guard transfers[id]?.state == .failed, attempts[id] == nil else { return [] }
    wait(id, date)
    return [.save(id)] + proceed(id, date) + offerNext(date)
  }

  private mutating func end(_ id: ActivityID, _ outcome: Outcome, _ date: Double) -> [Effect] {
    guard let transfer = transfers[id] else { return [] }
    guard !transfer.state.isOver || transfer.canStillBe(outcome) else { return withdraw(id) }
    var effects: [Effect] = [.save(id)]
    switch outcome {
    case .broken:
      wait(id, date)
      // The receiver needs a new offer, because a daemon that was restarted does not know the old one.
      if transfer.direction == .sending { offered.remove(id) }
      if transfer.direction == .receiving { pause(id, date) }
      return effects
    case .done(let files, let omitted, let omissions):
      transfers[id]?.state = .done
      transfers[id]?.reason = nil
      if transfer.direction == .receiving {
        transfers[id]?.files = files
        // From now on, people are told what is here, whatever the sender called it.
        let title = FilesInfo.title(ofArrived: files, count: transfer.count, size: transfer.received ?? transfer.size)
        if !files.isEmpty { transfers[id]?.title = title }
      }
      transfers[id]?.omitted = omitted == 0 ? nil : omitted
      transfers[id]?.omissions = Array(omissions.prefix(Limits.shownOmissions))
    case .failed(let failure):
      transfers[id]?.state = .failed
      transfers[id]?.reason = failure
      if attempts[id] != nil { effects.append(.stop(id, failure)) }
    }
    transfers[id]?.ended = date
    effects += withdraw(id)
    // From now on, this machine knows that it has everything.
    if transfers[id]?.state == .done, let folder = transfer.folder { effects.append(.discard(id, folder: folder)) }
    return effects + dropOldest()
  }

  /// Takes an offer back. While an attempt runs, the offer stays, so that the receiver is told why it ends.
  private mutating func withdraw(_ id: ActivityID) -> [Effect] {
    guard attempts[id] == nil, offered.remove(id) != nil else { return [] }
    return [.withdraw(id)]
  }

  /// Forgets the oldest of those that are over, of the machine with the most, if there are too many. So no machine
  /// displaces what is known of another one's transfers.
  private mutating func dropOldest() -> [Effect] {
    let over = transfers.values.filter { $0.state.isOver && attempts[$0.id] == nil }
    guard over.count > Limits.finishedTransfers else { return [] }
    let shares = Dictionary(grouping: over, by: \.deviceID).values
    guard let oldest = shares.max(by: { $0.count < $1.count })?.min(by: { ($0.ended ?? 0) < ($1.ended ?? 0) }) else {
      return []
    }
    return handle(.forgotten(oldest.id), at: oldest.ended ?? 0)
  }
}
