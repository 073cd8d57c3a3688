import Activity
import Continuation
import EventLoop
import Foundation
import Reachability
import Systemd
import TestSupport
import Testing

@testable import Daemon

/// The addresses of peers on the disk, of which nothing is lost that was not read or not understood.
@Suite struct AddressFileTests {
  private static func text(of name: String, in directory: String) throws -> String {
    try String(contentsOfFile: "\(directory)/\(name)", encoding: .utf8)
  }

  @Test(arguments: ["", "{}", "[", "\u{0}", String(repeating: " ", count: Limits.addressFileLength + 1)])
  func whatIsDamagedIsSetAside(_ text: String) throws {
    let directory = try TestPlace()
    for name in ["static-peers.json", "remembered-addresses.json"] {
      try text.write(toFile: "\(directory.path)/\(name)", atomically: false, encoding: .utf8)
    }
    let team = try #require(TeamID(bytes: [UInt8](repeating: 1, count: 32)))
    try onLoop {
      let peers = StaticPeerList(in: directory.path, log: Log(level: .error))
      #expect(peers.all.isEmpty)
      try peers.add(StaticPeer(team: team, address: "a:1"))
      #expect(RememberedAddresses(in: directory.path, log: Log(level: .error)).all.isEmpty)
    }
    for name in ["static-peers.json", "remembered-addresses.json"] {
      #expect(try Self.text(of: name + ".unreadable-1", in: directory.path) == text)
    }
  }

  @Test func whatIsNotUnderstoodAndWhatIsOfOtherTeamsStays() throws {
    let directory = try TestPlace()
    let team = try #require(TeamID(bytes: [UInt8](repeating: 1, count: 32)))
    let entry = #"{"address":"b:2","team":"\#(team.text)","weight":3}"#
    let others = [entry, "7", #"{"team":"X"}"#]
    try "[\(others.joined(separator: ","))]".write(
      toFile: "\(directory.path)/static-peers.json",
      atomically: false,
      encoding: .utf8
    )
    try onLoop {
      try StaticPeerList(in: directory.path, log: Log(level: .error)).add(StaticPeer(team: team, address: "a:1"))
    }
    let text = try Self.text(of: "static-peers.json", in: directory.path)
    for other in others { #expect(text.contains(other), "\(text)") }
    #expect(text.contains("a:1"))
  }
}

/// A directory that is there for one test.
private final class TestPlace: Sendable {
  let path: String

  init() throws {
    path = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString).path
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }
}
