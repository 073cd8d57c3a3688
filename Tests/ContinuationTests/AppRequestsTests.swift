// SPDX-License-Identifier: Apache-2.0

import Activity
import Testing

@testable import Handoff

/// A peer that makes an app of this machine work as often as it can.
struct AppRequestsTests {
  private let desktop = Names.desktop
  private let id = Names.id(1)

  private func machine(_ record: ActivityRecord) -> Machine {
    var machine = Machine()
    machine.connect(desktop)
    machine.publish(record)
    return machine
  }

  @Test func anAppDoesNotSaveMoreOftenThanItsPace() {
    let fresh = Names.record(1) { $0.userInfo = Names.state(1) }
    var stale = fresh
    stale.needsSave = true
    var machine = machine(stale)
    let fetch = ContinuationCore.Event.received(.fetch(Fetch(request: 7, activity: id)), from: desktop)
    let refusal = Effect.send(.failure(Failure(request: 7, reason: .limitReached)), to: desktop)
    func save() {
      #expect(machine.handle(fetch) == [.tell(c1, .willSave)])
      // Who asks meanwhile gets the same.
      #expect(machine.handle(fetch) == [])
      let payload = Effect.send(.payload(Payload(request: 7, activity: fresh)), to: desktop)
      #expect(machine.handle(.updated(fresh, client: c1, user: 1000)).count { $0 == payload } == 2)
      _ = machine.handle(.updated(stale, client: c1, user: 1000))
    }
    for _ in 0..<Int(AppRequests.appRequestRate.burst) { save() }
    #expect(machine.handle(fetch) == [refusal])
    machine.advance(.milliseconds(50))
    save()
    #expect(machine.handle(fetch) == [refusal])
  }

  @Test func anAppDoesNotAcceptStreamsMoreOftenThanItsPace() {
    var machine = machine(Names.rich(1) { $0.supportsContinuationStreams = true })
    machine.giveAway(id, to: desktop)
    var number: UInt32 = 0
    func open() -> Bool {
      number += 2
      let effects = machine.handle(.receivedOfStream(.open(Open(stream: number, activity: id)), from: desktop))
      guard case .tell(c1, .streamRequested(let token, _, _))? = effects.first else {
        let refusal = Reset(stream: number, reason: .streamLimitReached)
        #expect(effects == [.sendOfStream(.reset(refusal), to: desktop)])
        return false
      }
      #expect(machine.handle(.streamAccepted(token: token, client: c2, user: 1000)).count == 2)
      return true
    }
    for _ in 0..<Int(AppRequests.appRequestRate.burst) { #expect(open()) }
    #expect(!open())
    // A new session is no new pace.
    _ = machine.handle(.sessionEnded(desktop, .sessionIdle))
    machine.connect(desktop)
    #expect(!open())
    machine.advance(.seconds(1))
    for _ in 0..<Int(AppRequests.appRequestRate.perSecond) { #expect(open()) }
    #expect(!open())
  }
}
