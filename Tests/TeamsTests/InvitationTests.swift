// SPDX-License-Identifier: Apache-2.0

import Activity
import Foundation
import TLS
import Testing

@testable import Teams

/// How an administrator's machine treats a code.
@Suite struct InvitationTests {
  private let directory = TestDirectory()
  private let store: TeamStore
  private let team: TeamID
  private let memory = TeamStore.invitationMemory.components.seconds
  private let time = Limits.invitationTime.components.seconds

  init() throws {
    store = try directory.store()
    team = try store.create(name: "Home", owner: 1000, now: now).id
  }

  private func redeem(_ code: InvitationCode, at time: Int64 = now, in other: TeamStore? = nil) throws -> Joined {
    try (other ?? store).redeem(code.keys.identity, of: team, request: Joiner().request, now: time)
  }

  @Test func aCodeAdmitsOneMachine() throws {
    let (code, expires) = try store.invite(team, now: now)
    #expect(expires == now + time)
    #expect(try store.invitationKey(of: team, identity: code.keys.identity) == code.keys.preSharedKey)
    _ = try redeem(code)
    for store in [store, try directory.store()] {
      #expect(throws: Reason.invitationUsed) { try redeem(code, in: store) }
      #expect(try store.invitationKey(of: team, identity: code.keys.identity) == code.keys.preSharedKey)
    }
  }

  @Test func codesDieAtTheirTime() throws {
    let (late, timely) = (try store.invite(team, now: now).code, try store.invite(team, now: now).code)
    #expect(throws: Reason.invitationExpired) { try redeem(late, at: now + time) }
    _ = try redeem(timely, at: now + time - 1)
  }

  @Test func codesAreRememberedForADay() throws {
    let (used, expired) = (try store.invite(team, now: now).code, try store.invite(team, now: now).code)
    _ = try redeem(used)
    let before = try directory.store(now: now + time + memory - 1)
    #expect(throws: Reason.invitationUsed) { try redeem(used, at: now + time + memory - 1, in: before) }
    #expect(throws: Reason.invitationExpired) { try redeem(expired, at: now + time + memory - 1, in: before) }
    let after = try directory.store(now: now + time + memory)
    for code in [used, expired] {
      #expect(try after.invitationKey(of: team, identity: code.keys.identity) == nil)
      #expect(throws: Reason.invitationUnknown) { try redeem(code, at: now + time + memory, in: after) }
    }
    #expect(try directory.names(in: directory.directory(of: team) + "/invitations").isEmpty)
  }

  @Test func unknownAndForeignCodesAdmitNobody() throws {
    #expect(throws: Reason.invitationUnknown) { try redeem(InvitationCode(team: team)) }
    let other = try store.create(name: "Other", owner: 1000, now: now).id
    let foreign = try store.invite(other, now: now).code
    #expect(throws: Reason.invitationUnknown) { try redeem(foreign) }
    #expect(try store.invitationKey(of: team, identity: foreign.keys.identity) == nil)
    #expect(try store.invitationKey(of: other, identity: foreign.keys.identity) != nil)
    #expect(try store.invitationKey(of: team, identity: []) == nil)
    // No file has so long a name.
    for length in [17, 127, 128, 4096] {
      #expect(try store.invitationKey(of: team, identity: Array(repeating: 1, count: length)) == nil)
    }
    #expect(try store.invitationKey(of: team, identity: Array("../../team".utf8)) == nil)
  }

  @Test(arguments: ["", "garbage", "-----BEGIN CERTIFICATE REQUEST-----\nAAAA\n-----END CERTIFICATE REQUEST-----\n"])
  func badRequestsAreRefusedAndUseNoCode(_ request: String) throws {
    let code = try store.invite(team, now: now).code
    for request in [request, request + String(repeating: " ", count: Limits.enrolmentFileLength)] {
      #expect(throws: Reason.requestInvalid) {
        try store.redeem(code.keys.identity, of: team, request: request, now: now)
      }
    }
    _ = try redeem(code)
  }

  @Test func aRequestForAnothersKeyIsRefused() throws {
    let code = try store.invite(team, now: now).code
    // The last bytes of the request are its signature. After this change, it no longer matches the key.
    var bytes = try #require(
      Data(base64Encoded: Joiner().request.split(separator: "\n").dropFirst().dropLast().joined())
    )
    bytes[bytes.count - 1] ^= 1
    let request =
      "-----BEGIN CERTIFICATE REQUEST-----\n" + bytes.base64EncodedString(options: .lineLength64Characters)
      + "\n-----END CERTIFICATE REQUEST-----\n"
    #expect(throws: Reason.requestInvalid) {
      try store.redeem(code.keys.identity, of: team, request: request, now: now)
    }
  }

  @Test func aCrashBetweenUsingAndSigningLeavesTheCodeUsed() throws {
    let code = try store.invite(team, now: now).code
    try store.use(code.keys.identity, of: store.team(team), now: now)
    #expect(throws: Reason.invitationUsed) { try redeem(code, in: directory.store()) }
  }

  @Test func thereAreSoManyInvitationsAndNoMore() throws {
    let codes = try (0..<TeamStore.invitationsPerTeam).map { _ in try store.invite(team, now: now).code }
    _ = try redeem(codes[0])
    #expect(throws: Reason.invitationLimitReached) { try store.invite(team, now: now) }
    let other = try store.create(name: "Other", owner: 1000, now: now).id
    _ = try store.invite(other, now: now)
    _ = try store.invite(team, now: now + time + memory)
  }

  /// As several processes would, each has its own store on the same directory.
  @Test func ofManyThatRedeemAtOnceOneIsAdmitted() throws {
    for _ in 0..<5 {
      let identity = try store.invite(team, now: now).code.keys.identity
      let requests = try (0..<64).map { _ in try Joiner().request }
      let stores = try requests.map { _ in OneThread(try directory.store()) }
      let outcomes = Outcomes()
      let team = team
      let start = DispatchSemaphore(value: 0)
      let done = DispatchGroup()
      for (request, store) in zip(requests, stores) {
        done.enter()
        Thread {
          defer { done.leave() }
          start.wait()
          let outcome = Result { () throws(Reason) in
            try store.value.redeem(identity, of: team, request: request, now: now)
          }
          outcomes.append(outcome)
        }
        .start()
      }
      for _ in requests { start.signal() }
      try #require(done.wait(timeout: .now() + 60) == .success)
      let all = outcomes.all
      #expect(all.count == requests.count)
      #expect(all.filter { (try? $0.get()) != nil }.count == 1)
      #expect(all.filter { $0 == .failure(.invitationUsed) }.count == requests.count - 1)
    }
  }

  @Test func membersCannotInvite() throws {
    let other = TestDirectory()
    let member = try other.store()
    let (code, joiner) = (try store.invite(team, now: now).code, try Joiner())
    let joined = try joiner.redeem(code, of: team, at: store)
    _ = try member.complete(joined, key: joiner.key, nonce: joiner.nonce, code: code, owner: 5, now: now)
    #expect(throws: Reason.notAdministrator) { try member.invite(team, now: now) }
    #expect(throws: Reason.notAdministrator) { try member.approve(joiner.request, in: team, now: now) }
    #expect(member.joinable.isEmpty && store.joinable.map(\.team) == [team])
    #expect(try member.invitationKey(of: team, identity: code.keys.identity) == nil)
  }
}

/// A value that one thread makes and another one alone uses.
private struct OneThread<Value>: @unchecked Sendable {
  let value: Value

  init(_ value: Value) { self.value = value }
}

/// The results of many threads. Unchecked, because the lock makes it safe. A `Mutex` would be checked, but the thread
/// sanitizer does not see its lock.
private final class Outcomes: @unchecked Sendable {
  private let lock = NSLock()
  private var outcomes: [Result<Joined, Reason>] = []

  var all: [Result<Joined, Reason>] { lock.withLock { outcomes } }

  func append(_ outcome: Result<Joined, Reason>) { lock.withLock { outcomes.append(outcome) } }
}
