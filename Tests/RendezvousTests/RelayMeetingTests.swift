// SPDX-License-Identifier: Apache-2.0

import Activity
import Testing

@testable import Handoff

struct RelayMeetingTests {
  private let start = ContinuousClock.now
  private let key = [UInt8](1...32)

  private func waitingHost() -> RelayMeeting {
    var host = RelayMeeting(.host, at: start)
    _ = host.handle(.secured, at: start)
    #expect(host.handle(.received(RelayBytes.success), at: start).first == .joined)
    return host
  }

  private func askingGuest() -> RelayMeeting {
    var guest = RelayMeeting(.guest(hostID: key), at: start)
    let question = RelayRequest.connect(hostID: key).bytes
    #expect(guest.handle(.secured, at: start) == [.send(question), .wake(at: start + Limits.relayReplyTime)])
    return guest
  }

  @Test(arguments: [1, 2, 5, 1000]) func aHostWaitsForItsGuest(_ count: Int) {
    var host = RelayMeeting(.host, at: start)
    #expect(
      host.handle(.secured, at: start) == [
        .send(RelayRequest.joinRelay.bytes), .wake(at: start + Limits.relayReplyTime),
      ]
    )
    let bytes = RelayBytes.success + RelayBytes.ping + RelayBytes.invitation(key: key)
    var effects: [RelayMeeting.Effect] = []
    for part in stride(from: 0, to: bytes.count, by: count) {
      effects += host.handle(.received(Array(bytes[part..<min(part + count, bytes.count)])), at: start)
    }
    effects = effects.filter { if case .wake = $0 { false } else { true } }
    #expect(effects.count == 3 && effects.first == .joined)
    #expect(effects.contains(.invited(key: key)) && effects.contains(.send(RelayRequest.pong.bytes)))
    #expect(host.handle(.wake, at: start + .seconds(3600)) == [.wake(at: nil)], "It needs no deadline any longer")
  }

  @Test func aHostStaysWhileItMeetsItsGuest() {
    var host = waitingHost()
    _ = host.handle(.received(RelayBytes.invitation(key: key)), at: start)
    #expect(host.handle(.received(RelayBytes.invitation(key: [9])), at: start) == [.wake(at: nil)], "Another guest")
    let pings = RelayBytes.ping + RelayBytes.ping + RelayBytes.message(1)
    #expect(
      host.handle(.received(pings), at: start) == [.send(RelayRequest.pong.bytes), .wake(at: nil)],
      "One answer for both"
    )
    #expect(host.handle(.closed, at: start) == [.end(.closed), .wake(at: nil)])
    #expect(host.handle(.received(RelayBytes.ping), at: start) == [])
  }

  @Test func aRelayThatSaysTooMuchIsReadLater() {
    var host = waitingHost()
    let most = Int(Limits.rendezvousMessageRate.burst)
    let pings = (0..<most).flatMap { _ in RelayBytes.ping }
    // There is a token for each of them, except the last one, because the answer took one.
    let effects = host.handle(.received(pings), at: start)
    let isResting = effects.contains { if case .rest(let instant) = $0 { instant > start } else { false } }
    #expect(isResting && effects.count == 3, "One answer, the rest, and the deadline")
    let later = host.handle(.received(RelayBytes.ping), at: start + .seconds(10))
    #expect(later.first == .send(RelayRequest.pong.bytes) && later.count == 2)
  }

  @Test func aGuestIsInvitedOnceTheHostHadTimeToJoin() {
    var guest = askingGuest()
    let pause = start + RelayMeeting.relayPause
    let bytes = RelayBytes.ping + RelayBytes.invitation(key: key)
    #expect(guest.handle(.received(bytes), at: start) == [.send(RelayRequest.pong.bytes), .wake(at: pause)])
    #expect(guest.handle(.closed, at: start) == [.wake(at: pause)], "The relay is done with it")
    #expect(guest.handle(.wake, at: pause - .milliseconds(1)) == [.wake(at: pause)])
    #expect(guest.handle(.wake, at: pause) == [.invited(key: key), .wake(at: nil)])
    #expect(guest.handle(.closed, at: pause) == [])
  }

  @Test func aGuestIsInvitedOnce() {
    var guest = askingGuest()
    let bytes = RelayBytes.invitation(key: key) + RelayBytes.invitation(key: [9])
    #expect(guest.handle(.received(bytes), at: start).first == .end(.malformed("an unexpected answer")))
  }

  @Test func aGuestWithoutAHostIsToldSo() {
    var guest = askingGuest()
    let answer = RelayBytes.response(1, "not found")
    #expect(guest.handle(.received(answer), at: start) == [.end(.notThere), .wake(at: nil)])
  }

  @Test(arguments: [
    (RelayBytes.message(7), RelayFailure.full),
    (RelayBytes.response(2, "already connected"), .refused(code: 2, text: "already connected")),
    (RelayBytes.response(3, "wrong token"), .refused(code: 3, text: "wrong token")),
    (RelayBytes.invitation(key: [1]), .malformed("an unexpected answer")),
    (RelayBytes.number(1), .malformed("it isn't a relay")),
  ])
  func whatARelayDoesNotDoForAHostIsToldByName(_ bytes: [UInt8], _ failure: RelayFailure) {
    var host = RelayMeeting(.host, at: start)
    _ = host.handle(.secured, at: start)
    #expect(host.handle(.received(bytes), at: start) == [.end(failure), .wake(at: nil)])
    #expect(host.handle(.wake, at: start + .seconds(60)) == [])
  }

  @Test func anAnswerWithoutAQuestionEndsIt() {
    var guest = askingGuest()
    #expect(
      guest.handle(.received(RelayBytes.success), at: start).first == .end(.malformed("an unexpected answer"))
    )
    var early = RelayMeeting(.guest(hostID: key), at: start)
    #expect(
      early.handle(.received(RelayBytes.invitation(key: key)), at: start).first
        == .end(.malformed("an unexpected answer"))
    )
    var host = waitingHost()
    #expect(
      host.handle(.received(RelayBytes.success), at: start).first == .end(.malformed("an unexpected answer"))
    )
  }

  @Test func eachStepHasItsDeadline() {
    let reply = start + Limits.relayReplyTime
    var host = RelayMeeting(.host, at: start)
    #expect(host.handle(.wake, at: reply - .milliseconds(1)) == [.wake(at: reply)])
    #expect(host.handle(.wake, at: reply) == [.end(.timedOut), .wake(at: nil)])
    host = RelayMeeting(.host, at: start)
    _ = host.handle(.secured, at: start + .seconds(5))
    #expect(host.handle(.wake, at: reply) == [.wake(at: reply + .seconds(5))])
    let meeting = reply + RelayMeeting.relayMeetingTime
    #expect(host.handle(.received(RelayBytes.success), at: reply) == [.joined, .wake(at: meeting)])
    #expect(host.handle(.received(RelayBytes.ping), at: reply).last == .wake(at: meeting), "A ping delays nothing")
    #expect(host.handle(.wake, at: meeting) == [.end(.timedOut), .wake(at: nil)])
    var guest = askingGuest()
    #expect(guest.handle(.wake, at: reply) == [.end(.timedOut), .wake(at: nil)])
  }
}

struct RelayJoiningTests {
  private let start = ContinuousClock.now
  private let key = [UInt8](1...32)

  private func asking() -> RelayJoining {
    var joining = RelayJoining(key: key, at: start)
    let question = RelayRequest.joinSession(key: key).bytes
    #expect(joining.handle(.connected, at: start) == [.send(question), .wake(at: start + Limits.relayReplyTime)])
    return joining
  }

  @Test(arguments: [1, 2, 5, 1000]) func whatFollowsTheAnswerIsTheOtherMachines(_ count: Int) {
    var joining = asking()
    let bytes = RelayBytes.success + Array("hello".utf8)
    var (effects, rest): ([RelayJoining.Effect], [UInt8]) = ([], [])
    for start in stride(from: 0, to: bytes.count, by: count) {
      let part = Array(bytes[start..<min(start + count, bytes.count)])
      if effects.isEmpty {
        effects = joining.handle(.received(part), at: self.start).filter {
          if case .joined(let bytes) = $0 { rest = bytes }
          return $0 != .wake(at: self.start + Limits.relayReplyTime)
        }
      } else {
        #expect(joining.handle(.received(part), at: self.start) == [])
        rest += part
      }
    }
    #expect(effects.count == 2 && effects.last == .wake(at: nil))
    #expect(rest == Array("hello".utf8))
  }

  @Test(arguments: [
    (RelayBytes.response(1, "not found"), RelayFailure.notThere),
    (RelayBytes.response(2, "already connected"), .notReady),
    (RelayBytes.response(100, "unexpected message"), .refused(code: 100, text: "unexpected message")),
    (RelayBytes.message(7), .full), (RelayBytes.ping, .malformed("an unexpected answer")),
    (Array("what the other side said".utf8), .malformed("it isn't a relay")),
  ])
  func anythingElseEndsIt(_ bytes: [UInt8], _ failure: RelayFailure) {
    var joining = asking()
    #expect(joining.handle(.received(bytes), at: start) == [.end(failure), .wake(at: nil)])
    #expect(joining.handle(.received(RelayBytes.success), at: start) == [])
  }

  @Test func itsDeadlineIsThatOfAReply() {
    var joining = asking()
    #expect(joining.handle(.wake, at: start + Limits.relayReplyTime) == [.end(.timedOut), .wake(at: nil)])
    joining = RelayJoining(key: key, at: start)
    #expect(joining.handle(.wake, at: start + Limits.relayReplyTime) == [.end(.timedOut), .wake(at: nil)])
    joining = asking()
    #expect(joining.handle(.closed, at: start) == [.end(.closed), .wake(at: nil)])
  }
}
