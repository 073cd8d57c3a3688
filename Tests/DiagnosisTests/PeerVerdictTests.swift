// SPDX-License-Identifier: Apache-2.0

import Activity
import ControlInterface
import Testing

@Suite struct PeerVerdictTests {
  private func peer(isConnected: Bool = false, _ reason: Reason? = nil, isSeen: Bool = true) -> Verdict.Finding {
    Verdict.peer(
      Verdict.Peer(device: "desktop", isConnected: isConnected, address: "10.0.0.2:1", reason: reason, isSeen: isSeen)
    )
  }

  @Test func anAddressOfAnotherNetworkIsNamed() {
    let place = "192.168.7.5:22866"
    let finding = Verdict.peer(
      Verdict.Peer(device: "desktop", isConnected: false, reason: .peerUnreachable, elsewhere: [place])
    )
    #expect(finding.outcome == .failed && finding.reason == .peerUnreachable)
    #expect(finding.detail.contains("It's announced at \(place), but that address isn't on the network"))
    // It is nobody's advice to connect there.
    #expect(finding.advice?.starts(with: "If that's an address of desktop, run `baton machine add \(place)`.") == true)
    let refused = Verdict.peer(
      Verdict.Peer(device: "desktop", isConnected: false, reason: .versionMismatch, elsewhere: [place])
    )
    #expect(refused.reason == .versionMismatch && !refused.detail.contains(place))
  }

  @Test(
    arguments: [
      .peerUnreachable, .peerTimedOut, .handshakeTimedOut, .certificateExpired, .certificateRevoked,
      .certificateInvalid,
      .otherTeam, .notTLS, .versionMismatch, .protocolViolation,
    ] as [Reason]
  )
  func whyAPeerIsNotConnectedIsNamed(reason: Reason) {
    let finding = peer(reason)
    check(finding, .failed, reason)
    #expect(finding.detail.contains("desktop (10.0.0.2:1)") && finding.advice != nil)
  }

  @Test func aPeerThatIsConnectedIsWell() { check(peer(isConnected: true), .passed, nil) }

  @Test func aPeerThatIsConnectedAndSilentIsNot() {
    let peer = Verdict.Peer(device: "desktop", isConnected: true, isSilent: true)
    check(Verdict.peer(peer), .failed, .peerTimedOut)
  }

  @Test func aPeerThatNeverAnsweredTimedOut() { check(peer(), .failed, .peerTimedOut) }

  @Test func whoWentOnPurposeIsNoFailure() {
    check(peer(.sessionIdle), .note, nil)
    check(peer(.shuttingDown, isSeen: false), .note, .shuttingDown)
    check(peer(.shuttingDown), .failed, .shuttingDown)
  }

  @Test func whoHasLeftIsNoFailure() {
    check(peer(.teamLeft), .note, .teamLeft)
    check(peer(.teamLeft, isSeen: false), .note, .teamLeft)
  }

  @Test func refusalsSayWhyNobodyIsThere() {
    #expect(Verdict.refused([:]) == nil && Verdict.refused([.notTLS: 1, .otherTeam: 1, .certificateRevoked: 1]) == nil)
    let finding = Verdict.refused([.notTLS: 1, .certificateExpired: 185])
    if let finding { check(finding, .failed, .certificateExpired) }
    #expect(finding?.detail.contains("3 minutes ago") == true && finding?.advice != nil)
  }

  @Test func whoMayBeOffIsANote() {
    func judge(_ reason: Reason, isSeen: Bool) -> Verdict.Finding {
      Verdict.peer(
        Verdict.Peer(device: "desktop", isConnected: false, reason: reason, isSeen: isSeen),
        isExpected: false
      )
    }
    check(judge(.peerUnreachable, isSeen: false), .note, .peerUnreachable)
    check(judge(.peerUnreachable, isSeen: true), .failed, .peerUnreachable)
    check(judge(.versionMismatch, isSeen: false), .failed, .versionMismatch)
  }

  @Test func nobodyIsAFinding() {
    check(Verdict.noPeer(nil), .failed, .peerNotFound)
    #expect(Verdict.noPeer(nil).advice?.contains("baton team invite") == true)
    #expect(Verdict.noPeer("tower").detail.contains("tower"))
    // Others are known, so the team has more than one machine.
    #expect(Verdict.noPeer("tower").advice?.hasPrefix("To see which machines are known, run `baton machines`.") == true)
  }

  @Test func anAddressIsJudgedByItsHello() {
    let versions: ClosedRange<UInt64> = 1...1
    func judge(_ reached: Verdict.Reached) -> Verdict.Finding {
      Verdict.address("10.0.0.2", reached, versions: versions)
    }
    check(judge(.device(name: "desktop", versions: 1...3, clockSkew: nil)), .passed, nil)
    check(judge(.device(name: "desktop", versions: 2...3, clockSkew: nil)), .failed, .versionMismatch)
    check(judge(.thisMachine), .note, nil)
    check(judge(.failed(.otherTeam)), .failed, .otherTeam)
    check(judge(.failed(.certificateExpired)), .failed, .certificateExpired)
  }

  @Test func clocksMayDifferByFiveMinutes() {
    check(Verdict.clock([]), .skipped, nil)
    check(Verdict.clock([("a", 300), ("b", -300)]), .passed, nil)
    let ahead = Verdict.clock([("a", 1), ("b", 3_600)])
    check(ahead, .failed, .clockSkewed)
    #expect(ahead.detail.contains("b is 60 minutes ahead"))
    check(Verdict.clock([("a", -301)]), .failed, .clockSkewed)
    // A peer can send any number.
    check(Verdict.clock([("a", 1.8e19)]), .failed, .clockSkewed)
  }

  @Test func theTeamAndItsCertificate() {
    check(Verdict.team([]), .failed, .teamNotFound)
    check(Verdict.team(["Demo"]), .passed, nil)
    check(Verdict.team(["Demo", "Work", "Demo"]), .note, .teamAmbiguous)
    check(Verdict.team(["Demo"], damage: ["Can't use the team \"Home\": x"]), .failed, .storageFailed)
    #expect(Verdict.setAside([]) == nil)
    #expect(Verdict.setAside(["/a.unreadable-1"])?.detail.contains("/a.unreadable-1") == true)
    let year = 365 * 86400.0
    let certificate = Verdict.OwnCertificate(team: "Demo", joined: 1e9, expires: 1e9 + year)
    check(Verdict.certificates([], now: 1e9), .skipped, nil)
    check(Verdict.certificates([certificate], now: 1e9), .passed, nil)
    check(Verdict.certificates([certificate], now: 1e9 + year), .failed, .certificateExpired)
    check(Verdict.certificates([certificate], now: 1e9 + year - 86400 * 3), .note, nil)
    check(Verdict.certificates([certificate], now: 1e9 - 301), .failed, .clockSkewed)
    check(Verdict.certificates([certificate], now: 1e9 - 299), .passed, nil)
  }

  @Test func aLockedKeyIsWorthANoteWhereSomebodyWaits() {
    #expect(Verdict.locked("Demo", devices: 0, isOwnDue: false) == nil)
    for (devices, isOwn, text) in [
      (0, true, "This machine is"), (1, false, "1 other machine is"),
      (2, false, "2 other machines are"), (1, true, "This machine and 1 other machine are"),
    ] {
      let finding = Verdict.locked("Demo", devices: devices, isOwnDue: isOwn)
      #expect(finding?.outcome == .note && finding?.reason == .passphraseNeeded)
      #expect(finding?.detail.contains("Demo is locked. \(text) waiting for") == true, "\(finding?.detail ?? "")")
    }
  }

  @Test func appsThatDoNotAnswerAreAFailureAndOtherEndsAreNot() {
    check(Verdict.continuation(nil), .passed, nil)
    let hung = Verdict.continuation(Verdict.Failure(reason: .appTimedOut, device: "desktop", age: 3))
    check(hung, .failed, .appTimedOut)
    #expect(hung.detail.contains("desktop"))
    check(
      Verdict.continuation(Verdict.Failure(reason: .alreadyContinued, device: "", age: 300)),
      .note,
      .alreadyContinued
    )
  }

  @Test func typesThatNoAppTakesAreANote() {
    check(Verdict.applications(offered: [], taken: []), .skipped, nil)
    check(Verdict.applications(offered: ["io.baton.clipboard"], taken: []), .skipped, nil)
    check(Verdict.applications(offered: ["a.b"], taken: ["a.b", "a.c"]), .passed, nil)
    let missing = Verdict.applications(offered: ["a.b", "a.d"], taken: ["a.b"])
    check(missing, .note, .applicationNotFound)
    #expect(missing.detail.contains("a.d") && !missing.detail.contains("a.b"))
    // If the agent could not read all apps, there may still be one.
    let leftOut = Verdict.applications(offered: ["a.b", "a.d"], taken: ["a.b"], isIncomplete: true)
    check(leftOut, .note, .limitReached)
    #expect(leftOut.detail.contains("a.d") && leftOut.advice?.contains("journalctl") == true)
    check(Verdict.applications(offered: ["a.b"], taken: ["a.b"], isIncomplete: true), .passed, nil)
  }

  @Test func whatIsWithheldHasItsReason() {
    check(Verdict.offer(.yes), .passed, nil)
    check(Verdict.offer(.nothing), .skipped, nil)
    check(Verdict.offer(.withheld(.notPermitted)), .failed, .notPermitted)
  }
}
