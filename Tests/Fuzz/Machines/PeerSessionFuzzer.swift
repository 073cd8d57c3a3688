// SPDX-License-Identifier: Apache-2.0

import Activity
import Handoff

/// Two sides of one session that receive each other's messages, and a wire on which somebody sends other things.
enum PeerSessionFuzzer: Fuzzer {
  static let seeds: [[UInt8]] = [
    [0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 4, 20, 4, 20, 0, 0], [0, 0, 1, 0, 0, 0, 1, 0, 5, 2, 3, 7], [2, 0, 4, 9, 4, 9],
  ]

  private struct Side {
    var session: PeerSession
    var isOpen = false
    var isReady = false
    var ending: Reason?
    var sent: [Message] = []
    var wake: ContinuousClock.Instant?
  }

  static let length = 512

  static func run(_ input: [UInt8]) throws {
    var choices = Choices(input)
    var now = ContinuousClock.now
    var sides = [1, 2].map { number in
      Side(
        session: PeerSession(
          hello: Hello(minimum: 1, maximum: UInt64(number), device: "\(number)", epoch: 1, revocations: 0)
        )
      )
    }
    while !choices.isOver {
      let index = choices.number(below: 2)
      let event: PeerSession.Event
      switch choices.number(below: 9) {
      case 0, 1, 2:
        guard sides[index].isOpen else {
          sides[index].isOpen = true
          event = .opened
          break
        }
        guard !sides[1 - index].sent.isEmpty else { continue }
        event = .received(sides[1 - index].sent.removeFirst())
      case 3: event = .received(choices.pick(MessageFuzzer.samples))
      case 4:
        now += .seconds(choices.number(below: 32))
        event = .wake
      case 5: event = .probe
      case 6: event = .receivedData
      case 7: event = .leave(choices.pick(Array(Reason.allCases)))
      default: event = .lost
      }
      handle(event, &sides[index], now)
    }
  }

  private static func handle(_ event: PeerSession.Event, _ side: inout Side, _ now: ContinuousClock.Instant) {
    let effects = side.session.handle(event, at: now)
    if side.ending != nil { same(effects, [], "It ended, and goes on after \(event)") }
    for (index, effect) in effects.enumerated() {
      switch effect {
      case .send(let message):
        hold(side.isOpen, "It says \(message) before there is a connection")
        side.sent.append(.session(message))
      case .ready(let hello):
        hold(!side.isReady, "It is ready twice")
        hold(hello.device.utf8.count <= Limits.deviceNameLength && hello.minimum <= hello.maximum, "\(hello)")
        side.isReady = true
      case .deliver(let message):
        hold(side.isReady, "\(message) is delivered before both sides accepted")
        switch message {
        case .session(.hello), .session(.accepted), .session(.refused), .session(.bye), .session(.ping),
          .session(.pong):
          fatalError("\(message) is delivered")
        case .session(.probe), .session(.probed), .session(.renamed), .stream, .handoff, .team, .index: break
        }
      case .end(let reason):
        same(index, effects.count - 1, "Something follows the end")
        side.ending = reason
      case .wake(let instant):
        side.wake = instant
      }
    }
    // Whatever is due is done immediately, and not over and over again.
    if side.ending == nil, let wake = side.wake, wake <= now {
      hold(event != .wake, "It would be woken without end")
      return handle(.wake, &side, now)
    }
    same(side.session.isReady, side.isReady && side.ending == nil)
    // Once a session was opened, something happens in the end, whatever the other side does.
    hold(!side.isOpen || side.ending != nil || side.wake != nil, "It waits for ever")
  }
}
