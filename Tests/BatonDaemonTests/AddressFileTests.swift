// SPDX-License-Identifier: Apache-2.0

import Activity
import EventLoop
import Foundation
import Handoff
import Systemd
import TestSupport
import Testing

@testable import BatonDaemon

/// The files of peers' addresses, which must not lose anything that was not read or not understood.
@Suite struct AddressFileTests {
  @Test(arguments: [("", 1), ("{}", 1), ("[", 1), ("\u{0}", 1), (" ", AddressFile.addressFileLength + 1)])
  func whatIsDamagedIsSetAside(_ piece: String, count: Int) throws {
    let text = String(repeating: piece, count: count)
    let directory = try PlaceForFiles()
    for name in ["static-peers.json", "remembered-addresses.json"] {
      try directory.write(text, to: name)
    }
    let team = try #require(TeamID(bytes: [UInt8](repeating: 1, count: 32)))
    try waitOnLoop {
      let peers = StaticPeerList(in: directory.path, log: Log(level: .error))
      #expect(peers.all.isEmpty)
      try await peers.add(StaticPeer(team: team, address: "a:1"), for: 1000, in: [team])
      #expect(RememberedAddresses(in: directory.path, log: Log(level: .error)).all.isEmpty)
    }
    for name in ["static-peers.json", "remembered-addresses.json"] {
      #expect(try directory.text(of: name + ".unreadable-1") == text)
    }
  }

  @Test func changesAtTheSameTimeLoseNothing() throws {
    let directory = try PlaceForFiles()
    let team = try #require(TeamID(bytes: [UInt8](repeating: 1, count: 32)))
    let known = Set((1...8).map { StaticPeer(team: team, address: "a:\($0)") })
    try waitOnLoop {
      let peers = StaticPeerList(in: directory.path, log: Log(level: .error))
      let changes = known.map { peer in Task { try await peers.add(peer, for: 1000, in: [team]) } }
      for change in changes { try await change.value }
      #expect(peers.all == known)
      #expect(StaticPeerList(in: directory.path, log: Log(level: .error)).all == known)
    }
  }

  /// What cannot be written is refused, and is not in the list either.
  @Test func aFailureIsOfOneChange() throws {
    let directory = try PlaceForFiles()
    let team = try #require(TeamID(bytes: [UInt8](repeating: 1, count: 32)))
    let (long, short) = (String(repeating: "a", count: AddressFile.addressFileLength), "b:2")
    try waitOnLoop {
      let peers = StaticPeerList(in: directory.path, log: Log(level: .error))
      let failing = Task { try await peers.add(StaticPeer(team: team, address: long), for: 1000, in: [team]) }
      let other = Task { try await peers.add(StaticPeer(team: team, address: short), for: 1000, in: [team]) }
      await #expect(throws: Reason.storageFailed) { try await failing.value }
      try await other.value
      #expect(peers.all.map(\.address) == [short])
    }
  }

  @Test func whatIsNotUnderstoodAndWhatIsOfOtherTeamsStays() throws {
    let directory = try PlaceForFiles()
    let team = try #require(TeamID(bytes: [UInt8](repeating: 1, count: 32)))
    let entry = #"{"address":"b:2","team":"\#(team.text)","weight":3}"#
    let others = [entry, "7", #"{"team":"X"}"#]
    try directory.write("[\(others.joined(separator: ","))]", to: "static-peers.json")
    try waitOnLoop {
      try await StaticPeerList(in: directory.path, log: Log(level: .error)).add(
        StaticPeer(team: team, address: "a:1"),
        for: 1000,
        in: [team]
      )
    }
    let text = try directory.text(of: "static-peers.json")
    for other in others { #expect(text.contains(other), "\(text)") }
    #expect(text.contains("a:1"))
  }
}
