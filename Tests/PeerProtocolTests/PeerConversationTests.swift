// SPDX-License-Identifier: Apache-2.0

import Activity
import Handoff
import MessageSamples
import SeededGenerator
import Testing

/// Two sessions that receive each other's messages.
private struct Conversation {
  var sides: [PeerSession]
  /// What each side has sent and the other has not yet received.
  var wires: [[Message]] = [[], []]
  var ready: [Hello?] = [nil, nil]
  var delivered: [[Message]] = [[], []]
  var ended: [Reason?] = [nil, nil]
  var timers: [ContinuousClock.Instant?] = [nil, nil]
  var pings = 0

  init(_ left: Hello, _ right: Hello, isRelayed: Bool = false) {
    sides = [left, right].map { PeerSession(hello: $0, isRelayed: isRelayed) }
  }

  mutating func handle(_ event: PeerSession.Event, by side: Int, at now: ContinuousClock.Instant) {
    for effect in sides[side].handle(event, at: now) {
      #expect(ended[side] == nil, "Nothing follows the end")
      switch effect {
      case .send(let message):
        if case .ping = message { pings += 1 }
        wires[side].append(.session(message))
      case .ready(let hello): ready[side] = hello
      case .deliver(let message): delivered[side].append(message)
      case .end(let reason): ended[side] = reason
      case .wake(let instant): timers[side] = instant
      }
    }
  }

  /// Carries one message to the other side. Returns false if there is none.
  mutating func carry(from side: Int, at now: ContinuousClock.Instant) -> Bool {
    guard !wires[side].isEmpty else { return false }
    handle(.received(wires[side].removeFirst()), by: 1 - side, at: now)
    return true
  }

  mutating func settle(at now: ContinuousClock.Instant) { while carry(from: 0, at: now) || carry(from: 1, at: now) {} }

  mutating func open(at now: ContinuousClock.Instant) {
    for side in 0...1 { handle(.opened, by: side, at: now) }
  }
}

struct PeerConversationTests {
  private let start = ContinuousClock.now
  private let laptop = Hello(minimum: 1, maximum: 1, device: "laptop", epoch: 1, revocations: 0)
  private let desktop = Hello(minimum: 1, maximum: 2, device: "desktop", epoch: 2, revocations: 7)

  @Test(arguments: 1...50) func bothGetReadyInWhateverOrderMessagesArrive(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    var conversation = Conversation(laptop, desktop)
    conversation.open(at: start)
    var steps = 0
    while !(conversation.wires[0].isEmpty && conversation.wires[1].isEmpty) {
      _ = conversation.carry(from: Int.random(in: 0...1, using: &generator), at: start)
      steps += 1
      #expect(steps < 1000)
    }
    #expect(conversation.ready == [desktop, laptop])
    #expect(conversation.ended == [nil, nil])
  }

  @Test func bothEndWhereNoVersionIsCommon() {
    let later = Hello(minimum: 2, maximum: 2, device: "new", epoch: 1, revocations: 0)
    var conversation = Conversation(laptop, later)
    conversation.open(at: start)
    conversation.settle(at: start)
    #expect(conversation.ended == [.versionMismatch, .versionMismatch])
    #expect(conversation.ready == [nil, nil])
  }

  @Test func messagesArriveOnceAndInOrder() {
    var conversation = Conversation(laptop, desktop)
    conversation.open(at: start)
    conversation.settle(at: start)
    let messages: [Message] = (1...5).map { .handoff(.fetch(Fetch(request: $0, activity: Sample.id))) }
    conversation.wires[0] += messages
    conversation.settle(at: start)
    #expect(conversation.delivered == [[], messages])
  }

  @Test(arguments: [false, true]) func anIdleSessionLastsAndPingsSeldom(isRelayed: Bool) throws {
    let interval = isRelayed ? PeerSession.relayedPingInterval : PeerSession.pingInterval
    var conversation = Conversation(laptop, desktop, isRelayed: isRelayed)
    conversation.open(at: start)
    conversation.settle(at: start)
    while let wake = conversation.timers.compactMap(\.self).min(), wake < start + .seconds(3600) {
      for side in 0...1 where conversation.timers[side] == wake {
        conversation.timers[side] = nil
        conversation.handle(.wake, by: side, at: wake)
      }
      conversation.settle(at: wake)
    }
    #expect(conversation.ended == [nil, nil])
    // One side asks.
    let most = 3600 / Int(interval.components.seconds)
    #expect((most / 2...most).contains(conversation.pings))
  }

  /// The test with real daemons allows 30 s, which the wake-ups need a part of.
  @Test func aPeerThatIsGoneIsNoticedInTime() {
    #expect(PeerSession.relayedPingInterval + PeerSession.pingCourtesy + PeerSession.pongTime <= .seconds(28))
  }

  @Test func bothEndWhereTheWireIsCut() {
    var conversation = Conversation(laptop, desktop)
    conversation.open(at: start)
    conversation.settle(at: start)
    while let wake = conversation.timers.compactMap(\.self).min() {
      for side in 0...1 where conversation.timers[side] == wake {
        conversation.timers[side] = nil
        conversation.handle(.wake, by: side, at: wake)
      }
      conversation.wires = [[], []]
      #expect(wake <= start + PeerSession.pingInterval + PeerSession.pingCourtesy + PeerSession.pongTime)
    }
    #expect(conversation.ended == [.peerTimedOut, .peerTimedOut])
  }

  @Test func byeReachesTheOtherSide() {
    var conversation = Conversation(laptop, desktop)
    conversation.open(at: start)
    conversation.settle(at: start)
    conversation.handle(.leave(.sessionIdle), by: 0, at: start)
    conversation.settle(at: start)
    #expect(conversation.ended == [.sessionIdle, .sessionIdle])
  }
}
