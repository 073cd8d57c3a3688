import Activity
import Continuation
import EventLoop
import Foundation
import Reachability
import Systemd
import TestSupport
import Testing

@testable import BatonDaemon

/// The files of peers' addresses, which must not lose anything that was not read or not understood.
@Suite struct AddressFileTests {
  @Test(arguments: [("", 1), ("{}", 1), ("[", 1), ("\u{0}", 1), (" ", Limits.addressFileLength + 1)])
  func whatIsDamagedIsSetAside(_ piece: String, count: Int) throws {
    let text = String(repeating: piece, count: count)
    let directory = try PlaceForFiles()
    for name in ["static-peers.json", "remembered-addresses.json"] {
      try directory.write(text, to: name)
    }
    let team = try #require(TeamID(bytes: [UInt8](repeating: 1, count: 32)))
    try onLoop {
      let peers = StaticPeerList(in: directory.path, log: Log(level: .error))
      #expect(peers.all.isEmpty)
      try peers.add(StaticPeer(team: team, address: "a:1"), for: 1000, in: [team])
      #expect(RememberedAddresses(in: directory.path, log: Log(level: .error)).all.isEmpty)
    }
    for name in ["static-peers.json", "remembered-addresses.json"] {
      #expect(try directory.text(of: name + ".unreadable-1") == text)
    }
  }

  @Test func whatIsNotUnderstoodAndWhatIsOfOtherTeamsStays() throws {
    let directory = try PlaceForFiles()
    let team = try #require(TeamID(bytes: [UInt8](repeating: 1, count: 32)))
    let entry = #"{"address":"b:2","team":"\#(team.text)","weight":3}"#
    let others = [entry, "7", #"{"team":"X"}"#]
    try directory.write("[\(others.joined(separator: ","))]", to: "static-peers.json")
    try onLoop {
      try StaticPeerList(in: directory.path, log: Log(level: .error)).add(
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
