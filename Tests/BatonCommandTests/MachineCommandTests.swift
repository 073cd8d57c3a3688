// SPDX-License-Identifier: Apache-2.0

import Activity
import ControlInterface
import EventLoop
import JSONCoding
import TestSupport
import Testing
import VarlinkServer

/// `machine …` against a fake daemon.
@Suite struct MachineCommandTests {
  private let team = "K7Q2M9XW4T"

  @Test @Loop func addAndRemoveNameTheAddress() async throws {
    let daemon = try FakeDaemon()
    let added = Record<AddPeer.Parameters>()
    let removed = Record<RemovePeer.Parameters>()
    let peer = ControlStaticPeer(address: "nas:22866", team: team, state: .connecting)
    daemon.on(AddPeer.self) { parameters, exchange in
      added.append(parameters)
      exchange.reply(AddPeer.Reply(peer: peer))
    }
    daemon.on(RemovePeer.self) { parameters, exchange in
      removed.append(parameters)
      exchange.reply(RemovePeer.Reply())
    }
    #expect(
      try await baton("machine", "add", "nas", socket: daemon.path).text
        == "Added nas:22866. To see whether it answers, run `baton machine list`.\n"
    )
    #expect(
      try await baton("machine", "add", "nas", "--team", team, "--json", socket: daemon.path).text
        == #"{"peer":\#(peer.json.text)}"# + "\n"
    )
    // As in earlier versions.
    #expect(try await baton("peer", "remove", "nas", socket: daemon.path).text == "Removed nas.\n")
    #expect(
      try await baton("machine", "remove", "nas", "--json", socket: daemon.path).text == #"{"removed":"nas"}"# + "\n"
    )
    #expect(added.values == [AddPeer.Parameters(address: "nas"), AddPeer.Parameters(address: "nas", team: team)])
    #expect(removed.values == [RemovePeer.Parameters(address: "nas"), RemovePeer.Parameters(address: "nas")])
  }

  @Test @Loop func anAddressMustBeGiven() async throws {
    let daemon = try FakeDaemon()
    #expect(try await baton("machine", "add", socket: daemon.path).status == 2)
    #expect(try await baton("machine", "remove", socket: daemon.path).status == 2)
    daemon.fail(RemovePeer.self, ControlFailure(.peerNotFound))
    let other = try await baton("machine", "remove", "10.77.0.1", socket: daemon.path)
    #expect(other.status == 4)
    #expect(other.errors.hasPrefix("baton: You haven't added 10.77.0.1. Run `baton machine list`"))
    #expect(try await baton("machine", "add", "a", "b", socket: daemon.path).status == 2)
  }

  @Test @Loop func listShowsWhatCameOfEach() async throws {
    let daemon = try FakeDaemon()
    daemon.reply(
      to: ListStaticPeers.self,
      ListStaticPeers.Reply(peers: [
        ControlStaticPeer(address: "nas:22866", team: team, state: .connected, device: "nas\u{1B}"),
        ControlStaticPeer(address: "me:1", team: team, state: .thisMachine),
        ControlStaticPeer(address: "off:1", team: team, state: .unreachable, reason: .peerUnreachable),
      ])
    )
    let lines = try await baton("machine", "list", socket: daemon.path).lines
    #expect(lines.count == 4)
    #expect(lines[0].split(separator: " ") == ["ADDRESS", "STATE", "MACHINE", "REASON"])
    #expect(lines[1].hasPrefix("nas:22866  online        nas"))
    #expect(!lines[1].contains("\u{1B}"))
    #expect(lines[2] == "me:1       this machine")
    #expect(lines[3].hasSuffix(Reason.peerUnreachable.explanation))
  }

  @Test @Loop func withoutAnyListSaysHow() async throws {
    let daemon = try FakeDaemon()
    daemon.reply(to: ListStaticPeers.self, ListStaticPeers.Reply(peers: []))
    let result = try await baton("machine", "list", socket: daemon.path)
    #expect(result.text == "")
    #expect(result.errors.contains("baton machine add"))
    #expect(try await baton("machine", "list", "--json", socket: daemon.path).text == #"{"peers":[]}"# + "\n")
  }
}
