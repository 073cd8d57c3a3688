// SPDX-License-Identifier: Apache-2.0

import Activity
import Handoff
import Testing

/// An endless series of new instances of a device that was met. Anyone who has recorded its advert can announce it
/// again and again.
@Suite struct NewInstanceTests {
  private let rate = ReachabilityLimits.newInstancesPerPeerRate

  /// Returns a machine that met the device and lost it, and then saw as many of its instances as are a reason to dial
  /// immediately.
  private func flooded(_ peer: PeerID) -> Machine {
    var machine = Machine()
    _ = machine.connect(peer, "a1")
    _ = machine.handle(.ended(peer, .shuttingDown))
    for number in 0..<Int(rate.burst) { _ = announce("before \(number)", of: peer, to: &machine) }
    return machine
  }

  /// Announces an instance that leads nowhere, and returns the effects.
  private func announce(_ instance: String, of peer: PeerID, to machine: inout Machine) -> [Effect] {
    var effects = machine.handle(.seen(instance: instance, of: peer))
    effects += settle(effects, in: &machine)
    return effects + machine.handle(.lost(instance: instance))
  }

  private func settle(_ effects: [Effect], in machine: inout Machine) -> [Effect] {
    var all: [Effect] = []
    var left = effects
    while !left.isEmpty {
      let next = left.compactMap(failure).flatMap { machine.handle($0) }
      all += next
      left = next
    }
    return all
  }

  private func failure(of effect: Effect) -> Table.Event? {
    switch effect {
    case .dial(let peer, _): .dialFailed(peer, .peerUnreachable)
    case .resolve(let instance): .resolved(instance: instance, [])
    default: nil
    }
  }

  @Test func theyHaveItDialledSoOften() {
    var machine = flooded(later)
    var dialled = 0
    for number in 0..<1000 {
      var effects = announce("\(number)", of: later, to: &machine)
      machine.advance(.milliseconds(10))
      let woken = machine.handle(.wake)
      effects += woken + settle(woken, in: &machine)
      dialled += effects.count { if case .dial = $0 { true } else { false } }
    }
    // The peer is dialled once for an instance, and once more after the pause that the instance shortened.
    #expect((9...21).contains(dialled), "\(dialled) times in 10 s")
  }

  /// They do not prolong an attempt that is in progress.
  @Test func theyMakeNoAttemptEndless() {
    var machine = flooded(later)
    #expect(machine.handle(.wanted(later)).contains(.dial(later, ["a1"])))
    for number in 0..<100 {
      #expect(machine.handle(.seen(instance: "\(number)", of: later)) == [])
      if number > 0 { #expect(machine.handle(.lost(instance: "\(number - 1)")) == []) }
    }
    #expect(machine.handle(.dialFailed(later, .peerUnreachable)) == [.connectFailed(later, .peerUnreachable)])
    #expect(machine.pause <= .seconds(1 / rate.perSecond), "The last one is tried soon")
    #expect(machine.pass(machine.pause).contains(.resolve(instance: "99")))
  }

  /// Also where it takes discovery seconds to say that nobody knows their addresses, and a removed device makes them
  /// up.
  @Test(arguments: [true, false]) func theyMakeNoAttemptEndlessWhileTimePasses(areDoubtful: Bool) {
    var machine = Machine()
    _ = machine.connect(later, "a1")
    _ = machine.handle(.ended(later, .shuttingDown))
    var asked: [(instance: String, due: ContinuousClock.Instant)] = []
    var dialled = 0
    // 20 a second for a minute.
    for number in 0..<1200 {
      machine.advance(.milliseconds(50))
      var effects = machine.handle(.wake)
      effects += machine.handle(.seen(instance: "\(number)", of: later, isDoubtful: areDoubtful))
      effects += machine.handle(.lost(instance: "\(number - 100)"))
      while let first = asked.first, first.due <= machine.now {
        asked.removeFirst()
        effects += machine.handle(.resolved(instance: first.instance, []))
      }
      for effect in effects {
        switch effect {
        case .resolve(let instance): asked.append((instance, machine.now + Limits.resolveTime))
        case .dial(later, ["a1"]):
          dialled += 1
          _ = machine.handle(.dialFailed(later, .peerUnreachable))
        default: break
        }
      }
    }
    #expect((5...60).contains(dialled), "\(dialled) times in a minute")
  }

  @Test func doubtfulOnesKeepNoOtherOutOfAnAttempt() {
    var machine = Machine()
    _ = machine.connect(later, "a1")
    _ = machine.handle(.ended(later, .shuttingDown))
    #expect(machine.pass(machine.pause).contains(.dial(later, ["a1"])))
    for number in 0..<100 {
      #expect(machine.handle(.seen(instance: "\(number)", of: later, isDoubtful: true)) == [])
    }
    #expect(machine.handle(.seen(instance: "A", of: later)) == [.resolve(instance: "A")])
  }

  /// An attempt that only waits for discovery keeps nobody from dialling what is known.
  @Test func aUserWaitsForNoAnswerOfDiscovery() {
    var machine = Machine()
    _ = machine.connect(later, "a1")
    _ = machine.handle(.ended(later, .shuttingDown))
    #expect(machine.handle(.seen(instance: "A", of: later)) == [.resolve(instance: "A"), .dial(later, ["a1"])])
    #expect(machine.handle(.wanted(later)) == [.dialAgain(later)])
    #expect(machine.handle(.dialFailed(later, .peerUnreachable)) == [])
    #expect(machine.handle(.wanted(later)) == [.dial(later, ["a1"])])
    #expect(machine.handle(.wanted(later)) == [.dialAgain(later)])
  }

  @Test(arguments: [later, earlier]) func aUserWaitsForNoneOfThem(peer: PeerID) {
    var machine = flooded(peer)
    #expect(machine.handle(.wanted(peer)).contains(.dial(peer, ["a1"])))
  }

  @Test func aSessionThatIsLostWaitsForNoneOfThem() {
    var machine = flooded(later)
    _ = machine.handle(.wanted(later))
    _ = machine.connect(later, "a1")
    machine.advance(ReachabilityLimits.steadySessionTime)
    for number in 0..<100 { _ = machine.handle(.seen(instance: "\(number)", of: later)) }
    #expect(machine.handle(.ended(later, .peerUnreachable)).contains(.dial(later, ["a1"])))
  }

  /// This holds no matter how many devices' adverts were recorded, met or not.
  @Test func otherDevicesWaitForNoneOfThem() {
    var machine = flooded(later)
    for round in 0..<100 {
      for number: UInt8 in 101...199 { _ = announce("\(number) \(round)", of: Names.peer(number), to: &machine) }
    }
    #expect(machine.handle(.seen(instance: "A", of: Names.peer(201))).contains(.resolve(instance: "A")))
  }
}
