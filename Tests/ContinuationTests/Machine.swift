// SPDX-License-Identifier: Apache-2.0

import Activity
import Testing

@testable import Handoff

typealias Effect = ContinuationCore.Effect

/// A `ContinuationCore` and its clocks.
struct Machine {
  var continuation = ContinuationCore()
  var time = Time(instant: .now, date: 1_000_000)
  /// When it wants to be woken.
  private(set) var wake: ContinuousClock.Instant?

  /// Creates a machine; by default it is in ``Names/team``, which users 1000 and 1001 share.
  init(teams: [TeamID: Set<UserID>] = [Names.team: [1000, 1001]]) {
    #expect(handle(.teamsChanged(teams)).count == teams.count)
  }

  /// Returns the effects except the last one, which is always the next wake.
  mutating func handle(_ event: ContinuationCore.Event) -> [Effect] {
    var effects = continuation.handle(event, at: time)
    guard case .wake(let instant) = effects.popLast() else {
      Issue.record("The last effect of \(event) is no wake")
      return effects
    }
    if effects.contains(where: { if case .wake = $0 { true } else { false } }) { Issue.record("Two wakes") }
    wake = instant
    return effects
  }

  /// Lets time pass, and then wakes the machine.
  mutating func pass(_ duration: Duration) -> [Effect] {
    advance(duration)
    return handle(.wake)
  }

  mutating func advance(_ duration: Duration) {
    time = Time(instant: time.instant + duration, date: time.date + duration / .seconds(1))
  }

  // MARK: Beginnings

  /// Starts a session with the peer, and drops what the machine sends at its start.
  mutating func connect(_ peer: PeerID, epoch: UInt64 = 1, isFirst: Bool = true) {
    _ = handle(.sessionReady(peer, Names.hello(of: peer, epoch: epoch), isFirst: isFirst))
  }

  mutating func publish(_ record: ActivityRecord, client: UInt64 = 1, user: UserID = 1000, team: TeamID? = nil) {
    let effects = handle(.becameCurrent(record, team: team, client: ClientID(client), user: user))
    #expect(effects.contains(.tell(ClientID(client), .current)))
  }

  /// Lets the peer offer the activity over a session.
  mutating func offer(_ record: ActivityRecord, from peer: PeerID, counter: UInt64 = 1) {
    _ = handle(.received(.offer(Offer(activity: record, counter: counter)), from: peer))
  }

  /// Lets the peer fetch the activity and report that it was delivered.
  mutating func giveAway(_ id: ActivityID, to peer: PeerID) {
    _ = handle(.received(.fetch(Fetch(request: 1, activity: id)), from: peer))
    _ = handle(.received(.continued(Continued(activity: id, delivered: true)), from: peer))
    #expect(continuation.local[id]?.continuedBy == [peer])
  }

  /// Delivers the peer's activity to a local program.
  mutating func take(_ record: ActivityRecord, from peer: PeerID, client: UInt64 = 90, user: UserID = 1000) {
    offer(record, from: peer)
    let request = continuation.peers[peer]?.nextRequest ?? 0
    _ = handle(.continueRequested(record.id, client: ClientID(client), user: user))
    let effects = handle(.received(.payload(Payload(request: request, activity: record)), from: peer))
    #expect(
      effects.contains(.deliver(ClientID(client), record, device: Names.name(of: peer), origin: .device(peer.device)))
    )
  }

  func offers(_ user: UserID = 1000) -> [ActivityID] { continuation.offers(for: user).map(\.activity.id) }
}

/// The teams, devices and activities of the tests.
enum Names {
  static let team = TeamID(bytes: Array(repeating: 1, count: 32))!
  static let otherTeam = TeamID(bytes: Array(repeating: 2, count: 32))!
  static let desktop = peer(1)
  static let tablet = peer(2)
  static let stranger = peer(1, team: otherTeam)

  static func peer(_ number: UInt8, team: TeamID = team) -> PeerID {
    PeerID(team: team, device: DeviceID(bytes: Array(repeating: number, count: 32))!)
  }

  /// Returns one of many peers.
  static func peer(number: Int) -> PeerID {
    PeerID(team: team, device: DeviceID(bytes: (0..<32).map { $0 < 2 ? UInt8(number >> ($0 * 8) & 255) : 0 })!)
  }

  static func name(of peer: PeerID) -> String { "device \(peer.device.bytes[0])" }

  static func hello(of peer: PeerID, epoch: UInt64 = 1) -> Hello {
    Hello(minimum: 1, maximum: 1, device: name(of: peer), epoch: epoch, revocations: 0)
  }

  static func id(_ number: UInt64) -> ActivityID { ActivityID(randomBytes: (number, number)) }

  static func record(_ number: UInt64, _ change: (inout ActivityRecord) -> Void = { _ in }) -> ActivityRecord {
    var record = try! ActivityRecord(id: id(number), activityType: "org.example.reading")
    record.title = "Activity \(number)"
    change(&record)
    return record
  }

  /// Returns a record with all the properties that only the machine that continues it receives.
  static func rich(_ number: UInt64, _ change: (inout ActivityRecord) -> Void = { _ in }) -> ActivityRecord {
    record(number) {
      $0.userInfo = state(1)
      $0.webpageURL = "https://example.org/"
      $0.referrerURL = "https://example.org/"
      $0.targetContentIdentifier = "7"
      $0.persistentIdentifier = "note 7"
      $0.supportsContinuationStreams = true
      change(&$0)
    }
  }

  static func state(_ number: Int64) -> UserInfo { try! UserInfo([.string("page"): .integer(number)]) }

  static func advert(
    _ peer: PeerID,
    _ epoch: UInt64,
    _ counter: UInt64,
    _ record: ActivityRecord?,
    time: Int64 = 0
  ) -> Advert {
    Advert(
      device: peer.device,
      deviceName: name(of: peer),
      epoch: epoch,
      counter: counter,
      current: record.map { Advert.Current($0) },
      time: time
    )
  }
}

let (c1, c2, c3) = (ClientID(1), ClientID(2), ClientID(3))
