// SPDX-License-Identifier: Apache-2.0

import Activity
import Testing

@testable import Handoff

/// Two machines of one team that receive each other's messages.
private struct Pair {
  var machines = [Machine(), Machine()]
  /// What the programs on each side were told.
  var told: [[Effect]] = [[], []]
  let names = [Names.peer(10), Names.peer(20)]
  private var pending: [(to: Int, ContinuationCore.Event)] = []

  mutating func connect() {
    for side in 0...1 {
      handle(.sessionReady(names[1 - side], Names.hello(of: names[1 - side]), isFirst: side == 0), on: side)
    }
    settle()
  }

  mutating func handle(_ event: ContinuationCore.Event, on side: Int) {
    for effect in machines[side].handle(event) {
      switch effect {
      case .send(let message, let peer):
        #expect(peer == names[1 - side])
        pending.append((1 - side, .received(message, from: names[side])))
      case .sendOfStream(let message, let peer):
        #expect(peer == names[1 - side])
        pending.append((1 - side, .receivedOfStream(message, from: names[side])))
      case .announce, .offersChanged, .wake: break
      default: told[side].append(effect)
      }
    }
  }

  mutating func settle() {
    while !pending.isEmpty {
      let (side, event) = pending.removeFirst()
      handle(event, on: side)
    }
  }

  mutating func take(_ side: Int) -> [Effect] {
    defer { told[side] = [] }
    return told[side]
  }
}

struct TwoMachinesTests {
  @Test func anActivityMovesWithItsStream() throws {
    var pair = Pair()
    pair.connect()
    let record = Names.rich(1) { $0.needsSave = true }
    pair.handle(.becameCurrent(record, team: nil, client: c1, user: 1000), on: 0)
    pair.settle()
    #expect(pair.take(0) == [.tell(c1, .current)])
    #expect(pair.machines[1].offers() == [record.id])

    pair.handle(.continueRequested(record.id, client: c1, user: 1000), on: 1)
    pair.settle()
    #expect(pair.take(0) == [.tell(c1, .willSave)])
    let fresh = Names.rich(1) { $0.userInfo = Names.state(2) }
    pair.handle(.updated(fresh, client: c2, user: 1000), on: 0)
    pair.settle()
    #expect(pair.take(0) == [.succeed(c2), .tell(c1, .continued(device: "device 20"))])
    #expect(pair.take(1) == [.deliver(c1, fresh, device: "device 10", origin: .device(pair.names[0].device))])
    #expect(pair.machines[1].offers() == [])
    #expect(pair.machines[0].continuation.currentActivity(of: 1000) == nil)

    pair.handle(.streamRequested(record.id, client: c2, user: 1000), on: 1)
    pair.settle()
    guard case .tell(c1, .streamRequested(let token, "device 20", _))? = pair.take(0).first else {
      Issue.record("The app was not asked for a stream")
      return
    }
    pair.handle(.streamAccepted(token: token, client: c3, user: 1000), on: 0)
    pair.settle()
    #expect(
      pair.take(0) == [
        .join(c3, StreamID(peer: pair.names[1], number: 2), FirstLimits(accepting: Limits.streamFirstWindow))
      ]
    )
    #expect(
      pair.take(1) == [
        .join(c2, StreamID(peer: pair.names[0], number: 2), FirstLimits(opened: Limits.streamFirstWindow))
      ]
    )
    #expect(pair.machines.map(\.wake) == [nil, nil])
  }

  @Test func anAnswerThatCrossesTheDeadlineGoesToWhoAsksNext() {
    var pair = Pair()
    pair.connect()
    pair.handle(.becameCurrent(Names.rich(1), team: nil, client: c1, user: 1000), on: 0)
    pair.settle()
    _ = pair.take(0)
    // The fetch and its answer are still on their way when the receiver gives up and asks again.
    pair.handle(.continueRequested(Names.id(1), client: c1, user: 1000), on: 1)
    pair.machines[1].advance(Limits.fetchTime)
    pair.handle(.wake, on: 1)
    pair.handle(.continueRequested(Names.id(1), client: c2, user: 1000), on: 1)
    pair.settle()
    let origin = Origin.device(pair.names[0].device)
    #expect(
      pair.take(1)
        == [
          .fail(c1, .peerTimedOut), .probe(pair.names[0]),
          .deliver(c2, Names.rich(1), device: "device 10", origin: origin),
        ]
    )
    #expect(pair.take(0) == [.tell(c1, .continued(device: "device 20"))])
    #expect(pair.machines[0].continuation.currentActivity(of: 1000) == nil)
  }

  @Test func bothMayHandOverAtOnce() {
    var pair = Pair()
    pair.connect()
    for side in 0...1 {
      pair.handle(.becameCurrent(Names.rich(UInt64(side)), team: nil, client: c1, user: 1000), on: side)
    }
    pair.settle()
    for side in 0...1 {
      pair.handle(.continueRequested(Names.id(UInt64(1 - side)), client: c2, user: 1000), on: side)
    }
    pair.settle()
    for side in 0...1 {
      #expect(
        Set(pair.take(side).map { "\($0)" })
          == Set(
            [
              .tell(c1, .current), .tell(c1, .continued(device: "device \(side == 0 ? 20 : 10)")),
              .deliver(
                c2,
                Names.rich(UInt64(1 - side)),
                device: "device \(side == 0 ? 20 : 10)",
                origin: .device(pair.names[1 - side].device)
              ),
            ].map { (effect: Effect) in "\(effect)" }
          )
      )
      #expect(pair.machines[side].offers() == [])
    }
  }
}
