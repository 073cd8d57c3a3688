// SPDX-License-Identifier: Apache-2.0

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
  private var rows: [ActivityID: Row] = [:]
  private var questions = Questions()
  private var turns = MachineTurns()
  /// The rule for a machine. It counts for each attempt that begins from now on.
  package var rule: @Sendable (DeviceID) -> Rule

  package init(rule: @escaping @Sendable (DeviceID) -> Rule) { self.rule = rule }

  package private(set) subscript(id: ActivityID) -> Transfer? {
    get { rows[id]?.transfer }
    set { self[row: id].transfer = newValue }
  }

  private subscript(row id: ActivityID) -> Row {
    get { rows[id] ?? Row() }
    set { rows[id] = newValue.isEmpty ? nil : newValue }
  }

  private var transfers: [Transfer] { rows.values.compactMap(\.transfer) }

  /// Whether an attempt runs, or is being stopped.
  package func isAttempted(_ id: ActivityID) -> Bool { rows[id]?.attempt != nil }

  /// All transfers, the newest first.
  package var all: [Transfer] {
    transfers.sorted { ($0.begun, $0.id.bytes.first ?? 0) > ($1.begun, $1.id.bytes.first ?? 0) }
  }

  /// When `.wake` is due next, in seconds since 1970-01-01 00:00:00 UTC.
  package var deadline: Double? {
    let ends = rows.values.lazy.filter { $0.attempt == nil }.compactMap(\.transfer?.end)
    return [ends.min(), rows.values.lazy.compactMap(\.pause?.until).min(), turns.next].compactMap(\.self).min()
  }

  // MARK: Events

  /// - Parameter date: In seconds since 1970-01-01 00:00:00 UTC.
  package mutating func handle(_ event: Event, at date: Double) -> [Effect] {
    switch event {
    case .restored(let transfers): return restore(transfers, date)
    case .sent(let transfer):
      self[transfer.id] = transfer
      return [.save(transfer.id)] + offerNext(date)
    case .offersChanged(let offers): return changeOffers(offers, date)
    case .accepted(let id, let title): return accept(id, title, date)
    case .canceled(let id): return cancel(id, date)
    case .retried(let id): return retry(id, date)
    case .forgotten(let id):
      guard let transfer = self[id], transfer.state.isOver, !isAttempted(id) else { return [] }
      // While it is still offered, it is not met again.
      self[row: id].isIgnored = rows[id]?.offer != nil
      self[id] = nil
      return (transfer.folder.map { [.discard(id, folder: $0)] } ?? []) + [.erase(id)]
    case .notSent(let id, let failure):
      guard self[id]?.direction == .sending else { return [] }
      return end(id, .failed(failure), date) + offerNext(date)
    case .began(let id):
      guard let transfer = self[id], !transfer.state.isOver else { return [.stop(id, self[id]?.reason ?? .withdrawn)] }
      if transfer.direction == .sending { self[row: id].attempt = 0 }
      self[id]?.state = .running
      return [.save(id)]
    case .measured(let id, let measure):
      self[id]?.size = measure.size
      self[id]?.count = measure.count
      if self[id]?.direction == .receiving { self[id]?.received = measure.received }
      return []
    case .placed(let id, let folder):
      self[id]?.folder = folder
      return [.save(id)]
    case .described(let id, let info, let title):
      guard self[id]?.direction == .sending else { return [] }
      self[id]?.info = info
      self[id]?.title = title
      self[id]?.size = info.size
      self[id]?.count = info.count
      return [.save(id)]
    case .ended(let id, let outcome):
      let generation = rows[id]?.attempt
      self[row: id].attempt = nil
      let effects = end(id, outcome, date) + meetOnceMore(id, generation, date)
      return effects + offerNext(date) + proceedNext(date)
    case .found(let id, let outcome):
      self[row: id].attempt = nil
      // The origin may not know, and may wait for an answer to this offer.
      return end(id, outcome, date) + proceed(id, date) + proceedNext(date)
    case .wake: return expire(date) + offerNext(date) + resume(date) + goOn(date)
    }
  }

  private mutating func restore(_ restored: [Transfer], _ date: Double) -> [Effect] {
    // Whoever asks, asks again.
    let questions = restored.filter { $0.state == .asking }
    for var transfer in restored where transfer.state != .asking {
      // What ran when the agent stopped goes on.
      if transfer.state == .running { transfer.wait(from: date) }
      self[transfer.id] = transfer
    }
    return questions.map { .erase($0.id) } + expire(date) + offerNext(date)
  }

  // MARK: Sending

  /// Sends the activities of the oldest that wait for each machine, as many as it is offered at a time.
  private mutating func offerNext(_ date: Double) -> [Effect] {
    var effects: [Effect] = []
    let waiting = transfers.filter { $0.direction == .sending && !$0.state.isOver }.sorted { $0.begun < $1.begun }
    var shares: [DeviceID: Int] = [:]
    for transfer in waiting {
      guard shares[transfer.deviceID, default: 0] < Limits.offeredTransfersPerDevice else { continue }
      shares[transfer.deviceID, default: 0] += 1
      guard !self[row: transfer.id].isOffered else { continue }
      self[row: transfer.id].isOffered = true
      effects.append(.offer(transfer.id))
    }
    return effects
  }

  private mutating func expire(_ date: Double) -> [Effect] {
    var effects: [Effect] = []
    for (id, row) in rows where row.attempt == nil {
      guard let transfer = row.transfer, let end = transfer.end, end <= date else { continue }
      effects += transfer.state.isOver ? handle(.forgotten(id), at: date) : self.end(id, .failed(.expired), date)
    }
    return effects
  }

  // MARK: Receiving

  /// Whether an offer may be of the transfer with its ID: nobody else speaks for one, and our own is not offered to us.
  private func isPossible(_ offer: Offer) -> Bool {
    self[offer.id].map { $0.direction == .receiving && $0.deviceID == offer.deviceID } ?? true
  }

  private mutating func changeOffers(_ all: [Offer], _ date: Double) -> [Effect] {
    let list = all.filter(isPossible)
    let earlier = rows.compactMapValues(\.offer?.generation)
    let offers = Dictionary(list.map { ($0.id, $0) }) { first, _ in first }
    for id in Set(earlier.keys).union(offers.keys) { self[row: id].offer = offers[id] }
    for offer in list where earlier[offer.id] != offer.generation { self[row: offer.id].pause = nil }
    var effects: [Effect] = []
    for offer in list {
      let isNew = earlier[offer.id] != offer.generation
      effects += self[offer.id].map { meetAgain($0, offer, isNew: isNew, date) } ?? meet(offer, date)
    }
    // What was never accepted goes when the origin takes it back.
    for (id, row) in rows where row.transfer?.state == .asking && row.offer == nil {
      self[id] = nil
      effects.append(.tell(id))
    }
    return effects
  }

  /// Goes on with the offers of machines that had to wait for a turn.
  private mutating func goOn(_ date: Double) -> [Effect] {
    guard turns.retry() else { return [] }
    return changeOffers(rows.values.compactMap(\.offer).sorted { $0.generation < $1.generation }, date)
  }

  /// A transfer that was not offered before. If there is no room for it, it waits.
  private mutating func meet(_ offer: Offer, _ date: Double) -> [Effect] {
    guard !self[row: offer.id].isIgnored else { return [] }
    let room = room(for: offer.deviceID)
    guard room.exists, turns.take(offer.deviceID, at: date) else { return [] }
    let effects = room.after.map { end($0, .failed(.noRoom), date) } ?? []
    let rule = rule(offer.deviceID)
    var transfer = Transfer(
      id: offer.id,
      .receiving,
      deviceID: offer.deviceID,
      device: offer.device,
      team: offer.team,
      title: offer.title,
      state: rule == .ask ? .asking : .waiting,
      begun: date
    )
    if rule == .accept { transfer.wait(from: date) }
    self[offer.id] = transfer
    if rule == .ask { ask(transfer, offer) }
    let refusal = rule == .refuse ? end(offer.id, .failed(.notAllowed), date) : []
    return effects + (rule == .accept ? [.save(offer.id)] : [.tell(offer.id)]) + refusal + proceed(offer.id, date)
  }

  /// Whether there is room for another one, and which one gives way: the oldest of those that broke off and are no
  /// longer offered.
  private func room(for deviceID: DeviceID) -> (exists: Bool, after: ActivityID?) {
    let all = transfers.filter { $0.direction == .receiving && !$0.state.isOver }
    let own = all.filter { $0.deviceID == deviceID }
    let isShareTaken = own.count >= Limits.incomingTransfersPerDevice
    guard isShareTaken || all.count >= Limits.incomingTransfers else { return (true, nil) }
    let left = (isShareTaken ? own : all).filter {
      $0.state == .waiting && rows[$0.id]?.offer == nil && !isAttempted($0.id)
    }
    let oldest = left.min { ($0.expires ?? 0) < ($1.expires ?? 0) }?.id
    return (oldest != nil, oldest)
  }

  /// A transfer that is known.
  ///
  /// - Parameter isNew: Whether its origin offers it once more.
  private mutating func meetAgain(_ known: Transfer, _ offer: Offer, isNew: Bool, _ date: Double) -> [Effect] {
    // Another machine's offer in the same list may have begun it.
    guard isPossible(offer), !isAttempted(offer.id) else { return [] }
    if known.state == .asking, !known.title.hasBytes(of: offer.title) {
      ask(known, offer)
      return [.tell(offer.id)]
    }
    guard isNew, known.state == .failed else { return proceed(offer.id, date) }
    switch known.reason?.nextOffer ?? .isRefused {
    case .isRefused: return proceed(offer.id, date)
    case .isNew:
      self[offer.id] = nil
      // What failed must not come back with the next start.
      return [.erase(offer.id)] + meet(offer, date)
    case .isTried:
      self[offer.id]?.wait(from: date)
      return [.tell(offer.id)] + proceed(offer.id, date)
    }
  }

  /// The origin may have offered it again during an attempt, because it did not hear how that ended.
  ///
  /// - Parameter generation: That of the offer that the attempt was for.
  private mutating func meetOnceMore(_ id: ActivityID, _ generation: Int?, _ date: Double) -> [Effect] {
    guard let offer = rows[id]?.offer, let known = self[id], offer.generation != generation else { return [] }
    self[row: id].pause = nil
    return meetAgain(known, offer, isNew: true, date)
  }

  /// Goes on with what is offered.
  private mutating func proceed(_ id: ActivityID, _ date: Double) -> [Effect] {
    let row = self[row: id]
    guard let transfer = row.transfer, let offer = row.offer, row.attempt == nil, row.pause?.until == nil else {
      return []
    }
    switch transfer.state {
    case .waiting, .running:
      if let effects = judgeAnew(transfer, offer, date) { return effects }
      let running = transfers.filter { $0.direction == .receiving && isAttempted($0.id) }
      guard running.count < Limits.runningTransfers,
        running.count(where: { $0.deviceID == transfer.deviceID }) < Limits.runningTransfersPerDevice
      else { return [] }
      guard turns.take(transfer.deviceID, at: date) else { return [] }
      self[row: id].attempt = offer.generation
      return [.receive(id)]
    case .asking: return []
    // The origin does not know how it ended.
    case .done, .failed:
      guard turns.take(transfer.deviceID, at: date) else { return [] }
      self[row: id].attempt = offer.generation
      return [.answer(id)]
    }
  }

  /// What a rule let in goes on only while a rule does: otherwise a machine could keep a transfer open, and send other
  /// files with it after it was refused. Nil if it goes on.
  private mutating func judgeAnew(_ transfer: Transfer, _ offer: Offer, _ date: Double) -> [Effect]? {
    switch rule(transfer.deviceID) {
    case .refuse: return end(transfer.id, .failed(.notAllowed), date) + proceed(transfer.id, date)
    case .ask where transfer.acceptedTitle == nil:
      ask(transfer, offer)
      return [.erase(transfer.id), .tell(transfer.id)]
    case .ask, .accept: return nil
    }
  }

  /// People are asked about what is offered now.
  private mutating func ask(_ transfer: Transfer, _ offer: Offer) {
    let revision = questions.revision(transfer.id, from: transfer.deviceID, offer.title)
    self[transfer.id]?.state = .asking
    self[transfer.id]?.title = offer.title
    self[transfer.id]?.revision = revision
  }

  /// Goes on with what had to wait for others.
  private mutating func proceedNext(_ date: Double) -> [Effect] {
    let waiting = transfers.filter { $0.direction == .receiving && $0.state == .waiting }
    let effects = waiting.sorted { $0.begun < $1.begun }.flatMap { proceed($0.id, date) }
    let unknown = rows.values.filter { $0.transfer == nil }.compactMap(\.offer)
    return effects + unknown.sorted { $0.generation < $1.generation }.flatMap { meet($0, date) }
  }

  private mutating func resume(_ date: Double) -> [Effect] {
    var effects: [Effect] = []
    for (id, row) in rows where row.isPauseOver(at: date) {
      self[row: id].pause?.until = nil
      effects += proceed(id, date)
    }
    return effects
  }

  private mutating func accept(_ id: ActivityID, _ title: String, _ date: Double) -> [Effect] {
    guard let transfer = self[id], transfer.state == .asking, transfer.title.hasBytes(of: title) else { return [] }
    self[id]?.wait(from: date)
    self[id]?.acceptedTitle = title
    return [.save(id)] + proceed(id, date)
  }

  // MARK: Both

  private mutating func cancel(_ id: ActivityID, _ date: Double) -> [Effect] {
    guard let transfer = self[id], !transfer.state.isOver else { return [] }
    let reason: TransferFailure =
      transfer.direction == .sending ? .withdrawn : transfer.state == .asking ? .declined : .canceled
    return end(id, .failed(reason), date) + proceed(id, date) + offerNext(date)
  }

  private mutating func retry(_ id: ActivityID, _ date: Double) -> [Effect] {
    guard self[id]?.state == .failed, !isAttempted(id) else { return [] }
    self[id]?.wait(from: date)
    return [.save(id)] + proceed(id, date) + offerNext(date)
  }

  private mutating func end(_ id: ActivityID, _ outcome: Outcome, _ date: Double) -> [Effect] {
    guard var transfer = self[id] else { return [] }
    guard !transfer.state.isOver || transfer.canStillBe(outcome) else { return withdraw(id) }
    var effects: [Effect] = [.save(id)]
    switch outcome {
    case .broken:
      self[id]?.wait(from: date)
      // The receiver needs a new offer, because a daemon that was restarted does not know the old one.
      if transfer.direction == .sending { self[row: id].isOffered = false } else { self[row: id].pause(at: date) }
      return effects
    case .done(let files, let omitted, let omissions):
      transfer.state = .done
      transfer.reason = nil
      if transfer.direction == .receiving {
        transfer.files = files
        // From now on, people are told what is here, whatever the sender called it.
        let title = FilesInfo.title(ofArrived: files, count: transfer.count, size: transfer.received ?? transfer.size)
        if !files.isEmpty { transfer.title = title }
      }
      transfer.omitted = omitted == 0 ? nil : omitted
      transfer.omissions = Array(omissions.prefix(Limits.shownOmissions))
    case .failed(let failure):
      transfer.state = .failed
      transfer.reason = failure
      if isAttempted(id) { effects.append(.stop(id, failure)) }
    }
    transfer.ended = date
    self[id] = transfer
    effects += withdraw(id)
    // From now on, this machine knows that it has everything.
    if transfer.state == .done, let folder = transfer.folder { effects.append(.discard(id, folder: folder)) }
    return effects + dropOldest()
  }

  /// Takes an offer back. While an attempt runs, the offer stays, so that the receiver is told why it ends.
  private mutating func withdraw(_ id: ActivityID) -> [Effect] {
    guard let row = rows[id], row.isOffered, row.attempt == nil else { return [] }
    self[row: id].isOffered = false
    return [.withdraw(id)]
  }

  /// Forgets the oldest of those that are over, of the machine with the most, if there are too many. So no machine
  /// displaces what is known of another one's transfers.
  private mutating func dropOldest() -> [Effect] {
    let over = transfers.filter { $0.state.isOver && !isAttempted($0.id) }
    guard over.count > Limits.finishedTransfers else { return [] }
    let shares = Dictionary(grouping: over, by: \.deviceID).values
    let oldest = shares.max { $0.count < $1.count }?.min { ($0.ended ?? 0) < ($1.ended ?? 0) }
    return oldest.map { handle(.forgotten($0.id), at: $0.ended ?? 0) } ?? []
  }
}
