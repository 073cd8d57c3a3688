// SPDX-License-Identifier: Apache-2.0

import Activity
import ControlInterface
import Testing

@Suite struct NetworkVerdictTests {
  private func interface(
    _ name: String = "eth0",
    isUp: Bool = true,
    isLoopback: Bool = false,
    isUsed: Bool = true,
    exclusion: String? = nil,
    hasMulticast: Bool = true,
    isPointToPoint: Bool = false,
    tests: [Verdict.Interface.Test] = []
  ) -> Verdict.Interface {
    Verdict.Interface(
      name: name,
      isUp: isUp,
      isLoopback: isLoopback,
      isUsed: isUsed,
      exclusion: exclusion,
      hasMulticast: hasMulticast,
      isPointToPoint: isPointToPoint,
      tests: tests
    )
  }

  private let loopback = Verdict.Interface(
    name: "lo",
    isUp: true,
    isLoopback: true,
    isUsed: true,
    hasMulticast: false
  )
  private let nobody = Verdict.Adverts(seen: 0, missing: [])
  private let some = Verdict.Adverts(seen: 1, missing: [])

  @Test func theBusIsToldFromAvahi() {
    let noBus = Verdict.Avahi.fails(.busUnavailable, detail: "Permission denied")
    check(Verdict.bus(noBus), .failed, .busUnavailable)
    #expect(Verdict.bus(noBus).detail.contains("Permission denied"))
    check(Verdict.avahi(noBus), .skipped, nil)
    let noAvahi = Verdict.Avahi.fails(.discoveryUnavailable, detail: "no such name")
    check(Verdict.bus(noAvahi), .passed, nil)
    check(Verdict.avahi(noAvahi), .failed, .discoveryUnavailable)
    check(Verdict.bus(.answers), .passed, nil)
    check(Verdict.avahi(.answers), .passed, nil)
    let muted = Verdict.avahi(.answers, isCrowded: true, isMuted: true)
    check(muted, .failed, .discoveryUnavailable)
    #expect(muted.advice?.contains("disable-user-service-publishing") == true)
    let crowded = Verdict.avahi(.answers, isCrowded: true)
    check(crowded, .note, nil)
    #expect(crowded.advice?.contains("cache-entries-max") == true)
    check(Verdict.bus(.disabled), .skipped, nil)
    check(Verdict.avahi(.disabled), .note, nil)
  }

  @Test func oneInterfaceInUseIsEnough() {
    let finding = Verdict.interfaces([
      loopback, interface(), interface("docker0", isUsed: false, exclusion: "docker*"),
      interface("eth1", isUsed: false),
    ])
    check(finding, .passed, nil)
    #expect(finding.detail == "In use: eth0. Not in use: docker0 (docker*), eth1.")
  }

  @Test func noInterfaceInUseIsNamed() {
    let excluded = Verdict.interfaces([loopback, interface("docker0", isUsed: false)])
    check(excluded, .failed, .interfaceExcluded)
    #expect(excluded.detail.contains("docker0"))
    check(Verdict.interfaces([loopback, interface(isUp: false, isUsed: false)]), .failed, .interfaceExcluded)
    check(Verdict.interfaces([loopback]), .note, nil)
    check(Verdict.interfaces([]), .note, nil)
  }

  @Test func anInterfaceWithoutMulticastBlocksIt() {
    check(Verdict.multicast(.answers, [interface(hasMulticast: false)], some), .failed, .multicastBlocked)
    check(
      Verdict.multicast(.answers, [interface(hasMulticast: false), interface("eth1", tests: [.heard])], some),
      .passed,
      nil
    )
  }

  @Test func whatTheFirewallDropsIsNotHeard() {
    check(Verdict.multicast(.answers, [interface(tests: [.notHeard, .notHeard])], some), .failed, .multicastBlocked)
    let refused = Verdict.multicast(.answers, [interface(tests: [.notSent("Operation not permitted")])], nobody)
    check(refused, .failed, .multicastBlocked)
    #expect(refused.detail.contains("Operation not permitted"))
    // One of the two versions of IP is enough.
    check(Verdict.multicast(.answers, [interface(tests: [.notHeard, .heard])], some), .passed, nil)
  }

  @Test func whoIsConnectedAndNotSeenTellsOfIt() {
    let finding = Verdict.multicast(
      .answers,
      [interface(tests: [.heard])],
      Verdict.Adverts(seen: 0, missing: ["desktop"])
    )
    check(finding, .failed, .multicastBlocked)
    #expect(finding.detail.contains("desktop"))
    let others = Verdict.Adverts(seen: 1, missing: ["desktop"])
    check(Verdict.multicast(.answers, [interface(tests: [.heard])], others), .note, nil)
    check(Verdict.multicast(.answers, [interface(tests: [.heard])], nobody), .note, nil)
  }

  @Test func multicastIsNotLookedAtWhereItIsNotUsed() {
    check(Verdict.multicast(.disabled, [interface()], nobody), .skipped, nil)
    check(Verdict.multicast(.answers, [loopback], nobody), .skipped, nil)
  }

  @Test func aVPNIsNamedWithWhatItNeeds() {
    let wire = interface(tests: [.heard])
    let tunnel = interface("wg0", hasMulticast: false, isPointToPoint: true)
    let tailscale = interface("tailscale0", isPointToPoint: true, tests: [.heard])
    let finding = Verdict.virtualNetworks(.answers, [loopback, wire, tunnel], asksTailscale: false)
    #expect(finding?.outcome == .note && finding?.check == .multicast && finding?.reason == nil)
    #expect(finding?.detail.contains("over wg0,") == true)
    #expect(finding?.advice == "For others, run `baton machine add ADDRESS`.")
    let both = Verdict.virtualNetworks(.answers, [tunnel, tailscale], asksTailscale: false)
    #expect(both?.detail.contains("over tailscale0, wg0,") == true)
    #expect(both?.advice?.contains("Source=tailscale") == true)
    // Machines in Tailscale are found, and those of the other VPN are not.
    let asked = Verdict.virtualNetworks(.answers, [tunnel, tailscale], asksTailscale: true)
    #expect(asked?.detail.contains("over wg0,") == true && asked?.advice?.contains("Source") == false)
    #expect(Verdict.virtualNetworks(.answers, [wire, tailscale], asksTailscale: true) == nil)
    #expect(Verdict.virtualNetworks(.answers, [loopback, wire], asksTailscale: false) == nil)
    let unused = interface("tun0", isUsed: false, isPointToPoint: true)
    #expect(Verdict.virtualNetworks(.answers, [wire, unused], asksTailscale: false) == nil)
    #expect(Verdict.virtualNetworks(.disabled, [tunnel], asksTailscale: false) == nil)
  }

  @Test func aVPNSaysNothingOfMulticastOnALink() {
    let tunnel = interface("wg0", hasMulticast: false, isPointToPoint: true)
    let finding = Verdict.multicast(.answers, [loopback, tunnel], nobody)
    check(finding, .skipped, nil)
    #expect(finding.detail.contains("VPN"))
    // What this machine hears of itself over a VPN does not hide its firewall.
    let tailscale = interface("tailscale0", isPointToPoint: true, tests: [.heard])
    check(Verdict.multicast(.answers, [interface(tests: [.notHeard]), tailscale], some), .failed, .multicastBlocked)
  }

  @Test func whoHasThePortIsNamed() {
    let finding = Verdict.takenPort(22866, instead: 43211, owner: 1001, "bind: Address already in use")
    check(finding, .failed, .portClosed)
    #expect(finding.detail.contains("the user 1001 is using TCP port 22866. This machine listens on 43211"))
    #expect(finding.advice?.contains("ss -ltnp 'sport = :22866'") == true)
    let unknown = Verdict.takenPort(80, instead: 0, owner: nil, "bind: Permission denied")
    #expect(
      unknown.detail == "TCP port 80 isn't available (bind: Permission denied). No machine can connect to this one."
    )
  }

  @Test func onePeerThatReachesThePortIsEnoughToPass() {
    check(Verdict.port(1, [.reached(device: "a"), .unanswered(device: "b")]), .passed, nil)
    let closed = Verdict.port(22866, [.notReached(device: "a", .peerUnreachable)])
    check(closed, .failed, .portClosed)
    #expect(closed.advice?.contains("22866/tcp") == true)
    check(
      Verdict.port(1, [.reached(device: "a"), .notReached(device: "b", .peerUnreachable)]),
      .note,
      .portClosed
    )
    check(Verdict.port(1, [.reached(device: "a"), .relayed(device: "b")]), .passed, nil)
    check(Verdict.port(1, [.relayed(device: "a"), .notReached(device: "b", .peerUnreachable)]), .failed, .portClosed)
    check(Verdict.port(1, [.relayed(device: "a"), .unanswered(device: "b")]), .note, nil)
    check(Verdict.port(1, []), .skipped, nil)
    check(Verdict.port(1, [.unanswered(device: "a")]), .skipped, nil)
    // The peer has just tried the same for another machine.
    check(Verdict.port(1, [.notReached(device: "a", .limitReached)]), .skipped, nil)
  }
}

func check(
  _ finding: Verdict.Finding,
  _ outcome: Diagnose.Outcome,
  _ reason: Reason?,
  sourceLocation: SourceLocation = #_sourceLocation
) {
  #expect(finding.outcome == outcome, "\(finding)", sourceLocation: sourceLocation)
  #expect(finding.reason == reason, "\(finding)", sourceLocation: sourceLocation)
  if outcome == .failed { #expect(finding.reason != nil, sourceLocation: sourceLocation) }
}
