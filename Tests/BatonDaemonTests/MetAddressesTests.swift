// SPDX-License-Identifier: Apache-2.0

import Activity
import EventLoop
import Handoff
import Testing

@testable import BatonDaemon

/// Which addresses count as those of devices that were met.
struct MetAddressesTests {
  private var met = MetAddresses()
  /// What a look at all peers finds.
  private var found: [SocketAddress] = []
  private var looks = 0
  private let peer: PeerID

  init() throws {
    let team = try #require(TeamID(bytes: Array(repeating: 1, count: 32)))
    peer = PeerID(team: team, device: try #require(DeviceID(bytes: Array(repeating: 2, count: 32))))
  }

  private func address(_ number: Int, port: UInt16 = 22866) throws -> SocketAddress {
    try #require(SocketAddress(bytes: [10, 0, UInt8(number >> 8), UInt8(number & 255)], port: port))
  }

  private mutating func contains(_ number: Int) throws -> Bool {
    let (found, address) = (found, try address(number, port: 50_000))
    var looks = 0
    func look() -> [SocketAddress] {
      looks += 1
      return found
    }
    defer { self.looks += looks }
    return met.contains(address, amongst: look())
  }

  private mutating func note(_ event: ReachabilityCore<SocketAddress>.Event, session: SocketAddress? = nil) {
    met.note(event) { _ in session }
  }

  @Test mutating func anAddressCountsWithAnyPort() throws {
    found = [try address(1)]
    #expect(try contains(1))
    #expect(try !contains(2), "It is only in the same network")
  }

  @Test mutating func sessionsAreNoReasonToLookAtAllPeers() throws {
    #expect(try !contains(1))
    note(.ready(peer, address: nil, isDialler: false), session: try address(1))
    note(.told(peer, try address(2)))
    note(.remembered(peer, [try address(3), try address(4)]))
    note(.ended(peer, .peerUnreachable))
    for number in 1...4 { #expect(try contains(number), "\(number)") }
    #expect(looks == 1)
  }

  @Test mutating func whatNoLongerCountsIsForgotten() throws {
    for event in [
      ReachabilityCore<SocketAddress>.Event.remembered(peer, []), .teamsChanged([:]), .networkChanged, .resumed,
    ] {
      found = [try address(1)]
      note(event)
      #expect(try contains(1))
      found = []
      #expect(try contains(1))
      note(event)
      #expect(try !contains(1), "\(event)")
    }
  }

  @Test mutating func sessionsDoNotFillIt() throws {
    #expect(try !contains(0))
    let limit = Limits.knownPeers * (Limits.addressesPerPeer + 1)
    for number in 1...limit { note(.told(peer, try address(number))) }
    #expect(try contains(limit))
    #expect(looks == 1)
    note(.told(peer, try address(limit + 1)))
    #expect(try !contains(1))
    #expect(looks == 2)
  }
}
