// SPDX-License-Identifier: Apache-2.0

import Activity
import Handoff
import Testing

typealias Table = ReachabilityCore<String>
typealias Effect = Table.Effect

/// A `ReachabilityCore` whose addresses are names, and its clock. There is no jitter, so pauses are half of what is
/// due.
struct Machine {
  var table: Table
  private(set) var now = ContinuousClock.now
  /// When it wants to be woken.
  private(set) var wake: ContinuousClock.Instant?
  var awaited: Set<PeerID> = []

  init(random: @escaping @Sendable () -> Double = { 0 }) {
    table = Table(random: random)
    _ = handle(.teamsChanged([Names.team: Names.own]))
  }

  /// Returns the effects except `.changed` and the last one, which is always the next wake.
  mutating func handle(_ event: Table.Event) -> [Effect] {
    var effects = table.handle(event, at: now, awaited: awaited)
    guard case .wake(let instant) = effects.popLast() else {
      Issue.record("The last effect of \(event) is no wake")
      return effects
    }
    wake = instant
    return effects.filter { $0 != .changed }
  }

  /// How long until it wants to be woken. If it does not want to be, this is zero, and an issue is recorded.
  var pause: Duration {
    guard let wake else {
      Issue.record("It waits for nothing")
      return .zero
    }
    return now.duration(to: wake)
  }

  mutating func advance(_ duration: Duration) { now += duration }

  /// Lets time pass, and wakes the machine once at the end.
  mutating func pass(_ duration: Duration) -> [Effect] {
    advance(duration)
    return handle(.wake)
  }

  /// Lets time pass as the shell does: wakes the machine whenever it wants to be woken, and answers its effects only
  /// with the events that `answer` returns.
  ///
  /// - Returns: The effects, with the time at which each came, counted from the start.
  mutating func run(_ duration: Duration, answer: (Effect) -> Table.Event?) -> [(after: Duration, effect: Effect)] {
    let (start, end) = (now, now + duration)
    var seen: [(Duration, Effect)] = []
    while let wake, wake <= end {
      now = max(now, wake)
      var events: [Table.Event] = [.wake]
      while !events.isEmpty {
        let effects = handle(events.removeFirst())
        seen += effects.map { (start.duration(to: now), $0) }
        events += effects.compactMap(answer)
      }
    }
    now = end
    return seen
  }

  /// Starts a session on a connection that this side dialled.
  mutating func connect(_ peer: PeerID, _ address: String) -> [Effect] {
    handle(.opened(peer, isDialler: true)) + handle(.ready(peer, address: address, isDialler: true))
  }

  /// Starts a session on a connection that the peer dialled.
  mutating func beDialled(by peer: PeerID) {
    #expect(handle(.opened(peer, isDialler: false)) == [])
    #expect(handle(.ready(peer, address: nil, isDialler: false)) == [])
  }
}

enum Names {
  static let team = TeamID(bytes: Array(repeating: 1, count: 32))!
  static let otherTeam = TeamID(bytes: Array(repeating: 2, count: 32))!
  /// This machine. Peers 1 to 99 have a lower Device ID, and the others a greater one.
  static let own = DeviceID(bytes: Array(repeating: 100, count: 32))!
  /// A peer that this side dials first.
  static let later = peer(200)
  /// A peer whose dial this side waits for first.
  static let earlier = peer(1)

  static func peer(_ number: UInt8, team: TeamID = team) -> PeerID {
    PeerID(team: team, device: DeviceID(bytes: Array(repeating: number, count: 32))!)
  }
}

let (later, earlier) = (Names.later, Names.earlier)

func seconds(_ number: Double) -> Duration { .milliseconds(Int64(number * 1000)) }
