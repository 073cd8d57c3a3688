// SPDX-License-Identifier: Apache-2.0

import Activity
import EventLoop
import Testing

@testable import Discovery

extension AvahiTests {
  /// Tests between two hosts. The other one runs only Avahi's own programs.
  @Loop
  @Suite(.enabled(if: Lab.hasTwoHosts, "Runs in Tests/Lab/avahi-lab pair"))
  struct OtherHostTests {
    @Test func anInstanceOfAnotherHostHasAddressesOfBothVersions() async throws {
      try await withObservers(1) { observers in
        let name = makePublication().instance
        let publish = ["avahi-publish-service", name, "_baton._tcp", "22866", "txtvers=1", "a=1"]
        try await Lab.with(publish, on: "b") {
          try await expect("found") { observers[0].text(of: name) == [Array("txtvers=1".utf8), Array("a=1".utf8)] }
          var addresses: [SocketAddress] = []
          for _ in 0..<5 where addresses.count < 2 {
            observers[0].forget()
            observers[0].discovery.resolve(instance: name)
            try await expect("resolved") {
              for case .resolved(name, let answer) in observers[0].events { addresses = answer }
              return observers[0].events.contains { if case .resolved = $0 { true } else { false } }
            }
          }
          let interface = try #require(HostAddresses.current().first { $0.interfaceName == "va" }).interface
          #expect(addresses.contains { $0.bytes == [10, 77, 0, 2] && $0.port == 22866 && $0.scope == 0 })
          #expect(addresses.contains { $0.isLinkLocal && $0.scope == interface && $0.port == 22866 })
          #expect(addresses.count == 2)
        }
        try await expect("lost") { observers[0].text(of: name) == nil }
      }
    }

    @Test func anotherHostSeesOurAddressesAndNotOurName() async throws {
      try await withObservers(1) { observers in
        let publication = makePublication()
        observers[0].discovery.publish(publication)
        try await expect("published") { observers[0].events.contains(.published(instance: publication.instance)) }
        // avahi-browse waits forever for the address of an instance that goes away in the meantime.
        let browse = "for attempt in 1 2 3; do timeout 10 avahi-browse -rpt _baton._tcp && exit; done; exit 1"
        let output = try await Lab.on("b", "sh", "-c", browse)
        let lines = output.split(separator: "\n").filter { $0.hasPrefix("=") && $0.contains(publication.instance) }
          .map { $0.split(separator: ";", omittingEmptySubsequences: false) }
        let hosts = Set(lines.compactMap { $0.count > 8 ? $0[6].lowercased() : nil })
        #expect(hosts == ["\(publication.host.lowercased()).local"])
        #expect(lines.contains { $0.count > 8 && $0[7] == "10.77.0.1" && $0[8] == "22866" }, "\(output)")
        #expect(!output.lowercased().contains("lab-a"))
        let address = try await Lab.on("b", "avahi-resolve", "-6", "-n", "\(publication.host).local")
        #expect(address.contains("fe80:"), "\(address)")
      }
    }

    @Test func aCutAndMendedLinkIsNoticed() async throws {
      try await withObservers(1) { observers in
        let name = makePublication().instance
        try await Lab.with(["avahi-publish-service", name, "_baton._tcp", "22866", "a=1"], on: "b") {
          try await expect("found") { observers[0].text(of: name) != nil }
          try await Lab.control("link-down")
          try await expect("lost") { observers[0].text(of: name) == nil }
          try await expect("addresses changed") { observers[0].events.contains(.addressesChanged) }
          observers[0].forget()
          try await Lab.control("link-up")
          try await expect(within: .seconds(20), "found again") { observers[0].text(of: name) != nil }
          try await expect("addresses changed") { observers[0].events.contains(.addressesChanged) }
        }
      }
    }
  }
}
