// SPDX-License-Identifier: Apache-2.0

import Activity
import Testing

@testable import Handoff

/// Activities that are sent to one device, up to what peers are told.
struct SentActivityTests {
  private let team = Names.team
  private let desktop = Names.desktop
  private let tablet = Names.tablet

  private func offer(_ record: ActivityRecord, counter: UInt64 = 1, to peer: PeerID) -> Effect {
    .send(.offer(Offer(activity: record, counter: counter, isSent: true)), to: peer)
  }

  private func withdrawal(_ record: ActivityRecord, counter: UInt64 = 1, from peer: PeerID) -> Effect {
    .send(.withdraw(Withdraw(activity: record.id, counter: counter)), to: peer)
  }

  private func fetch(_ record: ActivityRecord, by peer: PeerID, request: UInt64 = 7) -> ContinuationCore.Event {
    .received(.fetch(Fetch(request: request, activity: record.id)), from: peer)
  }

  private func refusal(_ reason: Reason, of peer: PeerID, request: UInt64 = 7) -> Effect {
    .send(.failure(Failure(request: request, reason: reason)), to: peer)
  }

  private func gift(_ record: ActivityRecord, to peer: PeerID, request: UInt64 = 7) -> Effect {
    .send(.payload(Payload(request: request, activity: record)), to: peer)
  }

  /// A machine with sessions, where user 1000 has sent activity 1 to the desktop.
  private func sent(_ record: ActivityRecord = Names.record(1)) -> Machine {
    var machine = Machine()
    machine.connect(desktop)
    machine.connect(tablet)
    #expect(machine.handle(.sent(record, to: desktop, client: c1, user: 1000)).first == .tell(c1, .sent))
    return machine
  }

  // MARK: Who is told

  /// Not even the counter of the advert tells the others.
  @Test func onlyThatDeviceIsTold() {
    var machine = Machine()
    machine.connect(desktop)
    machine.connect(tablet)
    let record = Names.rich(1)
    let summary = Names.record(1) {
      $0.supportsContinuationStreams = true; $0.hasWebPage = true; $0.webpageHost = "example.org"
    }
    #expect(
      machine.handle(.sent(record, to: desktop, client: c1, user: 1000))
        == [.tell(c1, .sent), offer(summary, to: desktop)]
    )
    #expect(machine.continuation.currentActivity(of: 1000) == nil)
    #expect(machine.handle(.sessionReady(tablet, Names.hello(of: tablet), isFirst: true)) == [])
    #expect(machine.handle(.clientLeft(c1)) == [withdrawal(record, from: desktop)])
  }

  @Test func otherDevicesFetchItInVain() {
    var machine = sent()
    #expect(machine.handle(fetch(Names.record(1), by: tablet)) == [refusal(.activityNotFound, of: tablet)])
    // The same device of another team is another one.
    _ = machine.handle(.teamsChanged([team: [1000, 1001], Names.otherTeam: [1000]]))
    machine.connect(Names.stranger)
    let refused = machine.handle(fetch(Names.record(1), by: Names.stranger))
    #expect(refused == [refusal(.activityNotFound, of: Names.stranger)])
    #expect(machine.handle(fetch(Names.record(1), by: desktop)) == [gift(Names.record(1), to: desktop)])
    // Nor does it help to say that it was delivered there, or to ask for a stream.
    let continued = HandoffMessage.continued(Continued(activity: Names.id(1), delivered: true))
    #expect(machine.handle(.received(continued, from: tablet)) == [])
    let open = StreamMessage.open(Open(stream: 2, activity: Names.id(1)))
    #expect(
      machine.handle(.receivedOfStream(open, from: tablet))
        == [.sendOfStream(.reset(Reset(stream: 2, reason: .activityNotFound)), to: tablet)]
    )
  }

  @Test func itWaitsForASession() {
    var machine = Machine()
    #expect(
      machine.handle(.sent(Names.record(1), to: desktop, client: c1, user: 1000))
        == [.tell(c1, .sent), .connect(desktop)]
    )
    #expect(machine.handle(.connectFailed(desktop, .peerUnreachable)) == [])
    #expect(machine.handle(.sessionReady(tablet, Names.hello(of: tablet), isFirst: true)) == [])
    let hello = Names.hello(of: desktop)
    #expect(machine.handle(.sessionReady(desktop, hello, isFirst: true)) == [offer(Names.record(1), to: desktop)])
  }

  /// Each session begins without anything told, also one that replaces another.
  @Test(arguments: [Reason.peerUnreachable, .sessionIdle, .duplicateSession, nil])
  func eachSessionTellsItAgain(end: Reason?) {
    var machine = sent()
    if let end { #expect(machine.handle(.sessionEnded(desktop, end)) == []) }
    let hello = Names.hello(of: desktop)
    #expect(machine.handle(.sessionReady(desktop, hello, isFirst: true)) == [offer(Names.record(1), to: desktop)])
    #expect(machine.handle(.wake) == [])
  }

  @Test func whatIsWithdrawnBetweenSessionsIsNotTold() {
    var machine = sent()
    _ = machine.handle(.sessionEnded(desktop, .peerUnreachable))
    #expect(machine.handle(.clientLeft(c1)) == [])
    #expect(machine.handle(.sessionReady(desktop, Names.hello(of: desktop), isFirst: true)) == [])
  }

  // MARK: Beside the current activity

  @Test func neitherDisplacesTheOther() {
    var machine = sent()
    let current = Names.record(2)
    let published = machine.handle(.becameCurrent(current, team: nil, client: c2, user: 1000))
    #expect(published.first == .tell(c2, .current))
    #expect(published.last == .announce(team, current: current, counter: 2))
    #expect(!published.contains(withdrawal(Names.record(1), from: desktop)))
    let again = machine.handle(.sent(Names.record(3), to: tablet, client: c3, user: 1000))
    #expect(again == [.tell(c3, .sent), offer(Names.record(3), counter: 2, to: tablet)])
    #expect(machine.continuation.currentActivity(of: 1000) == current)
    #expect(machine.handle(.clientLeft(c2)).contains(.announce(team, current: nil, counter: 3)))
    #expect(machine.continuation.local[Names.id(1)]?.isOffered == true)
  }

  /// One activity is never both, because it has one state and one program.
  @Test func anIDIsOfACurrentActivityOrOfASentOne() {
    var machine = sent()
    #expect(
      machine.handle(.becameCurrent(Names.record(1), team: nil, client: c2, user: 1000)) == [.fail(c2, .notPermitted)]
    )
    machine.publish(Names.record(2), client: 2)
    #expect(
      machine.handle(.sent(Names.record(2), to: desktop, client: c3, user: 1000)) == [.fail(c3, .notPermitted)]
    )
    #expect(machine.handle(.sent(Names.record(1), to: desktop, client: c3, user: 1001)) == [.fail(c3, .notPermitted)])
    #expect(machine.continuation.currentActivity(of: 1000) == Names.record(2))
  }

  @Test func sendingTheSameAgainReplacesIt() {
    var machine = sent()
    let newer = Names.record(1) { $0.title = "Newer" }
    #expect(
      machine.handle(.sent(newer, to: desktop, client: c2, user: 1000))
        == [.tell(c1, .resigned(.superseded)), .tell(c2, .sent), offer(newer, to: desktop)]
    )
    #expect(machine.handle(.clientLeft(c1)) == [])
  }

  /// A fetch by the first device is not answered with what the second should get.
  @Test func sendingTheSameElsewhereStartsAnew() {
    let record = Names.record(1) { $0.needsSave = true }
    var machine = sent(record)
    #expect(machine.handle(fetch(record, by: desktop)) == [.tell(c1, .willSave)])
    let secret = Names.record(1) { $0.userInfo = Names.state(2) }
    let effects = machine.handle(.sent(secret, to: tablet, client: c2, user: 1000))
    #expect(
      effects.prefix(3) == [
        refusal(.activityWithdrawn, of: desktop), .tell(c1, .resigned(.superseded)), .tell(c2, .sent),
      ]
    )
    #expect(Set(effects.map { "\($0)" }).count == 5)
    #expect(effects.contains(withdrawal(record, from: desktop)))
    #expect(effects.contains(offer(Names.record(1), to: tablet)))
    #expect(machine.handle(fetch(record, by: desktop)) == [refusal(.activityNotFound, of: desktop)])
    #expect(machine.handle(.clientLeft(c1)) == [])
    #expect(machine.handle(fetch(record, by: tablet)) == [gift(secret, to: tablet)])
  }

  // MARK: Its life

  @Test func itIsContinuedWithAStream() {
    let record = Names.rich(1) { $0.needsSave = true }
    var machine = sent(record)
    #expect(machine.handle(fetch(record, by: desktop)) == [.tell(c1, .willSave)])
    let fresh = Names.rich(1) { $0.userInfo = Names.state(2) }
    #expect(
      machine.handle(.updated(fresh, client: c2, user: 1000)) == [.succeed(c2), gift(fresh, to: desktop)]
    )
    let continued = HandoffMessage.continued(Continued(activity: record.id, delivered: true))
    #expect(
      machine.handle(.received(continued, from: desktop)) == [
        .tell(c1, .continued(device: "device 1")), withdrawal(record, from: desktop),
      ]
    )
    let open = StreamMessage.open(Open(stream: 2, activity: record.id))
    #expect(
      machine.handle(.receivedOfStream(open, from: desktop)) == [
        .tell(c1, .streamRequested(token: "2", device: "device 1", team: desktop.team))
      ]
    )
    #expect(machine.handle(fetch(record, by: desktop)) == [refusal(.alreadyContinued, of: desktop)])
  }

  @Test func itResignsAndExpires() {
    var machine = sent(Names.record(1) { $0.expirationDate = 1_000_010 })
    let other = Names.record(2)
    _ = machine.handle(.sent(other, to: desktop, client: c2, user: 1000))
    #expect(
      machine.handle(.resigned(other.id, client: c3, user: 1000))
        == [.succeed(c3), .tell(c2, .resigned(.activityWithdrawn)), withdrawal(other, from: desktop)]
    )
    #expect(machine.wake == machine.time.instant + .seconds(10))
    #expect(
      machine.pass(.seconds(10))
        == [.tell(c1, .resigned(.activityExpired)), withdrawal(Names.record(1), from: desktop)]
    )
    #expect(machine.handle(fetch(Names.record(1), by: desktop)) == [refusal(.activityWithdrawn, of: desktop)])
  }

  @Test func aDaemonThatStopsSendsNothing() {
    var machine = sent()
    #expect(
      machine.handle(.stopping) == [.tell(c1, .resigned(.shuttingDown)), withdrawal(Names.record(1), from: desktop)]
    )
    #expect(machine.handle(.sent(Names.record(2), to: desktop, client: c2, user: 1000)) == [.fail(c2, .shuttingDown)])
  }

  // MARK: Withholding

  @Test func aLockedScreenDoesNotWithholdIt() {
    var machine = sent()
    #expect(machine.handle(.screensLocked([1000])) == [])
    #expect(machine.handle(fetch(Names.record(1), by: desktop)) == [gift(Names.record(1), to: desktop)])
  }

  @Test func sleepDoes() {
    var machine = sent()
    #expect(machine.handle(.asleep(true)) == [withdrawal(Names.record(1), from: desktop)])
    #expect(machine.handle(fetch(Names.record(1), by: desktop)) == [refusal(.asleep, of: desktop)])
    #expect(machine.handle(.asleep(false)) == [offer(Names.record(1), to: desktop)])
  }

  @Test func anAppCanKeepItToItsMachine() {
    var machine = sent()
    let kept = Names.record(1) { $0.isEligibleForHandoff = false }
    #expect(
      machine.handle(.updated(kept, client: c2, user: 1000)) == [.succeed(c2), withdrawal(kept, from: desktop)]
    )
    #expect(machine.handle(fetch(kept, by: desktop)) == [refusal(.notEligible, of: desktop)])
    // This says nothing about the current activity.
    #expect(machine.continuation.withholding(from: 1000) == nil)
  }

  // MARK: Teams

  @Test func onlyUsersOfTheTeamSend() {
    var machine = Machine(teams: [team: [1000], Names.otherTeam: [1001]])
    #expect(
      machine.handle(.sent(Names.record(1), to: desktop, client: c1, user: 1001)) == [.fail(c1, .teamNotFound)]
    )
    #expect(machine.handle(.sent(Names.record(2), to: desktop, client: c2, user: 0)).first == .tell(c2, .sent))
  }

  @Test func leavingTheTeamEndsIt() {
    var machine = sent()
    #expect(
      machine.handle(.teamsChanged([team: [1001]]))
        == [.tell(c1, .resigned(.teamNotFound)), withdrawal(Names.record(1), from: desktop)]
    )
    machine = sent()
    #expect(machine.handle(.teamsChanged([:])).contains(.tell(c1, .resigned(.teamNotFound))))
    #expect(machine.continuation.announcements.recipients == [])
  }

  @Test func removingTheDeviceEndsIt() {
    var machine = sent()
    _ = machine.handle(.sent(Names.record(2), to: tablet, client: c2, user: 1000))
    #expect(machine.continuation.recipients == [desktop, tablet])
    _ = machine.handle(.sessionEnded(desktop, .certificateRevoked))
    #expect(machine.handle(.deviceRemoved(desktop)) == [.tell(c1, .resigned(.certificateRevoked))])
    #expect(machine.continuation.recipients == [tablet])
  }

  // MARK: Limits

  @Test func aUserSendsOnlySoMany() {
    var machine = Machine()
    let limit = UInt64(LocalActivities.sentActivitiesPerUser)
    for number in 1...limit {
      let effects = machine.handle(.sent(Names.record(number), to: desktop, client: ClientID(number), user: 1000))
      #expect(effects.first == .tell(ClientID(number), .sent))
    }
    let more = ContinuationCore.Event.sent(Names.record(200), to: tablet, client: ClientID(200), user: 1000)
    #expect(machine.handle(more) == [.fail(ClientID(200), .limitReached)])
    // The same again, the current activity, and what others send are no more.
    let same = machine.handle(.sent(Names.record(1), to: desktop, client: ClientID(201), user: 1000))
    #expect(same.contains(.tell(ClientID(201), .sent)))
    machine.publish(Names.record(202), client: 202)
    let other = machine.handle(.sent(Names.record(203), to: tablet, client: ClientID(203), user: 1001))
    #expect(other.first == .tell(ClientID(203), .sent))
    _ = machine.handle(.clientLeft(ClientID(2)))
    #expect(machine.handle(more).first == .tell(ClientID(200), .sent))
  }

  /// The device would drop what is too much, and never learn of it.
  @Test func whatIsTooMuchForADeviceWaits() {
    var machine = Machine()
    machine.connect(desktop)
    let limit = UInt64(LocalActivities.sentActivitiesPerPeer)
    for number in 1...limit + 1 {
      let effects = machine.handle(.sent(Names.record(number), to: desktop, client: ClientID(number), user: 1000))
      #expect(effects.contains(offer(Names.record(number), to: desktop)) == (number <= limit))
    }
    // Another user's first one does not wait for all of them.
    let other = machine.handle(.sent(Names.record(50), to: desktop, client: ClientID(50), user: 1001))
    #expect(other.count == 3)
    #expect(other.suffix(2) == [withdrawal(Names.record(limit), from: desktop), offer(Names.record(50), to: desktop)])
    #expect(
      machine.handle(.clientLeft(ClientID(1)))
        == [withdrawal(Names.record(1), from: desktop), offer(Names.record(limit), to: desktop)]
    )
    #expect(LocalActivities.sentActivitiesPerPeer < Limits.offersPerPeer)
  }

  // MARK: The receiver

  @Test func theReceiverSeesThatItWasSent() {
    var machine = Machine()
    machine.connect(desktop)
    machine.offer(Names.record(1), from: desktop)
    let sent = HandoffMessage.offer(Offer(activity: Names.record(2), counter: 1, isSent: true))
    #expect(machine.handle(.received(sent, from: desktop)) == [.offersChanged])
    let offers = machine.continuation.offers(for: 1000)
    #expect(offers.map(\.isSent) == [true, false] && offers.map(\.activity.id) == [Names.id(2), Names.id(1)])
    #expect(machine.handle(.continueRequested(Names.id(2), client: c1, user: 1000)).count == 1)
  }

  /// Many that come and go do not make room for a member that offers the same as the current one.
  @Test func theCurrentActivitysOriginRemains() {
    var machine = Machine()
    machine.connect(desktop)
    machine.connect(tablet)
    machine.offer(Names.record(1), from: desktop)
    for number in 2...UInt64(3 * Limits.offersPerPeer) {
      let sent = HandoffMessage.offer(Offer(activity: Names.record(number), counter: 1, isSent: true))
      _ = machine.handle(.received(sent, from: desktop))
      let gone = HandoffMessage.withdraw(Withdraw(activity: Names.id(number), counter: 1))
      #expect(machine.handle(.received(gone, from: desktop)) == [.offersChanged])
    }
    machine.offer(Names.record(1), from: tablet)
    #expect(machine.continuation.offer(Names.id(1), for: 1000)?.peer == desktop)
  }

  /// No advert shows what becomes of it after an idle session.
  @Test func itIsForgottenWithTheSession() {
    var machine = Machine()
    machine.connect(desktop)
    machine.offer(Names.record(1), from: desktop)
    let sent = HandoffMessage.offer(Offer(activity: Names.record(2), counter: 1, isSent: true))
    _ = machine.handle(.received(sent, from: desktop))
    #expect(machine.handle(.sessionEnded(desktop, .sessionIdle)) == [.offersChanged])
    #expect(machine.offers() == [Names.id(1)])
  }

  @Test func aSessionThatDoesNotConfirmItEndsIt() {
    var machine = Machine()
    machine.connect(desktop)
    let sent = HandoffMessage.offer(Offer(activity: Names.record(2), counter: 1, isSent: true))
    _ = machine.handle(.received(sent, from: desktop))
    machine.connect(desktop)
    #expect(machine.pass(Limits.offerConfirmTime) == [.offersChanged])
    #expect(machine.offers() == [])
  }
}
