// SPDX-License-Identifier: Apache-2.0

import Activity

@testable import Handoff

/// What local programs and peers do, in any order. Each call is answered once, and no table outgrows its limit.
enum ContinuationFuzzer: Fuzzer {
  static let seeds: [[UInt8]] = [
    // An activity of this machine: its fetch, and more streams than allowed, two of which are accepted.
    event(10, 1, 1) + event(0, 7, 1, 0) + event(22, 1, 9, 3, 7) + repeated(11, event(17, 0)) + event(6, 1) + event(6, 2)
      + event(7, 0),
    // A peer's offer: its continuation here, and more streams than allowed.
    event(10, 1, 0) + event(22, 1, 5, 0, 3, 9) + event(4, 0, 3) + event(17, 0) + repeated(10, event(5, 3))
      + event(17, 0),
    // Adverts, and offers that the session does not confirm.
    event(8, 1, 3, 1, 1, 0, 5) + event(4, 0, 3) + event(10, 1, 0) + [7, 1, 0, 7] + event(9) + event(12, 1),
    // Activities that users open here: one is continued, one is dropped, and one is another user's.
    event(18, 1, 0) + event(4, 0, 1) + event(18, 2, 0) + event(19, 2) + event(4, 0, 2) + event(18, 3, 0)
      + [0, 0, 2, 0, 4, 0, 3],
    // What is sent to a peer, before and in a session: its fetch, another peer's, and one after the device was removed.
    event(20, 1, 0) + event(10, 1, 0) + event(22, 1, 9, 3, 1) + [0, 0, 1, 1] + [22, 1, 9, 3, 1] + event(21)
      + event(22, 1, 9, 3, 1) + repeated(18, event(20, 7, 0)) + event(16, 1) + event(16, 0),
    // More activities than a user may have, while the screen is locked.
    repeated(65, event(0, 7, 1, 0)) + event(15, 1) + event(16, 1) + event(14, 3), Array(0..<255),
  ]

  /// Returns an event that happens immediately, with user 1000 and the first peer.
  private static func event(_ bytes: UInt8...) -> [UInt8] { [0, 0, 1, 0] + bytes }

  private static func repeated(_ count: Int, _ event: [UInt8]) -> [UInt8] {
    Array(repeatElement(event, count: count).joined())
  }

  static let length = 768

  static func run(_ input: [UInt8]) throws {
    var world = ContinuationWorld(input)
    var twin = ContinuationWorld(input)
    while world.step() { hold(twin.step(), "The same events end sooner") }
    world.finish()
    twin.finish()
    same(world.answers, twin.answers, "The same events are answered otherwise")
  }
}

/// Three peers, and the programs of two users and root.
private struct ContinuationWorld {
  /// What a client waits for.
  enum Call { case current, sent, answer, stream }

  private var choices: Choices
  private var machine = ContinuationCore()
  private var time = Time(instant: .now, date: 1_000_000)
  private var wake: ContinuousClock.Instant?
  private var waiting: [ClientID: Call] = [:]
  private var holders: Set<ClientID> = []
  private var lastClient: UInt64 = 0
  private var tokens = ["1"]
  /// Who opened each activity that no program has taken.
  private var opened: [ActivityID: UserID] = [:]
  private(set) var answers = 0
  /// The generations of the present offers, and of all that there were.
  private var present: [OfferID: UInt64] = [:]
  private var generations: Set<UInt64> = []

  private static let peers = [Names.peer(1), Names.peer(2), Names.peer(1, team: Names.otherTeam)]
  private static let users: [UserID] = [0, 1000, 1001]
  private static let teams: [[TeamID: Set<UserID>]] = [
    [Names.team: [1000, 1001], Names.otherTeam: [1001]], [Names.team: [1000]], [Names.otherTeam: [1000, 1001]], [:],
  ]

  init(_ input: [UInt8]) {
    choices = Choices(input)
    handle(.teamsChanged(Self.teams[0]))
  }

  /// - Returns: False if there are no more events.
  mutating func step() -> Bool {
    guard !choices.isOver else { return false }
    advance(.milliseconds(choices.number(below: 8) == 7 ? 2000 : choices.number(below: 2) * 100))
    // Wakes happen when they are due.
    if let wake, wake <= time.instant { handle(.wake) }
    guard let event = event() else { return true }
    if case .clientLeft(let client) = event {
      waiting[client] = nil
      holders.remove(client)
    }
    handle(event)
    return true
  }

  /// Lets time pass, without any other event.
  mutating func finish() {
    for _ in 0..<2000 {
      guard let wake else { break }
      advance(time.instant.duration(to: wake))
      handle(.wake)
    }
    hold(waiting.isEmpty, "\(waiting.count) wait for ever")
  }

  private mutating func advance(_ duration: Duration) {
    time = Time(instant: time.instant + duration, date: time.date + duration / .seconds(1))
  }

  // MARK: Events

  private mutating func client(_ call: Call) -> ClientID {
    lastClient += 1
    waiting[ClientID(lastClient)] = call
    return ClientID(lastClient)
  }

  private mutating func id() -> ActivityID { Names.activity(choices.number(below: 24)) }

  private mutating func record() -> ActivityRecord? {
    guard var record = try? Names.record(choices.number(below: 24)) else { return nil }
    let flags = choices.byte()
    record.supportsContinuationStreams = flags & 1 != 0
    record.needsSave = flags & 2 != 0
    if flags & 4 != 0 { record.expirationDate = time.date + 10 }
    if flags & 8 != 0 { record.userInfo = (try? UserInfo([.string("page"): .integer(Int64(flags))])) ?? .empty }
    return record
  }

  private mutating func event() -> ContinuationCore.Event? {
    let user = choices.pick(Self.users)
    let peer = choices.pick(Self.peers)
    switch choices.number(below: 28) {
    case 0, 1:
      guard let record = record() else { return nil }
      let team = choices.pick([nil, nil, Names.team, Names.otherTeam])
      return .becameCurrent(record, team: team, client: client(.current), user: user)
    case 2: return record().map { .updated($0, client: client(.answer), user: user) }
    case 3: return .resigned(id(), client: client(.answer), user: user)
    case 4:
      let device = choices.pick([nil, peer.device])
      return .continueRequested(id(), from: device, client: client(.answer), user: user)
    case 5: return .streamRequested(id(), client: client(.stream), user: user)
    case 6: return .streamAccepted(token: choices.pick(tokens.suffix(8)), client: client(.stream), user: user)
    case 7:
      let clients = (Array(waiting.keys) + Array(holders)).sorted { $0.number < $1.number }
      return clients.isEmpty ? nil : .clientLeft(choices.pick(clients))
    case 8: return .advertSeen(advert(peer), team: peer.team)
    case 9: return .advertLost(peer)
    case 10, 11:
      let hello = Hello(minimum: 1, maximum: 1, device: "device", epoch: UInt64(choices.byte()), revocations: 0)
      return .sessionReady(peer, hello, isFirst: choices.flag())
    case 12: return .sessionEnded(peer, choices.pick([.sessionIdle, .peerUnreachable, .shuttingDown]))
    case 13: return .connectFailed(peer, .peerUnreachable)
    case 14: return .teamsChanged(choices.pick(Self.teams))
    case 15: return .screensLocked(choices.pick([[], [1000], [1000, 1001]]))
    case 16: return .asleep(choices.flag())
    case 17: return fitting(peer).flatMap { event($0, from: peer) }
    case 18: return record().map { .activityOpened($0, from: .local, client: client(.answer), user: user) }
    case 19: return .activityDropped(id(), user: user)
    case 20: return record().map { .sent($0, to: peer, client: client(.sent), user: user) }
    case 21: return .deviceRemoved(peer)
    default: return message().flatMap { event($0, from: peer) }
    }
  }

  /// - Returns: Nil if another part receives the message.
  private func event(_ message: Message, from peer: PeerID) -> ContinuationCore.Event? {
    switch message {
    case .handoff(let message): .received(message, from: peer)
    case .stream(let message): .receivedOfStream(message, from: peer)
    case .session(.renamed(let renamed)): .renamed(peer, renamed.device)
    case .session, .team, .index: nil
    }
  }

  private mutating func advert(_ peer: PeerID) -> Advert {
    let current = choices.flag() ? record() : nil
    return Advert(
      device: peer.device,
      deviceName: "device",
      epoch: UInt64(choices.byte()),
      counter: choices.flag() ? .max : UInt64(choices.byte()),
      current: current.map { Advert.Current($0, since: UInt32(choices.byte())) },
      time: Int64(time.date) - 900 + 10 * Int64(choices.byte())
    )
  }

  private mutating func message() -> Message? {
    let number = choices.flag() ? UInt64(choices.byte()) : .max
    let stream = UInt32(truncatingIfNeeded: number)
    switch choices.number(below: 11) {
    case 0: return record().map { .handoff(.offer(Offer(activity: $0, counter: number))) }
    case 1: return record().map { .handoff(.offer(Offer(activity: $0, counter: number, isSent: true))) }
    case 2: return .handoff(.withdraw(Withdraw(activity: id(), counter: number)))
    case 3: return .handoff(.fetch(Fetch(request: number, activity: id())))
    case 4: return record().map { .handoff(.payload(Payload(request: number, activity: $0))) }
    case 5: return .handoff(.failure(Failure(request: number, reason: choices.pick(Array(Reason.allCases)))))
    case 6: return .handoff(.continued(Continued(activity: id(), delivered: choices.flag())))
    case 7: return .stream(.open(Open(stream: stream, activity: id())))
    case 8: return .stream(.opened(Opened(stream: stream, limit: number)))
    case 9: return .stream(.reset(Reset(stream: stream, reason: .streamReset)))
    default: return choices.pick(MessageFuzzer.samples)
    }
  }

  /// Returns a message that matches something in progress with the peer, so that things come to an end.
  private mutating func fitting(_ peer: PeerID) -> Message? {
    var fitting: [Message] = []
    for (id, fetch) in machine.fetches.from(peer) {
      guard let request = fetch.request,
        var record = try? ActivityRecord(id: id.activity, activityType: fetch.activityType)
      else { continue }
      record.supportsContinuationStreams = true
      fitting.append(.handoff(.payload(Payload(request: request, activity: record))))
    }
    for activity in Self.users.flatMap({ machine.local.held(by: $0) }) {
      if activity.reservedBy == peer {
        fitting.append(.handoff(.continued(Continued(activity: activity.record.id, delivered: true))))
      } else if activity.continuedBy.contains(peer) {
        let stream = (machine.peers[peer]?.lastOpened ?? 0).addingReportingOverflow(1).partialValue
        fitting.append(.stream(.open(Open(stream: stream, activity: activity.record.id))))
      }
    }
    for stream in machine.openingStreams.with(peer) {
      fitting.append(.stream(.opened(Opened(stream: stream.id.number, limit: 1))))
    }
    let sorted = fitting.sorted { "\($0)" < "\($1)" }
    return sorted.isEmpty ? nil : choices.pick(sorted)
  }

  // MARK: Effects

  private mutating func handle(_ event: ContinuationCore.Event) {
    var effects = machine.handle(event, at: time)
    guard case .wake(let instant)? = effects.popLast() else { fatalError("The last effect of \(event) is no wake") }
    wake = instant
    hold(instant.map { $0 > time.instant } ?? true, "It would be woken without end")
    for effect in effects { take(effect, event) }
    check()
    checkGenerations()
  }

  private mutating func checkGenerations() {
    var present: [OfferID: UInt64] = [:]
    for offer in machine.offers(for: 0) {
      let id = OfferID(peer: offer.peer, activity: offer.activity.id)
      present[id] = offer.generation
      guard self.present[id] != offer.generation else { continue }
      hold(generations.insert(offer.generation).inserted, "\(id) appears with the generation of an earlier offer")
    }
    self.present = present
  }

  private mutating func answer(_ client: ClientID, by calls: Call...) {
    guard let waited = waiting.removeValue(forKey: client), calls.contains(where: { $0 == waited }) else {
      fatalError("\(client) was answered and did not wait for that")
    }
    answers += 1
  }

  private mutating func take(_ effect: ContinuationCore.Effect, _ event: ContinuationCore.Event) {
    switch effect {
    case .tell(let client, .current):
      answer(client, by: .current)
      holders.insert(client)
    case .tell(let client, .sent):
      answer(client, by: .sent)
      holders.insert(client)
    case .tell(let client, let told):
      hold(holders.contains(client), "\(client) holds nothing and was told \(told)")
      if case .streamRequested(let token, _, _) = told { tokens.append(token) }
    case .succeed(let client):
      answer(client, by: .answer)
      if case .activityOpened(let record, _, _, let user) = event { opened[record.id] = user }
    case .deliver(let client, let record, _, _):
      answer(client, by: .answer)
      switch event {
      case .received(.payload(let payload), _): same(record.id, payload.activity.id)
      case .continueRequested(let id, from: nil, _, let user):
        same(record.id, id)
        same(opened.removeValue(forKey: id), user, "It is delivered to a user who did not open it")
      default: fatalError("\(event) delivers something")
      }
    case .fail(let client, _): answer(client, by: .current, .sent, .answer, .stream)
    case .join(let client, let stream, _):
      answer(client, by: .stream)
      hold(machine.peers[stream.peer] != nil, "A stream with a peer that is not known")
    case .send(let message, let peer):
      hold(machine.peers[peer]?.isConnected == true, "\(message) to a peer without a session")
      switch message {
      case .offer(let offer):
        same(offer.activity.userInfo, .empty, "An offer tells what is inside")
        same(offer.isSent, checkRecipient(of: offer.activity.id, peer))
      case .payload(let payload): _ = checkRecipient(of: payload.activity.id, peer)
      default: break
      }
    case .sendOfStream(let message, let peer):
      hold(machine.peers[peer]?.isConnected == true, "\(message) to a peer without a session")
    case .connect(let peer): hold(machine.teams.contains(peer.team), "A peer of another's team is dialled")
    case .announce(let team, _, _): hold(machine.teams.contains(team), "Something is announced to another's team")
    case .wake: fatalError("Two wakes")
    default: break
    }
  }

  /// - Returns: Whether the activity is sent to one device, which must be this one.
  private func checkRecipient(of id: ActivityID, _ peer: PeerID) -> Bool {
    guard let recipient = machine.local[id]?.recipient else { return false }
    same(recipient, peer, "A peer is told of what is sent to another")
    return true
  }

  private func check() {
    for user in Self.users {
      let own = machine.local.held(by: user)
      let offered = own.filter(\.isOffered)
      hold(offered.count { $0.recipient == nil } <= 1, "User \(user) offers several activities")
      let sent = offered.count { $0.recipient != nil }
      hold(sent <= LocalActivities.sentActivitiesPerUser, "User \(user) has sent \(sent) activities")
      hold(own.count <= LocalActivities.activitiesPerUser, "User \(user) holds \(own.count) activities")
      let isOwn = machine.offers(for: user).allSatisfy { machine.mayUse($0.peer.team, user) }
      hold(isOwn, "User \(user) sees another's team")
    }
    for peer in Self.peers {
      let offers = machine.peers[peer]?.offers.count ?? 0
      hold(offers <= Limits.offersPerPeer, "\(offers) offers of one peer")
      hold(machine.fetches.from(peer).count <= Limits.fetchesPerPeer, "Fetches of one peer")
      hold(machine.openingStreams.with(peer).count <= Limits.openingStreamsPerPeer, "Opening streams")
      let waiting = machine.waitingStreams.count(with: peer)
      hold(waiting <= Limits.openingStreamsPerPeer, "\(waiting) streams wait")
    }
    hold(machine.peers.count <= Limits.knownPeers && machine.peers.forgotten.count <= Limits.knownPeers, "Peers")
    let told = Set(machine.teams.all.flatMap { machine.announcements.offers(to: $0) }.map(\.activity.id))
    for user in Self.users {
      let isWithheld = machine.withholding(from: user) != nil
      let kept = machine.local.held(by: user).filter { isWithheld || $0.recipient != nil }
      hold(kept.allSatisfy { !told.contains($0.record.id) }, "What is sent or withheld is offered to all")
    }
    // Every client that waits is listed somewhere, so it will be answered.
    let fetching = Self.peers.flatMap { machine.fetches.from($0).values }.compactMap(\.client)
    let asked = fetching + Self.peers.flatMap { machine.openingStreams.with($0) }.map(\.client)
    hold(asked.count == waiting.count && Set(asked) == Set(waiting.keys), "\(waiting) is not \(asked)")
    hold(waiting.isEmpty || wake != nil, "Nobody will be told")
  }
}
