import Activity
import ControlInterface
import JSONCoding
import PeerProtocol
import Testing

@testable import BatonDaemon

struct SetZoneTests {
  private static let key = Base64.encode([UInt8](repeating: 7, count: 32))

  private func zone(
    name: String = "home.example.org",
    server: String = "ns.example.org",
    keyName: String = "home",
    key: String = key
  ) throws(Reason) -> RendezvousAccess.Zone {
    try ControlServer.zone(SetZone.Zone(name: name, server: server, keyName: keyName, key: key))
  }

  @Test func whatUsersGiveCanBeToldToDevices() throws {
    for name in ["home.example.org", "Home.Example.ORG.", "_x.a-b", String(repeating: "a.", count: 127)] {
      let access = RendezvousAccess(version: 1, zone: try zone(name: name, keyName: name))
      #expect(RendezvousAccess(json: access.json) == access)
    }
    #expect(try zone().server == "ns.example.org:53")
    #expect(try zone(server: "[2001:db8::1]:5353").server == "[2001:db8::1]:5353")
  }

  /// What is no name could be neither read again nor sent.
  @Test(arguments: ["", ".", "a..b", "h\u{E4}", "a b", "a\"b", "a\u{1}", String(repeating: "a", count: 64)])
  func whatIsNoNameIsRefused(_ name: String) {
    #expect(throws: Reason.addressInvalid) { try zone(name: name) }
    #expect(throws: Reason.addressInvalid) { try zone(keyName: name) }
  }

  @Test func serversAndKeysMustBeRight() {
    for server in ["", "a b", "a:0", "2001:db8::1"] {
      #expect(throws: Reason.addressInvalid) { try zone(server: server) }
    }
    for key in [
      "", "?", Base64.encode([UInt8](repeating: 7, count: 15)), Base64.encode([UInt8](repeating: 7, count: 65)),
    ] {
      #expect(throws: Reason.addressInvalid) { try zone(key: key) }
    }
  }
}
