// SPDX-License-Identifier: Apache-2.0

import Activity
import SeededGenerator
import Testing

@testable import Handoff

/// Random events from three peers, and from the programs of two users and of root. They are the same in each run. With
/// SWIFT_DETERMINISTIC_HASHING=1, even the effects come in the same order.
private struct Fuzz {
  /// What a client waits for.
  enum Call { case current, sent, answer, stream }

  var generator: SeededGenerator
  var machine = Machine(teams: [Names.team: [1000, 1001], Names.otherTeam: [1001]])
  /// Clients that made a call, have not been answered and have not left.
  var waiting: [ClientID: Call] = [:]
  /// Programs that hold an activity.
  var holders: Set<ClientID> = []
  var lastClient: UInt64 = 0
  var steps = 0
  var answers = 0
  var counts: [String: Int] = [:]
  /// Requests that were sent and tokens that were given out, so that some answers match.
  var requests: [UInt64] = [1]
  var tokens: [String] = ["1"]
  var streams: [UInt32] = [1, 2]
  /// The generations of the present offers, and of all that there were.
  var present: [OfferID: UInt64] = [:]
  var generations: Set<UInt64> = []

  static let peers = [Names.desktop, Names.tablet, Names.stranger]
  static let users: [UserID] = [0, 1000, 1001]

  init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

  private mutating func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &generator) }

  private mutating func pick<T>(_ values: [T]) -> T { values[number(0...values.count - 1)] }

  private mutating func record() -> ActivityRecord {
    let streams = Bool.random(using: &generator)
    let needsSave = Bool.random(using: &generator)
    let expiration = [nil, nil, machine.time.date + Double(number(-1...20))][number(0...2)]
    let state = number(0...3)
    return Names.record(UInt64(number(1...24))) {
      $0.supportsContinuationStreams = streams
      $0.needsSave = needsSave
      $0.expirationDate = expiration
      if state > 0 { $0.userInfo = Names.state(Int64(state)) }
    }
  }

  private mutating func client(_ call: Call) -> ClientID {
    lastClient += 1
    let client = ClientID(lastClient)
    waiting[client] = call
    return client
  }

  /// Returns a message that matches something in progress with the peer, so that things come to an end.
  private mutating func fitting(_ peer: PeerID) -> ContinuationCore.Event? {
    let continuation = machine.continuation
    let local = Self.users.flatMap { continuation.local.held(by: $0) }.sorted { $0.order < $1.order }
    var choices: [ContinuationCore.Event] = []
    for (id, fetch) in continuation.fetches.from(peer).sorted(by: { $0.value.deadline < $1.value.deadline }) {
      guard let request = fetch.request else { continue }
      choices.append(
        .received(.payload(Payload(request: request, activity: Names.rich(UInt64(id.activity.bytes[7])))), from: peer)
      )
    }
    for activity in local where activity.reservedBy == peer {
      choices.append(.received(.continued(Continued(activity: activity.record.id, delivered: true)), from: peer))
    }
    for activity in local where activity.continuedBy.contains(peer) {
      let stream = (continuation.peers[peer]?.lastOpened ?? 0) + 1
      choices.append(.receivedOfStream(.open(Open(stream: stream, activity: activity.record.id)), from: peer))
    }
    for stream in Self.peers.flatMap({ continuation.openingStreams.with($0) }).map(\.id.number).sorted() {
      choices.append(.receivedOfStream(.opened(Opened(stream: stream, limit: 1)), from: peer))
    }
    return choices.isEmpty ? nil : pick(choices)
  }

  private mutating func message(from peer: PeerID) -> ContinuationCore.Event {
    let id = Names.id(UInt64(number(1...24)))
    let request = pick(requests.suffix(8))
    let stream = Bool.random(using: &generator) ? pick(streams.suffix(8)) : UInt32(number(0...40))
    switch number(0...12) {
    case 0, 1:
      let isSent = Bool.random(using: &generator)
      return .received(.offer(Offer(activity: record(), counter: UInt64(number(1...50)), isSent: isSent)), from: peer)
    case 2: return .received(.withdraw(Withdraw(activity: id, counter: UInt64(number(1...50)))), from: peer)
    case 3, 4: return .received(.fetch(Fetch(request: request, activity: id)), from: peer)
    case 5, 6: return .received(.payload(Payload(request: request, activity: record())), from: peer)
    case 7: return .received(.failure(Failure(request: request, reason: pick(Array(Reason.allCases)))), from: peer)
    case 8: return .received(.continued(Continued(activity: id, delivered: .random(using: &generator))), from: peer)
    case 9: return .receivedOfStream(.open(Open(stream: stream, activity: id)), from: peer)
    case 10: return .receivedOfStream(.opened(Opened(stream: stream, limit: generator.next())), from: peer)
    case 11: return .receivedOfStream(.reset(Reset(stream: stream, reason: .streamReset)), from: peer)
    default:
      let progress = StreamFlow.Progress(received: 1, limit: 1)
      return pick([
        .receivedOfStream(.finish(Finish(stream: stream, length: 1)), from: peer),
        .receivedOfStream(.acknowledge(Acknowledge(stream: stream, progress: progress)), from: peer),
      ])
    }
  }

  private mutating func event() -> ContinuationCore.Event {
    let user = pick(Self.users)
    let id = Names.id(UInt64(number(1...24)))
    let peer = pick(Self.peers)
    switch number(0...36) {
    case 0...3:
      let team = pick([nil, nil, Names.team, Names.otherTeam])
      return .becameCurrent(record(), team: team, client: client(.current), user: user)
    case 4, 5: return .updated(record(), client: client(.answer), user: user)
    case 6: return .resigned(id, client: client(.answer), user: user)
    case 7...9: return .continueRequested(id, client: client(.answer), user: user)
    case 10, 11: return .streamRequested(id, client: client(.stream), user: user)
    case 12: return .streamAccepted(token: pick(tokens.suffix(6)), client: client(.stream), user: user)
    case 13:
      let clients = (waiting.keys.map(\.self) + Array(holders)).sorted { $0.number < $1.number }
      return .clientLeft(clients.isEmpty ? ClientID(0) : pick(clients))
    case 14, 15:
      let current = Bool.random(using: &generator) ? record() : nil
      return .advertSeen(Names.advert(peer, UInt64(number(1...3)), UInt64(number(1...50)), current), team: peer.team)
    case 16: return .advertLost(peer)
    case 17:
      return .sessionReady(
        peer,
        Names.hello(of: peer, epoch: UInt64(number(1...3))),
        isFirst: .random(using: &generator)
      )
    case 18 where number(0...3) == 0: return .sessionEnded(peer, pick([.sessionIdle, .peerUnreachable, .shuttingDown]))
    case 19: return .connectFailed(peer, .peerUnreachable)
    case 20 where number(0...9) == 0:
      return .teamsChanged(
        pick([
          [Names.team: [1000, 1001], Names.otherTeam: [1001]], [Names.team: [1000]], [Names.otherTeam: [1000, 1001]],
          [:],
        ])
      )
    case 21...24:
      return fitting(peer) ?? message(from: peer)
    case 25 where number(0...1) == 0: return .screensLocked(Set([1000, 1001].filter { _ in number(0...3) == 0 }))
    case 26 where number(0...3) == 0: return .asleep(number(0...2) == 0)
    case 25...30: return message(from: peer)
    case 31: return .activityOpened(record(), from: .local, client: client(.answer), user: user)
    case 32 where number(0...3) == 0: return .activityDropped(id, user: user)
    case 33: return .sent(record(), to: peer, client: client(.sent), user: user)
    case 34 where number(0...3) == 0: return .deviceRemoved(peer)
    case 35, 36:
      return fitting(peer) ?? message(from: peer)
    default: return .wake
    }
  }

  mutating func step() {
    steps += 1
    machine.advance(.milliseconds(number(0...400)))
    // Wakes happen when they are due.
    let event = machine.wake.map { $0 <= machine.time.instant } == true ? .wake : event()
    if case .clientLeft(let client) = event {
      waiting[client] = nil
      holders.remove(client)
    }
    for effect in machine.handle(event) { take(effect) }
    check()
    checkGenerations()
  }

  private mutating func checkGenerations() {
    let offers = machine.continuation.offers(for: 0)
    let present = offers.map { (OfferID(peer: $0.peer, activity: $0.activity.id), $0.generation) }
    for (offer, generation) in present where self.present[offer] != generation {
      hold(generations.insert(generation).inserted, "\(offer) appears with the generation of an earlier offer")
    }
    self.present = Dictionary(uniqueKeysWithValues: present)
  }

  private mutating func answer(_ client: ClientID, _ what: String, by call: Call...) {
    guard let waited = waiting.removeValue(forKey: client), call.contains(where: { $0 == waited }) else {
      Issue.record("\(client) got \(what) and did not wait for it")
      return
    }
    answers += 1
    counts[what, default: 0] += 1
  }

  private mutating func take(_ effect: Effect) {
    switch effect {
    case .tell(let client, .current):
      answer(client, "current", by: .current)
      holders.insert(client)
    case .tell(let client, .sent):
      answer(client, "sent", by: .sent)
      holders.insert(client)
    case .tell(let client, let event):
      hold(holders.contains(client), "\(client) holds nothing and was told \(event)")
      if case .streamRequested(let token, _, _) = event { tokens.append(token) }
      counts["told", default: 0] += 1
    case .succeed(let client): answer(client, "success", by: .answer)
    case .deliver(let client, _, _, _): answer(client, "delivery", by: .answer)
    case .fail(let client, _): answer(client, "failure", by: .current, .sent, .answer, .stream)
    case .join(let client, _, _): answer(client, "stream", by: .stream)
    case .send(let message, let peer):
      hold(machine.continuation.peers[peer]?.isConnected == true, "\(message) to a peer without a session")
      switch message {
      case .fetch(let fetch): requests.append(fetch.request)
      case .payload(let payload):
        counts["payload", default: 0] += 1
        let recipient = machine.continuation.local[payload.activity.id]?.recipient
        hold(recipient ?? peer == peer, "\(peer) gets what was sent to \(String(describing: recipient))")
      case .offer(let offer):
        let recipient = machine.continuation.local[offer.activity.id]?.recipient
        hold(recipient ?? peer == peer && offer.isSent == (recipient != nil), "\(offer) to \(peer)")
      default: break
      }
    case .sendOfStream(let message, let peer):
      hold(machine.continuation.peers[peer]?.isConnected == true, "\(message) to a peer without a session")
      if case .open(let open) = message { streams.append(open.stream) }
    case .announce, .connect, .probe, .offersChanged, .wake: break
    }
  }

  /// Much cheaper than an expectation if the condition holds.
  private func hold(_ condition: Bool, _ what: @autoclosure () -> String) {
    if !condition { Issue.record("\(what())") }
  }

  private func check() {
    let continuation = machine.continuation
    for user in Self.users {
      let own = continuation.local.held(by: user)
      let offered = own.filter(\.isOffered)
      hold(offered.count { $0.recipient == nil } <= 1, "User \(user) offers several activities")
      let sent = offered.count { $0.recipient != nil }
      hold(sent <= LocalActivities.sentActivitiesPerUser, "User \(user) has sent \(sent) activities")
      hold(own.count <= LocalActivities.activitiesPerUser, "User \(user) holds \(own.count) activities")
      guard steps.isMultiple(of: 10) else { continue }
      let visible = continuation.offers(for: user).allSatisfy { continuation.mayUse($0.peer.team, user) }
      hold(visible, "User \(user) sees another user's team")
    }
    for peer in Self.peers {
      hold(continuation.peers[peer]?.offers.count ?? 0 <= Limits.offersPerPeer, "Offers")
      if steps.isMultiple(of: 10) {
        let origins = (1...24).count { continuation.peers.origins[Names.id($0)] == peer }
        hold(origins <= Limits.offersPerPeer, "Origins")
      }
      hold(continuation.fetches.from(peer).count <= Limits.fetchesPerPeer, "Fetches")
      hold(continuation.waitingStreams.count(with: peer) <= Limits.openingStreamsPerPeer, "Waiting streams")
      hold(continuation.openingStreams.with(peer).count <= Limits.openingStreamsPerPeer, "Opening streams")
    }
    let told = Set(
      continuation.teams.all.flatMap { continuation.announcements.offers(to: $0) }.map(\.activity.id)
    )
    for activity in Self.users.flatMap({ continuation.local.held(by: $0) }) {
      if activity.recipient != nil || continuation.withholding(from: activity.user) != nil {
        hold(
          !told.contains(activity.record.id),
          "\(activity.record.id) is offered to all, though it is sent or withheld"
        )
      }
      hold(activity.waitingFetchCount <= Limits.fetchesPerPeer * Self.peers.count, "Fetches that wait")
    }
    hold(continuation.peers.forgotten.count <= Limits.knownPeers, "Forgotten peers")
    hold(continuation.peers.count <= Limits.knownPeers, "Peers")
    // Every client that waits is listed somewhere, so it will be answered.
    let fetching = Self.peers.flatMap { continuation.fetches.from($0).values }.compactMap(\.client)
    let asked = fetching + Self.peers.flatMap { continuation.openingStreams.with($0) }.map(\.client)
    hold(asked.count == waiting.count && Set(asked) == Set(waiting.keys), "\(waiting) is not \(asked)")
    hold(machine.wake.map { $0 > machine.time.instant } ?? true, "It would be woken without end")
    hold(waiting.isEmpty || machine.wake != nil, "Nobody will be told")
  }

  /// Lets time pass, without any other event.
  mutating func finish() {
    for _ in 0..<1000 {
      guard let wake = machine.wake else { break }
      machine.advance(machine.time.instant.duration(to: wake))
      for effect in machine.handle(.wake) { take(effect) }
    }
    #expect(waiting.isEmpty)
  }
}

/// Runs the seeds one after the other, and yields regularly, because tests that run at the same time have deadlines.
@Suite(.serialized) struct EventFuzzTests {
  @Test(arguments: seeds(1...10)) func aHundredThousandEventsKeepWhatMustHold(seed: UInt64) async {
    var fuzz = Fuzz(seed: seed)
    for _ in 0..<200 {
      for _ in 0..<50 { fuzz.step() }
      await Task.yield()
    }
    fuzz.finish()
    #expect(fuzz.answers > 2000)
    for what in ["current", "sent", "success", "delivery", "failure", "stream", "told", "payload"] {
      #expect(fuzz.counts[what, default: 0] > 0, "No \(what) in the whole run")
    }
  }
}
