// SPDX-License-Identifier: Apache-2.0

import EventLoop
import Testing

@testable import Discovery

extension AvahiTests {
  /// Refreshing, and interfaces on which nothing is searched for.
  @Loop
  @Suite struct RefreshTests {
    @Test func whatIsThereStaysAndIsWatchedOn() async throws {
      try await withObservers(2) { observers in
        let publication = makePublication()
        observers[0].discovery.publish(publication)
        try await expect("found") { observers[1].text(of: publication.instance) != nil }
        observers[1].forget()
        for _ in 0..<3 { observers[1].discovery.refresh() }
        let settled = ContinuousClock.now + Browsing.refreshTime + .milliseconds(300)
        try await expect("settled") { ContinuousClock.now > settled }
        // Instances of earlier tests may be lost in the meantime.
        #expect(!observers[1].events.contains(.lost(instance: publication.instance)))
        #expect(observers[1].text(of: publication.instance) == nil, "told again")
        let text = [Array("after".utf8)]
        observers[0].discovery.update(instance: publication.instance, text: text)
        try await expect(within: .seconds(1), "updated") { observers[1].text(of: publication.instance) == text }
        observers[0].discovery.withdraw(instance: publication.instance)
        try await expect("lost") { observers[1].events.last == .lost(instance: publication.instance) }
      }
    }

    @Test func whatComesAndGoesAroundARefreshIsSeen() async throws {
      try await withObservers(2) { observers in
        let (first, second) = (makePublication(), makePublication())
        observers[0].discovery.publish(first)
        try await expect("found") { observers[1].text(of: first.instance) != nil }
        observers[0].discovery.withdraw(instance: first.instance)
        observers[0].discovery.publish(second)
        observers[1].discovery.refresh()
        try await expect(within: Browsing.refreshTime + .seconds(2), "replaced") {
          observers[1].text(of: first.instance) == nil && observers[1].text(of: second.instance) != nil
        }
      }
    }

    @Test func aRefreshWithoutAvahiIsMadeUpFor() async throws {
      try await withObservers(2) { observers in
        let publication = makePublication()
        observers[0].discovery.publish(publication)
        try await expect("found") { observers[1].text(of: publication.instance) != nil }
        try await Lab.control("avahi-kill")
        try await expect("lost") { observers[1].text(of: publication.instance) == nil }
        observers[1].discovery.refresh()
        try await Lab.control("avahi-start")
        try await expect(within: .seconds(5), "found again") { observers[1].text(of: publication.instance) != nil }
      }
    }

    @Test func aBridgeOfContainersDoesNotDisturb() async throws {
      try await Lab.on(
        Lab.host,
        "sh",
        "-c",
        "ip link add docker0 type bridge && ip addr add 172.17.0.1/16 dev docker0 && ip link set docker0 up"
      )
      do {
        try await withObservers(2) { observers in
          let publication = makePublication()
          observers[0].discovery.publish(publication)
          try await expect("found") { observers[1].text(of: publication.instance) == publication.text }
          let text = [Array("after".utf8)]
          observers[0].discovery.update(instance: publication.instance, text: text)
          try await expect(within: .seconds(2), "updated") { observers[1].text(of: publication.instance) == text }
          observers[1].discovery.resolve(instance: publication.instance)
          try await expect("resolved") {
            observers[1].events.contains {
              if case .resolved(_, let addresses) = $0 { !addresses.isEmpty } else { false }
            }
          }
        }
      } catch {
        try await Lab.on(Lab.host, "ip", "link", "del", "docker0")
        throw error
      }
      try await Lab.on(Lab.host, "ip", "link", "del", "docker0")
    }

    @Test func nothingIsSeenOverAnInterfaceThatIsLeftOut() async throws {
      let interface = Lab.hasTwoHosts ? "va" : "lo"
      let deaf = AvahiDiscovery(interfaces: InterfacePolicy(excluded: [interface])) { _ in }
      var events: [DiscoveryEvent] = []
      deaf.onEvent = { events.append($0) }
      deaf.look { _ in true }
      deaf.start()
      try await withObservers(2) { observers in
        let publication = makePublication()
        observers[0].discovery.publish(publication)
        try await expect("found by another") { observers[1].text(of: publication.instance) != nil }
        let unheard = makePublication()
        deaf.publish(unheard)
        let later = makePublication()
        observers[0].discovery.publish(later)
        try await expect("found by another") { observers[1].text(of: later.instance) != nil }
        #expect(observers[1].text(of: unheard.instance) == nil)
      }
      #expect(events.allSatisfy { if case .found = $0 { false } else { true } }, "\(events)")
      await withCheckedContinuation { continuation in deaf.stop { continuation.resume() } }
    }
  }
}
