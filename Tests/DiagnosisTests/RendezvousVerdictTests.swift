// SPDX-License-Identifier: Apache-2.0

import Activity
import Testing

@testable import ControlInterface

struct RendezvousVerdictTests {
  private func findings(_ state: Verdict.Rendezvous.State) -> [Verdict.Finding] {
    Verdict.rendezvous([
      Verdict.Rendezvous(
        team: "Home",
        server: "s.example:4222",
        state: state,
        devices: ["laptop", "desktop"],
        relays: [("s.example:22067", "it does not answer")]
      )
    ])
  }

  @Test func thereIsNothingToCheckIfTeamsMeetNowhere() { #expect(Verdict.rendezvous([]).map(\.outcome) == [.skipped]) }

  @Test func aServerThatAcceptsThisMachineNamesTheOthers() {
    let found = findings(.ready)
    #expect(found.map(\.outcome) == [.passed, .note])
    #expect(
      found[0].detail
        == "This machine is connected to s.example:4222 for the team Home. Also connected to it: desktop, laptop."
    )
    #expect(found[1].detail == "Couldn't use the relay s.example:22067: it does not answer.")
    #expect(
      found[1].advice?.hasPrefix("Check that the relay is running (`sudo baton-rendezvous status` there)") == true
    )
  }

  @Test func aRefusalHasAnotherReasonThanSilence() {
    #expect(findings(.failed("it does not answer", isRefusal: false))[0].reason == .rendezvousUnreachable)
    #expect(findings(.failed("it was removed", isRefusal: true))[0].reason == .rendezvousRefused)
    #expect(findings(.off)[0].outcome == .note && findings(.connecting)[0].outcome == .note)
  }
}
