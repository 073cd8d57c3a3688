// SPDX-License-Identifier: Apache-2.0

import Activity
import ControlInterface
import EventLoop
import Handoff
import TLS
import TestSupport
import Testing
import VarlinkClient

@testable import BatonDaemon

extension DaemonTests {
  /// Activities that are sent to one device.
  struct SendingTests {
    private typealias Events = ControlReplies<SendActivity>

    private func id(of name: String, at daemon: DaemonFixture) throws -> DeviceID {
      try waitFor("\(daemon.name) knows \(name)") { try daemon.peers().first { $0.device == name }?.deviceID }
    }

    /// Sends an activity, and returns its ID and what is told about it later.
    private func send(
      _ activity: ControlActivity = ControlActivity(activityType: "org.example.page"),
      to device: DeviceID,
      from daemon: DaemonFixture
    ) throws -> (ActivityID, Events) {
      let parameters = SendActivity.Parameters(activity: activity, deviceID: device)
      var events = try daemon.connect().replies(of: SendActivity.self, parameters)
      let next = try events.next(until: .now + patience)
      let first = try #require(next)
      #expect(first.event == .sent)
      return (first.id, events)
    }

    /// The program that sends it ends before this returns.
    private func sendAndEnd(to device: DeviceID, from daemon: DaemonFixture) throws -> ActivityID {
      let (id, held) = try send(to: device, from: daemon)
      withExtendedLifetime(held) {}
      return id
    }

    private func expect(_ event: SendActivity.Event, _ events: inout Events) throws -> SendActivity.Reply {
      let next = try events.next(until: .now + patience)
      let reply = try #require(next)
      #expect(reply.event == event)
      return reply
    }

    @Test func onlyTheDeviceThatItIsSentToSeesIt() throws {
      try withDaemons("alpha", "beta", "gamma") { machines, _ in
        let (alpha, beta, gamma) = (machines[0], machines[1], machines[2])
        try connect(machines)
        let note = try alpha.advertise(ControlActivity(activityType: "org.example.notes"))
        for machine in [beta, gamma] { try machine.waitForOffer(note.id, by: .session) }
        var seen = try gamma.connect().replies(of: ListOffers.self, ListOffers.Parameters())
        let before = try seen.next(until: .now + patience)
        #expect(before?.offers.map(\.id) == [note.id])
        let (id, held) = try send(to: id(of: "beta", at: alpha), from: alpha)
        var events = held
        let offer = try beta.waitForOffer(id, by: .session)
        #expect(offer.isSent && offer.device == "alpha")
        let both = try beta.offers()
        #expect(both.map(\.id) == [id, note.id])
        #expect(both.map(\.isSent) == [true, false])
        #expect(try beta.continueActivity(id).device == "alpha")
        let continued = try expect(.continued, &events)
        #expect(continued.device == "beta")
        try waitUntil("The current activity remains") { try beta.offers().map(\.id) == [note.id] }
        // What follows on the same session comes after all that gamma was told before.
        try note.resign()
        let after = try seen.next(until: .now + patience)
        #expect(after?.offers == [])
        withExtendedLifetime(events) {}
      }
    }

    /// Whoever learns of its ID cannot fetch it either.
    @Test func anotherMemberFetchesItInVain() throws {
      try withMember { alpha, peer in
        let credentials = try RawPeer.admitted(by: alpha)
        let recipient = try RawPeer(credentials, port: alpha.port)
        try recipient.becomeReady()
        let (id, held) = try send(to: credentials.device, from: alpha)
        let offer = try recipient.hear("the offer") { if case .handoff(.offer(let offer)) = $0 { offer } else { nil } }
        #expect(offer.isSent && offer.activity.id == id)
        try peer.send(Fetch(request: 7, activity: id))
        let failure = try peer.hear("a refusal") {
          switch $0 {
          case .handoff(.failure(let failure)): failure
          case .handoff(.offer): throw TestFailure("An offer for another")
          default: nil
          }
        }
        #expect(failure == Failure(request: 7, reason: .activityNotFound))
        withExtendedLifetime(held) {}
      }
    }

    @Test func itWaitsForADeviceThatIsAway() throws {
      try withDaemons("alpha", "beta") { machines, network in
        let (alpha, beta) = (machines[0], machines[1])
        try connect(machines)
        let device = try id(of: "beta", at: alpha)
        try beta.stop()
        try alpha.waitForSessions(0)
        let (id, held) = try send(to: device, from: alpha)
        let withdrawn = try sendAndEnd(to: device, from: alpha)
        let later = try beta.again(network)
        defer { try? later.stop() }
        let offer = try later.waitForOffer(id, by: .session)
        #expect(offer.isSent)
        let offered = try later.offers().map(\.id)
        #expect(!offered.contains(withdrawn))
        withExtendedLifetime(held) {}
      }
    }

    @Test func theProgramsEndWithdrawsIt() throws {
      try withTwoDaemons { alpha, beta in
        let device = try id(of: "beta", at: alpha)
        for _ in 0..<20 {
          let (id, held) = try send(to: device, from: alpha)
          try beta.waitForOffer(id)
          withExtendedLifetime(held) {}
        }
        try beta.waitForNoOffers()
      }
    }

    @Test func streamsWork() throws {
      try withTwoDaemons { alpha, beta in
        var activity = ControlActivity(activityType: "org.example.page")
        activity.supportsContinuationStreams = true
        let (id, held) = try send(activity, to: id(of: "beta", at: alpha), from: alpha)
        var events = held
        try beta.waitForOffer(id)
        _ = try beta.continueActivity(id)
        _ = try expect(.continued, &events)
        let opening = onThread { try beta.openStream(id) }
        let requested = try expect(.streamRequested, &events)
        let token = try #require(requested.stream)
        let accepted = try alpha.acceptStream(token)
        _ = try opening.wait()
        withExtendedLifetime(accepted) {}
      }
    }

    @Test func onlyDevicesOfTheUsersTeamsAreSentTo() throws {
      try withTwoDaemons { alpha, beta in
        let activity = ControlActivity(activityType: "org.example.page")
        func refusal(_ device: DeviceID, team: String? = nil) throws -> Reason {
          let parameters = SendActivity.Parameters(activity: activity, deviceID: device, team: team)
          return try reason {
            var events = try alpha.connect().replies(of: SendActivity.self, parameters)
            _ = try events.next(until: .now + patience)
          }
        }
        let stranger = try #require(DeviceID(bytes: Array(repeating: 7, count: DeviceID.byteCount)))
        #expect(try refusal(stranger) == .peerNotFound)
        let teams = try alpha.status().teams
        let own = try #require(teams.first).deviceID
        #expect(try refusal(own) == .peerNotFound)
        let device = try id(of: "beta", at: alpha)
        #expect(try refusal(device, team: "Elsewhere") == .teamNotFound)
        let other = try alpha.createTeam("Other")
        #expect(try refusal(device, team: other.id.description) == .peerNotFound)
        // An administrator knows devices that it has never met.
        let demo = try #require(teams.first { $0.name == "Demo" }).id.description
        let admitted = try RawPeer.admitted(by: alpha, team: demo).device
        let (_, held) = try send(to: admitted, from: alpha)
        var events = held
        let (_, toBeta) = try send(to: device, from: alpha)
        var betaEvents = toBeta
        for removed in [admitted, device] {
          _ = try alpha.call(RevokeDevice.self, RevokeDevice.Parameters(device: removed.text, team: demo))
          #expect(try refusal(removed) == .certificateRevoked)
        }
        let ends = [try expect(.resigned, &events), try expect(.resigned, &betaEvents)]
        #expect(ends.map(\.reason) == [.certificateRevoked, .certificateRevoked])
      }
    }

    /// Whatever a member says was sent here takes no more room than other offers.
    @Test func aMemberThatSendsTooMuchTakesNoMoreRoom() throws {
      try withMember { alpha, peer in
        let flood = 10 * UInt64(Limits.offersPerPeer)
        for number in 1...flood {
          let record = try ActivityRecord(id: ActivityID(randomBytes: (7, number)), activityType: "org.example.flood")
          try peer.send(Offer(activity: record, counter: number, isSent: true))
        }
        try peer.send(Ping(number: 7))
        _ = try peer.hear("the pong") { if case .session(.pong) = $0 { true } else { nil } }
        let offers = try alpha.offers()
        #expect(offers.count == Limits.offersPerPeer)
        #expect(offers.count { $0.isSent } == offers.count)
        peer.hangUp()
        try alpha.waitForNoOffers()
      }
    }

    /// Programs come and go, and the last that one of them sends is what the other machine sees.
    @Test func aThousandLeaveNothingBehind() throws {
      try withTwoDaemons { alpha, beta in
        let device = try id(of: "beta", at: alpha)
        let parameters = SendActivity.Parameters(
          activity: ControlActivity(activityType: "org.example.page"),
          deviceID: device
        )
        for _ in 0..<1000 {
          var events = try alpha.connect().replies(of: SendActivity.self, parameters)
          let first = try events.next(until: .now + patience)
          #expect(first?.event == .sent)
        }
        let (id, held) = try send(to: device, from: alpha)
        try waitUntil("Only the last is left") { try beta.offers().map(\.id) == [id] }
        withExtendedLifetime(held) {}
      }
    }
  }
}
