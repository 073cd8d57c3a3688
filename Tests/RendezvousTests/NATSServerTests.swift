// SPDX-License-Identifier: Apache-2.0

import Activity
import Foundation
import Handoff
import TLS
import TestSupport
import Testing

/// What a real `nats-server` makes of the tokens and of the session.
struct NATSServerTests {
  @Test func devicesOfATeamHearEachOtherAndNobodyElse() throws {
    let server = try NATSServer()
    let (first, second) = (try NATSDevice(server, name: "a"), try NATSDevice(server, name: "b"))
    let stranger = try NATSDevice(server, account: 1, name: "s")
    let neighbour = try NATSDevice(server, account: 1, name: "t")
    try first.publish("b.adv.a", "one")
    // In the name of another device of the team: the server does not pass it on.
    try first.publish("b.adv.b", "forged")
    try first.publish("b.adv.a", "two")
    #expect(try second.hear(2) == ["b.adv.a one", "b.adv.a two"])
    try neighbour.publish("b.adv.t", "theirs")
    #expect(try stranger.hear(1) == ["b.adv.t theirs"])
    #expect(first.messages.isEmpty)
  }

  @Test func whoseTokenIsNotTheAccountsIsRefused() throws {
    let server = try NATSServer()
    let other = try NATSDevice(server, issuer: server.accounts[1])
    #expect(other.failure == .refused)
    let late = try NATSDevice(server, lifetime: -60)
    #expect(late.failure == .refused || late.failure == .expired)
  }

  @Test func aTokenThatExpiresEndsTheConnectionByName() throws {
    let server = try NATSServer()
    let device = try NATSDevice(server, lifetime: 4)
    #expect(device.failure == nil)
    try device.run { false }
    #expect(device.failure == .expired)
  }

  // MARK: What an administrator changes

  @Test func aRevokedDeviceIsCutOffAndNobodyElse() throws {
    let server = try NATSServer()
    let (lost, other) = (try NATSDevice(server, name: "a"), try NATSDevice(server, name: "b"))
    let now = NATSServer.now()
    let token = try server.accountToken(revoked: [(try lost.key.rawPublicKey, now)])
    #expect(try server.push(token)?.contains("\"code\":200") == true)
    try lost.run { false }
    #expect(lost.failure == .revoked)
    // On connecting, servers do not say why.
    #expect(try NATSDevice(server, name: "a", key: lost.key).failure == .refused)
    try NATSDevice(server, name: "c").publish("b.adv.c", "hello")
    #expect(try other.hear(1) == ["b.adv.c hello"])
    // What it is given later is good again.
    let again = try NATSDevice(server, name: "a", key: lost.key, issued: now + 1)
    #expect(again.failure == nil)
  }

  @Test func manyRevocationsAreTaken() throws {
    let server = try NATSServer()
    let device = try NATSDevice(server, name: "a")
    let own = try device.key.rawPublicKey
    // Each differs from the device's key in another way.
    let others = (1..<Limits.revokedUsers).map { number in
      (key: [own[0] ^ UInt8(number >> 8), own[1] ^ UInt8(number & 255)] + own.dropFirst(2), until: NATSServer.now())
    }
    let token = try server.accountToken(revoked: others + [(own, NATSServer.now())])
    #expect(token.utf8.count < Limits.accountTokenLength)
    #expect(try server.push(token)?.contains("\"code\":200") == true)
    try device.run { false }
    #expect(device.failure == .revoked)
    // An administrator's machine asks for it before it tells the server something else.
    #expect(try server.lookUp([server.accounts[0].rawPublicKey], answers: 1) == [token])
    #expect(NATSRevocations(token: token)?.users.count == Limits.revokedUsers)
  }

  /// A server says nothing of an account that it does not know. So who asks for two, in turn, knows when it does not.
  @Test func accountsAreLookedUpInTurn() throws {
    let server = try NATSServer()
    let (known, system) = (try server.accounts[0].rawPublicKey, try server.systemKey.rawPublicKey)
    for _ in 0..<50 {
      let both = try server.lookUp([known, system], answers: 2).map { NATSToken.subject(in: $0) }
      #expect(both == [NATSKey.text(.account, known), NATSKey.text(.account, system)])
      let one = try server.lookUp([[UInt8](repeating: 1, count: 32), system], answers: 1)
      #expect(NATSToken.subject(in: one[0]) == NATSKey.text(.account, system))
    }
  }

  @Test func allTokensFromBeforeATimeCanBeRevoked() throws {
    let server = try NATSServer()
    let now = NATSServer.now()
    let old = try NATSDevice(server, name: "a", issued: now - 10)
    let new = try NATSDevice(server, name: "b", issued: now)
    let token = try server.accountToken(revoked: [], all: now - 5)
    #expect(try server.push(token)?.contains("\"code\":200") == true)
    try old.run { false }
    #expect(old.failure == .revoked)
    try NATSDevice(server, name: "c", issued: now).publish("b.adv.c", "hello")
    #expect(try new.hear(1) == ["b.adv.c hello"])
    #expect(try NATSDevice(server, name: "a", key: old.key, issued: now - 10).failure == .refused)
  }

  @Test func onlyTheOperatorChangesAccounts() throws {
    let server = try NATSServer()
    let device = try NATSDevice(server, name: "a")
    let revoked = [(key: try device.key.rawPublicKey, until: NATSServer.now())]
    #expect(try server.push("rubbish")?.contains("\"code\":200") == false)
    // The server keeps what others have signed, but does not believe it.
    _ = try server.push(server.accountToken(revoked: revoked, issuer: server.accounts[0]))
    // A user of the team who may publish everything is in the team's account, and not in the system's.
    let account = server.accounts[0]
    let member = try NATSDevice(server, account: account, rights: .user(publish: [], subscribe: []), name: "m")
    try member.publish("$SYS.REQ.CLAIMS.UPDATE", try server.accountToken(revoked: revoked))
    try member.publish("b.adv.m", "hello")
    #expect(try device.hear(1) == ["b.adv.m hello"])
    try member.publish("b.adv.m", "again")
    #expect(try device.hear(2).last == "b.adv.m again" && device.failure == nil)
  }

  // MARK: Limits

  @Test func aLongerMessageThanTheAccountMaySendEndsTheConnection() throws {
    let server = try NATSServer()
    let (first, second) = (try NATSDevice(server, name: "a"), try NATSDevice(server, name: "b"))
    let longest = String(repeating: "x", count: Limits.rendezvousPayloadLength)
    try first.publish("b.adv.a", longest)
    #expect(try second.hear(1) == ["b.adv.a \(longest)"])
    try first.publish("b.adv.a", longest + "x")
    try first.run { false }
    #expect(first.failure == .unsuitable("it reported: maximum payload violation"))
    try NATSDevice(server, name: "c").publish("b.adv.c", "hello")
    #expect(try second.hear(2).last == "b.adv.c hello")
  }

  @Test func subscriptionsOfADeviceAreFew() throws {
    let server = try NATSServer()
    let device = try NATSDevice(server, name: "a")
    // It has one already.
    for _ in 1..<NATSToken.rendezvousSubscriptions { try device.subscribe("b.to.a.*") }
    let other = try NATSDevice(server, name: "b")
    try other.publish("b.to.a.b", "hello")
    #expect(try device.hear(NATSToken.rendezvousSubscriptions - 1).count == NATSToken.rendezvousSubscriptions - 1)
    try device.handle(.subscribe(subject: "b.to.a.*"))
    try device.run { false }
    #expect(device.failure == .unsuitable("it reported: maximum subscriptions exceeded"))
  }

  @Test func aSubjectOfAnotherIsNotHeard() throws {
    let server = try NATSServer()
    let (curious, receiver) = (try NATSDevice(server, name: "a"), try NATSDevice(server, name: "b"))
    try curious.subscribe("b.to.b.*", "b.to.>", ">", "$SYS.>", "_INBOX.>")
    try receiver.subscribe("b.to.b.*")
    let sender = try NATSDevice(server, name: "c")
    try sender.publish("b.to.b.c", "secret")
    #expect(try receiver.hear(1) == ["b.to.b.c secret"])
    try sender.publish("b.adv.c", "public")
    #expect(try curious.hear(1) == ["b.adv.c public"])
  }
}
