// SPDX-License-Identifier: Apache-2.0

import Activity
import ControlInterface
import EventLoop
import Handoff
import JSONCoding
import TLS
import Teams
import TestSupport
import Testing
import VarlinkClient

@testable import BatonDaemon

extension DaemonTests {
  /// What agents tell each other about the search index (SearchIndex.md).
  struct IndexTests {
    @Test func agentsOfTwoMachinesTalkToEachOther() throws {
      try withTwoDaemons { a, b in
        let (near, far) = (try Agent(a), try Agent(b))
        let (toFar, toNear) = (try near.waitForPeer(), try far.waitForPeer())
        #expect(toFar.device == "beta" && toNear.device == "alpha")
        #expect(near.teams.map(\.id) == [toFar.team])
        let text = String(repeating: "x", count: Limits.indexMessageLength - JSON.object(["k": ""]).bytes.count)
        let deep: JSON = ["k": (1..<Limits.indexMessageDepth).reduce(nil) { json, _ in .array([json]) }]
        for message: JSON in [["kind": "pull"], ["k": .string(text)], deep, [:]] {
          try a.send(message, to: toFar)
          #expect(try far.nextMessage() == message)
          try b.send(message, to: toNear)
          #expect(try near.nextMessage() == message)
        }
      }
    }

    @Test func whatCannotBeSentIsRefused() throws {
      try withTwoDaemons { a, b in
        let agent = try Agent(a)
        let peer = try agent.waitForPeer()
        let (team, device) = (try #require(peer.team), try #require(peer.deviceID))
        let own = try #require(try a.status().teams.first?.deviceID)
        func refusal(_ team: String, _ device: DeviceID) throws -> Reason {
          try a.failure(
            of: SendIndexMessage.self,
            SendIndexMessage.Parameters(team: team, deviceID: device, message: [:])
          )
        }
        #expect(try refusal("0000000000", device) == .teamNotFound)
        #expect(try refusal(team, own) == .peerUnreachable)
        // Nobody has registered there, which only drops the message.
        try a.send([:], to: peer)
        try b.stop()
        #expect(try agent.next(.peer).connected == false)
        #expect(try refusal(team, device) == .peerUnreachable)
      }
    }

    @Test func theNewestAgentOfAUserIsTheAgent() throws {
      try withMember { a, peer in
        var first: Agent? = try Agent(a)
        _ = try first?.waitForPeer()
        let second = try Agent(a)
        _ = try second.waitForPeer()
        #expect(try reason { try first?.next(.message) } == .superseded)
        try peer.send(Index(message: ["n": 1]))
        #expect(try second.nextMessage() == ["n": 1])
        // The end of the first one's connection does not end the second.
        first = nil
        _ = try a.status()
        try peer.send(Index(message: ["n": 2]))
        #expect(try second.nextMessage() == ["n": 2])
      }
    }

    @Test func sessionsAndNamesAreTold() throws {
      try withTeam { a in
        let agent = try Agent(a)
        let member = try RawPeer.admitted(by: a)
        let peer = try RawPeer(member, port: a.port)
        try peer.becomeReady()
        let began = try agent.next(.peer)
        #expect(began.device == "gamma" && began.deviceID == member.device && began.connected == true)
        try peer.send(Renamed(device: "delta"))
        #expect(try agent.next(.peer).device == "delta")
        // The agent starts again with a session that replaces another one, because messages may have been lost.
        let second = try RawPeer(member, port: a.port)
        try second.becomeReady()
        let replaced = try agent.next(.peer)
        #expect(replaced.connected == true && replaced.device == "gamma")
        second.hangUp()
        let ended = try agent.next(.peer)
        #expect(ended.connected == false && ended.deviceID == member.device)
      }
    }

    @Test func teamsAndRemovedDevicesAreTold() throws {
      try withTwoDaemons { a, b in
        let agent = try Agent(a)
        let peer = try agent.waitForPeer()
        let team = try #require(peer.team)
        let own = try #require(try a.call(ListTeams.self, Nothing()).teams.first)
        #expect(agent.teams == [IndexTeam(id: team, name: own.name, deviceID: own.deviceID, removed: [])])
        let other = try a.createTeam("Other").id.description
        #expect(Set(try agent.next(.teams).teams?.map(\.id) ?? []) == [team, other])
        _ = try a.call(RevokeDevice.self, RevokeDevice.Parameters(device: "beta", team: team))
        let removed = try agent.next(.teams).teams?.first { $0.id == team }?.removed
        #expect(removed == [try #require(peer.deviceID)])
        #expect(try agent.next(.peer).connected == false)
        _ = try a.call(LeaveTeam.self, LeaveTeam.Parameters(team: team))
        #expect(try agent.next(.teams).teams?.map(\.id) == [other])
      }
    }

    /// To others, a machine has one index for each team.
    @Test func onlyOneUserOfAMachineTakesPartForATeam() throws {
      try withMember { a, peer in
        let agent = try Agent(a)
        let session = try agent.waitForPeer()
        let (team, device) = (try #require(session.team), try #require(session.deviceID))
        let (own, later, stranger): (UserID, UserID, UserID) = try onLoop {
          let owner = a.daemon.membership.teams[0].owners[0]
          return (owner, owner + 1, owner + 2)
        }
        func refusal(_ user: UserID) throws -> Reason? {
          try onLoop {
            do throws(Reason) { try a.daemon.index.send([:], to: device, of: team, by: user) } catch { return error }
            return nil
          }
        }
        let code = try InvitationCode(text: a.invite())
        let joined = Outcome<Bool>()
        try onLoop {
          a.daemon.joinings.begin(
            code,
            address: ("127.0.0.1", a.port),
            deviceName: "alpha",
            owner: later,
            replacing: nil
          ) { _ in joined.set(.success(true)) }
        }
        _ = try joined.wait()
        #expect(try onLoop { a.daemon.membership.teams[0].owners } == [own, later])
        #expect(try refusal(own) == nil)
        #expect(try refusal(later) == .notPermitted)
        #expect(try refusal(stranger) == .teamNotFound)
        try peer.send(Index(message: ["n": 1]))
        #expect(try agent.nextMessage() == ["n": 1])
        try waitOnLoop { try await a.daemon.membership.leave(a.daemon.membership.teams[0], user: later) }
        #expect(try refusal(later) == .teamNotFound)
        #expect(try refusal(own) == nil)
        try peer.send(Index(message: ["n": 2]))
        #expect(try agent.nextMessage() == ["n": 2])
      }
    }

    // MARK: Too much

    @Test func aPeerThatFloodsIsDroppedAndItsOffersPass() throws {
      let clock = try ManualClock.install()
      try withTwoDaemons { a, b in
        let agent = try Agent(a)
        let beta = try agent.waitForPeer()
        let flooder = try RawPeer(try RawPeer.admitted(by: a), port: a.port)
        try flooder.becomeReady()
        #expect(try agent.next(.peer).device == "gamma")
        let text = String(repeating: "x", count: 1000)
        let flood = Index(message: ["k": .string(text)]).frame
        try flooder.send(Array(repeatElement(flood, count: 100).joined()))
        let record = try ActivityRecord(id: ActivityID(randomBytes: (1, 2)), activityType: "org.example.x")
        try flooder.send(Offer(activity: record, counter: 1))
        try a.waitForOffer(record.id, by: .session)
        // What others say comes through.
        let toAlpha = try #require(try b.status().teams.first)
        let alpha = try #require(try a.status().teams.first).deviceID
        _ = try b.call(
          SendIndexMessage.self,
          SendIndexMessage.Parameters(team: toAlpha.id.description, deviceID: alpha, message: ["n": 7])
        )
        var heard = 0
        while try agent.next(.message, meanwhile: { try clock.pass(Limits.watcherRetryTime) }).deviceID != beta.deviceID
        {
          heard += 1
        }
        #expect((1...Int(MessageBudget.receivedIndexMessageRate.burst)).contains(heard))
      }
    }

    @Test func anAgentThatDoesNotReadHasALimitForEachPeer() throws {
      let clock = try ManualClock.install()
      try withTeam { a in
        let agent = try Agent(a)
        let peers = try (0..<2).map { _ in try RawPeer(try RawPeer.admitted(by: a), port: a.port) }
        for peer in peers {
          try peer.becomeReady()
          #expect(try agent.next(.peer).connected == true)
        }
        func send(_ name: String, by peer: RawPeer) throws {
          let message: JSON = [name: .string(String(repeating: "x", count: 12_000))]
          try peer.send(Index(message: message))
          // The answer shows that it has arrived.
          try peer.send(Ping(number: 1))
          _ = try peer.hear("pong") { if case .session(.pong(let pong)) = $0 { pong } else { nil } }
          try clock.pass(.milliseconds(100))
        }
        // More than fits in the socket of the agent.
        for _ in 0..<200 { try send("flood", by: peers[0]) }
        try send("other", by: peers[1])
        func passTime() throws { try clock.pass(Limits.watcherRetryTime) }
        var (heard, others) = (0, 0)
        while others == 0 {
          let message = try agent.next(.message, meanwhile: passTime).message
          if message?.object?["other"] != nil { others += 1 } else { heard += 1 }
        }
        #expect(heard < 200)
        // And it goes on.
        try send("last", by: peers[0])
        while try agent.next(.message, meanwhile: passTime).message?.object?["last"] == nil {}
      }
    }

    /// A stream whose peer does not read fills the session.
    @Test func messagesWaitBehindEverythingElse() throws {
      let clock = try ManualClock.install()
      try withMember { a, peer in
        let agent = try Agent(a)
        let session = try agent.waitForPeer()
        let note = try a.advertiseFiles()
        let app = try peer.continueWithStream(note)
        try peer.send(Acknowledge(stream: peer.firstStream, progress: .init(received: 0, limit: .max)))
        _ = try app.writeUntilFull { _ = try a.status() }
        for number in 0..<Limits.unsentIndexMessagesPerPeer { try a.send(["n": .integer(Int64(number))], to: session) }
        #expect(
          try a.failure(
            of: SendIndexMessage.self,
            SendIndexMessage.Parameters(
              team: try #require(session.team),
              deviceID: try #require(session.deviceID),
              message: [:]
            )
          ) == .limitReached
        )
        let page = try a.advertise(ControlActivity(activityType: "org.example.pages"))
        var numbers: [Int64] = []
        let offered = try peer.hear("the offer") { message in
          if case .index(let index) = message { numbers.append(index.message.object?["n"]?.int64 ?? -1) }
          if case .handoff(.offer(let offer)) = message, offer.activity.id == page.id { return offer.activity.id }
          return nil
        }
        #expect(offered == page.id && numbers.isEmpty)
        // The stream is over, and they go.
        app.hangUp()
        while numbers.count < Limits.unsentIndexMessagesPerPeer {
          try clock.pass(PeerConnection.indexMessageRetryTime)
          try peer.send(Ping(number: 1))
          _ = try peer.hear("pong") { message in
            if case .index(let index) = message { numbers.append(index.message.object?["n"]?.int64 ?? -1) }
            if case .session(.pong(let pong)) = message { return pong }
            return nil
          }
        }
        #expect(numbers == Array(0..<Int64(Limits.unsentIndexMessagesPerPeer)))
      }
    }
  }
}

/// A program that has called `RegisterIndex`.
private final class Agent {
  private var replies: ControlReplies<RegisterIndex>
  /// What it was told first.
  private(set) var teams: [IndexTeam] = []

  init(_ fixture: DaemonFixture) throws {
    replies = try fixture.connect().replies(of: RegisterIndex.self, Nothing())
    _ = try next(.registered)
    teams = try next(.teams).teams ?? []
  }

  /// Waits for the next reply.
  ///
  /// - Parameters:
  ///   - event: Its event; nil for any.
  ///   - meanwhile: Called again and again until the reply is there.
  func next(_ event: RegisterIndex.Event? = nil, meanwhile: () throws -> Void = {}) throws -> RegisterIndex.Reply {
    let reply = try waitFor("A reply") {
      try meanwhile()
      return try poll()
    }
    guard event ?? reply.event == reply.event else { throw TestFailure("Another event: \(reply.event)") }
    return reply
  }

  private func poll() throws -> RegisterIndex.Reply? {
    do {
      guard let reply = try replies.next(until: .now + .milliseconds(20)) else { throw ControlError.disconnected }
      return reply
    } catch ControlError.timedOut {
      return nil
    }
  }

  /// Waits for the next session.
  func waitForPeer() throws -> RegisterIndex.Reply {
    let reply = try next(.peer)
    guard reply.connected == true else { throw TestFailure("A session has ended") }
    return reply
  }

  func nextMessage() throws -> JSON? { try next(.message).message }
}

extension DaemonFixture {
  fileprivate func send(_ message: JSON, to peer: RegisterIndex.Reply) throws {
    guard let team = peer.team, let device = peer.deviceID else { throw TestFailure("No peer") }
    let parameters = SendIndexMessage.Parameters(team: team, deviceID: device, message: message)
    _ = try call(SendIndexMessage.self, parameters)
  }
}
