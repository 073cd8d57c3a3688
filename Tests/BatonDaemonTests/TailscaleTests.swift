// SPDX-License-Identifier: Apache-2.0

import Activity
import ControlInterface
import EventLoop
import Glibc
import Handoff
import JSONCoding
import Systemd
import TestSupport
import Testing

@testable import BatonDaemon

extension DaemonTests {
  struct TailscaleTests {
    private static let status =
      #"{"Self":{"UserID":7},"Peer":{"a":{"UserID":7,"Online":true,"#
      + #""TailscaleIPs":["100.64.0.2","fd7a:115c:a1e0::2"]},"b":{"UserID":7,"Online":true,"TailscaleIPs":"#
      + #"["192.168.1.1","fd7b::1"]},"c":{"UserID":7,"Online":true,"TailscaleIPs":["127.0.0.1","what"]}}}"#

    // MARK: Asking

    @Test func itsAnswerTellsAddressesOfTailscaleAlone() throws {
      let clock = try ManualClock.install()
      let tailscaled = try FakeTailscaled()
      let asking = try onLoop { Asking(tailscaled.path) }
      for _ in 0..<2 {
        let request = try tailscaled.answer("HTTP/1.0 200 OK\r\nContent-Type: application/json\r\n\r\n\(Self.status)")
        #expect(request.hasPrefix("GET /localapi/v0/status HTTP/1.0\r\nHost: local-tailscaled.sock\r\n"))
        let expected = ["100.64.0.2:22866", "[fd7a:115c:a1e0::2]:22866"]
        try waitUntil("It is told") { try onLoop { asking.answers.popLast() == expected } }
        try clock.pass(TailscaleSource.tailscaleInterval)
      }
    }

    @Test func aLongAnswerInChunksIsRead() throws {
      let tailscaled = try FakeTailscaled()
      let asking = try onLoop { Asking(tailscaled.path) }
      let text = Self.status + String(repeating: " ", count: 200_000)
      let chunk = String(text.utf8.count, radix: 16) + "\r\n\(text)\r\n0\r\n\r\n"
      _ = try tailscaled.answer("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n\(chunk)")
      try waitUntil("It is told") { try onLoop { asking.answers.map(\.count) == [2] } }
    }

    @Test func whoDoesNotAnswerWellNamesNobody() throws {
      let clock = try ManualClock.install()
      let tailscaled = try FakeTailscaled()
      let asking = try onLoop { Asking(tailscaled.path) }
      let long = String(repeating: " ", count: Limits.tailscaleReplyLength)
      for answer in [
        "", "HTTP/1.0 200 OK\r\n\r\n", "HTTP/1.0 403 No\r\n\r\n\(Self.status)", "HTTP/1.0 200 OK\r\n\r\n\(long)",
      ] {
        // It hangs up on an answer that is too long.
        _ = try? tailscaled.answer(answer)
        try waitUntil("It is told") { try onLoop { asking.answers == [[]] } }
        try onLoop { asking.answers = [] }
        try clock.pass(TailscaleSource.tailscaleInterval)
      }
      // This one says nothing.
      try clock.pass(TailscaleSource.tailscaleReplyTime - .milliseconds(1))
      #expect(try onLoop { asking.answers.isEmpty })
      try clock.pass(.milliseconds(1))
      #expect(try onLoop { asking.answers == [[]] })
    }

    @Test func whereThereIsNoneNobodyIsNamed() throws {
      let place = try PlaceForFiles()
      #expect(try onLoop { Asking("\(place.path)/none").answers == [[]] })
    }

    // MARK: What it names

    @Test func whoIsFoundIsReachedButNotListedAndNotKept() throws {
      try withDaemons("alpha", "beta", network: false) { machines, _ in
        let (a, b) = (machines[0], machines[1])
        let address = try #require(SocketAddress(numericHost: "127.0.0.1", port: a.port))
        // Before there is a team, and then for each one.
        try onLoop { b.daemon.peers.found([address]) }
        #expect(try onLoop { b.daemon.peers.named.isEmpty })
        _ = try a.createTeam()
        try a.admitByFiles(b)
        try a.waitForSessions(1)
        try b.waitForSessions(1)
        #expect(try b.call(ListStaticPeers.self, Nothing()).peers.isEmpty)
        try onLoop { b.daemon.peers.found([]) }
        #expect(try onLoop { b.daemon.peers.named.isEmpty })
        #expect(try b.status().sessions == 1)
        try b.stop()
        #expect(access("\(b.directory)/state/static-peers.json", F_OK) != 0)
      }
    }

    @Test func whatAUserNamedStaysWhenItIsNoLongerFound() throws {
      try withTeam { a in
        let address = try #require(SocketAddress(numericHost: "127.0.0.1", port: 1))
        try onLoop { a.daemon.peers.found([address]) }
        _ = try a.call(AddPeer.self, AddPeer.Parameters(address: "127.0.0.1:1"))
        #expect(try onLoop { a.daemon.peers.named.count } == 1)
        try onLoop { a.daemon.peers.found([]) }
        #expect(try a.call(ListStaticPeers.self, Nothing()).peers.map(\.address) == ["127.0.0.1:1"])
      }
    }

    @Test func thereIsALimitToWhatIsFound() throws {
      try withTeam { a in
        let all = (1...UInt16(Limits.foundPeers) + 1).compactMap { SocketAddress(bytes: [127, 0, 0, 1], port: $0) }
        try onLoop { a.daemon.peers.found(all) }
        #expect(try onLoop { a.daemon.peers.namedCount } == Limits.foundPeers)
      }
    }

    @Test func aReloadStartsAndStopsIt() throws {
      try withTeam { a in
        func reload(_ value: String) throws -> Bool {
          try onLoop {
            var configuration = a.daemon.settings.configuration
            configuration.source = PeerSource(rawValue: value)
            #expect(a.daemon.apply(configuration) == [ConfigurationChange(key: "Network.Source", isApplied: true)])
            return a.daemon.tailscale != nil
          }
        }
        #expect(try onLoop { a.daemon.tailscale == nil })
        #expect(try reload("tailscale"))
        try onLoop { SocketAddress(bytes: [100, 64, 0, 2], port: 22866).map { a.daemon.peers.found([$0]) } }
        #expect(try onLoop { a.daemon.peers.namedCount } == 1)
        #expect(try !reload(""))
        #expect(try onLoop { a.daemon.peers.namedCount } == 0)
      }
    }
  }
}

extension PeerTable {
  /// How many addresses are dialled.
  fileprivate var namedCount: Int { machine.named.count }
}

/// A source, and its answers.
@Loop
private final class Asking {
  var answers: [[String]] = []
  private var source: TailscaleSource?

  init(_ path: String) {
    source = TailscaleSource(path: path, log: Log(level: .error)) { [weak self] in
      self?.answers.append($0.map(\.description))
    }
    source?.ask()
  }
}

/// A Unix socket that answers when the test says so.
private final class FakeTailscaled: Sendable {
  private let place: PlaceForFiles
  private let listener: DescriptorOwner
  var path: String { "\(place.path)/tailscaled.sock" }

  init() throws {
    place = try PlaceForFiles()
    listener = DescriptorOwner(try Sockets.listen(path: "\(place.path)/tailscaled.sock", mode: 0o600))
  }

  /// Waits for a request, answers it, and hangs up.
  func answer(_ text: String) throws -> String {
    guard Descriptor.wait(listener.descriptor, for: Int32(POLLIN), until: .now + patience) else {
      throw TestFailure("Nobody asks")
    }
    let connection = DescriptorOwner(accept(listener.descriptor, nil, nil))
    var request: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 4096)
    while !request.suffix(4).elementsEqual("\r\n\r\n".utf8) {
      let count = try Descriptor.read(connection.descriptor, into: &buffer)
      guard count > 0 else { throw TestFailure("No request") }
      request += buffer.prefix(count)
    }
    try Descriptor.write(Array(text.utf8)[...], to: connection.descriptor)
    return String(decoding: request, as: UTF8.self)
  }
}
